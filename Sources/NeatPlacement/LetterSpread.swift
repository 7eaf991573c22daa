// Letters on the inside of a bend come together, and lie on each other where it is sharp. They are moved apart along
// their line, from the label's anchor to both ends, as far as their ink asks for; MapLibre leaves them as they are.
import NeatBase

/// What a letter's ink covers around its place on the line: 24ths of an em, y down.
package struct LetterBox: Sendable {
  package var low: SIMD2<Double>
  package var high: SIMD2<Double>

  package init(low: SIMD2<Double>, high: SIMD2<Double>) { (self.low, self.high) = (low, high) }

  /// Of marks and joined letters boxes meet on a straight line too: they belong together.
  /// - Parameter growth: by how much letters are larger than the steps between them.
  fileprivate func isApart(from next: LetterBox, by step: Double, growth: Double) -> Bool {
    high.x > low.x && next.high.x > next.low.x && step + next.low.x * growth >= high.x * growth
  }
}

/// What the letters of a label cover, and plane pixels a 24th of an em that they are drawn in.
package struct Letters {
  let box: (Int) -> LetterBox
  let scale: Double

  package init(scale: Double, box: @escaping (Int) -> LetterBox) { (self.box, self.scale) = (box, scale) }
}

/// A letter's box where it stands.
private struct StandingBox {
  let center: SIMD2<Double>
  let along: SIMD2<Double>
  let half: SIMD2<Double>

  init(_ box: LetterBox, _ glyph: GlyphOnLine, scale: Double) {
    let (s, c) = (sin(glyph.angle), cos(glyph.angle))
    along = SIMD2(c, s)
    let middle = (box.low + box.high) * (scale / 2)
    center = glyph.point + along * middle.x + perpendicular(along) * middle.y
    half = (box.high - box.low) * (scale / 2)
  }

  /// How far `other` is to go in a direction so that both are apart: 0 where they are.
  func way(of other: StandingBox, towards direction: SIMD2<Double>) -> Double {
    let between = other.center - center
    var best = Double.infinity
    for axis in [along, perpendicular(along), other.along, perpendicular(other.along)] {
      let distance = dot(between, axis)
      let meets = reach(axis) + other.reach(axis) - abs(distance)
      guard meets > 0 else { return 0 }
      let gain = dot(direction, axis) * (distance < 0 ? -1 : 1)
      if gain > 0.25 { best = min(best, meets / gain) }
    }
    return best.isFinite ? best : 0
  }

  private func reach(_ axis: SIMD2<Double>) -> Double {
    half.x * abs(dot(along, axis)) + half.y * abs(dot(perpendicular(along), axis))
  }
}

@inline(__always) private func dot(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.x + a.y * b.y }

extension LineWalk {
  /// By how much a label may grow at each of its ends: 24ths of an em.
  package static let longestSpread = 24.0
  /// Bends below this leave letters apart: radians.
  private static let slightBend = 0.1

  /// Moves the letters of a label apart that a bend lays on each other. Where the line, or the room at its ends, is too
  /// short for that they stay.
  /// - Parameters:
  ///   - glyphs: the label's, from `first` on, as they stand without.
  ///   - letters: what each covers.
  func spread(
    _ glyphs: inout [GlyphOnLine], from first: Int, offsets: UnsafeBufferPointer<Float>, fontScale: Double,
    lineOffset: SIMD2<Double>, flip: Bool, _ letters: Letters
  ) {
    guard isBent(glyphs[first...]), fontScale > 0 else { return }
    let before = Array(glyphs[first...])
    let isDone = trySpread(
      &glyphs, from: first, offsets: offsets, fontScale: fontScale, lineOffset: lineOffset, flip: flip,
      letters)
    if !isDone { glyphs.replaceSubrange(first..., with: before) }
  }

  private func trySpread(
    _ glyphs: inout [GlyphOnLine], from first: Int, offsets: UnsafeBufferPointer<Float>, fontScale: Double,
    lineOffset: SIMD2<Double>, flip: Bool, _ letters: Letters
  ) -> Bool {
    let growth = letters.scale / fontScale
    let middle = offsets.indices.min { abs(offsets[$0]) < abs(offsets[$1]) } ?? 0
    for side in [1, -1] {
      var moved = 0.0
      var number = middle + side
      while offsets.indices.contains(number) {
        defer { number += side }
        let offset = Double(offsets[number]) * fontScale
        func stand() -> Bool {
          guard let glyph = glyph(offset: offset + Double(side) * moved, lineOffset: lineOffset, flip: flip)
          else { return false }
          glyphs[first + number] = glyph
          return true
        }
        if moved > 0, !stand() { return false }
        let box = letters.box(number)
        for before in [number - side, number - 2 * side]
        where offsets.indices.contains(before) && (before - middle) * side >= 0 {
          let other = letters.box(before)
          let step = Double(offsets[max(before, number)] - offsets[min(before, number)])
          let (left, right) = side > 0 ? (other, box) : (box, other)
          guard left.isApart(from: right, by: step, growth: growth) else { continue }
          let standing = StandingBox(other, glyphs[first + before], scale: letters.scale)
          // Once more where the way leads around another corner.
          for _ in 0..<3 {
            let here = StandingBox(box, glyphs[first + number], scale: letters.scale)
            let way = standing.way(of: here, towards: here.along * Double(side))
            guard way > 0 else { break }
            moved += way
            guard moved <= LineWalk.longestSpread * fontScale, stand() else { return false }
          }
        }
      }
    }
    return true
  }

  private func isBent(_ glyphs: ArraySlice<GlyphOnLine>) -> Bool {
    zip(glyphs, glyphs.dropFirst()).contains { a, b in
      abs((b.angle - a.angle).remainder(dividingBy: 2 * .pi)) > LineWalk.slightBend
    }
  }
}
