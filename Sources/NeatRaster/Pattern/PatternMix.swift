// Two patterns in one: while a map goes over from the pattern of one whole zoom to that of another.
import NeatBase

/// A pattern on its way to another, as paint: texels are mixed, premultiplied, before they are drawn.
package struct PatternMix: SpanPainter, Sendable {
  package var from: PatternPaint
  package var to: PatternPaint
  /// How much of the colours is that of `to`, in 256ths.
  package let share: UInt32

  package init(_ from: PatternPaint, _ to: PatternPaint, share: UInt32) {
    assert(share <= 256 && from.opacity == to.opacity, "two shares of one paint")
    (self.from, self.to, self.share) = (from, to, share)
  }

  var opacity: UInt32 { to.opacity }

  /// The colour at a pixel's middle.
  func color(_ x: Int, _ y: Int) -> UInt32 {
    Texel.mix(from.texel(from.place(x, y)), to.texel(to.place(x, y)), share)
  }

  /// The paint over a band of a globe.
  package func on(_ ground: GlobeGround?) -> PatternMix {
    PatternMix(from.on(ground), to.on(ground), share: share)
  }

  func span(_ row: UnsafeMutablePointer<UInt32>, x: Int, y: Int, count: Int) {
    for column in x..<x &+ count {
      let color = color(column, y)
      row[column] =
        opacity == 255
        ? Blend.over(row[column], color) : Blend.over(row[column], color, coverage: opacity)
    }
  }

  /// Covers the whole band, or its ground.
  package func fill(_ band: Band, ground: GroundEdge? = nil) { band.fill(self, ground: ground) }

  /// Covers the ground of a band.
  package func fill(_ band: Band, ground: GlobeGround) { band.fill(on(ground), ground: ground) }
}
