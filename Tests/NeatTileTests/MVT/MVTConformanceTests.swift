import NeatBase
import NeatJSON
import NeatTile
import Testing

/// The 74 tiles of mapbox/mvt-fixtures. A strict read must accept what is valid for version 2 and throw for
/// the rest; what it accepts must equal tile.json. A lenient read never crashes and keeps what a map can use.
@Suite struct MVTConformanceTests {
  /// Cases whose bytes equal those of a case that must be refused: no reader can tell them apart.
  static let contradictions: Set<String> = [
    "016",  // no geometry type, as 003
    "057",  // MoveTo asks for half a billion points, as 051
  ]

  @Test(.enabled(if: SharedData.isPresent)) func everyCaseIsJudgedAsItsInfoSays() throws {
    let cases = SharedData.list("conformance/mvt")
    #expect(cases.count == 74)
    var matches = 0
    for name in cases {
      let bytes = try #require(SharedData.read("conformance/mvt/\(name)/tile.mvt"))
      let info = try JSON.parse(try #require(SharedData.read("conformance/mvt/\(name)/info.json")))
      let isValid = info["validity"]?["v2"]?.bool == true
      let tile = try? decodeMVT(bytes, options: MVTOptions(isStrict: true))
      if MVTConformanceTests.contradictions.contains(name) {
        #expect(tile == nil, "\(name)")
        continue
      }
      #expect((tile != nil) == isValid, "\(name): \(info["description"]?.string ?? "")")
      if let tile, isValid {
        let expected = try JSON.parse(try #require(SharedData.read("conformance/mvt/\(name)/tile.json")))
        compare(tile, expected, name)
        let again = try decodeMVT(encodeMVT(tile), options: MVTOptions(isStrict: true))
        if tile.layers.allSatisfy({ layer in (0..<layer.featureCount).allSatisfy { layer.types[$0] != 0 } }) {
          compare(again, expected, name + " written and read again")
        }
      }
      if (tile != nil) == isValid { matches += 1 }
    }
    #expect(matches == 72)
  }

  @Test(.enabled(if: SharedData.isPresent)) func aLenientReadKeepsWhatAMapCanUse() throws {
    /// Features kept of tiles that a strict read refuses, by case; nil: the tile throws.
    let kept: [(String, Int)] = [
      ("003", 1), ("004", 0), ("005", 1), ("006", 1), ("007", 1), ("008", 1), ("010", 1), ("011", 1),
      ("012", 1), ("013", 1), ("014", 0),
      ("015", 2), ("023", 0), ("024", 1), ("026", 1), ("030", 1), ("040", 1), ("041", 1), ("042", 1),
      ("044", 0), ("045", 0), ("046", 1),
      ("047", 1), ("048", 1), ("051", 0), ("052", 0), ("058", 0), ("061", 1), ("016", 1), ("057", 0),
    ]
    for (name, count) in kept {
      let bytes = try #require(SharedData.read("conformance/mvt/\(name)/tile.mvt"))
      var faults = MVTFaults()
      let tile = try decodeMVT(bytes, options: .init(), faults: &faults)
      #expect(tile.layers.reduce(0) { $0 + $1.featureCount } == count, "\(name)")
      if count == 0 { #expect(faults.count > 0, "\(name)") }
    }
  }

  private func compare(_ tile: VectorTile, _ expected: JSON, _ name: String) {
    let layers = expected["layers"].map { Array($0.elements) } ?? []
    #expect(tile.layers.count == layers.count, "\(name)")
    for (layer, json) in zip(tile.layers, layers) {
      #expect(layer.name == json["name"]?.string, "\(name)")
      #expect(Double(layer.extent) == json["extent"]?.number ?? 4096, "\(name)")
      #expect(layer.keys == json["keys"]?.elements.map { $0.string ?? "?" } ?? [], "\(name)")
      let values = json["values"].map { Array($0.elements) } ?? []
      #expect(layer.valueCount == values.count, "\(name)")
      for (index, value) in values.enumerated() where index < layer.valueCount {
        #expect(isEqual(layer.values[index], value), "\(name): value \(index) \(value.text)")
      }
      let features = json["features"].map { Array($0.elements) } ?? []
      #expect(layer.featureCount == features.count, "\(name)")
      for (index, feature) in features.enumerated() where index < layer.featureCount {
        compare(layer, index, feature, name)
      }
    }
  }

  private func compare(_ layer: TileLayer, _ index: Int, _ json: JSON, _ name: String) {
    #expect(layer.id(index).map { Double($0) } == json["id"]?.number, "\(name): id")
    #expect(Double(layer.types[index]) == json["type"]?.number ?? 0, "\(name): type")
    let tags = (Int(layer.tagStarts[index])..<Int(layer.tagStarts[index + 1])).flatMap {
      [layer.tags[$0].x, layer.tags[$0].y]
    }
    #expect(tags.map { Double($0) } == json["tags"]?.elements.map { $0.number ?? -1 } ?? [], "\(name): tags")
    let geometry =
      json["geometry"]?.elements.map { UInt32(truncatingIfNeeded: Int64(saturating: $0.number ?? -1)) } ?? []
    #expect(commands(layer, index) == geometry, "\(name): geometry")
  }

  private func commands(_ layer: TileLayer, _ index: Int) -> [UInt32] {
    var out: [UInt32] = []
    var last = SIMD2<Int32>(0, 0)
    func add(_ point: SIMD2<Int32>) {
      let delta = point &- last
      last = point
      out += [
        UInt32(bitPattern: (delta.x &<< 1) ^ (delta.x &>> 31)),
        UInt32(bitPattern: (delta.y &<< 1) ^ (delta.y &>> 31)),
      ]
    }
    let type = layer.geometryType(index)
    for part in parts(layer, index) {
      let moves = type == .point ? part.count : 1
      out.append(UInt32(moves) << 3 | 1)
      part[..<moves].forEach(add)
      if part.count > moves { out.append(UInt32(part.count - moves) << 3 | 2) }
      part[moves...].forEach(add)
      if type == .polygon { out.append(15) }
    }
    return out
  }

  private func isEqual(_ value: TileValue, _ json: JSON) -> Bool {
    guard let (key, expected) = json.members.first(where: { _ in true }) else { return value.kind == .null }
    switch value.kind {
    // One fixture has a number where its own description promises text.
    case .string: return key == "string_value" && (expected.string ?? expected.text) == value.text
    case .bool: return key == "bool_value" && expected.bool == value.boolValue
    case .double: return expected.number.map { abs($0 - value.doubleValue) <= abs($0) * 1e-6 } ?? false
    case .int, .uint: return expected.number == value.number
    default: return false
    }
  }
}
