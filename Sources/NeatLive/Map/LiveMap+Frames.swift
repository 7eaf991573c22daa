import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

/// What a map knows of its frames, which follow each other.
struct MapFrames {
  /// As of the last frame that was shown.
  var history = FrameHistory()
  /// Of labels and patterns; 0: tiles do not fade either.
  var fadeMS = 300.0
  /// Whether the last frame that was made has labels, tiles or patterns that fade, or owes a placement.
  var isMoving = false
  /// Whether labels, tiles or patterns fade: then there is a frame every 16 ms.
  var isFading = false
  /// Until a placement that is owed is due, where nothing moves before; and when that is, by the loop's clock.
  var placementTimer: LoopTimer?
  var placementAt: UInt64 = 0
  /// Since when frames in which something moves are told of and not taken, by the loop's clock.
  var untakenSince: UInt64?
  /// When the camera moved last, by the loop's clock.
  var movedAt: UInt64?
  /// The view of the last frame that the host took.
  var shownView: Transform?
}

// Labels and raster tiles follow from frame to frame. A frame is made from what the last one that was shown has left,
// and leaves something in turn where it is shown: which the host does by taking it. Where it takes none, nobody sees
// them come and go, and they are there at once, so that whoever waits for the map to rest has the picture soon.
extension LiveMap {
  /// Milliseconds after which a host that takes no frames is taken not to look.
  static let awayMS: UInt64 = 100

  package static let fadeRange = 0.0...60_000.0

  /// Milliseconds that labels take to come and go, and patterns to go over to those of another whole zoom.
  package var fadeDuration: Double { frames.fadeMS }

  package func setFadeDuration(_ milliseconds: Double) throws(NeatError) {
    guard LiveMap.fadeRange.contains(milliseconds) else {
      throw NeatError(.invalidArgument, "a fade duration of \(milliseconds) ms: not within 0 to 60000")
    }
    guard milliseconds != frames.fadeMS else { return }
    frames.fadeMS = milliseconds
    frames.history.arrive()
    if core != nil { invalidate() }
  }

  /// How a frame follows those that were shown.
  func frameStep() -> FrameStep {
    let audience: FrameStep.Audience =
      if !takesFrames { .none } else if isUnwatched { .away } else { .present }
    var step = FrameStep(
      history: frames.history, timeMS: frameTime, fadeMS: frames.fadeMS, audience: audience)
    if views.store.hidesLabels, let view = currentView { step.obstacles = views.store.obstacles(in: view) }
    return step
  }

  /// Whether frames in which something moves have come and gone without being taken.
  var isUnwatched: Bool {
    // A host that paces frames takes them when it likes.
    guard !clock.isOfHost, let since = frames.untakenSince else { return false }
    return loop.nowMS >= since + LiveMap.awayMS
  }

  /// Whether the camera has moved so lately that it may be about to again.
  var hasJustMoved: Bool { frames.movedAt.map { loop.nowMS < $0 + 2 * LiveMap.frameMS } ?? false }

  /// A frame was made, and the host is told of it.
  func noteMade(_ result: FrameOutcome?) {
    guard let result else { return }
    // Nobody looks: what is in the frame counts as shown.
    if !takesFrames || isUnwatched { frames.history = result.history }
    if !result.isAtRest, frames.untakenSince == nil { frames.untakenSince = loop.nowMS }
    note(result)
  }

  /// The host takes a frame.
  func noteTaken(_ result: FrameOutcome?, of view: Transform?) {
    frames.shownView = view
    guard let result else { return }
    frames.history = result.history
    frames.untakenSince = nil
    let wasMoving = frames.isMoving
    note(result)
    // A frame besides those of turns has seen the end: a turn tells of it.
    if wasMoving, !frames.isMoving { scheduleTurn() }
  }

  private func note(_ result: FrameOutcome) {
    frames.isMoving = !result.isAtRest
    frames.isFading = result.waitMS == 0
    if needsFrames { startFrames() } else { stopWhereNothingMoves() }
    guard var wait = result.waitMS, wait > 0 else { return endPlacementTimer() }
    // By then it is known whether anybody looks.
    if frames.untakenSince != nil { wait = min(wait, Double(LiveMap.awayMS)) }
    let due = loop.nowMS + UInt64(saturating: wait.rounded(.up))
    // Never later than it was: a frame may be taken again and again.
    guard frames.placementTimer == nil || frames.placementAt > due else { return }
    endPlacementTimer()
    frames.placementAt = due
    frames.placementTimer = loop.timer(afterMS: due - loop.nowMS) { [weak self] in
      self?.endPlacementTimer()
      self?.invalidate()
    }
  }

  private func endPlacementTimer() {
    frames.placementTimer?.cancel()
    frames.placementTimer = nil
  }

  /// What was shown of a style that goes.
  func forgetFrames() {
    frames.history.forget()
    (frames.isMoving, frames.isFading) = (false, false)
    endPlacementTimer()
    frames.untakenSince = nil
    frames.shownView = nil
  }

  /// The features drawn at a place. Labels are met where they stand, as of the last placement; where the camera has
  /// moved since a frame was taken, as one of the new view would place them.
  package func query(_ area: QueryArea, options: QueryOptions) throws(NeatError) -> QueryAnswer {
    let core = try loadedCore()
    let transform = try core.transform(camera, size)
    return core.query(transform, area, options: options, labels: shownLabels)
  }
}
