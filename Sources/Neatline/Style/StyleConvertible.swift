/// What stands in a style: made from JSON and written as JSON.
public protocol StyleConvertible: Hashable, Sendable {
  /// Nil where the value is of another kind.
  init?(json: JSONValue)
  /// The value as style JSON.
  var json: JSONValue { get }
}

/// A property's set of names.
public protocol StyleEnum: ExpArgument, TextResult, RawRepresentable, CaseIterable, Codable
where RawValue == String {}

extension StyleEnum {
  /// The value of that name; nil for unknown names and other JSON.
  public init?(json: JSONValue) {
    guard let name = json.string else { return nil }
    self.init(rawValue: name)
  }

  /// The value's name.
  public var json: JSONValue { .string(rawValue) }
}

extension Double: StyleConvertible {
  /// The number; nil for other JSON.
  public init?(json: JSONValue) {
    guard let number = json.number else { return nil }
    self = number
  }

  /// The number as JSON.
  public var json: JSONValue { .number(self) }
}

extension Int: ExpArgument {
  /// Nil for numbers that are not whole.
  public init?(json: JSONValue) {
    guard let whole = json.number.flatMap(Int.init(exactly:)) else { return nil }
    self = whole
  }

  /// The number as JSON.
  public var json: JSONValue { .number(Double(self)) }
}

extension Bool: StyleConvertible {
  /// The boolean; nil for other JSON.
  public init?(json: JSONValue) {
    guard let bool = json.bool else { return nil }
    self = bool
  }

  /// The boolean as JSON.
  public var json: JSONValue { .bool(self) }
}

extension String: StyleConvertible {
  /// The string; nil for other JSON.
  public init?(json: JSONValue) {
    guard let string = json.string else { return nil }
    self = string
  }

  /// The string as JSON.
  public var json: JSONValue { .string(self) }
}

extension JSONValue: StyleConvertible {
  /// The JSON itself.
  public init?(json: JSONValue) { self = json }
  /// The JSON itself.
  public var json: JSONValue { self }
}

/// An array; a value that stands alone reads as an array of one.
extension Array: StyleConvertible where Element: StyleConvertible {
  /// The elements; nil where one cannot be read.
  public init?(json: JSONValue) {
    if Element.self == VariableAnchorOffset.self {
      guard let offsets = VariableAnchorOffset.read(json) as? [Element] else { return nil }
      self = offsets
    } else if let items = json.array {
      let elements = items.compactMap(Element.init(json:))
      guard elements.count == items.count else { return nil }
      self = elements
    } else if let element = Element(json: json) {
      self = [element]
    } else {
      return nil
    }
  }

  /// The elements as a JSON array.
  public var json: JSONValue {
    if let offsets = self as? [VariableAnchorOffset] { return VariableAnchorOffset.write(offsets) }
    return .array(map(\.json))
  }
}

/// One entry of `text-variable-anchor-offset`: an anchor, and how far from there the label hangs, in ems.
public struct VariableAnchorOffset: StyleConvertible {
  /// Which part of the text is at the point.
  public var anchor: TextAnchor
  /// How far the text is moved to the right, in ems.
  public var x: Double
  /// How far the text is moved down, in ems.
  public var y: Double

  /// An anchor with its offset in ems.
  public init(_ anchor: TextAnchor, x: Double, y: Double) {
    self.anchor = anchor
    self.x = x
    self.y = y
  }

  /// The anchor that JSON describes; nil where there is not exactly one.
  public init?(json: JSONValue) {
    guard let one = VariableAnchorOffset.read(json), one.count == 1 else { return nil }
    self = one[0]
  }

  /// The anchor as style JSON.
  public var json: JSONValue { VariableAnchorOffset.write([self]) }

  /// In a style the entries lie flat: `["top", [1, 2], "left", [3, 4]]`.
  static func read(_ json: JSONValue) -> [VariableAnchorOffset]? {
    guard let items = json.array, items.count.isMultiple(of: 2) else { return nil }
    var result: [VariableAnchorOffset] = []
    for index in stride(from: 0, to: items.count, by: 2) {
      guard let anchor = TextAnchor(json: items[index]), let x = items[index + 1][0]?.number,
        let y = items[index + 1][1]?.number
      else {
        return nil
      }
      result.append(VariableAnchorOffset(anchor, x: x, y: y))
    }
    return result
  }

  static func write(_ offsets: [VariableAnchorOffset]) -> JSONValue {
    .array(offsets.flatMap { [$0.anchor.json, .array([.number($0.x), .number($0.y)])] })
  }
}

/// An image of the style, by name.
public enum ResolvedImage: StyleConvertible {
  /// The image's name in the sprite, or of one that was added.
  case name(String)

  /// The sprite that JSON describes; nil for other JSON.
  public init?(json: JSONValue) {
    guard let name = json.string else { return nil }
    self = .name(name)
  }

  /// The sprite as style JSON.
  public var json: JSONValue {
    switch self {
    case .name(let name): .string(name)
    }
  }
}

extension ResolvedImage: ExpressibleByStringLiteral {
  /// A literal as a name.
  public init(stringLiteral value: String) { self = .name(value) }
}

/// How long a changed property takes to reach its new value; both in milliseconds.
public struct StyleTransition: StyleConvertible {
  /// Milliseconds.
  public var duration: Double
  /// Milliseconds before it begins.
  public var delay: Double

  /// A transition from its times in milliseconds.
  public init(duration: Double = 300, delay: Double = 0) {
    self.duration = duration
    self.delay = delay
  }

  /// The transition that JSON describes; nil where it is not an object.
  public init?(json: JSONValue) {
    guard json.object != nil else { return nil }
    self.init(duration: json["duration"]?.number ?? 300, delay: json["delay"]?.number ?? 0)
  }

  /// The transition as style JSON.
  public var json: JSONValue { ["duration": .number(duration), "delay": .number(delay)] }
}

/// Which property serves as feature id: one for all source layers, or one for each.
public enum PromoteID: StyleConvertible {
  /// One property for all source layers.
  case property(String)
  /// A property by the name of the source layer.
  case byLayer([String: String])

  /// The values that JSON describes; nil for other JSON.
  public init?(json: JSONValue) {
    if let name = json.string {
      self = .property(name)
    } else if let members = json.object {
      self = .byLayer(
        Dictionary(
          members.compactMap { member in member.value.string.map { (member.key, $0) } },
          uniquingKeysWith: { $1 }))
    } else {
      return nil
    }
  }

  /// The values as style JSON.
  public var json: JSONValue {
    switch self {
    case .property(let name): .string(name)
    case .byLayer(let names):
      .object(names.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
    }
  }
}
