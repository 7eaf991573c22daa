import CNeatline

/// Hears of gestures, with the functions of version 10 of the mobile SDKs.
public protocol GestureManagerDelegate: AnyObject {
  /// A gesture began.
  func gestureManager(_ gestureManager: GestureManager, didBegin gestureType: GestureType)
  /// A gesture ended; `willAnimate`: the camera goes on by itself.
  func gestureManager(
    _ gestureManager: GestureManager, didEnd gestureType: GestureType, willAnimate: Bool)
  /// The camera stands still again after a gesture, or something else moves it.
  func gestureManager(_ gestureManager: GestureManager, didEndAnimatingFor gestureType: GestureType)
}

/// The gestures of a map: a host hands it pointers, wheel and keys, and it moves the camera. `Map.gestures`.
/// Belongs to the map's thread.
public final class GestureManager {
  /// Hears of gestures. Not kept alive.
  public weak var delegate: (any GestureManagerDelegate)?
  private weak var map: Map?

  init(_ map: Map) {
    self.map = map
    map.listeners.add([.gestureBegan, .gestureEnded, .gestureEndedAnimating], for: self) { $0.tell($1) }
  }

  private func tell(_ event: MapEvent) {
    switch event {
    case .gestureBegan(let begin): delegate?.gestureManager(self, didBegin: begin.type)
    case .gestureEnded(let end):
      delegate?.gestureManager(self, didEnd: end.type, willAnimate: end.willAnimate)
    case .gestureEndedAnimating(let type): delegate?.gestureManager(self, didEndAnimatingFor: type)
    default: break
    }
  }

  /// What gestures do. Options that are out of their range are not taken: `setOptions` says which.
  public var options: GestureOptions {
    get {
      guard let map, let json = try? jsonValue({ neat_map_gesture_options(map.pointer, $0) }) else {
        return GestureOptions()
      }
      return GestureOptions(json)
    }
    set { try? setOptions(newValue) }
  }

  /// Sets what gestures do. Throws `invalidArgument` for an option out of its range, and changes nothing.
  public func setOptions(_ options: GestureOptions) throws(NeatlineError) {
    let (map, json) = (try living, try options.json.text)
    try check(json.withText { neat_map_set_gesture_options(map.pointer, $0, $1) })
  }

  /// Hands over what a pointer did. One that moves or ends without having come down is ignored. Throws
  /// `invalidArgument` for positions and times that are none, and `limitExceeded` for an eleventh pointer that
  /// is down at once: none is down any more then.
  public func handle(_ event: PointerEvent) throws(NeatlineError) {
    var pointer = event.c
    try check(neat_map_pointer(try living.pointer, &pointer))
  }

  /// Hands over a turn of the wheel. Throws `invalidArgument` for numbers that are none.
  public func handle(_ event: WheelEvent) throws(NeatlineError) {
    var wheel = event.c
    try check(neat_map_wheel(try living.pointer, &wheel))
  }

  /// Hands over a key that went down, or that repeats itself. With other keys than Shift held it does nothing.
  public func handle(_ key: MapKey, modifiers: KeyModifiers = [], milliseconds: Double) throws(NeatlineError)
  {
    try check(
      neat_map_key(try living.pointer, neat_key(rawValue: key.rawValue), modifiers.rawValue, milliseconds))
  }

  /// Ends the gestures under way and what goes on after them, as where a window loses its pointers; the camera
  /// stays.
  public func cancel() {
    if let map { _ = neat_map_cancel_gestures(map.pointer) }
  }

  private var living: Map {
    get throws(NeatlineError) {
      guard let map else { throw NeatlineError(.state, "the map is gone") }
      return map
    }
  }
}
