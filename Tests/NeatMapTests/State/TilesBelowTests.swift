import NeatBase
import NeatCamera
import NeatStyle
import NeatTile
import Testing

@testable import NeatMap

/// Tiles of the view before a map was zoomed out stand in for those that are still to come.
@Suite struct TilesBelowTests {
  private func core() throws -> MapCore {
    let core = MapCore(
      style: try Style(
        parsing: Array(
          """
          {"version": 8, "sources": {"s": {"type": "vector", "tiles": ["t/{z}/{x}/{y}"], "maxzoom": 5}},
           "layers": [{"id": "a", "type": "fill", "source": "s", "source-layer": "a"}]}
          """.utf8)), base: "http://h/")
    core.showTilesBelow()
    return core
  }

  private static let area: [UInt8] = {
    var builder = TileLayerBuilder(name: "a", extent: 4096)
    builder.beginFeature(.polygon, id: 5)
    for point in [SIMD2<Int32>(0, 0), SIMD2(4096, 0), SIMD2(4096, 4096), SIMD2(0, 4096)] {
      builder.addPoint(point)
    }
    builder.endPart()
    builder.endFeature()
    return encodeMVT(VectorTile(layers: [builder.build()]))
  }()

  private func view(_ zoom: Double, _ core: MapCore, edge: Int = 512) throws -> Transform {
    // In the middle of a tile of zoom 2.
    let center = Mercator.unproject(SIMD2(0.625, 0.625))
    return try core.transform(
      Camera(center: center, zoom: zoom), ViewSize(width: edge, height: edge), isMoving: false)
  }

  /// Has the tiles of a view arrive that are as asked for.
  private func load(
    _ zoom: Double, _ core: MapCore, edge: Int = 512, where isMeant: (TileID) -> Bool = { _ in true }
  )
    throws
  {
    let view = try view(zoom, core, edge: edge)
    for need in core.needs(for: view) {
      if let tile = need.tile, isMeant(tile) { core.deliver(need, .data(Self.area)) }
    }
    _ = core.prepareWhatIsThere(view, .inline)
  }

  private func shown(_ zoom: Double, _ core: MapCore, isDrawn: Bool = true) throws -> [TileInView] {
    let view = try view(zoom, core)
    return core.state.withLock { core.tilesInView($0, view, isDrawn: isDrawn)["s"] ?? [] }
  }

  private func words(_ tiles: [TileInView]) -> [String] {
    tiles.map { "\($0.drawn.canonical) in \($0.wanted.canonical)" }.sorted()
  }

  @Test func theyStandInUntilTheTileIsThere() throws {
    let core = try core()
    try load(3, core)
    let before = try shown(3, core)
    #expect(before.count == 4 && before.allSatisfy { $0.drawn == $0.wanted && $0.drawn.canonical.z == 3 })
    // Four of the 16 tiles of zoom 3 within the tiles of zoom 2 that are in view now.
    #expect(try words(shown(2, core)) == words(before))
    #expect(try words(shown(1, core)) == words(before))
    try load(2, core)
    let after = try shown(2, core)
    #expect(after.allSatisfy { $0.drawn == $0.wanted && $0.drawn.canonical.z == 2 })
  }

  @Test func betweenThemAnAncestorDoes() throws {
    let core = try core()
    try load(0, core)
    try load(3, core, where: { $0.z == 3 && $0.x == 4 && $0.y == 4 })
    let tiles = try shown(2, core)
    let inside = tiles.filter { $0.wanted.canonical.z == 3 }
    #expect(
      words(inside) == ["0/0/0 in 3/4/5", "0/0/0 in 3/5/4", "0/0/0 in 3/5/5", "3/4/4 in 3/4/4"],
      "the four parts of 2/2/2")
    #expect(tiles.filter { $0.wanted.canonical.z == 2 }.allSatisfy { $0.drawn.canonical == .world })
  }

  /// Levels below the tile: three at most.
  @Test func thoseFarBelowDoNot() throws {
    let core = try core()
    try load(5, core)
    #expect(try !shown(2, core).isEmpty)
    #expect(try shown(1, core).isEmpty)
  }

  @Test func notForTilesThatAreNotToBeHad() throws {
    let core = try core()
    try load(0, core)
    try load(3, core)
    for need in core.needs(for: try view(2, core)) {
      core.deliver(need, .failed(NeatError(.network, "refused")))
    }
    #expect(try shown(2, core).allSatisfy { $0.drawn.canonical == .world })
  }

  /// What nothing is laid out for is drawn only.
  @Test func theyAreNotLaidOutForIt() throws {
    let core = try core()
    try load(0, core)
    try load(3, core)
    #expect(try shown(2, core, isDrawn: false).allSatisfy { $0.drawn.canonical == .world })
  }

  @Test func thereIsALimit() throws {
    let core = try core()
    try load(5, core, edge: 8192)
    let count = core.state.withLock { $0.sources["s"]?.tiles.keys.count ?? 0 }
    try #require(count > TilesBelow.limit + 3)
    let found = try shown(2, core).filter { $0.wanted.canonical.z == 5 }.count
    #expect((TilesBelow.limit...TilesBelow.limit + 3).contains(found), "\(found) of \(count)")
  }

  /// Pictures of a renderer, which are on their own, do not depend on what was drawn before.
  @Test func notWhereNobodyLooksOn() throws {
    let core = try core()
    core.state.withLock { $0.showsTilesBelow = false }
    try load(0, core)
    try load(3, core)
    #expect(try shown(2, core).allSatisfy { $0.drawn.canonical == .world })
  }

  /// What is known to be empty leaves the ground to the ancestor that shows it.
  @Test func emptyOnesDoNot() throws {
    let core = try core()
    try load(0, core)
    let view = try view(3, core)
    for need in core.needs(for: view) where need.tile?.z == 3 { core.deliver(need, .empty) }
    #expect(try shown(2, core).allSatisfy { $0.drawn.canonical == .world })
  }

  @Test func staleOnesDoNot() throws {
    let core = try core()
    try load(0, core)
    try load(3, core)
    core.state.withLock { $0.staleLayer(0, of: "s") }
    #expect(try shown(2, core).allSatisfy { $0.drawn.canonical == .world })
  }

  @Test func whatIsShownIsKept() throws {
    let core = try core()
    try load(3, core)
    let before = try words(shown(2, core))
    #expect(before.count == 4)
    core.reduceMemory(keeping: try view(2, core))
    #expect(try words(shown(2, core)) == before)
  }
}
