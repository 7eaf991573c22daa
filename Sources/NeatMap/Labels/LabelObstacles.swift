import NeatBase
import NeatPlacement

/// Rectangles of the view that labels make room for.
package struct LabelObstacles: Sendable {
  /// Logical pixels.
  private(set) var boxes: [CollisionRect] = []
  /// The same for the same ones at the same places of the ground; 0 for none.
  package private(set) var number = 0

  package init() {}

  /// `box`: nil for one that lies outside.
  mutating func add(
    _ box: CollisionRect?, _ place: SIMD2<Double>, _ corner: SIMD2<Double>, _ size: SIMD2<Double>
  ) {
    var hasher = Hasher()
    for values in [place, corner, size] { hasher.combine(values) }
    number &+= hasher.finalize()
    if let box { boxes.append(box) }
  }
}
