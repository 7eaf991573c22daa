import NeatBase
import NeatCamera
import NeatLayout
import NeatMesh
import NeatRaster
import NeatStyle

/// Turns a view of a map into commands for a GPU: what `FrameBuilder` makes for the raster, from the same
/// buckets and the same placement.
struct MeshFrameBuilder {
  var base: FrameBuilder
  let resources: MeshResources
  let atlases: SymbolAtlases
  let executor: Executor
  private(set) var commands: [MeshCommand] = []
  private var buffers: [MeshBlock] = []
  private var bufferPlaces: [UInt64: Int32] = [:]
  private var textures: [MeshTexture] = []
  private var texturePlaces: [UInt64: Int32] = [:]
  /// Commands over pages of the atlases. Later layers may put more onto a page: it is taken when all are
  /// there.
  private var paged: [(command: Int, page: AtlasPage)] = []

  init(_ base: FrameBuilder, resources: MeshResources, executor: Executor) {
    self.base = base
    self.resources = resources
    self.executor = executor
    atlases = resources.atlases()
  }

  var evaluator: Evaluator { base.evaluator }
  var transform: Transform { base.transform }
  var camera: EvaluationPoint { base.camera }

  mutating func build() -> MeshFrame {
    let zoom = transform.camera.zoom
    let size = transform.size
    base.placeSymbols()
    let visible = base.style.layers.enumerated().filter { $0.element.isVisible(zoom: zoom, evaluator) }
    makeMeshes(visible.map(\.offset))
    var late = base.lateHeatmaps()
    for (index, layer) in visible {
      if !late.moved.contains(index) { add(LayerInFrame(index: index, style: layer)) }
      for heatmap in late.after.removeValue(forKey: index) ?? [] {
        add(LayerInFrame(index: heatmap, style: base.style.layers[heatmap]))
      }
    }
    addPuck()
    addDebug()
    takePages()
    return MeshFrame(
      width: size.deviceWidth, height: size.deviceHeight, pixelRatio: size.pixelRatio, report: base.report,
      placementNumber: base.labelNumber ?? 0, outcome: base.outcome, commands: commands,
      buffers: buffers, textures: textures,
      layers: base.style.layers.map(\.id)
        + (base.puck == nil && base.debug.isEmpty ? [] : [MeshFrameBuilder.puckLayer]))
  }

  /// Makes the meshes that no frame had yet, side by side.
  private func makeMeshes(_ layers: [Int]) {
    var seen: Set<ObjectIdentifier> = []
    var missing: [LayerBucket] = []
    for tile in base.tiles.values.joined() {
      guard let layout = tile.layout, seen.insert(ObjectIdentifier(layout)).inserted else { continue }
      for layer in layers {
        guard let bucket = layout.buckets[layer], bucket.lacksMesh else { continue }
        missing.append(bucket)
      }
    }
    let buckets = missing
    executor.forEach(buckets.count) { buckets[$0].makeMesh() }
  }

  private mutating func add(_ layer: LayerInFrame) {
    switch layer.style.type {
    case .background: addBackground(layer)
    case .raster: addRaster(layer)
    case .symbol: addSymbols(layer)
    case .heatmap: addHeatmap(layer)
    case .fillExtrusion: addExtrusions(layer)
    case .hillshade: addHillshade(layer)
    case .colorRelief: addColorRelief(layer)
    case .sky:
      var command = MeshCommand(.unsupported, layer: layer.index)
      command.reason = "nothing is drawn for layers of type sky"
      append(command)
    case .custom:
      var command = MeshCommand(.custom, layer: layer.index)
      command.matrix = transform.mercatorMatrix
      append(command)
    case .fill, .line, .circle:
      let opacity = base.layerOpacity(layer)
      guard opacity > 0 else { return }
      let first = commands.count
      addTiles(layer)
      guard opacity < 1 else { return }
      for number in first..<commands.count { commands[number].layerOpacity = Float(opacity) }
    }
  }

  private mutating func addTiles(_ layer: LayerInFrame) {
    for tile in layer.style.source.flatMap({ base.tiles[$0] }) ?? [] {
      switch tile.layout?.buckets[layer.index] {
      case .fill(let bucket)?: addFill(bucket, layer, tile)
      case .line(let bucket)?: addLine(bucket, layer, tile)
      case .circle(let bucket)?: addCircles(bucket, layer, tile)
      default: break
      }
    }
  }

  private mutating func takePages() {
    guard !paged.isEmpty else { return }
    let pages = Set(paged.map(\.page))
    let taken = atlases.pair.withLock { pair in
      Dictionary(
        uniqueKeysWithValues: pages.map {
          ($0, $0.isField ? pair.fields.share($0.number) : pair.pictures.share($0.number))
        })
    }
    for (command, page) in paged { commands[command].texture = place(taken[page]!) }
  }

  // MARK: Parts of commands

  mutating func append(_ command: MeshCommand) { commands.append(command) }

  mutating func append(_ command: MeshCommand, over page: AtlasPage) {
    paged.append((commands.count, page))
    commands.append(command)
  }

  mutating func place(_ block: MeshBlock) -> Int32 {
    if let known = bufferPlaces[block.id] { return known }
    let place = Int32(buffers.count)
    bufferPlaces[block.id] = place
    buffers.append(block)
    return place
  }

  mutating func place(_ texture: MeshTexture) -> Int32 {
    if let known = texturePlaces[texture.id] { return known }
    let place = Int32(textures.count)
    texturePlaces[texture.id] = place
    textures.append(texture)
    return place
  }

