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
/// Deterministic, on any number of threads.
///
/// - Parameters:
///   - rows: of fewer than 2^24 pixels an edge.
///   - premultiplied: whether colours are multiplied by alpha; they are divided by it, because PNG keeps them
///     straight.
///   - executor: whose threads work on it in mode `fast`.
package func encodePNG(
  _ rows: PixelRows, premultiplied: Bool, mode: PNGMode = .fast, executor: Executor = .inline
) -> [UInt8] {
  let (width, height) = (rows.width, rows.height)
  precondition(width < 1 << 24 && height < 1 << 24)
  var source = rows
  var straight: UnsafeMutablePointer<UInt32>?
  defer { straight?.deallocate() }
  let isOpaque = rows.isOpaque
  if premultiplied && !isOpaque {
    let copy = UnsafeMutablePointer<UInt32>.allocate(capacity: rows.count)
    unpremultiply(rows, into: copy)
    source = PixelRows(copy, width: width, height: height)
    straight = copy
  }
  let palette = Palette(source)
  let layout = Layout(width: width, height: height, palette: palette, isOpaque: isOpaque)
  var out: [UInt8] = []
  writeHeaderChunks(layout, palette, into: &out)
  // Rows that no filter is to be applied to are packed as the file has them, behind a 0 each.
  let isUnfiltered = mode == .fast && (palette != nil || isMostlyFlat(source))
  let strips = PNGStrips(height: height, rowBytes: layout.rowBytes + (isUnfiltered ? 1 : 0))
  writeChunk("IDAT", into: &out) { out in
    if isUnfiltered, layout.pixelBytes == 3, Cells.fits(width: width, rows: strips.rows(0).count) {
      nonisolated(unsafe) let pixels = source
      writeZlib(strips, executor, into: &out) { strip in
        DeflatedStrip(pixels, strips.rows(strip), isLast: strip == strips.count - 1)
      }
    } else {
      writePacked(source, layout, palette, mode, isUnfiltered: isUnfiltered, strips, executor, into: &out)
    }
  }
  writeChunk("IEND", into: &out) { _ in }
  return out
}

/// The compressed rows of a picture, by way of rows as the file has them.
private func writePacked(
  _ source: PixelRows, _ layout: Layout, _ palette: Palette?, _ mode: PNGMode, isUnfiltered: Bool,
  _ strips: PNGStrips, _ executor: Executor, into out: inout [UInt8]
) {
  let stride = layout.rowBytes + (isUnfiltered ? 1 : 0)
  let packed = UnsafeMutablePointer<UInt8>.allocate(capacity: stride * layout.height + 64)
  defer { packed.deallocate() }
  // 16 bytes of lead and tail: filters and wide stores may touch them.
  packed.initialize(repeating: 0, count: 16)
  let start = packed + 16
  // Each strip writes rows of its own.
  nonisolated(unsafe) let (pixels, target) = (source, start)
  executor.forEach(strips.count) { strip in
    pack(pixels, layout, palette, into: target, stride: stride, strips.rows(strip))
  }
  (start + stride * layout.height).initialize(repeating: 0, count: 16)
  let rows = PackedRows(
    bytes: start, rowBytes: layout.rowBytes, height: layout.height, pixelBytes: layout.pixelBytes)
  if isUnfiltered {
    fastZlib(
      start, stride * layout.height, pixelBytes: layout.pixelBytes, rowBytes: stride, strips, executor,
      into: &out)
  } else if mode == .fast {
    compressFast(rows, strips, executor, into: &out)
  } else {
    compressSmall(rows, isPalette: palette != nil, into: &out)
  }
}

/// Bytes that `encodePNG` may need for a picture, its result included. Opaque pixels as cells, with what is
/// found in them, are 21, on as many threads as there are strips; their codes are 6 before they are joined to 3.
/// Others are 4 divided by alpha, 4 as the file has them, 4 filtered, and 8 compressed twice.
package func pngEncodingBytes(width: Int, height: Int) -> Int { 30 * width * height }

/// The same for a picture in memory.
package func encodePNG(_ image: PixelImage, mode: PNGMode = .fast) -> [UInt8] {
  image.pixels.withUnsafeBytes { bytes in
    // Array storage is aligned to 16 bytes.
    let pixels = bytes.baseAddress!.assumingMemoryBound(to: UInt32.self)
    return encodePNG(
      PixelRows(pixels, width: image.width, height: image.height), premultiplied: image.isPremultiplied,
      mode: mode)
  }
}

/// Rows of a picture that are packed, filtered and compressed by themselves. How many there are depends on the
/// picture alone.
struct PNGStrips: Sendable {
  let height: Int
  private let stripRows: Int

  init(height: Int, rowBytes: Int) {
    self.height = height
    let count = max(1, (height * rowBytes + PNGStrips.stripBytes / 2) / PNGStrips.stripBytes)
    stripRows = max(1, (height + count - 1) / count)
  }

  /// Bytes of a strip, about: a picture of 512 x 512 has 8. What each costs in bytes is a table of codes, and that it
  /// knows no colours of the strips above but those of the row next to it.
  private static let stripBytes = 98304

  var count: Int { (height + stripRows - 1) / stripRows }

  func rows(_ strip: Int) -> Range<Int> { strip * stripRows..<min(height, (strip + 1) * stripRows) }
}

