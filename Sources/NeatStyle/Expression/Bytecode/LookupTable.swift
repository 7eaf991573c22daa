import NeatBase
import NeatTile

/// A pure function of one value to a small number (a branch): labels of `match`, members of a list, or a
/// comparison with a constant. Because it depends on nothing else, its results are remembered per value of
/// the tile layer.
final class LookupTable: Sendable {
  enum Rule: Hashable, Sendable {
    /// The branch of the label that equals the value, else `otherwise`. A missing property goes to `absent`,
    /// an array or object to `composite`.
    case labels(MatchTable, otherwise: Int, absent: Int, composite: Int)
    /// 1 where the comparison holds, 0 where it does not (negated: the other way round), `mismatch` where the
    /// types differ.
    case compare(Comparison, ExpressionValue, mismatch: Int, isNegated: Bool)
  }

  let rule: Rule
  private let strings: StringTable
  private let numbers: [UInt64: Int]
  let branchTrue: Int
  let branchFalse: Int
  let branchNull: Int
  let branchAbsent: Int
  let branchComposite: Int
  let otherwise: Int
  /// Whether branches fit the 16 bits that remembering gives them.
  let isMemoizable: Bool

  init(_ rule: Rule) {
    self.rule = rule
    switch rule {
    case .labels(let table, let otherwise, let absent, let composite):
      strings = StringTable(table.strings)
      numbers = table.numbers
      branchTrue = table.isTrue ?? otherwise
      branchFalse = table.isFalse ?? otherwise
      branchNull = table.isNull ?? otherwise
      branchAbsent = absent
      branchComposite = composite
      self.otherwise = otherwise
      assert(min(otherwise, absent, composite) >= 0, "branches count from 0")
      isMemoizable = max(table.branchCount, otherwise, absent, composite) < 65_000
    case .compare(_, _, let mismatch, _):
      strings = StringTable([:])
      numbers = [:]
      branchTrue = mismatch
      branchFalse = mismatch
      branchNull = mismatch
      branchAbsent = mismatch
      branchComposite = mismatch
      otherwise = mismatch
      isMemoizable = true
    }
  }

  /// The branch of a value of the tile.
  func branch(_ value: TileValue) -> Int {
    switch value.rawKind {
    case TileValueKind.null.rawValue: branchNull
    case TileValueKind.bool.rawValue: branch(Slot(value.boolValue))
    case TileValueKind.string.rawValue: branch(Slot(string: value.bytes))
    case TileValueKind.json.rawValue: branchComposite
    default: branch(Slot(value.number ?? .nan))
    }
  }

  func branch(_ slot: Slot) -> Int {
    if case .compare(let comparison, let constant, _, let isNegated) = rule {
      guard let holds = LookupTable.compare(slot, comparison, constant) else { return otherwise }
      return holds != isNegated ? 1 : 0
    }
    if slot.is(.string) { return strings.find(slot.bytes) ?? otherwise }
    if slot.is(.number) { return numbers[MatchTable.bits(slot.number)] ?? otherwise }
    if slot.is(.bool) { return slot.bool ? branchTrue : branchFalse }
    if slot.is(.null) { return branchNull }
    return slot.is(.boxed) ? branchComposite : otherwise
  }

  /// Whether the comparison holds; nil where the types differ.
  private static func compare(_ slot: Slot, _ comparison: Comparison, _ constant: ExpressionValue) -> Bool? {
    switch (constant, Slot.Tag(rawValue: slot.tag)) {
    case (.number(let number), .number): return comparison.holds(slot.number, number)
    case (.bool(let flag), .bool): return comparison.holds(slot.bool ? 1 : 0, flag ? 1 : 0)
    case (.string(var text), .string):
      return text.withUTF8 { comparison.holds(Double(Slot.order(slot.bytes, $0)), 0) }
    default: return nil
    }
  }
}

/// Strings to numbers: open addressing over one block of bytes.
struct StringTable: Sendable {
  private struct Entry { var hash: UInt32, start: UInt32, length: UInt32, value: Int32 }
  private let entries: [Entry]
  private let bytes: [UInt8]
  /// Bytes of the longest: longer texts are not even hashed, however long they are.
  private let longest: Int

  init(_ strings: [String: Int]) {
    var capacity = 2
    while capacity < strings.count * 2 { capacity *= 2 }
    // At least half of the places stay free: every search ends at one of them.
    assert(capacity & (capacity - 1) == 0 && capacity >= 2 * strings.count)
    var entries = [Entry](
      repeating: Entry(hash: 0, start: 0, length: 0, value: -1), count: strings.isEmpty ? 0 : capacity)
    var bytes: [UInt8] = []
    for (text, value) in strings {
      let utf8 = Array(text.utf8)
      let hash = utf8.withUnsafeBufferPointer { StringTable.hash($0) }
      var place = Int(hash) & (capacity - 1)
      while entries[place].value >= 0 { place = (place + 1) & (capacity - 1) }
      entries[place] = Entry(
        hash: hash, start: UInt32(bytes.count), length: UInt32(utf8.count), value: Int32(value))
      bytes += utf8
    }
    self.entries = entries
    self.bytes = bytes
    longest = strings.keys.reduce(0) { max($0, $1.utf8.count) }
  }

  /// FNV-1a, folded.
  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  func find(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !entries.isEmpty, text.count <= longest else { return nil }
    let hash = StringTable.hash(text)
    let mask = entries.count - 1
    assert(entries.count & mask == 0, "places are found by the lowest bits of the hash")
    var place = Int(hash) & mask
    return entries.withUnsafeBufferPointer { entries in
      bytes.withUnsafeBufferPointer { bytes in
        while entries[place].value >= 0 {
          let entry = entries[place]
          if entry.hash == hash && Int(entry.length) == text.count
            && (text.isEmpty
              || memcmp(bytes.baseAddress! + Int(entry.start), text.baseAddress!, text.count) == 0)
          {
            return Int(entry.value)
          }
          place = (place + 1) & mask
        }
        return nil
      }
    }
  }
}
