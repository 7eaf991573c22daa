import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

/// A state that a viewport can be in: what keeps the camera. Held by its maker, and by the map while it is there or
/// on its way. Only for the loop's thread.
package final class LiveViewportState {
  /// One of the host's.
  package struct Own {
    /// The state is there; it is left. Both may be nil.
    package var start: (() -> Void)?
    package var stop: (() -> Void)?
    /// The host moves the camera: cameras that it gives are aims of transitions only.
    package var movesItself: Bool

    package init(movesItself: Bool = false, start: (() -> Void)? = nil, stop: (() -> Void)? = nil) {
      self.start = start
      self.stop = stop
      self.movesItself = movesItself
    }
  }

  enum Kind {
    case followPuck(FollowPuckOptions)
    case overview(OverviewOptions)
    case own(Own)
  }

  package let id: UInt64
  package private(set) weak var map: LiveMap?
  var kind: Kind
  /// Of an own one: where the camera is to be.
  var camera: CameraChange?

  init(_ map: LiveMap, _ kind: Kind) {
    map.viewport.lastID += 1
    (id, self.map, self.kind) = (map.viewport.lastID, map, kind)
  }

  package var followPuck: FollowPuckOptions? {
    if case .followPuck(let options) = kind { options } else { nil }
  }
  package var overview: OverviewOptions? { if case .overview(let options) = kind { options } else { nil } }
}

/// A way to a state. Only for the loop's thread.
package final class LiveViewportTransition {
  /// One of the host's, which says `finishViewportRun` when it is over.
  package struct Own {
    package var run: (_ run: UInt64, _ state: LiveViewportState) -> Void
    package var cancel: ((_ run: UInt64) -> Void)?

    package init(
      run: @escaping (_ run: UInt64, _ state: LiveViewportState) -> Void,
      cancel: ((_ run: UInt64) -> Void)? = nil
    ) {
      self.run = run
      self.cancel = cancel
    }
  }

  package enum Kind {
    case standard(maxDurationMS: Double)
    case immediate
    case own(Own)
  }

  package let id: UInt64
  package let kind: Kind
  private(set) weak var map: LiveMap?

  init(_ map: LiveMap, _ kind: Kind) {
    map.viewport.lastID += 1
    (id, self.kind, self.map) = (map.viewport.lastID, kind, map)
  }
}

/// What a map knows of its viewport.
struct MapViewport {
  var machine = ViewportMachine()
  /// Whether a gesture that moves the camera leads to idle.
  var idlesUponInteraction = true
  /// States and transitions are counted together, from 1; 0 stands for none.
  var lastID: UInt64 = 0
  /// The state that is there.
  var state: LiveViewportState?
  /// What is under way.
  struct Run {
    let number: UInt64
    let target: LiveViewportState
    let transition: LiveViewportTransition
    let completion: ((Bool) -> Void)?
    /// A default transition's; nil while its target has no camera yet.
    var flight: ViewportFlight?
    var doneMS = 0.0
    /// Nil: its time begins with the next frame.
    var lastMS: Double?
  }
  var run: Run?
  /// The easing of an overview.
  var easing: CameraAnimators.ID?
  /// What is still to be done and told: a handler that goes elsewhere has its turn when this is done.
  var told: [Told] = []
  var isTelling = false

  enum Told {
    case stop(LiveViewportState)
    case cancel(LiveViewportTransition, UInt64)
    case completion((Bool) -> Void, Bool)
    case run(UInt64)
    case start(LiveViewportState)
    case changed(ViewportMachine.Change)
  }
}
