import CWebP
import NeatBase

/// Pixels along an edge of a WebP.
package let maxWebPSide = Int(WEBP_MAX_DIMENSION)

/// Encodes a picture as WebP, with alpha. Deterministic.
///
/// - Parameters:
///   - rows: premultiplied.
///   - quality: 1 to 99, or 100 for every pixel as it is (lossless).
/// - Throws: `limitExceeded` past 16383 pixels an edge, `outOfMemory`.
package func encodeWebP(_ rows: PixelRows, quality: Int)
  throws(NeatError) -> [UInt8]
{
  precondition((1...100).contains(quality))
  let (width, height) = (rows.width, rows.height)
  guard width <= maxWebPSide, height <= maxWebPSide else {
    throw NeatError(
      .limitExceeded, "WebP has at most \(maxWebPSide) pixels an edge, the picture is \(width)x\(height)")
  }
  var config = WebPConfig()
  var picture = WebPPicture()
  guard WebPConfigInit(&config) != 0, WebPPictureInit(&picture) != 0 else {
    throw NeatError(.unsupported, "libwebp is of another version than it was built with")
  }
  if quality == 100 {
    // Level 2 of 9: within some per cent of the smallest, at a tenth of the time.
    WebPConfigLosslessPreset(&config, 2)
    picture.use_argb = 1
  } else {
    config.quality = Float(quality)
    config.method = 3
  }
  picture.width = Int32(width)
  picture.height = Int32(height)
  defer { WebPPictureFree(&picture) }
  let straight = rows.isOpaque ? nil : try straightPixels(rows)
  defer { free(straight) }
  let source = UnsafeRawPointer(straight.map { UnsafePointer($0) } ?? rows.start).assumingMemoryBound(
    to: UInt8.self)
  guard WebPPictureImportRGBA(&picture, source, Int32(4 * (straight == nil ? rows.stride : width))) != 0
  else {
    throw failure(picture.error_code)
  }
  var writer = WebPMemoryWriter()
  WebPMemoryWriterInit(&writer)
  defer { WebPMemoryWriterClear(&writer) }
  picture.writer = { WebPMemoryWrite($0, $1, $2) }
  let isWritten = withUnsafeMutablePointer(to: &writer) { writer in
    picture.custom_ptr = UnsafeMutableRawPointer(writer)
    return WebPEncode(&config, &picture) != 0
  }
  guard isWritten, let file = writer.mem else { throw failure(picture.error_code) }
  return [UInt8](UnsafeBufferPointer(start: file, count: writer.size))
}

private func failure(_ code: WebPEncodingError) -> NeatError {
  switch code {
  // The file is written to memory, so that only memory can be refused to it. Some of what libwebp lacks memory for it
  // gives no code.
  case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY, VP8_ENC_ERROR_BAD_WRITE,
    VP8_ENC_OK:
    NeatError(.outOfMemory, "no memory for the WebP encoder")
  default: NeatError(.image, "the WebP cannot be made: error \(code.rawValue) of libwebp")
  }
}
