import NeatBase
import NeatTile
import Testing

/// Bytes from hexadecimal digits.
func hex(_ text: String) -> [UInt8] {
  let digits = Array(text.utf8).map { $0 > 96 ? $0 - 87 : $0 - 48 }
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

@Suite struct CompressionTests {
  private let text = Array("neatline neatline neatline".utf8)
  /// The text, packed by zstd 1.5 and brotli 1.0.
  private let zstd = hex("28b52ffd201a7d0000486e6561746c696e652001009ccb11")
  private let brotli = hex("1b1900f88d94a9e35b8384b9d1c9b234b6d0271878fc02")
  /// 1 MiB of zeros.
  private let zstdZeros = hex(
    "28b52ffda0000010004c000008000100fcff39100202001000020010000200100002001000020010000200100003001000")
  private let brotliZeros = hex("5bffff8f7f02201e0b0472ef1f00")

  @Test func zstdAndBrotliAreUnpackedWhereTheArchiveSaysSo() throws {
    #expect(try Compression.zstd.decompress(zstd) == text)
    #expect(try Compression.brotli.decompress(brotli) == text)
    #expect(try Compression.zstd.decompress(zstd + zstd) == text + text)
    // By content alone they are not known, and stay as they are.
    #expect(try Compression.byContent.decompress(zstd) == zstd)
    #expect(try Compression.byContent.decompress(Stored.gzip(text)) == text)
    #expect(try Compression.none.decompress(Stored.gzip(text)) == Stored.gzip(text))
  }

  @Test func namesOfMetadataAreUnderstood() {
    #expect(
      Compression(name: "zstd") == .zstd && Compression(name: "BR") == .brotli
        && Compression(name: "brotli") == .brotli)
    #expect(Compression(name: "gzip") == .byContent && Compression(name: "") == .byContent)
  }

  @Test func bombsEndAtTheLimit() throws {
    for (compression, bomb) in [(Compression.zstd, zstdZeros), (.brotli, brotliZeros)] {
      #expect(try compression.decompress(bomb, limit: 1 << 20) == [UInt8](repeating: 0, count: 1 << 20))
      for limit in [(1 << 20) - 1, 1000, 0] {
        #expect { try compression.decompress(bomb, limit: limit) } throws: {
          ($0 as? NeatError)?.code == .limitExceeded
        }
      }
    }
    // A frame that wants a window of 256 MiB.
    let wide = hex("28b52ffd00907c0000486e6561746c696e652001009ccb11450000000200a0009a2710")
    #expect { try Compression.zstd.decompress(wide) } throws: { ($0 as? NeatError)?.code == .tile }
  }

  @Test func damagedDataThrowWithTheirByte() {
    for (compression, packed) in [(Compression.zstd, zstd), (.brotli, brotli)] {
      for bytes in [[], Array(packed.dropLast(3)), Array(repeating: 0xff, count: 40)] as [[UInt8]] {
        #expect { try compression.decompress(bytes) } throws: {
          ($0 as? NeatError)?.code == .tile && ($0 as? NeatError)?.offset != nil
        }
      }
    }
  }

  @Test func mutatedDataNeverCrash() {
    var random = TestRandom(11)
    for (compression, packed) in [
      (Compression.zstd, zstd), (.brotli, brotli), (.zstd, zstdZeros), (.brotli, brotliZeros),
    ] {
      for _ in 0..<1000 {
        var bytes = packed
        for _ in 0..<2 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if let result = try? compression.decompress(bytes, limit: 1 << 16) {
          #expect(result.count <= 1 << 16)
        }
      }
    }
  }

  @Test func packingComesBackAndRepeats() throws {
    let packer = try GzipPacker()
    for bytes in [[], text, [UInt8](repeating: 7, count: 100_000)] {
      let packed = packer.pack(bytes)
      #expect(packed == packer.pack(bytes))
      #expect(try Inflate.decompress(packed) == bytes)
    }
  }
}
