import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster
import NeatStyle

/// The extrusions of one layer: all tiles together, so that the layer's opacity applies once.
package struct ExtrusionDraw: Sendable {
  /// Triangles of one feature, and the rows of the frame that they can touch.
  struct Piece: Sendable {
    var indices: Range<Int>
    var top: Float
    var bottom: Float
  }

  var vertices: [DepthVertex] = []
  var indices: [UInt32] = []
  var pieces: [Piece] = []
  let opacity: Float
  /// Whether triangles that are seen from behind are left out.
  var isCulled = true

  func draw(_ band: Band, _ layer: DepthLayer) {
    vertices.withUnsafeBufferPointer { vertices in
      indices.withUnsafeBufferPointer { indices in
        for piece in pieces where piece.bottom >= Float(band.y0) && piece.top <= Float(band.y1) {
          drawTriangles(
            vertices, indices: UnsafeBufferPointer(rebasing: indices[piece.indices]), culled: isCulled,
            layer: layer)
        }
      }
    }
    layer.composite(band, opacity: opacity)
  }
}

extension FrameBuilder {
  mutating func addExtrusions(_ layer: LayerInFrame) {
    let opacity = Float(layer.style[.fillExtrusionOpacity].number(evaluator, at: camera))
    guard opacity > 0, let source = layer.style.source else { return }
    var draw = ExtrusionDraw(opacity: opacity)
    let light = extrusionLight()
    let hasGradient = layer.style[.fillExtrusionVerticalGradient].bool(evaluator, at: camera)
    for tile in tiles[source] ?? [] {
      guard case .extrusion(let bucket)? = tile.layout?.buckets[layer.index] else { continue }
      let move = layer.translate(
        .fillExtrusionTranslate, .fillExtrusionTranslateAnchor, evaluator, transform, tile.id)
      let matrix = transform.metricMatrix(for: tile.id).translated(move.x, move.y, 0)
      let mesher = ExtrusionMesher(
        bucket: bucket, matrix: matrix, ground: transform.ground?.heights(tile.id), light: light,
        hasGradient: hasGradient,
        width: Float(transform.size.deviceWidth),
        height: Float(transform.size.deviceHeight),
        colors: bucket.color.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style),
        bases: bucket.base.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style),
        heights: bucket.height.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style))
      for index in bucket.pieces.indices { mesher.add(index, to: &draw) }
    }
    if !draw.indices.isEmpty { commands.append(.extrusion(draw)) }
  }

  func extrusionLight() -> ExtrusionLight {
    let light = style.light
    let place = light[.lightPosition].numbers3(evaluator, at: camera)
    let color = light[.lightColor].color(evaluator, at: camera)
    let isViewport = light[.lightAnchor].enumValue(evaluator, at: camera) == "viewport"
    let turn = isViewport ? Float(transform.camera.heading * .pi / 180) : 0
    return ExtrusionLight(
      position: ExtrusionLight.position(
        radial: Float(place.x), azimuth: Float(place.y), polar: Float(place.z), turn: turn),
      color: SIMD3(color.r, color.g, color.b),
      intensity: Float(light[.lightIntensity].number(evaluator, at: camera)))
  }
}

extension Transform {
  /// Logical pixels that a metre of height has, at the latitude of the camera's centre.
  var pixelsPerMeter: Double {
    let latitude = min(max(camera.center.lat, -Mercator.maxLatitude), Mercator.maxLatitude)
    return worldSize / (Mercator.earthCircumference * cos(latitude * .pi / 180))
  }

  /// Layout units and metres above the ground to device pixels.
  func metricMatrix(for id: OverscaledTileID) -> Matrix4 { matrix(for: id).scaled(1, 1, pixelsPerMeter) }
}

/// Makes triangles with depth of a bucket's features.
private struct ExtrusionMesher {
  let bucket: ExtrusionBucket
  let matrix: Matrix4
  /// The heights that the features stand on.
  let ground: GroundHeights.HeightOfPlace?
  let light: ExtrusionLight
  let hasGradient: Bool
  let width: Float
  let height: Float
  let colors: ResolvedColors
  let bases: ResolvedNumbers
  let heights: ResolvedNumbers

  private func project(_ x: Float, _ y: Float, _ z: Double) -> SIMD4<Float> {
    SIMD4<Float>(matrix * SIMD4(Double(x), Double(y), z, 1))
  }

