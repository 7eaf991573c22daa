import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster
import NeatStyle
import Testing

@testable import NeatMap

/// Pictures of tiles: of the tiles around them only the layers of symbols are laid out, whoever laid out what before.
@Suite struct MarginLayoutTests {
  /// Labels, circles, lines and an area over the whole world, in one source.
  private static let text = """
    {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon",
        "coordinates": [[[-170, -80], [170, -80], [170, 80], [-170, 80], [-170, -80]]]}},
      {"type": "Feature", "properties": {}, "geometry": {"type": "LineString",
        "coordinates": [[-170, -80], [170, 80]]}},
      {"type": "Feature", "properties": {}, "geometry": {"type": "MultiPoint", "coordinates": [\(places)]}}]}}},
     "layers": [
      {"id": "area", "type": "fill", "source": "s", "paint": {"fill-color": "beige"}},
      {"id": "way", "type": "line", "source": "s", "paint": {"line-width": 3}},
      {"id": "dots", "type": "circle", "source": "s", "filter": ["==", ["geometry-type"], "Point"]},
      {"id": "pins", "type": "symbol", "source": "s", "layout": {"icon-image": "pin"}}]}
    """
  private static let places = (0..<400).map { "[\($0 % 20 * 17 - 165), \($0 / 20 * 7 - 68)]" }
    .joined(separator: ",")
  private static let geometries = 3

  private func pin() throws -> StyleImage {
    let pixels = (0..<81).flatMap { _ in [255, 0, 0, 255] as [UInt8] }
    return StyleImage(name: "pin", width: 9, height: 9, pixelRatio: 1, isSDF: false, pixels: pixels)
  }

  private func map() throws -> MapCore {
    let core = MapCore(style: try Style(parsing: Array(Self.text.utf8)), base: "")
    core.addImage(try pin())
    return core
  }

  /// The tile of zoom 4, by the layer of 512 pixels.
  private func picture(_ core: MapCore, x: Int, y: Int, margin: Int = 400, executor: Executor = .inline)
    throws
    -> [UInt32]
  {
    let center = Mercator.unproject(SIMD2((Double(x) + 0.5) / 16, (Double(y) + 0.5) / 16))
    let bitmap = try core.render(
      camera: Camera(center: center, zoom: 4), size: ViewSize(width: 512, height: 512), labelMargin: margin,
      client: ResourceClient { $0.map { _ in .missing } }, executor: executor)
    return withExtendedLifetime(bitmap) {
      Array(UnsafeBufferPointer(start: bitmap.pixels, count: bitmap.width * bitmap.height))
    }
  }

  @Test func tilesOfTheMarginGiveLabelsOnly() throws {
    let core = try map()
    _ = try picture(core, x: 8, y: 8)
    #expect(core.laidOutLayerCount == 9 + Self.geometries)
    // Again: all is there.
    _ = try picture(core, x: 8, y: 8)
    #expect(core.laidOutLayerCount == 9 + Self.geometries)
    // A neighbour lacks the other layers of its own tile, and the labels of three more tiles.
    _ = try picture(core, x: 9, y: 8)
    #expect(core.laidOutLayerCount == 12 + 2 * Self.geometries)
    // Without a margin all that is in view is drawn whole.
    _ = try picture(core, x: 8, y: 7, margin: 0)
    #expect(core.laidOutLayerCount == 12 + 3 * Self.geometries)
  }

  @Test func picturesAreTheSameInAnyOrder() throws {
    let tiles = [(8, 8), (9, 8), (8, 7), (9, 9), (8, 8)]
    let alone = try tiles.map { try picture(map(), x: $0.0, y: $0.1) }
    #expect(Set(alone).count == 4, "each tile has its own picture")
    let core = try map()
    #expect(try tiles.map { try picture(core, x: $0.0, y: $0.1) } == alone)
    let other = try map()
    _ = try picture(other, x: 8, y: 8, margin: 0)
    _ = try picture(other, x: 9, y: 8, margin: 0)
    #expect(try tiles.reversed().map { try picture(other, x: $0.0, y: $0.1) } == alone.reversed())
  }

  /// Memory is short: what a picture began with may be gone when it is done with the rest.
  @Test func labelsStayWhereTheTileIsThrownAwayMeanwhile() throws {
    let alone = try picture(map(), x: 9, y: 8)
    let core = try map()
    _ = try picture(core, x: 8, y: 8)
    // Runs between what is asked for and what is stored: the layers of the tile are laid out one after another.
    let executor = Executor(width: 1) { count, body in
      core.reduceMemory(keeping: nil)
      for index in 0..<count { body(index) }
    }
    #expect(try picture(core, x: 9, y: 8, executor: executor) == alone)
  }

