import NeatBase
import NeatStore
import NeatTile
import Testing

/// What is put in comes out.
@Suite struct ResourceDatabaseTests {
  private let folder = DatabaseFolder()

  @Test func tilesAndOthersAreReadAsTheyWereStored() throws {
    let database = try folder.open()
    let style = DatabaseResponse(
      .data(Array("{}".utf8)), etag: "\"é\"", modified: 7, expires: 4000, mustRevalidate: true)
    let body = [UInt8](repeating: 7, count: 10_000)
    #expect(try database.get(tile(1), now: 100) == nil)
    #expect(try database.put(resource("https://a/style.json"), style, now: 100) == .stored(bytes: 2))
    guard case .stored(let packed) = try database.put(tile(1), data(body, etag: "e"), now: 100) else {
      Issue.record("not stored")
      return
    }
    #expect(packed < 100)
    try database.put(tile(2), data([]), now: 100)
    try database.put(tile(3), data(noise(500)), now: 100)
    // Once more from the file.
    database.close()
    let again = try folder.open()
    #expect(try again.get(resource("https://a/style.json", .unknown), now: 200) == style)
    #expect(try again.get(tile(1), now: 200) == data(body, etag: "e"))
    #expect(try again.get(tile(2), now: 200) == data([]))
    #expect(try again.get(tile(3), now: 200) == data(noise(500)))
    #expect(
      again.statistics.hits == 4 && again.statistics.misses == 0 && again.statistics.bytesRead == 10_502)
    #expect(database.statistics.stored == 4 && database.statistics.misses == 1)
    #expect(
      folder.rows("SELECT compressed, length(data) > 400 FROM tiles ORDER BY x") == ["1|0", "0|0", "0|1"])
  }

  @Test func everyPartOfAKeyCounts() throws {
    let database = try folder.open()
    let keys: [DatabaseKey] = [
      .tile(template: "t", z: 1, x: 2, y: 3), .tile(template: "t", pixelRatio: 2, z: 1, x: 2, y: 3),
      .tile(template: "t", z: 2, x: 2, y: 3), .tile(template: "t", z: 1, x: 3, y: 3),
      .tile(template: "t", z: 1, x: 2, y: 4), .tile(template: "u", z: 1, x: 2, y: 3), resource("t"),
      resource("u"), resource(""),
    ]
    for (index, key) in keys.enumerated() { try database.put(key, data([UInt8(index)]), now: 1) }
    for (index, key) in keys.enumerated() { #expect(try database.get(key, now: 1) == data([UInt8(index)])) }
  }

  @Test func theFileIsSchema6OfTheOtherEngines() throws {
    let database = try folder.open()
    try database.put(
      .tile(template: "mapbox://tiles/a/{z}/{x}/{y}.vector.pbf", pixelRatio: 2, z: 3, x: 4, y: 5),
      DatabaseResponse(
        .data(Array(repeating: 65, count: 300)), etag: "e", modified: 11, expires: 12, mustRevalidate: true),
      now: 99)
    try database.put(resource("https://a/g.pbf", .glyphs), DatabaseResponse(.empty), now: 98)
    _ = try database.createRegion(world, metadata: [1, 2])
    database.close()
    #expect(folder.rows("PRAGMA user_version") == ["6"])
    #expect(folder.rows("PRAGMA auto_vacuum") == ["2"])
    #expect(folder.rows("PRAGMA journal_mode") == ["wal"])
    #expect(
      folder.rows(
        "SELECT url_template, pixel_ratio, z, x, y, expires, modified, etag, compressed, accessed, must_revalidate FROM tiles"
      ) == ["mapbox://tiles/a/{z}/{x}/{y}.vector.pbf|2|3|4|5|12|11|e|1|99|1"])
    #expect(
      folder.rows(
        "SELECT url, kind, expires, modified, etag, data, compressed, accessed, must_revalidate FROM resources"
      )
        == ["https://a/g.pbf|4|NULL|NULL|NULL|NULL|0|98|0"])
    #expect(
      folder.rows("SELECT id, definition, hex(description) FROM regions") == [
        "1|{\"style_url\":\"mapbox://styles/a/b\",\"min_zoom\":0.0,\"max_zoom\":6.0,\"pixel_ratio\":1.0,\"include_ideographs\":true,\"bounds\":[-10.0,-20.0,10.0,20.0]}|0102"
      ])
    // zlib, as they pack.
    #expect(folder.rows("SELECT substr(hex(data), 1, 2) FROM tiles") == ["78"])
    for (table, columns) in [
      ("resources", "id url kind expires modified etag data compressed accessed must_revalidate"),
      (
        "tiles",
        "id url_template pixel_ratio z x y expires modified etag data compressed accessed must_revalidate"
      ), ("regions", "id definition description"), ("region_resources", "region_id resource_id"),
      ("region_tiles", "region_id tile_id"),
    ] {
      #expect(folder.rows("SELECT name FROM pragma_table_info('\(table)')").joined(separator: " ") == columns)
    }
  }

  @Test func kindsHaveTheNumbersOfTheOtherEngines() {
    let kinds = ResourceKind.allCases.map { DatabaseResourceKind($0).rawValue }
    // style, source, tile, glyphs, sprite image, sprite JSON, image, GeoJSON, font
    #expect(kinds == [1, 2, 0, 4, 5, 6, 7, 2, 4])
  }

  @Test func aTileThatIsNotThereIsRememberedAsEmpty() throws {
    let database = try folder.open()
    let nothing = DatabaseResponse(.empty, expires: 50)
    #expect(try database.put(tile(1), nothing, now: 1) == .stored(bytes: 0))
    #expect(try database.get(tile(1), now: 1) == nothing)
    #expect(try database.facts(tile(1))?.isEmpty == true)
    #expect(try database.facts(tile(2)) == nil)
  }

  @Test func notModifiedRenewsTheTimesOnly() throws {
    let database = try folder.open()
    let before = DatabaseResponse(.data([1, 2]), etag: "a", modified: 5, expires: 10, mustRevalidate: true)
    try database.put(tile(1), before, now: 1)
    let renewal = DatabaseResponse(.notModified, etag: "other", modified: 9, expires: 90)
    #expect(try database.put(tile(1), renewal, now: 20) == .renewed)
    #expect(
      try database.get(tile(1), now: 20)
        == DatabaseResponse(.data([1, 2]), etag: "a", modified: 5, expires: 90, mustRevalidate: false))
    #expect(try database.put(tile(2), renewal, now: 20) == .nothingToRenew)
    #expect(try database.get(tile(2), now: 20) == nil)
    #expect(database.statistics.revalidated == 1)
  }

  @Test func aNewAnswerTakesThePlaceOfTheOldOne() throws {
    let database = try folder.open()
    try database.put(tile(1), data(noise(4000), etag: "a", expires: 5), now: 1)
    let bytes = try database.ambientBytes()
    try database.put(tile(1), data([9]), now: 2)
    #expect(try database.get(tile(1), now: 2) == data([9]))
    #expect(try database.ambientBytes() == bytes - 4000)
    try database.put(tile(1), DatabaseResponse(.empty), now: 3)
    #expect(try database.get(tile(1), now: 3) == DatabaseResponse(.empty))
  }

  @Test func picturesAreNotPackedAgain() throws {
    let database = try folder.open()
    let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47] + Array(repeating: 0, count: 1000)
    #expect(try database.put(tile(1), data(png), now: 1) == .stored(bytes: 1004))
    #expect(try database.get(tile(1), now: 1) == data(png))
  }

  @Test func manyAtOnceAreAsMany() throws {
    let database = try folder.open()
    let entries = (0..<200).map { (key: tile($0), response: data([UInt8($0)])) }
    #expect(try database.put(entries, now: 1) == Array(repeating: .stored(bytes: 1), count: 200))
    for (key, response) in entries { #expect(try database.get(key, now: 1) == response) }
    #expect(try database.put([(key: DatabaseKey, response: DatabaseResponse)](), now: 1) == [])
  }

  // MARK: Limits

  @Test func whatIsPastALimitIsRefused() throws {
    let database = try folder.open { $0.maximumBodyBytes = 1000 }
    #expect(try database.put(tile(1), data(noise(1000)), now: 1) == .stored(bytes: 1000))
    expectFailure(.limitExceeded, database.path) { try database.put(tile(1), data(noise(1001)), now: 1) }
    let long = String(repeating: "a", count: DatabaseOptions.maximumTextBytes)
    #expect(try database.put(resource(long), data([1], etag: long), now: 1) == .stored(bytes: 1))
    #expect(try database.get(resource(long), now: 1)?.etag == long)
    expectFailure(.limitExceeded, database.path) { try database.put(resource(long + "a"), data([1]), now: 1) }
    expectFailure(.limitExceeded, database.path) {
      try database.put(tile(2), data([1], etag: long + "a"), now: 1)
    }
    // Nothing of a batch with a fault is stored.
    expectFailure(.limitExceeded, database.path) {
      try database.put([(tile(3), data([1])), (tile(4), data(noise(1001)))], now: 1)
    }
    #expect(try database.get(tile(3), now: 1) == nil)
    #expect(try database.get(tile(1), now: 1) == data(noise(1000)))
  }

  @Test func aClosedDatabaseAnswersWithAnError() throws {
    let database = try folder.open()
    database.close()
    database.close()
    expectFailure(.state, database.path) { _ = try database.get(tile(1), now: 1) }
    expectFailure(.state, database.path) { try database.put(tile(1), data([1]), now: 1) }
  }

  @Test func timesOfAnySizeComeBackWithinYears() throws {
    let database = try folder.open()
    try database.put(tile(1), DatabaseResponse(.data([1]), modified: .min, expires: .max), now: .max)
    let found = try #require(try database.get(tile(1), now: .min))
    #expect(found.modified == 0 && found.expires == 253_402_300_799)
    try database.put(tile(2), data([1]), now: 0)
    #expect(try database.get(tile(2), now: .max) != nil)
    try database.setMaximumAmbientCacheSize(0, now: .max)
  }
}