  func add(_ index: Int, to draw: inout ExtrusionDraw) {
    let piece = bucket.pieces[index]
    let (base, top) = (max(0, bases[index]), max(0, heights[index]))
    guard !piece.points.isEmpty || !piece.walls.isEmpty, base.isFinite, top.isFinite else { return }
    let (floor, ceiling) = levels(piece, Double(base), Double(top))
    guard let rows = rows(piece.bounds, floor, ceiling) else { return }
    let c = colors[index]
    let color = Color(r: c.x, g: c.y, b: c.z, a: 1)
    func shade(_ normal: SIMD3<Float>, _ isTop: Bool) -> SIMD4<Float> {
      SIMD4(
        light.shade(color, normal: normal, base: base, height: top, isTop: isTop, hasGradient: hasGradient), 1
      )
    }
    let first = draw.indices.count
    let roofStart = UInt32(draw.vertices.count)
    let roofColor = shade(SIMD3(0, 0, 1), true)
    for point in bucket.points[piece.points] {
      draw.vertices.append(DepthVertex(position: project(point.x, point.y, ceiling), color: roofColor))
    }
    let offset = UInt32(piece.points.lowerBound)
    for corner in bucket.roofs[piece.roof] { draw.indices.append(roofStart + corner - offset) }
    for wall in bucket.walls[piece.walls] { add(wall, floor, ceiling, shade, to: &draw) }
    draw.pieces.append(
      ExtrusionDraw.Piece(indices: first..<draw.indices.count, top: rows.lowerBound, bottom: rows.upperBound))
  }

  /// Base and top above the sea: what stands on a terrain is lifted by the height under its middle, and what
  /// begins at the ground reaches a little below it, so that it does not hang over a slope.
  private func levels(_ piece: ExtrusionBucket.Piece, _ base: Double, _ top: Double) -> (Double, Double) {
    guard let ground, !piece.points.isEmpty else { return (base, top) }
    var sum = SIMD2<Double>.zero
    for point in bucket.points[piece.points] { sum += SIMD2(Double(point.x), Double(point.y)) }
    let middle = sum / Double(piece.points.count)
    let lift = ground(SIMD2(middle.x.rounded(.down), middle.y.rounded(.down)))
    return (base + lift - (base > 0 ? 0 : 10), top + lift)
  }

  private func add(
    _ wall: SIMD4<Float>, _ base: Double, _ top: Double, _ shade: (SIMD3<Float>, Bool) -> SIMD4<Float>,
    to draw: inout ExtrusionDraw
  ) {
    let along = SIMD2(wall.z - wall.x, wall.w - wall.y)
    let length = (along.x * along.x + along.y * along.y).squareRoot()
    // Towards the inside, as the formulas of the light have it.
    let normal = SIMD3(-along.y / length, along.x / length, 0)
    let (low, high) = (shade(normal, false), shade(normal, true))
    let start = UInt32(draw.vertices.count)
    draw.vertices.append(DepthVertex(position: project(wall.x, wall.y, base), color: low))
    draw.vertices.append(DepthVertex(position: project(wall.x, wall.y, top), color: high))
    draw.vertices.append(DepthVertex(position: project(wall.z, wall.w, base), color: low))
    draw.vertices.append(DepthVertex(position: project(wall.z, wall.w, top), color: high))
    for corner in [0, 1, 2, 1, 3, 2] as [UInt32] { draw.indices.append(start + corner) }
  }

  /// The rows that the box over a feature reaches; nil where it lies outside the frame.
  private func rows(_ bounds: FeatureBounds, _ base: Double, _ top: Double) -> ClosedRange<Float>? {
    var low = SIMD2<Float>(repeating: .infinity), high = SIMD2<Float>(repeating: -.infinity)
    for z in [base, top] {
      for (x, y) in [(bounds.x, bounds.y), (bounds.z, bounds.y), (bounds.z, bounds.w), (bounds.x, bounds.w)] {
        let p = project(x, y, z)
        guard p.w > 1e-4 else { return -Float.infinity...Float.infinity }
        let pixel = SIMD2(p.x, p.y) / p.w
        low = pointwiseMin(low, pixel)
        high = pointwiseMax(high, pixel)
      }
    }
    guard low.x <= width, high.x >= 0, low.y <= height, high.y >= 0 else { return nil }
    return low.y - 1...high.y + 1
  }
}
