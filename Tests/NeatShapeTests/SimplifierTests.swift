import NeatBase
import NeatShape
import NeatTestSupport
import Testing

@Suite struct SimplifierTests {
  private func line(_ places: [LonLat], _ tolerance: Double, _ isHighQuality: Bool = true) -> [UInt32] {
    places.withUnsafeBufferPointer {
      Simplifier.line($0, tolerance: tolerance, isHighQuality: isHighQuality)
    }
  }

  private func ring(_ places: [LonLat], _ tolerance: Double, _ isHighQuality: Bool = true) -> [UInt32] {
    places.withUnsafeBufferPointer {
      Simplifier.ring($0, tolerance: tolerance, isHighQuality: isHighQuality)
    }
  }

  private func offSquared(_ point: LonLat, _ a: LonLat, _ b: LonLat) -> Double {
    let (dx, dy) = (b.lon - a.lon, b.lat - a.lat)
    let way = dx * dx + dy * dy
    let t = way == 0 ? 0 : max(0, min(1, ((point.lon - a.lon) * dx + (point.lat - a.lat) * dy) / way))
    let (x, y) = (point.lon - a.lon - dx * t, point.lat - a.lat - dy * t)
    return x * x + y * y
  }

  @Test func whatIsDroppedLiesWithinTheTolerance() {
    var random = SplitMix(seed: 6)
    for tolerance in [0.01, 0.1, 0.5] {
      let places = random.walk(500)
      let kept = line(places, tolerance).map(Int.init)
      #expect(kept.first == 0 && kept.last == places.count - 1)
      #expect(kept == kept.sorted() && kept.count < places.count)
      for (first, last) in zip(kept, kept.dropFirst()) {
        for index in first..<last {
          #expect(offSquared(places[index], places[first], places[last]) <= tolerance * tolerance)
        }
      }
    }
  }

  @Test func theFirstPassDropsPlacesTooNear() {
    let places = [LonLat(0, 0), LonLat(9.5, 2), LonLat(10, 2.2), LonLat(20, 0)]
    #expect(line(places, 1, false) == [0, 1, 3])
    #expect(line(places, 1) == [0, 2, 3])
    // The last place stays however near it is.
    #expect(line([LonLat(0, 0), LonLat(0.1, 0.1), LonLat(0.2, 0)], 1, false) == [0, 2])
  }

  @Test func toleranceZeroDropsOnlyWhatIsOnTheLine() {
    #expect(line([LonLat(0, 0), LonLat(1, 1), LonLat(2, 2), LonLat(3, 0)], 0) == [0, 2, 3])
    #expect(line([LonLat(0, 0), LonLat(1, 1)], 5) == [0, 1])
    #expect(line([LonLat(0, 0)], 5) == [0])
    #expect(line([], 5) == [])
  }

  @Test func aRingStaysAnArea() {
    var random = SplitMix(seed: 7)
    for isHighQuality in [false, true] {
      for tolerance in [1e-3, 0.1, 3, 1e9, 1e300, .greatestFiniteMagnitude] {
        let open = (0..<60).map { step in
          let angle = Double(step) / 60 * 2 * .pi
          let radius = 1 + random.number(-0.2...0.2)
          return LonLat(radius * cos(angle), radius * sin(angle))
        }
        let kept = ring(open + [open[0]], tolerance, isHighQuality)
        #expect(kept.count >= 4, "\(tolerance)")
        #expect(kept.first == 0 && kept.last == 60)
        // One that does not say its first place again is closed.
        let closed = ring(open, tolerance, isHighQuality)
        #expect(closed.count >= 4 && closed.last == 0)
      }
    }
  }

  /// The tolerance that leaves a triangle is the one found by trying one after the other.
  @Test func loweredTolerancesAreThoseOfTrying() {
    var random = SplitMix(seed: 8)
    for round in 0..<200 {
      var places = random.walk(5 + round % 40)
      if round % 3 > 0 { places.append(places[0]) }
      var tolerance = random.number(0.01...20)
      let isHighQuality = round % 2 == 0
      let found = ring(places, tolerance, isHighQuality)
      var tried: [UInt32] = []
      repeat {
        tried = line(places, tolerance, isHighQuality)
        tolerance -= tolerance * 0.01
      } while tried.count < 3 || tried.count == 3 && places[Int(tried[2])] == places[Int(tried[0])]
      if places[Int(tried[tried.count - 1])] != places[0] { tried.append(0) }
      #expect(found == tried)
    }
  }

  @Test func ringsWithoutATriangleStayAsTheyAre() {
    for isHighQuality in [false, true] {
      for tolerance in [0, 1e-3, 10, 1e300] {
        let same = [LonLat](repeating: LonLat(3, 3), count: 9)
        #expect(ring(same, tolerance, isHighQuality).count == 9)
        let flat = [LonLat(0, 0), LonLat(1, 0), LonLat(2, 0), LonLat(1, 0), LonLat(0, 0)]
        #expect(ring(flat, tolerance, isHighQuality).count == 5)
      }
      #expect(ring([LonLat(0, 0), LonLat(1, 0), LonLat(0, 0)], 1, isHighQuality) == [0, 1, 2])
      #expect(ring([], 1, isHighQuality) == [])
    }
  }

  @Test func numbersAtTheirLimitsDoNotTrap() {
    for isHighQuality in [false, true] {
      for value in [1e308, Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e-160] {
        let places = [LonLat(value, 0), LonLat(-value, value), LonLat(0, -value), LonLat(value, value)]
        _ = line(places, value, isHighQuality)
        _ = ring(places + [places[0]], value, isHighQuality)
        _ = ring(places + [places[0]], 1, isHighQuality)
      }
    }
  }

  /// Every split takes off one place: neither deep nor quadratic.
  @Test(.timeLimit(.minutes(1))) func aLineMadeToBeSlowIsSimplified() {
    let count = 200_000
    let places = (0..<count).map { index in
      LonLat(Double(index), (index % 2 == 0 ? 1 : -1) * exp2(-Double(index) / 200))
    }
    let kept = line(places, 0)
    #expect(kept.count > count / 2)
  }

  /// Past the budget ranges are halved, which keeps too much and never too little.
  @Test func halvedRangesStayWithinTheTolerance() {
    var random = SplitMix(seed: 9)
    let places = random.walk(300)
    let kept = places.withUnsafeBufferPointer {
      Simplifier.line($0, tolerance: 0.3, isHighQuality: true, looks: 0).map(Int.init)
    }
    #expect(kept.count >= line(places, 0.3).count)
    for (first, last) in zip(kept, kept.dropFirst()) {
      for index in first..<last { #expect(offSquared(places[index], places[first], places[last]) <= 0.09) }
    }
  }
}