/// Whether at least one of five pixels repeats its left neighbour, on a sample of the rows: filters then make more of
/// a picture than they save.
private func isMostlyFlat(_ rows: PixelRows) -> Bool {
  var same = 0
  var seen = 0
  for y in stride(from: 0, to: rows.height, by: max(1, rows.height / 24)) {
    let pixels = rows.row(y)
    let row = UnsafeRawPointer(pixels)
    var equal = SIMD8<UInt32>.zero
    var x = 1
    while x &+ 8 <= rows.width {
      let here = row.loadUnaligned(fromByteOffset: 4 &* x, as: SIMD8<UInt32>.self)
      let left = row.loadUnaligned(fromByteOffset: 4 &* x &- 4, as: SIMD8<UInt32>.self)
      equal &+= SIMD8<UInt32>.zero.replacing(with: 1, where: here .== left)
      x &+= 8
    }
    same += Int(equal.wrappedSum())
    while x < rows.width {
      same += pixels[x] == pixels[x &- 1] ? 1 : 0
      x &+= 1
    }
    seen += rows.width - 1
  }
  return same * 5 >= seen
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

/// The colours of a picture that has at most 256, in the order in which they were found, and an open hash table
/// from colour to index.
private struct Palette {
  private(set) var colors: [UInt32] = []
  private(set) var keys = [UInt32](repeating: 0, count: 1024)
  private(set) var indices = [UInt16](repeating: 0xFFFF, count: 1024)

  static func slot(_ color: UInt32) -> Int { Int((color &* 0x9E37_79B1) >> 22) }

  init?(_ rows: PixelRows) {
    // Rows far apart first: a picture of many colours shows that soon.
    for first in 0..<min(Palette.spread, rows.height) {
      for y in stride(from: first, to: rows.height, by: Palette.spread) {
        guard add(rows.row(y), rows.width) else { return nil }
      }
    }
  }

  private static let spread = 16

  /// False where there are too many.
  private mutating func add(_ row: UnsafePointer<UInt32>, _ width: Int) -> Bool {
    var last = ~row[0]
    for x in 0..<width where row[x] != last {
      last = row[x]
      var slot = Palette.slot(last)
      while indices[slot] != 0xFFFF && keys[slot] != last { slot = (slot + 1) & 1023 }
      if indices[slot] == 0xFFFF {
        if colors.count == 256 { return false }
        assert(colors.count < 256, "an index is a byte")
        keys[slot] = last
        indices[slot] = UInt16(colors.count)
        colors.append(last)
      }
    }
    return true
  }

  func index(_ color: UInt32) -> UInt8 {
    var slot = Palette.slot(color)
    while keys[slot] != color || indices[slot] == 0xFFFF { slot = (slot + 1) & 1023 }
    return UInt8(truncatingIfNeeded: indices[slot])
  }
}

/// Rows of `stride` bytes: those of the layout, behind a 0 where there is one byte more.
private func pack(
  _ source: PixelRows, _ layout: Layout, _ palette: Palette?, into out: UnsafeMutablePointer<UInt8>,
  stride: Int, _ rows: Range<Int>
) {
  assert(layout.rowBytes * 8 >= layout.width * max(layout.indexBits, 1), "a row holds its pixels")
  assert(stride == layout.rowBytes || stride == layout.rowBytes + 1, "rows of another layout")
  let lead = stride - layout.rowBytes
  if let palette { return packIndices(source, layout, palette, into: out, stride: stride, rows) }
  for y in rows {
    let row = source.row(y)
    let target = UnsafeMutableRawPointer(out + y * stride + lead)
    if lead > 0 { out[y * stride] = 0 }
    if layout.pixelBytes == 3 {
      // A store of four bytes writes one of the next pixel. The last one's would be the next strip's.
      let last = layout.width - 1
      for x in 0..<last {
        target.storeBytes(of: row[x].littleEndian, toByteOffset: 3 &* x, as: UInt32.self)
      }
      for byte in 0..<3 {
        target.storeBytes(
          of: UInt8(truncatingIfNeeded: row[last] >> UInt32(8 * byte)), toByteOffset: 3 * last + byte,
          as: UInt8.self)
      }
    } else {
      target.copyMemory(from: row, byteCount: 4 * layout.width)
    }
  }
}

private func packIndices(
  _ source: PixelRows, _ layout: Layout, _ palette: Palette, into out: UnsafeMutablePointer<UInt8>,
  stride: Int, _ rows: Range<Int>
) {
  var last = source.row(rows.lowerBound)[0]
  var index = palette.index(last)
  for y in rows {
    let row = source.row(y)
    let target = out + y * stride + (stride - layout.rowBytes)
    if stride > layout.rowBytes { out[y * stride] = 0 }
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

private func compressFast(
  _ rows: PackedRows, _ strips: PNGStrips, _ executor: Executor, into out: inout [UInt8]
) {
  let size = (rows.rowBytes + 1) * rows.height
  let filtered = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 16)
  defer { filtered.deallocate() }
  nonisolated(unsafe) let (all, target) = (rows, filtered)
  executor.forEach(strips.count) { strip in
    filterRows(all, strips.rows(strip), adaptive: true, everyByte: false, into: target)
  }
  (filtered + size).initialize(repeating: 0, count: 16)
  fastZlib(
    filtered, size, pixelBytes: rows.pixelBytes, rowBytes: rows.rowBytes + 1, strips, executor, into: &out)
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
    filterRows(rows, 0..<rows.height, adaptive: adaptive, everyByte: true, into: filtered)
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
