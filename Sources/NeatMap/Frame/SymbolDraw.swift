import NeatBase
import NeatLayout
import NeatPlacement
import NeatRaster
import NeatStyle
import NeatText

/// The icons and texts of one symbol layer, in device pixels.
package struct SymbolDraw: Sendable {
  let shapes: SymbolShapes
  /// Of the shapes' runs.
  let runs: Range<Int>
  let pixelRatio: Float
  /// Keeps the images alive whose pixels the quads point to.
  let images: ImageLibrary

  func draw(_ worker: BandWorker) { shapes.draw(runs, pixelRatio: pixelRatio, worker) }
}

/// The icons and texts of all symbol layers of a frame, in one place, which serves for one frame after the other.
/// One thread adds; when all is there, any number may draw.
final class SymbolShapes: @unchecked Sendable {
  /// Quads that are drawn together: distance fields (all halos, then all fills), then pictures.
  private struct Run {
    var fields: Range<Int>
    var pictures: Range<Int>
  }

  @exclusivity(unchecked) private var runs: [Run] = []
  @exclusivity(unchecked) private var fields: [NeatRaster.GlyphQuad] = []
  @exclusivity(unchecked) private var pictures: [NeatRaster.IconQuad] = []
  @exclusivity(unchecked) private var paints: [GlyphPaint] = []
  /// Images that there is no memory for.
  @exclusivity(unchecked) private(set) var refused: [(image: StyleImage, error: NeatError)] = []

  /// Empties it, and keeps its memory. Nothing that was made in it may be drawn any more.
  func removeAll() {
    runs.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    pictures.removeAll(keepingCapacity: true)
    paints.removeAll(keepingCapacity: true)
    refused.removeAll()
  }

  /// Bytes that it holds.
  var byteCount: Int {
    runs.heldBytes + fields.heldBytes
      + pictures.heldBytes
      + paints.heldBytes
  }

  /// Adds what they cost to draw, by steps of rows.
  func addCosts(to sums: inout [Float], height: Int) {
    fields.withUnsafeBufferPointer { addGlyphCosts($0, to: &sums, height: height) }
    pictures.withUnsafeBufferPointer { addIconCosts($0, to: &sums, height: height) }
  }

  /// Adds a layer; the numbers of its runs.
  func add(_ frame: SymbolFrame, _ glyphs: GlyphStore, _ images: ImageLibrary) -> Range<Int> {
    let first = runs.count
    fields.reserve(frame.glyphs.count)
    pictures.reserve(frame.icons.count + frame.textImages.count)
    for range in frame.iconRuns {
      let start = (fields.count, pictures.count)
      for number in range { add(frame.icons[number], frame, glyphs, images) }
      endRun(start)
    }
    for text in frame.textRuns {
      let start = (fields.count, pictures.count)
      for number in text.glyphs { add(frame.glyphs[number], frame, glyphs) }
      for number in text.images { add(frame.textImages[number], frame, glyphs, images) }
      endRun(start)
    }
    return first..<runs.count
  }

  /// What was added since becomes a run.
  private func endRun(_ start: (fields: Int, pictures: Int)) {
    guard fields.count > start.fields || pictures.count > start.pictures else { return }
    runs.append(Run(fields: start.fields..<fields.count, pictures: start.pictures..<pictures.count))
  }

  private func add(_ instance: GlyphInstance, _ frame: SymbolFrame, _ glyphs: GlyphStore) {
    let glyph = glyphs.glyph(instance.glyph)
    guard let pixels = glyph.pixels else { return }
    let (width, height) = (Float(glyph.bitmapWidth), Float(glyph.bitmapHeight))
    let texture = SIMD4<Float>(-1, -1, width + 1, height + 1)
    let paint = self.paint(
      frame.inks[Int(instance.ink)], fontScale: instance.fontScale, gammaScale: instance.gammaScale)
    let maps = SymbolMaps(instance.quad, texture: texture)
    let rect = TexelRect(u0: -1, v0: -1, u1: width + 1, v1: height + 1)
    func append(_ map: Projection, _ half: QuadHalf) {
      fields.append(
        NeatRaster.GlyphQuad(
          bitmap: pixels, width: Int(bounded: width), height: Int(bounded: height), map: map, rect: rect,
          half: half, paint: paint))
    }
    append(maps.first, maps.second == nil ? .whole : .upper)
    if let second = maps.second { append(second, .lower) }
  }

