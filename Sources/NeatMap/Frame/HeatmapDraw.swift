import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster
import NeatStyle

/// A heatmap layer, or over a terrain that of one tile: the kernels are summed once a frame, then every band colours
/// its part.
package struct HeatmapDraw: Sendable {
  var points: [HeatPoint] = []
  /// Kernels that are seen in perspective.
  var sheets: [HeatSheet] = []
  let ramp: ColorRamp
  let opacity: Float
  /// Cells of the sums along both sides; nil: one to four pixels of the frame.
  var cells: Int?
  /// The sums, once there.
  var field: HeatField?

  init(ramp: ColorRamp, opacity: Float) { (self.ramp, self.opacity) = (ramp, opacity) }

  var isEmpty: Bool { points.isEmpty && sheets.isEmpty }

  func draw(_ band: Band) {
    if let field { drawHeatmap(field, ramp: ramp, opacity: opacity, band: band) }
  }

  /// The same with its sums made. Cells add points in their order, so that the number of workers does not
  /// matter.
  func summed(width: Int, height: Int, _ executor: Executor) -> HeatmapDraw {
    let field = HeatField(frameWidth: width, frameHeight: height, cells: cells)
    let parts = min(executor.width * 2, field.height)
    executor.forEach(parts) { part in
      let rows = field.height * part / parts..<field.height * (part + 1) / parts
      for sheet in sheets { field.add(sheet, rows: rows) }
      points.withUnsafeBufferPointer { field.add($0, rows: rows) }
    }
    var copy = self
    copy.field = field
    return copy
  }
}

extension FrameBuilder {
  /// Cells along the sums of a tile over a terrain: as many as the tile has logical pixels.
  private static let cellsOfTile = 512

  /// Over a terrain the kernels of each tile are summed and coloured by themselves, as MapLibre GL JS does it.
  mutating func addHeatmap(_ layer: LayerInFrame) {
    let opacity = Float(layer.style[.heatmapOpacity].number(evaluator, at: camera))
    guard opacity > 0, let source = layer.style.source else { return }
    let intensity = Float(layer.style[.heatmapIntensity].number(evaluator, at: camera))
    let empty = HeatmapDraw(ramp: heatRamp(layer.style), opacity: opacity)
    var draw = empty
    for tile in tiles[source] ?? [] {
      guard case .circle(let bucket)? = tile.layout?.buckets[layer.index] else { continue }
      if terrain != nil {
        draw = empty
        draw.cells = FrameBuilder.cellsOfTile
      }
      add(bucket, layer.style, tile, intensity: intensity, to: &draw)
      if terrain != nil, !draw.isEmpty { commands.append(.heatmap(draw)) }
    }
    if terrain == nil, !draw.isEmpty { commands.append(.heatmap(draw)) }
  }

  private func add(
    _ bucket: CircleBucket, _ style: StyleLayer, _ tile: TileInFrame, intensity: Float,
    to draw: inout HeatmapDraw
  ) {
    guard let paints = bucket.heatPaints else { return }
    let radius = paints.radius.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: style)
    let weight = paints.weight.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: style)
    let projection = tile.projection
    // Kernels lie on the ground: their radius counts in logical pixels there.
    let unitsPerPixel = TileUnits.extent / transform.tileEdge(tile.id.canonical.z)
    let ratio = Float(transform.size.pixelRatio)
    let ground = transform.ground?.heights(tile.id)
    let matrix = transform.metricMatrix(for: tile.id)
    for (index, center) in bucket.centers.enumerated() {
      let at = Int(bucket.positions[index])
      if let globe = tile.globe {
        // Over a terrain MapLibre GL JS takes pixels as they are at the equator.
        let pixels = Double(radius[at]) / (terrain == nil ? 1 : globe.surface.centerCosine)
        let sheet = globe.sheet(
          SIMD2<Double>(center), pixels: pixels, weight: weight[at] * intensity,
          unitsPerPixel: unitsPerPixel)
        if let sheet { draw.sheets.append(sheet) }
        continue
      }
      if transform.isFlat {
        let p = projection(Double(center.x), Double(center.y))
        draw.points.append(
          HeatPoint(center: SIMD2<Float>(p), radius: radius[at] * ratio, weight: weight[at] * intensity))
        continue
      }
      guard let reach = HeatSheet.reach(weight: weight[at] * intensity) else { continue }
      let place = SIMD2<Double>(center)
      let height = ground?(place) ?? 0, half = reach * Double(radius[at]) * unitsPerPixel
      draw.sheets.append(
        HeatSheet(lines: HeatSheet.flatLines, reach: reach, weight: weight[at] * intensity) { x, y in
          var p = matrix * SIMD4(place.x + x * half, place.y + y * half, height, 1)
          p.z = 0
          return p
        })
    }
  }

  private func heatRamp(_ style: StyleLayer) -> ColorRamp {
    var colors: [Premultiplied] = []
    colors.reserveCapacity(ColorRamp.count)
    for step in 0..<ColorRamp.count {
      let density = Double(step) / Double(ColorRamp.count - 1)
      let place = EvaluationPoint.ramp(RampInputs(heatmapDensity: density), zoom: camera.zoom)
      let color = style[.heatmapColor].color(evaluator, at: place)
      colors.append(Premultiplied(premultiplied: color.premultiplied))
    }
    return ColorRamp(colors)
  }
}
