extension Array {
  /// The part of a convex polygon on one side of a plane, after Sutherland and Hodgman.
  /// - Parameters:
  ///   - distance: of a corner from the plane; not negative on the side that is kept.
  ///   - between: the point a share of the way from one corner to the next.
  @inlinable package func convexPart<Number: BinaryFloatingPoint>(
    _ distance: (Element) -> Number, between: (Element, Element, Number) -> Element
  ) -> [Element] {
    guard var before = last else { return [] }
    var kept: [Element] = []
    kept.reserveCapacity(count + 1)
    var was = distance(before)
    for corner in self {
      let here = distance(corner)
      if (here >= 0) != (was >= 0) { kept.append(between(before, corner, was / (was - here))) }
      if here >= 0 { kept.append(corner) }
      (before, was) = (corner, here)
    }
    return kept
  }
}