  private func add(
    _ instance: IconInstance, _ frame: SymbolFrame, _ glyphs: GlyphStore, _ images: ImageLibrary
  ) {
    let maps = SymbolMaps(instance.quad, texture: instance.texture)
    add(instance, maps.first, maps.second == nil ? .whole : .upper, frame, glyphs, images)
    if let second = maps.second { add(instance, second, .lower, frame, glyphs, images) }
  }

  private func add(
    _ instance: IconInstance, _ map: Projection, _ half: QuadHalf, _ frame: SymbolFrame,
    _ glyphs: GlyphStore, _ images: ImageLibrary
  ) {
    let rect = TexelRect(
      u0: instance.texture.x, v0: instance.texture.y, u1: instance.texture.z, v1: instance.texture.w)
    let ink = frame.inks[Int(instance.ink)]
    if instance.glyph >= 0 {
      let glyph = glyphs.glyph(instance.glyph)
      guard let colors = glyph.colors else { return }
      pictures.append(
        NeatRaster.IconQuad(
          pixels: colors, width: Int(glyph.bitmapWidth), height: Int(glyph.bitmapHeight), map: map,
          rect: rect, half: half, opacity: ink.opacity, isNearest: false))
      return
    }
    guard let image = images[number: instance.image], !refused.contains(where: { $0.image === image }) else {
      return
    }
    do throws(NeatError) { try add(image, instance, map, rect, half, ink) } catch {
      refused.append((image, error))
    }
  }

  private func add(
    _ image: StyleImage, _ instance: IconInstance, _ map: Projection, _ rect: TexelRect, _ half: QuadHalf,
    _ ink: SymbolInk
  ) throws(NeatError) {
    if instance.isSDF, let field = try image.field() {
      let paint = self.paint(ink, fontScale: instance.fontScale, gammaScale: instance.gammaScale)
      fields.append(
        NeatRaster.GlyphQuad(
          bitmap: field, width: image.width, height: image.height, map: map, rect: rect,
          half: half, paint: paint))
    } else {
      pictures.append(
        NeatRaster.IconQuad(
          pixels: try image.texture().pixels, width: image.width, height: image.height, map: map, rect: rect,
          half: half, opacity: ink.opacity, isNearest: !instance.isSmooth))
    }
  }

  /// The number of a paint; the last one serves again where it is the same.
  private func paint(_ ink: SymbolInk, fontScale: Float, gammaScale: Float) -> Int {
    let made = GlyphPaint(
      fill: Premultiplied(ink.fill, opacity: ink.opacity),
      halo: Premultiplied(ink.halo, opacity: ink.opacity), haloWidth: ink.haloWidth,
      haloBlur: ink.haloBlur, fontScale: fontScale, gammaScale: gammaScale)
    if let last = paints.last, last.fill == made.fill, last.halo == made.halo,
      last.haloWidth == made.haloWidth,
      last.haloBlur == made.haloBlur,
      last.fontScale == made.fontScale, last.gammaScale == made.gammaScale
    {
      return paints.count - 1
    }
    paints.append(made)
    return paints.count - 1
  }

  fileprivate func draw(_ numbers: Range<Int>, pixelRatio: Float, _ worker: BandWorker) {
    let (band, scratch) = (worker.band, worker.scratch)
    paints.withUnsafeBufferPointer { paints in
      fields.withUnsafeBufferPointer { fields in
        pictures.withUnsafeBufferPointer { pictures in
          for number in numbers {
            let run = runs[number]
            if !run.fields.isEmpty {
              let quads = UnsafeBufferPointer(rebasing: fields[run.fields])
              drawGlyphs(quads, paints: paints, pixelRatio: pixelRatio, band: band, scratch)
            }
            if !run.pictures.isEmpty {
              drawIcons(UnsafeBufferPointer(rebasing: pictures[run.pictures]), band: band)
            }
          }
        }
      }
    }
  }
}

