import NeatBase
import NeatCamera
import NeatLoop
import NeatMap
import NeatResource
import NeatStyle

/// A map that loads, changes and animates over time. Belongs to the thread of its loop; every function is
/// called there, and so are the events.
///
/// Each turn asks the core what the view lacks and requests it; each answer brings another turn. What is
/// told, and when, is `MapLifecycle`'s. A handler of an event may do anything, also set another style or
/// destroy the map: what was under way for the style before is then over, and says nothing more.
package final class LiveMap {
  package let loop: RunLoop
  package let environment: MapEnvironment
  let onEvent: (MapEvent, EventTime) -> Void

  package internal(set) var core: MapCore?
  /// Where the style came from; nil for one that was handed in as text.
  package internal(set) var styleURL: String?
  package internal(set) var size: ViewSize
  package internal(set) var camera = Camera()
  var hasCamera = false
  /// Whether the first row of pictures is the lower one.
  package var isFlipped = false {
    didSet { if isFlipped != oldValue { invalidate() } }
  }
  /// What pictures show of how they are made.
  package var debugOptions: DebugOptions = [] {
    didSet { if debugOptions != oldValue { invalidate() } }
  }
  /// Where the camera may be, on whatever the map lies on.
  package internal(set) var limits = CameraLimits()
  /// Before the first style: the camera that was asked for, which the edges of the plane hold until it is known what the
  /// map lies on.
  var askedCamera: Camera?
  /// What the limits held on last.
  var lastProjection = MapProjection.mercator
  /// Grows with every style and at the end: what began for an earlier one is over.
  var generation: UInt64 = 0
  var lifecycle = MapLifecycle()
  let requests = NeedRequests()
  /// How many archives had been replaced, and the next notice of the cache, as of the last turn.
  var replacedArchiveCount: UInt64
  var nextNotice: UInt64
  private var cacheWatch: Watch?
  private(set) var prefetchLevels: UInt8
  private(set) var hasTerrainSkirts = true
  /// Metres above the sea; nil: the camera's centre lies on the ground.
  private(set) var centerElevation: Double?
  var styleRequest: CancelHandle?
  /// Whether a worker reads the style.
  var isReadingStyle = false
  /// The style's, where it waits for the network.
  var waitingStyle: CancelHandle?
  var turnTimer: LoopTimer?
  /// What workers do of a turn, and whether another turn became due meanwhile.
  var work: TurnWork?
  var isTurnOwed = false
  /// Whether a turn tells its events.
  var isTellingTurn = false
  /// Grows with all that makes another frame due.
  var changeNumber: UInt64 = 0
  /// Until a tile that came back into view expires.
  var expiryTimer: LoopTimer?
  var animators = MapAnimators()
  var gestures = MapGestures()
  var frames = MapFrames()
  var annotations = MapAnnotations()
  var questions = MapQuestions()
  var imports = MapImports()
  var data = MapData()
  var persistent = PersistentStyle()
  var custom = MapCustom()
  var ornaments = MapOrnaments()
  var statistics = MapStatistics()
  var location = MapLocation()
  var viewport = MapViewport()
  var views = MapViews()
  /// Whether paint properties were on their way at the last turn.
  var isTransitioning = false
  var clock = FrameClock()
  /// Asks for frames while something moves.
  var frameTimer: LoopTimer?
  /// Until a host that paces frames is told that one is due, and whether it was.
  var dueTimer: LoopTimer?
  var isDueTold = false
  /// `changeNumber` as of what the host has drawn last.
  var drawnNumber: UInt64?
  var toldProblemCount = 0
  /// Who waits for the style that is loading, and since when it is.
  var styleCompletion: StyleCompletion?
  var styleBegan: Int64 = 0
  /// Grows with every style that is asked for or set.
  var styleNumber: UInt64 = 0
  /// Those whose style another one took the place of: still to be told.
  var endedCompletions: [StyleCompletion] = []
  /// The frame of the last turn, as long as nothing changed since.
  var frame: ReadyFrame?
  /// The view that it shows.
  var frameView: Transform?
  /// Whether the host has taken a frame, and whether the last one was for a GPU.
  var takesFrames = false
  var takesMeshes = false
  /// Of the last frame, and whether it is another one than before that.
  var placementNumber = 0
  var isPlacementChanged = false
  var isDestroyed = false
  package var lastError = ""
  /// Whether paint properties take the time of their transitions. Where that is switched off, those on their
  /// way are there at once.
  package var hasTransitions = true {
    didSet {
      guard !hasTransitions, let core else { return }
      core.endTransitions()
      invalidate()
    }
  }

  package init(
    loop: RunLoop, size: ViewSize, environment: MapEnvironment,
    onEvent: @escaping (MapEvent, EventTime) -> Void
  ) throws(NeatError) {
    self.loop = loop
    self.size = try size.checked()
    self.environment = environment
    prefetchLevels = environment.options.prefetchLevels
    self.onEvent = onEvent
    replacedArchiveCount = environment.loader.replacedArchiveCount
    let cache = environment.loader.options.cache
    nextNotice = cache?.firstNewNotice ?? 0
    guard let cache else { return }
    cacheWatch = Watch(cache.watchers) { [inLoop = LoopBound(WeakMap(self), loop), weak loop] in
      loop?.post { inLoop.value.map?.scheduleTurn() }
    }
  }

  final class WeakMap {
    weak var map: LiveMap?
    init(_ map: LiveMap) { self.map = map }
  }

  /// Ends what is under way; no event comes after. Who waits for a style hears that it is cancelled.
  package func destroy() {
    isDestroyed = true
    defer {
      tellEndedCompletions()
      endQuestions()
    }
    endStyleCompletion()
    styleNumber += 1
    frame = nil
    endRequests()
    endCustom(withMap: true)
    turnTimer?.cancel()
    turnTimer = nil
    work = nil
    isTurnOwed = false
    cacheWatch = nil
    expiryTimer?.cancel()
    expiryTimer = nil
    gestures = MapGestures()
    annotations.press?.timer?.cancel()
    annotations = MapAnnotations()
    ornaments = MapOrnaments()
    forgetFrames()
    isTransitioning = false
    dueTimer?.cancel()
    dueTimer = nil
    animators.all.cancelAll()
    stopWhereNothingMoves()
    animationsChanged()
    // Also within what another one is told: nobody is called when this has returned.
    tellHosts()
    tellAnimations()
    views = MapViews()
    destroyViewport()
    destroyLocation()
  }

  /// Cancels all requests; nothing that they were for is told.
  func endRequests() {
    generation += 1
    let style = [styleRequest, waitingStyle].compactMap(\.self) + imports.requests.values
    styleRequest = nil
    waitingStyle = nil
    imports.requests = [:]
    for handle in style { handle.cancel() }
    requests.cancel { _ in true }
  }

  /// Whether anything is under way: requests, a turn that is due or at work, an animation, a glide,
  /// transitions, labels that fade. Not that a finger holds the map or that a host paces what moves: what comes
  /// next comes from outside.
  package var isBusy: Bool {
    styleRequest != nil || isReadingStyle || requests.isUnderWay || isTurnDue || dueTimer != nil
      || !questions.waiting.isEmpty || !data.waiting.isEmpty
      || location.replay?.timer != nil
      || isMoving && !clock.isOfHost
  }

  var isTurnDue: Bool { turnTimer != nil || work != nil || isTurnOwed }

  var isMoving: Bool { needsFrames || frames.isMoving }

  /// Whether a frame is not the same a moment later.
  var needsFrames: Bool {
    animators.all.isMoving || isTransitioning || frames.isFading || gestures.recognizer.isAnimating
      || ornaments.fade.isMoving
      || isLocationMoving || isViewportMoving
  }

  /// Whether the style is there with its sprite and what is known of its sources (`styleLoaded` was sent).
  package var isStyleLoaded: Bool { core != nil && lifecycle.isStyleLoaded }

  /// Whether the view is complete.
  package var isLoaded: Bool {
    core != nil && lifecycle.isLoaded && !requests.isUnderWay && styleRequest == nil && !isTurnDue
      && data.waiting.isEmpty
  }

  package func loadedCore() throws(NeatError) -> MapCore {
    guard let core else { throw NeatError(.state, "the map has no style yet") }
    return core
  }

  /// Zooms below the view's whose tiles are asked for first at most, as deep as others may stand in.
  package static let prefetchLimit: UInt32 = 10

  package func setPrefetchLevels(_ levels: UInt32) throws(NeatError) {
    guard let number = UInt8(exactly: levels), levels <= LiveMap.prefetchLimit else {
      throw NeatError(.invalidArgument, "\(levels) zooms: not within 0 to \(LiveMap.prefetchLimit)")
    }
    prefetchLevels = number
    core?.setPrefetchLevels(number)
    if core != nil { invalidate() }
  }

  /// Metres that the camera's centre may lie above or below the sea.
  package static let elevationLimit = 1e5

  package func setCenterElevation(_ metres: Double?) throws(NeatError) {
    if let metres, !(abs(metres) <= LiveMap.elevationLimit) {
      throw NeatError(.invalidArgument, "elevation \(metres) is not within ±100000 metres")
    }
    centerElevation = metres
    core?.setCenterElevation(metres)
    if core != nil { invalidate() }
  }

  package func setTerrainSkirts(_ isOn: Bool) {
    hasTerrainSkirts = isOn
    core?.setTerrainSkirts(isOn)
    if core != nil { invalidate() }
  }

  /// Seconds after which a turn looks again at what expires still later.
  static let longestWait: Int64 = 86_400
}
