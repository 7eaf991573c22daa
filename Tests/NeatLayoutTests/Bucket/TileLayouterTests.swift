import NeatBase
import NeatLayout
import NeatStyle
import NeatTile
import Testing

@Suite("Laying out tiles")
struct TileLayouterTests {
  private func buckets(
    _ layers: String, _ tileLayers: [TileLayer], zoom: UInt8 = 4,
    change: (inout LayoutInput) -> Void = { _ in }
  ) throws -> [Int: LayerBucket] {
    var input = LayoutInput(
      style: try makeStyle(layers), source: "s",
      id: OverscaledTileID(canonical: TileID(z: 2, x: 0, y: 0), overscaledZ: zoom))
    change(&input)
    return TileLayouter(input, VectorTile(layers: tileLayers)).geometryBuckets().buckets
  }

  private func circle(_ more: String) -> String {
    #"{"id": "c", "type": "circle", "source": "s", "source-layer": "x"\#(more)}"#
  }

  @Test("A layer has a bucket at the zooms that it is drawn at, from the whole one on")
  func zooms() throws {
    let data = [try makeLayer([.point(1, 1)])]
    let layer = circle(#", "minzoom": 3.5, "maxzoom": 5"#)
    for (zoom, isThere) in [(2, false), (3, true), (4, true), (5, false)] {
      #expect(try buckets(layer, data, zoom: UInt8(zoom)).isEmpty == !isThere, "zoom \(zoom)")
    }
  }

  @Test("Layers of other sources, hidden ones, and those without data have none")
  func others() throws {
    let data = [try makeLayer([.point(1, 1)])]
    #expect(try buckets(circle(#", "layout": {"visibility": "none"}"#), data).isEmpty)
    #expect(try buckets(circle(""), data, change: { $0.source = "t" }).isEmpty)
    #expect(
      try buckets(
        #"{"id": "c", "type": "circle", "source": "s", "source-layer": "y"}"#, data
      ).isEmpty)
    #expect(try buckets(circle(#", "filter": ["has", "k"]"#), data).isEmpty)
  }

