import NeatBase
import NeatRaster

/// What ornaments are drawn on: shapes by their distance, in logical pixels, with edges one texel soft.
struct OrnamentCanvas {
  let band: Band
  /// Texels a logical pixel.
  let scale: Double

  /// A transparent texture that `body` draws on.
  static func texture(
    width: Int, height: Int, scale: Double, _ body: (OrnamentCanvas) -> Void
  ) -> Texture {
    Texture(width: width, height: height) { texels in
      texels.initialize(repeating: 0, count: width * height)
      body(
        OrnamentCanvas(
          band: Band(pixels: texels, stride: width, width: width, y0: 0, y1: height), scale: scale))
    }
  }

  /// Fills what is inside.
  /// - Parameters:
  ///   - box: around it.
  ///   - distance: logical pixels of a place from its edge, less than 0 inside.
  func fill(_ color: Premultiplied, within box: SIMD4<Double>, _ distance: (SIMD2<Double>) -> Double) {
    let (x0, x1) = texels(box.x, box.z, band.width)
    let (y0, y1) = texels(box.y, box.w, band.y1)
    for y in y0..<max(y0, y1) {
      let row = band.row(y)
      for x in x0..<max(x0, x1) {
        let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5) / scale
        let coverage = min(max(0.5 - distance(place) * scale, 0), 1)
        guard coverage > 0 else { continue }
        row[x] = Blend.over(row[x], color.bits, coverage: UInt32(saturating: coverage * 255 + 0.5))
      }
    }
  }

  /// A rectangle whose edges lie between texels.
  func fill(_ color: Premultiplied, columns: Range<Int>, rows: Range<Int>) {
    let columns = columns.clamped(to: 0..<band.width)
    for y in rows.clamped(to: band.y0..<band.y1) {
      Blend.span(band.row(y) + columns.lowerBound, columns.count, color)
    }
  }

  func disc(_ color: Premultiplied, _ centre: SIMD2<Double>, radius: Double) {
    let box = SIMD4(centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius)
    fill(color, within: box) { length($0 - centre) - radius }
  }

  func ring(_ color: Premultiplied, _ centre: SIMD2<Double>, radius: Double, width: Double) {
    let edge = radius + width / 2
    let box = SIMD4(centre.x - edge, centre.y - edge, centre.x + edge, centre.y + edge)
    fill(color, within: box) { abs(length($0 - centre) - radius) - width / 2 }
  }

  /// A stroke with round ends.
  func stroke(_ color: Premultiplied, _ a: SIMD2<Double>, _ b: SIMD2<Double>, width: Double) {
    let low = SIMD2(min(a.x, b.x), min(a.y, b.y)) - width
    let high = SIMD2(max(a.x, b.x), max(a.y, b.y)) + width
    let way = b - a
    let square = max(dot(way, way), 1e-12)
    fill(color, within: SIMD4(low.x, low.y, high.x, high.y)) { place in
      let share = min(max(dot(place - a, way) / square, 0), 1)
      return length(place - a - way * share) - width / 2
    }
  }

  /// A triangle, its corners in clockwise order.
  func triangle(_ color: Premultiplied, _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) {
    let low = SIMD2(min(a.x, b.x, c.x), min(a.y, b.y, c.y))
    let high = SIMD2(max(a.x, b.x, c.x), max(a.y, b.y, c.y))
    func side(_ p: SIMD2<Double>, _ from: SIMD2<Double>, _ to: SIMD2<Double>) -> Double {
      let way = to - from
      return (way.y * (p.x - from.x) - way.x * (p.y - from.y)) / max(length(way), 1e-12)
    }
    fill(color, within: SIMD4(low.x, low.y, high.x, high.y)) {
      max(side($0, a, b), side($0, b, c), side($0, c, a))
    }
  }

  /// A rectangle with round corners.
  func box(_ color: Premultiplied, _ box: SIMD4<Double>, radius: Double) {
    let middle = SIMD2(box.x + box.z, box.y + box.w) / 2
    let half = SIMD2(box.z - box.x, box.w - box.y) / 2 - radius
    fill(color, within: box) { place in
      let d = SIMD2(abs(place.x - middle.x), abs(place.y - middle.y)) - half
      return length(SIMD2(max(d.x, 0), max(d.y, 0))) + min(max(d.x, d.y), 0) - radius
    }
  }

  private func texels(_ from: Double, _ to: Double, _ limit: Int) -> (Int, Int) {
    (
      max(0, Int(saturating: (from * scale).rounded(.down)) - 1),
      min(limit, Int(saturating: (to * scale).rounded(.up)) + 1)
    )
  }

  private func length(_ v: SIMD2<Double>) -> Double { dot(v, v).squareRoot() }
  private func dot(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.x + a.y * b.y }
}

extension Premultiplied {
  /// Of 8 bits a channel, not multiplied yet.
  static func ornament(_ r: Int, _ g: Int, _ b: Int, opacity: Float = 1) -> Premultiplied {
    Premultiplied(Color(r: Float(r) / 255, g: Float(g) / 255, b: Float(b) / 255, a: 1), opacity: opacity)
  }
}

extension Texture {
  /// The picture at another size: each texel the mean of what it covers, so that nothing flickers where it is
  /// much smaller.
  func resampled(width: Int, height: Int) -> Texture {
    guard width != self.width || height != self.height else { return self }
    let columns = Texture.shares(self.width, width)
    let rows = Texture.shares(self.height, height)
    return Texture(width: width, height: height) { out in
      for y in 0..<height {
        for x in 0..<width {
          var sum = SIMD4<Float>.zero
          for row in rows[y] {
            for column in columns[x] {
              let texel = pixels[row.texel * self.width + column.texel]
              let channels = SIMD4(
                Float(texel & 255), Float(texel >> 8 & 255), Float(texel >> 16 & 255), Float(texel >> 24))
              sum += channels * (row.share * column.share)
            }
          }
          func byte(_ value: Float) -> UInt32 { min(255, UInt32(saturating: value + 0.5)) }
          out[y * width + x] =
            byte(sum.x) | byte(sum.y) << 8 | byte(sum.z) << 16 | byte(sum.w) << 24
        }
      }
    }
  }

  /// Which of `count` texels each of `target` takes, and how much of it: all shares of one make 1.
  private static func shares(_ count: Int, _ target: Int) -> [[TexelShare]] {
    let step = Double(count) / Double(target)
    return (0..<target).map { index -> [TexelShare] in
      if step <= 1 {
        // Larger: between the two nearest.
        let place = min(max((Double(index) + 0.5) * step - 0.5, 0), Double(count - 1))
        let low = Int(saturating: place)
        let part = Float(place - Double(low))
        return [TexelShare(low, 1 - part), TexelShare(min(low + 1, count - 1), part)].filter { $0.share > 0 }
      }
      let (from, to) = (Double(index) * step, Double(index + 1) * step)
      let texels = Int(saturating: from)..<min(count, Int(saturating: to.rounded(.up)))
      return texels.map { texel in
        let covered = min(to, Double(texel + 1)) - max(from, Double(texel))
        return TexelShare(texel, Float(covered / step))
      }
    }
  }
}

/// How much of a texel goes into another one.
private struct TexelShare {
  let texel: Int
  let share: Float

  init(_ texel: Int, _ share: Float) { (self.texel, self.share) = (texel, share) }
}
