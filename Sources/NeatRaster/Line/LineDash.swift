// Dashes as a signed distance along the line, in a small texture that is read with linear filtering: one
// period is 256 texels wide; round dashes have 15 rows, from one edge of the line to the other, others one
// row. 128 is a dash's edge, larger values lie inside. As MapLibre's line atlas.

import NeatBase

/// A `line-dasharray` ready to draw. Immutable.
package final class LineDash: Sendable {
  package static let width = 256
  /// Rows on each side of the middle one.
  static let roundRows = 7
  /// Values of a dash array that count; the rest are left out.
  package static let maxValues = 1024

  package nonisolated(unsafe) let texels: UnsafeMutablePointer<Float>
  /// Rows on each side of the middle one: 0 or `roundRows`.
  package let halfRows: Int
  /// Length of a period in line widths.
  package let length: Float
  /// Whether it is all dash, as `[2, 0]` is: styles have such for lines that are dashed elsewhere.
  package let isSolid: Bool

  private struct Part {
    var left: Float
    var right: Float
    var isDash: Bool
    var isEmpty: Bool
  }

  /// `array`: lengths of dashes and gaps in line widths; negative ones count as 0. `isRound`: round caps on
  /// dashes.
  package init(_ array: [Float], isRound: Bool) {
    let lengths = array.prefix(LineDash.maxValues).map { $0.isFinite ? max($0, 0) : 0 }
    length = lengths.reduce(0, +)
    halfRows = isRound ? LineDash.roundRows : 0
    let count = LineDash.width * (2 * halfRows + 1)
    assert(LineDash.width & (LineDash.width - 1) == 0, "texels wrap by a mask")
    texels = .allocate(capacity: count)
    texels.initialize(repeating: 0, count: count)
    let stretch = Float(LineDash.width) / length
    // A period too short for its inverse has no texels either.
    if length > 0, length.isFinite, stretch.isFinite {
      let parts = LineDash.parts(lengths, stretch)
      if isRound {
        LineDash.round(parts, stretch, halfRows, texels)
      } else {
        LineDash.straight(LineDash.merged(parts), texels)
      }
    }
    isSolid = UnsafeBufferPointer(start: texels, count: count).allSatisfy { $0 == 1 }
  }

  deinit { texels.deallocate() }

  /// Dashes and gaps in texels. With an odd number of them the last is a dash too, and joins the first one of
  /// the next period.
  private static func parts(_ lengths: [Float], _ stretch: Float) -> [Part] {
    var parts: [Part] = []
    var position: Float = 0
    for (index, length) in lengths.enumerated() {
      var left = position * stretch
      if index == 0 && lengths.count % 2 == 1 { left = -lengths[lengths.count - 1] * stretch }
      position += length
      parts.append(Part(left: left, right: position * stretch, isDash: index % 2 == 0, isEmpty: length == 0))
    }
    return parts
  }

  /// Without empty parts, and with neighbours of the same kind made one.
  private static func merged(_ parts: [Part]) -> [Part] {
    var parts = parts
    for index in parts.indices.reversed() {
      if parts[index].isEmpty {
        parts.remove(at: index)
      } else if index + 1 < parts.count && parts[index + 1].isDash == parts[index].isDash {
        parts[index + 1].left = parts[index].left
        parts.remove(at: index)
      }
    }
    guard let first = parts.first, let last = parts.last else { return parts }
    if first.isDash == last.isDash {
      parts[0].left = last.left - Float(width)
      parts[parts.count - 1].right = first.right + Float(width)
    }
    return parts
  }

  private static func straight(_ parts: [Part], _ texels: UnsafeMutablePointer<Float>) {
    guard !parts.isEmpty else { return }
    var current = 0
    for x in 0..<LineDash.width {
      let x = Float(x)
      while x / parts[current].right > 1 && current + 1 < parts.count { current += 1 }
      let part = parts[current]
      let distance = min(abs(x - part.left), abs(x - part.right))
      texels[Int(bounded: x)] = min(max((part.isDash ? distance : -distance) + 128, 0), 255) / 255
    }
  }

  private static func round(
    _ parts: [Part], _ stretch: Float, _ halfRows: Int, _ texels: UnsafeMutablePointer<Float>
  ) {
    let half = stretch / 2
    for y in -halfRows...halfRows {
      var current = 0
      for x in 0..<LineDash.width {
        while Float(x) / parts[current].right > 1 && current + 1 < parts.count { current += 1 }
        let part = parts[current]
        let end = min(abs(Float(x) - part.left), abs(Float(x) - part.right))
        let middle = Float(y) / Float(halfRows) * (half + 1)
        let edge = half - abs(middle)
        let distance =
          part.isDash
          ? (end * end + edge * edge).squareRoot() : half - (end * end + middle * middle).squareRoot()
        texels[(y + halfRows) * LineDash.width + x] = min(max(distance + 128, 0), 255).rounded(.down) / 255
      }
    }
  }

  /// How much of a pixel lies in a dash, by its distance value: 0...1, over `gamma` to both sides of the dash's end.
  @inline(__always) static func edge(_ value: Float, gamma: Float) -> Float {
    let t = min(max((value - 0.5 + gamma) / (2 * gamma), 0), 1)
    return t * t * (3 - 2 * t)
  }

  /// The distance value in 0...1 at `period` periods along the line (a magnitude below 4,000,000) and
  /// `across` the line, -1...1.
  @inline(__always) func sample(period: Float, across: Float) -> Float {
    assert(abs(period) < 4_000_000 || period.isNaN, "a place too far along its line")
    let turn = period - Float(floorInteger(period))
    let u = turn * Float(LineDash.width) - 0.5
    let texel = floorInteger(u)
    let fraction = u - Float(texel)
    let x0 = texel & (LineDash.width - 1)
    let x1 = (x0 &+ 1) & (LineDash.width - 1)
    if halfRows == 0 { return texels[x0] + (texels[x1] - texels[x0]) * fraction }
    let v = min(max(Float(halfRows) - across * Float(halfRows), 0), Float(2 * halfRows))
    let y0 = min(Int(bounded: v), 2 * halfRows - 1)
    let weight = v - Float(y0)
    let row = texels + y0 &* LineDash.width
    let next = row + LineDash.width
    let a = row[x0] + (row[x1] - row[x0]) * fraction
    let b = next[x0] + (next[x1] - next[x0]) * fraction
    return a + (b - a) * weight
  }
}
