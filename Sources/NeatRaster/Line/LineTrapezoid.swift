// Two triangles of a straight stretch of a line as one shape: four sides, and what is linear over each of the
// triangles.

import NeatBase

struct LineTrapezoid {
  /// What lies between the sides.
  let rows: LineRows
  /// Across the line: -1 on the left side, 1 on the right one, times 255 over the ramp; linear in the triangle
  /// with both first corners, and in the one with both second corners. Changes along x and y, and the values at
  /// the frame's origin.
  let first, second: SIMD3<Float>
  /// Along a round cap: 0 to 1, the same way.
  let cap: SIMD3<Float>
  let kind: Kind

  enum Kind {
    /// One function is enough, two, or one and a round cap's.
    case one, two, round
  }

  /// The corners of the left side (l) and of the right one (r); nil where the shape is not convex, or a round
  /// end has sides that are not parallel.
  @inline(__always)
  init?(_ l0: LinePoint, _ r0: LinePoint, _ l1: LinePoint, _ r1: LinePoint, _ shade: LineShade) {
    // The wedges of a join have two corners of one side in a row, and are no stretch.
    guard (l0.flags ^ r0.flags) & (l1.flags ^ r1.flags) & ~(l0.flags ^ l1.flags) & 2 != 0 else { return nil }
    // Sides: left, right, start, end.
    let x0 = SIMD4(l0.x, r0.x, l0.x, l1.x)
    let x1 = SIMD4(l1.x, r1.x, r0.x, r1.x)
    let top = SIMD4(l0.y, r0.y, l0.y, l1.y)
    let bottom = SIMD4(l1.y, r1.y, r0.y, r1.y)
    let dx = x1 - x0
    let dy = bottom - top
    // Left and right with start, and with end: the corners' turns, which are all to one side.
    let starts = SIMD2(dx[0], dx[1]) * dy[2] - SIMD2(dy[0], dy[1]) * dx[2]
    let ends = SIMD2(dx[0], dx[1]) * dy[3] - SIMD2(dy[0], dy[1]) * dx[3]
    let (area, endArea) = (starts[0], ends[1])
    let sign: Float = area < 0 ? -1 : 1
    guard min(min(starts[0] * sign, starts[1] * sign), min(ends[0] * sign, ends[1] * sign)) > 0 else {
      return nil
    }
    // Left and end have the inside on their right where the area is negative, right and start where it is
    // positive.
    let sides = SIMD4<Float>(-1, 1, 1, -1) * area .> 0
    rows = LineRows(x0: x0, y0: top, x1: x1, y1: bottom, lower: sides, slack: SIMD4(0.01, 0.01, 0, 0))
    let scale = 2 * shade.slope / area
    let (nyX, nyY) = (-dy[0] * scale, dx[0] * scale)
    let across = SIMD3(nyX, nyY, -shade.slope - l0.x * nyX - l0.y * nyY)
    // Less than 1/50 pixel off: one function does.
    let isOne = abs(ends[0] - area) * shade.outsetPixels * 100 < abs(area)
    if (l0.flags | l1.flags) & 1 != 0 {
      guard isOne else { return nil }
      let roundScale = (l0.nx - l1.nx) * shade.slope / area
      let (nxX, nxY) = (-dy[2] * roundScale, dx[2] * roundScale)
      cap = SIMD3(nxX, nxY, l0.nx * shade.slope - l0.x * nxX - l0.y * nxY)
      (first, second, kind) = (across, .zero, .round)
    } else if isOne {
      (first, second, cap, kind) = (across, .zero, .zero, .one)
    } else {
      // Extrusions are whole steps, so that the sides between two joins are seldom parallel. What both functions
      // share is the diagonal: over the whole shape it is the greater one, or the lesser.
      let scale = 2 * shade.slope / endArea
      let (nyX, nyY) = (-dy[1] * scale, dx[1] * scale)
      let other = SIMD3(nyX, nyY, shade.slope - r1.x * nyX - r1.y * nyY)
      let isGreater = dx[0] * nyX + dy[0] * nyY > 0
      (first, second) = isGreater ? (across, other) : (-across, -other)
      (cap, kind) = (.zero, .two)
    }
  }
}

