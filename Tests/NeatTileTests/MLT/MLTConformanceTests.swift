import NeatBase
import NeatJSON
import NeatTile
import Testing

/// The fixtures of maplibre-tile-spec: synthetic tiles with the GeoJSON that they decode to, and real tiles
/// beside their MVT originals.
@Suite struct MLTConformanceTests {
  @Test(.enabled(if: SharedData.isPresent)) func syntheticTilesDecodeToTheirJSON() throws {
    var count = 0
    for folder in ["0x01", "0x01-rust", "0x02"] {
      for file in SharedData.list("conformance/mlt/synthetic/\(folder)") where file.hasSuffix(".mlt") {
        let name = "\(folder)/\(file.dropLast(4))"
        let bytes = try #require(SharedData.read("conformance/mlt/synthetic/\(name).mlt"))
        let expected = try JSON.parse(try #require(SharedData.read("conformance/mlt/synthetic/\(name).json")))
        do {
          compare(try decodeMLT(bytes), expected, name)
        } catch {
          Issue.record("\(name): \(error)")
        }
        count += 1
      }
    }
    #expect(count == 528)
  }

  private func compare(_ tile: VectorTile, _ expected: JSON, _ name: String) {
    let features = expected["features"].map { Array($0.elements) } ?? []
    var index = 0
    for layer in tile.layers {
      for feature in 0..<layer.featureCount {
        guard index < features.count else {
          Issue.record("\(name): more features than expected")
          return
        }
        compare(layer, feature, features[index], name)
        index += 1
      }
    }
    #expect(index == features.count, "\(name)")
  }

  private func compare(_ layer: TileLayer, _ feature: Int, _ json: JSON, _ name: String) {
    // The largest ids are rounded where JSON is read.
    #expect(layer.id(feature).map { Double($0) } == json["id"]?.number, "\(name): id")
    var seen = 2
    for (key, value) in json["properties"].map({ Array($0.members) }) ?? [] {
      if key == "_layer" {
        #expect(layer.name == value.string, "\(name)")
      } else if key == "_extent" {
        #expect(Double(layer.extent) == value.number, "\(name)")
      } else if value.isNull {
        #expect(layer.value(feature: feature, named: key) == nil, "\(name): \(key)")
      } else {
        seen += 1
        let found = layer.value(feature: feature, named: key)
        #expect(found.map { isEqual($0, value) } == true, "\(name): \(key) is \(value.text)")
      }
    }
    #expect(
      Int(layer.tagStarts[feature + 1] - layer.tagStarts[feature]) == seen - 2,
      "\(name): number of properties")
    let geometry = json["geometry"]
    let type = geometry?["type"]?.string ?? ""
    let coordinates = geometry?["coordinates"]
    let found = parts(layer, feature)
    switch type {
    case "Point": #expect(found == [[point(coordinates)]], "\(name)")
    case "MultiPoint", "LineString": #expect(found == [points(coordinates)], "\(name)")
    case "MultiLineString": #expect(found == (coordinates?.elements.map { points($0) } ?? []), "\(name)")
    case "Polygon": compareRings(found, coordinates.map { Array($0.elements) } ?? [], name)
    default: compareRings(found, coordinates?.elements.flatMap { Array($0.elements) } ?? [], name)
    }
    let expectedType: GeometryType =
      type.hasSuffix("Point") ? .point : type.hasSuffix("LineString") ? .line : .polygon
    #expect(layer.geometryType(feature) == expectedType, "\(name)")
  }

  /// Rings may have been turned round.
  private func compareRings(_ found: [[SIMD2<Int32>]], _ expected: [JSON], _ name: String) {
    #expect(found.count == expected.count, "\(name)")
    for (ring, json) in zip(found, expected) {
      let wanted = Array(points(json).dropLast())
      let turned = wanted.isEmpty ? [] : [wanted[0]] + wanted.dropFirst().reversed()
      #expect(ring == wanted || ring == turned, "\(name)")
    }
  }

  private func point(_ json: JSON?) -> SIMD2<Int32> {
    SIMD2(Int32(saturating: json?[0]?.number ?? .nan), Int32(saturating: json?[1]?.number ?? .nan))
  }

  private func points(_ json: JSON?) -> [SIMD2<Int32>] { json?.elements.map { point($0) } ?? [] }

  private func isEqual(_ value: TileValue, _ json: JSON) -> Bool {
    switch value.kind {
    case .string: return json.string == value.text
    case .bool: return json.bool == value.boolValue
    case .int: return json.text == String(value.intValue) || json.number == value.number
    case .uint: return json.text == String(value.bits) || json.number == value.number
    case .double:
      let number = value.doubleValue
      switch json.string {
      case "f32::NAN", "f64::NAN": return number.isNaN
      case "f32::INFINITY", "f64::INFINITY": return number == .infinity
      case "f32::NEG_INFINITY", "f64::NEG_INFINITY": return number == -.infinity
      default: return json.number.map { $0 == number || Float($0) == Float(number) } ?? false
      }
    case .json: return (try? JSON.parse(value.text)).map { isEqual($0, json) } ?? false
    default: return false
    }
  }

