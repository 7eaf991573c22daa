import Neatline
import Testing

/// Tiles that are opened and not decoded, through the C functions.
@Suite struct TileOpeningTests {
  /// Layer "a" with two points, whose "n" is 1 and 2; then layer "b", whose feature reaches past its end.
  private let tile: [UInt8] = {
    let first: [UInt8] = [8, 5, 18, 2, 0, 0, 24, 1, 34, 3, 9, 2, 2]
    let second: [UInt8] = [18, 2, 0, 1, 24, 1, 34, 3, 9, 4, 4]
    var layer: [UInt8] = [0x78, 2, 0x0a, 1, 97, 0x12, UInt8(first.count)] + first
    layer += [0x12, UInt8(second.count)] + second
    layer += [0x1a, 1, 110, 0x22, 2, 0x28, 1, 0x22, 2, 0x28, 2]
    return [0x1a, UInt8(layer.count)] + layer + [0x1a, 6, 0x0a, 1, 98, 0x12, 9, 0]
  }()

  @Test func countsAndPropertiesAreReadWithoutDecoding() throws {
    let opened = try Tile(opening: tile, format: .mvt)
    let info = try opened.layerInfo(0)
    #expect(opened.layerCount == 2 && info.name == "a" && info.version == 2 && info.extent == 4096)
    #expect(info.featureCount == 2 && info.keyCount == 1 && info.valueCount == 2)
    let property = try opened.property("n", ofLayer: 0)
    #expect(Array(property) == [.uint64(1), .uint64(2)] && property.number(1) == 2 && property.isPresent(0))
    #expect(try opened.property("m", ofLayer: 0).allSatisfy { $0 == .null })
    let layer = try opened.layer(0)
    #expect(try layer.featureCount == 2 && layer.id(0) == 5 && layer.parts(1) == [[SIMD2(2, 2)]])
    #expect(try layer.properties(1)["n"]?.number == 2)
  }

  @Test func borrowedBytesAndDecodedTilesSayTheSame() throws {
    try tile.withUnsafeBufferPointer { source in
      let opened = try Tile(unsafelyBorrowing: source, format: .mvt)
      #expect(try opened.property("n", ofLayer: 0).number(0) == 1)
    }
    // Decoding leaves the broken layer out.
    let decoded = try Tile(decoding: tile, format: .mvt)
    #expect(try decoded.layerCount == 1 && decoded.layerInfo(0).featureCount == 2)
    #expect(try Array(decoded.property("n", ofLayer: 0)) == [.uint64(1), .uint64(2)])
  }

  @Test func aBrokenLayerFailsWhereItIsRead() throws {
    let opened = try Tile(opening: tile, format: .mvt)
    for read: () throws -> Void in [
      { _ = try opened.layerInfo(1) }, { _ = try opened.layer(1) },
      { _ = try opened.property("n", ofLayer: 1) },
      { _ = try opened.jsonText },
    ] {
      #expect { try read() } throws: { ($0 as? NeatlineError)?.status == .tile }
    }
    #expect { try opened.layerInfo(2) } throws: { ($0 as? NeatlineError)?.status == .invalidArgument }
    #expect { try Tile(opening: [0x1a, 9], format: .mvt) } throws: { ($0 as? NeatlineError)?.status == .tile }
  }

  @Test func whatIsLeftOutIsTold() throws {
    // Layer "c" has three features: one whose geometry begins with a line to, one without a type's geometry, a point.
    let features: [[UInt8]] = [[24, 1, 34, 2, 10, 0], [24, 1, 34, 1, 0x80], [24, 1, 34, 3, 9, 4, 4]]
    let layer = features.reduce([0x78, 2, 0x0a, 1, 99]) { $0 + [0x12, UInt8($1.count)] + $1 }
    let data = tile + [0x1a, UInt8(layer.count)] + layer
    let decoded = try Tile(decoding: data, format: .mvt)
    #expect(try decoded.layers.map(\.name) == ["a", "c"] && decoded.layer(1).featureCount == 1)
    let faults = try decoded.faults()
    #expect(faults.map(\.layer) == ["b", "c"] && faults.map(\.count) == [1, 2])
    #expect(faults.allSatisfy { $0.message.contains($0.layer ?? "?") })
    #expect(faults.compactMap(\.offset).allSatisfy { $0 >= tile.count - 8 && $0 < data.count })
    #expect(try Tile(opening: data, format: .mvt).faults() == faults)
    #expect(try data.withUnsafeBufferPointer { try Tile(unsafelyBorrowing: $0).faults() } == faults)
    // A layer without a name, beside others and alone, and one whose only layer breaks off.
    let nameless: [UInt8] = [0x1a, 2, 0x78, 2]
    for format: Tile.Format in [.auto, .mvt] {
      let alone = try Tile(opening: nameless, format: format).faults()
      #expect(alone.map(\.layer) == [nil])
      #expect(try Tile(decoding: nameless, format: format).faults() == alone)
      #expect(try Tile(opening: data + nameless, format: format).faults().map(\.layer) == ["b", "c", nil])
      let broken = Array(tile.suffix(8))
      #expect { try Tile(opening: broken, format: format).faults() } throws: {
        ($0 as? NeatlineError)?.status == .tile
      }
    }
    let sound = try decoded.encodedMVT()
    #expect(try Tile(decoding: sound, isStrict: true).faults() == [])
    #expect(try Tile(opening: sound).faults() == [] && Tile(opening: []).faults() == [])
  }

  @Test func whatIsNoMapboxTileIsDecodedAsAMapLibreTile() throws {
    // One frame: layer "a" of extent 64 with one point and no properties.
    let mlt: [UInt8] = [19, 1, 1, 97, 64, 1, 4, 2, 0x10, 2, 1, 1, 0, 0x13, 2, 2, 2, 4, 6]
    let frame = [UInt8(mlt.count - 1)] + mlt.dropFirst()
    for format: Tile.Format in [.auto, .mlt] {
      let opened = try Tile(opening: frame, format: format)
      #expect(try opened.layerInfo(0).featureCount == 1 && opened.layer(0).parts(0) == [[SIMD2(2, 3)]])
    }
  }
}
