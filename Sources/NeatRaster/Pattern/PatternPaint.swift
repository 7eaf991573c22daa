// A picture repeated over the plane. The map from frame pixels to picture pixels is a `Projection`; where it
// is a whole-pixel shift, rows are copied, otherwise four texels are mixed, wrapping at the picture's edges
// as MapLibre's padded atlas does.
import NeatBase

/// A picture ready to draw: premultiplied, immutable, shared.
package final class PatternImage: Sendable {
  package let width: Int
  package let height: Int
  package nonisolated(unsafe) let pixels: UnsafePointer<UInt32>
  /// Whose pixels they are.
  private let texture: Texture

  /// Throws `invalidArgument` for an empty picture and `limitExceeded` for a side above `Bitmap.maxSide`.
  package convenience init(_ image: PixelImage) throws(NeatError) {
    guard image.width > 0 && image.height > 0 else {
      throw NeatError(.invalidArgument, "an empty image cannot be drawn")
    }
    try PatternImage.check(image.width, image.height)
    try self.init(Texture(image))
  }

  /// Draws the texels of a picture, which it keeps and does not copy. Throws `limitExceeded` for a side above
  /// `Bitmap.maxSide`.
  package init(_ texture: Texture) throws(NeatError) {
    try PatternImage.check(texture.width, texture.height)
    (width, height, pixels) = (texture.width, texture.height, texture.pixels)
    self.texture = texture
  }

  private static func check(_ width: Int, _ height: Int) throws(NeatError) {
    guard max(width, height) <= Bitmap.maxSide else {
      throw NeatError(
        .limitExceeded,
        "an image of \(width) by \(height) pixels: sides must be at most \(Bitmap.maxSide)")
    }
  }
}

/// A picture as paint. `map` takes frame pixels to picture pixels; `opacity` is in 0...255.
package struct PatternPaint: SpanPainter, Sendable {
  package var image: PatternImage
  package var map: Projection
  package var opacity: UInt32
  /// On the globe: which picture pixel lies where. `ground` is the band's.
  package var globe: PatternOnGlobe?
  package var ground: GlobeGround?
  private let shift: SIMD2<Int>?
  private nonisolated(unsafe) let pixels: UnsafePointer<UInt32>
  private let width: Int
  private let height: Int

  package init(_ image: PatternImage, map: Projection, opacity: Float = 1) {
    self.image = image
    self.map = map
    self.opacity = UInt32(saturating: min(max(opacity, 0), 1) * 255 + 0.5)
    (pixels, width, height) = (image.pixels, image.width, image.height)
    let isShift = map.isAffine && map.xx == 1 && map.yy == 1 && map.xy == 0 && map.yx == 0
    let (x, y) = (map.x0.rounded(), map.y0.rounded())
    let isWhole = abs(map.x0 - x) < 1 / 512 && abs(map.y0 - y) < 1 / 512 && abs(x) < 1e9 && abs(y) < 1e9
    shift = isShift && isWhole ? SIMD2(Int(saturating: x), Int(saturating: y)) : nil
  }

  @inline(__always) private static func wrap(_ value: Int, _ size: Int) -> Int {
    assert(size > 0, "a picture has a pixel")
    let rest = value % size
    return rest < 0 ? rest &+ size : rest
  }

  /// The place in the picture of a pixel's middle.
  func place(_ x: Int, _ y: Int) -> SIMD2<Double> {
    guard let globe else { return map(Double(x) + 0.5, Double(y) + 0.5) }
    guard let place = ground?.place(x, y) else { return SIMD2(.infinity, .infinity) }
    return globe.offset + SIMD2(Double(place.x), Double(place.y)) * globe.scale
  }

  /// The paint over a band of a globe.
  package func on(_ ground: GlobeGround?) -> PatternPaint {
    var copy = self
    copy.ground = ground
    return copy
  }

  func span(_ row: UnsafeMutablePointer<UInt32>, x: Int, y: Int, count: Int) {
    if globe == nil, let shift {
      copy(row + x, x &+ shift.x, y &+ shift.y, count)
    } else {
      sample(row + x, x, y, count)
    }
  }

  private func copy(_ dst: UnsafeMutablePointer<UInt32>, _ x: Int, _ y: Int, _ count: Int) {
    let source = pixels + PatternPaint.wrap(y, height) &* width
    var column = PatternPaint.wrap(x, width)
    var done = 0
    while done < count {
      let piece = min(count &- done, width &- column)
      assert(piece > 0, "a picture has a column")
      Blend.composite(dst + done, source + column, piece, opacity: opacity)
      done &+= piece
      column = 0
    }
  }

  private func sample(_ dst: UnsafeMutablePointer<UInt32>, _ x: Int, _ y: Int, _ count: Int) {
    for index in 0..<count {
      let color = texel(place(x &+ index, y))
      dst[index] =
        opacity == 255 ? Blend.over(dst[index], color) : Blend.over(dst[index], color, coverage: opacity)
    }
  }

  /// The picture at a place in its own pixels, four texels mixed in 1/256 steps.
  package func texel(_ place: SIMD2<Double>) -> UInt32 { PatternPaint.texel(place, of: image) }

  static func texel(_ place: SIMD2<Double>, of image: PatternImage) -> UInt32 {
    let (pixels, width, height) = (image.pixels, image.width, image.height)
    guard abs(place.x) < 1e9 && abs(place.y) < 1e9 else { return 0 }
    let u = Int(saturating: (place.x * 256).rounded(.down)) &- 128
    let v = Int(saturating: (place.y * 256).rounded(.down)) &- 128
    let x0 = PatternPaint.wrap(u >> 8, width)
    let y0 = PatternPaint.wrap(v >> 8, height)
    let x1 = x0 &+ 1 == width ? 0 : x0 &+ 1
    let y1 = y0 &+ 1 == height ? 0 : y0 &+ 1
    let (fx, fy) = (UInt32(u & 255), UInt32(v & 255))
    let top = Texel.mix(pixels[y0 &* width &+ x0], pixels[y0 &* width &+ x1], fx)
    let bottom = Texel.mix(pixels[y1 &* width &+ x0], pixels[y1 &* width &+ x1], fx)
    return Texel.mix(top, bottom, fy)
  }
}

