import NeatBase
import NeatCamera
import NeatLayout
import NeatStyle
import NeatTile

/// Tests one layer's drawn features of one tile against the query's area.
struct LayerQuery {
  typealias Point = SIMD2<Double>

  let style: StyleLayer
  let transform: Transform
  let tile: OverscaledTileID
  let evaluator: Evaluator
  /// The area in layout units of the tile, less the layer's translation: a point, or a closed polygon.
  let area: [Point]
  /// The box around the area in layout units, where it was asked for.
  let corners: (low: Point, high: Point)
  /// Layout units to device pixels.
  let matrix: Matrix4
  /// The same on a globe.
  let globe: GlobeTile?
  let unitsPerPixel: Double

  init?(
    _ style: StyleLayer, _ transform: Transform, _ tile: OverscaledTileID, _ evaluator: Evaluator,
    world: [Point]
  ) {
    self.style = style
    self.transform = transform
    self.tile = tile
    self.evaluator = evaluator
    unitsPerPixel = TileUnits.extent / transform.tileEdge(tile.canonical.z)
    matrix = transform.matrix(for: tile)
    globe = transform.globeTile(tile)
    let move: Point
    switch style.type {
    case .fill: move = Self.move(style, .fillTranslate, .fillTranslateAnchor, evaluator, transform, tile)
    case .line: move = Self.move(style, .lineTranslate, .lineTranslateAnchor, evaluator, transform, tile)
    case .circle:
      move = Self.move(style, .circleTranslate, .circleTranslateAnchor, evaluator, transform, tile)
    case .fillExtrusion:
      move = Self.move(
        style, .fillExtrusionTranslate, .fillExtrusionTranslateAnchor, evaluator, transform, tile)
    case .heatmap: move = .zero
    default: return nil
    }
    let place = world.map { transform.tileUnits($0, in: tile) }
    corners = (
      place.reduce(place[0]) { pointwiseMin($0, $1) }, place.reduce(place[0]) { pointwiseMax($0, $1) }
    )
    area = place.map { $0 - move }
  }

  /// Whether the area lies in the tile, or so near that what the tile draws can reach into it. Each place
  /// belongs to one tile.
  func isNearTile(_ reach: Double) -> Bool {
    corners.low.x - reach < TileUnits.extent && corners.low.y - reach < TileUnits.extent
      && corners.high.x + reach >= 0
      && corners.high.y + reach >= 0
  }

  private static func move(
    _ style: StyleLayer, _ property: Property, _ anchor: Property, _ evaluator: Evaluator,
    _ transform: Transform, _ tile: OverscaledTileID
  ) -> Point {
    LayerInFrame(index: 0, style: style).translate(property, anchor, evaluator, transform, tile)
  }

  /// How far from the viewer the feature meets the area (0 for layers on the ground); nil where it does not.
  /// The point is the feature's.
  func distance(_ layer: TileLayer, _ feature: Int, at point: EvaluationPoint) -> Double? {
    let lines = LayerQuery.lines(layer, feature)
    guard LayerQuery.isInTile(lines) else { return nil }
    switch style.type {
    case .fill: return PlaneHits.polygonMeets(area, rings: lines) ? 0 : nil
    case .line: return meetsLine(lines, at: point) ? 0 : nil
    case .circle:
      let size =
        style[.circleRadius].number(evaluator, at: point)
        + style[.circleStrokeWidth].number(evaluator, at: point)
      let isMapAligned = style[.circlePitchAlignment].enumValue(evaluator, at: point) == "map"
      let isMapScaled = style[.circlePitchScale].enumValue(evaluator, at: point) == "map"
      return meetsDisc(lines, size, isMapAligned: isMapAligned, isMapScaled: isMapScaled) ? 0 : nil
    case .heatmap:
      let radius = style[.heatmapRadius].number(evaluator, at: point)
      return meetsDisc(lines, radius, isMapAligned: true, isMapScaled: true) ? 0 : nil
    case .fillExtrusion:
      let (base, height) = (
        style[.fillExtrusionBase].number(evaluator, at: point),
        style[.fillExtrusionHeight].number(evaluator, at: point)
      )
      return extrusionDistance(lines, base: base, height: height)
    default: return nil
    }
  }

