import NeatBase
import NeatLayout
import NeatStyle
import NeatTile
import Testing

@Suite("Buckets of extrusions")
struct ExtrusionBucketTests {
  @Test("Each polygon has a roof and a wall a side")
  func roofAndWalls() throws {
    let bucket = try #require(
      ExtrusionBucket(
        try bucketInput("fill-extrusion", [.point(0, 0), .polygon([Square(100, 100, 50)])])))
    #expect(bucket.features == [1] && bucket.pieces.count == 1)
    #expect(bucket.roofs.count == 6 && bucket.walls.count == 4 && bucket.points.count == 4)
    #expect(bucket.pieces[0].bounds == FeatureBounds(100, 100, 150, 150))
    #expect(ExtrusionBucket(try bucketInput("fill-extrusion", [.point(0, 0)])) === nil)
  }

  @Test("Roofs turn the same way, and walls have the inside on their right, however the rings turn")
  func orientation() throws {
    let square = Square(100, 100, 50)
    for ring in [square.ring, square.ring.reversed()] {
      let bucket = try #require(
        ExtrusionBucket(try bucketInput("fill-extrusion", [TestFeature(.polygon, [ring])])))
      for first in stride(from: 0, to: bucket.roofs.count, by: 3) {
        let (a, b, c) = (
          bucket.points[Int(bucket.roofs[first])], bucket.points[Int(bucket.roofs[first + 1])],
          bucket.points[Int(bucket.roofs[first + 2])]
        )
        // Counterclockwise as seen from above, where y grows downwards.
        #expect((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) < 0)
      }
      for wall in bucket.walls {
        let (from, to) = (SIMD2(wall.x, wall.y), SIMD2(wall.z, wall.w))
        let (along, inwards) = (to - from, SIMD2<Float>(125, 125) - from)
        #expect(along.x * inwards.y - along.y * inwards.x > 0)
      }
    }
  }

  @Test("No wall stands where the tile was cut")
  func boundary() throws {
    let bucket = try #require(
      ExtrusionBucket(try bucketInput("fill-extrusion", [.polygon([Square(-64, 100, 200)])])))
    #expect(bucket.walls.count == 3)
    #expect(!bucket.walls.contains { $0.x < 0 && $0.z < 0 && $0.x == $0.z })
    let outside = try #require(
      ExtrusionBucket(try bucketInput("fill-extrusion", [.polygon([Square(-64, -64, 20)])])))
    #expect(outside.walls.isEmpty, "a ring that lies in the buffer is the neighbour's")
    #expect(outside.roofs.isEmpty)
  }

  @Test("Patterns go on from wall to wall, against the ring")
  func distances() throws {
    let bucket = try #require(
      ExtrusionBucket(try bucketInput("fill-extrusion", [.polygon([Square(100, 100, 50)])])))
    #expect(bucket.wallDistances == [SIMD2(50, 0), SIMD2(100, 50), SIMD2(150, 100), SIMD2(200, 150)])
    #expect(bucket.walls.map { SIMD2($0.x, $0.y) }.first == SIMD2(100, 100))
    let cut = try #require(
      ExtrusionBucket(try bucketInput("fill-extrusion", [.polygon([Square(-64, 100, 200)])])))
    #expect(cut.wallDistances == [SIMD2(200, 0), SIMD2(400, 200), SIMD2(600, 400)])
  }

  private func rounded(_ distance: Double, _ squares: [Square]) throws -> ExtrusionBucket {
    try #require(
      ExtrusionBucket(
        try bucketInput(
          "fill-extrusion", #""layout": {"fill-extrusion-rounded-corner-distance": \#(distance)}"#,
          [.polygon(squares)])))
  }

  @Test("Corners are cut off in chords of 30 degrees, no further than a fifth of an edge")
  func roundedCorners() throws {
    let bucket = try rounded(1e9, [Square(1000, 1000, 1000)])
    #expect(bucket.walls.count == 16 && bucket.points.count == 16)
    #expect(bucket.points.contains(SIMD2(1200, 1000)) && bucket.points.contains(SIMD2(1000, 1200)))
    #expect(!bucket.points.contains(SIMD2(1000, 1000)))
    let center = SIMD2<Float>(1200, 1200)
    for point in bucket.points where point.x <= 1200 && point.y <= 1200 {
      let d = point - center
      #expect(abs((d * d).sum().squareRoot() - 200) < 1.5)
    }
    #expect(try rounded(0, [Square(1000, 1000, 1000)]).walls.count == 4)
    #expect(try rounded(1e-9, [Square(1000, 1000, 1000)]).walls.count >= 4)
    // Holes too.
    #expect(try rounded(1e9, [Square(1000, 1000, 1000), Square(1300, 1300, 300)]).walls.count == 32)
  }

  @Test("Corners where the tile was cut stay, and what is too small to be rounded")
  func cornersThatStay() throws {
    let cut = try rounded(1e9, [Square(-64, 1000, 1000)])
    #expect(cut.points.contains(SIMD2(-64, 1000)) && cut.points.contains(SIMD2(-64, 2000)))
    #expect(cut.points.count == 2 + 8)
    let tiny = try rounded(1e9, [Square(1000, 1000, 1)])
    #expect(tiny.points.count >= 3 && tiny.walls.count >= 3)
  }

  @Test("Courtyards have walls, and no roof")
  func holes() throws {
    let bucket = try #require(
      ExtrusionBucket(
        try bucketInput("fill-extrusion", [.polygon([Square(0, 0, 100), Square(25, 25, 50)])])))
    #expect(bucket.walls.count == 8)
    var area: Float = 0
    for first in stride(from: 0, to: bucket.roofs.count, by: 3) {
      let (a, b, c) = (
        bucket.points[Int(bucket.roofs[first])], bucket.points[Int(bucket.roofs[first + 1])],
        bucket.points[Int(bucket.roofs[first + 2])]
      )
      area += abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2
    }
    #expect(area == 100 * 100 - 50 * 50)
  }
}