  mutating func place(_ texture: Texture) -> Int32 {
    texturePlaces[texture.id] ?? place(MeshTexture(texture))
  }

  /// A command over a tile's vertices in layout units, moved by `move`.
  func command(
    _ kind: MeshCommand.Kind, _ layer: LayerInFrame, _ tile: TileInFrame, move: SIMD2<Double> = .zero
  ) -> MeshCommand {
    var command = MeshCommand(kind, layer: layer.index)
    command.tile = tile.id
    command.matrix = transform.clipMatrix(for: tile.id)
    if move != .zero { command.matrix = command.matrix.translated(move.x, move.y, 0) }
    let square = tile.clipSquare
    command.clip = SIMD4<Float>(square - SIMD4(move.x, move.y, move.x, move.y))
    return command
  }

  /// Appends a command for each run of pieces of one segment and one group; a group of nil is left out.
  mutating func append(
    _ command: MeshCommand, _ pieces: [MeshPiece], groups: ((Int) -> Int?)? = nil,
    _ finish: (inout MeshCommand, Int) -> Void = { _, _ in }
  ) {
    var index = 0
    while index < pieces.count {
      let first = pieces[index]
      let group = groups.map { $0(Int(first.feature)) } ?? 0
      var end = index + 1
      while end < pieces.count, pieces[end].vertexOffset == first.vertexOffset,
        groups.map({ $0(Int(pieces[end].feature)) }) ?? 0 == group
      {
        end += 1
      }
      let last = pieces[end - 1]
      index = end
      guard let group, last.endIndex > first.firstIndex else { continue }
      var copy = command
      copy.vertexOffset = Int(first.vertexOffset)
      copy.vertexCount = Int(last.endVertex - first.vertexOffset)
      copy.indexOffset = Int(first.firstIndex)
      copy.indexCount = Int(last.endIndex - first.firstIndex)
      finish(&copy, group)
      commands.append(copy)
    }
  }

  /// The paint of each vertex from that of its piece's feature.
  func paint<Vertex: BitwiseCopyable>(
    _ layout: MeshLayout, count: Int, _ pieces: [MeshPiece], _ make: (Int) -> Vertex
  ) -> MeshBlock {
    precondition(MemoryLayout<Vertex>.stride == layout.stride)
    return MeshBlock(layout, count: count) { memory in
      let out = memory.assumingMemoryBound(to: Vertex.self)
      for piece in pieces {
        (out + Int(piece.firstVertex)).update(
          repeating: make(Int(piece.feature)), count: Int(piece.endVertex - piece.firstVertex))
      }
    }
  }
}

extension LayerBucket {
  fileprivate var lacksMesh: Bool {
    switch self {
    case .fill(let fill): !fill.meshes.isMade
    case .line(let line): !line.meshes.isMade
    // Heatmaps are summed on the CPU.
    case .circle(let circle): circle.circlePaints != nil && !circle.meshes.isMade
    case .extrusion(let extrusion): !extrusion.meshes.isMade
    case .symbol: false
    }
  }

  fileprivate func makeMesh() {
    switch self {
    case .fill(let fill): _ = fill.mesh
    case .line(let line): _ = line.blocks
    case .circle(let circle): _ = circle.mesh
    case .extrusion(let extrusion): _ = extrusion.mesh
    case .symbol: break
    }
  }
}

extension TileInFrame {
  /// The square that may be drawn on, in layout units of the tile that is drawn.
  var clipSquare: SIMD4<Double> {
    let extent = TileUnits.extent
    guard wanted.canonical.z > id.canonical.z else { return SIMD4(0, 0, extent, extent) }
    let count = UInt64(1) << UInt64(wanted.canonical.z - id.canonical.z)
    let edge = extent / Double(count)
    let x = Double(UInt64(wanted.canonical.x) - UInt64(id.canonical.x) * count) * edge
    let y = Double(UInt64(wanted.canonical.y) - UInt64(id.canonical.y) * count) * edge
    return SIMD4(x, y, x + edge, y + edge)
  }
}

extension Transform {
  /// Layout units of a tile to clip space, y up.
  func clipMatrix(for id: OverscaledTileID) -> Matrix4 {
    let edge = tileEdge(id.canonical.z)
    return projection.translated(id.column * edge, Double(id.canonical.y) * edge, 0).scaled(
      edge / TileUnits.extent, edge / TileUnits.extent, 1)
  }

  /// Device pixels to clip space.
  var pixelMatrix: Matrix4 {
    Matrix4.identity.translated(-1, 1, 0).scaled(
      2 / Double(size.deviceWidth), -2 / Double(size.deviceHeight), 1)
  }

  /// What a projection to device pixels makes of its plane, in clip space at depth 0.
  func clipMatrix(_ p: Projection) -> Matrix4 { size.clipMatrix(p) }
}

extension ViewSize {
  /// What a projection to device pixels makes of its plane, in clip space at depth 0.
  func clipMatrix(_ p: Projection) -> Matrix4 {
    let (width, height) = (Double(deviceWidth) / 2, Double(deviceHeight) / 2)
    func column(_ x: Double, _ y: Double, _ w: Double) -> SIMD4<Double> {
      SIMD4(x / width - w, w - y / height, 0, w)
    }
    return Matrix4(
      columns: (
        column(p.xx, p.yx, p.wx), column(p.xy, p.yy, p.wy), SIMD4(0, 0, 1, 0), column(p.x0, p.y0, p.w0)
      ))
  }
}
