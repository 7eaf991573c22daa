import NeatBase
import NeatShape
import NeatTestSupport
import Testing

@Suite struct LineTests {
  private let bent = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
  private let degree = Globe.radius * .pi / 180

  @Test func lengthIsTheSumOfItsSegments() {
    withLine(bent) { #expect(near($0.length, 2 * degree, 1e-3)) }
    withLine([(5, 5)]) { #expect($0.length == 0) }
    withLine([LonLat]()) { #expect($0.length == 0) }
  }

  @Test func placesAlongTheLine() {
    withLine(bent) { line in
      #expect(line.place(at: -1)?.point == LonLat(0, 0))
      #expect(line.place(at: 0)?.index == 0)
      let half = line.place(at: degree / 2)
      #expect(half.map { near($0.point, LonLat(0.5, 0)) && $0.index == 0 } == true)
      let later = line.place(at: 1.5 * degree)
      #expect(later.map { near($0.point, LonLat(1, 0.5)) && $0.index == 1 } == true)
      let end = line.place(at: .infinity)
      #expect(end?.point == LonLat(1, 1) && end?.index == 2)
      #expect(end.map { near($0.along, 2 * degree, 1e-3) } == true)
    }
    withLine([(3, 4)]) { #expect($0.place(at: 7)?.point == LonLat(3, 4)) }
    withLine([LonLat]()) { #expect($0.place(at: 7) == nil) }
  }

  @Test func manyPlacesAreThoseOneByOne() {
    var random = SplitMix(seed: 2)
    for count in [1, 2, 3, 50] {
      let places = random.walk(count)
      withLine(places + places.suffix(1)) { line in
        let distances = (0..<100).map { _ in random.number(-10...line.length * 1.1 + 1) } + [0, line.length]
        var found: [LinePlace] = []
        distances.withUnsafeBufferPointer { line.places(at: $0) { found.append($1) } }
        for (distance, place) in zip(distances, found) {
          let one = line.place(at: distance)
          #expect(one?.point == place.point && one?.index == place.index && one?.along == place.along)
        }
      }
    }
  }

  @Test func slicesBetweenDistancesAddUp() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<200 {
      try withLine(random.walk(20)) { line in
        let (a, b) = (random.number(0...line.length), random.number(0...line.length))
        let (first, second) = (min(a, b), max(a, b))
        let parts = try [(0, first), (first, second), (second, line.length * 2)].map {
          try #require(line.trimmed(from: $0.0, to: $0.1))
        }
        let sum = parts.reduce(0) { sum, part in sum + withLine(part) { $0.length } }
        #expect(near(sum, line.length, 1e-3))
        #expect(near(withLine(parts[1]) { $0.length }, second - first, 1e-3))
        #expect(near(try #require(parts[0].last), try #require(parts[1].first)))
      }
    }
  }

  @Test func trimmingKeepsTheVerticesBetween() {
    withLine(bent) { line in
      let part = line.trimmed(from: degree / 2, to: 1.5 * degree)
      #expect(part?.count == 3 && part?[1] == LonLat(1, 0))
      #expect(line.trimmed(from: 0, to: degree * 9)?.count == 3)
      #expect(line.trimmed(from: 0, to: 0) == [LonLat(0, 0)])
      #expect(line.trimmed(from: -1, to: 5) == nil)
      #expect(line.trimmed(from: 5, to: 4) == nil)
      #expect(line.trimmed(from: .nan, to: 4) == nil)
      #expect(line.trimmed(from: degree * 3, to: degree * 4) == nil)
      #expect(line.trimmed(from: line.length, to: line.length) == [LonLat(1, 1), LonLat(1, 1)])
    }
    withLine([LonLat]()) { #expect($0.trimmed(from: 0, to: 1) == nil) }
  }

  @Test func trimmingFromAPlaceGoesEitherWay() throws {
    withLine(bent) { line in
      let ahead = line.trimmed(from: LonLat(0.5, 0), distance: degree)
      #expect(ahead?.count == 3)
      #expect(ahead.map { near($0[0], LonLat(0.5, 0)) && $0[1] == LonLat(1, 0) } == true)
      #expect(ahead.map { near($0[2], LonLat(1, 0.5), 1e-6) } == true)
      let back = line.trimmed(from: LonLat(1, 0.5), distance: -degree)
      #expect(back?.count == 3)
      #expect(back.map { $0[1] == LonLat(1, 0) && near($0[2], LonLat(0.5, 0), 1e-4) } == true)
      // Vertices are not said twice, and the line's end is the end.
      #expect(line.trimmed(from: LonLat(0, 0), distance: degree * 9)?.count == 3)
      #expect(line.trimmed(from: LonLat(1, 1), distance: -degree * 9)?.count == 3)
      #expect(line.trimmed(from: LonLat(0, 0), distance: -5) == [LonLat(0, 0)])
      #expect(line.trimmed(from: LonLat(0, 0), distance: 0) == nil)
    }
  }

  @Test func slicesBetweenPlaces() {
    withLine(bent) { line in
      let part = line.sliced(from: LonLat(0.5, 0.2), to: LonLat(1.3, 0.5))
      #expect(part?.count == 3)
      #expect(part.map { near($0[0], LonLat(0.5, 0), 1e-3) && near($0[2], LonLat(1, 0.5), 1e-3) } == true)
      // The other way round gives the same where they are on different segments.
      #expect(line.sliced(from: LonLat(1.3, 0.5), to: LonLat(0.5, 0.2)) == part)
      #expect(line.sliced(from: nil, to: nil)?.count == 3)
      #expect(line.sliced(from: LonLat(1, 0), to: nil) == [LonLat(1, 0), LonLat(1, 1)])
    }
    withLine([LonLat]()) { #expect($0.sliced(from: nil, to: LonLat(0, 0)) == nil) }
  }

  @Test func closestIsNoFartherThanAnyPlaceOfTheLine() throws {
    var random = SplitMix(seed: 4)
    for _ in 0..<100 {
      let places = random.walk(30)
      try withLine(places) { line in
        let target = LonLat(places[7].lon + random.number(-1...1), places[7].lat + random.number(-1...1))
        let found = try #require(line.closest(to: target))
        #expect(near(Globe.distance(target, found.point), found.distance, 1e-9))
        for index in 1..<places.count {
          for step in 0...20 {
            let t = Double(step) / 20
            let (a, b) = (places[index - 1], places[index])
            let place = LonLat(a.lon + (b.lon - a.lon) * t, a.lat + (b.lat - a.lat) * t)
            #expect(found.distance <= Globe.distance(target, place) * 1.0001 + 0.01)
          }
        }
        // Along the line, it is where it says.
        #expect(near(try #require(line.place(at: found.along)).point, found.point, 1e-4))
      }
    }
  }

  @Test func closestOfVerticesAndDegenerateLines() {
    withLine(bent) { line in
      let corner = line.closest(to: LonLat(2, -1))
      #expect(corner?.point == LonLat(1, 0) && corner?.index == 1)
      #expect(corner.map { near($0.along, degree, 1e-3) } == true)
      #expect(line.closest(to: LonLat(0, 0))?.distance == 0)
    }
    withLine([(2, 2), (2, 2), (2, 2)]) { #expect($0.closest(to: LonLat(0, 0))?.index == 0) }
    withLine([(2, 2)]) { #expect($0.closest(to: LonLat(2, 2))?.distance == 0) }
    withLine([LonLat]()) { #expect($0.closest(to: LonLat(2, 2)) == nil) }
    withLine([(0, 400), (1e308, -1e308), (-1e308, 1e308)]) { _ = $0.closest(to: LonLat(1e300, 2)) }
  }
}

@Suite struct IntersectionTests {
  @Test func segmentsThatCross() {
    let cross = Segment(LonLat(0, 0), LonLat(2, 2)).intersection(Segment(LonLat(0, 2), LonLat(2, 0)))
    #expect(cross?.point == LonLat(1, 1) && cross?.along == 0.5)
  }

  @Test func segmentsThatTouchOrRunSideBySideDoNotCross() {
    let a = Segment(LonLat(0, 0), LonLat(2, 0))
    #expect(a.intersection(Segment(LonLat(1, 0), LonLat(1, 5))) == nil)
    #expect(a.intersection(Segment(LonLat(2, 0), LonLat(3, 5))) == nil)
    #expect(a.intersection(Segment(LonLat(0, 1), LonLat(2, 1))) == nil)
    #expect(a.intersection(a) == nil)
    #expect(a.intersection(Segment(LonLat(1, 1), LonLat(1, 1))) == nil)
    let huge = Segment(LonLat(-1e308, -1e308), LonLat(1e308, 1e308))
    #expect(huge.intersection(Segment(LonLat(-1e308, 1e308), LonLat(1e308, -1e308))) == nil)
  }

  /// Against all pairs.
  @Test func linesCrossWhereTheirSegmentsDo() throws {
    var random = SplitMix(seed: 5)
    for round in 0..<60 {
      let (a, b) = (random.walk(2 + round * 3), random.walk(2 + round * 5))
      // Around the same place.
      let moved = b.map { LonLat($0.lon - b[0].lon + a[0].lon, $0.lat - b[0].lat + a[0].lat) }
      var expected: Set<LonLat> = []
      for i in 1..<a.count {
        for j in 1..<moved.count {
          if let place = Segment(a[i - 1], a[i]).intersection(Segment(moved[j - 1], moved[j])) {
            expected.insert(place.point)
          }
        }
      }
      let found = try withLine(a) { a in try withLine(moved) { try a.intersections(with: $0) } }
      #expect(Set(found) == expected && found.count == expected.count)
    }
  }

  @Test func theyComeInTheOrderOfTheFirstLine() throws {
    let comb = (0..<40).map { LonLat(Double($0 % 7), $0 % 2 == 0 ? -1 : 1) }
    let found = try withLine([(-1, 0), (8, 0.001)]) { line in
      try withLine(comb) { try line.intersections(with: $0) }
    }
    #expect(!found.isEmpty)
    #expect(found.map(\.lon) == found.map(\.lon).sorted())
  }

  @Test func noMoreThanAreWanted() throws {
    let zigzag = (0..<100).map { LonLat(Double($0), $0 % 2 == 0 ? -1 : 1) }
    func count(_ a: [LonLat], _ b: [LonLat], limit: Int) throws -> Int {
      try withLine(a) { a in try withLine(b) { b in try a.intersections(with: b, limit: limit).count } }
    }
    let line = [LonLat(-1, 0.3), LonLat(101, 0.3)]
    #expect(try count(line, zigzag, limit: 99) == 99)
    #expect(throws: NeatError.self) { try count(line, zigzag, limit: 98) }
    #expect(throws: NeatError.self) { try count(zigzag, line, limit: 98) }
    #expect(try count([LonLat(0, 0)], line, limit: 0) == 0)
  }

  /// A hundred thousand segments each take no ten thousand million comparisons.
  @Test(.timeLimit(.minutes(1))) func longLinesAreNotComparedPairByPair() throws {
    let count = 100_000
    let a = (0..<count).map { LonLat(Double($0) / 1000, $0 % 2 == 0 ? 0 : 1e-3) }
    let b = (0..<count).map { LonLat(Double($0) / 1000 + 5e-4, $0 % 2 == 0 ? 0 : 1e-3) }
    let found = try withLine(a) { a in try withLine(b) { try a.intersections(with: $0) } }
    #expect(found.count >= count - 2)
  }
}

@Suite struct SplineTests {
  @Test func itGoesThroughTheVertices() throws {
    try withLine([(0, 0), (1, 2), (3, 2), (4, 0), (5, 5)]) { line in
      let spline = try #require(BezierSpline(line, sharpness: 0.85))
      for index in 0..<5 { #expect(near(spline.place(at: Double(index) / 4), line.points[index])) }
    }
  }

  @Test func aStraightLineStaysStraight() throws {
    try withLine([(0, 0), (1, 1), (2, 2)]) { line in
      let spline = try #require(BezierSpline(line, sharpness: 0.85))
      for place in spline.sample(resolution: 1000) { #expect(near(place.lon, place.lat, 1e-12)) }
    }
  }

  @Test func samplesAreAsManyAsSaid() throws {
    try withLine([(0, 0), (1, 1)]) { line in
      let spline = try #require(BezierSpline(line, sharpness: 0.85))
      for resolution in [0, 1, 10, 11, 99, 100, 101, 199, 200, 201, 250, 10_000, 12_345] {
        #expect(spline.sample(resolution: resolution).count == BezierSpline.count(resolution: resolution))
      }
      #expect(BezierSpline.count(resolution: 10_000) == 500)
    }
    withLine([(0, 0)]) { #expect(BezierSpline($0, sharpness: 0.85) == nil) }
  }

  @Test func timesJustBelowTheEndStayWithinTheLine() throws {
    try withLine((0..<100_000).map { (Double($0), 0) }) { line in
      let spline = try #require(BezierSpline(line, sharpness: 0.85))
      #expect(near(spline.place(at: 1.0.nextDown).lon, 99_999, 1e-6))
      #expect(spline.place(at: 2) == line.points[99_999])
    }
  }
}
