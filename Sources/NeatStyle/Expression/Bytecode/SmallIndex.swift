/// Numbers for keys in the order they come. Most programs have a handful of each kind, which are found by
/// looking; a dictionary comes in past that.
struct SmallIndex<Key: Hashable> {
  private static var lookedThrough: Int { 8 }
  private(set) var keys: [Key] = []
  private var numbers: [Key: Int] = [:]

  func find(_ key: Key) -> Int? { keys.count <= Self.lookedThrough ? keys.firstIndex(of: key) : numbers[key] }

  /// Adds a key that is not there; its number.
  mutating func append(_ key: Key) -> Int {
    let number = keys.count
    keys.append(key)
    if keys.count == Self.lookedThrough + 1 {
      for (number, key) in keys.enumerated() { numbers[key] = number }
    } else if keys.count > Self.lookedThrough {
      numbers[key] = number
    }
    return number
  }
}
