import NeatBase
import NeatCamera
import NeatPlacement
import NeatRaster
import NeatStyle

/// The ground of a frame: where its tiles lie.
final class TerrainScene: Sendable {
  let heights: TerrainHeights
  let tiles: [OverscaledTileID]
  let transform: Transform
  private let hasSkirts: Bool
  private let meshes: Locked<[Int: GroundMesh]>
  private let depthMemory = Locked<GroundDepths?>(nil)

  init(_ heights: TerrainHeights, _ transform: Transform, hasSkirts: Bool = true) {
    self.heights = heights
    self.transform = transform
    self.hasSkirts = hasSkirts
    tiles = heights.cover(transform)
    meshes = Locked([:])
  }

  /// Pixels along the edge of the picture that is draped over a tile.
  var pictureEdge: Int { Int(bounded: min(heights.tileSize * 2, 2048)) }

  /// The mesh of a tile; made once.
  func mesh(_ index: Int) -> GroundMesh {
    if let known = meshes.withLock({ $0[index] }) { return known }
    let made = makeMesh(tiles[index])
    return meshes.withLock { meshes in
      if let known = meshes[index] { return known }
      meshes[index] = made
      return made
    }
  }

  /// How much of a place shows that may lie behind ground: 1 all of it, 0 nothing. Like MapLibre GL JS's shaders,
  /// by the depth of the ground there, and a little above where it is hidden.
  /// - Parameter place: device pixels times w, depth, w.
  func visibility(_ place: SIMD4<Double>) -> Float {
    guard place.w > 0 else { return 0 }
    let (x, y, z) = (place.x / place.w, place.y / place.w, Float(place.z / place.w))
    let depths = depths
    func opacity(_ x: Double, _ y: Double) -> Float {
      let behind = z - 0.0001 - depths.depth(x, y)
      return 1 - min(max(behind * 500, 0), 1)
    }
    let here = opacity(x, y)
    if here > 0.95 { return 1 }
    return (here + opacity(x, y - 0.005 * Double(transform.size.deviceHeight))) / 2
  }

  private var depths: GroundDepths {
    if let known = depthMemory.withLock({ $0 }) { return known }
    let made = GroundDepths(width: transform.size.deviceWidth, height: transform.size.deviceHeight)
    for index in tiles.indices { made.add(mesh(index)) }
    depthMemory.withLock { $0 = made }
    return made
  }

  private func makeMesh(_ tile: OverscaledTileID) -> GroundMesh {
    let place = GroundPlace(transform, tile)
    let ground = heights.elevations(of: tile.canonical)
    // A fifth of the ground's width at this zoom, found by trying, as in MapLibre GL JS.
    let skirt = 2 * Double.pi * 6_371_008.8 / exp2(max(transform.camera.zoom, 0)) / 5
    return GroundMesh(hasSkirt: hasSkirts) { u, v, isSkirt in
      place.point(u, v, metres: ground?.metres(u, v) ?? 0, below: isSkirt ? skirt : 0)
    }
  }
}

/// Where points of a tile's ground lie on the frame.
struct GroundPlace {
  private let matrix: Matrix4
  private let near: Double
  private let far: Double

  init(_ transform: Transform, _ tile: OverscaledTileID) {
    matrix = transform.metricMatrix(for: tile)
    (near, far) = (transform.seaDistance, transform.farDistance)
  }

  /// - Parameters:
  ///   - u: from the tile's western edge, 0...1.
  ///   - v: from its northern one.
  ///   - drop: metres below the ground.
  func point(_ u: Double, _ v: Double, metres: Double, below drop: Double) -> GroundPoint {
    let place = SIMD4(u * TileUnits.extent, v * TileUnits.extent, metres, 1)
    let ground = matrix * place
    let position = drop > 0 ? matrix * (place - SIMD4(0, 0, drop, 0)) : ground
    return GroundPoint(position: SIMD4<Float>(position), fog: Float(fog(ground.w)))
  }

  /// The depth that a projection has whose near plane lies at the sea below the centre, from 0 to 1.
  private func fog(_ w: Double) -> Double {
    guard far > near, w != 0 else { return 0 }
    return 0.5 * ((far + near) / (far - near) - 2 * far * near / ((far - near) * w)) + 0.5
  }
}

/// Layers that lie on the ground, draped over its tiles.
package struct TerrainDraw: Sendable {
  let scene: TerrainScene
  /// What is drawn on each tile's picture.
  let drapes: [[DrawCommand]]
  let fog: GroundFog?
  let workers: BandWorkers
  /// The pictures, once there.
  var pictures: [Texture?] = []

  /// The same with its pictures drawn and its meshes made.
  func draped(_ executor: Executor) -> TerrainDraw {
    var copy = self
    let made = Locked([Texture?](repeating: nil, count: drapes.count))
    executor.forEach(drapes.count) { index in
      let picture = picture(drapes[index], scene.mesh(index))
      made.withLock { $0[index] = picture }
    }
    copy.pictures = made.withLock { $0 }
    return copy
  }

  private func picture(_ commands: [DrawCommand], _ mesh: GroundMesh) -> Texture? {
    let size = scene.transform.size
    guard !commands.isEmpty, let seen = mesh.seenRows(width: size.deviceWidth, height: size.deviceHeight)
    else { return nil }
    let edge = scene.pictureEdge
    // Only the rows that are seen, and one beside them.
    let first = max(0, Int(bounded: (seen.lowerBound * Float(edge)).rounded(.down)) - 1)
    let end = min(edge, Int(bounded: (seen.upperBound * Float(edge)).rounded(.up)) + 1)
    return Texture(width: edge, height: edge) { pixels in
      pixels.initialize(repeating: 0, count: edge * edge)
      let band = Band(pixels: pixels + first * edge, stride: edge, width: edge, y0: first, y1: end)
      workers.draw(band, hasSmoothEdges: false) { worker in
        for command in commands {
          // What a hillshade makes of a tile is kept with it.
          if case .hillshade(let relief) = command {
            relief.shaded().draw(worker)
          } else {
            command.draw(worker)
          }
        }
      }
    }
  }

  func draw(_ band: Band, _ layer: DepthLayer) {
    for (index, picture) in pictures.enumerated() where picture != nil {
      drawGround(scene.mesh(index), picture: picture, fog: fog, layer: layer, band: band)
    }
  }
}