  /// Nested properties are JSON, in which numbers that it does not have are null.
  private func isEqual(_ found: JSON, _ wanted: JSON) -> Bool {
    switch found.kind {
    case .array:
      return wanted.isArray && found.count == wanted.count
        && zip(found.elements, wanted.elements).allSatisfy { isEqual($0, $1) }
    case .object:
      return wanted.isObject && found.count == wanted.count
        && wanted.members.allSatisfy { member in found[member.key].map { isEqual($0, member.value) } ?? false
        }
    case .number: return found.number == wanted.number
    case .string: return found.string == wanted.string
    case .bool: return found.bool == wanted.bool
    case .null: return wanted.string.map { $0.hasPrefix("f32::") || $0.hasPrefix("f64::") } ?? false
    }
  }

  @Test(.enabled(if: SharedData.isPresent)) func realTilesEqualTheirOriginals() throws {
    for folder in ["bing", "simple"] {
      for file in SharedData.list("conformance/mlt/expected/tag0x01/\(folder)") where file.hasSuffix(".mlt") {
        let name = file.dropLast(4)
        let mlt = try decodeMLT(
          try #require(SharedData.read("conformance/mlt/expected/tag0x01/\(folder)/\(file)")))
        let mvt = try decodeMVT(
          try #require(SharedData.read("conformance/mlt/fixtures/\(folder)/\(name).mvt")))
        let originals = mvt.layers.filter { $0.featureCount > 0 }
        #expect(mlt.layers.map(\.name).sorted() == originals.map(\.name).sorted(), "\(name)")
        for a in mlt.layers {
          let b = try #require(originals.first { $0.name == a.name })
          #expect(
            a.featureCount == b.featureCount && a.partCount == b.partCount && a.pointCount == b.pointCount
              && a.extent == b.extent,
            "\(name) \(a.name)")
          // Features may have been sorted: what they hold together must be the same.
          #expect(summary(a) == summary(b), "\(name) \(a.name)")
        }
      }
    }
  }

  private func summary(_ layer: TileLayer) -> [String] {
    (0..<layer.featureCount).map { feature in
      var text = "\(layer.types[feature])"
      for part in parts(layer, feature) {
        text += " " + part.map { "\($0.x),\($0.y)" }.sorted().joined(separator: " ")
      }
      var tags: [String: String] = [:]
      for tag in Int(layer.tagStarts[feature])..<Int(layer.tagStarts[feature + 1]) {
        let value = layer.values[Int(layer.tags[tag].y)]
        tags[layer.keys[Int(layer.tags[tag].x)]] =
          value.kind == .string
          ? value.text
          : value.kind == .bool ? "\(value.boolValue)" : value.number.map { "\(Float($0))" } ?? ""
      }
      return text + tags.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    }.sorted()
  }

  @Test(.enabled(if: SharedData.isPresent)) func mutatedTilesNeverCrash() throws {
    var random = TestRandom(11)
    let names = ["0x01", "0x02"].flatMap { folder in
      SharedData.list("conformance/mlt/synthetic/\(folder)").filter { $0.hasSuffix(".mlt") }.map {
        "\(folder)/\($0)"
      }
    }
    for name in names {
      let seed = try #require(SharedData.read("conformance/mlt/synthetic/\(name)"))
      for round in 0..<(name.hasPrefix("0x02") ? 500 : 25) {
        var bytes = seed
        for _ in 0...round % 3 {
          let at = Int.random(in: 0..<bytes.count, using: &random)
          if round % 5 == 4 {
            bytes.removeLast(bytes.count - at - 1)
          } else {
            bytes[at] = UInt8.random(in: 0...255, using: &random)
          }
          if bytes.isEmpty { break }
        }
        if let tile = try? decodeMLT(bytes) {
          for layer in tile.layers {
            for feature in 0..<layer.featureCount {
              _ = parts(layer, feature).count
              for tag in Int(layer.tagStarts[feature])..<Int(layer.tagStarts[feature + 1]) {
                _ = layer.keys[Int(layer.tags[tag].x)].count + layer.values[Int(layer.tags[tag].y)].text.count
              }
            }
          }
        }
      }
    }
  }

  @Test func runsThatStandForTooMuchAreRefused() throws {
    // A layer of one geometry column whose types are one run of 2^31 - 1 points.
    var body: [UInt8] = [1, 65, 32, 1, 4, 1]
    body += [0x10, 0b0110_0010, 2, 6, 1] + Proto.varint(0x7fff_ffff) + Proto.varint(0x7fff_ffff) + [0]
    let tile = Proto.varint(UInt64(body.count + 1)) + [1] + body
    #expect { try decodeMLT(tile) } throws: { ($0 as? NeatError)?.code == .limitExceeded }
  }

  @Test func otherFramesArePassedOver() throws {
    #expect(try decodeMLT([3, 0x7f, 1, 2]).layers.isEmpty)
    #expect(try decodeMLT([]).layers.isEmpty)
    for bytes: [UInt8] in [[0], [5, 1], [2, 1, 0], [3, 1, 1, 65]] {
      #expect { try decodeMLT(bytes) } throws: { ($0 as? NeatError)?.code == .tile }
    }
  }
}
