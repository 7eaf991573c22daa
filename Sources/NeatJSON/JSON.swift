import NeatBase

/// A value of a document: the document and a place on its tape. Copying it is cheap and keeps the document
/// alive.
package struct JSON: Sendable {
  package enum Kind: Sendable { case null, bool, number, string, array, object }

  package let document: JSONDocument
  let index: Int

  init(document: JSONDocument, index: Int) {
    self.document = document
    self.index = index
  }

  var node: JSONDocument.Node { document.nodes[index] }

  package var kind: Kind {
    switch node.tag {
    case .null: .null
    case .true, .false: .bool
    case .number: .number
    case .string, .escapedString: .string
    case .array: .array
    case .object: .object
    }
  }

  package var isNull: Bool { node.tag == .null }
  package var isArray: Bool { node.tag == .array }
  package var isObject: Bool { node.tag == .object }

  package var bool: Bool? {
    switch node.tag {
    case .true: true
    case .false: false
    default: nil
    }
  }

  package var number: Double? {
    let node = node
    guard node.tag == .number else { return nil }
    return document.bytes.withUnsafeBufferPointer {
      JSONText.parseNumber(
        UnsafeBufferPointer(rebasing: $0[Int(node.offset)..<Int(node.offset) + Int(node.count)]))
    }
  }

  /// The number as an integer, where it is one that a Double holds exactly.
  package var int: Int? {
    guard let number, let int = Int(exactly: number) else { return nil }
    return int
  }

  package var string: String? {
    let node = node
    let range = Int(node.offset) + 1..<Int(node.offset) + 1 + Int(node.count)
    switch node.tag {
    case .string: return String(decoding: document.bytes[range], as: UTF8.self)
    case .escapedString:
      return document.bytes.withUnsafeBufferPointer {
        JSONText.unescape(UnsafeBufferPointer(rebasing: $0[range]))
      }
    default: return nil
    }
  }

  /// Elements of an array or members of an object; 0 for the other kinds.
  package var count: Int { node.tag == .array || node.tag == .object ? Int(node.count) : 0 }

  /// Byte offset of the value in the source.
  package var offset: Int { Int(node.offset) }

  /// Line of the value in the source, from 1. The first call is linear in the size of the source.
  package var line: Int { document.line(atOffset: offset) }

  package subscript(_ position: Int) -> JSON? {
    guard node.tag == .array, position >= 0, position < Int(node.count) else { return nil }
    var child = index + 1
    for _ in 0..<position { child = document.next(child) }
    return JSON(document: document, index: child)
  }

  /// The member of that name; of several, the last. Nil where there is none, or the value is no object. Linear
  /// in the members where they are few, else constant from some calls on.
  package subscript(_ key: String) -> JSON? {
    guard node.tag == .object else { return nil }
    if Int(node.count) >= JSONIndex.memberCount,
      let found = document.index.member(key, of: index, in: document)
    {
      return found.map { JSON(document: document, index: $0) }
    }
    var child = index + 1
    var found: Int?
    for _ in 0..<Int(node.count) {
      if document.isString(child, equalTo: key) { found = child + 1 }
      child = document.next(child + 1)
    }
    return found.map { JSON(document: document, index: $0) }
  }

  package var elements: Elements {
    Elements(document: document, cursor: index + 1, left: node.tag == .array ? Int(node.count) : 0)
  }
  package var members: Members {
    Members(document: document, cursor: index + 1, left: node.tag == .object ? Int(node.count) : 0)
  }

  package struct Elements: Sequence, IteratorProtocol {
    let document: JSONDocument
    var cursor: Int
    var left: Int
    package var underestimatedCount: Int { left }

    package mutating func next() -> JSON? {
      guard left > 0 else { return nil }
      left -= 1
      let value = JSON(document: document, index: cursor)
      cursor = document.next(cursor)
      return value
    }
  }

  package struct Members: Sequence, IteratorProtocol {
    let document: JSONDocument
    var cursor: Int
    var left: Int
    package var underestimatedCount: Int { left }

    package mutating func next() -> (key: String, value: JSON)? {
      guard left > 0 else { return nil }
      left -= 1
      let key = JSON(document: document, index: cursor).string ?? ""
      let value = JSON(document: document, index: cursor + 1)
      cursor = document.next(cursor + 1)
      return (key, value)
    }
  }
}

extension JSONDocument {
  /// Tape index after a value and all it holds.
  @inline(__always)
  func next(_ index: Int) -> Int {
    let node = nodes[index]
    return node.tag == .array || node.tag == .object ? Int(node.end) : index + 1
  }

  /// Whether a string has the same bytes as another, its escapes read.
  func isString(_ index: Int, equalTo key: String) -> Bool {
    let node = nodes[index]
    guard node.tag == .string else {
      return (JSON(document: self, index: index).string ?? "").utf8.elementsEqual(key.utf8)
    }
    var key = key
    return key.withUTF8 { wanted in
      guard wanted.count == Int(node.count) else { return false }
      return bytes.withUnsafeBufferPointer {
        memcmp($0.baseAddress! + Int(node.offset) + 1, wanted.baseAddress ?? $0.baseAddress!, wanted.count)
          == 0
      }
    }
  }

  /// Line of a byte offset, from 1.
  package func line(atOffset offset: Int) -> Int { index.line(atOffset: offset, of: self) }
}

extension JSON: Equatable {
  /// Equal as values: member order and spelling of numbers do not matter.
  package static func == (a: JSON, b: JSON) -> Bool {
    // The same place of the same document: data of any size is not gone through.
    if a.document === b.document, a.index == b.index { return true }
    guard a.kind == b.kind, a.count == b.count else { return false }
    switch a.kind {
    case .null: return true
    case .bool: return a.bool == b.bool
    case .number: return a.number == b.number
    case .string: return (a.string ?? "").utf8.elementsEqual((b.string ?? "").utf8)
    case .array: return zip(a.elements, b.elements).allSatisfy { $0 == $1 }
    case .object:
      // Of members with the same name the last one counts, on both sides.
      return a.members.allSatisfy { member in
        guard let other = b[member.key], let own = a[member.key] else { return false }
        return own.index != member.value.index || own == other
      } && b.members.allSatisfy { a[$0.key] != nil }
    }
  }
}
