import NeatBase
import NeatJSON
import NeatLayout
import NeatPlacement
import NeatStyle
import NeatText
import NeatTile
import Testing

/// A store in which every ASCII letter is a 10 by 14 box with an advance of 12.
func boxGlyphs() throws -> GlyphStore {
  let store = GlyphStore()
  for stack in [store.fontStack("Open Sans Regular,Arial Unicode MS Regular"), store.fontStack("")] {
    for code in UInt32(33)...126 {
      try store.insert(
        codepoint: code, fontStack: stack,
        metrics: GlyphMetrics(width: 10, height: 14, left: 1, top: -8, advance: 12),
        bitmap: [UInt8](repeating: 200, count: 16 * 20))
    }
    try store.insert(
      codepoint: 32, fontStack: stack, metrics: GlyphMetrics(width: 0, height: 0, left: 0, top: 0, advance: 6)
    )
    store.markMissing(range: 0, fontStack: stack)
  }
  return store
}

func symbolLayer(_ properties: String) throws -> StyleLayer {
  let text = """
    {"version": 8, "sources": {"s": {"type": "vector", "tiles": []}}, "layers": [{"id": "l", "type": "symbol", "source": "s",
    "source-layer": "x", \(properties)}]}
    """
  let style = try Style(json: JSON.parse(text))
  return try #require(style.layers.first)
}

func tileLayer(_ type: GeometryType, _ features: [[[SIMD2<Int32>]]], extent: UInt32 = 4096) -> TileLayer {
  var builder = TileLayerBuilder(name: "x", extent: extent)
  for parts in features {
    builder.beginFeature(type)
    for part in parts {
      for point in part { builder.addPoint(point) }
      builder.endPart()
    }
    builder.endFeature()
  }
  return builder.build()
}

func flatTile(_ id: TileID = TileID(z: 0, x: 0, y: 0), zoom: Double = 0, origin: SIMD2<Double> = .zero)
  -> PlacementTile
{
  let scale = 512.0 / 8192, d = 600.0
  return PlacementTile(
    id: OverscaledTileID(canonical: id),
    matrix: TileMatrix(
      SIMD4(scale * d, 0, 0, 0), SIMD4(0, scale * d, 0, 0), SIMD4(0, 0, 1, 0),
      SIMD4(origin.x * d, origin.y * d, 0, d)))
}

@Suite struct SymbolLayoutTests {
  private let evaluator = Evaluator()
  private let view = PlacementView(width: 512, height: 512, zoom: 0, cameraToCenterDistance: 600)

  private func bucket(
    _ layer: StyleLayer, _ data: TileLayer, id: TileID = TileID(z: 0, x: 0, y: 0),
    images: [String: ImagePosition] = [:]
  ) throws -> SymbolBucket {
    let store = try boxGlyphs()
    let request = SymbolLayoutRequest(
      layer: layer, tileLayer: data, tile: OverscaledTileID(canonical: id), store: store, evaluator: evaluator
    )
    return request.layout(images: images, store: store, evaluator: evaluator)
  }

  private func frame(_ bucket: SymbolBucket, view: PlacementView? = nil) -> SymbolFrame {
    let view = view ?? self.view
    let tile = flatTile()
    let states = Placement(view: view).place(
      bucket.layout.settings,
      [bucket.placementBucket(matrix: tile.matrix, zoom: view.zoom, evaluator: evaluator)])
    let placed = SymbolFrameTile(bucket: bucket, states: states[0], tile: tile, layer: bucket.layer)
    return SymbolFrame(tiles: [placed], view: view, evaluator: evaluator)
  }

