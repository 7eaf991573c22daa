import NeatBase
import NeatMesh
import NeatStyle
import NeatTile

/// The lines that a line layer draws of one tile, tessellated; polygons give their rings.
package final class LineBucket: Sendable {
  package let layer: TileLayer
  /// Features in drawing order; the mesh's feature numbers are positions in this list.
  package let features: [UInt32]
  package let mesh: LineMesh
  package let numbers: [Property: NumberPaint]
  package let color: ColorPaint
  package let pattern: ImagePaint
  package let dashes: DashPaint
  package let meshes = MeshCache<LineBlocks>()

  private static let numberProperties: [Property] = [
    .lineWidth, .lineGapWidth, .lineOffset, .lineBlur, .lineOpacity,
  ]

  package init?(
    _ layer: TileLayer, selected: [UInt32], style: StyleLayer, id: OverscaledTileID,
    states: FeatureStateTable? = nil,
    _ evaluator: Evaluator
  ) throws(NeatError) {
    var features = selected.filter { layer.types[Int($0)] != GeometryType.point.rawValue }
    guard !features.isEmpty else { return nil }
    evaluator.bind(layer: layer)
    FeatureSelection.sort(&features, by: style.isSet(.lineSortKey) ? style[.lineSortKey] : nil, evaluator)
    var numbers: [NumberPaint] = Self.numberProperties.map { NumberPaint(style[$0]) }
    var color = ColorPaint(style[.lineColor])
    var pattern = ImagePaint(style[.linePattern])
    var dashes = DashPaint(style[.lineDasharray])
    var tessellator = LineTessellator()
    var options = LineTessellator.Options()
    options.overscaling = id.overscaleFactor
    options.miterLimit = style[.lineMiterLimit].number(evaluator)
    options.roundLimit = style[.lineRoundLimit].number(evaluator)
    options.cap = LineCap(rawValue: UInt8(max(0, style[.lineCap].enumIndex(evaluator)))) ?? .butt
    let joins = style[.lineJoin]
    let clip = LineClipKeys(layer)
    var scaled: [SIMD2<Int32>] = []
    for (position, feature) in features.enumerated() {
      evaluator.feature = Int(feature)
      states?.select(Int(feature), evaluator)
      for index in numbers.indices { numbers[index].append(evaluator) }
      color.append(evaluator)
      pattern.append(evaluator)
      dashes.append(evaluator)
      options.join = LineBucket.join(joins.enumValue(evaluator))
      options.isClosed = layer.types[Int(feature)] == GeometryType.polygon.rawValue
      options.feature = Int32(position)
      options.clips = clip.range(layer, Int(feature))
      for part in Int(layer.partStarts[Int(feature)])..<Int(layer.partStarts[Int(feature) + 1]) {
        let first = Int(layer.pointStarts[part]), count = Int(layer.pointStarts[part + 1]) - first
        guard count >= 2 else { continue }
        if layer.extent == 8192 {
          try tessellator.add(layer.points + first, count: count, options)
        } else {
          LineBucket.scale(layer.points + first, count, layer.layoutScale, into: &scaled)
          try tessellator.add(scaled, count: count, options)
        }
      }
    }
    self.layer = layer
    self.features = features
    mesh = tessellator.finish()
    self.numbers = Dictionary(uniqueKeysWithValues: zip(Self.numberProperties, numbers))
    self.color = color
    self.pattern = pattern
    self.dashes = dashes
  }

  package var cost: Int {
    mesh.vertexCount * MemoryLayout<LineVertex>.stride + mesh.indexCount * 2 + features.count * 32 + 512
      + meshes.cost
  }

  private static func join(_ name: String) -> LineJoin {
    switch name {
    case "bevel": .bevel
    case "round": .round
    default: .miter
    }
  }

  private static func scale(
    _ points: UnsafePointer<SIMD2<Int32>>, _ count: Int, _ scale: Float, into result: inout [SIMD2<Int32>]
  ) {
    result.removeAll(keepingCapacity: true)
    for index in 0..<count {
      let p = SIMD2<Float>(Float(points[index].x), Float(points[index].y)) * scale
      result.append(SIMD2(Int32(saturating: p.x.rounded()), Int32(saturating: p.y.rounded())))
    }
  }
}

/// Where GeoJSON tiles with line metrics say which part of the whole line a piece is.
private struct LineClipKeys {
  let start: Int?
  let end: Int?

  init(_ layer: TileLayer) {
    start = layer.keyIndex("mapbox_clip_start")
    end = layer.keyIndex("mapbox_clip_end")
  }

  func range(_ layer: TileLayer, _ feature: Int) -> ClosedRange<Double>? {
    guard let start, let end, let low = layer.value(feature: feature, key: start)?.number,
      let high = layer.value(feature: feature, key: end)?.number, low <= high
    else { return nil }
    return low...high
  }
}
