// What a PNG file is made of: its signature, and chunks.
import NeatBase

/// Bytes of a file while it is made.
typealias FileBytes = GrowingBuffer<UInt8>

/// What a row of the file looks like.
struct PNGLayout {
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

/// The signature, and the chunks before the picture's.
func writeHeaderChunks(_ layout: PNGLayout, _ palette: Palette?, into out: inout FileBytes) {
  out.append([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  writeChunk("IHDR", into: &out) { out in
    out.append(bigEndian: UInt32(layout.width))
    out.append(bigEndian: UInt32(layout.height))
    out.append([UInt8(layout.indexBits == 0 ? 8 : layout.indexBits), layout.colorType, 0, 0, 0])
  }
  guard let palette else { return }
  writeChunk("PLTE", into: &out) { out in
    for color in palette.colors {
      for shift in [UInt32(0), 8, 16] { out.append(UInt8(truncatingIfNeeded: color >> shift)) }
    }
  }
  if let last = palette.colors.lastIndex(where: { $0 >> 24 != 255 }) {
    writeChunk("tRNS", into: &out) { out in
      for color in palette.colors[...last] { out.append(UInt8(color >> 24)) }
    }
  }
}

/// A chunk: length, name, what `body` appends, checksum.
func writeChunk(_ name: StaticString, into out: inout FileBytes, _ body: (inout FileBytes) -> Void) {
  writeSummed(name, into: &out) { out in
    let start = out.count
    body(&out)
    return JoinableCRC(out.base + start, count: out.count - start)
  }
}

/// The chunk of the compressed rows.
/// - Parameter body: gives the checksum of what it appends.
func writeImageChunk(into out: inout FileBytes, _ body: (inout FileBytes) -> JoinableCRC) {
  writeSummed("IDAT", into: &out, body)
}

private func writeSummed(
  _ name: StaticString, into out: inout FileBytes, _ body: (inout FileBytes) -> JoinableCRC
) {
  let chunk = OpenChunk(name, into: &out)
  let checksum = body(&out)
  chunk.end(checksum, into: &out)
}

/// A chunk that is begun.
struct OpenChunk {
  private let start: Int
  /// Of its name.
  private let checksum: JoinableCRC

  init(_ name: StaticString, into out: inout FileBytes) {
    assert(name.utf8CodeUnitCount == 4, "a chunk's name has four letters")
    start = out.count
    out.append(bigEndian: 0)
    out.append(name.utf8Start, count: name.utf8CodeUnitCount)
    checksum = JoinableCRC(name.utf8Start, count: name.utf8CodeUnitCount)
  }

  /// - Parameter contents: the checksum of what was appended since.
  func end(_ contents: JoinableCRC, into out: inout FileBytes) {
    let length = UInt32(out.count - start - 8)
    for i in 0..<4 { out[start + i] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * i)) }
    out.append(bigEndian: checksum.joined(contents).value)
  }
}

extension GrowingBuffer where Element == UInt8 {
  mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { if let base = $0.baseAddress { append(base, count: $0.count) } }
  }

  mutating func append(bigEndian value: UInt32) {
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
