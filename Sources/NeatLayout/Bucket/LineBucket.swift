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
  package let paint: LinePaints
  package let meshes = MeshCache<LineBlocks>()
  package let gradients = GradientCache()
  /// How its lines turn and end, where all do alike.
  private let shape: LineTessellator.Options?

  /// - Parameter other: the lines of another style layer in the same tile: a road's, for its casing. Where
  ///   they are the same ones, and turn and end alike, their mesh is taken.
  package init?(_ input: BucketInput, like other: LineBucket? = nil) throws(NeatError) {
    var features = input.selected { $0 != .point }
    guard !features.isEmpty else { return nil }
    input.sort(&features, by: .lineSortKey)
    var paint = LinePaints(input.style)
    var lines = TileLines(input)
    shape = lines.sharedShape
    var known: LineMesh?
    if let other, shape != nil, other.shape == shape, other.layer === input.layer,
      other.features == features
    {
      known = other.mesh
    }
    if known == nil { lines.reserve(features) }
    for feature in features {
      let point = input.point(feature)
      paint.append(input.evaluator, at: point)
      if known == nil { try lines.add(feature, input.evaluator, at: point) }
      guard input.evaluator.mayContinue() else { return nil }
    }
    layer = input.layer
    self.features = features
    if let known { mesh = known } else { mesh = lines.finish() }
    self.paint = paint
    assert(mesh.pieces.allSatisfy { Int($0.feature) < features.count }, "pieces are those of the features")
  }

  package var cost: Int {
    mesh.vertexCount * MemoryLayout<LineVertex>.stride + mesh.indexCount * 2
      + mesh.pieces.count * (MemoryLayout<LinePiece>.stride + MemoryLayout<LineBox>.stride)
      + features.count * 32 + 512 + meshes.cost + paint.pattern.cost
      + paint.dashes.cost
  }
}

/// Tessellates features of a layer, one after the other.
private struct TileLines: ~Copyable {
  private let layer: TileLayer
  private let style: StyleLayer
  private let clip: LineClipKeys
  private var tessellator = LineTessellator(points: 0)
  private var options = LineTessellator.Options()
  private var scaled: [SIMD2<Int32>] = []
  private var count: Int32 = 0
  private let part: LayerPart?
  /// Which parts of the features reserved for are in the part of the tile that is laid out, one after the other.
  private var isInPart: [Bool] = []
  private var nextPart = 0
  /// Whether all features turn and end alike.
  private var isSameShape = true

  init(_ input: BucketInput) {
    let (style, evaluator, point) = (input.style, input.evaluator, input.point)
    layer = input.layer
    clip = LineClipKeys(layer)
    part = input.part.map { [layer] in LayerPart($0, layer) }
    self.style = style
    options.overscaling = input.tile.overscaleFactor
    setShape(evaluator, at: point)
    isSameShape = ![Property.lineJoin, .lineCap, .lineMiterLimit, .lineRoundLimit].contains {
      style[$0].isDataDriven
    }
  }

  /// How all features turn and end; nil where each may do otherwise.
  var sharedShape: LineTessellator.Options? { isSameShape ? options : nil }

  /// How lines turn and end.
  private mutating func setShape(_ evaluator: Evaluator, at point: EvaluationPoint) {
    options.join = TileLines.join(style[.lineJoin].enumValue(evaluator, at: point))
    options.miterLimit = style[.lineMiterLimit].number(evaluator, at: point)
    options.roundLimit = style[.lineRoundLimit].number(evaluator, at: point)
    options.cap =
      LineCap(rawValue: UInt8(max(0, style[.lineCap].enumIndex(evaluator, at: point)))) ?? .butt
  }

  /// Makes room for features, which are then added in the same order.
  mutating func reserve(_ features: [UInt32]) {
    var (points, lines) = (0, 0)
    for feature in features {
      guard let part else {
        points += layer.pointRange(of: Int(feature)).count
        lines += layer.parts(of: Int(feature)).count
        continue
      }
      for line in layer.parts(of: Int(feature)) {
        let range = layer.pointRange(ofPart: line)
        let meets = part.meets(layer.box(range))
        isInPart.append(meets)
        points += meets ? range.count : 0
        lines += meets ? 1 : 0
      }
    }
    tessellator.reserve(points: points, lines: lines)
  }

  mutating func add(_ feature: UInt32, _ evaluator: Evaluator, at point: EvaluationPoint) throws(NeatError) {
    let feature = Int(feature)
    if !isSameShape { setShape(evaluator, at: point) }
    options.isClosed = layer.geometryType(feature) == .polygon
    options.feature = count
    options.clips = clip.range(layer, feature)
    count += 1
    for line in layer.parts(of: feature) {
      if part != nil {
        nextPart += 1
        if !isInPart[nextPart - 1] { continue }
      }
      let range = layer.pointRange(ofPart: line)
      assert(range.lowerBound <= range.upperBound, "parts follow one another")
      guard range.count >= 2 else { continue }
      let points = layer.points + range.lowerBound
      if layer.layoutScale == 1 {
        try tessellator.add(points, count: range.count, options)
      } else {
        TileLines.scale(points, range.count, layer.layoutScale, into: &scaled)
        try tessellator.add(scaled, count: range.count, options)
      }
    }
  }

  consuming func finish() -> LineMesh { tessellator.finish() }

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
    assert(result.count == count)
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
