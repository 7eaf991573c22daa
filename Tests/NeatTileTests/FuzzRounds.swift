/// How often a fuzz test tries: a few seconds of an optimised build; debug builds, which are some 30 times
/// slower, make fewer.
func fuzzRounds(_ rounds: Int) -> Int {
  #if DEBUG
    max(rounds / 8, 1)
  #else
    rounds
  #endif
}

/// Damages bytes as storage, transport and ill will do: changed, turned, missing, inserted and repeated
/// bytes, and cut ends.
func damage(_ bytes: inout [UInt8], _ random: inout TestRandom) {
  guard !bytes.isEmpty else { return }
  let at = Int.random(in: 0..<bytes.count, using: &random)
  switch Int.random(in: 0..<8, using: &random) {
  case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
  case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
  case 2: bytes[at] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random)!
  case 3: bytes.remove(at: at)
  case 4: bytes.insert(contentsOf: [0xff, 0xff, 0xff, 0xff, 0x0f], at: at)
  case 5: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 8)], at: at)
  case 6: bytes.swapAt(at, Int.random(in: 0..<bytes.count, using: &random))
  default: bytes.removeLast(bytes.count - at)
  }
}
