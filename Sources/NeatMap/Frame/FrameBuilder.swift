import NeatBase
import NeatCamera
import NeatLayout
import NeatPlacement
import NeatRaster
import NeatStyle
import NeatText

/// A tile in a frame: where it lies and what was laid out for it.
struct TileInFrame {
  /// The tile that is drawn, in its copy of the world; an ancestor where the tile asked for is not to be had.
  let id: OverscaledTileID
  /// The tile asked for.
  let wanted: OverscaledTileID
  let layout: TileLayout?
  let raster: RasterTile?
  let dem: DEMInFrame?
  let projection: Projection
  /// The square that may be drawn on: that of the tile asked for.
  let clip: Projection
  /// Both for what consists of texels: on the grid of pixels.
  let rasterProjection: Projection
  let rasterClip: Projection
  /// Where the map is a globe: the tile that is drawn on it, and the tile asked for.
  var globe: GlobeTile?
  var wantedGlobe: GlobeTile?

  /// The pixels of the ground that may be drawn on; nil on the plane.
  var globeView: GlobeTileView? {
    guard let globe, let wantedGlobe else { return nil }
    return GlobeTileView(drawn: globe, wanted: wantedGlobe)
  }
  /// Whether the source has no deeper tiles, so that this one is enlarged.
  var isDeepest = false
  /// Of raster tiles that come in: milliseconds since they were first seen, and what they come in over.
  var age = Double.infinity
  var under: [TileInFrame] = []

  /// The zoom that the tile was laid out for.
  var layoutZoom: Double { Double(id.overscaledZ) }
}

/// A picture of an image source in a frame.
struct PictureInFrame {
  let tile: RasterTile
  /// The places of its corners.
  let corners: [SIMD2<Double>]
  /// Milliseconds since it was first seen.
  var age = Double.infinity

  var texture: Texture { tile.texture }
}

/// A layer in a frame: the style's, with its place in it.
struct LayerInFrame {
  let index: Int
  let style: StyleLayer
  /// Whether only the outlines of an opaque fill are drawn, outside of its polygons.
  var drawsEdge = false
  /// Whether its tiles are made each by itself, where threads share the work.
  var isInPieces = false

  /// The layer's translation as a move in layout units of a tile.
  func translate(
    _ property: Property, _ anchor: Property, _ evaluator: Evaluator, _ transform: Transform,
    _ tile: OverscaledTileID
  ) -> SIMD2<Double> {
    guard style.isSet(property) else { return .zero }
    let (offset, isViewport) = translation(property, anchor, evaluator, transform)
    return transform.tileTranslation(offset, isViewport: isViewport, tile: tile)
  }

  /// The layer's translation in logical pixels, and whether it turns with the screen.
  func translation(
    _ property: Property, _ anchor: Property, _ evaluator: Evaluator, _ transform: Transform
  ) -> (offset: SIMD2<Double>, isViewport: Bool) {
    let camera = EvaluationPoint.camera(zoom: transform.camera.zoom)
    return (
      style[property].numbers2(evaluator, at: camera),
      style[anchor].enumValue(evaluator, at: camera) == "viewport"
    )
  }
}

/// Turns a view of a map into draw commands: layers in the style's order, in each its tiles.
struct FrameBuilder {
  /// With the properties that are on their way as they are seen now.
  let style: Style
  /// Layers as the style says, by place: where those properties lead.
  let target: [StyleLayer]
  let facts: StyleFacts
  /// Whether properties are on their way: then `style` is not in all the style that the facts are about.
  let isChanging: Bool
  var transform: Transform
  let images: ImageLibrary
  let glyphs: GlyphStore
  /// Tiles of each source.
  var tiles: [String: [TileInFrame]]
  /// The same with those of the margin whose labels take part in placement.
  let labelTiles: [String: [TileInFrame]]
  /// Of image sources.
  let imageSources: [String: PictureInFrame]
  /// What the frame is made in: its commands and shapes.
  var memory: FrameMemory
  let memories: FrameMemories
  let options: MapCore.Options
  let states: FeatureStates
  var evaluator: Evaluator
  var report = Report()
  /// How the frame follows those before; nil: it is on its own.
  var step: FrameStep?
  /// How patterns and dashes go over to those of the frame's whole zoom; nil: they are there.
  var crossFade: CrossFade?
  /// The ground; nil where it is flat.
  var terrain: TerrainScene?
  /// That of the style's root, as the view has it; nil: none is seen.
  var fog: Fog?
  /// Commands that draw what lies behind the map.
  var skyCount = 0
  /// What pictures that are draped over the ground are known by; nil while properties are on their way.
  var pictureVersion: GroundPictureVersion?
  /// What is shown of the user's location.
  var puck: PuckScene?
  var commands: [DrawCommand] {
    get { memory.commands }
    _modify { yield &memory.commands }
  }
  /// Whether layers of the application's are among them.
  var hasCustom = false
  var patternImages: [String: PatternImage] = [:]
  /// Images that cannot be drawn as patterns.
  var refusedPatterns: Set<String> = []
  /// What is shown of how the map is made, and what that is about: tiles, and by layer what labels were placed by.
  var debug: DebugOptions = []
  var debugTiles: [DebugTile] = []
  var collisions: [Int: [CollisionShape]] = [:]
  /// What placement decided, by layer.
  var placed: [Int: [SymbolFrameTile]] = [:]
  /// Kept for queries: placement, and what its bucket numbers stand for.
  var placement: Placement?
  var placedBuckets: [PlacedBucket] = []
  /// What the frame leaves to the next one, how far labels have come in or gone out where some fade, and the number
  /// of those that stand.
  var outcome: FrameOutcome?
  var fade: LabelFade?
  var labelNumber: Int?
  /// Memory of the symbol layer before.
  var symbolMemory: SymbolFrame {
    get { memory.symbolFrame }
    _modify { yield &memory.symbolFrame }
  }

