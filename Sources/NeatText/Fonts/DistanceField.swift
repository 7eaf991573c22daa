// A glyph's signed distance field straight from its outline: curves are cut into segments, each pixel centre
// takes the exact distance to the nearest segment, and the nonzero winding rule along the pixel's row says
// which side it is on. The mapping to bytes is that of fontnik and TinySDF (radius 8 pixels, a quarter of the
// range outside), so that these glyphs mix with those of glyph servers.
import CFreeType
import NeatBase

/// A glyph drawn from a font, with its metrics measured from the baseline (`top` is the height of the shape's
/// top edge above it).
struct GlyphPicture {
  var metrics: GlyphMetrics
  var width: Int
  var height: Int
  var pixels: [UInt8]
}

/// A straight piece of an outline in pixels, y upwards.
struct OutlineSegment: BitwiseCopyable {
  var from: SIMD2<Float>
  var to: SIMD2<Float>
}

extension FontFace {
  /// Largest side of a drawn glyph in pixels, the border included.
  package static let maxPictureSize = 256
  /// Most straight pieces in a drawn outline: bounds the time that a glyph takes.
  package static let maxSegments = 16384

  /// Draws a glyph at 24 pixels an em. Throws a `font` error where the glyph has no usable outline.
  func distanceField(glyphIndex: UInt32) throws(NeatError) -> GlyphPicture {
    var segments: [OutlineSegment] = []
    let advance = try withOutline(glyphIndex) { slot -> Float in
      segments = flatten(slot.pointee.outline)
      return Float(slot.pointee.metrics.horiAdvance) / 64
    }
    guard segments.count <= FontFace.maxSegments else {
      throw NeatError(
        .limitExceeded, "glyph \(glyphIndex) has an outline of \(segments.count) pieces", resource: name)
    }
    guard let first = segments.first else {
      return GlyphPicture(
        metrics: GlyphMetrics(width: 0, height: 0, left: 0, top: 0, advance: advance), width: 0, height: 0,
        pixels: [])
    }
    var low = first.from
    var high = first.from
    for segment in segments {
      low = pointwiseMin(low, segment.to)
      high = pointwiseMax(high, segment.to)
    }
    let xMin = low.x.rounded()
    let yMin = low.y.rounded()
    let xMax = high.x.rounded()
    let yMax = high.y.rounded()
    let border = Glyph.border
    let width = Int(bounded: xMax - xMin) + 2 * border
    let height = Int(bounded: yMax - yMin) + 2 * border
    guard width <= FontFace.maxPictureSize && height <= FontFace.maxPictureSize else {
      throw NeatError(.limitExceeded, "glyph \(glyphIndex) is \(width) by \(height) pixels", resource: name)
    }
    let origin = SIMD2(xMin - Float(border), yMax + Float(border))
    let metrics = GlyphMetrics(
      width: xMax - xMin, height: yMax - yMin, left: xMin, top: yMax, advance: advance)
    return GlyphPicture(
      metrics: metrics, width: width, height: height,
      pixels: field(segments, origin: origin, width: width, height: height))
  }
}

/// Distances in pixels that the field reaches to.
private let radius: Float = 8
/// The share of the range that lies outside.
private let cutoff: Float = 0.25

/// The field of `width` by `height` pixels whose top left corner is `origin`.
private func field(_ segments: [OutlineSegment], origin: SIMD2<Float>, width: Int, height: Int) -> [UInt8] {
  var pixels = [UInt8](repeating: 0, count: width * height)
  let lanes = (width + 7) / 8
  withUnsafeTemporaryAllocation(of: SIMD8<Float>.self, capacity: lanes) { nearest in
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: width + 1) { winding in
      for row in 0..<height {
        let y = origin.y - Float(row) - 0.5
        nearest.initialize(repeating: SIMD8(repeating: 1e12))
        winding.initialize(repeating: 0)
        for segment in segments {
          measure(segment, y: y, left: origin.x + 0.5, nearest)
          cross(segment, y: y, left: origin.x, width: width, winding)
        }
        var turns: Int32 = 0
        for column in 0..<width {
          turns += winding[column]
          let distance = nearest[column / 8][column % 8].squareRoot() * (256 / radius)
          let signed = turns != 0 ? -distance : distance
          pixels[row * width + column] = UInt8(
            saturating: max(0, min(255, 255 - (signed + cutoff * 256).rounded())))
        }
      }
    }
  }
  return pixels
}

