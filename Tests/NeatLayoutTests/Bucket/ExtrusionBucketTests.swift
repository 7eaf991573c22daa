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
