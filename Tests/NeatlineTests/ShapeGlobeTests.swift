import Neatline
import Testing

/// Shapes measured and cut, by the names of turf-swift.
@Suite struct ShapeGlobeTests {
  private let degree = 6_373_000.0 * .pi / 180
  private let bent = LineString([
    Coordinate(longitude: 0, latitude: 0, altitude: 5), Coordinate(longitude: 1, latitude: 0, altitude: 6),
    Coordinate(longitude: 1, latitude: 1),
  ])

  private func place(_ longitude: Double, _ latitude: Double) -> LocationCoordinate2D {
    LocationCoordinate2D(latitude: latitude, longitude: longitude)
  }

  private func near(_ a: Coordinate?, _ b: Coordinate, _ tolerance: Double = 1e-4) -> Bool {
    guard let a else { return false }
    return abs(a.longitude - b.longitude) < tolerance && abs(a.latitude - b.latitude) < tolerance
  }

  @Test func positions() {
    let (a, b) = (place(0, 0), place(1, 0))
    #expect(abs(a.distance(to: b) - degree) < 1e-6)
    #expect(abs(a.direction(to: b) - 90) < 1e-12)
    #expect(near(a.coordinate(at: degree, facing: 90), b, 1e-9))
    #expect(near(a.midpoint(to: b), place(0.5, 0), 1e-9))
    #expect(a.distance(to: place(.nan, 0)).isNaN)
    #expect(a.coordinate(at: .infinity, facing: 0).latitude.isNaN)
  }

  @Test func angles() {
    #expect((380.0 as LocationDirection).wrap(min: 0, max: 360) == 20)
    #expect((-190.0).wrap(min: -180, max: 180) == 170)
    #expect(0.0.wrap(min: 1, max: 1).isNaN)
    #expect(10.0.difference(from: 350) == 20)
  }

  @Test func placesOnLines() {
    #expect(near(bent.coordinateFromStart(distance: degree * 1.5), place(1, 0.5)))
    #expect(bent.indexedCoordinateFromStart(distance: degree * 1.5)?.index == 1)
    #expect(bent.coordinateFromStart(distance: 0)?.altitude == 5)
    #expect(bent.coordinateFromStart(distance: .nan) == nil)
    #expect(bent.coordinateFromStart(distance: .infinity) == place(1, 1))
    #expect(LineString([Coordinate]()).coordinateFromStart(distance: 0) == nil)
    let closest = bent.closestCoordinate(to: place(2, 0.5))
    #expect(near(closest?.coordinate, place(1, 0.5), 1e-3) && closest?.index == 1)
    #expect(closest.map { abs($0.distance - degree * 1.5) < 100 } == true)
    #expect(bent.closestCoordinate(to: place(.nan, 0)) == nil)
    #expect(LineString([Coordinate]()).closestCoordinate(to: place(0, 0)) == nil)
  }

