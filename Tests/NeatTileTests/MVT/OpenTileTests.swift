import NeatBase
import NeatTile
import Testing

/// Tiles that are opened and not decoded say the same as decoded ones.
@Suite struct OpenTileTests {
  private func open<R>(_ bytes: [UInt8], _ body: (OpenTile) throws -> R) throws -> R {
    try bytes.withUnsafeBufferPointer { try body(try OpenTile(borrowing: $0)) }
  }

  private func property(_ layer: OpenLayer, _ key: String) throws -> [TileValue] {
    // Room for one more than there are: it must stay as it is.
    var values = [TileValue](repeating: .bool(true), count: layer.featureCount + 1)
    var key = key
    try key.withUTF8 { key in
      try values.withUnsafeMutableBufferPointer { try layer.property(key, into: $0.baseAddress!) }
    }
    #expect(values.removeLast().kind == .bool)
    return values
  }

  private func isSame(_ a: TileValue, _ b: TileValue) -> Bool {
    guard a.kind == b.kind else { return false }
    return a.kind == .string || a.kind == .json ? a.bytes.elementsEqual(b.bytes) : a.bits == b.bits
  }

  /// Whether the layer's property is what its decoded columns hold.
  private func isSame(_ open: OpenLayer, _ decoded: TileLayer, _ key: String) throws -> Bool {
    let values = try property(open, key)
    guard let index = decoded.keyIndex(key), values.count == decoded.featureCount else { return false }
    return values.indices.allSatisfy { isSame(values[$0], decoded.value(feature: $0, key: index) ?? .null) }
  }

  private let small = Proto.tile(
    [
      Proto.feature(id: 300, tags: [0, 0, 1, 1], type: 3, geometry: [9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15]),
      Proto.feature(tags: [1, 0, 1, 2, 1, 3, 0, 1, 2, 2, 0, 2], type: 1, geometry: [9, 4, 4]),
      Proto.feature(tags: [2, 1, 0, 200, 2, 0], type: 1, geometry: [9, 4, 4]),
      Proto.feature(type: 1, geometry: [9, 4, 4]),
    ], keys: ["name", "rank", "x"],
    values: [[0x0a, 3, 65, 66, 67], [0x28, 200, 1], [0x19, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]])

  @Test func namesAndCountsAreThoseOfTheTile() throws {
    try open(small) { (tile) throws in
      let layer = tile.layers[0]
      #expect(tile.layers.count == 1 && layer.name == "a" && layer.version == 2 && layer.extent == 4096)
      #expect(layer.featureCount == 4 && layer.keyCount == 3 && layer.valueCount == 3)
      #expect(
        try layer.keys() == ["name", "rank", "x"] && layer.values().count == 3
          && layer.values()[0].text == "ABC")
    }
    try open([]) { #expect($0.layers.isEmpty) }
  }

