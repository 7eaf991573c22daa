import NeatBase
import NeatStore
import Testing

/// Regions and what they need.
@Suite struct OfflineRegionTests {
  private let folder = DatabaseFolder()

  private func entries(_ range: Range<Int>) -> [(key: DatabaseKey, response: DatabaseResponse)] {
    range.map { (key: tile($0), response: data(noise(100, UInt64($0)))) }
  }

  @Test func regionsAreMadeListedChangedAndDeleted() throws {
    let database = try folder.open()
    #expect(try database.regions() == [])
    let first = try database.createRegion(world, metadata: [1])
    var other = world
    other.area = .geometry(#"{"type":"Point","coordinates":[1,2]}"#)
    other.maxZoom = .infinity
    let second = try database.createRegion(other, metadata: [])
    #expect(first.definition == world && first.metadata == [1] && second.definition == other)
    #expect(try database.regions() == [first, second])
    try database.setMetadata([9, 9], ofRegion: first.id)
    #expect(try database.region(first.id).metadata == [9, 9])
    try database.deleteRegion(first.id, now: 1)
    #expect(try database.regions() == [second])
    for call: (Int64) throws -> Void in [
      { _ = try database.region($0) }, { try database.setMetadata([], ofRegion: $0) },
      { try database.deleteRegion($0, now: 1) }, { try database.invalidateRegion($0) },
      { _ = try database.counts(ofRegion: $0) },
      { _ = try database.putRegionResources(entries(0..<2), region: $0, now: 1) },
      { _ = try database.markUsed([tile(1)], region: $0) },
    ] {
      expectFailure(.notFound, database.path) { try call(first.id) }
    }
    #expect(try database.facts(tile(0)) == nil)
  }

  @Test func aRegionCountsWhatItHas() throws {
    let database = try folder.open()
    let region = try database.createRegion(world, metadata: [])
    #expect(try database.counts(ofRegion: region.id) == OfflineRegionCounts())
    let outcome = try database.putRegionResources(
      entries(0..<10) + [(resource("style"), data(noise(50))), (tile(10), DatabaseResponse(.empty))],
      region: region.id, now: 1)
    let counts = OfflineRegionCounts(resources: 12, bytes: 1050, tiles: 11, tileBytes: 1000)
    #expect(outcome.count == 12 && outcome.added == counts && !outcome.hasReachedTileLimit)
    #expect(try database.counts(ofRegion: region.id) == counts)
    #expect(try database.region(region.id, has: tile(3)))
    #expect(try !database.region(region.id, has: tile(11)))
    #expect(try database.regionResource(tile(3)) == data(noise(100, 3)))
    #expect(database.statistics.hits == 0)
    // Again: the same, once.
    _ = try database.putRegionResources(entries(0..<10), region: region.id, now: 2)
    #expect(try database.counts(ofRegion: region.id) == counts)
  }

  @Test func sharedTilesAreStoredOnceAndStayWithTheOther() throws {
    let database = try folder.open()
    let a = try database.createRegion(world, metadata: [1])
    let b = try database.createRegion(world, metadata: [2])
    _ = try database.putRegionResources(entries(0..<6), region: a.id, now: 1)
    _ = try database.putRegionResources(entries(4..<8), region: b.id, now: 1)
    #expect(folder.rows("SELECT count(*) FROM tiles") == ["8"])
    try database.deleteRegion(a.id, now: 2)
    #expect(try database.counts(ofRegion: b.id).tiles == 4)
    // What nobody needs any more is ambient now.
    let size = Int64(100 + tile(0).address.utf8.count + 64)
    #expect(try database.ambientBytes() == 4 * size)
    #expect(try database.facts(tile(0)) != nil)
    try database.setMaximumAmbientCacheSize(0, now: 3)
    #expect(folder.rows("SELECT x FROM tiles ORDER BY x") == ["4", "5", "6", "7"])
    try database.deleteRegion(b.id, now: 4)
    #expect(folder.rows("SELECT count(*) FROM tiles") == ["0"])
    #expect(folder.rows("SELECT count(*) FROM region_tiles") == ["0"])
  }

  @Test func whatIsStoredAlreadyIsMarkedUsed() throws {
    let database = try folder.open()
    try database.put(entries(0..<5), now: 1)
    let region = try database.createRegion(world, metadata: [])
    #expect(
      try database.markUsed([tile(0), tile(4), tile(9), resource("r")], region: region.id)
        == [tile(9), resource("r")])
    #expect(try database.counts(ofRegion: region.id).tiles == 2)
    let size = Int64(100 + tile(0).address.utf8.count + 64)
    #expect(try database.ambientBytes() == 3 * size)
    try database.clearAmbientCache()
    #expect(folder.rows("SELECT x FROM tiles ORDER BY x") == ["0", "4"])
  }

