import NeatBase
import NeatTile
import Testing

@Suite struct RegionCoverTests {
  private func tiles(_ area: RegionArea, _ zoom: UInt8, within limits: [TileBox]? = nil) -> [TileID] {
    var found: [TileID] = []
    for box in area.cover(zoom, within: limits) {
      for y in box.minY...box.maxY {
        for x in box.minX...box.maxX { found.append(TileID(z: zoom, x: x, y: y)) }
      }
    }
    #expect(Set(found).count == found.count, "a tile twice")
    #expect(RegionCover.count(area.cover(zoom, within: limits)).tiles == UInt64(found.count))
    return found
  }

  private func shape(_ text: String) throws -> RegionArea {
    .shape(try RegionShape(geometry: Array(text.utf8)))
  }

  @Test func boundsAreThoseOfAnArchivesRegion() throws {
    for (west, south, east, north) in [
      (-10.0, -20.0, 30.0, 40.0), (170, -10, -170, 10), (0, 0, 45, 45), (5, 5, 5, 5), (-180, -90, 180, 90),
      (10, -80, 5, 80),
    ] {
      let area = try RegionArea(south: south, west: west, north: north, east: east)
      for zoom in UInt8(0)...6 {
        let region = try TileRegion(bounds: (west, south, east, north), zooms: zoom...zoom)
        let mine = Set(tiles(area, zoom).map { PMTiles.tileNumber(z: zoom, x: $0.x, y: $0.y) })
        let others = Set(region.intervals.flatMap { Array($0) })
        #expect(mine == others, "\(west) \(south) \(east) \(north) at \(zoom)")
      }
    }
  }

