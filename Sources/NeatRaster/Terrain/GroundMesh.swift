// The ground of one tile as a regular grid of triangles, 128 cells to a side, and around it a skirt that hangs
// down, so that no sky shows between neighbours of different zooms. Whoever makes one says where a point of the
// tile lies on the frame: on the Mercator plane, or on a globe.
import NeatBase

/// A point of the ground as it is seen.
package struct GroundPoint: BitwiseCopyable {
  /// (x·w, y·w, z, w): frame pixels times w; z / w from -1 at the near plane to 1 at the far one.
  package var position: SIMD4<Float>
  /// How far away it is, for the sky's fog: 0 at the centre of the view, 1 where the ground ends. For the fog of the
  /// style's root: how much of that there is.
  package var fog: Float

  package init(position: SIMD4<Float>, fog: Float) {
    self.position = position
    self.fog = fog
  }
}

/// A corner ready for triangles.
struct GroundCorner: BitwiseCopyable {
  /// 1/256 pixel.
  var x: Int32 = 0
  var y: Int32 = 0
  /// z / w, 1 / w, and u / w, v / w (0...1 over the tile).
  var linear = SIMD4<Float>.zero
  /// fog / w.
  var fog: Float = 0
  /// Too near, or too far aside: its triangles are cut first.
  var isOutside = false
}

