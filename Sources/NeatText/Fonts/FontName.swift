// Names of fonts as styles have them, "Noto Sans SemiBold Italic": the words of style at the end are told
// from the family before them.

/// How a face of a family looks.
package struct FontStyle: Sendable, Hashable {
  /// 100 to 900, as in CSS and OpenType.
  package var weight = 400
  package var isItalic = false
  /// 1 (narrowest) to 9; 5 is normal.
  package var width = 5

  package init(weight: Int = 400, isItalic: Bool = false, width: Int = 5) {
    self.weight = weight
    self.isItalic = isItalic
    self.width = width
  }

  package var isPlain: Bool { self == FontStyle() }

  /// How far a face is from what is asked for; 0: it is that. Slant counts most, then width, then weight.
  package func distance(to other: FontStyle) -> Int {
    (isItalic == other.isItalic ? 0 : 10_000) + abs(width - other.width) * 1000 + abs(weight - other.weight)
  }
}

/// A family and one of its styles.
package struct FontName: Sendable, Hashable {
  /// Letters and digits of the family's name, in lower case: how families are compared.
  package var family: String
  package var style: FontStyle

  package init(family: String, style: FontStyle) {
    self.family = FontName.key(family)
    self.style = style
  }

  /// Reads a name such as "Open Sans Bold Italic" or "OpenSans-BoldItalic".
  package init(_ name: String) {
    var words = name.split { $0 == " " || $0 == "-" || $0 == "_" }.map { $0.lowercased() }
    style = FontStyle()
    while words.count > 1, FontName.take(&words, &style) {}
    family = FontName.key(words.joined())
  }

  package static func key(_ family: String) -> String {
    String(family.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  private static let weights: [String: Int] = [
    "thin": 100, "hairline": 100, "extralight": 200, "ultralight": 200, "light": 300, "regular": 400,
    "normal": 400, "book": 400,
    "roman": 400, "medium": 500, "semibold": 600, "demibold": 600, "demi": 600, "bold": 700, "extrabold": 800,
    "ultrabold": 800,
    "black": 900, "heavy": 900,
  ]
  private static let widths: [String: Int] = [
    "ultracondensed": 1, "extracondensed": 2, "condensed": 3, "narrow": 3, "semicondensed": 4,
    "semiexpanded": 6, "expanded": 7,
    "extraexpanded": 8, "ultraexpanded": 9,
  ]

  /// Takes words of style off the end: "extra light" is one, "bolditalic" two.
  private static func take(_ words: inout [String], _ style: inout FontStyle) -> Bool {
    guard let last = words.last else { return false }
    for slant in ["italic", "oblique"] where last.hasSuffix(slant) {
      let rest = String(last.dropLast(slant.count))
      guard rest.isEmpty || weights[rest] != nil || widths[rest] != nil else { continue }
      style.isItalic = true
      words.removeLast()
      if !rest.isEmpty { words.append(rest) }
      return true
    }
    if words.count > 2, apply(words[words.count - 2] + last, &style) {
      words.removeLast(2)
      return true
    }
    guard apply(last, &style) else { return false }
    words.removeLast()
    return true
  }

  private static func apply(_ word: String, _ style: inout FontStyle) -> Bool {
    if let weight = weights[word] {
      style.weight = weight
    } else if let width = widths[word] {
      style.width = width
    } else {
      return false
    }
    return true
  }
}
