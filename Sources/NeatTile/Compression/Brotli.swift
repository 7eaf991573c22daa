import CBrotli
import NeatBase

/// Unpacking of brotli streams (RFC 7932); the only place that calls libbrotlidec.
enum Brotli {
  /// Throws `limitExceeded` when the result is longer than `limit` bytes, `tile` when the data are damaged.
  static func decompress(_ bytes: [UInt8], limit: Int) throws(NeatError) -> [UInt8] {
    guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else {
      throw NeatError(.outOfMemory, "no memory to unpack data")
    }
    defer { BrotliDecoderDestroyInstance(state) }
    let growth = try BoundedBytes(limit: limit, guess: bytes.count)
    var failure: NeatError?
    bytes.withUnsafeBufferPointer { source in
      var inputLeft = source.count
      var input = source.baseAddress
      while true {
        if let fault = growth.makeRoom() {
          failure = fault
          return
        }
        let room = growth.free
        var outputLeft = room.count
        var output = room.baseAddress
        let result = BrotliDecoderDecompressStream(state, &inputLeft, &input, &outputLeft, &output, nil)
        growth.advance(room.count - outputLeft)
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS: return
        case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
        default:
          let word = result == BROTLI_DECODER_RESULT_ERROR ? "damaged" : "cut short"
          failure = NeatError(.tile, "brotli data are \(word)", offset: source.count - inputLeft)
          return
        }
      }
    }
    if let failure { throw failure }
    return try growth.finish()
  }
}
