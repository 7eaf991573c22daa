import NeatBase
import NeatTile
import Synchronization
import Testing

/// Layers of a tile that nobody asked for when it was decoded.
@Suite struct UnreadLayerTests {
  private func layer(_ name: String, features: Int) -> TileLayer {
    var builder = TileLayerBuilder(name: name, extent: 4096)
    let (key, value) = (builder.key("name"), builder.string("of \(name)"))
    for index in 0..<features {
      builder.beginFeature(.point, id: UInt64(index))
      builder.addTag(key: key, value: value)
      builder.addPoint(SIMD2(Int32(index), 7))
      builder.endPart()
      builder.endFeature()
    }
    return builder.build()
  }

  private func bytes(_ names: String...) -> [UInt8] {
    encodeMVT(VectorTile(layers: names.map { layer($0, features: 3) }))
  }

  private func isRead(_ entry: VectorTile.Entry) -> Bool {
    if case .read = entry { true } else { false }
  }

  private func text(_ layer: TileLayer) -> String? {
    layer.value(feature: 1, named: "name").map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func onlyWhatIsAskedForIsDecoded() throws {
    let tile = try decodeMVT(bytes("a", "b", "c"), options: MVTOptions(layers: ["b", "other"]))
    #expect(tile.entries.map(\.name) == ["a", "b", "c"])
    #expect(tile.entries.map(isRead) == [false, true, false])
  }

  @Test func theRestIsReadWhenItIsAskedFor() throws {
    let source = bytes("a", "b")
    let (whole, tile) = (try decodeMVT(source), try decodeMVT(source, options: MVTOptions(layers: [])))
    for name in ["a", "b"] {
      let (expected, read) = (try #require(try whole.layer(name)), try #require(try tile.layer(name)))
      #expect(read.featureCount == 3 && read.extent == expected.extent)
      #expect(read.points[2] == SIMD2(2, 7))
      #expect(text(read) == "of \(name)" && text(expected) == text(read))
      #expect(try tile.layer(name) === read, "once")
    }
    #expect(try tile.layer("c") == nil)
    #expect(tile.layers.map(\.name) == ["a", "b"])
  }

  @Test func packedTilesNeedNotLive() throws {
    var packed: [UInt8] = Stored.gzip(bytes("a", "b"))
    let tile = try decodeMVT(packed, options: MVTOptions(layers: ["a"]))
    packed = []
    #expect(try tile.layer("b")?.featureCount == 3)
  }

  @Test func whatIsLeftOutComesToLightWhenALayerIsRead() throws {
    // Features that end within a field, one in "x" and two in "y".
    let (x, y): ([UInt8], [UInt8]) = (
      [0x1a, 8, 0x0a, 1, 0x78, 0x12, 1, 0x80, 0x78, 2],
      [0x1a, 11, 0x0a, 1, 0x79, 0x12, 1, 0x80, 0x12, 1, 0x80, 0x78, 2]
    )
    let tile = try decodeMVT(x + y, options: MVTOptions(layers: ["x"]))
    let faults = try #require(tile.faults)
    #expect(!faults.isEmpty && faults.found.map(\.layer) == ["x"])
    for _ in 0..<2 { #expect(try tile.layer("y")?.featureCount == 0) }
    let found = faults.found
    #expect(found.map(\.layer) == ["x", "y"] && found.map(\.count) == [1, 2], "each once")
    #expect(found.map(\.first.offset) == [5, x.count + 5], "bytes of the tile")
    #expect(found.map { $0.first.message.prefix(9) } == ["layer \"x\"", "layer \"y\""])
    #expect(try decodeMVT(bytes("a")).faults == nil)
    #expect(try decodeMVT(bytes("a", "b"), options: MVTOptions(layers: ["a"])).faults?.isEmpty == true)
  }

  @Test func aLayerThatIsCutShortIsNamed() throws {
    // A feature that ends within a field, and one that reaches past the end of the layer.
    let cut: [UInt8] = [0x1a, 8, 0x0a, 1, 0x78, 0x12, 1, 0x80, 0x12, 9]
    for layers in [nil, ["x"], []] as [Set<String>?] {
      let tile = try decodeMVT(bytes("a") + cut, options: MVTOptions(layers: layers))
      let found = try #require(tile.faults).found
      #expect(found.map(\.layer) == ["x"] && found.map(\.count) == [2])
      #expect(found[0].first.message == "layer \"x\": a feature reaches past the end of its layer")
      #expect(tile.entries.map(\.name) == ["a"])
    }
  }

  @Test func faultsThatAreKeptHaveALimit() throws {
    // In the tile's order, whichever is read first.
    let names = (0..<40).map { UInt8(0x41 + $0) }
    let bytes = names.flatMap { [0x1a, 8, 0x0a, 1, $0, 0x12, 1, 0x80, 0x78, 2] as [UInt8] }
    let tile = try decodeMVT(bytes, options: MVTOptions(layers: []))
    for entry in tile.entries.reversed() { _ = try entry.layer() }
    let found = try #require(tile.faults).found
    #expect(found.count == TileFaults.maxLayers)
    #expect(
      found.map(\.layer) == names.prefix(TileFaults.maxLayers).map { String(decoding: [$0], as: UTF8.self) })

    // A layer whose name has 100 bytes.
    let long: [UInt8] =
      [0x1a, 107, 0x0a, 100] + Array(repeating: 0x6c, count: 100) + [0x12, 1, 0x80, 0x78, 2]
    let fault = try #require(try decodeMVT(long).faults?.found.first)
    #expect(fault.layer?.utf8.count == 100 && fault.first.message.utf8.count < 150)
    #expect(fault.first.message.hasPrefix("layer \"\(String(repeating: "l", count: 64))…\": "))
  }

  @Test func aLayerThatCannotBeReadThrows() throws {
    // A layer "x" with a feature that reaches past its end: broken framing is told at once.
    let framing: [UInt8] = [0x1a, 5, 0x0a, 1, 0x78, 0x12, 9]
    #expect(throws: NeatError.self) { try decodeMVT(framing, options: MVTOptions(layers: [])) }
    let attempts = Atomic<Int>(0)
    let tile = VectorTile(entries: [
      .unread(
        UnreadLayer(name: "x", byteCount: 0) { () throws(NeatError) in
          attempts.add(1, ordering: .relaxed)
          throw NeatError(.tile, "broken")
        }),
      .read(layer("a", features: 1)),
    ])
    #expect(tile.entries.map(\.name) == ["x", "a"])
    for _ in 0..<2 {
      let error = #expect(throws: NeatError.self) { try tile.layer("x") }
      #expect(error?.code == .tile && error?.message == "broken")
    }
    #expect(tile.layers.map(\.name) == ["a"])
    #expect(attempts.load(ordering: .relaxed) == 1, "what is broken is not read again")
  }

  @Test func strictReadingDecodesAll() throws {
    let tile = try decodeMVT(bytes("a", "b"), options: MVTOptions(isStrict: true, layers: []))
    #expect(tile.entries.map(isRead) == [true, true])
  }

  @Test func theLastNameCounts() throws {
    let twice: [UInt8] = [0x1a, 8, 0x0a, 1, 0x78, 0x0a, 1, 0x79, 0x78, 2]
    #expect(try decodeMVT(twice).layers.map(\.name) == ["y"])
    let tile = try decodeMVT(twice, options: MVTOptions(layers: ["x"]))
    #expect(tile.entries.map(\.name) == ["y"])
    #expect(try tile.layer("y") != nil && tile.layer("x") == nil)
  }

  @Test func ofTwoLayersOfOneNameTheFirstThatIsThereCounts() throws {
    let tile = VectorTile(entries: [
      .unread(UnreadLayer(name: "a", byteCount: 0) { nil }), .read(layer("a", features: 2)),
      .unread(UnreadLayer(name: "a", byteCount: 0) { layer("a", features: 3) }),
    ])
    #expect(try tile.layer("a")?.featureCount == 2)
  }

  @Test func memoryThatLacksMayBeThereLater() throws {
    let attempts = Atomic<Int>(0)
    let made = layer("a", features: 1)
    let tile = VectorTile(entries: [
      .unread(
        UnreadLayer(name: "a", byteCount: 9) { () throws(NeatError) in
          if attempts.add(1, ordering: .relaxed).newValue == 1 { throw NeatError(.outOfMemory, "not now") }
          return made
        })
    ])
    #expect(tile.byteCount == 9)
    let error = #expect(throws: NeatError.self) { try tile.layer("a") }
    #expect(error?.code == .outOfMemory)
    #expect(try tile.layer("a") === made)
    #expect(try tile.layer("a") === made)
    #expect(attempts.load(ordering: .relaxed) == 2)
  }

  @Test func ofSeveralThreadsOneReads() async {
    let attempts = Atomic<Int>(0)
    let tile = VectorTile(entries: [
      .unread(
        UnreadLayer(name: "a", byteCount: 0) {
          attempts.add(1, ordering: .relaxed)
          return layer("a", features: 1000)
        })
    ])
    let read = await withTaskGroup(of: ObjectIdentifier?.self) { group in
      for _ in 0..<8 { group.addTask { (try? tile.layer("a")).map { ObjectIdentifier($0) } } }
      return await group.reduce(into: Set<ObjectIdentifier?>()) { $0.insert($1) }
    }
    #expect(read.count == 1 && read.first != nil)
    #expect(attempts.load(ordering: .relaxed) == 1)
  }
}