  @Test("Buckets are found by the layer's place in the style, each of its type")
  func types() throws {
    let square = TestFeature.polygon([Square(10, 10, 100)])
    let names = ["fill", "line", "circle", "heatmap", "fill-extrusion", "symbol"]
    let layers = names.map { #"{"id": "\#($0)", "type": "\#($0)", "source": "s", "source-layer": "x"}"# }
    let found = try buckets(layers.joined(separator: ","), [try makeLayer([square])])
    guard case .fill? = found[0], case .line? = found[1], case .circle? = found[2], case .circle? = found[3],
      case .extrusion? = found[4]
    else {
      Issue.record("\(found)")
      return
    }
    #expect(found[5] == nil, "symbols wait for their glyphs")
    let layout = TileLayout(id: OverscaledTileID(canonical: TileID(z: 0, x: 0, y: 0)), buckets: found)
    #expect(layout.cost > 256)
  }

  @Test("The one layer of GeoJSON serves layers of any source layer, and of none")
  func geoJSON() throws {
    let data = [try makeLayer([.point(1, 1)], name: TileLayer.geoJSONName)]
    #expect(try buckets(circle(""), data).count == 1)
    #expect(try buckets(#"{"id": "c", "type": "circle", "source": "s"}"#, data).count == 1)
  }

  @Test("Filters and values see the zoom of the tile, the global state and the states of features")
  func surroundings() throws {
    let data = [try makeLayer([.point(1, 1, id: 5), .point(2, 2, id: 6)])]
    let filtered = circle(#", "filter": ["all", ["==", ["zoom"], 6], ["==", ["global-state", "on"], true]]"#)
    #expect(try buckets(filtered, data, zoom: 6).isEmpty)
    #expect(try buckets(filtered, data, zoom: 6) { $0.globalState = ["on": .bool(true)] }.count == 1)
    let hovered = circle(#", "paint": {"circle-radius": ["number", ["feature-state", "r"], 1]}"#)
    let found = try buckets(hovered, data) { $0.featureStates = ["x": ["6": ["r": .number(8)]]] }
    guard case .circle(let bucket)? = found[0], let paints = bucket.circlePaints else {
      Issue.record("no circles")
      return
    }
    #expect(
      paints.radius.resolved(Evaluator(), at: .camera(zoom: 4), layoutZoom: 4).values == [1, 8],
      "a state does not stay for the next feature")
  }

  @Test("Layers whose data cannot be read say why, and others are laid out", arguments: [true, false])
  func unreadable(isForGood: Bool) throws {
    let tile = VectorTile(entries: [
      .unread(
        UnreadLayer(name: "y", byteCount: 0) { () throws(NeatError) in
          throw NeatError(isForGood ? .tile : .outOfMemory, "no")
        }), .read(try makeLayer([.point(1, 1)])),
    ])
    let layers =
      [circle("")]
      + ["d", "e"].map { #"{"id": "\#($0)", "type": "circle", "source": "s", "source-layer": "y"}"# }
    let input = LayoutInput(
      style: try makeStyle(layers.joined(separator: ",")), source: "s",
      id: OverscaledTileID(canonical: TileID(z: 2, x: 0, y: 0)))
    for _ in 0..<2 {
      let (buckets, faults) = TileLayouter(input, tile).geometryBuckets()
      #expect(Set(buckets.keys) == [0] && Set(faults.keys) == [1, 2])
      #expect(faults[1]?.message == "no" && faults[2]?.code == (isForGood ? .tile : .outOfMemory))
    }
  }

  @Test("Layers that draw the same features are a piece, and those of symbols stand alone")
  func pieces() throws {
    let (big, small) = (#"["==", "k", 1]"#, #"["==", "k", 2]"#)
    let layers = [("line", big), ("line", small), ("circle", big), ("symbol", big), ("symbol", small)]
      .enumerated().map { place, layer in
        #"{"id": "\#(place)", "type": "\#(layer.0)", "source": "s", "source-layer": "x", "filter": \#(layer.1)}"#
      }
    let input = LayoutInput(
      style: try makeStyle(layers.joined(separator: ",")), source: "s",
      id: OverscaledTileID(canonical: TileID(z: 2, x: 0, y: 0)))
    let tile = VectorTile(layers: [try makeLayer([.point(1, 1)])])
    var faults: [Int: NeatError] = [:]
    let pieces = TileLayouter(input, tile).pieces(&faults)
    #expect(faults.isEmpty)
    #expect(pieces.map(\.layers) == [[0, 2], [1], [3], [4]])
    #expect(pieces.map(\.isOfSymbols) == [false, false, true, true])
    #expect(pieces[0].weight == 2 && pieces[2].weight > pieces[0].weight)
  }

  @Test("A road and its casing have one mesh, where they turn and end alike")
  func sharedMeshes() throws {
    func layer(_ id: Int, _ layout: String) -> String {
      #"{"id": "\#(id)", "type": "line", "source": "s", "source-layer": "x", "layout": {\#(layout)}}"#
    }
    let layers = [
      #""line-join": "round""#, #""line-join": "round""#, "", #""line-join": ["get", "j"]"#,
      #""line-join": ["get", "j"]"#, #""line-join": "round", "line-sort-key": ["get", "k"]"#,
    ]
    let features = [
      TestFeature.line([SIMD2(0, 0), SIMD2(100, 0)], #"{"k": 2, "j": "round"}"#),
      TestFeature.line([SIMD2(0, 9), SIMD2(90, 9)], #"{"k": 1, "j": "bevel"}"#),
    ]
    let text = layers.enumerated().map { layer($0, $1) }.joined(separator: ",")
    let found = try buckets(text, [try makeLayer(features)])
    let meshes = try (0..<layers.count).map { index in
      guard case .line(let bucket)? = found[index] else { throw NeatError(.tile, "no lines") }
      return bucket.mesh
    }
    #expect(meshes[0] === meshes[1])
    #expect(meshes[2] !== meshes[1], "another join")
    #expect(meshes[3] !== meshes[2] && meshes[4] !== meshes[3], "each feature may turn otherwise")
    #expect(meshes[5] !== meshes[0], "in another order")
  }

  @Test("States are found by id, by a promoted property, or not at all")
  func stateKeys() throws {
    let layer = try makeLayer(
      [
        .point(0, 0, #"{"name": "a", "n": 1.5, "b": true}"#, id: 12), .point(0, 0),
      ])
    #expect(FeatureStateTable.key(layer, 0, promoted: nil) == "12")
    #expect(FeatureStateTable.key(layer, 1, promoted: nil) == nil)
    #expect(FeatureStateTable.key(layer, 0, promoted: "name") == "a")
    #expect(FeatureStateTable.key(layer, 0, promoted: "n") == "1.5")
    #expect(FeatureStateTable.key(layer, 0, promoted: "b") == "true")
    #expect(FeatureStateTable.key(layer, 1, promoted: "name") == nil)
    let table = FeatureStateTable(states: ["a": ["x": .number(1)]], promoted: "name")
    #expect(table.state(layer, 0) == ["x": .number(1)] && table.state(layer, 1) == nil)
  }
}