  @Test func aPropertyIsTheLastTagWithItsKeyWhoseValueExists() throws {
    try open(small) { (tile) throws in
      let layer = tile.layers[0]
      let decoded = try layer.decoded()
      for key in ["name", "rank", "x"] { #expect(try isSame(layer, decoded, key), "\(key)") }
      // Value 3 does not exist: the one before counts. Of the name, the last.
      #expect(try property(layer, "rank").map(\.kind) == [.uint, .double, .null, .null])
      #expect(try property(layer, "name").map(\.kind) == [.string, .double, .null, .null])
      #expect(try property(layer, "nothing").allSatisfy { $0.kind == .null })
      #expect(try property(layer, "").allSatisfy { $0.kind == .null })
    }
  }

  /// Where most values are other features', only those that are met are read; afterwards all are known, and
  /// say the same.
  @Test func aPropertyOfFewFeaturesAmongManyValuesIsTheSame() throws {
    let values: [[UInt8]] = [
      [0x0a, 0], [0x0a, 2, 0xc3, 0xa9], [0x15, 0, 0, 0xc0, 0x3f], [0x19, 0, 0, 0, 0, 0, 0, 0x04, 0xc0],
      [0x28, 0xff, 0xff, 3], [0x20, 5],
      [0x20, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
      [0x28, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], [0x30, 7],
      [0x30, 0xfe, 0xff, 3], [0x38, 1], [0x38, 0], [0x28, 1, 0x28, 2], [0x0a, 1, 65, 0x20, 9], [], [0x40, 1],
    ]
    for value in values.indices {
      let bytes = Proto.tile(
        [Proto.feature(tags: [0, UInt64(value)], type: 1, geometry: [9, 4, 4])], keys: ["k"], values: values)
      try open(bytes) { (tile) throws in
        let layer = tile.layers[0]
        let decoded = try layer.decoded()
        #expect(try isSame(layer, decoded, "k"), "value \(value)")
        _ = try layer.values()
        #expect(try isSame(layer, decoded, "k"), "value \(value), all known")
      }
    }
  }

  @Test func packedTilesAreOpened() throws {
    for packed in [Stored.gzip(small), Stored.zlib(small)] {
      try open(packed) { #expect($0.layers[0].featureCount == 4) }
    }
    try packedCopyOutlivesItsBytes()
  }

  private func packedCopyOutlivesItsBytes() throws {
    var bytes = small
    let tile = try bytes.withUnsafeBufferPointer { try OpenTile(copying: $0) }
    for index in bytes.indices { bytes[index] = 0xff }
    #expect(try property(tile.layers[0], "name")[0].text == "ABC")
  }

  @Test func aBrokenLayerIsToldWhenItIsReadAndTheOthersServe() throws {
    var broken = Proto()
    broken.bytes(1, Array("broken".utf8))
    broken.number(15, 2)
    let bytes =
      small + [0x1a] + Proto.varint(UInt64(broken.bytes.count + 2)) + broken.bytes + [0x12, 9] + small
    try open(bytes) { (tile) throws in
      #expect(tile.layers.map(\.name) == ["a", "broken", "a"])
      for read: (OpenLayer) throws -> Void in [
        { try $0.check() }, { _ = try $0.decoded() }, { _ = try $0.keys() }, { _ = try $0.values() },
        { _ = try property($0, "name") },
      ] {
        #expect { try read(tile.layers[1]) } throws: {
          let error = $0 as? NeatError
          return error?.code == .tile && error?.message.contains("broken") == true && error?.offset != nil
        }
        try read(tile.layers[0])
        try read(tile.layers[2])
      }
      #expect(throws: NeatError.self) { try tile.decoded() }
    }
  }

  @Test func layersWithoutEndAreRefused() throws {
    let bytes = [UInt8](
      repeatElement([0x1a, 0x03, 0x0a, 0x01, 0x61], count: VectorTile.maxLayers + 1).joined())
    let errors = [
      #expect(throws: NeatError.self) { try open(bytes) { $0.layers.count } },
      #expect(throws: NeatError.self) { try decodeMVT(bytes) },
    ]
    #expect(errors.allSatisfy { $0?.code == .limitExceeded })
    #expect(try open(Array(bytes.dropLast(5))) { $0.layers.count } == VectorTile.maxLayers)
  }

  @Test func whatIsNoTileIsRefused() {
    for bytes: [UInt8] in [
      [0x1a, 5, 0], [0xff], [0x03], [0x1a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    ] {
      #expect { try open(bytes) { _ in } } throws: { ($0 as? NeatError)?.code == .tile }
    }
    #expect {
      try small.withUnsafeBufferPointer { try OpenTile(copying: $0, byteLimit: small.count - 1) }
    } throws: { ($0 as? NeatError)?.code == .limitExceeded }
  }

  @Test(.enabled(if: SharedData.isPresent, "needs the shared data")) func realTilesSayTheSameAsDecodedOnes()
    throws
  {
    for name in SharedData.list("data/mvt") {
      let bytes = try #require(SharedData.read("data/mvt/\(name)"))
      if fuzzRounds(20) == 1 && bytes.count > 300_000 { continue }
      let decoded = try decodeMVT(bytes)
      try open(bytes) { (tile) throws in
        #expect(tile.layers.map(\.name) == decoded.layers.map(\.name), "\(name)")
        for (layer, expected) in zip(tile.layers, decoded.layers) {
          #expect(
            layer.featureCount == expected.featureCount && layer.extent == expected.extent
              && layer.version == expected.version
              && layer.valueCount == expected.valueCount, "\(name) \(layer.name)")
          #expect(try layer.keys() == expected.keys)
          for key in expected.keys.prefix(fuzzRounds(200)) {
            #expect(try isSame(layer, expected, key), "\(name) \(layer.name) \(key)")
          }
        }
      }
    }
  }

  @Test func damagedTilesNeverCrashAndSayTheSameAsDecodedOnes() throws {
    var random = TestRandom(23)
    var seeds = [small]
    for name in SharedData.list("conformance/mvt") {
      if let bytes = SharedData.read("conformance/mvt/\(name)/tile.mvt"), bytes.count < 3000 {
        seeds.append(bytes)
      }
    }
    var compared = 0
    for round in 0..<fuzzRounds(60_000) {
      var bytes = seeds[round % seeds.count]
      for _ in 0...round % 3 { damage(&bytes, &random) }
      guard let tile = try? bytes.withUnsafeBufferPointer({ try OpenTile(copying: $0) }) else { continue }
      for layer in tile.layers {
        // With values that are known, and without.
        if round % 2 == 0 { _ = try? layer.values() }
        guard let keys = try? layer.keys(), let key = keys.randomElement(using: &random) else { continue }
        let values = try property(layer, key)
        #expect(values.count == layer.featureCount)
        // Valid tiles only: features that cannot be read are left out of decoded layers, and of two lists of
        // tags another one counts. Keys that are no ASCII may be spelled otherwise than their bytes.
        guard key.utf8.allSatisfy({ $0 < 0x80 }),
          (try? decodeMVT(bytes, options: MVTOptions(isStrict: true))) != nil,
          let decoded = try? layer.decoded()
        else { continue }
        #expect(try isSame(layer, decoded, key))
        compared += 1
      }
    }
    #expect(compared > 100)
  }
}
