import NeatBase
import NeatTile
import Testing

/// Damaged tiles: whatever the bytes, the reader returns or throws, and its columns stay within bounds.
@Suite struct MVTFuzzTests {
  private func walk(_ tile: VectorTile) -> Int {
    var sum = 0
    for layer in tile.layers {
      #expect(layer.partStarts[layer.featureCount] == layer.partCount)
      #expect(layer.pointStarts[layer.partCount] == layer.pointCount)
      for feature in 0..<layer.featureCount {
        for part in parts(layer, feature) { sum += part.count }
        for tag in Int(layer.tagStarts[feature])..<Int(layer.tagStarts[feature + 1]) {
          let pair = layer.tags[tag]
          sum += layer.keys[Int(pair.x)].utf8.count
          if layer.values[Int(pair.y)].kind == .string {
            sum += layer.values[Int(pair.y)].bytes.reduce(0) { $0 + Int($1) }
          }
        }
      }
    }
    return sum
  }

  private var seeds: [[UInt8]] {
    var seeds = [
      Proto.tile(
        [
          Proto.feature(
            id: 300, tags: [0, 0, 1, 1], type: 3, geometry: [9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15]),
          Proto.feature(id: 1 << 40, tags: [1, 0], type: 2, geometry: [9, 400, 6000, 18, 4096, 1, 3, 5]),
          Proto.feature(type: 1, geometry: [25, 1, 1, 2, 2, 3, 3]),
        ], keys: ["name", "rank"],
        values: [[0x0a, 3, 65, 66, 67], [0x28, 200, 1], [0x19, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]])
    ]
    for name in SharedData.list("conformance/mvt") {
      if let bytes = SharedData.read("conformance/mvt/\(name)/tile.mvt"), bytes.count < 5000 {
        seeds.append(bytes)
      }
    }
    return seeds
  }

  @Test func mutatedTilesNeverCrash() {
    var random = TestRandom(7)
    var decoded = 0
    for seed in seeds {
      for round in 0..<60 {
        var bytes = seed
        for _ in 0...(round % 4) where !bytes.isEmpty {
          let at = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
          case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          case 2: bytes.remove(at: at)
          case 3: bytes.insert(contentsOf: [0xff, 0xff, 0xff, 0xff, 0x0f], at: at)
          default: bytes.removeLast(bytes.count - at)
          }
        }
        for isStrict in [false, true] {
          if let tile = try? decodeMVT(bytes, options: MVTOptions(isStrict: isStrict)) {
            decoded += 1
            _ = walk(tile)
          }
        }
      }
    }
    #expect(decoded > 0)
  }

  @Test func everyPrefixOfATileIsReadOrRefused() {
    for seed in seeds.prefix(12) {
      for count in 0...seed.count {
        if let tile = try? decodeMVT(Array(seed[..<count])) { _ = walk(tile) }
      }
    }
  }

  @Test func aHugeCountAsksForNoMemory() throws {
    // Half a billion points in ten bytes, in each command.
    for command: UInt64 in [1, 2] {
      let geometry: [UInt64] = command == 2 ? [9, 0, 0, 0xffff_fffa, 1, 1] : [0xffff_fff9, 1, 1]
      for type: UInt64 in [1, 2, 3] {
        let tile = try decodeMVT(Proto.tile([Proto.feature(type: type, geometry: geometry)]))
        #expect(tile.layers[0].featureCount == 0)
      }
    }
    let closes = try decodeMVT(
      Proto.tile([
        Proto.feature(type: 2, geometry: [9, 0, 0, 10, 2, 2] + [UInt64](repeating: 0x7fff_ffff, count: 999))
      ]))
    #expect(closes.layers[0].pointCount == 3)
  }
}
