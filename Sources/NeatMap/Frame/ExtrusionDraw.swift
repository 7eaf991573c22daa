import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster
import NeatStyle

/// The extrusions of one layer: all tiles together, so that the layer's opacity applies once.
package struct ExtrusionDraw: Sendable {
  /// Faces of one feature, and the rows of the frame that they can touch.
  struct Piece: Sendable {
    /// Indices of walls, four each, in `walls`.
    var walls = 0..<0
    /// Indices of triangles.
    var triangles: Range<Int>
    var top: Float
    var bottom: Float
    /// Place in `patterns`; -1 for none.
    var pattern = -1
  }

  var vertices: [DepthVertex] = []
  var walls: [UInt32] = []
  var triangles: [UInt32] = []
  var pieces: [Piece] = []
  var patterns: [PatternImage] = []
  let opacity: Float
  /// Whether faces that are seen from behind are left out.
  var isCulled = true
  /// Whether the roof of a feature lies in one plane: on a globe it follows the ground.
  var hasFlatRoofs = true
  /// The fog that they stand in.
  var fog: DepthFog?
  /// The globe that hides what stands behind its horizon.
  var globe: GlobeSurface?

  init(opacity: Float) { self.opacity = opacity }

  var isEmpty: Bool { pieces.isEmpty }

  /// Faces of all pieces.
  var faceCount: Int { walls.count / 4 + triangles.count / 3 }

  /// Bytes of what it draws.
  var byteCount: Int {
    vertices.heldBytes + walls.heldBytes + triangles.heldBytes + pieces.heldBytes
  }

  func draw(_ band: Band, _ layer: DepthLayer) {
    if let globe { layer.add(globe, band) }
    var style = FaceStyle(isCulled: isCulled)
    // What lets something through is drawn once in each place: by the first of equals.
    style.laterWins = opacity >= 1 && patterns.isEmpty
    vertices.withUnsafeBufferPointer { vertices in
      walls.withUnsafeBufferPointer { walls in
        triangles.withUnsafeBufferPointer { triangles in
          for piece in pieces where piece.bottom >= Float(band.y0) && piece.top <= Float(band.y1) {
            style.pattern = piece.pattern < 0 ? nil : patterns[piece.pattern]
            style.isPlane = false
            drawFaces(
              vertices, indices: UnsafeBufferPointer(rebasing: walls[piece.walls]), corners: 4, style, layer)
            style.isPlane = hasFlatRoofs
            drawFaces(
              vertices, indices: UnsafeBufferPointer(rebasing: triangles[piece.triangles]), corners: 3, style,
              layer)
          }
        }
      }
    }
    layer.composite(band, opacity: opacity, fog: fog)
  }
}

extension FrameBuilder {
  mutating func addExtrusions(_ layer: LayerInFrame) {
    let opacity = Float(layer.style[.fillExtrusionOpacity].number(evaluator, at: camera))
    guard opacity > 0 else { return }
    let draw = extrusions(layer, opacity)
    if draw.isEmpty { return }
    guard let crossFade, !draw.patterns.isEmpty else { return commands.append(.extrusion(draw)) }
    let before = extrusions(layer, opacity, step: crossFade.step)
    commands.append(.extrusionMix(ExtrusionMix(from: before, to: draw, share: crossFade.share)))
  }

