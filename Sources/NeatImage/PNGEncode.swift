import CDeflate
import NeatBase

/// How hard `encodePNG` tries.
package enum PNGMode: Sendable {
  /// For tiles made on demand: one pass of a compressor made for flat pictures.
  case fast
  /// For tiles that are kept: libdeflate at level 9 over the better of two filterings.
  case small
}

/// Encodes a picture as PNG: palette when it has at most 256 colours, RGB when it is opaque, else RGBA.
/// Deterministic.
///
/// - Parameters:
///   - pixels: `width` × `height` pixels, R in the lowest byte, rows from the top without padding.
///   - premultiplied: whether colours are multiplied by alpha; they are divided by it, because PNG keeps them
///     straight.
///   - width, height: at least 1.
package func encodePNG(
  pixels: UnsafePointer<UInt32>, premultiplied: Bool, width: Int, height: Int, mode: PNGMode = .fast
) -> [UInt8] {
  precondition(width > 0 && height > 0 && width < 1 << 24 && height < 1 << 24)
  let count = width * height
  var source = pixels
  var straight: UnsafeMutablePointer<UInt32>?
  defer { straight?.deallocate() }
  let isOpaque = allOpaque(pixels, count)
  if premultiplied && !isOpaque {
    let copy = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    unpremultiply(pixels, count, into: copy)
    source = UnsafePointer(copy)
    straight = copy
  }
  let palette = Palette(source, count)
  let layout = Layout(width: width, height: height, palette: palette, isOpaque: isOpaque)
  var out: [UInt8] = []
  writeHeaderChunks(layout, palette, into: &out)
  let packed = UnsafeMutablePointer<UInt8>.allocate(capacity: layout.rowBytes * height + 64)
  defer { packed.deallocate() }
  packed.initialize(repeating: 0, count: 16)
  // 16 bytes of lead and tail: filters and wide stores may touch them.
  pack(source, layout, palette, into: packed + 16)
  let rows = PackedRows(
    bytes: packed + 16, rowBytes: layout.rowBytes, height: height, pixelBytes: layout.pixelBytes)
  let isFlat = palette != nil || isMostlyFlat(source, width, height)
  writeChunk("IDAT", into: &out) { out in
    switch mode {
    case .fast: compressFast(rows, isFlat: isFlat, into: &out)
    case .small: compressSmall(rows, isPalette: palette != nil, into: &out)
    }
  }
  writeChunk("IEND", into: &out) { _ in }
  return out
}

/// Bytes that `encodePNG` may need for a picture, its result included: colours divided by alpha, rows as the
/// file has them, the same filtered, and two compressed ones.
package func pngEncodingBytes(width: Int, height: Int) -> Int { 20 * width * height }

/// The same for a picture in memory.
package func encodePNG(_ image: PixelImage, mode: PNGMode = .fast) -> [UInt8] {
  image.pixels.withUnsafeBytes { bytes in
    // Array storage is aligned to 16 bytes.
    let pixels = bytes.baseAddress!.assumingMemoryBound(to: UInt32.self)
    return encodePNG(
      pixels: pixels, premultiplied: image.isPremultiplied, width: image.width, height: image.height,
      mode: mode)
  }
}

func allOpaque(_ pixels: UnsafePointer<UInt32>, _ count: Int) -> Bool {
  var i = 0
  while i < count {
    var all: UInt32 = 0xFF00_0000
    let end = min(i + 4096, count)
    while i < end {
      all &= pixels[i]
      i += 1
    }
    if all != 0xFF00_0000 { return false }
  }
  return true
}

/// Whether at least two of five pixels repeat their left neighbour, on a sample of the rows.
private func isMostlyFlat(_ pixels: UnsafePointer<UInt32>, _ width: Int, _ height: Int) -> Bool {
  var same = 0
  var seen = 0
  for y in stride(from: 0, to: height, by: max(1, height / 64)) {
    let row = pixels + y * width
    var equal = 0
    for x in 1..<max(width, 1) where row[x] == row[x - 1] { equal += 1 }
    same += equal
    seen += width - 1
  }
  return same * 5 >= seen * 2
}

/// What a row of the file looks like.
private struct Layout {
  let width: Int
  let height: Int
  /// Bits of a palette index (1, 2, 4 or 8); 0 without palette.
  let indexBits: Int
  let pixelBytes: Int
  let rowBytes: Int
  let colorType: UInt8

  init(width: Int, height: Int, palette: Palette?, isOpaque: Bool) {
    self.width = width
    self.height = height
    if let palette {
      indexBits =
        palette.colors.count <= 2 ? 1 : palette.colors.count <= 4 ? 2 : palette.colors.count <= 16 ? 4 : 8
      pixelBytes = 1
      rowBytes = (width * indexBits + 7) / 8
      colorType = 3
    } else {
      indexBits = 0
      pixelBytes = isOpaque ? 3 : 4
      rowBytes = width * pixelBytes
      colorType = isOpaque ? 2 : 6
    }
  }
}

/// The colours of a picture that has at most 256, in order of appearance, and an open hash table from colour
/// to index.
private struct Palette {
  private(set) var colors: [UInt32] = []
  private(set) var keys = [UInt32](repeating: 0, count: 1024)
  private(set) var indices = [UInt16](repeating: 0xFFFF, count: 1024)

  static func slot(_ color: UInt32) -> Int { Int((color &* 0x9E37_79B1) >> 22) }