  private func meetsLine(_ lines: [[Point]], at point: EvaluationPoint) -> Bool {
    let width = style[.lineWidth].number(evaluator, at: point)
    let gap = style[.lineGapWidth].number(evaluator, at: point)
    let offset = style[.lineOffset].number(evaluator, at: point)
    let half = (gap > 0 ? gap + 2 * width : width) / 2 * unitsPerPixel
    return PlaneHits.polygonMeets(
      area, lines: offset == 0 ? lines : PlaneHits.offset(lines, by: offset * unitsPerPixel), radius: half)
  }

  /// Discs that lie on the map are compared there, others on the screen.
  private func meetsDisc(_ lines: [[Point]], _ size: Double, isMapAligned: Bool, isMapScaled: Bool) -> Bool {
    let onScreen = isMapAligned ? [] : area.map { screen($0.x, $0.y, 0).lowHalf }
    for line in lines {
      for point in line {
        let projected = screen(point.x, point.y, 0)
        let w = projected.w
        guard w > 0, globe == nil || projected.z >= 0 else { continue }
        var radius = isMapAligned ? size * unitsPerPixel : size * transform.size.pixelRatio
        if isMapAligned, !isMapScaled { radius *= w / transform.cameraToCenterDistance }
        if !isMapAligned, isMapScaled { radius *= transform.cameraToCenterDistance / w }
        if PlaneHits.polygonMeets(
          isMapAligned ? area : onScreen, disc: isMapAligned ? point : projected.lowHalf, radius: radius)
        {
          return true
        }
      }
    }
    return false
  }

  /// Device pixels and depth of a point over the tile.
  private func screen(_ x: Double, _ y: Double, _ z: Double) -> SIMD4<Double> {
    if let globe {
      let p = globe.project(x, y, height: z / transform.pixelsPerMeter)
      return SIMD4(p.x / p.w, p.y / p.w, p.z, p.w)
    }
    let p = matrix * SIMD4(x, y, z, 1)
    return SIMD4(p.x / p.w, p.y / p.w, p.z / p.w, p.w)
  }

  private func extrusionDistance(_ rings: [[Point]], base: Double, height: Double) -> Double? {
    let scale = transform.pixelsPerMeter
    let asked = area.map { screen($0.x, $0.y, 0).lowHalf }
    let lower = rings.map { $0.map { screen($0.x, $0.y, base * scale) } }
    let upper = rings.map { $0.map { screen($0.x, $0.y, height * scale) } }
    guard (lower + upper).allSatisfy({ $0.allSatisfy { $0.w > 0 } }) else { return nil }
    var closest = Double.infinity
    if PlaneHits.polygonMeets(asked, rings: upper.map { $0.map(\.lowHalf) }), let roof = upper.first {
      closest = LayerQuery.depth(asked, roof)
    }
    for (top, bottom) in zip(upper, lower) {
      for index in 1..<max(1, top.count) {
        let face = [top[index - 1], top[index], bottom[index], bottom[index - 1], top[index - 1]]
        if PlaneHits.polygonMeets(asked, face.map(\.lowHalf)) {
          closest = min(closest, LayerQuery.depth(asked, face))
        }
      }
    }
    return closest == .infinity ? nil : closest
  }

