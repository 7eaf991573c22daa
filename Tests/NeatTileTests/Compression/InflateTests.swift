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

  @Test func aPackedTileIsDecoded() throws {
    let tile = Proto.tile([Proto.feature(geometry: [9, 2, 2])])
    #expect(try decodeMVT(Stored.gzip(tile)).layers[0].featureCount == 1)
    #expect(try decodeMVT(Stored.zlib(tile)).layers[0].featureCount == 1)
  }
}
