// Glyphs that have colours of their own: emoji. FreeType gives them as pictures, out of strikes of bitmaps (CBDT, sbix)
// or put together of coloured layers (COLR version 0).
import CFreeType
import NeatBase

/// A glyph's picture, with its metrics measured from the baseline, as those of `GlyphPicture`.
struct ColorPicture {
  var metrics: GlyphMetrics
  var width: Int
  var height: Int
  /// Texels for a 24th of an em.
  var texelsPerUnit: Float
  /// Premultiplied RGBA.
  var pixels: [UInt32]
}

/// Values of FreeType's macros.
enum FreeTypeFlag {
  static let scalable: FT_Long = 1
  static let fixedSizes: FT_Long = 1 << 1
  static let color: FT_Long = 1 << 14
  static let loadNoHinting: Int32 = 1 << 1
  static let loadRender: Int32 = 1 << 2
  static let loadColor: Int32 = 1 << 20
  static let pixelsBGRA: UInt8 = 7
}

/// A premultiplied picture as FreeType made it.
private struct ColorBitmap {
  var width: Int
  var height: Int
  var left: Float
  var top: Float
  var advance: Float
  var pixels: [UInt32]

  /// A copy of the slot's; nil where it has no colours or is larger than is taken.
  init?(_ slot: FT_GlyphSlot) {
    let bitmap = slot.pointee.bitmap
    let limit = FontFace.maxColorSize
    (width, height) = (Int(clamping: bitmap.width), Int(clamping: bitmap.rows))
    guard slot.pointee.format == FT_GLYPH_FORMAT_BITMAP, bitmap.pixel_mode == FreeTypeFlag.pixelsBGRA,
      (1...limit).contains(width), (1...limit).contains(height), let buffer = bitmap.buffer
    else { return nil }
    (left, top) = (Float(slot.pointee.bitmap_left), Float(slot.pointee.bitmap_top))
    advance = Float(slot.pointee.metrics.horiAdvance) / 64
    let (columns, pitch) = (width, Int(bitmap.pitch))
    pixels = [UInt32](repeating: 0, count: columns * height)
    for y in 0..<height {
      for x in 0..<columns {
        let texel = buffer + y * pitch + 4 * x
        pixels[y * columns + x] =
          UInt32(texel[2]) | UInt32(texel[1]) << 8 | UInt32(texel[0]) << 16 | UInt32(texel[3]) << 24
      }
    }
  }

  /// The same picture of texels that are each `step` of these wide: the mean of what each covers.
  func reduced(by step: Float) -> (width: Int, height: Int, pixels: [UInt32]) {
    let columns = Int(bounded: (Float(width) / step).rounded(.up))
    let rows = Int(bounded: (Float(height) / step).rounded(.up))
    var result = [UInt32](repeating: 0, count: columns * rows)
    for y in 0..<rows {
      for x in 0..<columns {
        var sum = SIMD4<Float>.zero
        let (low, high) = (SIMD2(Float(x), Float(y)) * step, SIMD2(Float(x + 1), Float(y + 1)) * step)
        for v in Int(bounded: low.y)..<min(height, Int(bounded: high.y.rounded(.up))) {
          let part = min(high.y, Float(v + 1)) - max(low.y, Float(v))
          for u in Int(bounded: low.x)..<min(width, Int(bounded: high.x.rounded(.up))) {
            let weight = part * (min(high.x, Float(u + 1)) - max(low.x, Float(u)))
            let texel = pixels[v * width + u]
            let color = SIMD4<UInt32>(texel, texel >> 8, texel >> 16, texel >> 24) & 255
            sum += SIMD4<Float>(color) * weight
          }
        }
        let mean = sum / (step * step) + 0.5
        for channel in 0..<4 {
          result[y * columns + x] |= UInt32(saturating: mean[channel]) << UInt32(8 * channel)
        }
      }
    }
    return (columns, rows, result)
  }
}

extension FontFace {
  /// Pixels of an em that coloured glyphs are kept at; larger strikes are reduced to it.
  package static let colorEm = 48
  /// Largest side of a coloured glyph in its font's strike, in pixels.
  package static let maxColorSize = 512

  /// The picture of a glyph that has colours; nil for one that has none.
  func colorPicture(glyphIndex: UInt32) -> ColorPicture? {
    guard hasColors else { return nil }
    let found = withColorSize { face, ppem -> (ColorBitmap, Float)? in
      let flags = FreeTypeFlag.loadColor | FreeTypeFlag.loadRender | FreeTypeFlag.loadNoHinting
      guard FT_Load_Glyph(face, glyphIndex, flags) == 0,
        let slot = face.pointee.glyph, let bitmap = ColorBitmap(slot)
      else { return nil }
      return (bitmap, ppem)
    }
    guard let (bitmap, ppem) = found else { return nil }
    let step = max(1, ppem / Float(FontFace.colorEm))
    let unit = Float(oneEm) / ppem
    var picture = ColorPicture(
      metrics: GlyphMetrics(
        width: Float(bitmap.width) * unit, height: Float(bitmap.height) * unit, left: bitmap.left * unit,
        top: bitmap.top * unit, advance: bitmap.advance * unit),
      width: bitmap.width, height: bitmap.height, texelsPerUnit: 1 / unit, pixels: bitmap.pixels)
    if step > 1 {
      (picture.width, picture.height, picture.pixels) = bitmap.reduced(by: step)
      picture.texelsPerUnit = 1 / (unit * step)
    }
    return picture
  }

  /// The strike that coloured glyphs are taken from: the smallest that is no smaller than they are kept at, else the
  /// largest; nil where the font has none.
  static func colorStrike(_ face: FT_Face) -> (index: Int32, ppem: Float)? {
    guard face.pointee.face_flags & FreeTypeFlag.fixedSizes != 0, let sizes = face.pointee.available_sizes
    else { return nil }
    var best: (index: Int32, ppem: Float)?
    for index in 0..<max(0, face.pointee.num_fixed_sizes) {
      let ppem = Float(sizes[Int(index)].y_ppem) / 64
      guard ppem >= 1 else { continue }
      let enough = Float(colorEm)
      if let found = best?.ppem, found >= enough ? ppem >= found || ppem < enough : ppem <= found { continue }
      best = (index, ppem)
    }
    return best
  }
}
