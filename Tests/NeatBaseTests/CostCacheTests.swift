import NeatBase
import Testing

@Suite struct CostCacheTests {
  /// Keys a, b, c, … each costing 10, used at 1, 2, 3, …
  private func cache(_ count: Int) -> CostCache<String, Int> {
    var cache = CostCache<String, Int>()
    for index in 0..<count {
      let name = String(UnicodeScalar(UInt8(97 + index)))
      cache.store(index, for: name, cost: 10, use: UInt64(index + 1))
    }
    return cache
  }

  @Test func whatIsStoredIsFoundAndCounted() {
    var cache = cache(3)
    #expect(cache["b"] == 1 && cache["z"] == nil && cache.count == 3 && cache.cost == 30)
    cache.store(7, for: "b", cost: 5, use: 9)
    #expect(cache["b"] == 7 && cache.count == 3 && cache.cost == 25)
    cache.setCost(50, of: "b")
    cache.setCost(50, of: "z")
    #expect(cache.cost == 70)
    cache.change("c") { $0 += 1 }
    cache.change("z") { $0 += 1 }
    #expect(cache["c"] == 3 && cache["z"] == nil)
    #expect(cache.remove("b") == 7 && cache.remove("b") == nil && cache.cost == 20)
    cache.removeAll()
    #expect(cache.isEmpty && cache.cost == 0)
  }

  @Test func whatWasNotUsedForLongestGoesFirst() {
    var cache = cache(5)
    cache.touch("a", use: 8)
    cache.touch("a", use: 2)
    cache.touch("z", use: 8)
    cache.trim(to: 30, keeping: 100)
    #expect(cache.keys.sorted() == ["a", "d", "e"] && cache.cost == 30)
    cache.trim(to: 30, keeping: 100)
    #expect(cache.count == 3, "nothing goes where the budget is kept")
    cache.trim(to: 0, keeping: 100)
    #expect(cache.isEmpty && cache.cost == 0)
  }

  @Test func whatIsInUseStaysWhateverItCosts() {
    var cache = cache(5)
    cache.trim(to: 0, keeping: 4)
    #expect(cache.keys.sorted() == ["d", "e"])
    func values(_ use: UInt64) -> [Int] {
      var found: [Int] = []
      cache.forEach(lastUsed: use) { found.append($0) }
      return found
    }
    #expect(values(4) == [3] && values(1) == [])
  }

  @Test func staleValuesAreDropped() {
    var cache = cache(5)
    cache.drop { key, value in key == "a" || value > 2 }
    #expect(cache.keys.sorted() == ["b", "c"] && cache.cost == 20)
  }

  /// Against a plain reading: a list of entries, oldest first.
  @Test func randomUseAgreesWithAPlainList() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<50 {
      var cache = CostCache<Int, Int>()
      var list: [(key: Int, cost: Int, use: UInt64)] = []
      for use in 1...200 as ClosedRange<UInt64> {
        let key = Int.random(in: 0..<20, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          cache.touch(key, use: use)
          if let index = list.firstIndex(where: { $0.key == key }) { list[index].use = use }
        case 1:
          let budget = Int.random(in: 0..<300, using: &random), kept = use - min(use, 15)
          cache.trim(to: budget, keeping: kept)
          for entry in list.sorted(by: { $0.use < $1.use })
          where list.reduce(0, { $0 + $1.cost }) > budget && entry.use < kept {
            list.removeAll { $0.key == entry.key }
          }
        default:
          let cost = Int.random(in: 0..<40, using: &random)
          cache.store(key, for: key, cost: cost, use: use)
          list.removeAll { $0.key == key }
          list.append((key, cost, use))
        }
        #expect(cache.keys.sorted() == list.map(\.key).sorted())
        #expect(cache.cost == list.reduce(0) { $0 + $1.cost })
      }
    }
  }
}
