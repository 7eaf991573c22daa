import NeatBase
import NeatTile
import Testing

@Suite struct MVTDecoderTests {
  @Test func anEmptyTileHasNoLayers() throws {
    #expect(try decodeMVT([]).layers.isEmpty)
    #expect(try decodeMVT([], options: MVTOptions(isStrict: true)).layers.isEmpty)
  }

  @Test func coordinatesOfAllWidthsAreRead() throws {
    var geometry: [UInt64] = []
    var points: [SIMD2<Int32>] = []
    var at = SIMD2<Int32>(0, 0)
    for width in 0..<32 {
      let delta = SIMD2<Int32>(Int32(truncatingIfNeeded: 1 << width), width & 1 == 0 ? -3 : Int32.min)
      at = at &+ delta
      points.append(at)
      geometry += [
        UInt64(UInt32(bitPattern: (delta.x &<< 1) ^ (delta.x &>> 31))),
        UInt64(UInt32(bitPattern: (delta.y &<< 1) ^ (delta.y &>> 31))),
      ]
    }
    let tile = try decodeMVT(Proto.tile([Proto.feature(geometry: [32 << 3 | 1] + geometry)]))
    #expect(parts(tile.layers[0], 0) == [points])
  }

  @Test func idsKeepAll64Bits() throws {
    let tile = try decodeMVT(
      Proto.tile([Proto.feature(id: .max, geometry: [9, 0, 0]), Proto.feature(geometry: [9, 0, 0])]))
    #expect(tile.layers[0].id(0) == .max)
    #expect(tile.layers[0].id(1) == nil)
  }

  @Test func theLastOfARepeatedKeyCounts() throws {
    let tile = try decodeMVT(
      Proto.tile(
        [Proto.feature(tags: [0, 0, 0, 1], geometry: [9, 0, 0])], keys: ["k"],
        values: [[0x28, 1], [0x28, 2]]))
    #expect(tile.layers[0].value(feature: 0, named: "k")?.number == 2)
  }

  @Test func ringsLoseTheirClosingPointAndKeepTheirWinding() throws {
    // A square whose last LineTo returns to the start, then ClosePath.
    let square: [UInt64] = [9, 0, 0, 4 << 3 | 2, 20, 0, 0, 20, 19, 0, 0, 19, 15]
    let tile = try decodeMVT(Proto.tile([Proto.feature(type: 3, geometry: square)]))
    #expect(parts(tile.layers[0], 0) == [[SIMD2(0, 0), SIMD2(10, 0), SIMD2(10, 10), SIMD2(0, 10)]])
  }

  @Test func unknownFieldsAndValueTypesAreSkipped() throws {
    var feature = Proto(bytes: Proto.feature(tags: [0, 0], geometry: [9, 2, 4]))
    feature.number(90, 5)
    feature.bytes(91, [1, 2, 3])
    var tile = Proto(
      bytes: Proto.tile([feature.bytes], keys: ["k"], values: [[0x92, 0x89, 0x02, 0x01, 0x00]]))
    tile.bytes(100, [9, 9])
    let layer = try decodeMVT(tile.bytes).layers[0]
    #expect(layer.featureCount == 1)
    #expect(layer.value(feature: 0, key: 0)?.kind == .null)
  }

  @Test func aBadFeatureIsLeftOutAndTold() throws {
    let good = Proto.feature(id: 7, geometry: [9, 2, 2])
    var faults = MVTFaults()
    let tile = try decodeMVT(
      Proto.tile([good, Proto.feature(type: 2, geometry: [18, 1, 1]), Proto.feature(geometry: [5]), good]),
      options: .init(),
      faults: &faults)
    #expect(tile.layers[0].featureCount == 2)
    #expect(tile.layers[0].id(1) == 7)
    #expect(faults.count == 2)
    #expect(faults.errors[0].message.contains("\"a\""))
    #expect(faults.errors[0].offset != nil)
  }

  @Test func tagsThatLeadNowhereAreLeftOut() throws {
    let features = [
      Proto.feature(tags: [0, 0, 5, 0, 0, 9], geometry: [9, 0, 0]),
      Proto.feature(tags: [0, 0], geometry: [9, 0, 0]),
    ]
    let layer = try decodeMVT(Proto.tile(features, keys: ["k"], values: [[0x0a, 1, 65]])).layers[0]
    #expect(layer.tagStarts[1] == 1 && layer.tagStarts[2] == 2)
    #expect(layer.value(feature: 1, named: "k")?.text == "A")
  }

  @Test func damagedFramingThrowsWithItsPlace() {
    for bytes: [UInt8] in [[0x1a], [0x1a, 5, 1], [0xff], Array("<html>404</html>".utf8), [0x1b, 0]] {
      #expect { try decodeMVT(bytes) } throws: {
        ($0 as? NeatError)?.code == .tile && ($0 as? NeatError)?.offset != nil
      }
    }
  }

  @Test func tilesLargerThanTheLimitAreRefused() throws {
    let tile = Proto.tile([Proto.feature(geometry: [9, 0, 0])])
    _ = try decodeMVT(tile, options: MVTOptions(byteLimit: tile.count))
    #expect { try decodeMVT(tile, options: MVTOptions(byteLimit: tile.count - 1)) } throws: {
      ($0 as? NeatError)?.code == .limitExceeded
    }
  }

  @Test(.enabled(if: SharedData.isPresent)) func realTilesSurviveWritingAndReading() throws {
    for name in SharedData.list("data/mvt") where !name.contains("montevideo") {
      let tile = try decodeMVT(try #require(SharedData.read("data/mvt/\(name)")))
      let again = try decodeMVT(encodeMVT(tile))
      #expect(tile.layers.count == again.layers.count)
      for (a, b) in zip(tile.layers, again.layers) {
        #expect(a.name == b.name && a.keys == b.keys && a.valueCount == b.valueCount && a.extent == b.extent)
        #expect(
          (0..<a.valueCount).allSatisfy {
            a.values[$0].kind == b.values[$0].kind && a.values[$0].number == b.values[$0].number
          })
        if a.featureCount == b.featureCount && a.partCount == b.partCount {
          #expect((0..<a.pointCount).allSatisfy { a.points[$0] == b.points[$0] })
          #expect((0..<a.featureCount).allSatisfy { a.id($0) == b.id($0) && a.types[$0] == b.types[$0] })
        }
      }
    }
  }
}
