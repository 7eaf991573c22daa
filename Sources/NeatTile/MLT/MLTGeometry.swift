// A geometry column: the type of each feature, then counts level by level (geometries of a multi-geometry,
// rings of a polygon, points of a ring or line), then the points. A count is stored only for types that can
// have another than one. Points of lines are counted among the rings where there are rings, else among the
// parts. Winding means nothing here: the first ring of a polygon is its outer one.
import NeatBase

struct MLTGeometry {
  var types: [UInt8] = []
  var partStarts: [UInt32] = [0]
  var pointStarts: [UInt32] = [0]
  var points: [SIMD2<Int32>] = []

  init(_ reader: inout MLTReader) throws(NeatError) {
    let streamCount = try reader.count()
    guard streamCount >= 1, streamCount <= 16 else {
      throw reader.fail("a geometry column of \(streamCount) streams")
    }
    let kinds = try MLTStream(&reader)
    let kindNumbers = try kinds.counts(&reader)
    var levels = Levels()
    var vertexStream: MLTStream?
    var offsetStream: MLTStream?
    for _ in 1..<streamCount {
      let stream = try MLTStream(&reader)
      switch stream.type {
      case MLTStreamType.lengthGeometries: levels.geometries = try stream.counts(&reader)
      case MLTStreamType.lengthParts: levels.parts = try stream.counts(&reader)
      case MLTStreamType.lengthRings:
        levels.rings = try stream.counts(&reader)
        levels.hasRings = true
      case MLTStreamType.dataVertex, MLTStreamType.dataMorton: vertexStream = stream
      case MLTStreamType.offsetVertex: offsetStream = stream
      // Triangles made beforehand: not needed here.
      case MLTStreamType.lengthTriangles, MLTStreamType.offsetIndex: break
      default: throw stream.fail("a stream of type \(stream.type) in a geometry column")
      }
    }
    levels.hasRings = levels.hasRings && !levels.rings.isEmpty
    var vertices =
      try vertexStream.map { (stream) throws(NeatError) in try MLTGeometry.vertices(stream, &reader) } ?? []
    if let offsetStream {
      let offsets = try offsetStream.counts(&reader)
      let dictionary = vertices
      guard offsets.allSatisfy({ Int($0) < dictionary.count }) else {
        throw offsetStream.fail("a point that the dictionary does not have")
      }
      vertices = offsets.map { dictionary[Int($0)] }
    }
    try assemble(kindNumbers, &levels, vertices, kinds)
  }

  private static func vertices(_ stream: MLTStream, _ reader: inout MLTReader) throws(NeatError) -> [SIMD2<
    Int32
  >] {
    switch stream.logical {
    case .componentwiseDelta:
      let words = try stream.words(UInt32.self, stream.count, &reader)
      var at = SIMD2<Int32>(0, 0)
      return (0..<words.count / 2).map { index in
        at = at &+ SIMD2(zigzag(words[index * 2]), zigzag(words[index * 2 + 1]))
        return at
      }
    case .mortonDelta:
      let words = try stream.words(UInt32.self, stream.count, &reader)
      let mask: UInt32 = stream.mortonBits == 16 ? .max : (1 << UInt32(2 * stream.mortonBits)) - 1
      var code: UInt32 = 0
      return words.map { word in
        code &+= word
        let bits = code & mask
        return SIMD2(
          Int32(bitPattern: everySecondBit(bits) &- stream.mortonShift),
          Int32(bitPattern: everySecondBit(bits >> 1) &- stream.mortonShift))
      }
    case .none, .delta, .rle, .deltaRLE:
      let words = try stream.integers(UInt32.self, isSigned: true, &reader)
      return (0..<words.count / 2).map {
        SIMD2(Int32(bitPattern: words[$0 * 2]), Int32(bitPattern: words[$0 * 2 + 1]))
      }
    }
  }

  private static func everySecondBit(_ code: UInt32) -> UInt32 {
    var v = code & 0x5555_5555
    v = (v | v >> 1) & 0x3333_3333
    v = (v | v >> 2) & 0x0f0f_0f0f
    v = (v | v >> 4) & 0x00ff_00ff
    return (v | v >> 8) & 0x0000_ffff
  }

  /// The counts of each level, and how many of them have been used.
  private struct Levels {
    var geometries: [UInt32] = []
    var parts: [UInt32] = []
    var rings: [UInt32] = []
    var hasRings = false
    private var usedGeometries = 0
    private var usedParts = 0
    private var usedRings = 0

    mutating func nextGeometries() -> Int? { Levels.next(geometries, &usedGeometries) }
    mutating func nextParts() -> Int? { Levels.next(parts, &usedParts) }
    mutating func nextRing() -> Int? { Levels.next(rings, &usedRings) }
    mutating func nextLine() -> Int? { hasRings ? nextRing() : nextParts() }

    private static func next(_ counts: [UInt32], _ used: inout Int) -> Int? {
      guard used < counts.count else { return nil }
      used += 1
      return Int(counts[used - 1])
    }
  }

  private mutating func assemble(
    _ kinds: [UInt32], _ levels: inout Levels, _ vertices: [SIMD2<Int32>], _ stream: MLTStream
  ) throws(NeatError) {
    points.reserveCapacity(vertices.count)
    types.reserveCapacity(kinds.count)
    var used = 0
    /// Takes the next points as a part.
    func take(_ count: Int?, _ isRing: Bool, _ isOuter: Bool) throws(NeatError) {
      guard let count, count <= vertices.count - used else {
        throw stream.fail("a geometry column has fewer counts or points than its types ask for")
      }
      let start = points.count
      points.append(contentsOf: vertices[used..<used + count])
      used += count
      if isRing { wind(from: start, isOuter) }
      pointStarts.append(UInt32(points.count))
    }
    func takePolygon() throws(NeatError) {
      guard let rings = levels.nextParts() else { throw stream.fail("a polygon without a number of rings") }
      for ring in 0..<rings { try take(levels.nextRing(), true, ring == 0) }
    }
    for kind in kinds {
      guard kind <= 5 else { throw stream.fail("no such geometry type: \(kind)") }
      var count = 1
      if kind >= 3 {
        guard let geometries = levels.nextGeometries() else {
          throw stream.fail("a multi-geometry without a number of parts")
        }
        count = geometries
      }
      switch kind {
      case 0, 3: try take(count, false, false)
      case 1, 4: for _ in 0..<count { try take(levels.nextLine(), false, false) }
      default: for _ in 0..<count { try takePolygon() }
      }
      assert(used <= vertices.count, "more points than there are")
      assert(Int(pointStarts[pointStarts.count - 1]) == points.count, "a part was not ended")
      types.append(UInt8(kind % 3 + 1))
      partStarts.append(UInt32(pointStarts.count - 1))
    }
  }

  /// Turns the ring from `start` on so that an outer one has a positive area and a hole a negative one, as in
  /// MVT 2; its first point stays.
  private mutating func wind(from start: Int, _ isOuter: Bool) {
    guard points.count - start >= 3 else { return }
    var area = 0.0
    var last = points[points.count - 1]
    for index in start..<points.count {
      let point = points[index]
      area += Double(last.x) * Double(point.y) - Double(point.x) * Double(last.y)
      last = point
    }
    assert(start < points.count, "a ring without points")
    if isOuter ? area < 0 : area > 0 { points[(start + 1)...].reverse() }
  }
}
