import NeatBase

extension JSON {
  /// The value as it stands in the source: numbers with all their digits, where `text` has them as JavaScript
  /// prints them.
  package var sourceText: String { String(decoding: document.bytes[sourceRange], as: UTF8.self) }

  /// The bytes of `sourceText`; a whole document's are not copied.
  package var sourceBytes: [UInt8] {
    index == 0 && offset == 0 ? document.bytes : Array(document.bytes[sourceRange])
  }

  /// Appends the bytes of `sourceText`.
  package func appendSource(to bytes: inout [UInt8]) { bytes += document.bytes[sourceRange] }

  private var sourceRange: Range<Int> {
    let bytes = document.bytes
    var end = offset
    var depth = 0
    switch kind {
    case .array, .object:
      // The document was parsed: brackets match, and strings end.
      repeat {
        switch bytes[end] {
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        case UInt8(ascii: "\""): end = JSON.lastByte(ofStringAt: end, bytes)
        default: break
        }
        end += 1
      } while depth > 0
    case .string: end = JSON.lastByte(ofStringAt: end, bytes) + 1
    default: while end < bytes.count, !" \t\n\r,]}".utf8.contains(bytes[end]) { end += 1 }
    }
    return offset..<end
  }

  private static func lastByte(ofStringAt start: Int, _ bytes: [UInt8]) -> Int {
    var place = start + 1
    while bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
    return place
  }
}
