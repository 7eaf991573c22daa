import NeatBase
import NeatJSON
import Testing

@testable import NeatTile

@Suite(.enabled(if: sharedFolder != nil, "the shared suites are not beside the checkout"))
struct SuperclusterSuiteTests {
  let data: GeoJSONData
  init() throws { data = try GeoJSONData(parsing: sharedBytes("conformance/supercluster/places.json")) }

  func check(_ expected: String, _ change: (inout ClusterOptions) -> Void = { _ in }) throws {
    var options = ClusterOptions()
    change(&options)
    let index = try ClusterIndex(data, options: options)
    let wanted = try JSON.parse(sharedBytes("conformance/supercluster/\(expected).json"))
    #expect(try sameJSON(wanted, JSON.parse(index.tileText(TileID(z: 0, x: 0, y: 0)))) == nil)
  }

  @Test func theWorldsClustersAreThoseOfSupercluster() throws { try check("places-z0-0-0") }
  @Test func aMinimumOfPointsIsKept() throws { try check("places-z0-0-0-min5") { $0.minPoints = 5 } }

  @Test func everyClusterLeadsToItsPoints() throws {
    let index = try ClusterIndex(data)
    for zoom in 0...16 {
      let items = index.clusters(west: -180, south: -90, east: 180, north: 90, zoom: zoom)
      #expect(items.reduce(0) { $0 + $1.pointCount } == data.pointCount)
      for item in items {
        guard let id = item.clusterID else { continue }
        let leaves = try index.leaves(of: id, limit: .max)
        #expect(leaves.count == item.pointCount && Set(leaves).count == leaves.count)
        #expect(try index.leaves(of: id, limit: 3, offset: 1) == Array(leaves.dropFirst().prefix(3)))
        #expect(try index.children(of: id).reduce(0) { $0 + $1.pointCount } == item.pointCount)
        let expansion = try index.expansionZoom(of: id)
        #expect(expansion > zoom && expansion <= 17)
      }
    }
  }

  @Test func gridAndTreeFindTheSameClusters() throws {
    let plain = try ClusterIndex(data)
    let count = ClusterProperty(name: "sum", map: { _ in .number(1) }) { a, b in
      guard case .number(let a) = a, case .number(let b) = b else { return .null }
      return .number(a + b)
    }
    let ordered = try ClusterIndex(data, properties: [count])
    for zoom in 0...17 {
      let a = plain.clusters(west: -180, south: -90, east: 180, north: 90, zoom: zoom)
      let b = ordered.clusters(west: -180, south: -90, east: 180, north: 90, zoom: zoom)
      #expect(a.map(\.clusterID) == b.map(\.clusterID))
      #expect(b.allSatisfy { $0.clusterID == nil || $0.properties == [.number(Double($0.pointCount))] })
    }
    let tile = try #require(ordered.tile(TileID(z: 0, x: 0, y: 0)))
    #expect(
      tile.value(feature: 0, named: "sum")?.number == tile.value(feature: 0, named: "point_count")?.number)
  }
}

@Suite struct ClusterTests {
  static func points(_ places: [(Double, Double)], _ rest: String = "") throws -> GeoJSONData {
    let features = places.map {
      #"{"type":"Feature","properties":{"cluster":"own"},"geometry":{"type":"Point","coordinates":[\#($0.0),\#($0.1)]}}"#
    }
    return try parse(
      #"{"type":"FeatureCollection","features":[\#((features + (rest.isEmpty ? [] : [rest])).joined(separator: ","))]}"#
    )
  }

