import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

/// What a map knows of its labels over time.
struct MapLabels {
  /// As of the last frame that was shown.
  var memory = LabelMemory()
  var fadeMS = 300.0
  /// Whether the last frame that was made has labels that fade, or owes a placement.
  var isMoving = false
  /// Whether they fade: then there is a frame every 16 ms.
  var isFading = false
  /// Until a placement that is owed is due, where nothing moves before; and when that is, by the loop's clock.
  var placementTimer: LoopTimer?
  var placementAt: UInt64 = 0
  /// Since when frames with such labels are told of and not taken, by the loop's clock.
  var untakenSince: UInt64?
  /// When the camera moved last, by the loop's clock.
  var movedAt: UInt64?
  /// The view of the last frame that the host took.
  var shownView: Transform?
}

// Labels follow from frame to frame. A frame is made from what the last one that was shown has left, and leaves
// something in turn where it is shown: which the host does by taking it. Where it takes none, nobody sees labels
// come and go, and they are there at once, so that whoever waits for the map to rest has the picture soon.
extension LiveMap {
  /// Milliseconds after which a host that takes no frames is taken not to look.
  static let awayMS: UInt64 = 100

  package static let fadeRange = 0.0...60_000.0

  /// Milliseconds that labels take to come and go.
  package var fadeDuration: Double { labels.fadeMS }

  package func setFadeDuration(_ milliseconds: Double) throws(NeatError) {
    guard LiveMap.fadeRange.contains(milliseconds) else {
      throw NeatError(.invalidArgument, "a fade duration of \(milliseconds) ms: not within 0 to 60000")
    }
    guard milliseconds != labels.fadeMS else { return }
    labels.fadeMS = milliseconds
    labels.memory.arrive()
    if core != nil { invalidate() }
  }

  /// How the labels of a frame follow.
  func labelStep() -> LabelStep {
    let audience: LabelStep.Audience =
      if !takesFrames { .none } else if isUnwatched { .away } else { .present }
    var step = LabelStep(
      memory: labels.memory, timeMS: frameTime, fadeMS: labels.fadeMS, audience: audience)
    if views.store.hidesLabels, let view = currentView { step.obstacles = views.store.obstacles(in: view) }
    return step
  }

  /// Whether frames whose labels move have come and gone without being taken.
  var isUnwatched: Bool {
    // A host that paces frames takes them when it likes.
    guard !clock.isOfHost, let since = labels.untakenSince else { return false }
    return loop.nowMS >= since + LiveMap.awayMS
  }

  /// Whether the camera has moved so lately that it may be about to again.
  var hasJustMoved: Bool { labels.movedAt.map { loop.nowMS < $0 + 2 * LiveMap.frameMS } ?? false }

  /// A frame was made, and the host is told of it.
  func noteMade(_ result: LabelResult?) {
    guard let result else { return }
    // Nobody looks: what is in the frame counts as shown.
    if !takesFrames || isUnwatched { labels.memory = result.memory }
    if !result.isAtRest, labels.untakenSince == nil { labels.untakenSince = loop.nowMS }
    note(result)
  }

  /// The host takes a frame.
  func noteTaken(_ result: LabelResult?, of view: Transform?) {
    labels.shownView = view
    guard let result else { return }
    labels.memory = result.memory
    labels.untakenSince = nil
    let wasMoving = labels.isMoving
    note(result)
    // A frame besides those of turns has seen the end: a turn tells of it.
    if wasMoving, !labels.isMoving { scheduleTurn() }
  }

  private func note(_ result: LabelResult) {
    labels.isMoving = !result.isAtRest
    labels.isFading = result.waitMS == 0
    if needsFrames { startFrames() } else { stopWhereNothingMoves() }
    guard var wait = result.waitMS, wait > 0 else { return endPlacementTimer() }
    // By then it is known whether anybody looks.
    if labels.untakenSince != nil { wait = min(wait, Double(LiveMap.awayMS)) }
    let due = loop.nowMS + UInt64(saturating: wait.rounded(.up))
    // Never later than it was: a frame may be taken again and again.
    guard labels.placementTimer == nil || labels.placementAt > due else { return }
    endPlacementTimer()
    labels.placementAt = due
    labels.placementTimer = loop.timer(afterMS: due - loop.nowMS) { [weak self] in
      self?.endPlacementTimer()
      self?.invalidate()
    }
  }

  private func endPlacementTimer() {
    labels.placementTimer?.cancel()
    labels.placementTimer = nil
  }

  /// The labels of a style that goes.
  func forgetLabels() {
    labels.memory.forget()
    (labels.isMoving, labels.isFading) = (false, false)
    endPlacementTimer()
    labels.untakenSince = nil
    labels.shownView = nil
  }

  /// The features drawn at a place. Labels are met where they stand, as of the last placement; where the camera has
  /// moved since a frame was taken, as one of the new view would place them.
  package func query(_ area: QueryArea, options: QueryOptions) throws(NeatError) -> QueryAnswer {
    let core = try loadedCore()
    let transform = try core.transform(camera, size)
    return core.query(transform, area, options: options, labels: shownLabels)
  }
}
