import NeatBase
import Synchronization

/// A parsed JSON text: the source bytes and a flat tape of nodes in document order.
///
/// A node is 16 bytes: kind, byte offset of its text, and either the number's bits, the string's range or the
/// count of children and the index after the last of them. Walking is pointer-free; nothing is copied out of
/// the source until a string is asked for. (RFC 8259; the idea of the tape is simdjson's.)
package final class JSONDocument: Sendable {
  /// Bounds on what is read; past them parsing ends with `limitExceeded`.
  package struct Limits: Sendable {
    /// Nested arrays and objects.
    package var depth = 512
    /// Bytes of source.
    package var bytes = 1 << 30

    package init() {}
  }

  struct Node {
    enum Tag: UInt8 { case null, `false`, `true`, number, string, escapedString, array, object }
    var tag: Tag
    /// Byte offset of the value's first byte.
    var offset: UInt32
    /// Strings: length in bytes. Containers: number of elements or members. Numbers: length of the text.
    var count: UInt32
    /// Containers: tape index after the last child.
    var end: UInt32
  }

  let bytes: [UInt8]
  let nodes: [Node]
  /// Address of the `JSONIndex`, which the document owns; 0 until it is first needed.
  private let indexAddress = Atomic<UInt>(0)

  package init(parsing bytes: [UInt8], limits: Limits = Limits()) throws(NeatError) {
    guard bytes.count <= limits.bytes, bytes.count < Int(UInt32.max) else {
      throw NeatError(
        .limitExceeded, "JSON of \(bytes.count) bytes is larger than the limit of \(limits.bytes)")
    }
    // A node of the tape takes 16 bytes, and mostly some 8 of text or more; the tape doubles as it grows.
    try ProcessMemory.require(6 * bytes.count, for: "JSON of \(bytes.count) bytes")
    // Whoever walks the document recurs over it, most often on this thread.
    var parser = JSONParser(depthLimit: StackRoom.levels(limits.depth))
    var failure: NeatError?
    bytes.withUnsafeBufferPointer { buffer in
      do throws(NeatError) { try parser.parseDocument(buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    self.bytes = bytes
    self.nodes = parser.nodes
  }

  /// What `JSONBuilder` has written and laid.
  init(bytes: [UInt8], nodes: [Node]) {
    self.bytes = bytes
    self.nodes = nodes
  }

  deinit {
    if let index = UnsafeRawPointer(bitPattern: indexAddress.load(ordering: .acquiring)) {
      Unmanaged<JSONIndex>.fromOpaque(index).release()
    }
  }

  package var root: JSON { JSON(document: self, index: 0) }

  /// The tables of the document. Threads that need them first at the same time keep the same ones.
  var index: JSONIndex {
    if let known = UnsafeRawPointer(bitPattern: indexAddress.load(ordering: .acquiring)) {
      return Unmanaged<JSONIndex>.fromOpaque(known).takeUnretainedValue()
    }
    let made = Unmanaged.passRetained(JSONIndex())
    let (isFirst, other) = indexAddress.compareExchange(
      expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
    if isFirst { return made.takeUnretainedValue() }
    made.release()
    return Unmanaged<JSONIndex>.fromOpaque(UnsafeRawPointer(bitPattern: other)!).takeUnretainedValue()
  }
}