  @Test func aPolygonOfABoxIsThatBox() throws {
    for (west, south, east, north) in [
      (-10.0, -20.0, 30.0, 40.0), (0, 0, 45, 45), (-180, -85.06, 180, 85.06), (11.2, 47.1, 11.5, 47.4),
      (-90, 0, 90, 66.51326044311186),
    ] {
      let ring =
        "[[\(west),\(south)],[\(east),\(south)],[\(east),\(north)],[\(west),\(north)],[\(west),\(south)]]"
      let polygon = try shape(#"{"type":"Polygon","coordinates":[\#(ring)]}"#)
      let box = try RegionArea(south: south, west: west, north: north, east: east)
      for zoom in UInt8(0)...11 where zoom < 8 || east - west < 1 {
        #expect(Set(tiles(polygon, zoom)) == Set(tiles(box, zoom)), "\(west) \(south) at \(zoom)")
      }
    }
  }

  @Test func holesAreLeftOut() throws {
    let outer = "[[-180,-85.06],[180,-85.06],[180,85.06],[-180,85.06],[-180,-85.06]]"
    let inner = "[[-90,-66.5],[90,-66.5],[90,66.5],[-90,66.5],[-90,-66.5]]"
    let area = try shape(#"{"type":"Polygon","coordinates":[\#(outer),\#(inner)]}"#)
    let found = Set(tiles(area, 4))
    #expect(found.contains(TileID(z: 4, x: 0, y: 8)) && !found.contains(TileID(z: 4, x: 8, y: 8)))
    // Two polygons over each other have no hole where they meet.
    let both = try shape(#"{"type":"MultiPolygon","coordinates":[[\#(outer)],[\#(inner)]]}"#)
    #expect(tiles(both, 4).count == 256)
  }

  @Test func linesAndPointsTakeTheTilesTheyTouch() throws {
    let point = try shape(#"{"type":"Point","coordinates":[11.39,47.27]}"#)
    #expect(tiles(point, 14) == [TileID(z: 14, x: 8710, y: 5744)])
    #expect(tiles(try shape(#"{"type":"Point","coordinates":[0,0]}"#), 1) == [TileID(z: 1, x: 1, y: 1)])
    let row = tiles(try shape(#"{"type":"LineString","coordinates":[[-179,10],[179,10]]}"#), 3)
    #expect(row.count == 8 && row.allSatisfy { $0.y == 3 })
    let over = tiles(try shape(#"{"type":"LineString","coordinates":[[170,10],[190,10]]}"#), 3)
    #expect(Set(over.map(\.x)) == [7, 0])
    let collection = try shape(
      #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[-100,10]},{"type":"Point","coordinates":[100,10]}]}"#
    )
    #expect(tiles(collection, 3).count == 2)
    #expect(tiles(try shape(#"{"type":"GeometryCollection","geometries":[]}"#), 3).isEmpty)
    // The corners of the world.
    for place in ["[180,-90]", "[-180,90]", "[180,90]", "[-180,-90]"] {
      #expect(tiles(try shape(#"{"type":"Point","coordinates":\#(place)}"#), 30).count == 1)
    }
  }

  @Test func randomPolygonsTakeWhatTheyCover() throws {
    var state: UInt64 = 9
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 11) / Double(1 << 53)
    }
    for round in 0..<60 {
      // A star around a middle: simple, and concave.
      let (lon, lat, size) = (random() * 300 - 150, random() * 120 - 60, random() * 20 + 1)
      let count = 3 + Int(saturating: random() * 12)
      var points = (0..<count).map { index -> (Double, Double) in
        let angle = Double(index) / Double(count) * 2 * .pi, reach = size * (0.2 + 0.8 * random())
        return (lon + reach * sin(angle), lat + reach * cos(angle))
      }
      points.append(points[0])
      let text = points.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
      let area = try shape(#"{"type":"Polygon","coordinates":[[\#(text)]]}"#)
      let zoom = UInt8(saturating: 4 + random() * 3)
      let found = Set(tiles(area, zoom))
      let ring = points.map { SIMD2(Mercator.x(lon: $0.0), Mercator.y(lat: $0.1)) * Double(1 << zoom) }
      // Places strewn over it: the tile of each that is inside is there.
      for _ in 0..<200 {
        let place = ring[0] + SIMD2(random() - 0.5, random() - 0.5) * size / 90 * Double(1 << zoom)
        var isInside = false
        for (a, b) in zip(ring, ring.dropFirst()) where (a.y > place.y) != (b.y > place.y) {
          if a.x + (place.y - a.y) / (b.y - a.y) * (b.x - a.x) > place.x { isInside.toggle() }
        }
        guard isInside else { continue }
        #expect(
          found.contains(TileID(z: zoom, x: UInt32(saturating: place.x), y: UInt32(saturating: place.y))),
          "round \(round)")
      }
      // A tile that is taken has a place of the polygon in it: an edge, or its middle.
      for tile in found {
        let middle = SIMD2(Double(tile.x), Double(tile.y)) + 0.5
        var isInside = false
        var isTouched = false
        for (a, b) in zip(ring, ring.dropFirst()) {
          if (a.y > middle.y) != (b.y > middle.y),
            a.x + (middle.y - a.y) / (b.y - a.y) * (b.x - a.x) > middle.x
          {
            isInside.toggle()
          }
          for step in 0...200 {
            let place = a + (b - a) * Double(step) / 200
            if abs(place.x - middle.x) < 0.55, abs(place.y - middle.y) < 0.55 { isTouched = true }
          }
        }
        #expect(isInside || isTouched, "round \(round)")
      }
    }
  }

  @Test func limitsCutIt() throws {
    let area = try RegionArea(south: -90, west: -180, north: 90, east: 180)
    let limits = TileBox.covering((170, -10, -170, 10), 5)
    #expect(tiles(area, 5, within: limits).count == limits.reduce(0) { $0 + Int($1.count) })
  }

  @Test func placesThatAreNoneAreRefused() {
    for text in [
      #"{"type":"Point","coordinates":[0,91]}"#, #"{"type":"Point","coordinates":[541,0]}"#, "7", "{}",
      #"{"type":"Polygon","coordinates":[[0,0]]}"#,
    ] { #expect(throws: NeatError.self, "\(text)") { try RegionShape(geometry: Array(text.utf8)) } }
    #expect(throws: NeatError.self) { try RegionArea(south: 1, west: 0, north: 0, east: 1) }
    #expect(throws: NeatError.self) { try RegionArea(south: 0, west: .nan, north: 1, east: 1) }
  }
}
