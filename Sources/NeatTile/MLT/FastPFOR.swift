// FastPFOR (Lemire and Boytsov, "Decoding billions of integers per second through vectorization", section 6),
// as MLT 1 uses it: blocks of 256 values in pages of 65,536, words stored big-endian, and what fills no block
// in variable bytes.
//
// A page: the word where its metadata begin; the blocks' packed low bits; then the metadata: a byte count
// with that many bytes (for each block its bit width, its number of exceptions and, if there are any, the
// width of the widest value and their positions), and a bitmap that says for which widths packed high bits of
// exceptions follow.
import NeatBase

enum FastPFOR {
  private static let blockSize = 256
  private static let pageSize = 65536

  /// Decodes `count` numbers. Throws `tile` for bytes that are no such stream; never reads past them nor
  /// makes more than `count` numbers.
  static func decode(_ payload: UnsafeBufferPointer<UInt8>, count: Int, offset: Int) throws(NeatError)
    -> [UInt32]
  {
    if count == 0 { return [] }
    let fault = NeatError(.tile, "a FastPFOR stream is damaged", offset: offset)
    guard payload.count >= 4, payload.count & 3 == 0 else { throw fault }
    let raw = UnsafeRawPointer(payload.baseAddress!)
    var words: [UInt32] = []
    words.reserveCapacity(payload.count / 4)
    for at in stride(from: 0, to: payload.count, by: 4) {
      words.append(UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
    }
    let inBlocks = Int(words[0])
    guard inBlocks <= count, inBlocks % blockSize == 0 else { throw fault }
    // A block of equal bits can be nearly free, but each has two bytes of metadata.
    guard inBlocks / blockSize <= payload.count else { throw fault }
    var out = [UInt32](repeating: 0, count: count)
    var page = Page(words: words, at: 1)
    var done = 0
    while done < inBlocks {
      let size = min(pageSize, inBlocks - done)
      guard page.decode(size, into: &out, at: done) else { throw fault }
      done += size
    }
    assert(done == inBlocks && done <= out.count, "blocks of another number of values")
    guard variableBytes(words, from: page.at, into: &out, at: done) else { throw fault }
    return out
  }

  /// Seven bits a byte from the lowest byte of each word on; the last byte of a number has its top bit set.
  private static func variableBytes(
    _ words: [UInt32], from start: Int, into out: inout [UInt32], at first: Int
  ) -> Bool {
    var index = first
    var value: UInt32 = 0
    var shift: UInt32 = 0
    var at = start * 4
    while index < out.count {
      guard at < words.count * 4, shift < 35 else { return false }
      let byte = words[at >> 2] >> UInt32((at & 3) * 8) & 0xff
      at += 1
      value |= (byte & 0x7f) << shift
      shift += 7
      if byte & 0x80 != 0 {
        out[index] = value
        index += 1
        value = 0
        shift = 0
      }
    }
    return true
  }

  private struct Page {
    let words: [UInt32]
    var at: Int

    mutating func decode(_ size: Int, into out: inout [UInt32], at first: Int) -> Bool {
      guard at < words.count else { return false }
      let meta = at + Int(words[at])
      guard meta > at, meta < words.count else { return false }
      let byteCount = Int(words[meta])
      let byteStart = (meta + 1) * 4
      var next = meta + 1 + (byteCount + 3) / 4
      guard byteCount <= words.count * 4, next < words.count, let exceptions = readExceptions(&next) else {
        return false
      }

      var packed = at + 1
      var byteAt = byteStart
      var used = [Int](repeating: 0, count: 33)
      func byte() -> Int? {
        guard byteAt < byteStart + byteCount else { return nil }
        defer { byteAt += 1 }
        return Int(words[byteAt >> 2] >> UInt32((byteAt & 3) * 8) & 0xff)
      }
      for block in 0..<size / blockSize {
        guard let width = byte(), width <= 32, let count = byte(), packed + width * 8 <= meta else {
          return false
        }
        let start = first + block * blockSize
        assert(start + blockSize <= out.count, "a block past the end")
        Page.unpack(words, packed, width, blockSize) { out[start + $0] = $1 }
        packed += width * 8
        if count == 0 { continue }
        guard let widest = byte(), widest > width, widest <= 32 else { return false }
        let kind = widest - width
        for _ in 0..<count {
          guard let position = byte() else { return false }
          if kind == 1 {
            out[start + position] |= 1 << UInt32(width)
          } else {
            guard used[kind] < exceptions[kind].count else { return false }
            out[start + position] |= exceptions[kind][used[kind]] << UInt32(width)
            used[kind] += 1
          }
        }
      }
      at = next
      return true
    }

    /// The high bits of exceptions, by their width.
    private func readExceptions(_ next: inout Int) -> [[UInt32]]? {
      let bitmap = words[next]
      next += 1
      var result = [[UInt32]](repeating: [], count: 33)
      for width in 2...32 where bitmap & (1 << UInt32(width - 1)) != 0 {
        guard next < words.count else { return nil }
        let count = Int(words[next])
        next += 1
        guard count <= pageSize, next + (count * width + 31) / 32 <= words.count else { return nil }
        var values = [UInt32](repeating: 0, count: count)
        Page.unpack(words, next, width, count) { values[$0] = $1 }
        result[width] = values
        // Values are packed 32 at a time; the words of the last group that none of them needs are left out.
        let padded = (count + 31) / 32 * 32
        next += padded / 32 * width - (padded - count) * width / 32
      }
      return next <= words.count ? result : nil
    }

    /// Values of `width` bits, the first in the lowest bits of the first word.
    private static func unpack(
      _ words: [UInt32], _ start: Int, _ width: Int, _ count: Int, _ put: (Int, UInt32) -> Void
    ) {
      let mask: UInt64 = width == 32 ? 0xffff_ffff : (1 << UInt64(width)) - 1
      var bit = 0
      for index in 0..<count {
        if width == 0 {
          put(index, 0)
          continue
        }
        let word = start + (bit >> 5)
        assert(word < words.count, "a packed value past the end")
        let low = UInt64(words[word])
        let high = (bit & 31) + width > 32 ? UInt64(words[word + 1]) << 32 : 0
        put(index, UInt32(truncatingIfNeeded: ((low | high) >> UInt64(bit & 31)) & mask))
        bit += width
      }
    }
  }
}
