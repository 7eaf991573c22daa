import NeatBase
import NeatShape
import NeatTestSupport
import Testing

@Suite struct GlobeTests {
  private let munich = LonLat(11.5755, 48.1374)
  private let innsbruck = LonLat(11.3948, 47.2682)

  @Test func aDegreeOfTheEquatorIsItsShareOfTheRadius() {
    let degree = Globe.radius * .pi / 180
    #expect(near(Globe.distance(LonLat(0, 0), LonLat(1, 0)), degree, 1e-6))
    #expect(near(Globe.distance(LonLat(0, 0), LonLat(0, 1)), degree, 1e-6))
    #expect(near(Globe.distance(LonLat(10, 0), LonLat(11, 0)), degree, 1e-6))
    #expect(near(Globe.distance(LonLat(0, 60), LonLat(1, 60)), degree / 2, 2))
  }

  @Test func distanceAcrossThe180thMeridianIsShort() {
    #expect(near(Globe.distance(LonLat(179.5, 0), LonLat(-179.5, 0)), Globe.radius * .pi / 180, 1e-6))
  }

  @Test func antipodesAndPolesAreHalfAWayRound() {
    let half = Globe.radius * .pi
    #expect(near(Globe.distance(LonLat(0, 0), LonLat(180, 0)), half, 1e-3))
    #expect(near(Globe.distance(LonLat(30, 90), LonLat(-110, -90)), half, 1e-3))
    #expect(near(Globe.distance(LonLat(12, 34), LonLat(-168, -34)), half, 1))
    #expect(Globe.distance(munich, munich) == 0)
  }

  @Test func directionsAreClockwiseFromNorth() {
    #expect(Globe.direction(LonLat(0, 0), LonLat(0, 1)) == 0)
    #expect(near(Globe.direction(LonLat(0, 0), LonLat(1, 0)), 90, 1e-12))
    #expect(near(abs(Globe.direction(LonLat(0, 0), LonLat(0, -1))), 180, 1e-12))
    #expect(near(Globe.direction(LonLat(0, 0), LonLat(-1, 0)), -90, 1e-12))
    #expect(Globe.direction(munich, munich) == 0)
    #expect(near(Globe.direction(munich, innsbruck), -171.9, 0.2))
  }

  @Test func midpointIsAsFarFromBoth() {
    let middle = Globe.midpoint(munich, innsbruck)
    let half = Globe.distance(munich, innsbruck) / 2
    #expect(near(Globe.distance(munich, middle), half, 1e-6))
    #expect(near(Globe.distance(innsbruck, middle), half, 1e-6))
  }

  /// Going somewhere and measuring the way gives the way that was gone.
  @Test func destinationUndoesDistanceAndDirection() {
    var random = SplitMix(seed: 1)
    for _ in 0..<2000 {
      let (a, b) = (random.place(within: 89), random.place(within: 89))
      let (way, direction) = (Globe.distance(a, b), Globe.direction(a, b))
      let there = Globe.destination(a, distance: way, direction: direction)
      #expect(Globe.distance(there, b) < 1e-2, "\(a) \(b)")
      #expect(near(Globe.distance(a, there), way, 1e-2))
      let back = Globe.destination(there, distance: way, direction: Globe.direction(there, a))
      #expect(Globe.distance(back, a) < 1e-2)
    }
  }

  @Test func numbersThatAreNotFiniteGiveSuchNumbers() {
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(!Globe.distance(LonLat(value, 0), LonLat(0, 0)).isFinite)
      #expect(!Globe.direction(LonLat(0, value), LonLat(0, 0)).isFinite)
      let there = Globe.destination(LonLat(0, 0), distance: value, direction: 0)
      #expect(!there.lon.isFinite || !there.lat.isFinite)
      _ = Globe.midpoint(LonLat(value, value), LonLat(0, 0))
    }
    // Latitudes that there are not are computed as they stand.
    #expect(Globe.distance(LonLat(0, 500), LonLat(1e300, -1e300)).isFinite)
  }

  @Test func anglesWrapIntoTheirRange() {
    #expect(Angles.wrap(380, min: 0, max: 360) == 20)
    #expect(Angles.wrap(-30, min: 0, max: 360) == 330)
    #expect(Angles.wrap(-30, min: -180, max: 180) == -30)
    #expect(Angles.wrap(180, min: -180, max: 180) == -180)
    #expect(Angles.wrap(-400, min: -180, max: 180) == -40)
    #expect(Angles.wrap(1, min: 5, max: 5).isNaN)
    #expect(Angles.wrap(.infinity, min: 0, max: 360).isNaN)
  }

  @Test func differenceIsTheShorterWayRound() {
    #expect(Angles.difference(10, 350) == 20)
    #expect(Angles.difference(350, 10) == 20)
    #expect(Angles.difference(0, 180) == 180)
    #expect(Angles.difference(-90, 720) == 90)
    #expect(Angles.difference(.nan, 0).isNaN)
  }
}