extension Array {
  /// Room for `extra` more, growing by half at least: not to the exact size, as `reserveCapacity` would each time.
  fileprivate mutating func reserve(_ extra: Int) {
    if capacity - count < extra { reserveCapacity(Swift.max(count + extra, capacity + capacity / 2)) }
  }
}

/// A tile's symbols of one layer, as placement counts them.
struct PlacedBucket {
  let layer: Int
  let source: String
  let bucket: SymbolBucket
  let tile: OverscaledTileID
}

extension FrameBuilder {
  /// Decides which labels stand: symbol layers from the top of the style down.
  mutating func placeSymbols() {
    defer { shareLabels() }
    if let step { return standLabels(step) }
    let labelView = transform.labelView
    let view = labelView.placementView
    let placement = Placement(
      view: view, crossSourceCollisions: options.crossSourceCollisions,
      recordsShapes: debug.contains(.collision))
    let tileLabels = transform.labelGrid.map {
      let margin = SIMD2(repeating: Double(transform.labelMargin))
      return TileLabels(
        view: view, crossSourceCollisions: options.crossSourceCollisions,
        grid: TileGrid(edge: $0, origin: margin, end: SIMD2(view.width, view.height) - margin))
    }
    var ofTiles: [(layer: Int, tiles: [(bucket: SymbolBucket, tile: PlacementTile)])] = []
    for (index, layer) in style.layers.enumerated().reversed() where layer.type == .symbol {
      guard !twins.isFollower(index), layer.isVisible(zoom: transform.camera.zoom, evaluator),
        let source = layer.source
      else { continue }
      var seen: Set<OverscaledTileID> = []
      var found: [(bucket: SymbolBucket, tile: PlacementTile)] = []
      for tile in labelTiles[source] ?? [] {
        guard case .symbol(let bucket)? = tile.layout?.buckets[index], seen.insert(tile.id).inserted else {
          continue
        }
        found.append((bucket, labelView.placementTile(tile.id)))
      }
      guard !found.isEmpty else { continue }
      let settings = SymbolLayerLayout(layer, evaluator, at: camera).settings
      let group = UInt16(truncatingIfNeeded: style.sources.firstIndex { $0.id == source } ?? 0)
      let firstBucket = placedBuckets.count
      placedBuckets += found.map {
        PlacedBucket(layer: index, source: source, bucket: $0.bucket, tile: $0.tile.id)
      }
      let buckets = found.enumerated().map { number, entry in
        var bucket = entry.bucket.placementBucket(
          matrix: entry.tile.matrix, wrap: entry.tile.id.wrap, zoom: transform.camera.zoom,
          evaluator: evaluator,
          bucketID: UInt32(firstBucket + number), group: group)
        guard tileLabels != nil else { return bucket }
        bucket.ink = entry.bucket.inks(zoom: transform.camera.zoom, evaluator)
        bucket.standsIn = squares(of: entry.tile.id, in: labelTiles[source] ?? [])
        return bucket
      }
      if let tileLabels {
        tileLabels.add(settings, buckets)
        ofTiles.append((index, found))
      } else {
        keep(placement.place(settings, buckets), found, layer: index)
      }
    }
    self.placement = placement
    guard let tileLabels else {
      return takeShapes(of: placement) { [placedBuckets] in placedBuckets[$0].layer }
    }
    let (tilePlacement, states) = tileLabels.place()
    for ((index, found), states) in zip(ofTiles, states) { keep(states, found, layer: index) }
    self.placement = tilePlacement
  }

  /// The squares, in its units, of the tiles that a tile stands in for; nil for one that stands for itself. Beside
  /// them other tiles have the labels, in each view that needs no stand-in there.
  private func squares(of id: OverscaledTileID, in tiles: [TileInFrame]) -> [CollisionRect]? {
    var squares: [CollisionRect] = []
    for tile in tiles where tile.id == id {
      let levels = Int(tile.wanted.canonical.z) - Int(id.canonical.z)
      guard levels > 0 else { return nil }
      let edge = TileUnits.extent / exp2(Double(levels))
      let x = Double(tile.wanted.canonical.x) * edge - Double(id.canonical.x) * TileUnits.extent
      let y = Double(tile.wanted.canonical.y) * edge - Double(id.canonical.y) * TileUnits.extent
      squares.append(CollisionRect(Float(x), Float(y), Float(x + edge), Float(y + edge)))
    }
    return squares
  }