  @Test func aPointLabelStandsAroundItsPoint() throws {
    let layer = try symbolLayer(
      #""layout": {"text-field": "Abc", "text-size": 24}, "paint": {"text-color": "red", "text-halo-width": 2}"#
    )
    let frame = frame(try bucket(layer, tileLayer(.point, [[[SIMD2(2048, 2048)]]])))
    try #require(frame.glyphs.count == 3)
    #expect(frame.textRuns.count == 1 && frame.textRuns[0].glyphs == 0..<3)
    let ink = frame.inks[Int(frame.glyphs[0].ink)]
    #expect(ink.fill == Color(r: 1, g: 0, b: 0, a: 1) && ink.haloWidth == 2)
    #expect(frame.glyphs[0].fontScale == 1)
    // Advances of 12: the middle glyph's box is 10 wide from 1, with a border of 4 around: 18 by 22 around x
    // 256.
    let quad = frame.glyphs[1].quad
    #expect(abs(quad.topLeft.x - (256 - 6 + 1 - 4)) < 0.1)
    #expect(
      abs(quad.topRight.x - quad.topLeft.x - 18) < 0.1 && abs(quad.bottomLeft.y - quad.topLeft.y - 22) < 0.1)
  }

  @Test func pixelRatioScalesTheQuads() throws {
    let layer = try symbolLayer(#""layout": {"text-field": "A", "text-size": 24}"#)
    var large = view
    large.pixelRatio = 2
    let bucket = try bucket(layer, tileLayer(.point, [[[SIMD2(2048, 2048)]]]))
    let one = try #require(frame(bucket).glyphs.first?.quad),
      two = try #require(frame(bucket, view: large).glyphs.first?.quad)
    #expect(two.topLeft == one.topLeft * 2 && two.bottomRight == one.bottomRight * 2)
  }

  @Test func labelsInATilesBufferBelongToTheNeighbour() throws {
    let layer = try symbolLayer(#""layout": {"text-field": "A"}"#)
    let data = tileLayer(
      .point, [[[SIMD2(-5, 100)]], [[SIMD2(0, 100)]], [[SIMD2(4095, 300)]], [[SIMD2(4096, 300)]]])
    #expect(try bucket(layer, data).geometry.instances.map(\.feature) == [1, 2])
  }

  @Test func aLabelAtTheEdgeOfTwoTilesShowsOnce() throws {
    // The same place in both tiles' data: x = 4096 of the left one is x = 0 of the right one.
    let layer = try symbolLayer(#""layout": {"text-field": "A"}"#)
    let left = try bucket(layer, tileLayer(.point, [[[SIMD2(4096, 100)]]]), id: TileID(z: 1, x: 0, y: 0))
    let right = try bucket(layer, tileLayer(.point, [[[SIMD2(0, 100)]]]), id: TileID(z: 1, x: 1, y: 0))
    #expect(left.geometry.instances.count + right.geometry.instances.count == 1)
  }

  @Test func aRoadNameFollowsTheRoad() throws {
    let layer = try symbolLayer(
      #""layout": {"text-field": "Road", "text-size": 24, "symbol-placement": "line"}"#)
    let bucket = try bucket(layer, tileLayer(.line, [[[SIMD2(500, 500), SIMD2(500, 3500)]]]))
    #expect(!bucket.geometry.instances.isEmpty)
    let frame = frame(bucket)
    try #require(frame.glyphs.count == 4 * bucket.geometry.instances.count)
    // The road runs down: the label's letters come one below the other and are turned by 90°.
    let first = frame.glyphs[0].quad, second = frame.glyphs[1].quad
    #expect(
      abs(second.topLeft.y - first.topLeft.y - 12) < 0.1 && abs(second.topLeft.x - first.topLeft.x) < 0.1)
    #expect(abs(first.topRight.x - first.topLeft.x) < 0.1)
  }

  @Test func piecesOfARoadAreLabelledAsOne() throws {
    let layer = try symbolLayer(
      #""layout": {"text-field": "Road", "text-size": 24, "symbol-placement": "line-center"}"#)
    let line = try symbolLayer(
      #""layout": {"text-field": "Road", "text-size": 24, "symbol-placement": "line"}"#)
    let data = tileLayer(
      .line, [[[SIMD2(1000, 500), SIMD2(1200, 500)]], [[SIMD2(1200, 500), SIMD2(1400, 500)]]])
    #expect(try bucket(layer, data).geometry.instances.isEmpty == true, "48 px of text do not fit on 25 px")
    #expect(try bucket(line, data).geometry.instances.count == 1)
  }

  @Test func anIconIsDrawnWithItsText() throws {
    let layer = try symbolLayer(
      #""layout": {"icon-image": "dot", "icon-size": 2, "text-field": "A", "text-anchor": "top"}"#)
    let image = ImagePosition(id: 7, paddedWidth: 12, paddedHeight: 12)
    let bucket = try bucket(layer, tileLayer(.point, [[[SIMD2(2048, 2048)]]]), images: ["dot": image])
    let frame = frame(bucket)
    try #require(frame.icons.count == 1 && frame.glyphs.count == 1)
    #expect(
      frame.icons[0].image == 7 && frame.icons[0].texture == SIMD4(-1, -1, 11, 11) && frame.icons[0].isSmooth)
    #expect(
      frame.icons[0].quad.topLeft == SIMD2(256 - 12, 256 - 12)
        && frame.icons[0].quad.bottomRight == SIMD2(256 + 12, 256 + 12))
    #expect(
      bucket.geometry.boxes[Int(bucket.geometry.instances[0].iconBox)] == CollisionRect(-12, -12, 12, 12),
      "10 px twice and a padding of 2")
  }

  @Test func aMissingImageLeavesTheText() throws {
    let layer = try symbolLayer(#""layout": {"icon-image": "gone", "text-field": "A"}"#)
    let frame = frame(try bucket(layer, tileLayer(.point, [[[SIMD2(2048, 2048)]]])))
    #expect(frame.icons.isEmpty && frame.glyphs.count == 1)
  }

  @Test func variableAnchorsMoveTheLabelAside() throws {
    let layer = try symbolLayer(
      #""layout": {"text-field": "AAAA", "text-size": 24, "text-variable-anchor": ["left", "right"]}"#)
    let bucket = try bucket(layer, tileLayer(.point, [[[SIMD2(2048, 2048)]], [[SIMD2(1920, 2048)]]]))
    let frame = frame(bucket)
    try #require(frame.glyphs.count == 8)
    #expect(frame.glyphs[0].quad.topLeft.x > 250, "the first label hangs to the right of its point")
    #expect(
      frame.glyphs[7].quad.topRight.x < 245, "the second one finds no room there, and hangs to the left")
    #expect(bucket.geometry.anchorOffsets.count == 4)
  }

  @Test func polygonsAreLabelledInTheirMiddle() throws {
    let layer = try symbolLayer(#""layout": {"text-field": "A"}"#)
    let square: [SIMD2<Int32>] = [SIMD2(1000, 1000), SIMD2(2000, 1000), SIMD2(2000, 2000), SIMD2(1000, 2000)]
    let anchor = try #require(
      try bucket(layer, tileLayer(.polygon, [[square]])).geometry.instances.first?.anchor)
    #expect(abs(anchor.x - 3000) < 40 && abs(anchor.y - 3000) < 40)
  }

  @Test func theRequestNamesWhatItNeeds() throws {
    let layer = try symbolLayer(
      #""layout": {"icon-image": "dot", "text-field": "A\u0416", "text-font": ["Some Font"]}"#)
    let store = GlyphStore()
    let request = SymbolLayoutRequest(
      layer: layer, tileLayer: tileLayer(.point, [[[SIMD2(1, 1)]]]),
      tile: OverscaledTileID(canonical: TileID(z: 0, x: 0, y: 0)),
      store: store,
      evaluator: evaluator)
    #expect(request.needs.images == ["dot"])
    #expect(request.needs.ranges == [store.fontStack("Some Font"): [0, 4]])
    let bucket = request.layout(images: [:], store: store, evaluator: evaluator)
    #expect(frame(bucket).isEmpty)
  }

  @Test func aFittedIconWithoutItsTextIsNotSeen() throws {
    let image = ImagePosition(id: 7, paddedWidth: 12, paddedHeight: 12)
    let fit =
      #""layout": {"icon-image": "dot", "icon-text-fit": "both", "text-field": "", "text-variable-anchor": ["left"]}"#
    let plain = #""layout": {"icon-image": "dot", "icon-text-fit": "both", "text-field": ""}"#
    let data = tileLayer(.point, [[[SIMD2(2048, 2048)]]])
    #expect(frame(try bucket(try symbolLayer(fit), data, images: ["dot": image])).icons.isEmpty)
    #expect(frame(try bucket(try symbolLayer(plain), data, images: ["dot": image])).icons.count == 1)
  }

  @Test func aSizeThatIsNoNumberIsTheDefault() throws {
    let layer = try symbolLayer(#""layout": {"text-field": "A", "text-size": ["sqrt", -1]}"#)
    let frame = frame(try bucket(layer, tileLayer(.point, [[[SIMD2(2048, 2048)]]])))
    #expect(frame.glyphs.first?.fontScale == 16.0 / 24)
  }

  @Test func sectionsKeepTheirColours() throws {
    let layer = try symbolLayer(
      #""layout": {"text-field": ["format", "A", {"text-color": "red"}, "B", {}], "text-size": 24}"#)
    let frame = frame(try bucket(layer, tileLayer(.point, [[[SIMD2(2048, 2048)]]])))
    try #require(frame.glyphs.count == 2)
    #expect(frame.inks[Int(frame.glyphs[0].ink)].fill == Color(r: 1, g: 0, b: 0, a: 1))
    #expect(frame.inks[Int(frame.glyphs[1].ink)].fill == .black)
  }

  @Test func compositeSizesFollowTheZoomOfTheFrame() throws {
    let layer = try symbolLayer(
      #""layout": {"text-field": "A", "text-size": ["interpolate", ["linear"], ["zoom"], 0, ["+", 12, ["case", ["has", "x"], 1, 0]], 2, 24]}"#
    )
    let bucket = try bucket(layer, tileLayer(.point, [[[SIMD2(2048, 2048)]]]))
    #expect(frame(bucket).glyphs.first?.fontScale == 0.5)
    var near = view
    near.zoom = 0.5
    #expect(frame(bucket, view: near).glyphs.first?.fontScale == 15.0 / 24)
  }

  @Test func stretchedIconsAreCutInNine() {
    var image = ImagePosition(id: 1, paddedWidth: 32, paddedHeight: 22)
    image.stretchX = [SIMD2(10, 20)]
    image.stretchY = [SIMD2(5, 15)]
    image.content = SIMD4(8, 4, 22, 16)
    let icon = shapeIcon(image, offset: .zero, anchor: .center)
    let quads = iconQuads(icon, rotation: 0, fitsText: true)
    #expect(quads.count == 9)
    #expect(quads[0].texture == SIMD4(-1, -1, 10, 5) && quads[8].texture == SIMD4(20, 15, 31, 21))
    #expect(iconQuads(icon, rotation: 0, fitsText: false).count == 1)
  }
}
