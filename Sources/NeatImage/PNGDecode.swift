import CSpng
import NeatBase

/// Most bytes that libspng may spend on chunks that are no picture data (text, profiles).
private let maxChunkBytes = 8 << 20

/// Reads a PNG of any colour type and depth through libspng.
func decodePNG(_ bytes: [UInt8], _ limits: ImageLimits) throws(NeatError) -> RawImage {
  guard let context = spng_ctx_new(0) else { throw NeatError(.outOfMemory, "no memory for the PNG decoder") }
  defer { spng_ctx_free(context) }
  var image = RawImage(width: 0, height: 0, isOpaque: false, pixels: [])
  var failure: NeatError?
  // The buffer must stay where it is for all calls: everything happens inside this closure.
  bytes.withUnsafeBytes { source in
    do throws(NeatError) { image = try readPNG(context, source, limits) } catch { failure = error }
  }
  if let failure { throw failure }
  return image
}

private func readPNG(_ context: OpaquePointer, _ source: UnsafeRawBufferPointer, _ limits: ImageLimits)
  throws(NeatError) -> RawImage
{
  try check(spng_set_crc_action(context, Int32(SPNG_CRC_ERROR.rawValue), Int32(SPNG_CRC_USE.rawValue)))
  try check(spng_set_chunk_limits(context, maxChunkBytes, maxChunkBytes))
  try check(spng_set_png_buffer(context, source.baseAddress, source.count))
  var header = spng_ihdr()
  try check(spng_get_ihdr(context, &header))
  let width = Int(header.width)
  let height = Int(header.height)
  // The library keeps two rows.
  let hold = try limits.admit(width, height, format: "PNG", working: 0)
  var size = 0
  let format = Int32(SPNG_FMT_RGBA8.rawValue)
  try check(spng_decoded_image_size(context, format, &size))
  guard size == width * height * 4 else { throw NeatError(.image, "PNG image has an odd decoded size") }
  var status: Int32 = 0
  let pixels = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    status = spng_decode_image(context, buffer.baseAddress, size, format, Int32(SPNG_DECODE_TRNS.rawValue))
    count = status == 0 ? size : 0
  }
  try check(status)
  var transparency = spng_trns()
  let hasAlpha = header.color_type & 4 != 0 || spng_get_trns(context, &transparency) == 0
  return RawImage(width: width, height: height, isOpaque: !hasAlpha, pixels: pixels, hold: hold)
}

private func check(_ status: Int32) throws(NeatError) {
  if status == 0 { return }
  if status == Int32(SPNG_EMEM.rawValue) { throw NeatError(.outOfMemory, "no memory for the PNG image") }
  throw NeatError(.image, "PNG image is broken: \(String(cString: spng_strerror(status)))")
}