  /// The depth of a flat face where a point meets it; for a box, that of the face's nearest corner.
  private static func depth(_ asked: [Point], _ face: [SIMD4<Double>]) -> Double {
    guard asked.count == 1 else { return face.reduce(.infinity) { min($0, $1.z) } }
    guard let a = face.first, let second = face.dropFirst().firstIndex(where: { $0.lowHalf != a.lowHalf })
    else { return .infinity }
    let ab = face[second].lowHalf - a.lowHalf, ap = asked[0] - a.lowHalf
    for c in face[(second + 1)...] {
      let ac = c.lowHalf - a.lowHalf
      let (bb, bc, cc) = ((ab * ab).sum(), (ab * ac).sum(), (ac * ac).sum())
      let (pb, pc) = ((ap * ab).sum(), (ap * ac).sum())
      let denominator = bb * cc - bc * bc
      let v = (cc * pb - bc * pc) / denominator
      let w = (bb * pc - bc * pb) / denominator
      let depth = a.z * (1 - v - w) + face[second].z * v + c.z * w
      if depth.isFinite { return depth }
    }
    return .infinity
  }

  /// A feature's points in layout units; rings are closed, a multi-point is one line.
  static func lines(_ layer: TileLayer, _ feature: Int) -> [[Point]] {
    let scale = TileUnits.extent / Double(max(1, layer.answerExtent))
    let points = layer.answerPoints
    let isPolygon = layer.types[feature] == GeometryType.polygon.rawValue
    return layer.parts(of: feature).map { part in
      var line = layer.pointRange(ofPart: part).map {
        Point(Double(points[$0].x), Double(points[$0].y)) * scale
      }
      if isPolygon, let first = line.first { line.append(first) }
      return line
    }
  }

  /// Whether part of the feature lies in the tile itself: what lies only in the buffer around it belongs to
  /// the neighbour.
  static func isInTile(_ lines: [[Point]]) -> Bool {
    lines.contains { line in
      guard var low = line.first else { return false }
      var high = low
      for p in line { (low, high) = (pointwiseMin(low, p), pointwiseMax(high, p)) }
      return low.x < TileUnits.extent && low.y < TileUnits.extent && high.x >= 0 && high.y >= 0
    }
  }
}

/// How far around its geometry a layer can draw, in logical pixels.
struct QueryReach {
  private let pixels: Double
  private let tile: OverscaledTileID

  init(
    _ style: StyleLayer, _ tile: TileInFrame, _ index: Int, _ evaluator: Evaluator, at camera: EvaluationPoint
  ) {
    self.tile = tile.id
    func largest(_ paint: NumberPaint) -> Double {
      Double(paint.largest(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: style))
    }
    func length(_ property: Property) -> Double { style.length(property, evaluator, at: camera) }
    switch tile.layout?.buckets[index] {
    case .fill?: pixels = length(.fillTranslate)
    case .line(let line)?:
      let (width, gap) = (largest(line.paint.width), largest(line.paint.gapWidth))
      pixels =
        (gap > 0 ? gap + 2 * width : width) / 2 + abs(largest(line.paint.offset))
        + length(.lineTranslate)
    case .circle(let circle)?:
      switch circle.paint {
      case .heat(let paints): pixels = largest(paints.radius)
      case .circles(let paints):
        pixels = largest(paints.radius) + largest(paints.strokeWidth) + length(.circleTranslate)
      }
    case .extrusion?: pixels = length(.fillExtrusionTranslate)
    default: pixels = 0
    }
  }

  /// In layout units; where the view is tilted, as much more as the farthest ground is smaller.
  func units(_ transform: Transform) -> Double {
    let factor = transform.isFlat ? 1 : max(1, 1 / max(0.1, cos(transform.camera.pitch * .pi / 180)))
    return pixels * factor * TileUnits.extent / transform.tileEdge(tile.canonical.z)
  }
}

extension StyleLayer {
  /// How far a property moves a layer, in logical pixels.
  func length(_ property: Property, _ evaluator: Evaluator, at camera: EvaluationPoint) -> Double {
    let move = self[property].numbers2(evaluator, at: camera)
    return (move.x * move.x + move.y * move.y).squareRoot()
  }
}
