// The style functions of the oldest iOS SDKs, over expressions. `StyleValue` stands for MGLStyleValue, and
// its initializers take the same arguments:
//
//     let stops = [0: StyleValue<StyleColor>(rawValue: "yellow"), 5: StyleValue(rawValue: "red")]
//     layer.circleColor = StyleValue(
//       interpolationMode: .exponential, sourceStops: stops, attributeName: "mag",
//       options: [.defaultValue: StyleValue<StyleColor>(rawValue: "green")])

/// A style value of the oldest SDKs: a constant or a function, here a constant or an expression.
public typealias StyleValue<T: StyleConvertible> = Value<T>

/// How a style function gets from its stops to a value.
public enum InterpolationMode: String, CaseIterable, Sendable {
  /// Between the stops, in a straight line or along an exponential curve
  /// (`StyleFunctionOption.interpolationBase`).
  case exponential
  /// The value of the stop at or below the input.
  case interval
  /// The value of the stop that equals the input.
  case categorical
  /// The input itself.
  case identity
}

/// Options of a style function.
public enum StyleFunctionOption: Hashable, Sendable {
  /// A number: 1, a straight line, where it is left out.
  case interpolationBase
  /// The value where the attribute is missing or none of the stops is for it: the property's default where it
  /// is left out.
  case defaultValue
}

/// What the stops of a style function may be keyed by: numbers, strings, booleans.
public protocol StyleFunctionKey: Hashable, StyleConvertible {}

/// What zoom levels may be written as.
public protocol StyleFunctionZoom: StyleFunctionKey {}

extension Double: StyleFunctionZoom {}
extension Int: StyleFunctionZoom {}
extension String: StyleFunctionKey {}
extension Bool: StyleFunctionKey {}
extension JSONValue: StyleFunctionKey {}

// A function that cannot be (without stops, of a mode that its input does not allow, with expressions among
// its stops) stays the legacy function that it describes, and is refused when it is set, with the words of
// the specification.
extension Value {
  /// A constant.
  public init(rawValue: T) { self = .constant(rawValue) }

  /// A camera function: the value changes with the zoom level. Modes: `exponential`, `interval`.
  public init<Zoom: StyleFunctionZoom>(
    interpolationMode: InterpolationMode, cameraStops: [Zoom: Value<T>],
    options: [StyleFunctionOption: any StyleConvertible] = [:]
  ) {
    self.init(interpolationMode, nil, StyleFunctionStops.sorted(cameraStops), options)
  }

  /// A source function: the value changes with an attribute of the feature.
  public init<Key: StyleFunctionKey>(
    interpolationMode: InterpolationMode, sourceStops: [Key: Value<T>], attributeName: String,
    options: [StyleFunctionOption: any StyleConvertible] = [:]
  ) {
    self.init(interpolationMode, attributeName, StyleFunctionStops.sorted(sourceStops), options)
  }

  /// A source function; without stops, as `identity` has none.
  public init(
    interpolationMode: InterpolationMode, sourceStops: [JSONValue: Value<T>]?, attributeName: String,
    options: [StyleFunctionOption: any StyleConvertible] = [:]
  ) {
    self.init(interpolationMode, attributeName, sourceStops.map(StyleFunctionStops.sorted), options)
  }

  /// A composite function: the value changes with the zoom level and an attribute of the feature.
  public init<Zoom: StyleFunctionZoom, Key: StyleFunctionKey>(
    interpolationMode: InterpolationMode, compositeStops: [Zoom: [Key: Value<T>]], attributeName: String,
    options: [StyleFunctionOption: any StyleConvertible] = [:]
  ) {
    let levels = compositeStops.sorted { StyleFunctionStops.precedes($0.key.json, $1.key.json) }
    let stops = levels.flatMap { zoom, stops in
      StyleFunctionStops.sorted(stops).map {
        (key: ["zoom": zoom.json, "value": $0.key] as JSONValue, value: $0.value)
      }
    }
    self.init(interpolationMode, attributeName, stops, options)
  }

  private init(
    _ mode: InterpolationMode, _ attribute: String?, _ stops: [(key: JSONValue, value: Value<T>)]?,
    _ options: [StyleFunctionOption: any StyleConvertible]
  ) {
    var function: JSONValue = ["type": .string(mode.rawValue)]
    function["property"] = attribute.map(JSONValue.string)
    function["base"] = options[.interpolationBase]?.json
    function["stops"] = stops.map { .array($0.map { [$0.key, $0.value.json] }) }
    function["default"] = options[.defaultValue]?.json
    let hasExpressions = stops?.contains { $0.value.expression != nil } ?? false
    if !hasExpressions, let expression = try? convertLegacy(function, spec: legacySpec(T.self)) {
      self = .expression(Exp<T>(json: expression))
    } else {
      self = .expression(Exp<T>(json: function))
    }
  }
}

private enum StyleFunctionStops {
  static func sorted<Key: StyleFunctionKey, T>(_ stops: [Key: Value<T>]) -> [(
    key: JSONValue, value: Value<T>
  )] {
    stops.map { (key: $0.key.json, value: $0.value) }.sorted { precedes($0.key, $1.key) }
  }

  /// Numbers by value, then all else by its text.
  static func precedes(_ a: JSONValue, _ b: JSONValue) -> Bool {
    switch (a.number, b.number) {
    case (let a?, let b?): a < b
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): a.text < b.text
    }
  }
}
