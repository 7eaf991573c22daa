// Length-limited Huffman codes for DEFLATE (RFC 1951, 3.2.2).
//
// Optimal lengths come from the two-queue construction over sorted frequencies; lengths beyond the limit are
// clamped, and the Kraft sum is then repaired by lengthening the rarest codes that still have room. The loss
// against package-merge is under a thousandth.

import NeatBase

/// Codes for one alphabet: `code(symbol) | length << 16`, the code's bits reversed as DEFLATE wants them.
struct HuffmanCode {
  var entries: [UInt32]

  init(frequencies: [UInt32], limit: Int) {
    let lengths = codeLengths(frequencies, limit: limit)
    entries = canonicalCodes(lengths)
  }

  func length(_ symbol: Int) -> Int { Int(entries[symbol] >> 16) }
}

/// Code lengths, 0 for symbols that do not occur. At least two symbols get a code, so that every decoder
/// accepts the table.
func codeLengths(_ frequencies: [UInt32], limit: Int) -> [UInt8] {
  var lengths = [UInt8](repeating: 0, count: frequencies.count)
  // The weight above the symbol, which has 16 bits: sorted by both as they are.
  var used: [UInt64] = []
  used.reserveCapacity(frequencies.count)
  for symbol in frequencies.indices where frequencies[symbol] > 0 {
    used.append(UInt64(frequencies[symbol]) << 16 | UInt64(symbol))
  }
  var filler: UInt64 = 0
  while used.count < 2 {
    if !used.contains(where: { $0 & 0xFFFF == filler }) { used.append(1 << 16 | filler) }
    filler += 1
  }
  used.sort()
  var histogram = leavesByDepth(used, limit: limit)
  // Kraft: the sum of 2^(limit - length) must not pass 2^limit.
  var total = 0
  for length in 1...limit { total += histogram[length] << (limit - length) }
  while total > 1 << limit {
    // Take one code off the longest level, and hang it beside one of the next shorter level that has any.
    var level = limit - 1
    while histogram[level] == 0 { level -= 1 }
    histogram[level] -= 1
    histogram[level + 1] += 2
    histogram[limit] -= 1
    total -= 1
    assert(histogram[limit] >= 0 && level < limit, "no code to lengthen")
  }
  assert(total <= 1 << limit, "more codes than bits")
  assert(histogram.reduce(0, +) == used.count, "a symbol without a code")
  // The rarest symbols get the longest codes.
  var next = 0
  for length in stride(from: limit, through: 1, by: -1) {
    for _ in 0..<histogram[length] {
      lengths[Int(used[next] & 0xFFFF)] = UInt8(length)
      next += 1
    }
  }
  return lengths
}

/// How many leaves of the Huffman tree over ascending weights (at least two, above 16 bits) have each depth up
/// to the limit, where deeper ones count too.
private func leavesByDepth(_ weights: [UInt64], limit: Int) -> [Int] {
  let count = weights.count
  var histogram = [Int](repeating: 0, count: limit + 1)
  withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * count + 1) { sums in
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count + 1) { parents in
      // Leaves, what ends both queues, nodes as they are made. What is not made yet is the most, too.
      sums.initialize(repeating: .max)
      for leaf in 0..<count { sums[leaf] = weights[leaf] >> 16 }
      let last = 2 * count - 1
      var (leaf, node) = (0, count + 1)
      for made in count + 1...last {
        var sum: UInt64 = 0
        for _ in 0..<2 {
          // Neither of the two is foretold: no jump.
          let isLeaf = sums[leaf] <= sums[node] ? 1 : 0
          let index = isLeaf == 1 ? leaf : node
          leaf &+= isLeaf
          node &+= 1 &- isLeaf
          sum &+= sums[index]
          parents[index] = Int32(truncatingIfNeeded: made)
        }
        assert(leaf <= count && node <= made && sum < 1 << 48, "a sum of what is not there")
        sums[made] = sum
      }
      // Depths take the place of parents, from the root down.
      parents[last] = 0
      for node in stride(from: last - 1, to: count, by: -1) {
        parents[node] = parents[Int(parents[node])] &+ 1
      }
      for leaf in 0..<count { histogram[min(Int(parents[Int(parents[leaf])]) + 1, limit)] += 1 }
    }
  }
  return histogram
}

/// Canonical codes for the lengths, bits reversed, each with its length in the upper half.
private func canonicalCodes(_ lengths: [UInt8]) -> [UInt32] {
  var counts = [UInt32](repeating: 0, count: 17)
  for length in lengths where length > 0 { counts[Int(length)] += 1 }
  var next = [UInt32](repeating: 0, count: 17)
  var code: UInt32 = 0
  for bits in 1...15 {
    code = (code + counts[bits - 1]) << 1
    next[bits] = code
  }
  return lengths.map { length in
    if length == 0 { return 0 }
    let value = next[Int(length)]
    next[Int(length)] += 1
    // Sixteen bits turned round in pairs, fours, eights and halves; the code's are the upper ones.
    var bits = (value & 0x5555) << 1 | value >> 1 & 0x5555
    bits = (bits & 0x3333) << 2 | bits >> 2 & 0x3333
    bits = (bits & 0x0F0F) << 4 | bits >> 4 & 0x0F0F
    bits = (bits & 0x00FF) << 8 | bits >> 8
    return bits >> (16 - UInt32(length)) | UInt32(length) << 16
  }
}