package final class GroundMesh: Sendable {
  /// Cells along a side.
  package static let cells = 128
  private static let side = cells + 1
  /// Points of the grid, and after them those of the skirt: north, south, west, east.
  static let pointCount = side * side + 4 * side
  /// Bytes of a mesh.
  package static let byteCount =
    pointCount * (MemoryLayout<GroundPoint>.stride + MemoryLayout<GroundCorner>.stride)
  /// Cells along the side of a block, which is left out where a band does not touch it.
  static let blockCells = cells / GroundBlocks.side
  private static let blockCount = GroundBlocks.side
  /// The blocks, and after them the pieces of the skirt, each below a block's edge.
  private static let skirtStart = blockCount * blockCount

  /// The sides of the skirt, in their order.
  package enum Side: Int, Sendable, CaseIterable { case north, south, west, east }

  /// The box of pixels around a block or a piece of the skirt.
  struct Part: BitwiseCopyable {
    var top: Int32
    var bottom: Int32
    var left: Int32
    var right: Int32

    static let none = Part(top: .max, bottom: .min, left: .max, right: .min)
    /// Where a corner is too near to tell.
    static let anywhere = Part(top: .min, bottom: .max, left: .min, right: .max)
  }

  let hasSkirt: Bool
  private nonisolated(unsafe) let memory: UnsafeMutablePointer<GroundCorner>
  private nonisolated(unsafe) let points: UnsafeMutablePointer<GroundPoint>
  /// Of the blocks, row by row, then of the pieces of the skirt's four sides.
  private let parts: [Part]

  /// - Parameter point: where the point (u, v) of the tile lies, 0...1 from the north-west corner; of the lower edge
  ///   of a side of the skirt where one is named.
  package init(hasSkirt: Bool, point: (_ u: Double, _ v: Double, _ skirt: Side?) -> GroundPoint) {
    self.hasSkirt = hasSkirt
    let count = GroundMesh.pointCount
    points = .allocate(capacity: count)
    memory = .allocate(capacity: count)
    let (side, cells) = (GroundMesh.side, Double(GroundMesh.cells))
    for y in 0..<side {
      for x in 0..<side {
        (points + y * side + x).initialize(to: point(Double(x) / cells, Double(y) / cells, nil))
      }
    }
    for index in 0..<side {
      let t = Double(index) / cells
      let places: [SIMD2<Double>] = [SIMD2(t, 0), SIMD2(t, 1), SIMD2(0, t), SIMD2(1, t)]
      for (skirt, place) in zip(Side.allCases, places) {
        (points + side * side + skirt.rawValue * side + index).initialize(
          to: hasSkirt ? point(place.x, place.y, skirt) : GroundPoint(position: .zero, fog: 0))
      }
    }
    for index in 0..<count {
      (memory + index).initialize(to: GroundMesh.corner(points[index], GroundMesh.place(index)))
    }
    parts = GroundMesh.parts(memory, hasSkirt)
  }

  deinit {
    points.deallocate()
    memory.deallocate()
  }

  var corners: UnsafePointer<GroundCorner> { UnsafePointer(memory) }

  /// Where a point lies in its tile.
  static func place(_ index: Int) -> SIMD2<Float> {
    let cells = Float(GroundMesh.cells)
    if index < side * side { return SIMD2(Float(index % side) / cells, Float(index / side) / cells) }
    let (number, step) = ((index - side * side) / side, Float((index - side * side) % side) / cells)
    switch number {
    case 0: return SIMD2(step, 0)
    case 1: return SIMD2(step, 1)
    case 2: return SIMD2(0, step)
    default: return SIMD2(1, step)
    }
  }

  func point(_ index: Int) -> GroundPoint { points[index] }

  /// Nearer points, or points farther aside than this many pixels, are cut off.
  static let nearW: Float = 1e-3
  static let guardPixels: Float = 32768

  static func corner(_ point: GroundPoint, _ place: SIMD2<Float>) -> GroundCorner {
    var corner = GroundCorner()
    let w = point.position.w
    let limit = guardPixels * w
    guard w >= nearW, abs(point.position.x) <= limit, abs(point.position.y) <= limit else {
      corner.isOutside = true
      return corner
    }
    let inverse = 1 / w
    corner.x = Int32(saturating: (point.position.x * inverse * 256).rounded())
    corner.y = Int32(saturating: (point.position.y * inverse * 256).rounded())
    corner.linear = SIMD4(point.position.z * inverse, inverse, place.x * inverse, place.y * inverse)
    corner.fog = point.fog * inverse
    return corner
  }

  private static func parts(_ corners: UnsafePointer<GroundCorner>, _ hasSkirt: Bool) -> [Part] {
    (0..<(hasSkirt ? skirtStart + 4 * blockCount : skirtStart)).map { number in
      var part = Part.none
      var isOutside = false
      forEachPoint(of: number) { index in
        let corner = corners[index]
        isOutside = isOutside || corner.isOutside
        part.top = min(part.top, corner.y >> 8)
        part.bottom = max(part.bottom, (corner.y >> 8) + 1)
        part.left = min(part.left, corner.x >> 8)
        part.right = max(part.right, (corner.x >> 8) + 1)
      }
      return isOutside ? .anywhere : part
    }
  }

  /// Of a piece of the skirt, also those above it.
  @inline(__always) private static func forEachPoint(of part: Int, _ body: (Int) -> Void) {
    guard part >= skirtStart else {
      let first = part / blockCount * blockCells * side + part % blockCount * blockCells
      for row in 0...blockCells {
        for column in 0...blockCells { body(first + row * side + column) }
      }
      return
    }
    let (number, piece) = (part - skirtStart).quotientAndRemainder(dividingBy: blockCount)
    for step in piece * blockCells...(piece + 1) * blockCells {
      body(side * side + number * side + step)
      body(edge(number, step))
    }
  }

  /// The point of the grid above a point of the skirt.
  private static func edge(_ number: Int, _ step: Int) -> Int {
    switch number {
    case 0: step
    case 1: cells * side + step
    case 2: step * side
    default: step * side + cells
    }
  }

  /// The blocks that may be seen in a frame, by themselves, by the skirt below them, or by samples of the picture that
  /// reach over from their neighbours.
  /// - Parameter edge: texels along the picture.
  package func seenBlocks(width: Int, height: Int, edge: Int) -> GroundBlocks {
    var seen = GroundBlocks.none
    // A sample is made of texels up to one beside it, of a place up to a pixel beside the frame's. More than that, as
    // texels are not of one size everywhere in a block.
    let texels = max(1, edge / GroundMesh.blockCount)
    for (number, part) in parts.enumerated() {
      if part.top == .min, isBeside(number, SIMD2(Float(width), Float(height))) { continue }
      let (top, bottom, left, right) = (Int(part.top), Int(part.bottom), Int(part.left), Int(part.right))
      let beside = 4 + 4 * max(bottom - top, right - left) / texels
      guard bottom >= -beside, top <= height + beside, right >= -beside, left <= width + beside else {
        continue
      }
      let place = number - GroundMesh.skirtStart, last = GroundMesh.blockCount - 1
      let step = number % GroundMesh.blockCount
      switch place < 0 ? nil : Side(rawValue: place / GroundMesh.blockCount) {
      case .north: seen.add(row: 0, column: step)
      case .south: seen.add(row: last, column: step)
      case .west: seen.add(row: step, column: 0)
      case .east: seen.add(row: step, column: last)
      case nil: seen.add(row: number / GroundMesh.blockCount, column: step)
      }
    }
    // Blocks of less than two texels: all of the picture is there.
    return edge < 2 * GroundMesh.blockCount && !seen.isEmpty ? .all : seen
  }

  /// Whether all of a part, some of which is near the eye or behind it, lies to one side of a frame or behind the eye.
  private func isBeside(_ part: Int, _ size: SIMD2<Float>) -> Bool {
    // Pixels beside the frame: samples of near ground reach far.
    let margin: Float = 64
    var beside = SIMD4<Int32>.zero
    var (count, behind) = (Int32.zero, Int32.zero)
    GroundMesh.forEachPoint(of: part) { index in
      count += 1
      let p = points[index].position
      let low = SIMD2(repeating: -margin * p.w) - SIMD2(p.x, p.y)
      let high = SIMD2(p.x, p.y) - (size + margin) * p.w
      beside.replace(with: beside &+ 1, where: SIMD4(lowHalf: low, highHalf: high) .> 0)
      if p.w < GroundMesh.nearW { behind += 1 }
    }
    return behind == count || beside.max() == count
  }

  /// Calls the body for each triangle that may touch rows `top..<bottom`, in the order that they are drawn in: its
  /// corners, and the number of its cell, row by row; -1 for the skirt.
  @inline(__always) func forEachTriangle(
    _ top: Int, _ bottom: Int, columns: Int, _ body: (Int, Int, Int, Int) -> Void
  ) {
    let side = GroundMesh.side, cells = GroundMesh.cells
    for (number, part) in parts.enumerated() where Int(part.bottom) >= top && Int(part.top) <= bottom {
      guard Int(part.right) >= 0, Int(part.left) <= columns else { continue }
      guard number < GroundMesh.skirtStart else {
        skirt(number - GroundMesh.skirtStart) { body($0, $1, $2, -1) }
        continue
      }
      let firstRow = number / GroundMesh.blockCount * GroundMesh.blockCells
      let firstColumn = number % GroundMesh.blockCount * GroundMesh.blockCells
      for row in firstRow..<firstRow + GroundMesh.blockCells {
        for column in firstColumn..<firstColumn + GroundMesh.blockCells {
          let corner = row &* side &+ column, cell = row &* cells &+ column
          body(corner, corner &+ side, corner &+ side &+ 1, cell)
          body(corner, corner &+ side &+ 1, corner &+ 1, cell)
        }
      }
    }
  }

  private func skirt(_ piece: Int, _ body: (Int, Int, Int) -> Void) {
    let number = piece / GroundMesh.blockCount
    let first = GroundMesh.side * GroundMesh.side + number * GroundMesh.side
    let start = piece % GroundMesh.blockCount * GroundMesh.blockCells
    for step in start..<start + GroundMesh.blockCells {
      let (a, b) = (GroundMesh.edge(number, step), GroundMesh.edge(number, step + 1))
      let (c, d) = (first + step, first + step + 1)
      // Seen from outside of the tile.
      if number == 0 || number == 3 {
        body(a, d, c)
        body(a, b, d)
      } else {
        body(a, c, d)
        body(a, d, b)
      }
    }
  }
}