/// How far along its line the pixels of a stretch lie: one linear function where its sides are as long, else one for
/// each of the two triangles that it consists of, as MapLibre interpolates it.
struct LineAlong {
  /// Changes along x and y, and the value at the frame's origin: of the triangle with the first left corner, and of
  /// the one with the second right corner.
  private let first, second: SIMD3<Float>
  /// Below 0 in the second triangle.
  private let side: SIMD3<Float>
  private let isOne: Bool

  /// The corners of the left side and of the right one; nil where a triangle has no area.
  @inline(__always)
  init?(_ l0: LinePoint, _ r0: LinePoint, _ l1: LinePoint, _ r1: LinePoint) {
    let left = SIMD2(l1.x - l0.x, l1.y - l0.y)
    let right = SIMD2(r1.x - r0.x, r1.y - r0.y)
    let start = SIMD2(r0.x - l0.x, r0.y - l0.y)
    let area = left.x * start.y - left.y * start.x
    guard area != 0 else { return nil }
    let difference = left - right
    if difference.x * difference.x + difference.y * difference.y < 0.0025, l0.distance == r0.distance,
      l1.distance == r1.distance
    {
      let scale = (l1.distance - l0.distance) / area
      let (x, y) = (start.y * scale, -start.x * scale)
      first = SIMD3(x, y, l0.distance - l0.x * x - l0.y * y)
      (second, side, isOne) = (.zero, .zero, true)
      return
    }
    let end = SIMD2(l1.x - r1.x, l1.y - r1.y)
    let endArea = right.y * end.x - right.x * end.y
    guard endArea != 0 else { return nil }
    first = LineAlong.plane(l0, left, l1.distance, start, r0.distance, area)
    second = LineAlong.plane(r1, SIMD2(-right.x, -right.y), r0.distance, end, l1.distance, endArea)
    // The diagonal from the first right corner to the second left one: the first left corner is on its inside.
    let diagonal = SIMD2(l1.x - r0.x, l1.y - r0.y)
    let inside: Float = diagonal.x * start.y - diagonal.y * start.x < 0 ? 1 : -1
    let (x, y) = (-diagonal.y * inside, diagonal.x * inside)
    side = SIMD3(x, y, -r0.x * x - r0.y * y)
    isOne = false
  }

  /// The function that is `corner`'s distance there, `a` at `toA` from there and `b` at `toB`. `area`: that of
  /// `toA` and `toB`.
  @inline(__always)
  private static func plane(
    _ corner: LinePoint, _ toA: SIMD2<Float>, _ a: Float, _ toB: SIMD2<Float>, _ b: Float, _ area: Float
  ) -> SIMD3<Float> {
    let (da, db) = ((a - corner.distance) / area, (b - corner.distance) / area)
    let (x, y) = (toB.y * da - toA.y * db, toA.x * db - toB.x * da)
    return SIMD3(x, y, corner.distance - corner.x * x - corner.y * y)
  }

  /// The functions along the row whose pixels' centres lie at `row`.
  @inline(__always)
  func row(_ row: Float) -> LineAlongRow {
    LineAlongRow(
      first: SIMD2(first.x, first.z + first.y * row), second: SIMD2(second.x, second.z + second.y * row),
      side: SIMD2(side.x, side.z + side.y * row), isOne: isOne)
  }
}

/// How far along its line the pixels of a row lie: changes from pixel to pixel, and values at the row's beginning.
struct LineAlongRow {
  let first, second, side: SIMD2<Float>
  let isOne: Bool

  static var none: LineAlongRow { LineAlongRow(first: .zero, second: .zero, side: .zero, isOne: true) }

  @inline(__always)
  func distance(_ place: SIMD4<Float>) -> SIMD4<Float> {
    let value = place * first.x + first.y
    if isOne { return value }
    return value.replacing(with: place * second.x + second.y, where: place * side.x + side.y .< 0)
  }
}
