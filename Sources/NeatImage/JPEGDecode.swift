import CTurboJPEG
import NeatBase

/// Reads a JPEG through libjpeg-turbo. CMYK files are taken to be inverted, as every writer of them does.
func decodeJPEG(_ bytes: [UInt8], _ limits: ImageLimits) throws(NeatError) -> RawImage {
  guard let decoder = tjInitDecompress() else {
    throw NeatError(.outOfMemory, "no memory for the JPEG decoder")
  }
  defer { tjDestroy(decoder) }
  var width: Int32 = 0
  var height: Int32 = 0
  var subsampling: Int32 = 0
  var colorspace: Int32 = 0
  guard
    tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &subsampling, &colorspace) == 0
  else {
    throw jpegFailure("JPEG image is broken", message(decoder))
  }
  let isCMYK = colorspace == Int32(TJCS_CMYK.rawValue) || colorspace == Int32(TJCS_YCCK.rawValue)
  // Of a progressive picture the library keeps all coefficients, two bytes each.
  let components = isCMYK ? 4 : colorspace == Int32(TJCS_GRAY.rawValue) ? 1 : 3
  let hold = try limits.admit(Int(width), Int(height), format: "JPEG", working: 2 * components)
  let format = Int32(isCMYK ? TJPF_CMYK.rawValue : TJPF_RGBA.rawValue)
  let size = Int(width) * Int(height) * 4
  var status: Int32 = 0
  var pixels = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
    // LIMITSCANS: a small progressive file cannot ask for thousands of passes.
    status = tjDecompress2(
      decoder, bytes, UInt(bytes.count), buffer.baseAddress, width, 0, height, format, TJFLAG_LIMITSCANS)
    count = size
  }
  if status != 0 {
    let text = message(decoder)
    // Warnings leave a whole picture (stray bytes between markers), except the one that says that data is
    // missing.
    let isHarmless =
      tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue) && !text.contains("Premature end")
    guard isHarmless else { throw jpegFailure("JPEG image is broken", text) }
  }
  if isCMYK { convertCMYK(&pixels) }
  return RawImage(width: Int(width), height: Int(height), isOpaque: true, pixels: pixels, hold: hold)
}

/// libjpeg-turbo tells a lack of memory by its words alone: its own, and those of libjpeg below it.
func jpegFailure(_ what: String, _ words: String) -> NeatError {
  let isMemory = words.contains("Insufficient memory") || words.contains("emory allocation failure")
  return NeatError(isMemory ? .outOfMemory : .image, "\(what): \(words)")
}

private func message(_ decoder: tjhandle) -> String { String(cString: tjGetErrorStr2(decoder)) }

/// Inverted CMYK to RGBA, without a colour profile: r = c × k.
private func convertCMYK(_ pixels: inout [UInt8]) {
  for i in stride(from: 0, to: pixels.count, by: 4) {
    let k = UInt32(pixels[i + 3])
    for channel in 0..<3 { pixels[i + channel] = UInt8((UInt32(pixels[i + channel]) * k + 127) / 255) }
    pixels[i + 3] = 255
  }
}