  /// Takes what was decided of a layer.
  private mutating func keep(
    _ states: [[SymbolState]], _ found: [(bucket: SymbolBucket, tile: PlacementTile)], layer index: Int
  ) {
    placed[index] = zip(found, states).map {
      SymbolFrameTile(
        bucket: $0.bucket, states: $1, tile: shownTile($0.tile.id), layer: style.layers[index])
    }
  }

  /// Keeps what labels were placed by, by layer.
  mutating func takeShapes(of placement: Placement, layer: (Int) -> Int?) {
    for shape in placement.shapes ?? [] {
      if let layer = layer(Int(shape.bucket)) { collisions[layer, default: []].append(shape) }
    }
  }

  /// What stands of a layer, on the screen; nil for nothing. It is made in the memory of the layer before: whoever
  /// is done with it leaves it as `symbolMemory`.
  mutating func symbolFrame(_ layer: LayerInFrame) -> SymbolFrame? {
    guard let tiles = placed[layer.index] else { return nil }
    var memory = SymbolFrame()
    swap(&memory, &symbolMemory)
    let frame = SymbolFrame(
      tiles: tiles, view: transform.placementView, evaluator: evaluator, fade: fade,
      featureState: featureState(layer.style), spreadsLetters: options.spreadLetters,
      reusing: consume memory)
    guard !frame.isEmpty else {
      symbolMemory = frame
      return nil
    }
    return frame
  }

  mutating func addSymbols(_ layer: LayerInFrame) {
    guard let frame = symbolFrame(layer) else { return }
    let known = memory.symbols.refused.count
    let runs = memory.symbols.add(frame, glyphs, images)
    symbolMemory = frame
    for (image, error) in memory.symbols.refused[known...] {
      report(error, image: image.name, layer: layer.index)
    }
    commands.append(
      .symbols(
        SymbolDraw(
          shapes: memory.symbols, runs: runs, pixelRatio: Float(transform.size.pixelRatio), images: images)))
  }

  /// How a layer's features find their states; nil where there are none.
  private func featureState(_ layer: StyleLayer) -> ((SymbolBucket, Int) -> FeatureState?)? {
    guard let source = layer.source,
      let table = states.table(layer, promoteID: style.source(source)?.promoteID)
    else { return nil }
    return { bucket, feature in table.state(bucket.tileLayer, feature) }
  }
}

/// How the texels of a quad come to the screen: by one map where the quad is flat, else by one for each half.
private struct SymbolMaps {
  let first: Projection
  /// Of the lower half.
  let second: Projection?

  /// - Parameter texture: the rectangle that the quad spans: left, top, right, bottom.
  init(_ quad: ScreenQuad, texture: SIMD4<Float>) {
    func homogeneous(_ point: SIMD2<Float>, _ depth: Float) -> SIMD3<Double> {
      SIMD3(Double(point.x), Double(point.y), 1) * Double(depth)
    }
    let a = homogeneous(quad.topLeft, quad.depths[0]), b = homogeneous(quad.topRight, quad.depths[1])
    let c = homogeneous(quad.bottomLeft, quad.depths[2])
    first = SymbolMaps.map(a, b, c, texture)
    let flat = b + c - a
    let miss = SIMD2(flat.x, flat.y) / flat.z - SIMD2<Double>(quad.bottomRight)
    guard !(max(abs(miss.x), abs(miss.y)) <= 1.0 / 64) else {
      second = nil
      return
    }
    let d = homogeneous(quad.bottomRight, quad.depths[3])
    second = SymbolMaps.map(b + c - d, b, c, texture)
  }

  /// By where the corners of the rectangle come to: top left, top right, bottom left.
  private static func map(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>, _ texture: SIMD4<Float>
  ) -> Projection {
    let right = (b - a) / Double(texture.z - texture.x), down = (c - a) / Double(texture.w - texture.y)
    let start = a - right * Double(texture.x) - down * Double(texture.y)
    var map = Projection(xx: right.x, xy: down.x, x0: start.x, yx: right.y, yy: down.y, y0: start.y)
    (map.wx, map.wy, map.w0) = (right.z, down.z, start.z)
    return map
  }
}
