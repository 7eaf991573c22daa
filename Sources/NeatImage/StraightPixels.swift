import NeatBase

/// Pixels whose colours are divided by their alpha, as files keep them. Throws `outOfMemory`. The caller
/// frees them.
func straightPixels(_ rows: PixelRows) throws(NeatError) -> UnsafeMutablePointer<UInt32> {
  let copy = try pixelMemory(rows.count)
  unpremultiply(rows, into: copy)
  return copy
}

/// Writes rows without padding.
func unpremultiply(_ rows: PixelRows, into out: UnsafeMutablePointer<UInt32>) {
  // Pictures have long runs of one colour.
  var last: UInt32 = 0
  var lastStraight: UInt32 = 0
  for y in 0..<rows.height {
    let row = rows.row(y)
    for x in 0..<rows.width {
      let pixel = row[x]
      if pixel != last {
        last = pixel
        lastStraight = unpremultiplied(pixel)
      }
      out[y * rows.width + x] = lastStraight
    }
  }
}

/// Premultiplied pixels laid over white: opaque ones. Throws `outOfMemory`. The caller frees them.
func pixelsOverWhite(_ rows: PixelRows) throws(NeatError) -> UnsafeMutablePointer<UInt32> {
  let copy = try pixelMemory(rows.count)
  for i in 0..<rows.count {
    let pixel = rows.row(i / rows.width)[i % rows.width]
    let white = 255 - (pixel >> 24)
    // Colours are at most alpha in a well-made picture; the clamp is for those of callers.
    let r = min(255, (pixel & 0xFF) + white)
    let g = min(255, (pixel >> 8 & 0xFF) + white)
    let b = min(255, (pixel >> 16 & 0xFF) + white)
    copy[i] = r | g << 8 | b << 16 | 0xFF00_0000
  }
  return copy
}

/// Memory that may be refused, unlike that of Swift's own allocations.
private func pixelMemory(_ count: Int) throws(NeatError) -> UnsafeMutablePointer<UInt32> {
  guard let memory = malloc(count * 4) else {
    throw NeatError(.outOfMemory, "no memory for a picture of \(count) pixels")
  }
  return memory.bindMemory(to: UInt32.self, capacity: count)
}