/// Lowers the squared distances of a row of pixel centres to a segment, eight at a time.
@inline(__always)
private func measure(
  _ segment: OutlineSegment, y: Float, left: Float, _ nearest: UnsafeMutableBufferPointer<SIMD8<Float>>
) {
  // Beyond the radius the byte is 0 or 255 whatever the distance.
  let low = min(segment.from.y, segment.to.y)
  let high = max(segment.from.y, segment.to.y)
  if y < low - radius || y > high + radius { return }
  let along = segment.to - segment.from
  let length = along.x * along.x + along.y * along.y
  let scale = length > 0 ? 1 / length : 0
  let dy = y - segment.from.y
  let zero = SIMD8<Float>(repeating: 0)
  let one = SIMD8<Float>(repeating: 1)
  var dx = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7) + (left - segment.from.x)
  for lane in nearest.indices {
    var t = (dx * along.x + dy * along.y) * scale
    t.replace(with: zero, where: t .< zero)
    t.replace(with: one, where: t .> one)
    let ex = dx - t * along.x
    let ey = dy - t * along.y
    let squared = ex * ex + ey * ey
    nearest[lane].replace(with: squared, where: squared .< nearest[lane])
    dx += 8
  }
}

/// Notes where a segment crosses the row: pixel centres right of the crossing are wound once more.
@inline(__always)
private func cross(
  _ segment: OutlineSegment, y: Float, left: Float, width: Int, _ winding: UnsafeMutableBufferPointer<Int32>
) {
  let up = segment.from.y <= y && segment.to.y > y
  let down = segment.to.y <= y && segment.from.y > y
  guard up || down else { return }
  let x =
    segment.from.x + (y - segment.from.y) / (segment.to.y - segment.from.y) * (segment.to.x - segment.from.x)
  let column = (x - left - 0.5).rounded(.up)
  guard column <= Float(width) else { return }
  winding[max(0, Int(bounded: column))] += up ? 1 : -1
}

/// Cuts an outline of 26.6 fixed point into segments.
private func flatten(_ source: FT_Outline) -> [OutlineSegment] {
  final class Sink {
    var segments: [OutlineSegment] = []
    var pen = SIMD2<Float>.zero

    func line(_ end: SIMD2<Float>) {
      if end != pen { segments.append(OutlineSegment(from: pen, to: end)) }
      pen = end
    }
  }
  var functions = FT_Outline_Funcs()
  functions.move_to = { to, user in
    Unmanaged<Sink>.fromOpaque(user!).takeUnretainedValue().pen = outlinePoint(to)
    return 0
  }
  functions.line_to = { to, user in
    Unmanaged<Sink>.fromOpaque(user!).takeUnretainedValue().line(outlinePoint(to))
    return 0
  }
  functions.conic_to = { control, to, user in
    let sink = Unmanaged<Sink>.fromOpaque(user!).takeUnretainedValue()
    let a = sink.pen
    let b = outlinePoint(control)
    let c = outlinePoint(to)
    let steps = curveSteps(a - 2 * b + c)
    for step in 1...steps {
      let t = Float(step) / Float(steps)
      let u = 1 - t
      sink.line(u * u * a + 2 * u * t * b + t * t * c)
    }
    return 0
  }
  functions.cubic_to = { first, second, to, user in
    let sink = Unmanaged<Sink>.fromOpaque(user!).takeUnretainedValue()
    let a = sink.pen
    let b = outlinePoint(first)
    let c = outlinePoint(second)
    let d = outlinePoint(to)
    let steps = curveSteps(pointwiseMax(abs(a - 2 * b + c), abs(b - 2 * c + d)) * 3)
    for step in 1...steps {
      let t = Float(step) / Float(steps)
      let u = 1 - t
      let left: SIMD2<Float> = u * u * u * a + 3 * u * u * t * b
      let right: SIMD2<Float> = 3 * u * t * t * c + t * t * t * d
      sink.line(left + right)
    }
    return 0
  }
  let receiver = Sink()
  var outline = source
  withExtendedLifetime(receiver) {
    _ = FT_Outline_Decompose(&outline, &functions, Unmanaged.passUnretained(receiver).toOpaque())
  }
  return receiver.segments
}

/// Pieces that keep a curve with this second difference within a fiftieth of a pixel.
private func curveSteps(_ bend: SIMD2<Float>) -> Int {
  let size = (bend.x * bend.x + bend.y * bend.y).squareRoot()
  return size.isFinite ? max(1, min(32, Int(bounded: (size * 12.5).squareRoot().rounded(.up)))) : 1
}

private func abs(_ vector: SIMD2<Float>) -> SIMD2<Float> { SIMD2(Swift.abs(vector.x), Swift.abs(vector.y)) }

private func outlinePoint(_ vector: UnsafePointer<FT_Vector>?) -> SIMD2<Float> {
  guard let vector = vector?.pointee else { return .zero }
  return SIMD2(Float(vector.x) / 64, Float(vector.y) / 64)
}
