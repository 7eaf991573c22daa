import NeatBase

/// Pixels whose colours are divided by their alpha, as files keep them. Throws `outOfMemory`. The caller
/// frees them.
func straightPixels(_ pixels: UnsafePointer<UInt32>, _ count: Int) throws(NeatError) -> UnsafeMutablePointer<
  UInt32
> {
  let copy = try pixelMemory(count)
  unpremultiply(pixels, count, into: copy)
  return copy
}

func unpremultiply(_ pixels: UnsafePointer<UInt32>, _ count: Int, into out: UnsafeMutablePointer<UInt32>) {
  // Pictures have long runs of one colour.
  var last: UInt32 = 0
  var lastStraight: UInt32 = 0
  for i in 0..<count {
    let pixel = pixels[i]
    if pixel != last {
      last = pixel
      lastStraight = unpremultiplied(pixel)
    }
    out[i] = lastStraight
  }
}

/// Premultiplied pixels laid over white: opaque ones. Throws `outOfMemory`. The caller frees them.
func pixelsOverWhite(_ pixels: UnsafePointer<UInt32>, _ count: Int) throws(NeatError) -> UnsafeMutablePointer<
  UInt32
> {
  let copy = try pixelMemory(count)
  for i in 0..<count {
    let pixel = pixels[i]
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
