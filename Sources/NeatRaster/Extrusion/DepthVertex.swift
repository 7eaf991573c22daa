import NeatBase

/// A corner of a face with depth.
package struct DepthVertex: Sendable, BitwiseCopyable {
  /// (x·w, y·w, z, w): frame pixels times w; z / w grows away from the viewer, from -1 at the near plane, before which
  /// nothing is drawn: what stands right before the eye does not hide all the rest.
  package var position: SIMD4<Float>
  /// Premultiplied, 0...1. Of a face with a pattern: what the pattern's colours are multiplied by.
  package var color: SIMD4<Float>
  /// Where in the pattern, in its own pixels.
  package var texture: SIMD2<Float>
  /// In 1/256 pixel of the frame; the least number where the face is to be cut first.
  private(set) var place: SIMD2<Int32>

  package init(position: SIMD4<Float>, color: SIMD4<Float>, texture: SIMD2<Float> = .zero) {
    (self.position, self.color, self.texture) = (position, color, texture)
    place = DepthVertex.isInside(position) ? DepthVertex.snapped(position) : SIMD2(.min, .min)
  }

  /// Whether it lies before the eye and not far outside of the frame.
  var isInside: Bool { place.x != .min }

  /// Whether a face of four corners, of which none is to be cut, is seen from behind or edge on.
  package static func showsBack(_ corners: ArraySlice<DepthVertex>) -> Bool {
    precondition(corners.count == 4)
    guard corners.allSatisfy(\.isInside) else { return false }
    let first = corners.startIndex
    func way(_ from: Int, _ to: Int) -> SIMD2<Int64> {
      let (a, b) = (corners[first + from].place, corners[first + to].place)
      return SIMD2(Int64(b.x) - Int64(a.x), Int64(b.y) - Int64(a.y))
    }
    let (u, v) = (way(0, 2), way(1, 3))
    return u.x * v.y - u.y * v.x >= 0
  }

  /// Beyond this many pixels from the frame's corner faces are cut, so that products fit 52 bits.
  private static let guardPixels: Float = 65536
  private static let nearW: Float = 1e-5

  private static func isInside(_ p: SIMD4<Float>) -> Bool {
    let limit = guardPixels * p.w
    return p.w >= nearW && p.z >= -p.w && abs(p.x) <= limit && abs(p.y) <= limit && limit.isFinite
  }

  /// The same on the grid of 1/16 pixel.
  var coarse: DepthVertex {
    var vertex = self
    vertex.place = DepthVertex.snapped(position, parts: 16) &* 16
    return vertex
  }

  /// Rounded to parts of a pixel, from ties to the even one.
  private static func snapped(_ p: SIMD4<Float>, parts: Double = 256) -> SIMD2<Int32> {
    let pixels = SIMD2<Double>(SIMD2(p.x, p.y) / p.w) * parts
    // Corners that were cut to the guard square may lie beyond it by what rounding leaves.
    let limit = Double(guardPixels) * 512
    let held = pixels.clamped(lowerBound: SIMD2(repeating: -limit), upperBound: SIMD2(repeating: limit))
    // 1.5 × 2^52: the sum's lowest bits are the rounded number.
    let bits = unsafeBitCast(held + 6_755_399_441_055_744, to: SIMD2<UInt64>.self)
    return SIMD2(Int32(truncatingIfNeeded: bits.x), Int32(truncatingIfNeeded: bits.y))
  }

  private static func distance(_ p: SIMD4<Float>, _ plane: Int) -> Float {
    plane == 5 ? p.w + p.z : HomogeneousClip.room(p.x, p.y, p.w, plane, reach: guardPixels, nearW: nearW)
  }

  /// The polygon cut to the near plane and the guard square (Sutherland and Hodgman); corners that rounding leaves
  /// outside are moved to it.
  static func clipped(_ corners: [DepthVertex]) -> [DepthVertex] {
    var current = corners
    guard
      current.allSatisfy({
        $0.position.x.isFinite && $0.position.y.isFinite && $0.position.z.isFinite && $0.position.w.isFinite
      })
    else {
      return []
    }
    for plane in 0..<6 where !current.isEmpty {
      current = current.convexPart {
        distance($0.position, plane)
      } between: { a, b, t in
        DepthVertex(
          position: a.position + (b.position - a.position) * t, color: a.color + (b.color - a.color) * t,
          texture: a.texture + (b.texture - a.texture) * t)
      }
    }
    return current.filter { $0.position.w > 0 }.map(\.held)
  }

  /// The same in the guard square, and not before the near plane.
  private var held: DepthVertex {
    guard !isInside else { return self }
    let w = max(position.w, DepthVertex.nearW)
    let limit = DepthVertex.guardPixels * w
    let x = min(max(position.x, -limit), limit)
    let y = min(max(position.y, -limit), limit)
    return DepthVertex(position: SIMD4(x, y, max(position.z, -w), w), color: color, texture: texture)
  }
}
