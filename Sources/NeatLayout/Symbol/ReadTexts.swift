// The texts of a tile's layer, each read once.
import NeatBase
import NeatText

/// A feature's text as it is shown; features of one name have one.
final class SymbolText: Sendable {
  let sections: [TextSection]
  /// All sections' text, images left out.
  let string: String
  /// Equal for equal strings of the layer in the tile; negative where it is empty.
  let number: Int32
  /// FNV-1a of the string.
  let key: UInt64

  init(sections: [TextSection], string: String, number: Int32) {
    self.sections = sections
    self.string = string
    self.number = number
    key = SymbolText.key(string, after: SymbolText.emptyKey)
  }

  static let emptyKey: UInt64 = 0xcbf2_9ce4_8422_2325
  static let prime: UInt64 = 0x100_0000_01b3

  static func key(_ text: String, after hash: UInt64) -> UInt64 {
    text.utf8.reduce(hash) { ($0 ^ UInt64($1)) &* prime }
  }
}

/// Texts by the bytes that a feature's property gives, before they are transformed: a table with open
/// addresses. One more entry for each feature of the tile's layer at most.
struct ReadTexts {
  private struct Entry {
    var hash: UInt64
    /// Its bytes are those from the end of the entry before to here.
    var end: Int
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []
  private var texts: [SymbolText] = []
  /// Index of an entry, or -1.
  private var slots = [Int32](repeating: -1, count: 64)
  private var numbers: [String: Int32] = [:]

  /// Where the text made of some bytes stands, or is to stand.
  struct Place {
    fileprivate var slot: Int
    fileprivate var hash: UInt64
  }

  subscript(place: Place) -> SymbolText? {
    let entry = slots[place.slot]
    return entry < 0 ? nil : texts[Int(entry)]
  }

  /// - Parameter key: not empty.
  mutating func place(of key: UnsafeBufferPointer<UInt8>) -> Place {
    if entries.count * 2 >= slots.count { grow() }
    let hash = hash(key), mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] >= 0, !isEntry(Int(slots[slot]), hash, key) { slot = (slot + 1) & mask }
    return Place(slot: slot, hash: hash)
  }

  /// Takes a place that was free. Its text is added next.
  mutating func keep(_ key: UnsafeBufferPointer<UInt8>, at place: Place) {
    assert(slots[place.slot] < 0 && entries.count == texts.count, "each text is kept once, then added")
    slots[place.slot] = Int32(entries.count)
    bytes.append(contentsOf: key)
    entries.append(Entry(hash: place.hash, end: bytes.count))
  }

  mutating func add(_ text: SymbolText) {
    texts.append(text)
    assert(entries.count == texts.count, "each text is kept once, then added")
  }

  /// The number of a text as it is shown.
  mutating func number(of text: String) -> Int32 {
    if let number = numbers[text] { return number }
    let number = Int32(numbers.count)
    numbers[text] = number
    return number
  }

  private func isEntry(_ index: Int, _ hash: UInt64, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = index == 0 ? 0 : entries[index - 1].end
    guard entries[index].hash == hash, entries[index].end - start == key.count, let base = key.baseAddress
    else { return false }
    return bytes.withUnsafeBufferPointer { memcmp($0.baseAddress! + start, base, key.count) == 0 }
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    let mask = slots.count - 1
    for (index, entry) in entries.enumerated() {
      var slot = Int(truncatingIfNeeded: entry.hash) & mask
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(index)
    }
  }

  /// The standard library's: no tile can be made whose texts all fall on one place, as one could for a sum that
  /// is only mixed and begins with a number nobody knows.
  private func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(key))
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}
