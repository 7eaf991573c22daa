import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster
import NeatStyle

/// A heatmap layer: the kernels of all its tiles are summed once a frame, then every band colours its part.
package struct HeatmapDraw: Sendable {
  let points: [HeatPoint]
  /// How each point's kernel lies on the frame; empty where all face the viewer.
  let axes: [CircleAxes]
  let ramp: ColorRamp
  let opacity: Float
  /// The sums, once there.
  var field: HeatField?

  func draw(_ band: Band) {
    if let field { drawHeatmap(field, ramp: ramp, opacity: opacity, band: band) }
  }

  /// The same with its sums made. Cells add points in their order, so that the number of workers does not
  /// matter.
  func summed(width: Int, height: Int, _ executor: Executor) -> HeatmapDraw {
    let field = HeatField(frameWidth: width, frameHeight: height)
    let parts = min(executor.width * 2, field.height)
    executor.forEach(parts) { part in
      let rows = field.height * part / parts..<field.height * (part + 1) / parts
      points.withUnsafeBufferPointer { points in
        if axes.isEmpty {
          field.add(points, rows: rows)
        } else {
          for index in points.indices {
            field.add(UnsafeBufferPointer(rebasing: points[index..<index + 1]), axes: axes[index], rows: rows)
          }
        }
      }
    }
    var copy = self
    copy.field = field
    return copy
  }
}

extension FrameBuilder {
  mutating func addHeatmap(_ layer: LayerInFrame) {
    let opacity = Float(layer.style[.heatmapOpacity].number(evaluator, at: camera))
    guard opacity > 0, let source = layer.style.source else { return }
    let intensity = Float(layer.style[.heatmapIntensity].number(evaluator, at: camera))
    var points: [HeatPoint] = []
    var axes: [CircleAxes] = []
    for tile in tiles[source] ?? [] {
      guard case .circle(let bucket)? = tile.layout?.buckets[layer.index] else { continue }
      add(bucket, layer.style, tile, intensity: intensity, &points, &axes)
    }
    guard !points.isEmpty else { return }
    commands.append(
      .heatmap(HeatmapDraw(points: points, axes: axes, ramp: heatRamp(layer.style), opacity: opacity)))
  }

  private func add(
    _ bucket: CircleBucket, _ style: StyleLayer, _ tile: TileInFrame, intensity: Float,
    _ points: inout [HeatPoint],
    _ axes: inout [CircleAxes]
  ) {
    guard let paints = bucket.heatPaints else { return }
    let radius = paints.radius.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: style)
    let weight = paints.weight.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: style)
    let projection = tile.projection
    // Kernels lie on the ground: their radius counts in logical pixels there.
    let unitsPerPixel = TileUnits.extent / transform.tileEdge(tile.id.canonical.z)
    let ratio = Float(transform.size.pixelRatio)
    let ground = transform.ground?.heights(tile.id)
    let lift = transform.metricMatrix(for: tile.id).columns.2
    for (index, center) in bucket.centers.enumerated() {
      let at = Int(bucket.positions[index])
      if let globe = tile.globe {
        let place = SIMD2<Double>(center)
        guard let disc = globe.disc(place, pixels: 1, unitsPerPixel: unitsPerPixel), disc.side.z >= 0
        else { continue }
        let map = disc.map, p = map(0, 0)
        points.append(
          HeatPoint(center: SIMD2<Float>(p), radius: radius[at], weight: weight[at] * intensity))
        axes.append(
          CircleAxes(
            x: SIMD2<Float>(SIMD2(map.xx - p.x * map.wx, map.yx - p.y * map.wx) / map.w0),
            y: SIMD2<Float>(SIMD2(map.xy - p.x * map.wy, map.yy - p.y * map.wy) / map.w0)))
        continue
      }
      var p = projection.homogeneous(Double(center.x), Double(center.y))
      if let ground {
        let height = ground(SIMD2(Double(center.x), Double(center.y)))
        p += SIMD4(lift.x, lift.y, lift.w, 0) * height
      }
      guard p.z > 0 else { continue }
      let (x, y) = (p.x / p.z, p.y / p.z)
      let pixels = radius[at]
      points.append(
        HeatPoint(
          center: SIMD2(Float(x), Float(y)), radius: transform.isFlat ? pixels * ratio : pixels,
          weight: weight[at] * intensity))
      if transform.isFlat { continue }
      let scale = unitsPerPixel / p.z
      axes.append(
        CircleAxes(
          x: SIMD2(
            Float((projection.xx - x * projection.wx) * scale),
            Float((projection.yx - y * projection.wx) * scale)),
          y: SIMD2(
            Float((projection.xy - x * projection.wy) * scale),
            Float((projection.yy - y * projection.wy) * scale))))
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
