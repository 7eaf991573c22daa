import NeatBase
import NeatLayout
import NeatRaster
import NeatStyle

// Gradients along lines, as textures of MapLibre's line layers: 256 colours over the part of a line that lies in the
// tile, and more where colours change in steps, so that a step stays where it is however far the line is enlarged.
extension FrameBuilder {
  private static let width = 256
  /// Colours of one row, and of all rows together.
  private static let widthLimit = 16384
  private static let colorLimit = 1 << 20
  /// The deepest zoom that a view has.
  private static let deepestZoom = 22

  /// The colours of a layer's lines in one tile.
  func gradient(_ bucket: LineBucket, _ layer: LayerInFrame, _ tile: TileInFrame) -> LineGradient {
    let property = layer.style[.lineGradient]
    let isStep = layer.style.properties.json(.lineGradient)?[0]?.string == "step"
    func make() -> GradientCache.Colors {
      let width = isStep ? FrameBuilder.stepWidth(bucket, tile) : FrameBuilder.width
      return FrameBuilder.colors(property, bucket, width: width, evaluator, at: camera)
    }
    let isKept = property.globalStateKeys.isEmpty
    let colors = property.origin.flatMap { isKept ? bucket.gradients.colors(of: $0, make) : nil } ?? make()
    return LineGradient(
      colors: colors.colors, width: colors.width, isStep: isStep, rowOfLine: colors.rowOfLine)
  }

  /// The gradient's colours at 256 places along a line.
  func gradient(_ layer: StyleLayer) -> LineGradient {
    let colors = FrameBuilder.colors(
      layer[.lineGradient], 0...1, width: FrameBuilder.width, evaluator, at: camera)
    return LineGradient(colors: colors, width: FrameBuilder.width)
  }

  /// Enough colours for the longest line of a tile, at the deepest zoom that the tile is drawn at.
  private static func stepWidth(_ bucket: LineBucket, _ tile: TileInFrame) -> Int {
    let longest = bucket.mesh.pieces.reduce(0) { max($0, Double($1.totalDistance)) } / TileUnits.extent
    let growth = tile.isDeepest ? exp2(Double(max(0, deepestZoom - Int(tile.id.canonical.z)))) : 1
    // A tile is 512 pixels wide, and 1024 right before the next zoom.
    let wanted = min(longest * 1024 * growth, Double(widthLimit))
    var width = FrameBuilder.width
    while Double(width) < wanted { width *= 2 }
    return min(width, widthLimit)
  }

  private static func colors(
    _ property: PropertyValue, _ bucket: LineBucket, width: Int, _ evaluator: Evaluator,
    at camera: EvaluationPoint
  ) -> GradientCache.Colors {
    var rows: [SIMD2<Float>: Int32] = [:]
    var ranges: [ClosedRange<Double>] = []
    let lineCount = Int(bucket.mesh.pieces.last?.line ?? -1) + 1
    var rowOfLine = [Int32](repeating: 0, count: lineCount)
    for piece in bucket.mesh.pieces {
      let range = SIMD2(piece.clipStart, max(piece.clipStart, piece.clipEnd))
      let row = rows[range] ?? Int32(ranges.count)
      if rows[range] == nil {
        rows[range] = row
        ranges.append(Double(range.x)...Double(range.y))
      }
      rowOfLine[Int(piece.line)] = row
    }
    // Where there are more parts of lines than that, all share the colours of whole lines.
    guard !ranges.isEmpty, ranges.count * width <= colorLimit else {
      let all = colors(property, 0...1, width: FrameBuilder.width, evaluator, at: camera)
      return GradientCache.Colors(colors: all, width: FrameBuilder.width)
    }
    let all = ranges.flatMap { colors(property, $0, width: width, evaluator, at: camera) }
    return GradientCache.Colors(colors: all, width: width, rowOfLine: rowOfLine)
  }

  private static func colors(
    _ property: PropertyValue, _ range: ClosedRange<Double>, width: Int, _ evaluator: Evaluator,
    at camera: EvaluationPoint
  ) -> [UInt32] {
    (0..<width).map { step in
      let share = Double(step) / Double(width - 1)
      let progress = range.lowerBound * (1 - share) + range.upperBound * share
      let place = EvaluationPoint.ramp(RampInputs(lineProgress: progress), zoom: camera.zoom)
      return Premultiplied(premultiplied: property.color(evaluator, at: place).premultiplied).bits
    }
  }
}