  /// What is drawn of a layer.
  /// - Parameter step: from the whole zoom below the camera's to the one whose patterns are drawn.
  private mutating func extrusions(_ layer: LayerInFrame, _ opacity: Float, step: Double = 0) -> ExtrusionDraw
  {
    var draw = ExtrusionDraw(opacity: opacity)
    draw.hasFlatRoofs = transform.globe == nil
    if terrain == nil, let globe = transform.globe, globe.isWhole { draw.globe = globe }
    draw.fog = fog.map { DepthFog($0, planes: transform.depthPlanes) }
    let light = extrusionLight()
    let hasGradient = layer.style[.fillExtrusionVerticalGradient].bool(evaluator, at: camera)
    var places: [String: Int] = [:]
    for tile in layer.style.source.flatMap({ tiles[$0] }) ?? [] {
      guard case .extrusion(let bucket)? = tile.layout?.buckets[layer.index] else { continue }
      let move = layer.translate(
        .fillExtrusionTranslate, .fillExtrusionTranslateAnchor, evaluator, transform, tile.id)
      let matrix = transform.metricMatrix(for: tile.id).translated(move.x, move.y, 0)
      let mesher = ExtrusionMesher(
        bucket: bucket, matrix: matrix, globe: transform.globeTile(tile.id)?.moved(u: move.x, v: move.y),
        ground: transform.ground?.heights(tile.id), light: light, hasGradient: hasGradient,
        width: Float(transform.size.deviceWidth),
        height: Float(transform.size.deviceHeight),
        colors: bucket.color.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style),
        bases: bucket.base.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style),
        heights: bucket.height.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style))
      let names = bucket.pattern.resolved(evaluator, at: camera)
      let before = step == 0 ? names : bucket.pattern.resolved(evaluator, at: camera, step: step)
      if names.values.isEmpty, names.uniform.isEmpty {
        for index in bucket.pieces.indices { mesher.add(index, nil, to: &draw) }
        continue
      }
      var grids: [String: WallPattern?] = [:]
      for index in bucket.pieces.indices {
        // What has a pattern now had one before, where it did not have another.
        if step != 0, images[names[index]] == nil { continue }
        let name = step == 0 || images[before[index]] == nil ? names[index] : before[index]
        let known = grids[name]
        let grid = known ?? wallPattern(name, tile, &places, &draw, step)
        if known == nil { grids.updateValue(grid, forKey: name) }
        if let grid { mesher.add(index, grid, to: &draw) }
      }
    }
    return draw
  }

  /// How a pattern lies on the extrusions of a tile; nil where the style has no such image, and nothing is
  /// drawn.
  private mutating func wallPattern(
    _ name: String, _ tile: TileInFrame, _ places: inout [String: Int], _ draw: inout ExtrusionDraw,
    _ step: Double
  ) -> WallPattern? {
    guard !name.isEmpty, let image = patternImage(name), let style = images[name] else { return nil }
    let place = places[name] ?? draw.patterns.count
    if place == draw.patterns.count { draw.patterns.append(image) }
    places[name] = place
    return WallPattern(
      place: place, size: SIMD2(Double(image.width), Double(image.height)), pixelRatio: style.pixelRatio,
      tile: tile.id, wholeZoom: transform.camera.zoom.rounded(.down) + step)
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
    return worldSize / (Mercator.meanCircumference * cos(latitude * .pi / 180))
  }

  /// Layout units and metres above the ground to device pixels.
  func metricMatrix(for id: OverscaledTileID) -> Matrix4 { matrix(for: id).scaled(1, 1, pixelsPerMeter) }
}

/// A pattern on the extrusions of a tile, as MapLibre lays it: on roofs as on the ground; on walls along the
/// ring and upwards, a metre as high as one on the ground is wide at the whole zoom below the view's, on the
/// equator.
struct WallPattern {
  /// In the patterns of the layer.
  let place: Int
  /// Pixels of the picture that a layout unit has, and that a metre upwards has.
  private let perUnit: Double
  private let perMeter: Double
  private let offset: SIMD2<Double>

  init(place: Int, size: SIMD2<Double>, pixelRatio: Double, tile: OverscaledTileID, wholeZoom: Double) {
    self.place = place
    let id = tile.canonical
    let edge = TileUnits.pixels * exp2(wholeZoom - Double(id.z)) * pixelRatio
    perUnit = edge / TileUnits.extent
    perMeter = -exp2(wholeZoom) / 65536 * pixelRatio
    let column = Double(id.x) + Double(tile.wrap) * exp2(Double(id.z))
    offset = SIMD2(
      (column * edge).truncatingRemainder(dividingBy: size.x),
      (Double(id.y) * edge).truncatingRemainder(dividingBy: size.y))
  }

  /// Of a point of the roof, in layout units.
  func roof(_ point: SIMD2<Float>) -> SIMD2<Float> {
    SIMD2<Float>(SIMD2<Double>(point) * perUnit + offset)
  }

  /// Of a point of a wall: layout units along the ring, metres above the ground.
  func wall(_ distance: Float, _ height: Double) -> SIMD2<Float> {
    SIMD2<Float>(SIMD2(Double(distance) * perUnit, height * perMeter) + offset)
  }
}

