/// A colour of a style, kept as it is written: `#ff8800`, `hsl(30, 100%, 50%)`, `rgba(255, 136, 0, 1)`,
/// `orange`.
public struct StyleColor: StyleConvertible, Codable {
  /// The colour in CSS notation. The engine checks it when it is set.
  public var rawValue: String

  /// A colour as style JSON has it: CSS text, which nothing checks here.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A colour by its CSS name.
  public init(_ name: Name) { rawValue = name.rawValue }

  /// Red, green and blue in 0...255, alpha in 0...1; values outside are clamped.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    func byte(_ value: Double) -> String { JSONValue.numberText(min(255, max(0, value.isNaN ? 0 : value))) }
    let opacity = JSONValue.numberText(min(1, max(0, alpha.isNaN ? 1 : alpha)))
    rawValue = "rgba(\(byte(red)), \(byte(green)), \(byte(blue)), \(opacity))"
  }

  /// The colour that JSON describes; nil where it is not text.
  public init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    rawValue = text
  }

  /// The colour as style JSON.
  public var json: JSONValue { .string(rawValue) }

  /// Reads the colour's text.
  public init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes the colour's text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  /// The basic names of CSS; any other goes by `rawValue`.
  public enum Name: String, CaseIterable, Sendable {
    case black, silver, gray, white, maroon, red, purple, fuchsia, green, lime, olive, yellow, navy, blue,
      teal, aqua
    case orange, pink, brown, cyan, magenta, gold, indigo, violet, coral, crimson, salmon, tomato, turquoise,
      transparent
    case darkgray, lightgray, darkgreen, lightgreen, darkblue, lightblue, darkred, darkorange, steelblue,
      royalblue, skyblue
  }
}

extension StyleColor: ExpressibleByStringLiteral {
  /// A colour by its CSS text.
  public init(stringLiteral value: String) { rawValue = value }
}
