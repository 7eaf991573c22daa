/// Files that something was loaded from, and whether they are others by now. A change counts once it has come
/// to rest: from one look to the next nothing more happened, so that half a copy is not loaded.
struct FileWatch {
  /// By path; nil: there was none.
  private var known: [String: [Int]?] = [:]
  private var seen: [[Int]?]?

  init(_ stamps: [String: [Int]?]) { known = stamps }

  /// As they are now.
  static func stamps(_ paths: some Sequence<String>) -> [String: [Int]?] {
    Dictionary(paths.map { ($0, Platform.stamp($0)) }, uniquingKeysWith: { a, _ in a })
  }

  /// Looks at the files.
  mutating func isDue() -> Bool {
    let paths = known.keys.sorted()
    let now = paths.map { Platform.stamp($0) }
    guard zip(paths, now).contains(where: { known[$0.0] != .some($0.1) }) else {
      seen = nil
      return false
    }
    defer { seen = now }
    return seen == now
  }
}