  init?(_ pixels: UnsafePointer<UInt32>, _ count: Int) {
    var last = ~pixels[0]
    for i in 0..<count where pixels[i] != last {
      last = pixels[i]
      var slot = Palette.slot(last)
      while indices[slot] != 0xFFFF && keys[slot] != last { slot = (slot + 1) & 1023 }
      if indices[slot] == 0xFFFF {
        if colors.count == 256 { return nil }
        assert(colors.count < 256, "an index is a byte")
        keys[slot] = last
        indices[slot] = UInt16(colors.count)
        colors.append(last)
      }
    }
  }

  func index(_ color: UInt32) -> UInt8 {
    var slot = Palette.slot(color)
    while keys[slot] != color || indices[slot] == 0xFFFF { slot = (slot + 1) & 1023 }
    return UInt8(truncatingIfNeeded: indices[slot])
  }
}

private func pack(
  _ source: UnsafePointer<UInt32>, _ layout: Layout, _ palette: Palette?,
  into out: UnsafeMutablePointer<UInt8>
) {
  assert(layout.rowBytes * 8 >= layout.width * max(layout.indexBits, 1), "a row holds its pixels")
  let count = layout.width * layout.height
  if let palette {
    packIndices(source, layout, palette, into: out)
  } else if layout.pixelBytes == 3 {
    let target = UnsafeMutableRawPointer(out)
    for i in 0..<count {
      target.storeBytes(of: source[i].littleEndian, toByteOffset: 3 &* i, as: UInt32.self)
    }
  } else {
    UnsafeMutableRawPointer(out).copyMemory(from: source, byteCount: 4 * count)
  }
}

private func packIndices(
  _ source: UnsafePointer<UInt32>, _ layout: Layout, _ palette: Palette, into out: UnsafeMutablePointer<UInt8>
) {
  var last = source[0]
  var index = palette.index(last)
  for y in 0..<layout.height {
    let row = source + y * layout.width
    let target = out + y * layout.rowBytes
    if layout.indexBits == 8 {
      for x in 0..<layout.width {
        if row[x] != last {
          last = row[x]
          index = palette.index(last)
        }
        target[x] = index
      }
      continue
    }
    for x in 0..<layout.rowBytes { target[x] = 0 }
    let perByte = 8 / layout.indexBits
    for x in 0..<layout.width {
      if row[x] != last {
        last = row[x]
        index = palette.index(last)
      }
      let place = x / perByte
      assert(place < layout.rowBytes && index >> UInt8(layout.indexBits) == 0, "an index of too many bits")
      target[place] |= index << UInt8(8 - layout.indexBits * (x - place * perByte + 1))
    }
  }
}

private func compressFast(_ rows: PackedRows, isFlat: Bool, into out: inout [UInt8]) {
  let size = (rows.rowBytes + 1) * rows.height
  let filtered = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 16)
  defer { filtered.deallocate() }
  filterRows(rows, adaptive: !isFlat, everyByte: false, into: filtered)
  (filtered + size).initialize(repeating: 0, count: 16)
  fastZlib(filtered, size, pixelBytes: rows.pixelBytes, rowBytes: rows.rowBytes + 1, into: &out)
}

private func compressSmall(_ rows: PackedRows, isPalette: Bool, into out: inout [UInt8]) {
  let size = (rows.rowBytes + 1) * rows.height
  let filtered = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
  defer { filtered.deallocate() }
  guard let compressor = libdeflate_alloc_compressor(9) else { fatalError("no memory for the compressor") }
  defer { libdeflate_free_compressor(compressor) }
  let bound = libdeflate_zlib_compress_bound(compressor, size)
  var best: [UInt8] = []
  for adaptive in isPalette ? [false] : [false, true] {
    filterRows(rows, adaptive: adaptive, everyByte: true, into: filtered)
    let bytes = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      count = libdeflate_zlib_compress(compressor, filtered, size, buffer.baseAddress, bound)
    }
    if best.isEmpty || bytes.count < best.count { best = bytes }
  }
  out += best
}

private func writeHeaderChunks(_ layout: Layout, _ palette: Palette?, into out: inout [UInt8]) {
  out += [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  writeChunk("IHDR", into: &out) { out in
    appendBigEndian(UInt32(layout.width), to: &out)
    appendBigEndian(UInt32(layout.height), to: &out)
    out += [UInt8(layout.indexBits == 0 ? 8 : layout.indexBits), layout.colorType, 0, 0, 0]
  }
  guard let palette else { return }
  writeChunk("PLTE", into: &out) { out in
    for color in palette.colors {
      out += [
        UInt8(truncatingIfNeeded: color), UInt8(truncatingIfNeeded: color >> 8),
        UInt8(truncatingIfNeeded: color >> 16),
      ]
    }
  }
  if let last = palette.colors.lastIndex(where: { $0 >> 24 != 255 }) {
    writeChunk("tRNS", into: &out) { out in
      for color in palette.colors[...last] { out.append(UInt8(color >> 24)) }
    }
  }
}

/// A chunk: length, name, what `body` appends, checksum.
private func writeChunk(_ name: String, into out: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
  let start = out.count
  out += [0, 0, 0, 0]
  out += name.utf8
  body(&out)
  let length = UInt32(out.count - start - 8)
  for i in 0..<4 { out[start + i] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * i)) }
  let checksum = out.withUnsafeBytes {
    libdeflate_crc32(0, $0.baseAddress! + start + 4, $0.count - start - 4)
  }
  appendBigEndian(checksum, to: &out)
}

private func appendBigEndian(_ value: UInt32, to out: inout [UInt8]) {
  for shift in stride(from: UInt32(24), through: 0, by: -8) {
    out.append(UInt8(truncatingIfNeeded: value >> shift))
  }
}