  @Test func partsOfLines() {
    #expect(bent.distance().map { abs($0 - 2 * degree) < 1e-3 } == true)
    #expect(bent.distance(from: place(1, 0)).map { abs($0 - degree) < 1e-3 } == true)
    #expect(LineString([Coordinate]()).distance() == nil)
    let slice = bent.sliced(from: place(0.5, 0.1), to: place(1.1, 0.5))
    #expect(slice?.coordinates.count == 3)
    // Vertices have all that they had; positions made anew have no altitude.
    #expect(slice?.coordinates[1].altitude == 6 && slice?.coordinates[0].altitude == nil)
    #expect(bent.sliced()?.coordinates == bent.coordinates)
    #expect(bent.trimmed(from: 0, to: degree * 5)?.coordinates == bent.coordinates)
    #expect(bent.trimmed(from: 5, to: 4) == nil && bent.trimmed(from: degree * 5, to: degree * 6) == nil)
    #expect(bent.trimmed(from: place(0, 0), distance: degree)?.coordinates.first?.altitude == 5)
    #expect(
      bent.trimmed(from: place(1, 1), distance: -degree * 9)?.coordinates == bent.coordinates.reversed())
    #expect(bent.trimmed(from: place(1, 1), distance: 0) == nil)
  }

  @Test func linesThatCross() {
    let other = LineString([place(0.5, -1), place(0.5, 0.5), place(2, 0.5)])
    let found = bent.intersections(with: other)
    #expect(found.count == 2 && near(found[0], place(0.5, 0)) && near(found[1], place(1, 0.5)))
    #expect(bent.intersections(with: LineString([place(0, 5), place(5, 5)])).isEmpty)
    #expect(bent.intersections(with: LineString([place(.nan, 5), place(5, 5)])).isEmpty)
    #expect(near(intersection((place(0, 0), place(2, 2)), (place(0, 2), place(2, 0))), place(1, 1)))
    #expect(intersection((place(0, 0), place(2, 2)), (place(0, 0), place(2, 0))) == nil)
  }

  @Test func curvesAndSimplerLines() {
    #expect(bent.bezier()?.coordinates.count == 500)
    #expect(bent.bezier(resolution: 0) == nil && bent.bezier(resolution: -1) == nil)
    #expect(LineString([place(0, 0)]).bezier() == nil)
    let line = LineString([
      Coordinate(longitude: 0, latitude: 0, altitude: 1), place(1, 0.01),
      Coordinate(longitude: 2, latitude: 0, altitude: 3),
    ])
    #expect(line.simplified(tolerance: 0.1).coordinates.map(\.altitude) == [1, 3])
    #expect(line.simplified(tolerance: 0.001, highestQuality: true) == line)
    #expect(line.simplified(tolerance: -1) == line && line.simplified(tolerance: .nan) == line)
    var copy = line
    copy.simplify(tolerance: 1)
    #expect(copy.coordinates.count == 2)
    #expect(MultiLineString([line, line]).simplified(tolerance: 0.1).coordinates.map(\.count) == [2, 2])
  }

  @Test func polygonsAreMeasured() {
    let outer = [place(0, 0), place(10, 0), place(10, 10), place(0, 10), place(0, 0)]
    let hole = [place(3, 3), place(3, 7), place(7, 7), place(7, 3), place(3, 3)]
    let polygon = Polygon([outer, hole])
    #expect(polygon.area > 0 && Polygon([outer]).area > polygon.area)
    #expect(Ring(outer).area < 0 && Ring(hole).area > 0)
    #expect(abs(polygon.area - abs(Ring(outer).area) + Ring(hole).area) < 1)
    #expect(MultiPolygon([polygon, polygon]).area == 2 * polygon.area)
    #expect(Polygon([[Coordinate]]()).area == 0 && Polygon([[place(.nan, 0)]]).area.isNaN)
    #expect(
      polygon.contains(place(1, 1)) && !polygon.contains(place(5, 5)) && !polygon.contains(place(-1, 5)))
    #expect(polygon.contains(place(0, 5)) && !polygon.contains(place(0, 5), ignoreBoundary: true))
    #expect(polygon.contains(place(3, 5)) && !polygon.contains(place(3, 5), ignoreBoundary: true))
    #expect(polygon.contains([place(1, 1), place(5, 5)]) == [true, false])
    #expect(MultiPolygon([polygon]).contains(place(1, 1)))
    #expect(Ring(outer).contains(place(5, 5)) && !Ring(outer).contains(place(0, 0), ignoreBoundary: true))
    #expect(!Polygon([[Coordinate]]()).contains(place(0, 0)))
    #expect(polygon.center == place(5, 5) && polygon.centroid == place(5, 5))
    #expect(near(polygon.centerOfMass, place(5, 5), 1e-9))
    #expect(Polygon([[Coordinate]]()).center == nil && Polygon([[Coordinate]()]).centroid == nil)
  }

  @Test func polygonsAreMade() {
    let circle = Polygon(center: place(11, 47), radius: 500, vertices: 64)
    #expect(circle.rings[0].coordinates.count == 65 && circle.rings[0].isClosed)
    #expect(circle.rings[0].coordinates.allSatisfy { abs($0.distance(to: place(11, 47)) - 500) < 1e-6 })
    #expect(Polygon(center: place(0, 0), radius: 5, vertices: -3).rings[0].coordinates.count == 4)
    #expect(Polygon(center: place(0, .nan), radius: 5, vertices: 9).rings.isEmpty)
    #expect(circle.smooth().rings[0].coordinates.count == 64 * 8 + 1)
    #expect(circle.smooth(iterations: 0) == circle && circle.smooth(iterations: 60) == circle)
    let simple = circle.simplified(tolerance: 100)
    #expect(simple.rings[0].coordinates.count >= 4 && simple.rings[0].isClosed)
    #expect(MultiPolygon([circle]).simplified(tolerance: 100).polygons == [simple])
  }

  @Test func geometriesOfAnyTypeAreSimplified() {
    let line = LineString([place(0, 0), place(1, 0.01), place(2, 0)])
    let point = Point(place(1, 2))
    let all = GeometryCollection([
      .point(point), .lineString(line), .geometryCollection(GeometryCollection([.lineString(line)])),
    ])
    let simple = Geometry.geometryCollection(all).simplified(tolerance: 0.1)
    #expect(simple.geoJSON.geometries.map { $0.pointCount } == [1, 2, 2])
  }

  @Test func boxes() {
    let box = BoundingBox(from: [place(3, 4), place(-1, 9)])
    #expect(box?.southWest == place(-1, 4) && box?.northEast == place(3, 9))
    #expect(box?.contains(place(0, 5)) == true && box?.contains(place(3, 5)) == false)
    #expect(box?.contains(place(3, 5), ignoreBoundary: false) == true)
    #expect(BoundingBox(from: nil) == nil && BoundingBox(from: []) == nil)
    #expect(BoundingBox(southWest: place(-1, 4), northEast: place(3, 9)) == box)
  }
}
