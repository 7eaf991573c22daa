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
  /// That of the style's root.
  private let fog: Fog?
  private let meshes: Locked<[Int: GroundMesh]>
  private let depthMemory = Locked<GroundDepths?>(nil)
  /// Of the meshes and the depths.
  private let hold: MemoryHold?
  /// Why there is no memory for them; then there are no tiles, and no picture can be drawn.
  let failure: NeatError?

  init(
    _ heights: TerrainHeights, _ transform: Transform, hasSkirts: Bool = true, fog: Fog? = nil,
    memory: MemoryBudget
  ) {
    self.heights = heights
    self.fog = fog
    self.transform = transform
    self.hasSkirts = hasSkirts
    let tiles = heights.cover(transform)
    let pixels = transform.size.deviceWidth * transform.size.deviceHeight
    do throws(NeatError) {
      hold = try memory.take(
        tiles.count * GroundMesh.byteCount + 8 * pixels, for: "the ground of \(tiles.count) tiles")
      (self.tiles, failure) = (tiles, nil)
    } catch {
      (self.tiles, hold, failure) = ([], nil, error)
    }
    meshes = Locked([:])
  }

  /// Pixels along the edge of the picture that is draped over a tile.
  var pictureEdge: Int { Int(bounded: min(max(heights.tileSize * 2, 2), 2048)) }

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
  /// - Parameter place: device pixels times w, depth, w; on a globe the side of the horizon is in the place of the
  ///   depth, and counts as one: so there only what stands at the horizon is hidden.
  func visibility(_ place: SIMD4<Double>) -> Float {
    guard place.w > 0 else { return 0 }
    let depth = transform.globe == nil ? place.z / place.w : 1 - place.z
    let (x, y, z) = (place.x / place.w, place.y / place.w, Float(depth))
    let depths = depths()
    func opacity(_ x: Double, _ y: Double) -> Float {
      let behind = z - 0.0001 - depths.depth(x, y)
      return 1 - min(max(behind * 500, 0), 1)
    }
    let here = opacity(x, y)
    if here > 0.95 { return 1 }
    return (here + opacity(x, y - 0.005 * Double(transform.size.deviceHeight))) / 2
  }

  /// Makes what a frame needs of the ground before anything is drawn, on all threads.
  /// - Parameter hasLabels: whether anything is hidden by the ground pixel by pixel.
  func prepare(_ executor: Executor, hasLabels: Bool) {
    Trace.span("ground", .frame) {
      executor.forEach(tiles.count) { index in _ = mesh(index) }
      if hasLabels { _ = depths(executor) }
    }
  }

  private func depths(_ executor: Executor = .inline) -> GroundDepths {
    if let known = depthMemory.withLock({ $0 }) { return known }
    let made = GroundDepths(width: transform.size.deviceWidth, height: transform.size.deviceHeight)
    made.add(tiles.indices.map { mesh($0) }, executor)
    depthMemory.withLock { $0 = made }
    return made
  }

  /// Blocks of a tile's picture that are seen.
  func seenBlocks(_ index: Int) -> GroundBlocks {
    let size = transform.size
    return mesh(index).seenBlocks(width: size.deviceWidth, height: size.deviceHeight, edge: pictureEdge)
  }

  private func makeMesh(_ tile: OverscaledTileID) -> GroundMesh {
    let place = GroundPlace(transform, tile, fog: fog)
    let ground = heights.elevations(of: tile.canonical)
    // A fifth of the ground's width at this zoom, found by trying, as in MapLibre GL JS.
    let skirt = Mercator.meanCircumference / exp2(max(transform.camera.zoom, 0)) / 5
    return GroundMesh(hasSkirt: hasSkirts) { u, v, side in
      if let side, let pole = place.pole(u, side) { return pole }
      return place.point(u, v, metres: ground?.metres(u, v) ?? 0, below: side == nil ? 0 : skirt)
    }
  }
}