/// Makes faces with depth of a bucket's features.
private struct ExtrusionMesher {
  let bucket: ExtrusionBucket
  let matrix: Matrix4
  let globe: GlobeTile?
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
    if let globe { return SIMD4<Float>(globe.solid(Double(x), Double(y), height: z)) }
    return SIMD4<Float>(matrix * SIMD4(Double(x), Double(y), z, 1))
  }

  /// The light as it falls at a place: on a globe, up is not the same everywhere.
  private func light(_ x: Float, _ y: Float) -> ExtrusionLight {
    guard let globe else { return light }
    var turned = light
    turned.position = SIMD3<Float>(globe.turned(SIMD3<Double>(light.position), Double(x), Double(y)))
    return turned
  }

  func add(_ index: Int, _ pattern: WallPattern?, to draw: inout ExtrusionDraw) {
    let piece = bucket.pieces[index]
    let (base, top) = (max(0, bases[index]), max(0, heights[index]))
    guard !piece.points.isEmpty || !piece.walls.isEmpty, base.isFinite, top.isFinite else { return }
    let (floor, ceiling) = levels(piece, Double(base), Double(top))
    guard let rows = rows(piece.bounds, floor, ceiling) else { return }
    if isBehind(piece.bounds, ceiling) { return }
    let c = colors[index]
    let color = Color(r: c.x, g: c.y, b: c.z, a: 1)
    let bounds = piece.bounds
    let middle = light((bounds.x + bounds.z) / 2, (bounds.y + bounds.w) / 2)
    let isLarge = isLarge(bounds)
    func shade(_ x: Float, _ y: Float, _ normal: SIMD3<Float>, _ isTop: Bool) -> SIMD4<Float> {
      let light = isLarge ? light(x, y) : middle
      if pattern != nil {
        return SIMD4(
          light.patternShade(normal: normal, base: base, height: top, isTop: isTop, hasGradient: hasGradient),
          1)
      }
      return SIMD4(
        light.shade(color, normal: normal, base: base, height: top, isTop: isTop, hasGradient: hasGradient), 1
      )
    }
    let (firstWall, firstTriangle) = (draw.walls.count, draw.triangles.count)
    for number in piece.walls {
      let (wall, distances) = (bucket.walls[number], bucket.wallDistances[number])
      for part in globe?.parts(ofWall: wall, distances) ?? [(wall, distances)] {
        add(part.wall, part.distances, floor, ceiling, shade, pattern, to: &draw)
      }
    }
    let roof = SIMD3<Float>(0, 0, 1)
    let roofColor = shade(bounds.x, bounds.y, roof, true)
    func addCorner(_ point: SIMD2<Float>) {
      draw.vertices.append(
        DepthVertex(
          position: project(point.x, point.y, ceiling),
          color: isLarge ? shade(point.x, point.y, roof, true) : roofColor,
          texture: pattern?.roof(point) ?? .zero))
    }
    let roofStart = UInt32(draw.vertices.count)
    if let globe, globe.divides(piece.bounds) {
      globe.eachPart(ofRoof: bucket.roofs[piece.roof], bucket.points) { corners in
        let start = UInt32(draw.vertices.count)
        for corner in corners { addCorner(corner) }
        for last in 2..<UInt32(corners.count) { draw.triangles += [start, start + last - 1, start + last] }
      }
    } else {
      for point in bucket.points[piece.points] { addCorner(point) }
      let offset = UInt32(piece.points.lowerBound)
      for corner in bucket.roofs[piece.roof] { draw.triangles.append(roofStart + corner - offset) }
    }
    draw.pieces.append(
      ExtrusionDraw.Piece(
        walls: firstWall..<draw.walls.count, triangles: firstTriangle..<draw.triangles.count,
        top: rows.lowerBound, bottom: rows.upperBound, pattern: pattern?.place ?? -1))
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
    _ wall: SIMD4<Float>, _ distances: SIMD2<Float>, _ base: Double, _ top: Double,
    _ shade: (Float, Float, SIMD3<Float>, Bool) -> SIMD4<Float>, _ pattern: WallPattern?,
    to draw: inout ExtrusionDraw
  ) {
    let along = SIMD2(wall.z - wall.x, wall.w - wall.y)
    let length = (along.x * along.x + along.y * along.y).squareRoot()
    // Towards the inside, as the formulas of the light have it.
    let normal = SIMD3(-along.y / length, along.x / length, 0)
    let (low, high) = (shade(wall.x, wall.y, normal, false), shade(wall.x, wall.y, normal, true))
    let start = UInt32(draw.vertices.count)
    func add(_ x: Float, _ y: Float, _ z: Double, _ color: SIMD4<Float>, _ distance: Float) {
      draw.vertices.append(
        DepthVertex(
          position: project(x, y, z), color: color, texture: pattern?.wall(distance, z) ?? .zero))
    }
    // Round the wall, counterclockwise on the frame where it is seen from outside.
    add(wall.x, wall.y, base, low, distances.x)
    add(wall.x, wall.y, top, high, distances.x)
    add(wall.z, wall.w, top, high, distances.y)
    add(wall.z, wall.w, base, low, distances.y)
    if DepthVertex.showsBack(draw.vertices[(draw.vertices.count - 4)...]) {
      draw.vertices.removeLast(4)
      return
    }
    for corner in 0..<4 as Range<UInt32> { draw.walls.append(start + corner) }
  }

  /// Whether a feature spans so much of a globe that its parts look different ways.
  private func isLarge(_ bounds: FeatureBounds) -> Bool {
    guard let globe else { return false }
    return Double(max(bounds.z - bounds.x, bounds.w - bounds.y)) * globe.unit > 1 / 128
  }

  /// Whether a feature stands behind the globe's horizon; of a large one the globe's depth tells.
  private func isBehind(_ bounds: FeatureBounds, _ top: Double) -> Bool {
    guard let globe, !isLarge(bounds) else { return false }
    return globe.project(Double(bounds.x), Double(bounds.y), height: top).z < 0
      && globe.project(Double(bounds.z), Double(bounds.w), height: top).z < 0
  }

  /// The rows that the box over a feature reaches; nil where it lies outside the frame.
  private func rows(_ bounds: FeatureBounds, _ base: Double, _ top: Double) -> ClosedRange<Float>? {
    if isLarge(bounds) { return -Float.infinity...Float.infinity }
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
