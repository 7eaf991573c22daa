// An integer stream is read in two steps: bytes to unsigned words (physical), words to values (logical).
// Differences are zigzag words whatever the stream's type; plain and run-length values only on signed
// streams. All arithmetic wraps at the width of the words.
import NeatBase

extension MLTStream {
  /// The stream's values as unsigned words; those of a signed stream are to be read as two's complement.
  func integers<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ type: T.Type, isSigned: Bool, _ reader: inout MLTReader
  ) throws(NeatError) -> [T] {
    switch logical {
    case .none:
      var words = try words(type, count, &reader)
      if isSigned { unzigzag(&words) }
      return words
    case .delta:
      var words = try words(type, count, &reader)
      prefixSum(&words)
      return words
    case .rle:
      var values = try expandRuns(type, &reader)
      if isSigned { unzigzag(&values) }
      return values
    case .deltaRLE:
      var values = try expandRuns(type, &reader)
      prefixSum(&values)
      return values
    case .componentwiseDelta, .mortonDelta: throw fail("an encoding of vertices on a stream of numbers")
    }
  }

  /// Physical step: `count` words.
  func words<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ type: T.Type, _ count: Int, _ reader: inout MLTReader
  ) throws(NeatError) -> [T] {
    try reader.spend(count)
    switch physical {
    case .none:
      guard payload.count >= count * MemoryLayout<T>.size else { throw fail("a stream is cut short") }
      let raw = UnsafeRawPointer(payload.baseAddress!)
      return [T](unsafeUninitializedCapacity: count) { buffer, done in
        for index in 0..<count {
          buffer[index] = T(
            littleEndian: raw.loadUnaligned(fromByteOffset: index * MemoryLayout<T>.size, as: T.self))
        }
        done = count
      }
    case .varint:
      // Each number has a byte at least: this bounds the memory that is asked for.
      guard payload.count >= count else { throw fail("a stream is cut short") }
      var varints = ProtobufReader(payload.baseAddress!, payload.count)
      let words = [T](unsafeUninitializedCapacity: count) { buffer, done in
        done = 0
        while done < count, let word = varints.varint() {
          buffer[done] = T(truncatingIfNeeded: word)
          done += 1
        }
      }
      guard words.count == count else { throw fail("a stream is cut short") }
      return words
    case .fastPFOR:
      guard T.bitWidth == 32 else { throw fail("FastPFOR holds numbers of 32 bits only") }
      return try FastPFOR.decode(payload, count: count, offset: offset).map { T(truncatingIfNeeded: $0) }
    }
  }

  private func expandRuns<T: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ type: T.Type, _ reader: inout MLTReader
  ) throws(NeatError) -> [T] {
    let pairs = try words(type, runs * 2, &reader)
    try reader.spend(runValues)
    let total = runValues
    let runs = runs
    var isExact = true
    let values = [T](unsafeUninitializedCapacity: total) { buffer, done in
      done = 0
      for run in 0..<runs {
        guard let length = Int(exactly: pairs[run]), length <= total - done else {
          isExact = false
          return
        }
        let value = pairs[runs + run]
        for index in done..<done + length { buffer[index] = value }
        done += length
      }
    }
    guard isExact, values.count == total else { throw fail("runs do not add up to \(total) values") }
    return values
  }

  private func unzigzag<T: FixedWidthInteger & UnsignedInteger>(_ words: inout [T]) {
    for index in words.indices { words[index] = (words[index] >> 1) ^ (0 &- (words[index] & 1)) }
  }

  private func prefixSum<T: FixedWidthInteger & UnsignedInteger>(_ words: inout [T]) {
    var sum: T = 0
    for index in words.indices {
      sum &+= (words[index] >> 1) ^ (0 &- (words[index] & 1))
      words[index] = sum
    }
  }

  /// Lengths, offsets and counts.
  func counts(_ reader: inout MLTReader) throws(NeatError) -> [UInt32] {
    try integers(UInt32.self, isSigned: false, &reader)
  }

  /// Bits in runs of bytes, as ORC's byte run-length encoding: a control byte below 128 repeats the next byte
  /// that many times and three more, others announce 256 less themselves literal bytes.
  func bits(_ reader: inout MLTReader) throws(NeatError) -> [Bool] {
    try reader.spend(count)
    let byteCount = (count + 7) / 8
    var bitmap: [UInt8] = []
    if logical == .none && payload.count == byteCount {
      bitmap = Array(payload)
    } else {
      bitmap.reserveCapacity(byteCount)
      var at = 0
      while bitmap.count < byteCount {
        guard at < payload.count else { throw fail("a stream of bits is cut short") }
        let control = Int(payload[at])
        let length = control < 128 ? control + 3 : 256 - control
        let taken = control < 128 ? 1 : length
        guard bitmap.count + length <= byteCount, at + taken < payload.count else {
          throw fail("a stream of bits does not fit its count")
        }
        if control < 128 {
          bitmap.append(contentsOf: repeatElement(payload[at + 1], count: length))
        } else {
          bitmap.append(contentsOf: payload[at + 1..<at + 1 + length])
        }
        at += 1 + taken
      }
    }
    return (0..<count).map { bitmap[$0 >> 3] >> UInt8($0 & 7) & 1 != 0 }
  }
}
