// A glyph's signed distance field straight from its outline: curves are cut into segments, each pixel centre takes the exact distance to the
// nearest segment, and the nonzero winding rule along the pixel's row says which side it is on. The mapping to bytes is that of fontnik and
// TinySDF (radius 8 pixels, a quarter of the range outside), so that these glyphs mix with those of glyph servers.
import CFreeType
import NeatBase

/// A glyph drawn from a font, with its metrics measured from the baseline (`top` is the height of the shape's top edge above it).
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
  static let maxPictureSize = 256

  /// Draws a glyph at 24 pixels an em. Throws a `font` error where the glyph has no usable outline.
  func distanceField(glyphIndex: UInt32) throws(NeatError) -> GlyphPicture {
    var segments: [OutlineSegment] = []
    let advance = try withOutline(glyphIndex) { slot -> Float in
      segments = flatten(slot.pointee.outline)
      return Float(slot.pointee.metrics.horiAdvance) / 64
    }
    guard let first = segments.first else {
      return GlyphPicture(metrics: GlyphMetrics(width: 0, height: 0, left: 0, top: 0, advance: advance), width: 0, height: 0, pixels: [])
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
    let width = Int(xMax - xMin) + 2 * border
    let height = Int(yMax - yMin) + 2 * border
    guard width <= FontFace.maxPictureSize && height <= FontFace.maxPictureSize else {
      throw NeatError(.limitExceeded, "glyph \(glyphIndex) is \(width) by \(height) pixels", resource: name)
    }
    let origin = SIMD2(xMin - Float(border), yMax + Float(border))
    let metrics = GlyphMetrics(width: xMax - xMin, height: yMax - yMin, left: xMin, top: yMax, advance: advance)
    return GlyphPicture(
      metrics: metrics, width: width, height: height, pixels: field(segments, origin: origin, width: width, height: height))
  }
}

/// Distances in pixels that the field reaches to.
private let radius: Float = 8
/// The share of the range that lies outside.
private let cutoff: Float = 0.25

/// The field of `width` by `height` pixels whose top left corner is `origin`.
private func field(_ segments: [OutlineSegment], origin: SIMD2<Float>, width: Int, height: Int) -> [UInt8] {
  var pixels = [UInt8](repeating: 0, count: width * height)
  var nearest = [Float](repeating: .infinity, count: width)
  var winding = [Int32](repeating: 0, count: width + 1)
  for row in 0..<height {
    let y = origin.y - Float(row) - 0.5
    for column in 0..<width { nearest[column] = .infinity }
    for column in 0...width { winding[column] = 0 }
    for segment in segments {
      measure(segment, y: y, left: origin.x + 0.5, &nearest)
      cross(segment, y: y, left: origin.x, width: width, &winding)
    }
    var turns: Int32 = 0
    for column in 0..<width {
      turns += winding[column]
      let distance = nearest[column].squareRoot() * (256 / radius)
      let signed = turns != 0 ? -distance : distance
      pixels[row * width + column] = UInt8(max(0, min(255, 255 - (signed + cutoff * 256).rounded())))
    }
  }
  return pixels
}

/// Lowers the squared distances of a row of pixel centres to a segment.
@inline(__always)
private func measure(_ segment: OutlineSegment, y: Float, left: Float, _ nearest: inout [Float]) {
  let along = segment.to - segment.from
  let low = min(segment.from.y, segment.to.y)
  let high = max(segment.from.y, segment.to.y)
  // Beyond the radius the byte is 0 or 255 whatever the distance, and there the nearest segment's side is all that counts.
  if y < low - radius - 4 || y > high + radius + 4 { return }
  let length = along.x * along.x + along.y * along.y
  let scale = length > 0 ? 1 / length : 0
  let dy = y - segment.from.y
  nearest.withUnsafeMutableBufferPointer { nearest in
    for column in 0..<nearest.count {
      let dx = left + Float(column) - segment.from.x
      let t = max(0, min(1, (dx * along.x + dy * along.y) * scale))
      let ex = dx - t * along.x
      let ey = dy - t * along.y
      nearest[column] = min(nearest[column], ex * ex + ey * ey)
    }
  }
}

/// Notes where a segment crosses the row: pixel centres right of the crossing are wound once more.
@inline(__always)
private func cross(_ segment: OutlineSegment, y: Float, left: Float, width: Int, _ winding: inout [Int32]) {
  let up = segment.from.y <= y && segment.to.y > y
  let down = segment.to.y <= y && segment.from.y > y
  guard up || down else { return }
  let x = segment.from.x + (y - segment.from.y) / (segment.to.y - segment.from.y) * (segment.to.x - segment.from.x)
  let column = (x - left - 0.5).rounded(.up)
  guard column <= Float(width) else { return }
  winding[max(0, Int(column))] += up ? 1 : -1
}

/// Cuts an outline of 26.6 fixed point into segments of at most about a sixteenth of a pixel's error.
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
    for step in 1...curveSteps {
      let t = Float(step) / Float(curveSteps)
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
    for step in 1...curveSteps {
      let t = Float(step) / Float(curveSteps)
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

/// At 24 pixels an em a curve spans a few pixels: eight pieces keep within a fiftieth of a pixel.
private let curveSteps = 8

private func outlinePoint(_ vector: UnsafePointer<FT_Vector>?) -> SIMD2<Float> {
  guard let vector = vector?.pointee else { return .zero }
  return SIMD2(Float(vector.x) / 64, Float(vector.y) / 64)
}
