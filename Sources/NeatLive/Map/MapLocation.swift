import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

/// What a map does with the user's location.
package struct LocationOptions: Sendable {
  /// What turns the puck.
  package enum BearingSource: String, Sendable, CaseIterable {
    case heading
    case course
  }

  /// When a provider is to give locations.
  package enum Updates: String, Sendable, CaseIterable {
    /// While there is a puck, or a view follows it.
    case needed
    case always
  }

  /// Nil: none is shown.
  package var puck: Puck2D?
  package var puckBearing = BearingSource.heading
  package var puckBearingEnabled = true
  package var updates = Updates.needed

  package init() {}
}

/// Where locations come from. The map tells what it needs; what comes of it is pushed.
package struct LocationProvider {
  /// Whether locations and headings are wanted from now on. Called where that changes.
  package var update: (_ locations: Bool, _ headings: Bool) -> Void
  /// The user is to be asked for full accuracy for a while; the key says what for.
  package var requestFullAccuracy: (_ purposeKey: String) -> Void

  package init(
    update: @escaping (_ locations: Bool, _ headings: Bool) -> Void,
    requestFullAccuracy: @escaping (_ purposeKey: String) -> Void
  ) {
    self.update = update
    self.requestFullAccuracy = requestFullAccuracy
  }
}

/// Called once with nil when a replay is over, or with why it is not.
package typealias ReplayCompletion = (NeatError?) -> Void

/// What a map knows of the user's location.
struct MapLocation {
  var options = LocationOptions()
  var track = LocationTrack()
  var authorization = AccuracyAuthorization.full
  let artwork = PuckArtwork()
  var model: PuckModelHolder?
  /// What the model holds of the map's memory.
  var modelHold: MemoryHold?
  /// What was told last.
  var told: ShownLocation?
  /// When the first pulse began, by the frames' clock.
  var pulseStart: Double?

  var provider: LocationProvider?
  /// What the provider was told last.
  var wanted = (locations: false, headings: false)

  /// A recording that is replayed.
  struct Replay {
    let recording: LocationRecording
    /// Milliseconds of the recording that go by in one.
    var speed: Double
    let completion: ReplayCompletion?
    /// The next entry.
    var next = 0
    /// Milliseconds of the recording that are over, as of `lastMS`.
    var doneMS = 0.0
    /// Nil: its time begins with the next frame.
    var lastMS: Double?
    var timer: LoopTimer?
  }
  var replay: Replay?
}

extension PuckScene {
  /// What a map shows.
  init?(_ location: MapLocation, atMS now: Double) {
    guard let puck = location.options.puck, let shown = location.track.shown else { return nil }
    var bearing = 0.0
    if location.options.puckBearingEnabled {
      bearing = (location.options.puckBearing == .heading ? shown.heading : shown.course) ?? 0
    }
    var pulse: Double?
    if let start = location.pulseStart, let period = puck.pulsing?.periodMS {
      pulse = PuckScene.pulse(part: max(0, now - start).truncatingRemainder(dividingBy: period) / period)
    }
    self.init(
      puck, at: shown, isReduced: location.authorization == .reduced, bearing: bearing, pulse: pulse,
      model: location.model, artwork: location.artwork)
  }
}
