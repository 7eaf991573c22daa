import Foundation
import NeatBase
import NeatJSON
import NeatTestSupport
import Testing

@testable import NeatMesh

/// The folder of suites and data beside the checkout, or nil where there is none.
private let sharedFolder: URL? = SharedFiles.root.map { URL(fileURLWithPath: $0) }

struct Rings {
  var points: [SIMD2<Double>] = []
  var starts: [UInt32] = [0]

  init(_ rings: [[SIMD2<Double>]]) {
    for ring in rings {
      points += ring
      starts.append(UInt32(points.count))
    }
  }

  func triangulate(_ triangulator: inout Triangulator) -> [UInt32] {
    Array(triangulator.triangulate(points: points, ringStarts: starts, ringCount: starts.count - 1))
  }

  private func area(_ range: Range<Int>) -> Double {
    var sum = 0.0
    var previous = range.upperBound - 1
    for index in range {
      sum += (points[previous].x - points[index].x) * (points[index].y + points[previous].y)
      previous = index
    }
    return sum
  }

  /// How far the triangles' area is from the polygon's, relative to it.
  func deviation(_ indices: [UInt32]) -> Double {
    var polygon = 0.0
    for ring in 0..<starts.count - 1 where starts[ring + 1] > starts[ring] {
      polygon += abs(area(Int(starts[ring])..<Int(starts[ring + 1]))) * (ring == 0 ? 1 : -1)
    }
    var sum = 0.0
    for first in stride(from: 0, to: indices.count, by: 3) {
      let a = points[Int(indices[first])], b = points[Int(indices[first + 1])],
        c = points[Int(indices[first + 2])]
      sum += abs((a.x - c.x) * (b.y - a.y) - (a.x - b.x) * (c.y - a.y))
    }
    return polygon == 0 && sum == 0 ? 0 : abs((sum - polygon) / polygon)
  }
}

@Suite(.enabled(if: sharedFolder != nil, "the shared suites are not beside the checkout"))
struct EarcutSuiteTests {
  static let expected: JSON? = sharedFolder.flatMap {
    try? JSON.parse([UInt8](Data(contentsOf: $0.appendingPathComponent("conformance/earcut/expected.json"))))
  }
  static let names: [String] = expected?["triangles"]?.members.map(\.key) ?? []

  @Test(arguments: names) func fixture(_ name: String) throws {
    let expected = try #require(EarcutSuiteTests.expected)
    let url = sharedFolder!.appendingPathComponent("conformance/earcut/fixtures/\(name).json")
    let json = try JSON.parse([UInt8](Data(contentsOf: url)))
    let rings = json.elements.map { $0.elements.map { SIMD2($0[0]!.number!, $0[1]!.number!) } }
    let triangles = Int(bounded: expected["triangles"]![name]!.number!)
    var triangulator = Triangulator()
    for (rotation, turn) in [(1.0, 0.0), (0, 1), (-1, 0), (0, -1)].enumerated() {
      let (cosine, sine) = turn
      let turned = Rings(
        rings.map {
          $0.map { rotation == 0 ? $0 : SIMD2(cosine * $0.x - sine * $0.y, sine * $0.x + cosine * $0.y) }
        })
      let indices = turned.triangulate(&triangulator)
      if rotation == 0 { #expect(indices.count / 3 == triangles) }
      if triangles > 0 {
        let plain = expected["errors"]![name]?.number ?? 0
        let allowed = rotation == 0 ? plain : expected["errors-with-rotation"]![name]?.number ?? plain
        #expect(turned.deviation(indices) <= allowed, "\(name) turned \(rotation * 90) degrees")
      }
    }
  }
}

@Suite struct TriangulationTests {
  static func square(_ x: Double, _ y: Double, _ size: Double) -> [SIMD2<Double>] {
    [SIMD2(x, y), SIMD2(x + size, y), SIMD2(x + size, y + size), SIMD2(x, y + size)]
  }