/// How a pattern lies on the globe: its pixel at the camera's centre, and pixels along the Mercator square.
package struct PatternOnGlobe: Sendable {
  package var offset: SIMD2<Double>
  package var scale: Double

  package init(offset: SIMD2<Double>, scale: Double) {
    self.offset = offset
    self.scale = scale
  }
}

package enum Texel {
  /// a + (b - a) · f / 256, each channel.
  @inline(__always) package static func mix(_ a: UInt32, _ b: UInt32, _ f: UInt32) -> UInt32 {
    let g = 256 &- f
    let rb = ((a & 0x00FF_00FF) &* g &+ (b & 0x00FF_00FF) &* f &+ 0x0080_0080) &>> 8 & 0x00FF_00FF
    let ga = ((a &>> 8 & 0x00FF_00FF) &* g &+ (b &>> 8 & 0x00FF_00FF) &* f &+ 0x0080_0080) & 0xFF00_FF00
    return rb | ga
  }
}

extension PatternPaint {
  /// Covers the whole band, or its ground.
  package func fill(_ band: Band, ground: GroundEdge? = nil) { band.fill(self, ground: ground) }

  /// Covers the ground of a band.
  package func fill(_ band: Band, ground: GlobeGround) { band.fill(on(ground), ground: ground) }
}

extension Band {
  /// Covers all of it, or its ground.
  func fill<Painter: SpanPainter>(_ painter: Painter, ground: GroundEdge?) {
    for y in y0..<y1 {
      let columns = ground?.columns(y, width: width) ?? 0..<width
      if columns.isEmpty { continue }
      painter.span(row(y), x: columns.lowerBound, y: y, count: columns.count)
    }
  }

  /// Covers the ground of a globe.
  func fill<Painter: SpanPainter>(_ painter: Painter, ground: GlobeGround) {
    for y in y0..<y1 {
      for x in 0..<width where ground.place(x, y) != nil { painter.span(row(y), x: x, y: y, count: 1) }
    }
  }
}
