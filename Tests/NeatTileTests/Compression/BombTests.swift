import NeatBase
import NeatTile
import Testing

/// A few bytes that stand for gigabytes end at the limit, and take no more memory than it.
@Suite(.serialized) struct BombTests {
  private static let mebibyte = 1 << 20

  /// 4 GiB of zeros: one gzip member of 64 MiB, 64 times.
  private func gzipBomb() throws -> [UInt8] {
    let member = try GzipPacker().pack([UInt8](repeating: 0, count: 64 * BombTests.mebibyte))
    return (0..<64).flatMap { _ in member }
  }

  /// 4 GiB of zeros: blocks of 128 KiB that repeat one byte (RFC 8878, section 3.1.1.2).
  private var zstdBomb: [UInt8] {
    let size: UInt32 = 128 << 10
    let header = size << 3 | 1 << 1
    let block: [UInt8] = [UInt8(header & 255), UInt8(header >> 8 & 255), UInt8(header >> 16), 0]
    let last: [UInt8] = [block[0] | 1] + block.dropFirst()
    return [0x28, 0xb5, 0x2f, 0xfd, 0, 7 << 3] + (0..<32767).flatMap { _ in block } + last
  }

  @Test func gigabytesInAFewBytesEndAtTheLimitWithoutTheirMemory() throws {
    let gzip = try gzipBomb()
    let zstd = zstdBomb
    #expect(gzip.count < 8 * BombTests.mebibyte && zstd.count < BombTests.mebibyte)
    let before = processBytes(.peakMemory)
    try #require(before > 0)
    for limit in [0, 1000, 3 * BombTests.mebibyte, Inflate.defaultLimit] {
      for (compression, bomb) in [(Compression.byContent, gzip), (.zstd, zstd)] {
        #expect { try compression.decompress(bomb, limit: limit) } throws: {
          ($0 as? NeatError)?.code == .limitExceeded
        }
      }
    }
    #expect { try decodeMVT(gzip) } throws: { ($0 as? NeatError)?.code == .limitExceeded }
    #expect { try decodeMLT(gzip) } throws: { ($0 as? NeatError)?.code == .limitExceeded }
    #expect { try gzip.withUnsafeBufferPointer { try OpenTile(copying: $0) } } throws: {
      ($0 as? NeatError)?.code == .limitExceeded
    }
    #expect { try PMTilesDirectory(parsing: gzip) } throws: { ($0 as? NeatError)?.code == .limitExceeded }
    #expect { try PMTilesDirectory(parsing: zstd, packedBy: .zstd) } throws: {
      ($0 as? NeatError)?.code == .limitExceeded
    }
    // The limit and what growing copies, a few times over for the tests that run beside this one; far below
    // the 4 GiB.
    #expect(processBytes(.peakMemory) - before < 1 << 30, "\(processBytes(.peakMemory) - before) bytes more")
  }
}
