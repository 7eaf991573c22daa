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
  var isWhole = false
  let pixels = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    isWhole = WebPDecodeRGBAInto(bytes, bytes.count, buffer.baseAddress, size, Int32(width * 4)) != nil
    count = isWhole ? size : 0
  }
  guard isWhole else { throw NeatError(.image, "WebP image is broken or cut short") }
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