  /// Layers that show the same labels.
  var twins: SymbolTwins { facts.twins }

  /// Where the properties of whole layers are evaluated.
  var camera: EvaluationPoint { .camera(zoom: transform.camera.zoom) }
  /// Dashes and floor widths are those of the whole zoom below the camera's.
  var wholeZoom: EvaluationPoint { .camera(zoom: transform.camera.zoom.rounded(.down)) }

  mutating func build(_ executor: Executor = .inline) -> Frame {
    let zoom = transform.camera.zoom
    // Over a terrain layers are drawn in their order, opaque or not.
    var late: (moved: Set<Int>, after: [Int: [Int]]) = terrain == nil ? lateHeatmaps() : ([], [:])
    var layers: [LayerInFrame] = []
    let isInView = layersInView()
    // Visibility and zooms are never on their way.
    for index in facts.visible(zoom: zoom, isVisible: { style.layers[$0].isVisible(zoom: zoom, evaluator) })
    where isInView[index] || late.after[index] != nil {
      let layer = style.layers[index]
      if !late.moved.contains(index) { layers.append(LayerInFrame(index: index, style: layer)) }
      // Outlines are not drawn with what is opaque, and come over the heatmaps in the layer's own place.
      let edge =
        layer.type == .fill && late.after[index] != nil
        ? LayerInFrame(index: index, style: layer, drawsEdge: true) : nil
      for heatmap in late.after.removeValue(forKey: index) ?? [] {
        layers.append(LayerInFrame(index: heatmap, style: style.layers[heatmap]))
      }
      if let edge { layers.append(edge) }
    }
    add(&layers, executor)
    layFog()
    addAtmosphere()
    addPuck()
    addDebug()
    reportOverruns()
    var frame = Frame(
      width: transform.size.deviceWidth, height: transform.size.deviceHeight,
      content: FrameContent(memory, from: memories),
      placementNumber: labelNumber ?? 0, outcome: outcome, report: report)
    frame.hasCustom = hasCustom
    if terrain == nil { frame.ground = transform.nearGround.map(GroundEdge.below) }
    frame.showsOverdraw = debug.contains(.overdraw)
    frame.hasSmoothEdges = options.smoothEdges
    frame.failure = terrain?.failure
    return frame
  }

  /// By place: false of layers of fills, lines and circles of which no tile has any. A style has hundreds, and a view
  /// shapes of some dozens.
  private func layersInView() -> [Bool] {
    // Over a terrain layers lie on each other by groups.
    guard terrain == nil else { return facts.isOfShapes.map { _ in true } }
    var isInView = facts.isOfShapes.map { !$0 }
    for tiles in tiles.values {
      for tile in tiles {
        guard let layout = tile.layout else { continue }
        for shapes in layout.shapes { isInView[Int(shapes.layer)] = true }
      }
    }
    return isInView
  }

  mutating func add(_ layer: LayerInFrame) {
    switch layer.style.type {
    case .background: addBackground(layer)
    case .raster: addRaster(layer)
    case .symbol:
      addSymbols(layer)
      addCollisions(layer)
    case .heatmap: addHeatmap(layer)
    case .fillExtrusion: addExtrusions(layer)
    case .hillshade: addHillshade(layer)
    case .colorRelief: addColorRelief(layer)
    case .sky: break
    case .custom:
      commands.append(.custom(layer.style.id))
      hasCustom = true
    case .fill where layer.drawsEdge: addEdge(layer)
    case .fill, .line, .circle: addWhole(layer) { $0.addTiles(layer) }
    }
  }

  mutating func addTiles(_ layer: LayerInFrame) {
    for tile in layer.style.source.flatMap({ tiles[$0] }) ?? [] { add(tile, layer) }
  }

  /// Adds what a layer of fills, lines or circles draws of a tile.
  mutating func add(_ tile: TileInFrame, _ layer: LayerInFrame) {
    switch tile.layout?.buckets[layer.index] {
    case .fill(let bucket)?: addFill(bucket, layer, tile)
    case .line(let bucket)?: addLine(bucket, layer, tile)
    case .circle(let bucket)?: addCircles(bucket, layer, tile)
    default: break
    }
  }

  /// The zoom of the tiles that the background consists of.
  var groundZoom: UInt8 { UInt8(clamping: TileCover().zoom(for: transform.camera)) }

  private mutating func addBackground(_ layer: LayerInFrame) {
    let opacity = Float(layer.style[.backgroundOpacity].number(evaluator, at: camera))
    guard opacity > 0 else { return }
    if layer.style.isSet(.backgroundPattern) {
      return addBackgroundPattern(layer, opacity)
    }
    let color = Premultiplied(
      premultiplied: layer.style[.backgroundColor].color(evaluator, at: camera).premultiplied,
      opacity: opacity)
    guard !color.isTransparent else { return }
    if let globe = transform.globe {
      commands.append(.globeBackground(color, globe, zoom: groundZoom))
    } else if let worlds = worldsInView {
      commands.append(.world(WorldDraw(color: color, worlds: worlds)))
    } else {
      commands.append(.background(color))
    }
  }
}
