import NeatBase
import NeatPlacement
import NeatTestSupport
import Testing

/// Letters on bends do not lie on each other.
@Suite struct LetterSpreadTests {
  private let view = flatView()

  private struct Label {
    /// Pixels.
    var line: [SIMD2<Float>]
    var segment: Int32 = 0
    var anchor: SIMD2<Float>
    var offsets: [Float] = [-26, -13, 0, 13, 26]
    var boxes = [LetterBox](repeating: LetterBox(low: SIMD2(-6, -9), high: SIMD2(6, 6)), count: 5)
  }

  private func place(_ label: Label, spreads: Bool, flip: Bool = false, scale: Double = 1) -> (
    LineLabelOutcome, [GlyphOnLine]
  ) {
    let plane = LabelPlane(view: view, tile: flatTile(view), pitchWithMap: false, rotateWithMap: true)
    let symbol = PlacedSymbol(
      anchor: label.anchor * 16, glyphStart: 0, glyphCount: Int32(label.offsets.count), lineStart: 0,
      lineLength: Int32(label.line.count), segment: label.segment, lowerSize: 24, upperSize: 24)
    var placed: [GlyphOnLine] = []
    let outcome = label.line.map { $0 * 16 }.withUnsafeBufferPointer { vertices in
      label.offsets.withUnsafeBufferPointer { offsets in
        LineWalk(plane: plane, vertices: vertices, symbol: symbol)!.place(
          offsets: offsets, fontScale: 1, keepUpright: false, flip: flip,
          letters: spreads ? Letters(scale: scale) { label.boxes[$0] } : nil, into: &placed)
      }
    }
    return (outcome, placed)
  }

  private func corners(_ box: LetterBox, _ glyph: GlyphOnLine) -> [SIMD2<Double>] {
    let (s, c) = (sin(glyph.angle), cos(glyph.angle))
    return [box.low, SIMD2(box.high.x, box.low.y), box.high, SIMD2(box.low.x, box.high.y)].map {
      glyph.point + SIMD2($0.x * c - $0.y * s, $0.x * s + $0.y * c)
    }
  }

  /// How deep two boxes lie in each other, along the side that tells them apart best: 0 where they do not.
  private func depth(_ a: [SIMD2<Double>], _ b: [SIMD2<Double>]) -> Double {
    var least = Double.infinity
    for ring in [a, b] {
      for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        let side = to - from,
          normal = SIMD2(side.y, -side.x) / (side.x * side.x + side.y * side.y).squareRoot()
        func spans(_ ring: [SIMD2<Double>]) -> (Double, Double) {
          let all = ring.map { $0.x * normal.x + $0.y * normal.y }
          return (all.min()!, all.max()!)
        }
        let (a, b) = (spans(a), spans(b))
        least = min(least, min(a.1, b.1) - max(a.0, b.0))
      }
    }
    return max(0, least)
  }

  private func deepest(_ label: Label, _ placed: [GlyphOnLine], reach: Int = 2) -> Double {
    let rings = zip(label.boxes, placed).map(corners)
    var most = 0.0
    for a in rings.indices {
      for b in rings.indices where b > a && b <= a + reach { most = max(most, depth(rings[a], rings[b])) }
    }
    return most
  }

  private func bent(_ degrees: Double, behind: Double = 120) -> Label {
    let way = SIMD2(cos(degrees * .pi / 180), sin(degrees * .pi / 180)) * behind
    let corner = SIMD2<Float>(250, 250)
    return Label(
      line: [corner - SIMD2(120, 0), corner, corner + SIMD2(Float(way.x), Float(way.y))],
      anchor: corner - SIMD2(10, 0))
  }

  @Test func onStraightLinesNothingMoves() {
    for degrees in [0.0, 1, -3] {
      let label = bent(degrees)
      #expect(place(label, spreads: true).1.map(\.point) == place(label, spreads: false).1.map(\.point))
    }
  }

  @Test(arguments: [-75.0, -45, -30, 30, 45, 75]) func onABendLettersMoveApart(degrees: Double) {
    let label = bent(degrees)
    let (before, after) = (place(label, spreads: false).1, place(label, spreads: true).1)
    #expect(deepest(label, before) > 0.5, "they lie on each other where nothing is done")
    #expect(deepest(label, after) < 0.05)
    #expect(after.count == 5 && after[2].point == before[2].point, "the one at the anchor stays")
  }

  @Test func onRandomLinesTheyMoveApart() {
    var random = SplitMix(seed: 20_261_129)
    var (placed, moved) = (0, 0)
    for _ in 0..<2000 {
      var line: [SIMD2<Float>] = [SIMD2(60, 250)]
      var angle = 0.0
      while line.count < 30 {
        angle += .random(in: -0.7...0.7, using: &random)
        let step = Double.random(in: 8...40, using: &random)
        line.append(line[line.count - 1] + SIMD2(Float(cos(angle) * step), Float(sin(angle) * step)))
      }
      let segment = Int.random(in: 10..<20, using: &random)
      var label = Label(line: line, segment: Int32(segment), anchor: (line[segment] + line[segment + 1]) / 2)
      label.boxes = (0..<9).map { _ in
        LetterBox(
          low: SIMD2(-.random(in: 2...7, using: &random), -.random(in: 5...9, using: &random)),
          high: SIMD2(.random(in: 2...7, using: &random), .random(in: 2...7, using: &random)))
      }
      label.offsets = (0..<9).map { Float($0 - 4) * 15 }
      let flip = Bool.random(using: &random)
      let (outcome, glyphs) = place(label, spreads: true, flip: flip)
      let before = place(label, spreads: false, flip: flip)
      #expect(before.0 == outcome, "a label is there or not as without")
      guard outcome == .placed else { continue }
      placed += 1
      if glyphs.map(\.point) != before.1.map(\.point) { moved += 1 }
      // A line that comes back to itself brings together what is further apart.
      if glyphs.map(\.point) != before.1.map(\.point) {
        #expect(deepest(label, glyphs, reach: 1) < 0.2, "\(label)")
      }
    }
    #expect(placed > 1000 && moved > 200, "\(placed) placed, \(moved) moved")
  }

  /// Marks and joined letters meet on a straight line too, and stay together.
  @Test func whatMeetsOnAStraightLineStays() {
    var label = bent(-45)
    label.offsets = [-10, -5, 0, 5, 10]
    #expect(place(label, spreads: true).1.map(\.point) == place(label, spreads: false).1.map(\.point))
  }

  @Test func whereTheLineIsTooShortTheyStay() {
    let label = bent(-75, behind: 17)
    let (before, after) = (place(label, spreads: false), place(label, spreads: true))
    #expect(before.0 == .placed && after.0 == .placed)
    #expect(deepest(label, before.1) > 0.5 && after.1.map(\.point) == before.1.map(\.point))
  }

  /// Letters that are drawn larger than the steps between them are moved further.
  @Test func lettersThatGrowWithTheDistanceMoveApart() {
    let label = bent(-45)
    for scale in [1.0, 1.02] {
      let placed = place(label, spreads: true, scale: scale).1
      var larger = label
      larger.boxes = label.boxes.map { LetterBox(low: $0.low * scale, high: $0.high * scale) }
      #expect(deepest(larger, placed) < 0.05, "\(scale)")
    }
  }
}
