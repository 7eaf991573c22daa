import NeatBase

/// The part of a picture that is drawn on.
package enum GroundEdge: Sendable, Equatable {
  /// Where a·x + b·y + c is not negative at the centre of a pixel: the ground below a horizon.
  case below(SIMD3<Double>)
  /// Columns that are the same in all rows.
  case columns(Range<Int>)

  /// Columns of a row.
  package func columns(_ y: Int, width: Int) -> Range<Int> {
    switch self {
    case .columns(let columns): return columns.clamped(to: 0..<width)
    case .below(let edge):
      let rest = edge.y * (Double(y) + 0.5) + edge.z
      guard edge.x != 0 else { return rest >= 0 ? 0..<width : 0..<0 }
      let crossing = -rest / edge.x - 0.5
      if edge.x > 0 {
        let first = Int(bounded: min(max(crossing.rounded(.up), 0), Double(width)))
        return first..<width
      }
      let last = Int(bounded: min(max(crossing.rounded(.down) + 1, 0), Double(width)))
      return 0..<last
    }
  }
}
