import NeatBase

/// A stretch of an attribution, and where it leads.
package struct AttributionLink: Sendable, Hashable {
  package var text: String
  /// An address of http, https or mailto; nil where there is none: nobody should follow others.
  package var href: String?
}

/// HTML as attributions have it, read in one pass: text, and links in it. All other tags are left out.
package struct AttributionHTML: Sendable {
  /// Bytes of one attribution that are read; the rest is left out.
  package static let byteLimit = 65_536
  /// Attributions of one map that are read, and links of all of them; the rest is left out.
  package static let countLimit = 256
  package static let linkLimit = 1024

  package private(set) var links: [AttributionLink] = []

  /// All of its text.
  package let text: String

  package init(_ html: String) {
    var reader = Reader(Array(html.utf8.prefix(AttributionHTML.byteLimit)))
    reader.read()
    text = AttributionHTML.joined(reader.all)
    links = reader.parts.compactMap { part in
      let words = AttributionHTML.withoutSeparators(AttributionHTML.joined(part.bytes))
      // What stands between links is no part of its own.
      guard
        words.unicodeScalars.contains(where: {
          $0.properties.isAlphabetic || $0.properties.numericType != nil
        })
      else { return nil }
      return AttributionLink(text: words, href: part.href)
    }
  }

  /// One line for several attributions: none that is part of another one.
  package static func line(_ attributions: [String]) -> String {
    withoutParts(attributions.prefix(countLimit).map { AttributionHTML($0).text }.filter { !$0.isEmpty })
      .joined(separator: " | ")
  }

  /// The links of several attributions, each once.
  package static func links(_ attributions: [String]) -> [AttributionLink] {
    var seen: Set<AttributionLink> = []
    let all = attributions.prefix(countLimit).flatMap { AttributionHTML($0).links }
    let linked = Set(all.lazy.filter { $0.href != nil }.map(\.text))
    let links = all.filter { link in
      if link.href == nil, linked.contains(link.text) { return false }
      return seen.insert(link).inserted
    }
    return Array(links.prefix(linkLimit))
  }

  /// Texts in their order, without those that are part of another.
  static func withoutParts(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    let texts = texts.filter { seen.insert($0).inserted }
    return texts.filter { text in
      !texts.contains { $0.utf8.count > text.utf8.count && $0.contains(text) }
    }
  }

  /// Without what stands between attributions.
  private static func withoutSeparators(_ text: String) -> String {
    func isSeparator(_ character: Character) -> Bool { " |,;·-–—".contains(character) }
    let start = text.drop(while: isSeparator)
    guard let last = start.lastIndex(where: { !isSeparator($0) }) else { return "" }
    return String(start[...last])
  }

  /// Words with one space between them.
  private static func joined(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
      .split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" || $0 == "\r\n" })
      .joined(separator: " ")
  }
}

/// Goes over the bytes of an attribution.
private struct Reader {
  struct Part {
    var bytes: [UInt8] = []
    var href: String?
  }

  private let html: [UInt8]
  private var at = 0
  /// Before this there is no `>` to be found any more: a text full of `<` is read once.
  private var hasNoEnd = false
  private(set) var all: [UInt8] = []
  private(set) var parts: [Part] = [Part()]

  init(_ html: [UInt8]) { self.html = html }

  mutating func read() {
    while at < html.count {
      let byte = html[at]
      if byte == UInt8(ascii: "<"), readTag() { continue }
      if byte == UInt8(ascii: "&"), readEntity() { continue }
      all.append(byte)
      parts[parts.count - 1].bytes.append(byte)
      at += 1
    }
  }

  private mutating func append(_ bytes: [UInt8]) {
    all += bytes
    parts[parts.count - 1].bytes += bytes
  }

  /// A sign that begins no tag stays.
  private mutating func readTag() -> Bool {
    guard at + 1 < html.count, !hasNoEnd else { return false }
    let next = html[at + 1]
    guard isLetter(next) || next == UInt8(ascii: "/") || next == UInt8(ascii: "!") else { return false }
    guard let end = html[at...].firstIndex(of: UInt8(ascii: ">")) else {
      hasNoEnd = true
      return false
    }
    let tag = html[(at + 1)..<end]
    at = end + 1
    let name = tag.drop { $0 == UInt8(ascii: "/") }.prefix(while: isLetter)
    if name.count == 1, name.first.map({ $0 | 0x20 }) == UInt8(ascii: "a") {
      parts.append(Part(href: tag.first == UInt8(ascii: "/") ? nil : href(of: tag)))
    } else if isBreak(name) {
      // Words do not run together where a line ended.
      append([UInt8(ascii: " ")])
    }
    return true
  }

  private func isBreak(_ name: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: name, as: UTF8.self).lowercased()
    return text == "br" || text == "p" || text == "div" || text == "li"
  }

  /// The value of `href`, quoted or not.
  private func href(of tag: ArraySlice<UInt8>) -> String? {
    let key = Array("href".utf8)
    var start = tag.startIndex
    while start + key.count < tag.endIndex {
      let isKey = zip(tag[start...], key).allSatisfy { $0 | 0x20 == $1 }
      if isKey, start > tag.startIndex, !isLetter(tag[start - 1]) && tag[start - 1] != UInt8(ascii: "-") {
        var rest = tag[(start + key.count)...].drop(while: isBlank)
        guard rest.first == UInt8(ascii: "=") else { return nil }
        rest = rest.dropFirst().drop(while: isBlank)
        let value: ArraySlice<UInt8>
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
          value = rest.dropFirst().prefix { $0 != quote }
        } else {
          value = rest.prefix { !isBlank($0) }
        }
        return address(String(decoding: value, as: UTF8.self))
      }
      start += 1
    }
    return nil
  }

  /// Others than these may run something.
  private func address(_ text: String) -> String? {
    let plain = text.split(separator: "&amp;", omittingEmptySubsequences: false).joined(separator: "&")
    let low = plain.lowercased()
    guard ["http://", "https://", "mailto:"].contains(where: low.hasPrefix),
      !plain.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F })
    else { return nil }
    return plain
  }

  private static let entities = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "\u{A9}",
    "reg": "\u{AE}", "middot": "\u{B7}", "ndash": "\u{2013}", "mdash": "\u{2014}", "hellip": "\u{2026}",
    "trade": "\u{2122}",
  ]

  private mutating func readEntity() -> Bool {
    guard let end = html[at...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return false }
    guard let text = entity(String(decoding: html[(at + 1)..<end], as: UTF8.self)) else { return false }
    append(Array(text.utf8))
    at = end + 1
    return true
  }

  private func entity(_ name: String) -> String? {
    if let known = Reader.entities[name] { return known }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let isHex = digits.first == "x" || digits.first == "X"
    let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { Unicode.Scalar($0) }.map { String($0) }
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