  /// Thousands of points, most of them alone down to low zooms, and crowds: what passes unvisited and what
  /// the grid finds is what the tree finds.
  @Test func lonePointsAndCrowdsClusterAsWithTheTree() throws {
    var random = TestRandom(31)
    var places: [(Double, Double)] = []
    for number in 0..<6000 {
      let longitude = Double(Int.random(in: -1_790_000...1_790_000, using: &random)) / 10_000
      let latitude = Double(Int.random(in: -800_000...800_000, using: &random)) / 10_000
      let spread = number % 3 == 0 ? 40 : 1
      for crowd in 0..<(number % 50 == 0 ? 12 : 1) {
        places.append((longitude + Double(crowd * spread) / 20_000, latitude))
      }
    }
    let data = try ClusterTests.points(places)
    let nothing = ClusterProperty(name: "none", map: { _ in .null }) { first, _ in first }
    for radius in [10.0, 40, 400] {
      var options = ClusterOptions()
      options.radius = radius
      let plain = try ClusterIndex(data, options: options)
      let ordered = try ClusterIndex(data, options: options, properties: [nothing])
      for zoom in 0...17 {
        let a = plain.clusters(west: -180, south: -90, east: 180, north: 90, zoom: zoom)
        let b = ordered.clusters(west: -180, south: -90, east: 180, north: 90, zoom: zoom)
        #expect(
          a.map(\.clusterID) == b.map(\.clusterID) && a.map(\.pointCount) == b.map(\.pointCount),
          "radius \(radius), zoom \(zoom)")
      }
    }
  }

  @Test func aRadiusBeyondTheWorldReachesWhatLiesPastItsEdge() throws {
    let data = try ClusterTests.points([(-414, 0)] + Array(repeating: (0, 0), count: 6))
    var options = ClusterOptions()
    options.maxZoom = 0
    options.radius = 614.4
    let clusters = try ClusterIndex(data, options: options).clusters(
      west: -180, south: -90, east: 180, north: 90, zoom: 0)
    #expect(clusters.map(\.pointCount) == [7])
  }

  @Test func clustersReachOverTheAntimeridianWhereTheWorldGoesOn() throws {
    let data = try ClusterTests.points([(179.5, 0), (-179.5, 0), (0, 0)])
    var options = ClusterOptions()
    options.maxZoom = 0
    func counts(_ index: ClusterIndex) -> [Int] {
      index.clusters(west: -180, south: -90, east: 180, north: 90, zoom: 0).map(\.pointCount).sorted()
    }
    #expect(counts(try ClusterIndex(data, options: options)) == [1, 1, 1])
    options.margin = 0.25
    let index = try ClusterIndex(data, options: options)
    // Both ends of the world have the cluster; it lies on the border, and so in the world at one of them at least.
    #expect(counts(index).first == 1 && counts(index).last == 2)
    let tile = try #require(index.tile(TileID(z: 0, x: 0, y: 0)))
    let xs = (0..<tile.pointCount).map { tile.points[$0].x }
    #expect(xs.contains(0) && xs.contains(512) && xs.contains(256))
  }

  @Test func pointsFarFromTheAntimeridianCountOnce() throws {
    let data = try ClusterTests.points([(10, 0), (20, 5), (-30, 40)])
    var options = ClusterOptions()
    let plain = try ClusterIndex(data, options: options).tileText(TileID(z: 0, x: 0, y: 0))
    options.margin = 0.25
    #expect(try ClusterIndex(data, options: options).tileText(TileID(z: 0, x: 0, y: 0)) == plain)
  }

  @Test func largeCountsAreAbbreviated() throws {
    for (count, words) in [(999, "999"), (1049, "1k"), (1250, "1.3k"), (10499, "10k")] {
      let index = try ClusterIndex(ClusterTests.points(Array(repeating: (10, 10), count: count)))
      let tile = try #require(index.tile(TileID(z: 0, x: 0, y: 0)))
      let value = try #require(tile.value(feature: 0, named: "point_count_abbreviated"))
      #expect((value.kind == .string ? value.text : String(Int(bounded: value.number!))) == words)
      #expect(tile.value(feature: 0, named: "cluster")?.boolValue == true)
    }
  }

  @Test func aDateLineBoxIsSearchedOnBothSides() throws {
    let index = try ClusterIndex(ClusterTests.points([(179, 0), (-179, 0), (0, 0)]))
    #expect(index.clusters(west: 170, south: -10, east: -170, north: 10, zoom: 10).count == 2)
    #expect(index.clusters(west: -540, south: -10, east: 540, north: 10, zoom: 10).count == 3)
    #expect(index.clusters(west: .nan, south: 0, east: 1, north: 1, zoom: 3).isEmpty)
  }

  @Test func edgeTilesShowWhatLiesBehindTheDateLine() throws {
    let index = try ClusterIndex(ClusterTests.points([(179.9, 0)]))
    let tile = try #require(index.tile(TileID(z: 2, x: 0, y: 2)))
    #expect(tile.featureCount == 1 && tile.points[0].x < 0)
  }

  @Test func whatIsNoPointStaysOut() throws {
    let line = #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]}}"#
    let index = try ClusterIndex(ClusterTests.points([(0, 0), (50, 50)], line), include: { $0 != 0 })
    let items = index.clusters(west: -180, south: -90, east: 180, north: 90, zoom: 0)
    #expect(items.map(\.feature) == [1])
    #expect(
      try ClusterIndex(parse(#"{"type":"FeatureCollection","features":[]}"#)).tile(TileID(z: 0, x: 0, y: 0))
        == nil)
  }

  @Test func unknownClustersAndBadOptionsAreErrors() throws {
    let data = try ClusterTests.points([(0, 0), (0, 0)])
    let index = try ClusterIndex(data)
    for id: UInt32 in [0, 1, 3, 1000, .max] { #expect(throws: NeatError.self) { try index.children(of: id) } }
    var options = ClusterOptions()
    options.maxZoom = 25
    #expect(throws: NeatError.self) { try ClusterIndex(data, options: options) }
    options = ClusterOptions()
    options.radius = .nan
    #expect(throws: NeatError.self) { try ClusterIndex(data, options: options) }
    options.radius = 0
    #expect(
      try ClusterIndex(data, options: options).clusters(west: -1, south: -1, east: 1, north: 1, zoom: 3).count
        == 1)
  }
}
