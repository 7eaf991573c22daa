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
///   - draft: what of the same pixels was made before; for mode `fast`.
package func pngFile(
  _ rows: PixelRows, premultiplied: Bool, mode: PNGMode = .fast, executor: Executor = .inline,
  draft: PNGDraft? = nil
) -> GrowingBuffer<UInt8> {
  let (width, height) = (rows.width, rows.height)
  precondition(width < 1 << 24 && height < 1 << 24)
  precondition(draft.map { $0.source.isSame(as: rows) } ?? true, "a draft of another picture")
  // Most are found out to be what most are while they are compressed as such.
  var known: Palette?
  if mode == .fast, let draft = draft ?? PNGDraft(rows) {
    switch draft.file(executor) {
    case .file(let out): return out
    case .palette(let palette): known = palette
    case .other: break
    }
  }
  var source = rows
  var straight: UnsafeMutablePointer<UInt32>?
  defer { straight?.deallocate() }
  let isOpaque = rows.isOpaque
  if premultiplied && !isOpaque {
    let copy = UnsafeMutablePointer<UInt32>.allocate(capacity: rows.count)
    unpremultiply(rows, into: copy)
    source = PixelRows(copy, width: width, height: height)
    straight = copy
    known = nil
  }
  let palette = known ?? Palette(source)
  let layout = PNGLayout(width: width, height: height, palette: palette, isOpaque: isOpaque)
  var out = FileBytes()
  writeHeaderChunks(layout, palette, into: &out)
  // Rows that no filter is to be applied to are packed as the file has them, behind a 0 each.
  let isUnfiltered = mode == .fast && (palette != nil || source.isMostlyFlat)
  let strips = PNGStrips(height: height, rowBytes: layout.rowBytes + (isUnfiltered ? 1 : 0))
  writeImageChunk(into: &out) { out in
    writePacked(source, layout, palette, mode, isUnfiltered: isUnfiltered, strips, executor, into: &out)
  }
  writeChunk("IEND", into: &out) { _ in }
  return out
}

/// The same in an array.
package func encodePNG(
  _ rows: PixelRows, premultiplied: Bool, mode: PNGMode = .fast, executor: Executor = .inline,
  draft: PNGDraft? = nil
) -> [UInt8] {
  let file = pngFile(rows, premultiplied: premultiplied, mode: mode, executor: executor, draft: draft)
  let count = file.count
  let bytes = file.take()
  defer { bytes.deallocate() }
  return Array(UnsafeBufferPointer(start: bytes, count: count))
}

/// The compressed rows of a picture, by way of rows as the file has them; gives their checksum.
private func writePacked(
  _ source: PixelRows, _ layout: PNGLayout, _ palette: Palette?, _ mode: PNGMode, isUnfiltered: Bool,
  _ strips: PNGStrips, _ executor: Executor, into out: inout FileBytes
) -> JoinableCRC {
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
    return fastZlib(
      start, stride * layout.height, pixelBytes: layout.pixelBytes, rowBytes: stride, strips, executor,
      into: &out)
  }
  return mode == .fast
    ? compressFast(rows, strips, executor, into: &out)
    : compressSmall(rows, isPalette: palette != nil, into: &out)
}

/// Bytes that `encodePNG` may need for a picture, its result included. Opaque pixels as cells, with what is
/// found in them, are 21, on as many threads as there are strips (more in strips of a single row, of which few
/// are at work at a time); their codes are 6 before they are joined to 3. Others are 4 divided by alpha, 4 as the
/// file has them, 4 filtered, and 8 compressed twice.
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

/// Rows of `stride` bytes: those of the layout, behind a 0 where there is one byte more.
private func pack(
  _ source: PixelRows, _ layout: PNGLayout, _ palette: Palette?, into out: UnsafeMutablePointer<UInt8>,
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
  _ source: PixelRows, _ layout: PNGLayout, _ palette: Palette, into out: UnsafeMutablePointer<UInt8>,
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
  _ rows: PackedRows, _ strips: PNGStrips, _ executor: Executor, into out: inout FileBytes
) -> JoinableCRC {
  let size = (rows.rowBytes + 1) * rows.height
  let filtered = UnsafeMutablePointer<UInt8>.allocate(capacity: size + 16)
  defer { filtered.deallocate() }
  nonisolated(unsafe) let (all, target) = (rows, filtered)
  executor.forEach(strips.count) { strip in
    filterRows(all, strips.rows(strip), adaptive: true, everyByte: false, into: target)
  }
  (filtered + size).initialize(repeating: 0, count: 16)
  return fastZlib(
    filtered, size, pixelBytes: rows.pixelBytes, rowBytes: rows.rowBytes + 1, strips, executor, into: &out)
}

private func compressSmall(_ rows: PackedRows, isPalette: Bool, into out: inout FileBytes) -> JoinableCRC {
  let size = (rows.rowBytes + 1) * rows.height
  let filtered = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
  defer { filtered.deallocate() }
  let made = MemoryReserve.making { libdeflate_alloc_compressor(9) }
  guard let compressor = made else { fatalError("no memory for the compressor") }
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
  out.append(best)
  return JoinableCRC(best, count: best.count)
}
