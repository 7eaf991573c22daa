import NeatBase
import NeatTile
import Testing

/// gzip and zlib made by hand: blocks that are stored, not packed.
enum Stored {
  static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let piece = rest.prefix(65535)
      rest = rest.dropFirst(piece.count)
      let n = UInt16(piece.count)
      out += [rest.isEmpty ? 1 : 0, UInt8(n & 255), UInt8(n >> 8), UInt8(~n & 255), UInt8(~n >> 8)] + piece
    } while !rest.isEmpty
    return out
  }

  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var crc: UInt32 = ~0
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
    }
    return [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255] + deflate(bytes) + little(~crc)
      + little(UInt32(bytes.count))
  }

  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return [0x78, 0x01] + deflate(bytes) + little(b << 16 | a).reversed()
  }

  private static func little(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

@Suite struct InflateTests {
  private let text = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

  @Test func packedBytesAreToldByTheirContents() throws {
    #expect(try Inflate.decompress(Stored.gzip(text)) == text)
    #expect(try Inflate.decompress(Stored.zlib(text)) == text)
    #expect(try Inflate.decompress(text) == text)
    #expect(try Inflate.decompress([]) == [])
  }

  @Test func membersOfAGzipFileAreJoined() throws {
    #expect(try Inflate.decompress(Stored.gzip(text) + Stored.gzip([1, 2, 3])) == text + [1, 2, 3])
  }

  @Test func theLimitHoldsAndIsNamed() throws {
    for packed in [Stored.gzip(text), Stored.zlib(text), text] {
      #expect(try Inflate.decompress(packed, limit: text.count).count == text.count)
      #expect { try Inflate.decompress(packed, limit: text.count - 1) } throws: {
        ($0 as? NeatError)?.code == .limitExceeded && ($0 as? NeatError)?.message.contains("99999") == true
      }
    }
  }

  @Test func damagedDataThrow() {
    var broken = Stored.gzip(text)
    broken[70_000] ^= 1
    for bytes in [broken, Array(Stored.gzip(text).dropLast(5)), Array(Stored.zlib(text).prefix(3000))] {
      #expect { try Inflate.decompress(bytes) } throws: { ($0 as? NeatError)?.code == .tile }
    }
  }

  /// The format that the first bytes announce and the length that the last ones do are guesses: mutants come out within
  /// the limit, or fail, and take no more of a budget than a few times the limit.
  @Test func mutantsNeitherPassTheLimitNorKeepMemory() {
    var random = TestRandom(7)
    let budget = MemoryBudget(limit: 8 << 16)
    let sources = [
      Stored.gzip(Array(text[..<9000])), Stored.zlib(Array(text[..<9000])), Array(text[..<9000]),
    ]
    for round in 0..<fuzzRounds(24_000) {
      var bytes = sources[round % sources.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes, &random) }
      if round % 5 == 0, bytes.count > 4 {
        bytes.replaceSubrange((bytes.count - 4)..., with: [0xff, 0xff, 0xff, UInt8(round & 0xff)])
      }
      do throws(NeatError) {
        #expect(try Inflate.decompress(bytes, limit: 1 << 16, memory: budget).count <= 1 << 16)
      } catch {
        #expect(error.code == .tile || error.code == .limitExceeded)
      }
      #expect(budget.held == 0)
    }
  }

  @Test func unpackingIsTakenFromABudget() throws {
    let packed = Stored.gzip(text)
    #expect(try Inflate.decompress(packed, memory: MemoryBudget(limit: UInt64(2 * text.count))) == text)
    let error = #expect(throws: NeatError.self) {
      try Inflate.decompress(packed, memory: MemoryBudget(limit: UInt64(text.count - 1)))
    }
    #expect(error?.code == .outOfMemory)
  }

  @Test func aPackedTileIsDecoded() throws {
    let tile = Proto.tile([Proto.feature(geometry: [9, 2, 2])])
    #expect(try decodeMVT(Stored.gzip(tile)).layers[0].featureCount == 1)
    #expect(try decodeMVT(Stored.zlib(tile)).layers[0].featureCount == 1)
  }
}
