/// In which directions a pan moves the map.
public enum PanMode: String, Hashable, Sendable, CaseIterable {
  case horizontal, vertical, horizontalAndVertical
}

/// What gestures do. The names down to `focalPoint` are those of version 10 of the mobile SDKs.
public struct GestureOptions: Hashable, Sendable {
  /// Whether one finger, or the mouse, pans.
  public var panEnabled = true
  /// Whether two fingers zoom and pan.
  public var pinchEnabled = true
  /// Whether two fingers, or the second button, rotate.
  public var rotateEnabled = true
  /// Whether two fingers rotate and zoom at once; else what begins first keeps the other from it.
  public var simultaneousRotateAndPinchZoomEnabled = true
  /// Whether a pinch zooms.
  public var pinchZoomEnabled = true
  /// Whether a pinch pans.
  public var pinchPanEnabled = true
  /// Whether two fingers, or the second button, pitch.
  public var pitchEnabled = true
  /// Whether two taps zoom in.
  public var doubleTapToZoomInEnabled = true
  /// Whether a tap of two fingers zooms out.
  public var doubleTouchToZoomOutEnabled = true
  /// Whether a tap, after which the finger is held and drawn up or down, zooms.
  public var quickZoomEnabled = true
  /// In which directions a pan moves the map.
  public var panMode = PanMode.horizontalAndVertical
  /// What is left of a glide's velocity after a millisecond, 0 (no glide) to 0.9999.
  public var panDecelerationFactor = 0.998
  /// What zooms and rotations go around; nil: each gesture's own point.
  public var focalPoint: ScreenPoint?
  /// Whether wheel and trackpad zoom.
  public var wheelZoomEnabled = true
  /// Whether a drag with the second button, or with Control held, rotates and pitches.
  public var dragRotateEnabled = true
  /// Whether a drag with Shift held draws a box, which is then shown.
  public var boxZoomEnabled = true
  /// Whether keys move the map.
  public var keyboardEnabled = true
  /// Zooms of a double tap, a double touch and a key, 0 to 25.
  public var zoomAnimationAmount = 1.0
  /// Of a zoom for each pixel of a wheel, 0 to 1.
  public var wheelZoomRate = 1.0 / 450
  /// Of a zoom for each pixel of a trackpad, 0 to 1.
  public var trackpadZoomRate = 1.0 / 100

  /// All gestures, as the mobile SDKs have them.
  public init() {}
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

  init(_ json: JSONValue) {
    for (name, path) in GestureOptions.switches { self[keyPath: path] = json[name]?.bool ?? true }
    for (name, path) in GestureOptions.numbers { self[keyPath: path] = json[name]?.number ?? 0 }
    panMode = json["panMode"]?.string.flatMap(PanMode.init) ?? .horizontalAndVertical
    if let point = json["focalPoint"]?.array?.compactMap(\.number), point.count == 2 {
      focalPoint = ScreenPoint(point[0], point[1])
    }
  }

  /// Throws where a number is none, which JSON does not have.
  var json: JSONValue {
    get throws(NeatlineError) {
      let point = focalPoint.map { [$0.x, $0.y] } ?? []
      for (name, path) in GestureOptions.numbers where !self[keyPath: path].isFinite {
        throw NeatlineError(.invalidArgument, "gesture options: \(name) \(self[keyPath: path]) is no number")
      }
      guard point.allSatisfy(\.isFinite) else {
        throw NeatlineError(.invalidArgument, "gesture options: focalPoint \(point) is no point")
      }
      return .object(
        GestureOptions.switches.map { JSONValue.Member($0, .bool(self[keyPath: $1])) }
          + GestureOptions.numbers.map { JSONValue.Member($0, .number(self[keyPath: $1])) }
          + [
            JSONValue.Member("panMode", .string(panMode.rawValue)),
            JSONValue.Member("focalPoint", focalPoint == nil ? .null : .array(point.map { .number($0) })),
          ])
    }
  }
}
