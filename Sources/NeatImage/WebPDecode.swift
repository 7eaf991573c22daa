import CWebP
import NeatBase

/// Reads a still WebP, lossy or lossless, through libwebp.
func decodeWebP(_ bytes: [UInt8], _ limits: ImageLimits) throws(NeatError) -> RawImage {
  var features = WebPBitstreamFeatures()
  let status = WebPGetFeatures(bytes, bytes.count, &features)
  guard status == VP8_STATUS_OK else { throw NeatError(.image, "WebP image is broken: \(name(status))") }
  guard features.has_animation == 0 else {
    throw NeatError(.unsupported, "animated WebP images are not read")
  }
  let width = Int(features.width)
  let height = Int(features.height)
  // The library decodes a lossless picture, and the alpha of a lossy one, into memory of its own first.
  let hold = try limits.admit(width, height, format: "WebP", working: 4)
  let size = width * height * 4
  var config = WebPDecoderConfig()
  guard WebPInitDecoderConfig(&config) != 0 else {
    throw NeatError(.unsupported, "another version of libwebp is there than was compiled with")
  }
  var result = VP8_STATUS_OK
  let pixels = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    config.output.colorspace = MODE_RGBA
    config.output.is_external_memory = 1
    config.output.u.RGBA = WebPRGBABuffer(rgba: buffer.baseAddress, stride: Int32(width * 4), size: size)
    result = WebPDecode(bytes, bytes.count, &config)
    // libwebp tells some of what it lacks memory for as damage, which is the same the next time.
    if result != VP8_STATUS_OK, result != VP8_STATUS_OUT_OF_MEMORY {
      result = WebPDecode(bytes, bytes.count, &config)
    }
    count = result == VP8_STATUS_OK ? size : 0
  }
  WebPFreeDecBuffer(&config.output)
  switch result {
  case VP8_STATUS_OK: break
  case VP8_STATUS_OUT_OF_MEMORY: throw NeatError(.outOfMemory, "no memory for the WebP decoder")
  default: throw NeatError(.image, "WebP image is broken or cut short")
  }
  return RawImage(width: width, height: height, isOpaque: features.has_alpha == 0, pixels: pixels, hold: hold)
}

private func name(_ status: VP8StatusCode) -> String {
  switch status {
  case VP8_STATUS_OUT_OF_MEMORY: return "out of memory"
  case VP8_STATUS_BITSTREAM_ERROR: return "bitstream error"
  case VP8_STATUS_UNSUPPORTED_FEATURE: return "unsupported feature"
  case VP8_STATUS_NOT_ENOUGH_DATA: return "not enough data"
  default: return "status \(status.rawValue)"
  }
}
