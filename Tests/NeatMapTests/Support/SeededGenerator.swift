/// Numbers that look like chance, and are the same each time.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let x = (state ^ (state >> 18)) &* 0x9E37_79B9_7F4A_7C15
    return x ^ (x >> 29)
  }
}