  @Test func invalidatingARegionLosesNothing() throws {
    let database = try folder.open()
    let region = try database.createRegion(world, metadata: [])
    _ = try database.putRegionResources(
      (0..<700).map { (tile($0), data([1], etag: "e", expires: 5000)) }, region: region.id, now: 1)
    try database.put(tile(800), data([1], expires: 5000), now: 1)
    try database.invalidateRegion(region.id)
    #expect(
      try database.get(tile(699), now: 1)
        == DatabaseResponse(.data([1]), etag: "e", expires: 0, mustRevalidate: true))
    #expect(try database.get(tile(800), now: 1)?.expires == 5000)
    #expect(try database.counts(ofRegion: region.id).tiles == 700)
    // The server says that it still holds.
    let outcome = try database.putRegionResources(
      [(tile(0), DatabaseResponse(.notModified, expires: 9000))], region: region.id, now: 2)
    #expect(outcome.added.tiles == 1)
    #expect(try database.get(tile(0), now: 1) == data([1], etag: "e", expires: 9000))
  }

  @Test func providersThatAskForALimitGetIt() throws {
    let database = try folder.open {
      $0.limitedTemplates = ["mapbox://", "mapbox://tiles/", ""]
      $0.limitedTileCount = 10
    }
    let a = try database.createRegion(world, metadata: [1])
    let b = try database.createRegion(world, metadata: [2])
    func limited(_ range: Range<Int>) -> [(key: DatabaseKey, response: DatabaseResponse)] {
      range.map { (tile($0, 0, "mapbox://tiles/{z}/{x}/{y}"), data([1])) }
    }
    #expect(try database.putRegionResources(limited(0..<8), region: a.id, now: 1).count == 8)
    // Shared ones count once; others not at all.
    let more = try database.putRegionResources(
      limited(6..<9) + entries(0..<5) + limited(9..<12) + entries(5..<6), region: b.id, now: 1)
    #expect(more.hasReachedTileLimit && more.count == 9)
    #expect(try database.limitedTileCount() == 10)
    #expect(try database.counts(ofRegion: b.id).tiles == 9)
    try database.put(limited(20..<21), now: 1)
    #expect(try database.markUsed([limited(20..<21)[0].key], region: a.id).count == 1)
    try database.deleteRegion(a.id, now: 1)
    #expect(try database.limitedTileCount() == 4)
  }

  // MARK: Definitions

  @Test func definitionsReadBackAsTheyWere() throws {
    for area in [
      OfflineRegionDefinition.Area.bounds(south: -1.5, west: 2.25, north: 3, east: 4),
      .geometry(#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#),
    ] {
      let definition = OfflineRegionDefinition(
        styleURL: "https://a/\"ü\"", area: area, minZoom: 1, maxZoom: 2.5, pixelRatio: 2,
        includesIdeographs: false)
      #expect(try OfflineRegionDefinition(json: definition.json) == definition)
    }
    // What not all regions have is written for those that lack it, and for others stays as it was.
    var partial = world
    for contents: OfflineRegionDefinition.Contents in [[], .tiles, [.sprites, .glyphs]] {
      partial.contents = contents
      #expect(try OfflineRegionDefinition(json: partial.json).contents == contents)
    }
    #expect(!world.json.contains("neatline"))
    let open = try OfflineRegionDefinition(
      json: #"{"style_url":"s","min_zoom":1,"pixel_ratio":1,"bounds":[1,2,3,4],"other":null}"#)
    #expect(open.maxZoom == .infinity && open.includesIdeographs)
    #expect(!open.json.contains("max_zoom") && open.json.contains("[1.0,2.0,3.0,4.0]"))
  }

  @Test func boundsOverTheAntimeridianAreRight() throws {
    var definition = world
    definition.area = .bounds(south: -10, west: 170, north: 10, east: -170)
    let region = try folder.open().createRegion(definition, metadata: [])
    #expect(region.definition?.area == .bounds(south: -10, west: 170, north: 10, east: 190))
  }

  @Test func nonsenseIsRefused() throws {
    let database = try folder.open()
    func refuse(_ code: ErrorCode = .invalidArgument, _ change: (inout OfflineRegionDefinition) -> Void) {
      var definition = world
      change(&definition)
      #expect { try database.createRegion(definition, metadata: []) } throws: {
        ($0 as? NeatError)?.code == code
      }
    }
    refuse { $0.styleURL = "" }
    refuse { $0.styleURL = String(repeating: "a", count: 70_000) }
    for zoom in [-1, .nan, .infinity] as [Double] { refuse { $0.minZoom = zoom } }
    for zoom in [-1, .nan] as [Double] { refuse { $0.maxZoom = zoom } }
    for ratio in [-1, .nan, .infinity] as [Double] { refuse { $0.pixelRatio = ratio } }
    refuse { ($0.minZoom, $0.maxZoom) = (5, 4) }
    refuse { $0.area = .bounds(south: 10, west: 0, north: -10, east: 1) }
    refuse { $0.area = .bounds(south: -91, west: 0, north: 0, east: 1) }
    refuse { $0.area = .bounds(south: .nan, west: 0, north: 0, east: 1) }
    refuse { $0.area = .bounds(south: 0, west: 0, north: 1, east: .infinity) }
    refuse { $0.area = .bounds(south: 0, west: 0, north: 1, east: 1e300) }
    refuse { $0.area = .geometry(#"{"type":"Feature","geometry":null,"properties":null}"#) }
    refuse { $0.area = .geometry("[]") }
    refuse(.json) { $0.area = .geometry("{") }
    refuse(.geojson) { $0.area = .geometry(#"{"type":"Point","coordinates":["a"]}"#) }
    #expect {
      try database.createRegion(world, metadata: Array(repeating: 0, count: (16 << 20) + 1))
    } throws: {
      ($0 as? NeatError)?.code == .limitExceeded
    }
    #expect(try database.regions() == [])
  }

  @Test func aRegionWhoseDefinitionCannotBeReadIsListedAndCanBeDeleted() throws {
    let database = try folder.open()
    _ = try database.createRegion(world, metadata: [])
    for text in [
      "''", "'{'", "x'00ff'", "'[]'", "1e400", "'{\"style_url\":1}'",
      "'{\"style_url\":\"s\",\"min_zoom\":\"a\",\"pixel_ratio\":1,\"bounds\":[1,2,3,4]}'",
      "'{\"style_url\":\"s\",\"min_zoom\":1,\"pixel_ratio\":1,\"bounds\":[1,2,3]}'",
      "'{\"style_url\":\"s\",\"min_zoom\":1e999,\"pixel_ratio\":1,\"bounds\":[1,2,3,4]}'",
    ] {
      folder.run("INSERT INTO regions (definition, description) VALUES (\(text), NULL)")
    }
    let regions = try database.regions()
    #expect(regions.count == 10 && regions.filter { $0.definition == nil && $0.fault != nil }.count == 9)
    for region in regions { try database.deleteRegion(region.id, now: 1) }
    #expect(try database.regions() == [])
  }
}
