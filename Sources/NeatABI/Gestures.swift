import CNeatline
import NeatBase
import NeatCamera
import NeatJSON
import NeatLive

/// A number of an enum of the header's, or an error that names it.
private func known<T: RawRepresentable>(_ raw: UInt32, _ name: String) throws(NeatError) -> T
where T.RawValue == UInt32 {
  guard let value = T(rawValue: raw) else { throw NeatError(.invalidArgument, "\(name) \(raw) is unknown") }
  return value
}

private func modifiers(_ bits: UInt32) throws(NeatError) -> GestureInput.Modifiers {
  guard bits < 16 else { throw NeatError(.invalidArgument, "modifiers \(bits) are unknown") }
  return GestureInput.Modifiers(rawValue: bits)
}

@c @implementation
public func neat_map_pointer(_ map: OpaquePointer!, _ pointer: UnsafePointer<neat_pointer>!) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let given = try required(try received(pointer), "pointer")
    var input = GestureInput.Pointer(
      id: given.id, try known(given.phase.rawValue, "phase"), SIMD2(given.x_px, given.y_px),
      atMS: given.time_ms)
    input.kind = try known(given.kind.rawValue, "kind")
    input.button = try known(given.button.rawValue, "button")
    input.modifiers = try modifiers(given.modifiers)
    try map.handle(input)
  }
}

@c @implementation
public func neat_map_wheel(_ map: OpaquePointer!, _ wheel: UnsafePointer<neat_wheel>!) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let given = try required(try received(wheel), "wheel")
    try map.handle(
      GestureInput.Wheel(
        SIMD2(given.x_px, given.y_px), delta: given.delta_px, atMS: given.time_ms,
        isTrackpad: given.is_trackpad != 0))
  }
}

@c @implementation
public func neat_map_key(_ map: OpaquePointer!, _ key: neat_key, _ modifiers: UInt32, _ time_ms: Double)
  -> neat_status
{
  attempt(map) { map throws(NeatError) in
    try map.handle(
      try known(key.rawValue, "key") as GestureInput.Key, modifiers: try NeatABI.modifiers(modifiers),
      atMS: time_ms)
  }
}

@c @implementation
public func neat_map_cancel_gestures(_ map: OpaquePointer!) -> neat_status {
  attempt(map) { map throws(NeatError) in map.cancelGestures() }
}

@c @implementation
public func neat_map_set_gesture_options(
  _ map: OpaquePointer!, _ options: UnsafePointer<CChar>!, _ options_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let json = try JSONOptions(try bytes(options, options_size, "options"), known: GestureOptions.names)
    try map.setGestureOptions(try map.gestureOptions.changed(by: json))
  }
}

@c @implementation
public func neat_map_gesture_options(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in Buffer(Array(map.gestureOptions.json.text.utf8)) }
}

extension GestureOptions {
  private typealias Member<Value> = WritableKeyPath<GestureOptions, Value> & Sendable

  private static let switches: [(String, Member<Bool>)] = [
    ("panEnabled", \.panEnabled), ("pinchEnabled", \.pinchEnabled), ("rotateEnabled", \.rotateEnabled),
    ("simultaneousRotateAndPinchZoomEnabled", \.simultaneousRotateAndPinchZoomEnabled),
    ("pinchZoomEnabled", \.pinchZoomEnabled), ("pinchPanEnabled", \.pinchPanEnabled),
    ("pitchEnabled", \.pitchEnabled), ("doubleTapToZoomInEnabled", \.doubleTapToZoomInEnabled),
    ("doubleTouchToZoomOutEnabled", \.doubleTouchToZoomOutEnabled), ("quickZoomEnabled", \.quickZoomEnabled),
    ("wheelZoomEnabled", \.wheelZoomEnabled), ("dragRotateEnabled", \.dragRotateEnabled),
    ("boxZoomEnabled", \.boxZoomEnabled), ("keyboardEnabled", \.keyboardEnabled),
  ]

  private static let numbers: [(String, Member<Double>)] = [
    ("panDecelerationFactor", \.panDecelerationFactor), ("zoomAnimationAmount", \.zoomAnimationAmount),
    ("wheelZoomRate", \.wheelZoomRate), ("trackpadZoomRate", \.trackpadZoomRate),
  ]

  static let names = switches.map(\.0) + numbers.map(\.0) + ["panMode", "focalPoint"]

  func changed(by given: JSONOptions) throws(NeatError) -> GestureOptions {
    var options = self
    for (name, path) in GestureOptions.switches {
      if let value = try given.bool(name) { options[keyPath: path] = value }
    }
    for (name, path) in GestureOptions.numbers {
      if let value = try given.number(name) { options[keyPath: path] = value }
    }
    if let name = try given.text("panMode") {
      guard let mode = PanMode(rawValue: name) else {
        throw NeatError(
          .invalidArgument,
          "\"panMode\" \"\(name)\" is none of \(PanMode.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      options.panMode = mode
    }
    guard let point = given.json["focalPoint"] else { return options }
    let numbers = point.elements.compactMap(\.number)
    guard point.isNull || point.isArray && point.count == 2 && numbers.count == 2 else {
      throw NeatError(.invalidArgument, "\"focalPoint\" is not null or [x, y]")
    }
    options.focalPoint = point.isNull ? nil : SIMD2(numbers[0], numbers[1])
    return options
  }

  var json: JSON {
    let switches = GestureOptions.switches.map { ($0, JSON.bool(self[keyPath: $1])) }
    let numbers = GestureOptions.numbers.map { ($0, JSON.number(self[keyPath: $1])) }
    let point = focalPoint.map { JSON.array([.number($0.x), .number($0.y)]) } ?? .null
    return .object(
      switches + numbers + [("panMode", .string(panMode.rawValue)), ("focalPoint", point)])
  }
}
