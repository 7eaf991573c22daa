import NeatBase
import Synchronization

// What makes questions about large documents fast: tables of the members of large objects, and of the places
// where lines begin. They are made when they are first worth it, and shared by all threads; most documents
// are small, and have none.

/// The tables of one document.
final class JSONIndex: Sendable {
  private struct Tables {
    var lines: LineIndex?
    /// By the tape index of their object.
    var members: [Int: MemberTable] = [:]
    /// How often an object without a table was asked.
    var lookups: [Int: Int] = [:]
  }

  private let tables = Locked(Tables())

  /// Objects with fewer members are searched one by one.
  static let memberCount = 64
  /// Lookups in a large object before a table is worth it.
  private static let lookupCount = 4

  func line(atOffset offset: Int, of document: JSONDocument) -> Int {
    tables.withLock { tables in
      if let known = tables.lines { return known.line(atOffset: offset) }
      let made = LineIndex(document.bytes)
      tables.lines = made
      return made.line(atOffset: offset)
    }
  }

  /// The tape index of the value of a member, of several with the name the last; `.some(nil)` where there is
  /// none, nil where the object has no table yet.
  func member(_ key: String, of object: Int, in document: JSONDocument) -> Int?? {
    tables.withLock { tables in
      if let known = tables.members[object] { return .some(known.value(of: key, in: document)) }
      let lookups = tables.lookups[object, default: 0] + 1
      guard lookups > JSONIndex.lookupCount else {
        tables.lookups[object] = lookups
        return nil
      }
      let made = MemberTable(of: object, in: document)
      tables.members[object] = made
      return .some(made.value(of: key, in: document))
    }
  }
}

/// The members of an object by their names: open addressing over tape indices. The hash is seeded by the
/// process, so that no document can be made to collide.
struct MemberTable {
  /// Tape indices of values; 0, which is the root's, for a free slot.
  private var slots: [UInt32]

  init(of object: Int, in document: JSONDocument) {
    let count = Int(document.nodes[object].count)
    var size = 16
    while size < 2 * count { size *= 2 }
    slots = Array(repeating: 0, count: size)
    var child = object + 1
    for _ in 0..<count {
      let key = JSON(document: document, index: child).string ?? ""
      // Of equal names the last one stays.
      slots[slot(of: key, in: document)] = UInt32(child + 1)
      child = document.next(child + 1)
    }
  }

  func value(of key: String, in document: JSONDocument) -> Int? {
    let value = slots[slot(of: key, in: document)]
    return value == 0 ? nil : Int(value)
  }

  /// The slot of a name, or the free one that it would have. A table is at most half full.
  private func slot(of key: String, in document: JSONDocument) -> Int {
    var key = key
    let hash = key.withUTF8 { bytes in
      var hasher = Hasher()
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
      return hasher.finalize()
    }
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0, !document.isString(Int(slots[slot]) - 1, equalTo: key) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }
}

/// Byte offset to line by binary search.
package struct LineIndex: Sendable {
  private let starts: [Int]

  package init(_ source: [UInt8]) {
    var starts = [0]
    for (index, byte) in source.enumerated() where byte == 0x0A { starts.append(index + 1) }
    self.starts = starts
  }

  /// The line of a byte, from 1.
  package func line(atOffset offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
