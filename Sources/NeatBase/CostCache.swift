/// Values by key, each with what it costs (bytes, mostly) and when it was last used, by a clock of the
/// caller's. What was not used for longest goes first, once the values cost more than a budget.
///
/// Looking, storing and dropping one value take constant time, `trim` n log n where there is too much.
package struct CostCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  package struct Entry: Sendable {
    package var value: Value
    package fileprivate(set) var cost: Int
    package fileprivate(set) var lastUse: UInt64
  }

  private var entries: [Key: Entry] = [:]
  /// What all values cost together.
  package private(set) var cost = 0

  package init() {}

  package var count: Int { entries.count }
  package var isEmpty: Bool { entries.isEmpty }
  package var keys: [Key] { Array(entries.keys) }

  /// The value of a key, without counting as a use.
  package subscript(key: Key) -> Value? { entries[key]?.value }

  package func entry(_ key: Key) -> Entry? { entries[key] }

  /// Calls the body for each value last used at a time.
  package func forEach(lastUsed use: UInt64, _ body: (Value) -> Void) {
    for entry in entries.values where entry.lastUse == use { body(entry.value) }
  }

  /// Stores a value, in place of the one that the key has.
  package mutating func store(_ value: Value, for key: Key, cost: Int, use: UInt64) {
    assert(cost >= 0)
    let old = entries.updateValue(Entry(value: value, cost: cost, lastUse: use), forKey: key)
    self.cost += cost - (old?.cost ?? 0)
  }

  /// Notes a use; an earlier one than is known changes nothing.
  package mutating func touch(_ key: Key, use: UInt64) {
    guard let index = entries.index(forKey: key), entries.values[index].lastUse < use else { return }
    entries.values[index].lastUse = use
  }

  /// Changes a value in its place, where there is one.
  package mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
    guard let index = entries.index(forKey: key) else { return }
    body(&entries.values[index].value)
  }

  /// Notes what a value costs by now, where there is one.
  package mutating func setCost(_ cost: Int, of key: Key) {
    assert(cost >= 0)
    guard let old = entries[key]?.cost, old != cost else { return }
    entries[key]?.cost = cost
    self.cost += cost - old
  }

  @discardableResult package mutating func remove(_ key: Key) -> Value? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    cost -= entry.cost
    assert(cost >= 0 && (!entries.isEmpty || cost == 0))
    return entry.value
  }

  package mutating func removeAll() {
    entries.removeAll()
    cost = 0
  }

  /// Drops the values that a test is true for.
  package mutating func drop(where isStale: (Key, Value) -> Bool) {
    for (key, entry) in entries where isStale(key, entry.value) { remove(key) }
  }

  /// Drops the values that were not used at a time or later and that a test is true for.
  package mutating func drop(unusedSince use: UInt64, where isStale: (Value) -> Bool = { _ in true }) {
    for (key, entry) in entries where entry.lastUse < use && isStale(entry.value) { remove(key) }
  }

  /// Drops values until those left cost no more than the budget, the ones not used for longest first.
  /// - Parameter use: what was used at this time or later stays, whatever it costs.
  package mutating func trim(to budget: Int, keeping use: UInt64) {
    guard cost > budget else { return }
    let oldest = entries.lazy.filter { $0.value.lastUse < use }.map { (key: $0.key, use: $0.value.lastUse) }
    for candidate in oldest.sorted(by: { $0.use < $1.use }) {
      guard cost > budget else { return }
      remove(candidate.key)
    }
  }
}