  @Test func aConvexPolygonNeedsTwoTrianglesLessThanCorners() {
    var triangulator = Triangulator()
    for count in 3...200 {
      let ring = (0..<count).map {
        SIMD2(cos(Double($0) / Double(count) * 2 * .pi), sin(Double($0) / Double(count) * 2 * .pi))
      }
      let rings = Rings([ring])
      let indices = rings.triangulate(&triangulator)
      #expect(indices.count == 3 * (count - 2))
      #expect(rings.deviation(indices) < 1e-14)
    }
  }

  @Test func manyHolesAreCutOut() {
    var rings = [TriangulationTests.square(0, 0, 1000)]
    for x in 0..<20 {
      for y in 0..<20 {
        rings.append(TriangulationTests.square(Double(x * 50 + 10), Double(y * 50 + 10), 20))
      }
    }
    var triangulator = Triangulator()
    let polygon = Rings(rings)
    let indices = polygon.triangulate(&triangulator)
    #expect(polygon.deviation(indices) == 0)
    #expect(indices.count / 3 >= 1642)
  }

  @Test func everyNumberTypeGivesTheSameTriangles() {
    let ring: [SIMD2<Int32>] = [SIMD2(0, 0), SIMD2(10, 0), SIMD2(10, 10), SIMD2(5, 3), SIMD2(0, 10)]
    let starts: [UInt32] = [0, 5]
    var triangulator = Triangulator()
    let ints = Array(triangulator.triangulate(points: ring, ringStarts: starts, ringCount: 1))
    let floats = Array(
      triangulator.triangulate(
        points: ring.map { SIMD2(Float($0.x), Float($0.y)) }, ringStarts: starts, ringCount: 1))
    let doubles = Array(
      triangulator.triangulate(
        points: ring.map { SIMD2(Double($0.x), Double($0.y)) }, ringStarts: starts, ringCount: 1))
    #expect(ints == floats && ints == doubles && ints.count == 9)
  }

  @Test func indicesCountFromTheFirstPointGiven() {
    let ring: [SIMD2<Int32>] = [SIMD2(9, 9), SIMD2(9, 9), SIMD2(0, 0), SIMD2(10, 0), SIMD2(10, 10)]
    var triangulator = Triangulator()
    #expect(Set(triangulator.triangulate(points: ring, ringStarts: [2, 5], ringCount: 1)) == [2, 3, 4])
  }

