/// The life of a map with one style, as a value: it takes the facts of a moment and gives the next event.
///
/// Each turn of a map (something arrived, changed or moved) begins with `beginTurn`; then `next` is asked,
/// with the facts as they are by then, until it gives none. In one turn come, in this order: the parts of
/// the style that are there or given up since (sprite, then sources), `styleLoaded`; images that are missing
/// and those that nobody names any more; a frame; `mapLoaded` after the first complete one; `mapIdle` when
/// nothing is under way and nothing moves. A map with another style begins with another value.
package struct MapLifecycle: Sendable {
  /// What is the case at a moment.
  package struct Facts: Sendable, Equatable {
    /// Whether the style names a sprite.
    package var hasSprite = false
    /// What is lacking or on its way: of the sprite, of what sources are described by, of anything.
    package var awaitsSprite = false
    package var awaitsMetadata = false
    package var awaitsAnything = false
    /// Whether the camera or a paint property is on its way.
    package var isMoving = false
    /// Whether a gesture holds the camera, which then may move at any time.
    package var isHeld = false
    /// Whether another turn is due already.
    package var isTurnDue = false
    /// Whether other labels stand in the frame of this turn than in the one before.
    package var isPlacementChanged = false
    /// Sources whose data stands in the style itself.
    package var inlineSources: [String] = []
    /// Images that layers in view name and nobody has; those of `toldMissing` may be left out.
    package var missingImages: Set<String> = []
    /// All that layers in view name; needed where `watchesImages`.
    package var namedImages: Set<String> = []

    package init() {}
  }

  /// What a turn comes to next.
  private enum Step: Sendable, Equatable {
    case sprite, sources, missingImages, unusedImages, frame, frameEnd(isComplete: Bool), load, rest, over
  }
  private var step = Step.over
  /// Events that follow each other whatever happens between them.
  private var due: [MapEvent] = []
  private var toldSprite = false
  package private(set) var toldMissing: Set<String> = []
  /// Images that the application added after they were told to be missing.
  private var supplied: Set<String> = []
  package var watchesImages: Bool { !supplied.isEmpty }

  /// Whether the style is there with its sprite and what is known of its sources: `styleLoaded` was given.
  package private(set) var isStyleLoaded = false
  /// Whether a complete frame was shown: `mapLoaded` was given.
  package private(set) var isLoaded = false
  /// Whether the style was seen: what changes before changes at once.
  package private(set) var hasShown = false
  package private(set) var isIdle = false

  package init() {}

  /// Something changed: a frame is due.
  package mutating func wake() { isIdle = false }

  /// A picture was drawn besides the frames of turns.
  package mutating func show() { hasShown = true }

  /// An image was added: where it had been told to be missing, it is watched for being unused.
  package mutating func supplyImage(_ name: String) {
    if toldMissing.remove(name) != nil { supplied.insert(name) }
  }

  package mutating func beginTurn() { step = .sprite }

  /// The next event of the turn; nil when it is over.
  package mutating func next(_ facts: Facts) -> MapEvent? {
    while true {
      if !due.isEmpty { return due.removeFirst() }
      switch step {
      case .sprite:
        step = .missingImages
        if !toldSprite {
          guard !facts.awaitsSprite else { continue }
          toldSprite = true
          if facts.hasSprite { due = [.styleDataLoaded(.sprite)] }
        }
        step = .sources
      case .sources:
        step = .missingImages
        guard !isStyleLoaded, !facts.awaitsMetadata else { continue }
        isStyleLoaded = true
        due = facts.inlineSources.map { .sourceDataLoaded($0, tile: nil) }
        due += [.styleDataLoaded(.sources), .styleLoaded]
      case .missingImages:
        step = .unusedImages
        guard !facts.missingImages.isEmpty else { continue }
        due = facts.missingImages.sorted().filter { toldMissing.insert($0).inserted }.map {
          .styleImageMissing($0)
        }
      case .unusedImages:
        step = .frame
        guard isLoaded, !facts.awaitsAnything, !facts.isTurnDue, watchesImages else { continue }
        let unused = supplied.subtracting(facts.namedImages)
        supplied.subtract(unused)
        due = unused.sorted().map { .styleImageRemoveUnused($0) }
      case .frame:
        step = .over
        guard isStyleLoaded, !isIdle else { return nil }
        hasShown = true
        step = .frameEnd(isComplete: !facts.awaitsAnything)
        return .renderFrameStarted
      case .frameEnd(let isComplete):
        step = isComplete ? .load : .over
        return .renderFrameFinished(
          isComplete: isComplete, needsRepaint: facts.isMoving || facts.isTurnDue,
          isPlacementChanged: facts.isPlacementChanged)
      case .load:
        step = .rest
        guard !isLoaded else { continue }
        isLoaded = true
        return .mapLoaded
      case .rest:
        step = .over
        guard !facts.isMoving, !facts.isHeld, !facts.isTurnDue, !facts.awaitsAnything else { return nil }
        isIdle = true
        return .mapIdle
      case .over: return nil
      }
    }
  }
}
