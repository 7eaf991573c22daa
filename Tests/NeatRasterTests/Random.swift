/// Numbers that come out the same each time.
struct Random {
  var state: UInt64

  mutating func next(below limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % limit
  }

  mutating func next(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(next(below: Int(range.upperBound - range.lowerBound + 1)))
  }
}