  @Test func aChangeOfTheStyleReachesWhatIsLaidOutInPart() throws {
    let core = try map()
    _ = try picture(core, x: 8, y: 8)
    var editor = StyleEditor(core.style)
    try editor.setPaintProperty(layer: "way", "line-width", .number(9))
    try editor.removeLayer("dots")
    _ = core.replaceStyle(editor.style)
    let fresh = MapCore(style: editor.style, base: "")
    fresh.addImage(try pin())
    #expect(try picture(core, x: 9, y: 8) == picture(fresh, x: 9, y: 8))
    #expect(try picture(core, x: 8, y: 8) == picture(fresh, x: 8, y: 8))
  }
}

@Suite struct LayoutLackTests {
  private func entry(_ stale: LayoutEntry.Stale) -> LayoutEntry {
    var entry = LayoutEntry(
      layout: TileLayout(
        id: OverscaledTileID(canonical: TileID(z: 0, x: 0, y: 0), overscaledZ: 0, wrap: 0), buckets: [:]),
      notes: [:])
    entry.stale = stale
    return entry
  }

  private func layers(_ lack: LayoutLack?) -> [Int]? {
    switch lack {
    case .layers(let layers)?: layers.sorted()
    case .all?: [-1]
    case nil: nil
    }
  }

  @Test func whatIsWantedAndNotThereIsLacking() {
    #expect(layers(LayoutLack(nil, wanted: nil)) == [-1])
    #expect(layers(LayoutLack(nil, wanted: [2])) == [2])
    #expect(layers(LayoutLack(entry(.all), wanted: nil)) == [-1])
    #expect(layers(LayoutLack(entry(.all), wanted: [2])) == [2])
    #expect(layers(LayoutLack(entry(.layers([1, 3])), wanted: nil)) == [1, 3])
    #expect(layers(LayoutLack(entry(.layers([1, 3])), wanted: [2, 3])) == [3])
    #expect(layers(LayoutLack(entry(.layers([1, 3])), wanted: [2])) == nil)
    #expect(layers(LayoutLack(entry(.layers([])), wanted: nil)) == nil)
  }

  @Test func whatIsLaidOutInAnotherPartIsLacking() {
    func part(_ end: Double) -> TilePart { TilePart(low: .zero, high: SIMD2(repeating: end)) }
    var known = entry(.layers([1]))
    known.parts = [2: part(10), 3: part(20)]
    #expect(layers(LayoutLack(known, wanted: nil)) == [1, 2, 3])
    #expect(layers(LayoutLack(known, wanted: nil, in: [2: part(10), 3: part(10)])) == [1])
    #expect(layers(LayoutLack(known, wanted: nil, in: [2: part(11), 3: part(20)])) == [1, 2])
    #expect(layers(LayoutLack(known, wanted: [2, 3], in: [2: part(1)])) == [3])
    // What is laid out in all of the tile is there, whoever asks for a part of it.
    #expect(layers(LayoutLack(entry(.layers([])), wanted: nil, in: [2: part(1)])) == nil)
    let anew = LayoutEntry(known, with: [1, 2], by: entry(.layers([])), lacking: [])
    #expect(anew.parts == [3: part(20)])
  }

  @Test func whatThereWasTooLittleMemoryForIsTriedAgainByTheNextView() {
    let known = LayoutEntry(
      layout: entry(.layers([])).layout,
      notes: [
        1: LayerNotes(fault: NeatError(.outOfMemory, "no")), 2: LayerNotes(fault: NeatError(.tile, "no")),
      ])
    #expect(layers(LayoutLack(known, wanted: nil, isAnew: true)) == [1])
    #expect(layers(LayoutLack(known, wanted: [2], isAnew: true)) == nil)
    #expect(layers(LayoutLack(known, wanted: nil)) == nil, "a map that waits for work does not try on and on")
    let anew = LayoutEntry(known, with: [1], by: entry(.layers([])), lacking: [])
    #expect(anew.starved.isEmpty && anew.notes.keys.sorted() == [2])
  }

  @Test func whatIsLaidOutAnewIsNoLongerStale() {
    func stale(_ known: LayoutEntry?) -> [Int]? {
      let entry = LayoutEntry(known, with: [2], by: entry(.layers([])), lacking: [0, 1])
      return if case .layers(let layers) = entry.stale { layers.sorted() } else { nil }
    }
    #expect(stale(nil) == [0, 1])
    #expect(stale(entry(.all)) == [0, 1])
    #expect(stale(entry(.layers([]))) == [])
    #expect(stale(entry(.layers([1, 2]))) == [1])
  }
}