/// Layers that lie on the ground, draped over its tiles.
package struct TerrainDraw: Sendable {
  let scene: TerrainScene
  /// Each tile's picture.
  let drapes: [GroundDrape]
  let fog: GroundFog?
  let memories: FrameMemories
  /// The pictures, once there.
  var pictures: [GroundPictures.Entry?] = []
  /// Tiles whose ground is drawn before this.
  var isGroundThere: [Bool] = []

  /// The same with its pictures drawn and its meshes made. Throws `outOfMemory`.
  func draped(_ executor: Executor) throws(NeatError) -> TerrainDraw {
    var copy = self
    executor.forEach(drapes.count) { index in _ = scene.mesh(index) }
    copy.pictures = try drawnPictures(drapes, edge: scene.pictureEdge, memories, executor)
    return copy
  }

  /// Tiles whose ground is drawn once this is.
  var groundThere: [Bool] {
    pictures.indices.map { pictures[$0] != nil || isThere($0) }
  }

  func draw(_ band: Band, _ layer: DepthLayer) {
    for (index, entry) in pictures.enumerated() {
      guard let entry else { continue }
      let isThere = isThere(index)
      // Fog lies over what is transparent too.
      if entry.picture == nil, fog == nil, isThere { continue }
      let shown = entry.picture ?? (fog == nil ? nil : TerrainDraw.nothing)
      drawGround(
        scene.mesh(index), picture: shown, cells: isThere && fog == nil ? entry.cells : nil, fog: fog,
        layer: layer, band: band)
    }
  }

  private func isThere(_ index: Int) -> Bool {
    isGroundThere.indices.contains(index) && isGroundThere[index]
  }

  private static let nothing: GroundPicture = {
    let picture = GroundPicture(edge: 2, .none)
    picture.clear(picture.rows)
    return picture
  }()
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
    var drapes: [GroundDrape] = []
    for (index, tile) in terrain.tiles.enumerated() {
      drapes.append(drape(layers, tile.canonical, terrain, terrain.seenBlocks(index)))
    }
    commands.append(
      .terrain(TerrainDraw(scene: terrain, drapes: drapes, fog: groundFog(), memories: memories)))
  }

  /// What is drawn on the picture of a tile of the ground.
  /// - Parameter blocks: those that are seen.
  private mutating func drape(
    _ layers: [LayerInFrame], _ tile: TileID, _ terrain: TerrainScene, _ blocks: GroundBlocks
  ) -> GroundDrape {
    guard !blocks.isEmpty else { return .none }
    var square = self
    square.transform = transform.square(of: tile, edge: terrain.pictureEdge)
    square.tiles = tiles.mapValues { $0.compactMap { $0.onto(tile, square.transform) }.unique }
    let found = pictureKey(layers, tile, square, edge: terrain.pictureEdge)
    let known = found.flatMap { memories.groundPictures[$0.key] }
    if let known, known.blocks.holds(blocks) {
      return GroundDrape(commands: [], key: nil, content: [], known: known, blocks: blocks)
    }
    let first = commands.count
    let reported = report.count
    for layer in layers { square.add(layer) }
    let added = Array(commands[first...])
    commands.removeSubrange(first...)
    (report, patternImages) = (square.report, square.patternImages)
    refusedPatterns = square.refusedPatterns
    // What had to be done without is reported anew for each frame.
    let isWhole = report.count == reported
    return GroundDrape(
      commands: added, key: isWhole ? found?.key : nil, content: found?.content ?? [], known: known,
      blocks: blocks)
  }

  /// A tile as labels are drawn on it: those behind ground do not show.
  func shownTile(_ id: OverscaledTileID) -> PlacementTile {
    var tile = transform.placementTile(id)
    let hiding = tile.matrix.ground == nil ? nil : terrain
    guard hiding != nil || fog != nil else { return tile }
    let scale = SIMD4(transform.size.pixelRatio, transform.size.pixelRatio, 1, 1)
    let flat: GroundHeights.HeightOfPlace = { _ in 0 }
    tile.matrix.ground = TileGround(
      height: tile.matrix.ground?.height ?? flat,
      visibility: { [fog] place in
        let seen = hiding?.visibility(place * scale) ?? 1
        return seen > 0 ? min(seen, fog?.labelOpacity(place * scale) ?? 1) : 0
      })
    return tile
  }

  private func groundFog() -> GroundFog? {
    if let fog { return .dense(fog.color) }
    guard transform.globe == nil, let sky = style.sky else { return nil }
    // Fog comes in as the horizon comes into view.
    let opacity = min(max((transform.camera.pitch - 60) / 10, 0), 1)
    guard opacity > 0 else { return nil }
    return .distant(
      DistantFog(
        fog: sky[.fogColor].color(evaluator, at: camera).premultiplied,
        horizon: sky[.horizonColor].color(evaluator, at: camera).premultiplied,
        begin: Float(sky[.fogGroundBlend].number(evaluator, at: camera)),
        turn: Float(sky[.horizonFogBlend].number(evaluator, at: camera)), opacity: Float(opacity)))
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
