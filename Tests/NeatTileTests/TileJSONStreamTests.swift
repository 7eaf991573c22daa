import NeatBase
import NeatJSON
import NeatTile
import Testing

/// GeoJSON of tiles whose features share one long value: little in, much out.
struct TileJSONStreamTests {
  /// A tile of `count` points that share a value of `length` letters.
  private func shared(_ count: Int, length: Int, key: String = "k") throws -> VectorTile {
    let feature = Proto.feature(id: 7, tags: [0, 0], geometry: [9, 2, 2])
    var text = Proto()
    text.bytes(1, [UInt8](repeating: 0x61, count: length))
    return try decodeMVT(
      Proto.tile(Array(repeating: feature, count: count), keys: [key], values: [text.bytes]))
  }

  private func mixed() throws -> VectorTile {
    var number = Proto()
    number.number(4, 5)
    let features = [
      Proto.feature(geometry: [9, 2, 2]),
      Proto.feature(tags: [0, 0], geometry: [17, 2, 2, 4, 4]),
      Proto.feature(tags: [1, 0], type: 2, geometry: [9, 2, 2, 10, 4, 4]),
      Proto.feature(type: 2, geometry: [9, 2, 2, 10, 4, 4, 9, 2, 2, 10, 4, 4]),
      Proto.feature(type: 3, geometry: [9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15]),
      Proto.feature(
        type: 3, geometry: [9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15, 9, 40, 40, 26, 20, 0, 0, 20, 19, 0, 15]),
    ]
    return try decodeMVT(Proto.tile(features, keys: ["a", "layer"], values: [number.bytes]))
  }

  private func pieces(_ stream: consuming TileJSONStream) throws -> [[UInt8]] {
    var result: [[UInt8]] = []
    while let piece = try stream.next() { result.append(piece) }
    return result
  }

  @Test func `pieces of any length are the same text`() throws {
    let tile = try mixed()
    let whole = try TileJSONText.text(tile, TileID(z: 3, x: 1, y: 2))
    for length in [1, 2, 10, 100, 1 << 20] {
      let stream = try TileJSONStream(tile, TileID(z: 3, x: 1, y: 2), .layers, pieceBytes: length)
      #expect(try pieces(stream).flatMap { $0 } == whole)
    }
    let json = try JSON.parse(whole)
    let types = json["a"]?["features"]?.elements.map { $0["geometry"]?["type"]?.string ?? "" }
    #expect(types == ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"])
  }

  @Test func `the geometry of each feature is written at once too`() throws {
    let tile = try mixed()
    let stream = try JSON.parse(try TileJSONText.text(tile, nil))
    for (index, feature) in stream["a"]!["features"]!.elements.enumerated() {
      var writer = JSONWriter()
      TileJSONText.writeGeometry(index, of: tile.layers[0], nil, &writer)
      #expect(writer.text == feature["geometry"]!.text)
    }
  }

  @Test func `a collection names the layer of each feature in the place of a property of that name`() throws {
    let text = try pieces(try TileJSONStream(try mixed(), nil, .collection)).flatMap { $0 }
    let features = Array(try JSON.parse(text)["features"]!.elements)
    #expect(features.count == 6)
    #expect(features.allSatisfy { $0["properties"]?["layer"]?.string == "a" })
    #expect(features[1]["properties"]?["a"]?.number == 5)
  }

  @Test func `a piece is longer than its length by one value at most`() throws {
    let found = try pieces(try TileJSONStream(try shared(5000, length: 1000), nil, .layers))
    #expect(found.count > 50)
    #expect(found.allSatisfy { $0.count < TileJSONStream.pieceBytes + 1200 })
  }

  @Test func `pieces end within features of many points`() throws {
    let points = 100_000
    let geometry: [UInt64] = [UInt64(points << 3 | 1)] + Array(repeating: 2, count: 2 * points)
    let tile = try decodeMVT(Proto.tile([Proto.feature(geometry: geometry)]))
    let found = try pieces(try TileJSONStream(tile, nil, .layers))
    #expect(found.allSatisfy { $0.count < TileJSONStream.pieceBytes + 16 << 10 })
    let json = try JSON.parse(found.flatMap { $0 })
    #expect(json["a"]?["features"]?[0]?["geometry"]?["coordinates"]?.count == points)
  }

  @Test func `a text at its limit is whole, and one byte past it fails`() throws {
    let tile = try shared(100, length: 50)
    let length = try TileJSONText.text(tile, nil).count
    #expect(try TileJSONText.text(tile, nil, limit: length).count == length)
    #expect(throws: NeatError.self) { try TileJSONText.text(tile, nil, limit: length - 1) }
    #expect(try pieces(try TileJSONStream(tile, nil, .layers, limit: length, pieceBytes: 64)).count > 10)
    var stream = try TileJSONStream(tile, nil, .layers, limit: length - 1, pieceBytes: 64)
    do {
      while try stream.next() != nil {}
      Issue.record("the text has no limit")
    } catch { #expect(error.code == .limitExceeded) }
    // It stays so.
    #expect(throws: NeatError.self) { try stream.next() }
  }

  @Test func `long shared values and keys fail before anything is written`() throws {
    for tile in [
      try shared(200_000, length: 25_000),
      try shared(200_000, length: 1, key: String(repeating: "k", count: 25_000)),
    ] {
      do {
        _ = try TileJSONText.text(tile, nil)
        Issue.record("5 GB of text")
      } catch { #expect(error.code == .limitExceeded) }
    }
  }
}
