import NeatBase
import NeatCamera
import NeatRaster
import NeatStyle

/// The elevations that a map has loaded of its terrain's source, as they are at one moment.
///
/// The ground of a tile is made of the elevations one zoom above, as in MapLibre GL JS: they have as many samples
/// as the ground has points. Where those are still to come, of any tile above that is there.
final class TerrainHeights: Sendable {
  let source: String
  let exaggeration: Double
  /// Logical pixels along the edge of a tile of the ground.
  let tileSize: Double
  let minZoom: UInt8
  let maxZoom: UInt8
  private let tiles: [TileID: DEMTile]

  /// Zooms from a tile of the ground up to that of its elevations.
  static let levels: UInt8 = 1

  init(_ terrain: Style.Terrain, _ source: SourceState) {
    self.source = source.id
    exaggeration = terrain.exaggeration
    tileSize = source.tileSet.tileSize * exp2(Double(TerrainHeights.levels))
    (minZoom, maxZoom) = (source.tileSet.minZoom, source.tileSet.maxZoom)
    var tiles: [TileID: DEMTile] = [:]
    for id in source.tiles.keys {
      if case .elevation(let tile)? = source.content(id) { tiles[id] = tile }
    }
    self.tiles = tiles
  }

  /// Where the elevations of a tile's ground come from.
  /// - Parameter zoom: that the tile is laid out for, where it is not its own.
  func elevations(of tile: TileID, laidOutFor zoom: UInt8? = nil) -> TerrainElevations? {
    let wanted = max(zoom ?? tile.z, tile.z)
    guard wanted >= TerrainHeights.levels, wanted - TerrainHeights.levels >= minZoom, tile.z >= minZoom else {
      return nil
    }
    var z = min(wanted - TerrainHeights.levels, maxZoom, tile.z)
    while true {
      let id = tile.ancestor(tile.z - z)
      if let found = tiles[id] {
        let neighbours = DEMNeighbours(id, in: tiles)
        return TerrainElevations(
          found, id, over: tile, exaggeration: exaggeration, bordered: found.bordered(neighbours))
      }
      guard z > minZoom else { return nil }
      z -= 1
    }
  }

  /// Metres at a place of the unit square, from the ground of a zoom; nil where nothing is known.
  func metres(at place: SIMD2<Double>, zoom: UInt8) -> Double? {
    guard let (tile, x, y) = tile(at: place, zoom: zoom), let ground = elevations(of: tile) else {
      return nil
    }
    return ground.metres(x, y)
  }

  /// The tile of a zoom that a place of the unit square is in, and where in it (0...1); nil beside the world.
  func tile(at place: SIMD2<Double>, zoom: UInt8) -> (tile: TileID, x: Double, y: Double)? {
    let count = Double(UInt64(1) << UInt64(zoom))
    let (x, y) = ((place.x - place.x.rounded(.down)) * count, place.y * count)
    guard y >= 0, y < count else { return nil }
    let tile = TileID(
      z: zoom, x: UInt32(saturating: min(x, count - 1)), y: UInt32(saturating: min(y, count - 1)))
    return (tile, x - Double(tile.x), y - Double(tile.y))
  }

  /// The lowest and highest of a tile's elevations, in metres.
  func range(_ tile: TileID) -> ClosedRange<Double>? {
    guard tile.z >= TerrainHeights.levels, tile.z - TerrainHeights.levels >= minZoom else { return nil }
    var z = min(tile.z - TerrainHeights.levels, maxZoom)
    while true {
      if let found = tiles[tile.ancestor(tile.z - z)] {
        let range = found.elevation.range
        return Double(range.lowerBound) * exaggeration...Double(range.upperBound) * exaggeration
      }
      guard z > minZoom else { return nil }
      z -= 1
    }
  }

  /// The view over this ground: its centre lies on it.
  /// - Parameter elevation: of the centre, where that is said.
  func grounded(_ view: Transform, elevation: Double? = nil) -> Transform {
    let zoom = UInt8(clamping: Int(bounded: max(0, view.camera.zoom.rounded(.down))))
    let center = view.center / view.worldSize
    let elevation = elevation ?? metres(at: center, zoom: min(zoom, TileID.maxZoom)) ?? 0
    let count = Double(UInt64(1) << UInt64(min(zoom, TileID.maxZoom)))
    let tile = TileID(
      z: min(zoom, TileID.maxZoom),
      x: UInt32(saturating: min((center.x - center.x.rounded(.down)) * count, count - 1)),
      y: UInt32(saturating: min(max(center.y * count, 0), count - 1)))
    var ground = GroundHeights(
      source: source, lowest: range(tile)?.lowerBound ?? 0, range: { self.range($0) },
      heights: { tile in
        guard let ground = self.elevations(of: tile.canonical, laidOutFor: tile.overscaledZ) else {
          return nil
        }
        return { ground.metres($0.x / TileUnits.extent, $0.y / TileUnits.extent) }
      })
    let eye = self.eye(view, elevation: elevation, zoom: min(zoom, TileID.maxZoom))
    ground.eyeTile = eye.tile
    return view.over(ground, elevation: elevation, camera: eye.camera)
  }

