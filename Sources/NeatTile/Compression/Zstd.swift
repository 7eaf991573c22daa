import CZstd
import NeatBase

/// Zstandard frames (RFC 8878); the only place that calls libzstd.
package enum Zstd {
  /// Windows of larger frames are refused: 2^26 bytes, as much as the largest tile.
  private static let maxWindowLog: Int32 = 26

  /// All frames of `bytes`, unpacked. Throws `limitExceeded` when that is more than `limit` bytes, `tile`
  /// when the data are damaged.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(NeatError) -> [UInt8] {
    guard let context = ZSTD_createDCtx() else { throw NeatError(.outOfMemory, "no memory to unpack data") }
    defer { ZSTD_freeDCtx(context) }
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, maxWindowLog)
    let growth = try BoundedBytes(limit: limit, guess: bytes.count)
    var failure: NeatError?
    bytes.withUnsafeBytes { source in
      var input = ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
      var left = 1
      while failure == nil, input.pos < input.size || left != 0 {
        if let fault = growth.makeRoom() {
          failure = fault
          return
        }
        var output = ZSTD_outBuffer(dst: growth.free.baseAddress, size: growth.free.count, pos: 0)
        let before = input.pos
        left = ZSTD_decompressStream(context, &output, &input)
        growth.advance(output.pos)
        if ZSTD_isError(left) != 0 {
          let reason = ZSTD_getErrorName(left).map { String(cString: $0) } ?? ""
          failure = NeatError(.tile, "zstd data are damaged: \(reason)", offset: input.pos)
        } else if left != 0, output.pos == 0, input.pos == before {
          failure = NeatError(.tile, "zstd data are cut short", offset: input.pos)
        }
      }
    }
    if let failure { throw failure }
    return try growth.finish()
  }

  /// One frame, packed quickly: for files of our own that are read once.
  package static func compress(_ bytes: UnsafeBufferPointer<UInt8>) throws(NeatError) -> [UInt8] {
    var failed = false
    let packed = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { out, count in
      let result = ZSTD_compress(out.baseAddress, out.count, bytes.baseAddress, bytes.count, 1)
      failed = ZSTD_isError(result) != 0
      count = failed ? 0 : result
    }
    if failed { throw NeatError(.outOfMemory, "no memory to pack data") }
    return packed
  }
}
