// What it costs to draw the shapes of a frame, by rows: about, in nanoseconds. Threads draw a frame in bands, and
// what crosses a band's border is begun twice. With bands that cost as much as each other, few are needed.

import NeatBase

package struct RowCosts: ~Copyable {
  /// Rows that are counted together.
  package static let step = 8

  /// What the steps' costs are more than those of the step before.
  private var changes = GrowingBuffer<Float>()

  package init() {}

  /// Counts a shape, evenly over the rows it lies in.
  /// - Parameters:
  ///   - top, bottom: pixels; what lies outside of the frame is counted at its border.
  ///   - height: rows of the frame; that of the first shape counts.
  @inline(__always)
  mutating func add(top: Float, bottom: Float, height: Int, _ cost: Float) {
    if changes.count == 0 { begin(RowCosts.steps(height)) }
    // Pictures that are draped over the ground are of other heights, and are made in the same memory: no frame over a
    // terrain is cut by its costs.
    let steps = changes.count - 1
    let first = RowCosts.step(top, steps)
    let last = max(first, RowCosts.step(bottom, steps))
    let each = first == last ? cost : cost / Float(last - first + 1)
    changes[first] += each
    changes[last + 1] -= each
  }

  @inline(never) private mutating func begin(_ steps: Int) {
    changes.extend(steps + 1).initialize(repeating: 0, count: steps + 1)
  }

  @inline(__always) private static func step(_ row: Float, _ steps: Int) -> Int {
    let limit = Float(steps - 1)
    // What is no number counts at the top.
    let step = max(0, row * (1 / Float(RowCosts.step)))
    return Int(saturating: step < limit ? step : limit)
  }

  /// Steps of a frame of `height` rows.
  package static func steps(_ height: Int) -> Int { max(1, (height + step - 1) / step) }

  /// Adds the steps' costs to others.
  package func add(to sums: inout [Float]) {
    var cost: Float = 0
    for place in 0..<min(sums.count, max(0, changes.count - 1)) {
      cost += changes[place]
      sums[place] += cost
    }
  }

  package mutating func removeAll() { changes.removeAll() }

  package var heldBytes: Int { changes.heldBytes }
}

/// Nanoseconds, about: of a glyph with its halo, of a row of it, of a pixel of an icon.
private let glyphCost: Float = 400
private let glyphRowCost: Float = 60
private let iconPixelCost: Float = 4

/// Adds what glyphs cost to draw, by steps of rows.
package func addGlyphCosts(_ quads: UnsafeBufferPointer<GlyphQuad>, to sums: inout [Float], height: Int) {
  add(quads, height, to: &sums, bounds: \.bounds) { rows, _ in glyphCost + glyphRowCost * rows }
}

/// Adds what icons cost to draw, by steps of rows.
package func addIconCosts(_ quads: UnsafeBufferPointer<IconQuad>, to sums: inout [Float], height: Int) {
  add(quads, height, to: &sums, bounds: \.bounds) { rows, columns in iconPixelCost * rows * columns }
}

@inline(__always)
private func add<Quad>(
  _ quads: UnsafeBufferPointer<Quad>, _ height: Int, to sums: inout [Float], bounds: (Quad) -> PixelBounds,
  _ cost: (_ rows: Float, _ columns: Float) -> Float
) {
  if quads.isEmpty { return }
  var costs = RowCosts()
  for quad in quads {
    let box = bounds(quad)
    let (top, bottom) = (max(0, box.y0), min(Int32(clamping: height), box.y1))
    guard top < bottom, box.x0 < box.x1 else { continue }
    costs.add(
      top: Float(top), bottom: Float(bottom), height: height,
      cost(Float(bottom - top), min(4096, Float(box.x1 - box.x0))))
  }
  costs.add(to: &sums)
}
