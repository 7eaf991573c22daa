// The picture comparison of pixelmatch 7.2.0 (ISC, Mapbox): pixels differ where their distance in YIQ exceeds
// a threshold, unless either of them looks like anti-aliasing: a pixel with few equal neighbours whose
// darkest or brightest neighbour stands among many equals in both pictures. (Measuring perceived colour
// difference using YIQ, Kotsarenko and Ramos; Anti-aliased pixel and intensity slope detector, Vysniauskas.)

/// A picture of 8-bit RGBA, not premultiplied.
struct Picture {
  var width: Int
  var height: Int
  var pixels: [UInt8]
}

struct PixelComparison {
  var differing = 0
  /// Where and how the pictures differ, for reports: red where counted, yellow where taken for anti-aliasing.
  var difference: Picture?
}

enum Pixelmatch {
  /// Compares two pictures of the same size. `threshold` in 0...1.
  static func compare(_ a: Picture, _ b: Picture, threshold: Double, drawsDifference: Bool = false)
    -> PixelComparison
  {
    precondition(a.width == b.width && a.height == b.height)
    let limit = 35215 * threshold * threshold
    var result = PixelComparison()
    var output: [UInt8] = drawsDifference ? [UInt8](repeating: 255, count: a.pixels.count) : []
    a.pixels.withUnsafeBufferPointer { a8 in
      b.pixels.withUnsafeBufferPointer { b8 in
        let width = a.width, height = a.height
        for y in 0..<height {
          for x in 0..<width {
            let at = (y * width + x) * 4
            let isSame =
              a8[at] == b8[at] && a8[at + 1] == b8[at + 1] && a8[at + 2] == b8[at + 2]
              && a8[at + 3] == b8[at + 3]
            let delta = isSame ? 0 : colorDelta(a8, b8, at, at, brightnessOnly: false)
            if abs(delta) > limit {
              let isAntialiased =
                antialiased(a8, x, y, width, height, b8) || antialiased(b8, x, y, width, height, a8)
              if !isAntialiased { result.differing += 1 }
              if drawsDifference { mark(&output, at, isAntialiased ? (255, 255, 0) : (255, 0, 0)) }
            } else if drawsDifference {
              let gray = UInt8(max(0, min(255, 255 + (luma(a8, at) - 255) * 0.1 * Double(a8[at + 3]) / 255)))
              mark(&output, at, (gray, gray, gray))
            }
          }
        }
      }
    }
    if drawsDifference { result.difference = Picture(width: a.width, height: a.height, pixels: output) }
    return result
  }

  private static func mark(_ output: inout [UInt8], _ at: Int, _ color: (UInt8, UInt8, UInt8)) {
    output[at] = color.0
    output[at + 1] = color.1
    output[at + 2] = color.2
  }

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private static func luma(_ p: Bytes, _ at: Int) -> Double {
    Double(p[at]) * 0.29889531 + Double(p[at + 1]) * 0.58662247 + Double(p[at + 2]) * 0.11448223
  }

  private static func antialiased(
    _ p: Bytes, _ x1: Int, _ y1: Int, _ width: Int, _ height: Int, _ other: Bytes
  ) -> Bool {
    let x0 = max(x1 - 1, 0), y0 = max(y1 - 1, 0)
    let x2 = min(x1 + 1, width - 1), y2 = min(y1 + 1, height - 1)
    let at = (y1 * width + x1) * 4
    var zeroes = x1 == x0 || x1 == x2 || y1 == y0 || y1 == y2 ? 1 : 0
    var lowest = 0.0, highest = 0.0
    var (lowX, lowY, highX, highY) = (0, 0, 0, 0)
    for x in x0...x2 {
      for y in y0...y2 where x != x1 || y != y1 {
        let delta = colorDelta(p, p, at, (y * width + x) * 4, brightnessOnly: true)
        if delta == 0 {
          zeroes += 1
          if zeroes > 2 { return false }
        } else if delta < lowest {
          lowest = delta
          (lowX, lowY) = (x, y)
        } else if delta > highest {
          highest = delta
          (highX, highY) = (x, y)
        }
      }
    }
    if lowest == 0 || highest == 0 { return false }
    return hasManySiblings(p, lowX, lowY, width, height) && hasManySiblings(other, lowX, lowY, width, height)
      || hasManySiblings(p, highX, highY, width, height)
        && hasManySiblings(other, highX, highY, width, height)
  }

  private static func hasManySiblings(_ p: Bytes, _ x1: Int, _ y1: Int, _ width: Int, _ height: Int) -> Bool {
    let x0 = max(x1 - 1, 0), y0 = max(y1 - 1, 0)
    let x2 = min(x1 + 1, width - 1), y2 = min(y1 + 1, height - 1)
    let at = (y1 * width + x1) * 4
    var zeroes = x1 == x0 || x1 == x2 || y1 == y0 || y1 == y2 ? 1 : 0
    for x in x0...x2 {
      for y in y0...y2 where x != x1 || y != y1 {
        let there = (y * width + x) * 4
        if p[at] == p[there] && p[at + 1] == p[there + 1] && p[at + 2] == p[there + 2]
          && p[at + 3] == p[there + 3]
        {
          zeroes += 1
        }
        if zeroes > 2 { return true }
      }
    }
    return false
  }

  /// Squared distance in YIQ, negative where the first pixel is the brighter one; half-transparent pixels lie
  /// on a checkerboard of sorts.
  private static func colorDelta(_ a: Bytes, _ b: Bytes, _ k: Int, _ m: Int, brightnessOnly: Bool) -> Double {
    let (r1, g1, b1, a1) = (Double(a[k]), Double(a[k + 1]), Double(a[k + 2]), Double(a[k + 3]))
    let (r2, g2, b2, a2) = (Double(b[m]), Double(b[m + 1]), Double(b[m + 2]), Double(b[m + 3]))
    var dr = r1 - r2, dg = g1 - g2, db = b1 - b2
    let da = a1 - a2
    if dr == 0 && dg == 0 && db == 0 && da == 0 { return 0 }
    if a1 < 255 || a2 < 255 {
      let rb = Double(48 + 159 * (k % 2))
      let gb = Double(48 + 159 * (Int(Double(k) / 1.618033988749895) % 2))
      let bb = Double(48 + 159 * (Int(Double(k) / 2.618033988749895) % 2))
      dr = (r1 * a1 - r2 * a2 - rb * da) / 255
      dg = (g1 * a1 - g2 * a2 - gb * da) / 255
      db = (b1 * a1 - b2 * a2 - bb * da) / 255
    }
    let y = dr * 0.29889531 + dg * 0.58662247 + db * 0.11448223
    if brightnessOnly { return y }
    let i = dr * 0.59597799 - dg * 0.27417610 - db * 0.32180189
    let q = dr * 0.21147017 - dg * 0.52261711 + db * 0.31114694
    let delta = 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
    return y > 0 ? -delta : delta
  }
}
