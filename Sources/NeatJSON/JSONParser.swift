import NeatBase

/// Writes the tape of a document; iterative, so that depth costs no stack.
struct JSONParser {
  typealias Node = JSONDocument.Node

  let depthLimit: Int
  var nodes: [Node] = []

  init(depthLimit: Int) { self.depthLimit = depthLimit }

  mutating func parseDocument(_ bytes: UnsafeBufferPointer<UInt8>) throws(NeatError) {
    nodes.reserveCapacity(max(16, bytes.count / 8))
    var cursor = 0
    if bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF { cursor = 3 }
    /// Tape indices of the open containers.
    var open: [Int] = []
    skipSpace(bytes, &cursor)
    try value(bytes, &cursor, &open)
    while let container = open.last {
      skipSpace(bytes, &cursor)
      let isObject = nodes[container].tag == .object
      guard cursor < bytes.count else {
        throw NeatError(
          .json, "unexpected end of JSON inside an \(isObject ? "object" : "array")", offset: cursor)
      }
      let close: UInt8 = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      if bytes[cursor] == close {
        cursor += 1
        assert(nodes.count > container, "a container comes before what is in it")
        nodes[container].end = UInt32(nodes.count)
        open.removeLast()
        continue
      }
      if nodes[container].count > 0 {
        guard bytes[cursor] == UInt8(ascii: ",") else {
          throw NeatError(.json, "expected ',' or '\(isObject ? "}" : "]")'", offset: cursor)
        }
        cursor += 1
        skipSpace(bytes, &cursor)
      }
      nodes[container].count += 1
      if isObject {
        guard cursor < bytes.count, bytes[cursor] == UInt8(ascii: "\"") else {
          throw NeatError(.json, "expected a member name in double quotes", offset: cursor)
        }
        try string(bytes, &cursor)
        skipSpace(bytes, &cursor)
        guard cursor < bytes.count, bytes[cursor] == UInt8(ascii: ":") else {
          throw NeatError(.json, "expected ':' after the member name", offset: cursor)
        }
        cursor += 1
        skipSpace(bytes, &cursor)
      }
      try value(bytes, &cursor, &open)
    }
    skipSpace(bytes, &cursor)
    guard cursor == bytes.count else {
      throw NeatError(.json, "unexpected text after the JSON value", offset: cursor)
    }
  }

  @inline(__always)
  private func skipSpace(_ bytes: UnsafeBufferPointer<UInt8>, _ cursor: inout Int) {
    while cursor < bytes.count {
      guard JSONText.isSpace(bytes[cursor]) else { return }
      cursor += 1
    }
  }

  private mutating func value(_ bytes: UnsafeBufferPointer<UInt8>, _ cursor: inout Int, _ open: inout [Int])
    throws(NeatError)
  {
    guard cursor < bytes.count else { throw NeatError(.json, "unexpected end of JSON", offset: cursor) }
    switch bytes[cursor] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard open.count < depthLimit else {
        throw NeatError(.limitExceeded, "JSON is nested deeper than \(depthLimit)", offset: cursor)
      }
      open.append(nodes.count)
      nodes.append(
        Node(
          tag: bytes[cursor] == UInt8(ascii: "{") ? .object : .array, offset: UInt32(cursor), count: 0, end: 0
        ))
      cursor += 1
    case UInt8(ascii: "\""): try string(bytes, &cursor)
    case UInt8(ascii: "t"): try literal("true", .true, bytes, &cursor)
    case UInt8(ascii: "f"): try literal("false", .false, bytes, &cursor)
    case UInt8(ascii: "n"): try literal("null", .null, bytes, &cursor)
    default: try number(bytes, &cursor)
    }
  }

  private mutating func literal(
    _ word: StaticString, _ tag: Node.Tag, _ bytes: UnsafeBufferPointer<UInt8>, _ cursor: inout Int
  )
    throws(NeatError)
  {
    let count = word.utf8CodeUnitCount
    var matches = cursor + count <= bytes.count
    for index in 0..<count where matches { matches = bytes[cursor + index] == word.utf8Start[index] }
    guard matches else { throw NeatError(.json, "unexpected character; expected \(word)", offset: cursor) }
    nodes.append(Node(tag: tag, offset: UInt32(cursor), count: 0, end: 0))
    cursor += count
  }

  private mutating func string(_ bytes: UnsafeBufferPointer<UInt8>, _ cursor: inout Int) throws(NeatError) {
    assert(cursor < bytes.count && bytes[cursor] == UInt8(ascii: "\""), "a string begins with a quote")
    let start = cursor
    cursor += 1
    var escaped = false
    while true {
      let base = bytes.baseAddress!
      cursor = JSONText.plainEnd(base + cursor, base + bytes.count) - base
      guard cursor < bytes.count else { throw NeatError(.json, "unterminated string", offset: start) }
      if bytes[cursor] == UInt8(ascii: "\"") { break }
      guard bytes[cursor] == UInt8(ascii: "\\") else {
        throw NeatError(.json, "control character in a string", offset: cursor)
      }
      escaped = true
      cursor += 1
      guard cursor < bytes.count else { throw NeatError(.json, "unterminated string", offset: start) }
      try checkEscape(bytes, &cursor)
      cursor += 1
    }
    nodes.append(
      Node(
        tag: escaped ? .escapedString : .string, offset: UInt32(start), count: UInt32(cursor - start - 1),
        end: 0))
    cursor += 1
  }

  private func checkEscape(_ bytes: UnsafeBufferPointer<UInt8>, _ cursor: inout Int) throws(NeatError) {
    switch bytes[cursor] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"),
      UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      return
    case UInt8(ascii: "u"):
      for step in 1...4 {
        guard cursor + step < bytes.count, JSONText.hexDigit(bytes[cursor + step]) != nil else {
          throw NeatError(.json, "bad \\u escape in a string", offset: cursor)
        }
      }
      cursor += 4
    default: throw NeatError(.json, "bad escape in a string", offset: cursor)
    }
  }

  private mutating func number(_ bytes: UnsafeBufferPointer<UInt8>, _ cursor: inout Int) throws(NeatError) {
    let start = cursor
    var place = bytes.baseAddress! + start
    do throws(DecimalText.Fault) {
      _ = try DecimalText(&place, bytes.baseAddress! + bytes.count)
    } catch { throw NeatError(.json, JSONParser.message(error), offset: start) }
    cursor = place - bytes.baseAddress!
    nodes.append(Node(tag: .number, offset: UInt32(start), count: UInt32(cursor - start), end: 0))
  }

  private static func message(_ fault: DecimalText.Fault) -> String {
    switch fault {
    case .noDigits: "unexpected character; expected a JSON value"
    case .leadingZero: "number with a leading zero"
    case .noFraction: "number without digits after the point"
    case .noExponent: "number without digits in its exponent"
    }
  }
}
