import Glibc

/// Colours as CSS writes them: hexadecimal, `rgb()`, `hsl()`, and the names that the data uses.
enum OracleColor {
  private static let names = [
    "black": "#000", "white": "#fff", "red": "#f00", "blue": "#00f", "lime": "#0f0", "yellow": "#ff0", "transparent": "#0000",
    "gray": "#808080",
    "grey": "#808080", "brown": "#a52a2a", "orange": "#ffa500", "pink": "#ffc0cb", "green": "#008000", "chocolate": "#d2691e",
    "lightgreen": "#90ee90", "maroon": "#800000", "beige": "#f5f5dc", "silver": "#c0c0c0", "gold": "#ffd700", "tan": "#d2b48c",
    "lightgrey": "#d3d3d3", "lightgray": "#d3d3d3", "darkgrey": "#a9a9a9", "darkgray": "#a9a9a9", "olive": "#808000", "salmon": "#fa8072",
    "khaki": "#f0e68c", "ivory": "#fffff0", "wheat": "#f5deb3", "sienna": "#a0522d", "purple": "#800080", "teal": "#008080",
    "navy": "#000080",
    "darkred": "#8b0000", "darkgreen": "#006400", "lightyellow": "#ffffe0", "lightblue": "#add8e6", "whitesmoke": "#f5f5f5",
    "peachpuff": "#ffdab9", "burlywood": "#deb887", "rosybrown": "#bc8f8f", "sandybrown": "#f4a460", "indianred": "#cd5c5c",
    "cornsilk": "#fff8dc", "linen": "#faf0e6", "firebrick": "#b22222", "tomato": "#ff6347", "coral": "#ff7f50", "lightpink": "#ffb6c1",
    "lemonchiffon": "#fffacd",
  ]

  static func parse(_ text: String) -> SIMD4<Double>? {
    let text = text.lowercased()
    if let name = names[text] { return parse(name) }
    if text.hasPrefix("#") {
      let digits = text.dropFirst().compactMap(\.hexDigitValue)
      guard digits.count == text.count - 1 else { return nil }
      switch digits.count {
      case 3, 4: return SIMD4(digits.map { Double($0 * 17) / 255 } + (digits.count == 3 ? [1] : []))
      case 6, 8:
        let bytes = stride(from: 0, to: digits.count, by: 2).map { Double(digits[$0] * 16 + digits[$0 + 1]) / 255 }
        return SIMD4(bytes + (bytes.count == 3 ? [1] : []))
      default: return nil
      }
    }
    guard let open = text.firstIndex(of: "("), text.last == ")" else { return nil }
    let name = text[..<open]
    let parts = text[text.index(after: open)...].dropLast().split(separator: ",").map { $0.filter { $0 != " " } }
    guard parts.count == 3 || parts.count == 4 else { return nil }
    func number(_ part: String, _ full: Double) -> Double? {
      part.hasSuffix("%") ? Double(part.dropLast()).map { $0 / 100 } : Double(part).map { $0 / full }
    }
    func bounded(_ value: Double) -> Double { min(max(value, 0), 1) }
    guard let alpha = parts.count == 4 ? number(parts[3], 1) : 1 else { return nil }
    switch name {
    case "rgb", "rgba":
      guard let r = number(parts[0], 255), let g = number(parts[1], 255), let b = number(parts[2], 255) else { return nil }
      return SIMD4(bounded(r), bounded(g), bounded(b), bounded(alpha))
    case "hsl", "hsla":
      guard let hue = Double(parts[0]), parts[1].hasSuffix("%"), parts[2].hasSuffix("%"), let s = number(parts[1], 1),
        let l = number(parts[2], 1)
      else { return nil }
      func channel(_ n: Double) -> Double {
        let turn = (hue.truncatingRemainder(dividingBy: 360) + 360).truncatingRemainder(dividingBy: 360)
        let k = (n + turn / 30).truncatingRemainder(dividingBy: 12)
        let a = bounded(s) * min(bounded(l), 1 - bounded(l))
        return bounded(l) - a * max(-1, min(k - 3, 9 - k, 1))
      }
      return SIMD4(channel(0), channel(8), channel(4), bounded(alpha))
    default: return nil
    }
  }

  /// Of red, green and blue in 0...255 and alpha in 0...1.
  static func value(_ parts: [Double]) throws -> OracleValue {
    guard parts.count == 4, parts[..<3].allSatisfy({ (0...255).contains($0) }), (0...1).contains(parts[3]) else {
      throw OracleError(message: "a colour out of range")
    }
    return .color(SIMD4(parts[0] / 255, parts[1] / 255, parts[2] / 255, parts[3]))
  }
}
