import NeatBase
import Testing

@Suite("Arena")
struct ArenaTests {
  @Test("Pieces whose sizes are known are one block, without room for more")
  func knownSizes() {
    let counts = [0, 1, 16, 17, 600_000, 600_000]
    let arena = Arena(for: counts)
    #expect(arena.byteCount == 0)
    var places = counts.map { Int(bitPattern: arena.allocate(UInt8.self, $0)) }
    // An empty piece has an address of its own too.
    #expect(arena.byteCount == 16 + 16 + 16 + 32 + 1_200_000)
    #expect(places.allSatisfy { $0 % 16 == 0 })
    places.append(places[0] + arena.byteCount)
    #expect(zip(places, places.dropFirst()).map { $1 - $0 } == [16, 16, 16, 32, 600_000, 600_000])
  }

  @Test("An arena of one block goes on when more is asked for", arguments: [[], [40], [5 << 20]])
  func more(sizes: [Int]) {
    let arena = Arena(for: sizes)
    for size in sizes { arena.allocate(UInt8.self, size).update(repeating: 1, count: size) }
    let before = arena.byteCount
    let more = (0..<40).map { index in
      let place = arena.allocate(UInt64.self, 500)
      place.update(repeating: UInt64(index), count: 500)
      return place
    }
    #expect(more.indices.allSatisfy { index in (0..<500).allSatisfy { more[index][$0] == UInt64(index) } })
    #expect(arena.byteCount >= before + 40 * 4000)
  }
}