extension FrameBuilder {
  /// Layers that are drawn onto the ground, and lie on it wherever it rises.
  static func isDraped(_ type: LayerType) -> Bool {
    switch type {
    case .background, .fill, .line, .raster, .hillshade, .colorRelief: true
    case .symbol, .circle, .heatmap, .fillExtrusion, .sky, .custom: false
    }
  }

  /// Layers in the style's order; those on the ground are draped over its tiles together, as long as they follow
  /// each other.
  mutating func addOverTerrain(_ layers: [LayerInFrame], _ terrain: TerrainScene) {
    var run: [LayerInFrame] = []
    for layer in layers {
      if FrameBuilder.isDraped(layer.style.type) {
        run.append(layer)
      } else {
        addDraped(run, terrain)
        run = []
        add(layer)
      }
    }
    addDraped(run, terrain)
  }

  private mutating func addDraped(_ layers: [LayerInFrame], _ terrain: TerrainScene) {
    guard !layers.isEmpty else { return }
    var drapes: [[DrawCommand]] = []
    for tile in terrain.tiles { drapes.append(drape(layers, tile.canonical, terrain)) }
    commands.append(
      .terrain(
        TerrainDraw(scene: terrain, drapes: drapes, fog: groundFog(), workers: memories.workers)))
  }

  /// What is drawn on the picture of a tile of the ground.
  private mutating func drape(_ layers: [LayerInFrame], _ tile: TileID, _ terrain: TerrainScene)
    -> [DrawCommand]
  {
    var square = self
    square.transform = transform.square(of: tile, edge: terrain.pictureEdge)
    square.tiles = tiles.mapValues { $0.compactMap { $0.onto(tile, square.transform) }.unique }
    let first = commands.count
    for layer in layers { square.add(layer) }
    let added = Array(commands[first...])
    commands.removeSubrange(first...)
    (report, patternImages) = (square.report, square.patternImages)
    return added
  }

  /// A tile as labels are drawn on it: those behind ground do not show.
  func shownTile(_ id: OverscaledTileID) -> PlacementTile {
    var tile = transform.placementTile(id)
    guard let terrain, let ground = tile.matrix.ground else { return tile }
    let ratio = transform.size.pixelRatio
    tile.matrix.ground = TileGround(
      height: ground.height,
      visibility: { terrain.visibility($0 * SIMD4(ratio, ratio, 1, 1)) })
    return tile
  }

  private func groundFog() -> GroundFog? {
    guard let sky = style.sky else { return nil }
    // Fog comes in as the horizon comes into view.
    let opacity = min(max((transform.camera.pitch - 60) / 10, 0), 1)
    guard opacity > 0 else { return nil }
    return GroundFog(
      fog: sky[.fogColor].color(evaluator, at: camera).premultiplied,
      horizon: sky[.horizonColor].color(evaluator, at: camera).premultiplied,
      begin: Float(sky[.fogGroundBlend].number(evaluator, at: camera)),
      turn: Float(sky[.horizonFogBlend].number(evaluator, at: camera)), opacity: Float(opacity))
  }

  /// The sky, which everything else is drawn over.
  mutating func addSky() {
    guard let sky = style.sky else { return }
    let size = transform.size.logical
    let ratio = transform.size.pixelRatio
    let roll = transform.camera.roll * .pi / 180
    let (s, c) = (sin(roll), cos(roll))
    let horizon = transform.horizon
    // A point of the horizon, in pixels from the bottom left corner.
    let point = (size / 2 + SIMD2(-s, c) * horizon) * ratio
    let height = Double(transform.size.deviceHeight)
    commands.append(
      .sky(
        SkyPaint(
          sky: sky[.skyColor].color(evaluator, at: camera).premultiplied,
          horizon: sky[.horizonColor].color(evaluator, at: camera).premultiplied,
          height: SIMD3(Float(-s), Float(-c), Float(s * point.x + c * (height - point.y))),
          blend: Float(sky[.skyHorizonBlend].number(evaluator, at: camera) * size.y / 2 * ratio))))
  }
}

extension TileInFrame {
  /// The same on the picture of a tile of the ground; nil where it lies elsewhere.
  fileprivate func onto(_ tile: TileID, _ square: Transform) -> TileInFrame? {
    let own = wanted.canonical
    let z = min(own.z, tile.z)
    guard own.ancestor(own.z - z) == tile.ancestor(tile.z - z) else { return nil }
    var (id, wanted) = (id, wanted)
    (id.wrap, wanted.wrap) = (0, 0)
    let projection = square.rasterProjection(id)
    let clip = wanted.canonical == id.canonical ? projection : square.rasterProjection(wanted)
    return TileInFrame(
      id: id, wanted: wanted, layout: layout, raster: raster, dem: dem, projection: projection, clip: clip,
      rasterProjection: projection, rasterClip: clip)
  }
}

extension [TileInFrame] {
  /// Each tile once, in whatever copies of the world it is seen.
  fileprivate var unique: [TileInFrame] {
    var seen: Set<OverscaledTileID> = []
    return filter { seen.insert($0.wanted).inserted }
  }
}
