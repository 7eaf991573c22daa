// Lines to triangles, vertex for vertex as MapLibre's line bucket does it.
//
// Every point of a line gives a pair of vertices, left and right, extruded along the join's normal (the
// bisector of the normals of the segments that meet, lengthened by 1 / cos of half the angle: the miter).
// Joins that are too sharp for a miter close the segment and open the next, with triangles between: one
// (bevel), several (fakeround, up to a miter of 2), or the round flag, which makes the renderer draw a half
// disc. Near sharp corners extra points keep what is interpolated over the segment from being bent. Each new
// vertex makes a triangle with the last vertex of either side.
import NeatBase

package struct LineTessellator: ~Copyable {
  /// Vertices that a mesh may have at most.
  package static let maxVertices = 1 << 24
  /// Vertices that one segment may have: 16-bit indices, 65,535 kept free for primitive restart.
  package static let maxSegmentVertices = 65535
  /// Vertices that room is made for beforehand, at most: 8 MB, which nobody counts.
  private static let maxReserved = 1 << 18
  /// More than one point of a line can add.
  private static let room = 64
  private static let sharpCornerOffset = 15.0
  private static let cosHalfSharpCorner = cos(75.0 / 2 * (.pi / 180))
  private static let degreesPerTriangle = 20.0
  /// Half of what MapLibre's 15 bits of distance hold.
  private static let distanceReset = 16384.0

  private var vertices: GrowingBuffer<LineVertex>
  private var indices: GrowingBuffer<UInt16>
  private var segments: [LineMeshSegment] = []
  private var pieces: [LinePiece] = []
  private var lineCount: Int32 = 0

  private var segmentStart = 0
  private var segmentIndex = 0
  private var pieceVertex = 0
  private var pieceIndex = 0
  private var e1 = -1
  private var e2 = -1
  private var distance = 0.0
  private var isMeasured = false

  /// With room for lines of so many points without rounding; more is made where it is needed.
  package init(points: Int = 128) {
    assert(points >= 0, "fewer than no points")
    vertices = GrowingBuffer(capacity: 2 * points + 4)
    indices = GrowingBuffer(capacity: 6 * points)
  }

  /// Makes room for lines of so many points in all, so that it does not grow as they come: what it grew out of
  /// would have been touched in vain. Sharp turns and round ends may still take more.
  package mutating func reserve(points: Int, lines: Int) {
    assert(points >= 0 && lines >= 0, "fewer than no points")
    let bound = LineTessellator.maxReserved
    let vertices = min(2 * min(points, bound) + 2 * min(lines, bound), bound)
    pieces.reserveCapacity(min(lines, bound))
    self.vertices.grow(to: vertices)
    indices.grow(to: 3 * vertices)
  }

  /// How a line is drawn, and whose it is.
  package struct Options: Sendable, Equatable {
    package var cap = LineCap.butt
    package var join = LineJoin.miter
    package var miterLimit = 2.0
    package var roundLimit = 1.05
    /// Whether the points are a ring (without its closing point, or with it).
    package var isClosed = false
    /// 2^(overscaled zoom - zoom): how many times larger than its own zoom the tile is drawn.
    package var overscaling = 1.0
    /// Tile units along an edge.
    package var extent = TileUnits.extent
    package var feature: Int32 = 0
    /// The part of the whole line that the tile holds (`line-gradient`), in 0...1.
    package var clips: ClosedRange<Double>?

    package init() {}
  }

  /// Adds a line of `count` points. Lines without extent are left out. Throws `limitExceeded` when the mesh
  /// would outgrow `maxVertices`.
  package mutating func add(_ points: UnsafePointer<SIMD2<Int32>>, count: Int, _ options: Options)
    throws(NeatError)
  {
    try add(count: count, options) { SIMD2<Double>(points[$0]) }
  }

  /// The same from floating-point tile units.
  package mutating func add(_ points: UnsafePointer<SIMD2<Float>>, count: Int, _ options: Options)
    throws(NeatError)
  {
    for index in 0..<count where !(points[index].x.isFinite && points[index].y.isFinite) {
      throw NeatError(.invalidArgument, "point \(index) of a line is not finite")
    }
    try add(count: count, options) { SIMD2<Double>(points[$0]) }
  }

  /// The mesh of all lines added, which takes the tessellator's memory.
  package consuming func finish() -> LineMesh {
    closeSegment()
    let (vertexCount, indexCount) = (vertices.count, indices.count)
    // Cut to what they hold, not copied: pages that nothing was in before cost more than what is written.
    return LineMesh(
      vertices: vertices.take(), vertexCount: vertexCount, indices: indices.take(), indexCount: indexCount,
      segments: segments, pieces: pieces)
  }

  // MARK: - Lines

  /// One point of a line with its surroundings.
  private struct Corner {
    var point: SIMD2<Double>
    var previous: SIMD2<Double>?
    var next: SIMD2<Double>?
    var previousNormal: SIMD2<Double>
    var nextNormal: SIMD2<Double>
    var joinNormal: SIMD2<Double>
    var cosAngle: Double
    var cosHalfAngle: Double
    var miterLength: Double
    var turnsLeft: Bool
  }

  @inline(__always)
  private mutating func add(count: Int, _ options: Options, _ load: (Int) -> SIMD2<Double>) throws(NeatError)
  {
    guard count >= 2 else { return }
    guard vertices.count + count * 4 + LineTessellator.room < LineTessellator.maxVertices else {
      throw NeatError(.limitExceeded, "a line mesh of more than \(LineTessellator.maxVertices) vertices")
    }
    let closes = options.isClosed && load(0) != load(count - 1)
    func point(_ index: Int) -> SIMD2<Double> { load(index == count ? 0 : index) }
    var length = closes ? count + 1 : count
    while length >= 2 && point(length - 1) == point(length - 2) { length -= 1 }
    var first = 0
    while first < length - 1 && point(first) == point(first + 1) { first += 1 }
    guard length >= (options.isClosed ? 3 : 2), length - first >= 2 else { return }
    begin(first, length, options, point)

    let sharpOffset =
      options.overscaling <= 16
      ? LineTessellator.sharpCornerOffset * options.extent / (TileUnits.pixels * options.overscaling) : 0
    var current: SIMD2<Double>?
    var previous: SIMD2<Double>?
    var previousNormal: SIMD2<Double>?
    var nextNormal: SIMD2<Double>?
    if options.isClosed {
      let last = point(length - 2)
      current = last
      nextNormal = normal(last, point(first))
    }
    for index in first..<length {
      let here = point(index)
      let next = index == length - 1 ? (options.isClosed ? point(first + 1) : nil) : point(index + 1)
      if let next, next == here { continue }
      if let nextNormal { previousNormal = nextNormal }
      if let current { previous = current }
      nextNormal = next.map { normal(here, $0) } ?? previousNormal
      let corner = LineTessellator.corner(here, previous, next, previousNormal ?? nextNormal!, nextNormal!)
      previousNormal = corner.previousNormal
      if vertices.count - segmentStart + LineTessellator.room > LineTessellator.maxSegmentVertices {
        splitSegment(options)
      }
      current = add(corner, sharpOffset, isFirst: index == first, isLast: index == length - 1, options)
    }
    closePiece(options)
    lineCount += 1
  }

  @inline(__always) private func normal(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> SIMD2<Double> {
    let delta = to - from
    let length = (delta * delta).sum().squareRoot()
    return length == 0 ? .zero : SIMD2(-delta.y, delta.x) / length
  }

  private mutating func begin(
    _ first: Int, _ length: Int, _ options: Options, _ point: (Int) -> SIMD2<Double>
  ) {
    (e1, e2) = (-1, -1)
    distance = 0
    isMeasured = options.clips != nil
    total = 0
    if isMeasured {
      for index in first..<length - 1 { total += LineTessellator.length(point(index + 1) - point(index)) }
    }
    if vertices.count - segmentStart + LineTessellator.room > LineTessellator.maxSegmentVertices {
      closeSegment()
    }
    (pieceVertex, pieceIndex) = (vertices.count, indices.count)
  }

  private var total = 0.0

  private static func length(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum().squareRoot() }

  private static func corner(
    _ point: SIMD2<Double>, _ previous: SIMD2<Double>?, _ next: SIMD2<Double>?,
    _ previousNormal: SIMD2<Double>, _ nextNormal: SIMD2<Double>
  ) -> Corner {
    var join = previousNormal + nextNormal
    let size = length(join)
    // A line that turns back: the normals cancel, and the miter has no end.
    if size != 0 { join /= size }
    let cosHalfAngle = (join * nextNormal).sum()
    return Corner(
      point: point, previous: previous, next: next, previousNormal: previousNormal, nextNormal: nextNormal,
      joinNormal: join,
      cosAngle: (previousNormal * nextNormal).sum(), cosHalfAngle: cosHalfAngle,
      miterLength: cosHalfAngle != 0 ? 1 / cosHalfAngle : .infinity,
      turnsLeft: previousNormal.x * nextNormal.y - previousNormal.y * nextNormal.x > 0)
  }

  /// Adds the vertices of one point; returns the point that the next segment starts from.
  private mutating func add(
    _ corner: Corner, _ sharpOffset: Double, isFirst: Bool, isLast: Bool, _ options: Options
  ) -> SIMD2<Double> {
    var corner = corner
    let isSharp =
      corner.cosHalfAngle < LineTessellator.cosHalfSharpCorner && corner.previous != nil && corner.next != nil
    if isSharp && !isFirst, let previous = corner.previous {
      let length = LineTessellator.length(corner.point - previous)
      if length > 2 * sharpOffset {
        let extra = corner.point - LineTessellator.rounded((corner.point - previous) * (sharpOffset / length))
        distance += LineTessellator.length(extra - previous)
        addPair(extra, corner.previousNormal, 0, 0)
        corner.previous = extra
      }
    }
    if let previous = corner.previous { distance += LineTessellator.length(corner.point - previous) }
    if corner.previous != nil && corner.next != nil {
      addJoin(corner, options)
    } else {
      addCap(corner, options)
    }
    if isSharp && !isLast, let next = corner.next {
      let length = LineTessellator.length(next - corner.point)
      if length > 2 * sharpOffset {
        let extra = corner.point + LineTessellator.rounded((next - corner.point) * (sharpOffset / length))
        distance += LineTessellator.length(extra - corner.point)
        addPair(extra, corner.nextNormal, 0, 0)
        return extra
      }
    }
    return corner.point
  }

  private static func rounded(_ vector: SIMD2<Double>) -> SIMD2<Double> { pointwiseFloor(vector + 0.5) }

  // MARK: - Caps and joins

  private mutating func addCap(_ corner: Corner, _ options: Options) {
    let (point, normal) = (corner.point, corner.joinNormal)
    switch options.isClosed ? .butt : options.cap {
    case .butt:
      addPair(point, normal, 0, 0)
    case .square:
      let end = corner.previous == nil ? -1.0 : 1
      addPair(point, normal, end, end)
    case .round:
      addRound(corner)
    }
  }

  private mutating func addRound(_ corner: Corner) {
    if corner.previous != nil {
      addPair(corner.point, corner.previousNormal, 0, 0)
      addPair(corner.point, corner.previousNormal, 1, 1, round: true)
    }
    if corner.next != nil {
      addPair(corner.point, corner.nextNormal, -1, -1, round: true)
      addPair(corner.point, corner.nextNormal, 0, 0)
    }
  }

  private mutating func addJoin(_ corner: Corner, _ options: Options) {
    let miter = corner.miterLength
    let miterLimit = options.join == .bevel ? 1.05 : options.miterLimit
    var isMiter = options.join == .miter
    var isFakeRound = false
    if options.join == .round {
      if miter < options.roundLimit {
        isMiter = true
      } else if miter <= 2 {
        isFakeRound = true
      } else {
        addRound(corner)
        return
      }
    }
    if isMiter && miter > miterLimit { isMiter = false }
    if !isMiter && !isFakeRound && miter < miterLimit { isMiter = true }
    if isMiter {
      addPair(corner.point, corner.joinNormal * miter, 0, 0)
    } else if miter > 2 {
      addFlipBevel(corner)
    } else {
      addBevel(corner, isRound: isFakeRound)
    }
  }

  /// The miter is longer than an extrusion can be: the bevel's edge is made by turning the pair round.
  private mutating func addFlipBevel(_ corner: Corner) {
    var normal = corner.joinNormal
    if corner.miterLength > 100 {
      normal = -corner.nextNormal
    } else {
      let sum = LineTessellator.length(corner.previousNormal + corner.nextNormal)
      let length =
        corner.miterLength * sum / LineTessellator.length(corner.previousNormal - corner.nextNormal)
      normal = SIMD2(-normal.y, normal.x) * (length * (corner.turnsLeft ? -1 : 1))
    }
    addPair(corner.point, normal, 0, 0)
    addPair(corner.point, -normal, 0, 0)
  }

  private mutating func addBevel(_ corner: Corner, isRound: Bool) {
    // A cosine may come out as a little more than one, where the limits are such that a straight line comes
    // here.
    let offset = -max(corner.miterLength * corner.miterLength - 1, 0).squareRoot()
    let (left, right) = corner.turnsLeft ? (offset, 0.0) : (0.0, offset)
    addPair(corner.point, corner.previousNormal, left, right)
    if isRound {
      let angle = 2 * max(2 - 2 * corner.cosHalfAngle, 0).squareRoot()
      let slices = Int(bounded: (angle * 180 / .pi / LineTessellator.degreesPerTriangle + 0.5).rounded(.down))
      for slice in stride(from: 1, to: slices, by: 1) {
        let t = LineTessellator.slerp(Double(slice) / Double(slices), corner.cosAngle)
        let blend = (corner.nextNormal - corner.previousNormal) * t + corner.previousNormal
        let length = LineTessellator.length(blend)
        addHalf(
          corner.point, blend * ((corner.turnsLeft ? -1 : 1) / length), round: false, up: corner.turnsLeft,
          direction: 0)
      }
    }
    addPair(corner.point, corner.nextNormal, -left, -right)
  }

  /// How far along the chord the point at fraction `t` of the arc lies (a polynomial fit of the spherical
  /// interpolation).
  private static func slerp(_ t: Double, _ cosAngle: Double) -> Double {
    if t == 0.5 { return t }
    let centred = t - 0.5
    let a = 1.0904 + cosAngle * (-3.2452 + cosAngle * (3.55645 - cosAngle * 1.43519))
    let b = 0.848013 + cosAngle * (-1.06021 + cosAngle * 0.215638)
    return t + t * centred * (t - 1) * (a * centred * centred + b)
  }

  // MARK: - Vertices

  /// The left and the right vertex of a point; `endLeft` and `endRight` move them along the line.
  private mutating func addPair(
    _ point: SIMD2<Double>, _ normal: SIMD2<Double>, _ endLeft: Double, _ endRight: Double,
    round: Bool = false
  ) {
    let along = SIMD2(normal.y, -normal.x)
    addHalf(point, normal + along * endLeft, round: round, up: false, direction: endLeft)
    addHalf(point, -normal + along * endRight, round: round, up: true, direction: -endRight)
    if distance > LineTessellator.distanceReset && !isMeasured {
      distance = 0
      addPair(point, normal, endLeft, endRight, round: round)
    }
  }

  /// Steps of an extrusion, as MapLibre's buffers hold it in bytes.
  private static let extrudeSteps = 63.0

  @inline(__always) private static func stepped(_ extrude: SIMD2<Double>) -> SIMD2<Float> {
    SIMD2<Float>(pointwiseFloor(extrude * extrudeSteps + 0.5) / extrudeSteps)
  }

  @inline(__always)
  private mutating func addHalf(
    _ point: SIMD2<Double>, _ extrude: SIMD2<Double>, round: Bool, up: Bool, direction: Double
  ) {
    let index = vertices.count - segmentStart
    assert(index < LineTessellator.maxSegmentVertices, "an index of more than 16 bits")
    vertices.append(
      LineVertex(
        position: SIMD2<Float>(point), extrude: LineTessellator.stepped(extrude), distance: Float(distance),
        flags: (round ? 1 : 0) | (up ? 2 : 0), direction: direction > 0 ? 1 : direction < 0 ? -1 : 0))
    if e1 >= 0 && e2 >= 0 {
      indices.append(UInt16(truncatingIfNeeded: e1))
      indices.append(UInt16(truncatingIfNeeded: e2))
      indices.append(UInt16(truncatingIfNeeded: index))
    }
    if up { e2 = index } else { e1 = index }
  }

  // MARK: - Segments

  private mutating func closePiece(_ options: Options) {
    if indices.count > pieceIndex {
      pieces.append(
        LinePiece(
          feature: options.feature, line: lineCount, vertexOffset: Int32(segmentStart),
          firstVertex: Int32(pieceVertex),
          endVertex: Int32(vertices.count),
          firstIndex: Int32(pieceIndex), endIndex: Int32(indices.count),
          clipStart: Float(options.clips?.lowerBound ?? 0),
          clipEnd: Float(options.clips?.upperBound ?? 0), totalDistance: Float(total)))
    }
    (pieceVertex, pieceIndex) = (vertices.count, indices.count)
  }

  private mutating func closeSegment() {
    assert(vertices.count - segmentStart <= LineTessellator.maxSegmentVertices, "a segment is too large")
    assert((indices.count - segmentIndex) % 3 == 0, "indices are not whole triangles")
    if vertices.count > segmentStart {
      segments.append(
        LineMeshSegment(
          vertexOffset: segmentStart, vertexCount: vertices.count - segmentStart, indexOffset: segmentIndex,
          indexCount: indices.count - segmentIndex))
    }
    (segmentStart, segmentIndex) = (vertices.count, indices.count)
  }

  /// Goes on with the line in a new segment, which begins with copies of the last vertex of either side.
  private mutating func splitSegment(_ options: Options) {
    assert(e1 < vertices.count - segmentStart && e2 < vertices.count - segmentStart, "no such vertex")
    closePiece(options)
    let left = e1 >= 0 ? vertices[segmentStart + e1] : nil
    let right = e2 >= 0 ? vertices[segmentStart + e2] : nil
    closeSegment()
    (pieceVertex, pieceIndex) = (vertices.count, indices.count)
    (e1, e2) = (-1, -1)
    if let left {
      e1 = 0
      vertices.append(left)
    }
    if let right {
      e2 = vertices.count - segmentStart
      vertices.append(right)
    }
  }
}
