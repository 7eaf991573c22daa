// A glyph's distance field with nothing around it, to be read between four texels for four pixels at a time.
//
// Where a letter is turned, most groups of four pixels reach past the bitmap's edge, and to ask each texel
// whether it is there costs more than all else. A copy with zeros around it is small beside that.

import NeatBase

struct GlyphField {
  /// Texels of an edge that are copied; larger fields, those of icons, are read where they are.
  private static let most = 128
  /// Zeros left and right of a row, which are written as a word each.
  private static let margin = 4
  /// Texels that are copied at once.
  private static let chunk = 16

  /// Texel (0, 0).
  private let origin: UnsafePointer<UInt8>
  private let stride: Int32
  private let width, height: Float

  /// Nil where the field is too large.
  init?(_ quad: GlyphQuad, _ scratch: RasterScratch) {
    let (columns, rows) = (Int(quad.width), Int(quad.height))
    guard columns > 0, rows > 0, max(columns, rows) <= GlyphField.most else { return nil }
    let pitch = columns + 2 * GlyphField.margin
    // A row above and two below; what is copied at once may go past the last one.
    let first = scratch.glyphField.overwrite(pitch * (rows + 3) + GlyphField.chunk)
    first.initialize(repeating: 0, count: pitch)
    let origin = first + pitch + GlyphField.margin
    let end = quad.bitmap + ((rows - 1) * Int(quad.stride) + columns)
    for row in 0..<rows {
      // What went past the row before is written over.
      GlyphField.copy(quad.bitmap + row * Int(quad.stride), end, origin + row * pitch, columns)
    }
    (origin + (rows * pitch - GlyphField.margin)).initialize(repeating: 0, count: 2 * pitch)
    self.origin = UnsafePointer(origin)
    stride = Int32(truncatingIfNeeded: pitch)
    (width, height) = (Float(columns), Float(rows))
  }

  /// One row and the zeros beside it. May write up to a chunk past them.
  @inline(__always)
  private static func copy(
    _ source: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    let raw = UnsafeMutableRawPointer(target)
    raw.storeBytes(of: 0, toByteOffset: -margin, as: UInt32.self)
    var column = 0
    while column < count {
      if end - source >= column &+ chunk {
        let texels = UnsafeRawPointer(source + column).loadUnaligned(as: SIMD16<UInt8>.self)
        raw.storeBytes(of: texels, toByteOffset: column, as: SIMD16<UInt8>.self)
      } else {
        for place in column..<min(column &+ chunk, count) { target[place] = source[place] }
      }
      column &+= chunk
    }
    raw.storeBytes(of: 0, toByteOffset: count, as: UInt32.self)
  }

  /// The field at four places (texels' centres at whole numbers), 0 outside; what is no number is outside.
  @inline(__always)
  func values(_ u: SIMD4<Float>, _ v: SIMD4<Float>) -> SIMD4<Float> {
    let (x, fx) = GlyphField.texel(u, width)
    let (y, fy) = GlyphField.texel(v, height)
    let places = y &* stride &+ x
    let (a, b) = (pair(places[0], 0), pair(places[1], 0))
    let (c, d) = (pair(places[2], 0), pair(places[3], 0))
    let upper = SIMD4(a, b, c, d)
    let lower = SIMD4(
      pair(places[0], stride), pair(places[1], stride), pair(places[2], stride), pair(places[3], stride))
    let top = GlyphField.between(upper, fx)
    return top + (GlyphField.between(lower, fx) - top) * fy
  }

  /// A texel and the one to its right.
  @inline(__always) private func pair(_ place: Int32, _ down: Int32) -> UInt32 {
    let two = UnsafeRawPointer(origin + Int(place &+ down)).loadUnaligned(as: UInt16.self)
    return UInt32(UInt16(littleEndian: two))
  }

  @inline(__always) private static func between(_ pairs: SIMD4<UInt32>, _ weight: SIMD4<Float>) -> SIMD4<
    Float
  > {
    let left = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: pairs & 255))
    let right = SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: pairs &>> 8))
    return left + (right - left) * weight
  }

  /// The texel before each place, from -1 to `size`, and how far behind it the place is.
  @inline(__always)
  private static func texel(_ place: SIMD4<Float>, _ size: Float) -> (SIMD4<Int32>, SIMD4<Float>) {
    let low = place.replacing(with: size, where: place .> size)
    let held = SIMD4<Float>(repeating: -1).replacing(with: low, where: low .> -1)
    let near = held + 12_582_912 - 12_582_912
    let whole = near.replacing(with: near - 1, where: near .> held)
    return (roundedIntegers(whole), held - whole)
  }
}
