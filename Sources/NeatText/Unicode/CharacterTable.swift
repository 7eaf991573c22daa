// Properties by character in blocks. Whole blocks that have the same (ideographs, Hangul, private use) are one,
// so that the table is made quickly and takes some 40 kB: the first label of a process waits for it.

import NeatBase

/// For each block of characters the place of its values, in blocks from the start of the table on; then the
/// values.
nonisolated(unsafe) let characterTable: UnsafePointer<UInt16> = {
  var builder = CharacterTableBuilder()
  builder.set(.ideographicBreak, CharacterRanges.ideographicBreak)
  builder.set(.upright, CharacterRanges.upright)
  builder.set(.neutral, CharacterRanges.neutral)
  builder.set(.rightToLeft, CharacterRanges.rightToLeft)
  builder.set(.arabic, CharacterRanges.arabic)
  builder.set(.cursive, CharacterRanges.cursive)
  builder.set(.mark, CharacterRanges.mark)
  builder.set(.needsShaping, [0x900...0xDFF, 0xF00...0x109F, 0x1780...0x17FF])
  builder.set(
    .dictionary, [0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F])
  // Skin tones and flags are within; ZWJ joins whatever stands around it.
  builder.set(
    .emoji, [0x231A...0x231B, 0x23E9...0x23FA, 0x2600...0x27BF, 0x2B05...0x2B55, 0x1F000...0x1FAFF])
  builder.set(.emoji, each: [0x2194, 0x21A9, 0x21AA, 0x3030, 0x303D, 0x3297, 0x3299])
  builder.set(.whitespace, [0x9...0xD, 0x2000...0x200A])
  builder.set(.whitespace, each: [0x20, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF])
  builder.set(
    .breakable, each: [0xA, 0x20, 0x26, 0x29, 0x2B, 0x2D, 0x2F, 0xAD, 0xB7, 0x200B, 0x2010, 0x2013, 0x2027])
  builder.set(.bidiControl, [0x202A...0x202E, 0x2066...0x2069])
  builder.set(.bidiControl, each: [0x61C, 0x200E, 0x200F])
  builder.set(.paragraphEnd, each: [0xA, 0xD, 0x1C, 0x1D, 0x1E, 0x85, 0x2029])
  return builder.finish()
}()

private struct CharacterTableBuilder: ~Copyable {
  private static let blockSize = CharacterProperties.blockSize
  private static let blockCount = CharacterProperties.tableSize / blockSize

  /// What all characters of a block have.
  private var common = [UInt16](repeating: 0, count: blockCount)
  /// What some characters have besides: the number of their block in `values`, or -1.
  private var places = [Int16](repeating: -1, count: blockCount)
  private var values = GrowingBuffer<UInt16>(capacity: 256 * blockSize)

  private mutating func addBlock(of value: UInt16) -> Int16 {
    let size = CharacterTableBuilder.blockSize
    let number = Int16(values.count / size)
    values.extend(size).initialize(repeating: value, count: size)
    return number
  }

  mutating func set(_ property: CharacterProperties, _ ranges: [ClosedRange<UInt32>]) {
    for range in ranges { set(property, range) }
  }

  mutating func set(_ property: CharacterProperties, each codepoints: [UInt32]) {
    for codepoint in codepoints { set(property, codepoint...codepoint) }
  }

  private mutating func set(_ property: CharacterProperties, _ range: ClosedRange<UInt32>) {
    let size = CharacterTableBuilder.blockSize
    let (first, last) = (Int(range.lowerBound), min(Int(range.upperBound), CharacterProperties.tableSize - 1))
    guard first <= last else { return }
    for block in first / size...last / size {
      let (low, high) = (max(first - block * size, 0), min(last - block * size, size - 1))
      if low == 0, high == size - 1 {
        common[block] |= property.rawValue
      } else {
        if places[block] < 0 { places[block] = addBlock(of: 0) }
        let start = Int(places[block]) * size
        for place in low...high { values[start + place] |= property.rawValue }
      }
    }
  }

  /// The table, which stays as long as the process.
  consuming func finish() -> UnsafePointer<UInt16> {
    let (size, count) = (CharacterTableBuilder.blockSize, CharacterTableBuilder.blockCount)
    // Blocks whose characters all have the same are few kinds.
    var alike: [(value: UInt16, place: Int16)] = []
    for block in 0..<count {
      let value = common[block]
      if places[block] >= 0 {
        let start = Int(places[block]) * size
        if value != 0 { for place in 0..<size { values[start + place] |= value } }
      } else if let known = alike.first(where: { $0.value == value }) {
        places[block] = known.place
      } else {
        places[block] = addBlock(of: value)
        alike.append((value, places[block]))
      }
    }
    let head = count / size
    let table = UnsafeMutablePointer<UInt16>.allocate(capacity: count + values.count)
    for block in 0..<count { (table + block).initialize(to: UInt16(Int(places[block]) + head)) }
    (table + count).initialize(from: values.base, count: values.count)
    return UnsafePointer(table)
  }
}
