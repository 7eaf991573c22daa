// Edges of triangles whose corners lie on a grid finer than pixels: which pixels' centres are inside, exactly, so that
// triangles that share an edge have every pixel once.
import NeatBase

/// One edge, inside where a·x + b·y + c >= 0, with pixel centres counted in whole pixels.
struct PixelEdge: BitwiseCopyable {
  private let a: Int64
  private let b: Int64
  private let c: Int64

  /// The inside is on the left hand, y running down.
  /// - Parameters:
  ///   - p, q: within 2^23 parts of a pixel of the picture's corner: every product fits.
  ///   - unit: parts of a pixel.
  @inline(__always) init(_ p: SIMD2<Int64>, _ q: SIMD2<Int64>, unit: Int64) {
    assert(max(abs(p.x), abs(p.y), abs(q.x), abs(q.y)) <= 1 << 23, "a corner too far away")
    let (dx, dy) = (q.x &- p.x, q.y &- p.y)
    // A point on the edge belongs to the triangle if the edge is a left or a bottom one: the rows of the reference's
    // frame run upwards, and what is its top is the bottom of its picture.
    let isOwn = dy < 0 || (dy == 0 && dx < 0)
    let half = unit / 2
    (a, b) = (0 &- dy &* unit, dx &* unit)
    c = dx &* (half &- p.y) &- dy &* (half &- p.x) &- (isOwn ? 0 : 1)
  }

  /// Narrows `low...high` to the columns of a row that are inside.
  @inline(__always) func cut(_ row: Int64, _ low: inout Int, _ high: inout Int) {
    let rest = b &* row &+ c
    if a > 0 {
      low = max(low, Int(-floorDivided(rest, a)))
    } else if a < 0 {
      high = min(high, Int(floorDivided(rest, -a)))
    } else if rest < 0 {
      high = low - 1
    }
  }

  /// Twice the area of a triangle, negative where its corners run counterclockwise on the screen.
  @inline(__always)
  static func doubleArea(_ p: SIMD2<Int64>, _ q: SIMD2<Int64>, _ r: SIMD2<Int64>) -> Int64 {
    (q.x &- p.x) &* (r.y &- p.y) &- (q.y &- p.y) &* (r.x &- p.x)
  }
}

/// The pixels whose centres are inside a triangle, row by row.
struct PixelTriangle {
  private let rows: ClosedRange<Int>
  private let left, right: Int
  private let e0, e1, e2: PixelEdge

  /// Nil where nothing of it is among the rows and columns, and where its corners run clockwise on the screen, or
  /// have no area between them.
  /// - Parameter bits: of the parts of a pixel that the corners are counted in.
  @inline(__always)
  init?(
    _ p: SIMD2<Int64>, _ q: SIMD2<Int64>, _ r: SIMD2<Int64>, bits: Int64, columns: Int, rows: Range<Int>
  ) {
    let unit = Int64(1) << bits
    let half = unit / 2
    let top = max(rows.lowerBound, Int((min(p.y, q.y, r.y) &+ half &- 1) >> bits))
    let bottom = min(rows.upperBound - 1, Int((max(p.y, q.y, r.y) &- half) >> bits))
    if top > bottom { return nil }
    left = max(0, Int((min(p.x, q.x, r.x) &+ half &- 1) >> bits))
    right = min(columns - 1, Int((max(p.x, q.x, r.x) &- half) >> bits))
    guard left <= right, PixelEdge.doubleArea(p, q, r) < 0 else { return nil }
    self.rows = top...bottom
    // The other way round, so that the inside is on the left hand of each edge.
    e0 = PixelEdge(p, r, unit: unit)
    e1 = PixelEdge(r, q, unit: unit)
    e2 = PixelEdge(q, p, unit: unit)
  }

  /// Calls `body` with each row that has pixels, and the first and last of its columns.
  @inline(__always) func eachRow(_ body: (_ y: Int, _ low: Int, _ high: Int) -> Void) {
    for y in rows {
      var (low, high) = (left, right)
      e0.cut(Int64(y), &low, &high)
      e1.cut(Int64(y), &low, &high)
      e2.cut(Int64(y), &low, &high)
      if low <= high { body(y, low, high) }
    }
  }
}

/// Rounded down; the divisor is above 0.
@inline(__always) func floorDivided(_ a: Int64, _ b: Int64) -> Int64 {
  let quotient = a / b
  return a % b < 0 ? quotient - 1 : quotient
}