  /// The tiles above those of a view: those that its ground is made of, and some of low zooms, by which it is found
  /// which tiles of the ground are seen.
  static func above(_ tiles: [OverscaledTileID], _ minZoom: UInt8) -> [OverscaledTileID] {
    var seen = Set(tiles)
    var found: [OverscaledTileID] = []
    for tile in tiles where tile.canonical.z > minZoom {
      let id = tile.canonical
      for z in [id.z - levels, max(minZoom, min(id.z, 5))] {
        let above = OverscaledTileID(canonical: id.ancestor(id.z - z), wrap: tile.wrap)
        if seen.insert(above).inserted { found.append(above) }
      }
    }
    return found
  }

  /// The tiles of the ground that a view shows, nearest first.
  func cover(_ view: Transform) -> [OverscaledTileID] {
    var cover = TileCover()
    cover.tileSize = tileSize
    cover.reparsesOverscaled = false
    return cover.tiles(view)
  }
}

/// The elevations of one tile of the ground: a part of an elevation tile.
struct TerrainElevations: Sendable {
  /// With the border that its neighbours give.
  let samples: ElevationTile
  let exaggeration: Double
  /// Samples of the tile's north-west corner, and along its edges.
  private let start: SIMD2<Double>
  private let span: Double

  init(
    _ dem: DEMTile, _ id: TileID, over tile: TileID, exaggeration: Double, bordered: ElevationTile
  ) {
    assert(tile.z >= id.z && tile.ancestor(tile.z - id.z) == id, "elevations of another place")
    samples = bordered
    self.exaggeration = exaggeration
    let count = UInt32(1) << UInt32(tile.z - id.z)
    span = Double(bordered.size) / Double(count)
    start = SIMD2(Double(tile.x % count), Double(tile.y % count)) * span
  }

  /// Metres, exaggerated, at a point of the tile (0...1 from its north-west corner).
  func metres(_ u: Double, _ v: Double) -> Double {
    let x = start.x + u * span, y = start.y + v * span
    let last = Double(samples.size)
    let (left, top) = (min(max(x.rounded(.down), -1), last - 1), min(max(y.rounded(.down), -1), last - 1))
    let (fx, fy) = (min(max(x - left, 0), 1), min(max(y - top, 0), 1))
    let (column, row) = (Int(bounded: left), Int(bounded: top))
    func sample(_ x: Int, _ y: Int) -> Double { Double(samples[x, y]) }
    let north = sample(column, row) * (1 - fx) + sample(column + 1, row) * fx
    let south = sample(column, row + 1) * (1 - fx) + sample(column + 1, row + 1) * fx
    return (north * (1 - fy) + south * fy) * exaggeration
  }
}

extension Transform {
  /// Whether the ground is seen as high as it is: not in pictures with a margin of labels, which are parts of a larger
  /// one and would not fit together in perspective.
  var hasTerrain: Bool { labelMargin == 0 && labelGrid == nil }
}

extension MapCore {
  /// The ground of the style's terrain, as far as it is loaded; nil where the ground is flat.
  func terrainHeights(_ state: State) -> TerrainHeights? {
    guard let terrain = state.style.document.terrain, let source = state.sources[terrain.source],
      source.phase == .ready, case .rasterDEM = source.spec.kind
    else { return nil }
    return TerrainHeights(terrain, source)
  }

  /// A view over the ground as it is loaded.
  package func grounded(_ view: Transform) -> Transform { state.withLock { grounded($0, view) } }

  func grounded(_ state: State, _ view: Transform) -> Transform {
    MapCore.grounded(view, terrainHeights(state), state.centerElevation)
  }

  /// A view over the ground, or over the sea where there is none; its centre lies on that, or as high as is said.
  static func grounded(_ view: Transform, _ heights: TerrainHeights?, _ elevation: Double?) -> Transform {
    guard view.hasTerrain else { return view }
    if let heights { return heights.grounded(view, elevation: elevation) }
    let raised = view.cameraAboveSea(elevation ?? 0)
    return elevation == nil && raised == nil
      ? view : view.over(nil, elevation: elevation ?? 0, camera: raised)
  }
}
