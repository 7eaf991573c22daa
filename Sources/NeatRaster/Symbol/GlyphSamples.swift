// What a glyph's halo has sampled of the distance field, kept for its fill. Halos of a whole run are drawn before its
// fills, and to look the field up is most of what a glyph costs.

import NeatBase

/// The field's distances at up to four pixels of a row.
struct GlyphSample: BitwiseCopyable {
  var distance: SIMD4<Float>
  var x, y: Int32
  /// How many of the four there are.
  var count: Int32

  /// Blends the colour over the pixels.
  @inline(__always) func cover(_ band: Band, _ edge: GlyphEdge) {
    let (x, count) = (Int(x), count)
    assert(x >= 0 && count > 0 && x &+ Int(count) <= band.width, "no pixel of the row")
    var coverage = edge.coverage(distance)
    let row = band.row(Int(y))
    if x &+ 4 <= band.width {
      // Pixels past the end come out as they were.
      coverage.replace(with: 0, where: SIMD4<Int32>(0, 1, 2, 3) .>= count)
      Tally.add(.glyphBlended, Int(count))
      Tally.add(.glyphCovered, (0..<4).count { coverage[$0] > 0 })
      Blend.store4(edge.ink.over(Blend.load4(row + x), coverage: coverage), row + x)
    } else {
      var old = Pixels4.zero
      for lane in 0..<band.width &- x { old[lane] = row[x &+ lane] }
      let new = edge.ink.over(old, coverage: coverage)
      for lane in 0..<Int(count) { row[x &+ lane] = new[lane] }
    }
  }
}

/// Draws a glyph's pixels, and keeps what another pass over it needs.
struct GlyphCover {
  private let edge: GlyphEdge
  /// Distances from which pixels are kept; infinite: none.
  private let keepsAbove: Float
  /// Behind the last sample that was kept.
  private(set) var kept: UnsafeMutablePointer<GlyphSample>

  init(_ edge: GlyphEdge, keepsAbove: Float, into memory: UnsafeMutablePointer<GlyphSample>) {
    (self.edge, self.keepsAbove, kept) = (edge, keepsAbove, memory)
  }

  /// The distance below which nothing is drawn nor kept.
  var start: Float { min(edge.start, keepsAbove) }

  /// Blends the colour over pixels `x..<end` of a row, four at most, by their distances.
  @inline(__always)
  mutating func cover(_ band: Band, _ x: Int, _ y: Int, end: Int, _ distance: SIMD4<Float>) {
    let highest = max(max(distance[0], distance[1]), max(distance[2], distance[3]))
    let sample = GlyphSample(
      distance: distance, x: Int32(truncatingIfNeeded: x), y: Int32(truncatingIfNeeded: y),
      count: Int32(truncatingIfNeeded: min(end &- x, 4)))
    if highest > keepsAbove {
      kept.initialize(to: sample)
      kept += 1
    }
    if highest > edge.start { sample.cover(band, edge) }
  }
}

/// The samples of a run of glyphs.
struct GlyphSamples: ~Copyable {
  /// Samples that are kept of a run; the field is looked up again for what is past them.
  private static let limit = 1 << 15

  private var samples = GrowingBuffer<GlyphSample>(capacity: 0)
  /// First and end by glyph; below 0 where none were kept.
  private var places = GrowingBuffer<SIMD2<Int32>>(capacity: 0)

  /// Empties it for a run of glyphs.
  mutating func begin(_ count: Int) {
    samples.removeAll()
    places.overwrite(count).initialize(repeating: SIMD2(-1, -1), count: count)
    places.advance(count)
  }

  /// Makes room for the pixels of a glyph in the band; whether there is.
  mutating func beginQuad(_ bounds: PixelBounds, _ band: Band) -> Bool {
    let columns = min(band.width, Int(bounds.x1)) - max(0, Int(bounds.x0))
    let rows = min(band.y1, Int(bounds.y1)) - max(band.y0, Int(bounds.y0))
    // The spans of a row may begin at any of its columns.
    let most = (columns / 4 + 1) * rows
    guard samples.count + most <= GlyphSamples.limit else { return false }
    samples.reserve(most)
    return true
  }

  /// Where the next sample is written.
  var end: UnsafeMutablePointer<GlyphSample> { samples.base + samples.count }

  /// Takes in what was written of a glyph.
  mutating func endQuad(_ index: Int, _ end: UnsafeMutablePointer<GlyphSample>) {
    let first = samples.count
    samples.advance(end - self.end)
    places[index] = SIMD2(Int32(truncatingIfNeeded: first), Int32(truncatingIfNeeded: samples.count))
  }

  /// The samples of a glyph; nil where none were kept.
  subscript(_ glyph: Int) -> Range<Int>? {
    let place = places[glyph]
    return place.x < 0 ? nil : Int(place.x)..<Int(place.y)
  }

  @inline(__always) subscript(sample place: Int) -> GlyphSample { samples[place] }

  var heldBytes: Int { samples.heldBytes + places.heldBytes }
}
