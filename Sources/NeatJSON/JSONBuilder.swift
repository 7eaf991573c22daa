import NeatBase

/// Makes a document by code: writes its text and lays its tape at once, so that nothing is parsed again.
/// Calls nest as those of `JSONWriter` do.
package struct JSONBuilder {
  private typealias Node = JSONDocument.Node

  private var writer = JSONWriter()
  private var nodes: [Node] = []
  /// Containers that are not closed yet, as indices of the tape.
  private var open: [Int] = []
  private var isTooDeep = false

  package init() {}

  /// The document's root; nil where it is nested deeper, or longer, than a text that is read may be.
  package consuming func finish() -> JSON? {
    assert(open.isEmpty, "every array and object is closed")
    assert(nodes.first.map { Int($0.end) == nodes.count || nodes.count == 1 } ?? false, "one root")
    guard !isTooDeep, !nodes.isEmpty, writer.bytes.count <= JSONDocument.Limits().bytes else { return nil }
    return JSONDocument(bytes: writer.bytes, nodes: nodes).root
  }

  package mutating func beginArray() { begin(.array) { $0.beginArray() } }
  package mutating func beginObject() { begin(.object) { $0.beginObject() } }
  package mutating func endArray() { end(.array) { $0.endArray() } }
  package mutating func endObject() { end(.object) { $0.endObject() } }

  package mutating func key(_ name: String) {
    // A member is counted with its value; its name is a node of its own.
    let range = written { $0.key(name) }
    appendString(range.lowerBound..<range.upperBound - 1)
  }

  package mutating func string(_ value: String) {
    count()
    appendString(written { $0.string(value) })
  }

  /// NaN and the infinities become null, as in `JSONWriter`.
  package mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    count()
    append(.number, written { $0.number(value) })
  }

  package mutating func int(_ value: some BinaryInteger) {
    count()
    append(.number, written { $0.int(value) })
  }

  package mutating func bool(_ value: Bool) {
    count()
    append(value ? .true : .false, written { $0.bool(value) })
  }

  package mutating func null() {
    count()
    append(.null, written { $0.null() })
  }

  package mutating func value(_ json: JSON) {
    switch json.kind {
    case .null: null()
    case .bool: bool(json.bool!)
    case .number: number(json.number!)
    case .string: string(json.string!)
    case .array:
      beginArray()
      for element in json.elements { value(element) }
      endArray()
    case .object:
      beginObject()
      for member in json.members {
        key(member.key)
        value(member.value)
      }
      endObject()
    }
  }

  // MARK: tape

  /// Where the writer put a value, without the comma before it.
  private mutating func written(_ write: (inout JSONWriter) -> Void) -> Range<Int> {
    let before = writer.bytes.count
    write(&writer)
    assert(writer.bytes.count > before, "every value has text")
    return (writer.bytes[before] == UInt8(ascii: ",") ? before + 1 : before)..<writer.bytes.count
  }

  /// Counts a value for the container that it stands in.
  private mutating func count() {
    if let last = open.last { nodes[last].count += 1 }
  }

  private mutating func append(_ tag: Node.Tag, _ range: Range<Int>) {
    let count = tag == .number ? range.count : 0
    nodes.append(
      Node(
        tag: tag, offset: UInt32(clamping: range.lowerBound), count: UInt32(clamping: count), end: 0))
  }

  /// `range`: with the quotes.
  private mutating func appendString(_ range: Range<Int>) {
    let inner = range.lowerBound + 1..<range.upperBound - 1
    let isEscaped = writer.bytes[inner].contains(UInt8(ascii: "\\"))
    nodes.append(
      Node(
        tag: isEscaped ? .escapedString : .string, offset: UInt32(clamping: range.lowerBound),
        count: UInt32(clamping: inner.count), end: 0))
  }

  private mutating func begin(_ tag: Node.Tag, _ write: (inout JSONWriter) -> Void) {
    count()
    let range = written(write)
    open.append(nodes.count)
    if open.count > JSONDocument.Limits().depth { isTooDeep = true }
    nodes.append(Node(tag: tag, offset: UInt32(clamping: range.lowerBound), count: 0, end: 0))
  }

  private mutating func end(_ tag: Node.Tag, _ write: (inout JSONWriter) -> Void) {
    write(&writer)
    guard let last = open.popLast() else {
      assertionFailure("nothing is open")
      return
    }
    assert(nodes[last].tag == tag, "arrays end as arrays, objects as objects")
    nodes[last].end = UInt32(clamping: nodes.count)
  }
}
