// Paint of vertices, for properties that differ from feature to feature. A property that is the same for all
// is 0 here, and stands in the command instead.
import NeatBase

/// Layout `fillPaint`.
struct FillPaintVertex: BitwiseCopyable {
  /// Premultiplied.
  var color: UInt32
  var opacity: Float
}

/// Layout `linePaint`.
struct LinePaintVertex: BitwiseCopyable {
  var color: UInt32
  var opacity: Float
  var width: Float
  var gapWidth: Float
  var offset: Float
  var blur: Float
  var floorWidth: Float
  /// Place along the whole line, 0...1.
  var progress: Float
}

/// Layout `circlePaint`.
struct CirclePaintVertex: BitwiseCopyable {
  var color: UInt32
  var strokeColor: UInt32
  var opacity: Float
  var strokeOpacity: Float
  var radius: Float
  var strokeWidth: Float
  var blur: Float
}

/// Layout `extrusionPaint`.
struct ExtrusionPaintVertex: BitwiseCopyable {
  var color: UInt32
  var base: Float
  var height: Float
}

/// Layout `picture`.
struct PictureVertex: BitwiseCopyable {
  var x: Float
  var y: Float
  var u: Float
  var v: Float
}

/// Layout `symbol`.
struct SymbolVertex: BitwiseCopyable {
  /// Device pixels.
  var x: Float
  var y: Float
  /// 0...1 of the texture.
  var u: Float
  var v: Float
  /// Premultiplied, opacity included; of pictures the opacity in all four.
  var color: UInt32
  var edge: Float
  var gamma: Float
  /// 1: a halo, which leaves out the letter.
  var halo: Float
}

/// Red in the lowest byte, as blending has it.
func packed(_ color: SIMD4<Float>) -> UInt32 {
  let scaled = (color * 255).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)).rounded(
    .toNearestOrEven)
  let bytes = SIMD4<UInt32>(saturating: scaled)
  return bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24
}
