import NeatBase
import NeatTile
import Testing

@Suite struct InflateStreamTests {
  private func unpacked(_ bytes: [UInt8], pieces: Int) throws -> [UInt8] {
    let stream = InflateStream()
    var all: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces))
      rest = rest.dropFirst(pieces)
      try piece.withUnsafeBufferPointer { (piece) throws(NeatError) in
        try stream.append(piece) { (text) throws(NeatError) in all += text }
      }
    }
    try stream.finish { (text) throws(NeatError) in all += text }
    return all
  }

  private let text = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }

  @Test(arguments: [1, 2, 3, 17, 4096, 1 << 30]) func piecesDoNotShow(size: Int) throws {
    let small = Array(text.prefix(5000))
    let packed = try GzipPacker().pack(small)
    #expect(try unpacked(packed, pieces: size) == small)
    #expect(try unpacked(small, pieces: size) == small)
    // Members follow each other; zeros behind the last are nobody's.
    #expect(try unpacked(packed + packed, pieces: size) == small + small)
    #expect(try unpacked(packed + [0, 0, 0], pieces: size) == small)
    #expect(try unpacked([], pieces: size) == [] && unpacked([7], pieces: size) == [7])
  }

  @Test func manyMembersTakeNoMoreThanOne() throws {
    // As logs that were packed line by line.
    let member = try GzipPacker().pack(Array("line\n".utf8))
    let many = [UInt8]((0..<50_000).map { _ in member }.joined())
    let start = ContinuousClock.now
    let text = try unpacked(many, pieces: 1 << 20)
    #expect(text.count == 250_000 && text.suffix(5).elementsEqual("line\n".utf8))
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func whatUnpacksToMuchComesInPieces() throws {
    #expect(try unpacked(GzipPacker().pack(text), pieces: 100_000) == text)
    // zlib: a stored block.
    #expect(try unpacked([0x78, 0x01, 1, 1, 0, 0xfe, 0xff, 65, 0, 0x42, 0, 0x42], pieces: 5) == [65])
  }

  @Test func damagedAndCutDataThrow() throws {
    let packed = try GzipPacker().pack(Array(text.prefix(5000)))
    for count in [3, 10, 100, packed.count - 1] {
      #expect { try unpacked(Array(packed.prefix(count)), pieces: 64) } throws: {
        ($0 as? NeatError)?.code == .tile
      }
    }
    var wrong = packed
    wrong[packed.count / 2] ^= 0xff
    #expect { try unpacked(wrong, pieces: 64) } throws: { ($0 as? NeatError)?.code == .tile }
  }
}
