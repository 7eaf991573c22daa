import NeatBase

/// A row of what a text of XML consists of: begins and ends of elements, and text. It has what recordings need:
/// comments, instructions and declarations are passed over, entities are not looked up, and nothing is kept.
struct XMLScanner {
  enum Token {
    /// The name without its prefix, and where the attributes stand. `isEmpty`: it ends with its begin.
    case begin(Range<Int>, attributes: Range<Int>, isEmpty: Bool)
    case end(Range<Int>)
    case text(Range<Int>)
  }

  let bytes: [UInt8]
  private(set) var at = 0
  /// Of the token that came last.
  private(set) var line = 1
  private var lineAt = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  func fault(_ message: String) -> NeatError {
    NeatError(.invalidArgument, "GPX: line \(line): \(message)", offset: at)
  }

  /// The next; nil at the end.
  mutating func next() throws(NeatError) -> Token? {
    while at < bytes.count {
      countLines()
      guard bytes[at] == UInt8(ascii: "<") else {
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "<") { at += 1 }
        return .text(start..<at)
      }
      if starts("<!--") {
        try skip(past: "-->", "comment")
      } else if starts("<![CDATA[") {
        let start = at + 9
        try skip(past: "]]>", "CDATA section")
        return .text(start..<at - 3)
      } else if starts("<?") {
        try skip(past: "?>", "instruction")
      } else if starts("<!") {
        try skipDeclaration()
      } else {
        return try tag()
      }
    }
    countLines()
    return nil
  }

  private mutating func countLines() {
    while lineAt < at {
      if bytes[lineAt] == 10 { line += 1 }
      lineAt += 1
    }
  }

  private func starts(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard at + count <= bytes.count else { return false }
    return (0..<count).allSatisfy { bytes[at + $0] == text.utf8Start[$0] }
  }

  private mutating func skip(past text: StaticString, _ what: String) throws(NeatError) {
    while at < bytes.count {
      if starts(text) {
        at += text.utf8CodeUnitCount
        return
      }
      at += 1
    }
    throw fault("a \(what) that does not end")
  }

  /// A declaration of a document's type, with what stands in brackets: no entity of it is ever looked up.
  private mutating func skipDeclaration() throws(NeatError) {
    var depth = 0
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "<") { depth += 1 }
      if byte == UInt8(ascii: "]") { depth -= 1 }
      if byte == UInt8(ascii: ">") {
        depth -= 1
        if depth <= 0 { return }
      }
    }
    throw fault("a declaration that does not end")
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private mutating func tag() throws(NeatError) -> Token {
    at += 1
    let isEnd = at < bytes.count && bytes[at] == UInt8(ascii: "/")
    if isEnd { at += 1 }
    var start = at
    while at < bytes.count, !XMLScanner.isSpace(bytes[at]), bytes[at] != UInt8(ascii: ">"),
      bytes[at] != UInt8(ascii: "/"), bytes[at] != UInt8(ascii: "<")
    {
      if bytes[at] == UInt8(ascii: ":") { start = at + 1 }
      at += 1
    }
    let name = start..<at
    guard !name.isEmpty else { throw fault("a tag without a name") }
    let first = at
    var quote: UInt8?
    while at < bytes.count {
      let byte = bytes[at]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "<") {
        throw fault("a tag within a tag")
      } else if byte == UInt8(ascii: ">") {
        at += 1
        if isEnd { return .end(name) }
        let isEmpty = bytes[at - 2] == UInt8(ascii: "/")
        return .begin(name, attributes: first..<at - (isEmpty ? 2 : 1), isEmpty: isEmpty)
      }
      at += 1
    }
    throw fault("a tag that does not end")
  }

  /// The value of an attribute, without its quotes.
  func attribute(_ name: StaticString, in range: Range<Int>) -> ArraySlice<UInt8>? {
    let count = name.utf8CodeUnitCount
    var at = range.lowerBound
    while at < range.upperBound {
      while at < range.upperBound, XMLScanner.isSpace(bytes[at]) { at += 1 }
      let start = at
      while at < range.upperBound, bytes[at] != UInt8(ascii: "="), !XMLScanner.isSpace(bytes[at]) { at += 1 }
      let isMeant = at - start == count && (0..<count).allSatisfy { bytes[start + $0] == name.utf8Start[$0] }
      while at < range.upperBound, bytes[at] == UInt8(ascii: "=") || XMLScanner.isSpace(bytes[at]) { at += 1 }
      guard at < range.upperBound else { return nil }
      let quote = bytes[at]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
      at += 1
      let value = at
      while at < range.upperBound, bytes[at] != quote { at += 1 }
      if isMeant { return bytes[value..<at] }
      at += 1
    }
    return nil
  }

  func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
    range.count == text.utf8CodeUnitCount
      && (0..<range.count).allSatisfy { bytes[range.lowerBound + $0] == text.utf8Start[$0] }
  }

  /// Text without spaces around it.
  func trimmed(_ range: Range<Int>) -> ArraySlice<UInt8> {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high, XMLScanner.isSpace(bytes[low]) { low += 1 }
    while high > low, XMLScanner.isSpace(bytes[high - 1]) { high -= 1 }
    return bytes[low..<high]
  }
}
