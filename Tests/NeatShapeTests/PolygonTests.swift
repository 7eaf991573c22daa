import NeatBase
import NeatShape
import NeatTestSupport
import Testing

@Suite struct RingTests {
  private let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)]

  /// Between two meridians and two parallels: the formula's own zone.
  @Test func areaOfAZoneOfTheSphere() {
    let exact = Globe.equatorialRadius * Globe.equatorialRadius * (.pi / 180) * sin(.pi / 180)
    withRing(square) { #expect(near(abs($0.area), exact, exact * 1e-4)) }
    #expect(withRing(square) { $0.area } < 0)
    #expect(near(withRing(square.reversed()) { $0.area }, -withRing(square) { $0.area }, 1))
  }

  @Test func areaIsTheSameWhetherTheRingIsClosedOrNot() {
    #expect(withRing(square) { $0.area } == withRing(Array(square.dropLast())) { $0.area })
    #expect(withRing([(0, 0), (1, 1)]) { $0.area } == 0)
    #expect(withRing([]) { $0.area } == 0)
    #expect(withRing([(0, 0), (0, 0), (0, 0)]) { $0.area } == 0)
  }

  @Test func areaDoesNotDependOnTheLongitude() {
    let moved = square.map { ($0.0 + 179.5, $0.1) }
    #expect(near(withRing(moved) { $0.area }, withRing(square) { $0.area }, 1))
  }

  @Test func middles() {
    let points = square.map { LonLat($0.0, $0.1) }
    points.withUnsafeBufferPointer {
      #expect(Bounds($0)?.center == LonLat(0.5, 0.5))
      #expect(Centers.centroid(UnsafeBufferPointer(rebasing: $0.dropLast())) == LonLat(0.5, 0.5))
      #expect(Centers.ofMass(Ring($0)).map { near($0, LonLat(0.5, 0.5)) } == true)
    }
    // The centre of gravity is not moved by vertices that stand close, as the mean is.
    withRing([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0.9), (0, 0.8), (0, 0.7), (0, 0)]) {
      #expect(Centers.ofMass($0).map { near($0, LonLat(0.5, 0.5)) } == true)
    }
    withRing([(2, 2), (2, 2), (2, 2)]) { #expect(Centers.ofMass($0) == LonLat(2, 2)) }
    withRing([]) {
      #expect(Centers.ofMass($0) == nil)
      #expect(Bounds($0.points) == nil)
    }
    // Longitudes come back into the world.
    withRing([(179, 0), (183, 0), (181, 2)]) { #expect(Centers.ofMass($0).map { $0.lon } == -179) }
  }

  @Test func smoothingCutsCorners() {
    withRing(square) { ring in
      let once = Smoothing.smooth(ring, iterations: 1)
      #expect(once?.count == 9)
      #expect(once?.first == LonLat(0.25, 0) && once?.first == once?.last)
      #expect(Smoothing.smooth(ring, iterations: 3)?.count == 33)
      #expect(Smoothing.smooth(ring, iterations: 0)?.count == 5)
      #expect(Smoothing.smooth(ring, iterations: 3, limit: 32) == nil)
      #expect(Smoothing.smooth(ring, iterations: 3, limit: 33)?.count == 33)
      #expect(Smoothing.smooth(ring, iterations: .max) == nil)
    }
    withRing(Array(square.dropLast())) { #expect(Smoothing.smooth($0, iterations: 1)?.count == 9) }
    withRing([(1, 1)]) { #expect(Smoothing.smooth($0, iterations: 5) == [LonLat(1, 1)]) }
  }

  @Test func circlesAreAsFarAsTheirRadius() {
    let center = LonLat(11, 47)
    let circle = Circle.ring(center: center, radius: 500, vertices: 64)
    #expect(circle.count == 65 && circle.first == circle.last)
    for place in circle { #expect(near(Globe.distance(center, place), 500, 1e-6)) }
    #expect(circle.withUnsafeBufferPointer { Ring($0).area } < 0, "outer rings run anticlockwise")
  }
}

@Suite struct ContainmentTests {
  private let outer = [LonLat(0, 0), LonLat(10, 0), LonLat(10, 10), LonLat(0, 10), LonLat(0, 0)]
  private let hole = [LonLat(3, 3), LonLat(3, 7), LonLat(7, 7), LonLat(7, 3), LonLat(3, 3)]

  @Test func insideOutsideAndOnTheEdge() throws {
    try withPolygons([[outer, hole]]) { polygons in
      for (place, counted, ignored) in [
        (LonLat(1, 1), true, true), (LonLat(5, 5), false, false), (LonLat(11, 5), false, false),
        (LonLat(0, 5), true, false), (LonLat(10, 10), true, false), (LonLat(3, 5), true, false),
        (LonLat(7, 7), true, false), (LonLat(5, 0), true, false), (LonLat(5, -1e-12), false, false),
        (LonLat(.nan, 5), false, false), (LonLat(5, .infinity), false, false),
      ] {
        #expect(polygons.contains(place, ignoresBoundary: false) == counted, "\(place)")
        #expect(polygons.contains(place, ignoresBoundary: true) == ignored, "\(place)")
        let bands = PolygonBands(polygons)
        #expect(bands.contains(place, ignoresBoundary: false) == counted, "\(place)")
        #expect(bands.contains(place, ignoresBoundary: true) == ignored, "\(place)")
      }
    }
  }

  @Test func areaIsWithoutHoles() throws {
    let whole = try withPolygons([[outer]]) { $0.area }
    let void = try withPolygons([[hole]]) { $0.area }
    #expect(near(try withPolygons([[outer, hole]]) { $0.area }, whole - void, 1))
    #expect(near(try withPolygons([[outer], [hole]]) { $0.area }, whole + void, 1))
    #expect(try withPolygons([]) { $0.area } == 0)
    #expect(try withPolygons([[]]) { $0.area } == 0)
    #expect(try withPolygons([[[]], [outer]]) { $0.contains(LonLat(1, 1), ignoresBoundary: false) })
  }

  /// Against the winding of angles, which is another method.
  @Test func raysAgreeWithWinding() throws {
    var random = SplitMix(seed: 10)
    for _ in 0..<40 {
      let ring = (0..<24).map { step in
        let (angle, radius) = (Double(step) / 24 * 2 * .pi, random.number(1...9))
        return LonLat(radius * cos(angle), radius * sin(angle))
      }
      try withPolygons([[ring]]) { polygons in
        for _ in 0..<100 {
          let place = LonLat(random.number(-10...10), random.number(-10...10))
          var turn = 0.0
          for index in 0..<ring.count {
            let (a, b) = (ring[index], ring[(index + 1) % ring.count])
            let (ax, ay, bx, by) = (
              a.lon - place.lon, a.lat - place.lat, b.lon - place.lon, b.lat - place.lat
            )
            turn += atan2(ax * by - ay * bx, ax * bx + ay * by)
          }
          #expect(polygons.contains(place, ignoresBoundary: false) == (abs(turn) > 1))
        }
      }
    }
  }

  /// Bands give what all edges give, on grids too, where places lie on edges and vertices.
  @Test func bandsAgreeWithAllEdges() throws {
    var random = SplitMix(seed: 11)
    for round in 0..<60 {
      let polygons = (0..<1 + round % 4).map { _ in
        (0..<1 + round % 3).map { _ in
          (0..<Int.random(in: 0...30, using: &random)).map { _ in
            LonLat(
              Double(Int.random(in: 0...12, using: &random)), Double(Int.random(in: 0...12, using: &random)))
          }
        }
      }
      try withPolygons(polygons) { polygons in
        let bands = PolygonBands(polygons)
        for _ in 0..<200 {
          let place = LonLat(
            Double(Int.random(in: -2...26, using: &random)) / 2,
            Double(Int.random(in: -2...26, using: &random)) / 2)
          for ignores in [false, true] {
            #expect(
              bands.contains(place, ignoresBoundary: ignores)
                == polygons.contains(place, ignoresBoundary: ignores))
          }
        }
      }
    }
  }

  @Test func startsThatFallAreRefused() {
    let points = outer
    func make(_ starts: [UInt32], _ polygons: [UInt32]? = nil) -> Result<Void, NeatError> {
      points.withUnsafeBufferPointer { buffer in
        Result { () throws(NeatError) in
          _ = try Polygons(
            buffer, ringStarts: starts, ringCount: starts.count - 1, polygonStarts: polygons,
            polygonCount: (polygons?.count ?? 1) - 1)
        }
      }
    }
    for (starts, polygons) in [
      ([1, 5], nil), ([0, 4], nil), ([0, 4, 3, 5], nil), ([0, 5], [0, 2]), ([0, 2, 5], [0, 2, 1, 2]),
    ] as [([UInt32], [UInt32]?)] {
      #expect(throws: NeatError.self) { try make(starts, polygons).get() }
    }
    #expect(throws: Never.self) { try make([0, 5], [0, 1]).get() }
  }

  @Test func edgesThroughAllBandsDoNotTakeAllMemory() throws {
    let teeth = (0..<20_000).map { LonLat(Double($0) / 1000, $0 % 2 == 0 ? -80 : 80) }
    try withPolygons([[teeth]]) { polygons in
      let bands = PolygonBands(polygons)
      for step in 0..<50 {
        let place = LonLat(Double(step) * 0.39 + 0.0003, Double(step) - 25)
        #expect(
          bands.contains(place, ignoresBoundary: false) == polygons.contains(place, ignoresBoundary: false))
      }
    }
  }
}
