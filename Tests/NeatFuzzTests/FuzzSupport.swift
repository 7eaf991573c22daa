import NeatBase
import NeatTestSupport
import Testing

/// Numbers of a seed, the same on every machine.
struct FuzzRandom: RandomNumberGenerator {
  private var numbers: SplitMix

  init(seed: UInt64) { numbers = SplitMix(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1) }

  mutating func next() -> UInt64 { numbers.next() }

  mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
  mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
  mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
  mutating func within(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) * 0x1p-53
  }
}

/// How a fuzz target is run:
///
///     NEATLINE_FUZZ_ROUNDS=1000000 swift test -c release --filter NeatFuzzTests     as many rounds of each target
///     NEATLINE_FUZZ_SEED=17 …                                                      from that seed on
///     NEATLINE_FUZZ_TRACE=1 …                                                      the seed of each round, before it
///
/// A round depends on its seed alone.
enum Fuzz {
  private static func variable(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  /// A round that takes longer hangs, for all that a user can tell.
  static let slowest = Duration.seconds(60)

  /// At once, so that it stands there when the process ends.
  private static func trace(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }

  static func run(rounds usual: UInt64, _ body: (inout FuzzRandom) throws -> Void) throws {
    #if DEBUG
      let rounds = variable("NEATLINE_FUZZ_ROUNDS") ?? max(usual / 3, 1)
    #else
      let rounds = variable("NEATLINE_FUZZ_ROUNDS") ?? usual
    #endif
    let first = variable("NEATLINE_FUZZ_SEED") ?? 1
    let isTraced = variable("NEATLINE_FUZZ_TRACE") ?? 0 != 0
    for seed in first..<first + rounds {
      if isTraced { trace("seed \(seed)") }
      var random = FuzzRandom(seed: seed)
      let clock = ContinuousClock()
      let took = try clock.measure { try body(&random) }
      if isTraced, took > .seconds(1) { trace("seed \(seed) took \(took)") }
      #expect(took < slowest, "seed \(seed) took \(took)")
    }
  }
}

/// Damages bytes as storage, transport and ill will do.
func damage(_ bytes: inout [UInt8], _ random: inout FuzzRandom) {
  guard !bytes.isEmpty else { return }
  let at = random.below(bytes.count)
  switch random.below(6) {
  case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
  case 1: bytes[at] ^= 1 << UInt8(random.below(8))
  case 2: bytes[at] = random.pick([0, 1, 0x7F, 0x80, 0xFF])
  case 3: bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF, 0x0F], at: at)
  case 4: bytes.remove(at: at)
  default: bytes.swapAt(at, random.below(bytes.count))
  }
}