  @Test func whatSpansNoAreaGivesNothing() {
    var triangulator = Triangulator()
    let cases: [[[SIMD2<Double>]]] = [
      [], [[]], [[SIMD2(0, 0)]], [[SIMD2(0, 0), SIMD2(1, 1)]], [[SIMD2(0, 0), SIMD2(1, 1), SIMD2(2, 2)]],
      [Array(repeating: SIMD2(3, 3), count: 50)], [[SIMD2(0, 0), SIMD2(.nan, 1), SIMD2(2, 0)]],
      [[SIMD2(0, 0), SIMD2(.infinity, 1), SIMD2(2, 0)]],
    ]
    for rings in cases { #expect(Rings(rings).triangulate(&triangulator).isEmpty) }
  }

  /// All bridges but one begin at the same corner; the long hole behind them must be seen past them.
  @Test func manyHolesAtOneCornerAreAllSeen() {
    var rings: [[SIMD2<Double>]] = [
      [SIMD2(0, 0), SIMD2(1000, 0), SIMD2(1000, 1000), SIMD2(0, 1000)],
      [SIMD2(1, 0.1), SIMD2(601, 0.05), SIMD2(601, 900), SIMD2(600, 900), SIMD2(600, 0.2)],
    ]
    for number in 2...70 {
      let x = Double(number), y = x * x / 10
      rings.append([SIMD2(x, y), SIMD2(x + 0.3, y - 0.05), SIMD2(x + 0.3, y + 0.05)])
    }
    rings.append([SIMD2(800, 500), SIMD2(810, 495), SIMD2(810, 505)])
    var triangulator = Triangulator()
    let polygon = Rings(rings)
    #expect(polygon.deviation(polygon.triangulate(&triangulator)) < 1e-12)
  }

  /// The ring is a single corner when the next hole is linked to it.
  @Test func holesOnARingThatCollapsedDoNoHarm() {
    var triangulator = Triangulator()
    let point = SIMD2<Double>(0, 0)
    let cases: [[[SIMD2<Double>]]] = [
      [
        Array(repeating: point, count: 4), Array(repeating: point, count: 3),
        Array(repeating: point, count: 3),
      ],
      [
        [SIMD2(0, 0), SIMD2(10, 0), SIMD2(5, 10)], [SIMD2(0, 0), SIMD2(5, 10), SIMD2(10, 0)],
        [SIMD2(5, 10), SIMD2(6, 12), SIMD2(7, 10)],
      ],
    ]
    for rings in cases {
      let polygon = Rings(rings)
      for _ in 0..<3 { #expect(polygon.triangulate(&triangulator).allSatisfy { $0 < 10 }) }
    }
  }

  /// Rings without a reflex corner, closed or not, and one that goes round twice, which is no fan.
  @Test func ringsThatTurnOneWay() {
    var triangulator = Triangulator()
    for count in 3...40 {
      var ring = (0..<count).map { number in
        let angle = 2 * Double.pi * Double(number) / Double(count)
        return SIMD2(cos(angle), sin(angle))
      }
      for _ in 0..<2 {
        let polygon = Rings([ring])
        let indices = polygon.triangulate(&triangulator)
        #expect(indices.count == 3 * (count - 2) && polygon.deviation(indices) < 1e-12)
        #expect(Rings([ring.reversed()]).triangulate(&triangulator).count == 3 * (count - 2))
        ring.append(ring[0])
      }
    }
    let star = (0..<5).map { number in
      let angle = 4 * Double.pi * Double(number) / 5
      return SIMD2(cos(angle), sin(angle))
    }
    let triangles = Rings([star]).triangulate(&triangulator)
    // As a fan around the corner before the last: what clipping does not give, as other corners lie in its
    // ears.
    #expect(triangles != [3, 4, 0, 3, 0, 1, 3, 1, 2])
  }

  /// A comb: all corners between its teeth are reflex, in a list or a grid, and cease to be so one by one.
  @Test func combsOfManyTeeth() {
    var triangulator = Triangulator()
    for teeth in [3, 9, 20, 60, 700] {
      var ring: [SIMD2<Double>] = [SIMD2(Double(teeth) * 2, -1), SIMD2(0, -1)]
      for tooth in 0..<teeth {
        let x = Double(tooth) * 2
        ring += [
          SIMD2(x, 0), SIMD2(x + 0.5, 3 + Double(tooth * 7 % 5)), SIMD2(x + 1, Double(tooth % 3) * 0.1),
        ]
      }
      let polygon = Rings([ring])
      let indices = polygon.triangulate(&triangulator)
      #expect(polygon.deviation(indices) < 1e-12 && indices.count == 3 * (ring.count - 2), "\(teeth)")
    }
  }

  @Test func hostilePolygonsNeitherTrapNorHang() {
    var triangulator = Triangulator()
    var state: UInt64 = 1
    func random(_ bound: Int) -> Int {
      state = state &* 6364136223846793005 &+ 1442695040888963407
      return Int(state >> 33) % bound
    }
    for round in 0..<3000 {
      let range = [3, 8, 1000][round % 3]
      let rings = (0..<1 + random(4)).map { _ in
        (0..<random(round % 50 == 0 ? 300 : 24)).map { _ in
          SIMD2(Double(random(range)), Double(random(range)))
        }
      }
      let polygon = Rings(rings)
      let indices = polygon.triangulate(&triangulator)
      #expect(indices.allSatisfy { $0 < polygon.points.count } && indices.count % 3 == 0)
    }
    let huge = [
      SIMD2(-1e308, -1e308), SIMD2(1e308, -1e308), SIMD2(1e308, 1e308), SIMD2(0, 1e-300),
      SIMD2(-1e308, 1e308),
    ]
    _ = Rings([huge]).triangulate(&triangulator)
  }
}
