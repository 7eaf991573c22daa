// Two triangles of a straight stretch of a line as one shape: four sides, and two functions that are linear
// over it.

import NeatBase

struct LineTrapezoid {
  /// What lies between the sides.
  let rows: LineRows
  /// Across the line: -1 on the left side, 1 on the right one; along a round cap: 0 to 1; all times 255 over
  /// the ramp. Changes along x and y, and the values at the frame's origin.
  private let nyX, nyY, ny0: Float
  private let nxX, nxY, nx0: Float
  private let isRound: Bool

  /// The corners of the left side (l) and of the right one (r); nil where the two are not parallel.
  @inline(__always)
  init?(_ l0: LinePoint, _ r0: LinePoint, _ l1: LinePoint, _ r1: LinePoint, _ shade: LineShade) {
    // Sides: left, right, start, end.
    let x0 = SIMD4(l0.x, r0.x, l0.x, l1.x)
    let x1 = SIMD4(l1.x, r1.x, r0.x, r1.x)
    let top = SIMD4(l0.y, r0.y, l0.y, l1.y)
    let bottom = SIMD4(l1.y, r1.y, r0.y, r1.y)
    let dx = x1 - x0
    let dy = bottom - top
    let area = dx[0] * dy[2] - dy[0] * dx[2]
    let endArea = dx[0] * dy[3] - dy[0] * dx[3]
    // Less than 1/50 pixel off, and not folded.
    guard abs(endArea - area) * shade.outsetPixels * 100 < abs(area), dx[0] * dx[1] + dy[0] * dy[1] > 0 else {
      return nil
    }
    // Left and end have the inside on their right where the area is negative, right and start where it is
    // positive.
    let sides = SIMD4<Float>(-1, 1, 1, -1) * area .> 0
    rows = LineRows(x0: x0, y0: top, x1: x1, y1: bottom, lower: sides, slack: SIMD4(0.01, 0.01, 0, 0))
    let scale = 2 * shade.slope / area
    (nyX, nyY) = (-dy[0] * scale, dx[0] * scale)
    ny0 = -shade.slope - l0.x * nyX - l0.y * nyY
    isRound = (l0.flags | l1.flags) & 1 != 0
    let roundScale = (l0.nx - l1.nx) * shade.slope / area
    (nxX, nxY) = (-dy[2] * roundScale, dx[2] * roundScale)
    nx0 = l0.nx * shade.slope - l0.x * nxX - l0.y * nxY
  }

  /// The functions along the row whose pixels' centres lie at `row`.
  @inline(__always)
  func ramp(row: Float) -> LineRamp {
    LineRamp(nyX: nyX, ny: ny0 + row * nyY, nxX: nxX, nx: nx0 + row * nxY, isRound: isRound)
  }
}

/// The distance to a line's middle along one row of pixels.
struct LineRamp {
  let nyX, ny, nxX, nx: Float
  let isRound: Bool

  /// 255 times the distance over the ramp at four places.
  @inline(__always)
  func distance(_ place: SIMD4<Float>) -> SIMD4<Float> {
    let across = place * nyX + ny
    if isRound {
      let along = place * nxX + nx
      return (across * across + along * along).squareRoot()
    }
    return unsafeBitCast(unsafeBitCast(across, to: Pixels4.self) & 0x7FFF_FFFF, to: SIMD4<Float>.self)
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
