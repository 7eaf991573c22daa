import NeatBase
import NeatRaster
import Testing

/// Smooth edges against what the definition says, sample by sample.
@Suite struct SmoothEdgeTests {
  /// A face of one depth and one colour, its corners in 1/256 pixel.
  private struct Face {
    var corners: [SIMD2<Int64>]
    var z: Float = 0.5
    var color: UInt32 = 0xFF00_00FF

    var vertices: [DepthVertex] {
      let rgba = SIMD4<Float>(channels(color).map { Float($0) / 255 })
      return corners.map {
        DepthVertex(position: SIMD4(Float($0.x) / 256, Float($0.y) / 256, z, 1), color: rgba)
      }
    }

    /// Whether a place is inside of all edges; one upon an edge, if that is a left or a top one.
    func covers(_ x: Int64, _ y: Int64) -> Bool {
      let (p, q, r, s) = (corners[0], corners[1], corners[2], corners[corners.count - 1])
      let area = (r.x - p.x) * (s.y - q.y) - (r.y - p.y) * (s.x - q.x)
      if area == 0 { return false }
      let ring = area > 0 ? corners : corners.reversed()
      return ring.indices.allSatisfy { index in
        let (a, b) = (ring[index], ring[(index + 1) % ring.count])
        if a == b { return true }
        let side = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)
        return side > 0 || (side == 0 && (b.y < a.y || (b.y == a.y && b.x > a.x)))
      }
    }
  }

  private func randomFace(
    _ random: inout Random, _ corners: Int, _ range: ClosedRange<Int64>, _ other: ClosedRange<Int64>
  ) -> Face {
    Face(corners: (0..<corners).map { _ in SIMD2(random.next(range), random.next(other)) })
  }

  private let size = 24
  /// In 1/256 pixel from a pixel's corner.
  private let samples: [(x: Int64, y: Int64)] = [(96, 32), (224, 96), (32, 160), (160, 224)]

  private func draw(_ layers: [[Face]], laterWins: Bool = true) throws -> [UInt32] {
    let layer = DepthLayer()
    let order: [UInt32] = [0, 1, 2, 3]
    var style = FaceStyle(isCulled: false)
    style.laterWins = laterWins
    return try steadyFrame(size, size) { band in
      layer.begin(band, isSmooth: true)
      for faces in layers {
        for face in faces {
          face.vertices.withUnsafeBufferPointer { vertices in
            order.withUnsafeBufferPointer {
              let indices = UnsafeBufferPointer(rebasing: $0[..<vertices.count])
              drawFaces(vertices, indices: indices, corners: vertices.count, style, layer)
            }
          }
        }
        layer.composite(band, opacity: 1)
      }
    }
  }

  private func mean(_ colors: [UInt32]) -> UInt32 {
    var sum = [2, 2, 2, 2]
    for color in colors { for (index, value) in channels(color).enumerated() { sum[index] += value } }
    return sum.enumerated().reduce(0) { $0 | UInt32($1.element / 4) << UInt32(8 * $1.offset) }
  }

  /// Of each pixel what its four samples show of each layer: the nearest face of those so far, if it is of
  /// the layer.
  private func expected(_ layers: [[Face]]) -> [UInt32] {
    var depths = [Float](repeating: 1, count: size * size * 4)
    var pixels = [UInt32](repeating: 0, count: size * size)
    for faces in layers {
      for pixel in pixels.indices {
        var colors: [UInt32] = [0, 0, 0, 0]
        for (index, sample) in samples.enumerated() {
          let (x, y) = (Int64(pixel % size) * 256 + sample.x, Int64(pixel / size) * 256 + sample.y)
          for face in faces where face.z <= depths[pixel * 4 + index] && face.covers(x, y) {
            depths[pixel * 4 + index] = face.z
            colors[index] = face.color
          }
        }
        let new = mean(colors)
        pixels[pixel] = Blend.over(pixels[pixel], new)
      }
    }
    return pixels
  }

  @Test func aFaceHasTheSamplesInsideOfItsEdges() throws {
    var random = Random(state: 7)
    let (near, far): (ClosedRange<Int64>, ClosedRange<Int64>) = (-600...6800, -15_000_000...15_000_000)
    for round in 0..<600 {
      let corners = 3 + round % 2
      let face =
        switch round % 6 {
        // Of a few parts of a pixel, of some pixels, thin ones, and such that reach far beyond the frame.
        case 0: randomFace(&random, corners, 2000...2300, 2000...2300)
        case 1: randomFace(&random, corners, 1000...3000, 1000...3000)
        case 2: randomFace(&random, corners, near, 2040...2060)
        case 3: randomFace(&random, corners, 2040...2060, near)
        case 4: randomFace(&random, corners, far, far)
        default: randomFace(&random, corners, near, near)
        }
      #expect(try draw([[face]]) == expected([[face]]), "\(face.corners)")
    }
  }

  @Test func cornersUponSamplesAndUponEachOtherAreTakenExactly() throws {
    var random = Random(state: 3)
    for round in 0..<400 {
      var face = randomFace(&random, 3 + round % 2, 0...12, 0...12)
      face.corners = face.corners.map { $0 &* 32 &+ 1024 }
      #expect(try draw([[face]]) == expected([[face]]), "\(face.corners)")
    }
  }

  private func scene(_ seed: UInt64, _ count: Int) -> [Face] {
    var random = Random(state: seed)
    return (0..<count).map { number in
      var face = randomFace(&random, 3 + number % 2, -600...6800, -600...6800)
      // No two are equally far.
      face.z = Float((number * 7919 % 1009) + 1) / 1024
      face.color = UInt32(random.next(0...0xFF_FFFF)) | 0xFF00_0000
      return face
    }
  }

  @Test func eachSampleShowsTheNearestFaceInAnyOrder() throws {
    for seed in 0..<12 as Range<UInt64> {
      let faces = scene(seed, 40)
      let pixels = try draw([faces])
      #expect(pixels == expected([faces]))
      #expect(try draw([faces.reversed()]) == pixels)
      #expect(try draw([faces], laterWins: false) == pixels)
    }
  }

  @Test func layersHideEachOtherSampleBySample() throws {
    for seed in 20..<26 as Range<UInt64> {
      let faces = scene(seed, 30)
      let layers = [Array(faces[..<10]), Array(faces[10..<20]), Array(faces[20...])]
      #expect(try draw(layers) == expected(layers))
    }
  }

  @Test func moreRowsThanAreKeptAreFoundAgain() throws {
    // In one band, that is, and not in those of a row, which `steadyFrame` compares it with.
    let faces = (0..<8).flatMap { _ in scene(5, 1000) }
    #expect(try draw([faces]) == draw([scene(5, 1000)]))
  }

  // MARK: Triangles of one plane

  private func drawPlane(_ vertices: [DepthVertex], _ indices: [UInt32], corners: Int, isPlane: Bool) throws
    -> [UInt32]
  {
    let layer = DepthLayer()
    var style = FaceStyle(isCulled: false)
    style.isPlane = isPlane
    return try steadyFrame(size, size) { band in
      layer.begin(band, isSmooth: true)
      vertices.withUnsafeBufferPointer { vertices in
        indices.withUnsafeBufferPointer { drawFaces(vertices, indices: $0, corners: corners, style, layer) }
      }
      layer.composite(band, opacity: 1)
    }
  }

  /// Corners in different colours, so that two triangles do not look like one face.
  private func corners(_ places: [SIMD2<Float>]) -> [DepthVertex] {
    places.enumerated().map { index, p in
      let color = SIMD4<Float>(index == 1 ? 1 : 0, index == 2 ? 1 : 0, index == 0 ? 1 : 0, 1)
      return DepthVertex(position: SIMD4(p.x, p.y, 0.5, 1), color: color)
    }
  }

  @Test func trianglesOfAPlaneThatShareAnEdgeAreOneFace() throws {
    let quad = corners([SIMD2(2.3, 3.1), SIMD2(20.6, 4.9), SIMD2(18.2, 21.4), SIMD2(3.7, 17.2)])
    let whole = try drawPlane(quad, [0, 1, 2, 3], corners: 4, isPlane: false)
    let triangles: [UInt32] = [0, 1, 2, 0, 2, 3]
    #expect(try drawPlane(quad, triangles, corners: 3, isPlane: false) != whole)
    for first in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] as [[UInt32]] {
      for second in [[0, 2, 3], [2, 3, 0], [3, 0, 2]] as [[UInt32]] {
        let joined = try drawPlane(quad, first + second, corners: 3, isPlane: true)
        #expect(zip(joined, whole).allSatisfy { isNear($0, $1, 1) })
      }
    }
  }

  @Test func otherTrianglesOfAPlaneAreDrawnEachByItself() throws {
    let quad = corners([SIMD2(2.3, 3.1), SIMD2(20.6, 4.9), SIMD2(18.2, 21.4), SIMD2(3.7, 17.2)])
    let dart = corners([SIMD2(2.3, 3.1), SIMD2(20.6, 4.9), SIMD2(9.2, 9.4), SIMD2(3.7, 17.2)])
    let far = corners([SIMD2(2.3, 3.1), SIMD2(1e6, 4.9), SIMD2(18.2, 21.4), SIMD2(3.7, 17.2)])
    let cases: [([DepthVertex], [UInt32])] = [
      // The same edge the same way round; no edge; not convex; to be cut; no such corner.
      (quad, [0, 1, 2, 0, 3, 2]), (quad, [0, 1, 2]), (quad, [0, 1, 2, 0, 1, 3]), (dart, [0, 1, 2, 0, 2, 3]),
      (far, [0, 1, 2, 0, 2, 3]), (quad, [0, 1, 2, 0, 2, 9]), (quad, [0, 1, 2, 2, 0]),
    ]
    for (vertices, indices) in cases {
      let pixels = try drawPlane(vertices, indices, corners: 3, isPlane: true)
      #expect(try pixels == drawPlane(vertices, indices, corners: 3, isPlane: false))
      #expect(pixels.contains { $0 != 0 })
    }
  }
}
