import CTurboJPEG
import NeatBase

/// Pixels along an edge of a JPEG.
package let maxJPEGSide = 65500

/// Encodes a picture as JPEG (baseline). What lets something through is laid over white, because JPEG has no
/// alpha. Deterministic.
///
/// - Parameters:
///   - rows: premultiplied.
///   - quality: 1 to 100. From 90 on colours keep their full resolution, below one sample stands for 2 × 2
///     pixels.
/// - Throws: `limitExceeded` past 65500 pixels an edge, `outOfMemory`.
package func encodeJPEG(_ rows: PixelRows, quality: Int)
  throws(NeatError) -> [UInt8]
{
  precondition((1...100).contains(quality))
  let (width, height) = (rows.width, rows.height)
  guard width <= maxJPEGSide, height <= maxJPEGSide else {
    throw NeatError(
      .limitExceeded, "JPEG has at most \(maxJPEGSide) pixels an edge, the picture is \(width)x\(height)")
  }
  let opaque = rows.isOpaque ? nil : try pixelsOverWhite(rows)
  defer { free(opaque) }
  guard let encoder = tjInitCompress() else {
    throw NeatError(.outOfMemory, "no memory for the JPEG encoder")
  }
  defer { tjDestroy(encoder) }
  var file: UnsafeMutablePointer<UInt8>?
  var size: UInt = 0
  defer { tjFree(file) }
  let source = UnsafeRawPointer(opaque.map { UnsafePointer($0) } ?? rows.start).assumingMemoryBound(
    to: UInt8.self)
  let subsampling = Int32(quality >= 90 ? TJSAMP_444.rawValue : TJSAMP_420.rawValue)
  let status = tjCompress2(
    encoder, source, Int32(width), Int32(4 * (opaque == nil ? rows.stride : width)), Int32(height),
    Int32(TJPF_RGBX.rawValue), &file, &size, subsampling,
    Int32(quality), 0)
  guard status == 0, let file else {
    throw jpegFailure("the JPEG cannot be made", String(cString: tjGetErrorStr2(encoder)))
  }
  return [UInt8](UnsafeBufferPointer(start: file, count: Int(size)))
}
