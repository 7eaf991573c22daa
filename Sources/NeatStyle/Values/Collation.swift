import NeatBase

// String comparison as the Unicode collation algorithm orders strings, for the scripts whose letters are told apart by their Unicode names
// ("LATIN SMALL LETTER E WITH ACUTE": letter, case and mark). Three levels: letters, marks, case. A few languages have letters of their own.
extension Collator {
  /// The language in effect: the one asked for, where there are rules for it, else English.
  var resolvedLocale: String {
    guard let locale, let language = language else { return "en-US" }
    return Collator.languages.contains(language) ? locale : "en-US"
  }

  private static let languages: Set<String> = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu", "id", "is", "it", "ja", "ko",
    "lt", "lv",
    "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "th", "tr", "uk", "vi", "zh",
  ]

  private var language: String? { locale.map { String($0.prefix { $0 != "-" && $0 != "_" }) } }

  private struct Element {
    var letter: UInt32
    var mark: UInt32
    var isUpper: Bool
  }

  /// Negative where `a` comes first, 0 where the two are equal at the collator's strength.
  func compare(_ a: String, _ b: String) -> Int {
    let left = elements(a)
    let right = elements(b)
    let letters = Collator.order(left.map(\.letter), right.map(\.letter))
    if letters != 0 { return letters }
    if isDiacriticSensitive {
      let marks = Collator.order(left.map(\.mark), right.map(\.mark))
      if marks != 0 { return marks }
    }
    guard isCaseSensitive else { return 0 }
    return Collator.order(left.map { $0.isUpper ? 1 : 0 }, right.map { $0.isUpper ? 1 : 0 })
  }

  private static func order(_ a: [UInt32], _ b: [UInt32]) -> Int {
    for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
    return a.count - b.count
  }

  private func elements(_ text: String) -> [Element] {
    var result: [Element] = []
    let language = language ?? "en"
    for scalar in text.unicodeScalars {
      let value = scalar.value
      if value >= 0x300 && value <= 0x36F {
        if let last = result.indices.last { result[last].mark = result[last].mark &* 1009 &+ value }
        continue
      }
      let isUpper = scalar.properties.isUppercase
      let lower = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
      if let own = Collator.ownLetters(lower, language) {
        for (index, letter) in own.enumerated() {
          result.append(Element(letter: letter, mark: index == 0 && own.count > 1 ? 0x308 : 0, isUpper: isUpper))
        }
        continue
      }
      if lower == "ß" {
        result.append(Element(letter: Collator.rank("s"), mark: 1, isUpper: isUpper))
        result.append(Element(letter: Collator.rank("s"), mark: 0, isUpper: isUpper))
        continue
      }
      let (base, mark) = Collator.decompose(lower)
      result.append(Element(letter: Collator.rank(base), mark: mark, isUpper: isUpper))
    }
    return result
  }

  /// Letters that a language sorts in its own way.
  private static func ownLetters(_ scalar: Unicode.Scalar, _ language: String) -> [UInt32]? {
    let afterZ = rank("z")
    switch (language, scalar) {
    case ("de", "ä"): return [rank("a"), rank("e")]
    case ("de", "ö"): return [rank("o"), rank("e")]
    case ("de", "ü"): return [rank("u"), rank("e")]
    case ("sv", "å"), ("fi", "å"): return [afterZ + 1]
    case ("sv", "ä"), ("fi", "ä"), ("sv", "æ"), ("fi", "æ"): return [afterZ + 2]
    case ("sv", "ö"), ("fi", "ö"), ("sv", "ø"), ("fi", "ø"): return [afterZ + 3]
    case ("da", "æ"), ("nb", "æ"), ("no", "æ"), ("nn", "æ"), ("da", "ä"), ("nb", "ä"), ("no", "ä"), ("nn", "ä"): return [afterZ + 1]
    case ("da", "ø"), ("nb", "ø"), ("no", "ø"), ("nn", "ø"), ("da", "ö"), ("nb", "ö"), ("no", "ö"), ("nn", "ö"): return [afterZ + 2]
    case ("da", "å"), ("nb", "å"), ("no", "å"), ("nn", "å"): return [afterZ + 3]
    case ("et", "õ"): return [rank("w") + 1]
    case ("et", "ä"): return [rank("w") + 2]
    case ("et", "ö"): return [rank("w") + 3]
    case ("et", "ü"): return [rank("w") + 4]
    case ("es", "ñ"): return [rank("n") + 1]
    case ("cs", "č"), ("sk", "č"), ("hr", "č"), ("sl", "č"), ("lt", "č"), ("lv", "č"): return [rank("c") + 1]
    case ("cs", "š"), ("sk", "š"), ("hr", "š"), ("sl", "š"), ("lt", "š"), ("lv", "š"): return [rank("s") + 1]
    case ("cs", "ž"), ("sk", "ž"), ("hr", "ž"), ("sl", "ž"), ("lt", "ž"), ("lv", "ž"): return [rank("z") + 1]
    case ("cs", "ř"): return [rank("r") + 1]
    default: return nil
    }
  }

  /// Spaces and punctuation before digits before letters; room is left after each letter.
  private static func rank(_ scalar: Unicode.Scalar) -> UInt32 {
    let value = scalar.value * 8
    if scalar.properties.isAlphabetic { return 0x2000_0000 + value }
    if scalar.properties.numericType != nil { return 0x1000_0000 + value }
    return value
  }

  /// The letter without its mark, and a number for the mark.
  private static func decompose(_ scalar: Unicode.Scalar) -> (Unicode.Scalar, UInt32) {
    if scalar.value < 0x80 { return (scalar, 0) }
    guard let name = scalar.properties.name else { return (scalar, 0) }
    let words = name.split(separator: " ")
    guard let letter = words.firstIndex(of: "LETTER"), let with = words.firstIndex(of: "WITH"), with == letter + 2, words[0] == "LATIN",
      let base = words[letter + 1].unicodeScalars.first, words[letter + 1].unicodeScalars.count == 1,
      let lower = base.properties.lowercaseMapping.unicodeScalars.first
    else { return (scalar, 0) }
    var mark: UInt32 = 1
    for byte in words[(with + 1)...].joined(separator: " ").utf8 { mark = mark &* 31 &+ UInt32(byte) }
    return (lower, mark | 1)
  }
}
