// How much of a pixel a straight stretch of a line covers, from where the pixel is. A reach is a static type,
// as shaders are, so that the loops over pixels are compiled for each of them, and ask nothing.

import NeatBase

protocol LineReach {
  /// Coverage 0...255 at four places along the row whose pixels' centres lie at `row`.
  func coverage(_ place: SIMD4<Float>, row: Float) -> SIMD4<Float>
}

/// Cut to 0...255.
@inline(__always) private func byte(_ value: SIMD4<Float>) -> SIMD4<Float> {
  let low = value.replacing(with: 255, where: value .> 255)
  return low.replacing(with: 0, where: low .< 0)
}

@inline(__always) private func magnitude(_ value: SIMD4<Float>) -> SIMD4<Float> {
  unsafeBitCast(unsafeBitCast(value, to: Pixels4.self) & 0x7FFF_FFFF, to: SIMD4<Float>.self)
}

extension SIMD3<Float> {
  /// A linear function's changes along x and y and its value at the frame's origin.
  @inline(__always) fileprivate func at(_ place: SIMD4<Float>, _ row: Float) -> SIMD4<Float> {
    place * x + (z + row * y)
  }
}

/// Sides that are parallel.
struct ParallelReach: LineReach {
  private let across: SIMD3<Float>
  private let slope: Float

  @inline(__always)
  init(_ shape: LineTrapezoid, _ shade: LineShade) { (across, slope) = (shape.first, shade.slope) }

  @inline(__always)
  func coverage(_ place: SIMD4<Float>, row: Float) -> SIMD4<Float> {
    byte(slope - magnitude(across.at(place, row)))
  }
}

/// Sides that are not.
struct SlantedReach: LineReach {
  private let first, second: SIMD3<Float>
  private let slope: Float

  @inline(__always)
  init(_ shape: LineTrapezoid, _ shade: LineShade) {
    (first, second, slope) = (shape.first, shape.second, shade.slope)
  }

  @inline(__always)
  func coverage(_ place: SIMD4<Float>, row: Float) -> SIMD4<Float> {
    let (a, b) = (first.at(place, row), second.at(place, row))
    return byte(slope - magnitude(a.replacing(with: b, where: b .> a)))
  }
}

/// Any stretch: with a gap, or a round end.
struct AnyReach: LineReach {
  private let first, second, cap: SIMD3<Float>
  private let kind: LineTrapezoid.Kind
  private let slope, gap: Float
  private let hasGap: Bool

  @inline(__always)
  init(_ shape: LineTrapezoid, _ shade: LineShade) {
    (first, second, cap, kind) = (shape.first, shape.second, shape.cap, shape.kind)
    (slope, gap, hasGap) = (shade.slope, shade.gap, shade.hasGap)
  }

  @inline(__always)
  func coverage(_ place: SIMD4<Float>, row: Float) -> SIMD4<Float> {
    LineRaster.coverage(distance(place, row), slope, gap, hasGap)
  }

  @inline(__always)
  private func distance(_ place: SIMD4<Float>, _ row: Float) -> SIMD4<Float> {
    let across = first.at(place, row)
    switch kind {
    case .one: return magnitude(across)
    case .two:
      let other = second.at(place, row)
      return magnitude(across.replacing(with: other, where: other .> across))
    case .round:
      let along = cap.at(place, row)
      return (across * across + along * along).squareRoot()
    }
  }
}
