import NeatBase
import NeatStore

/// What went wrong in a cache without failing anybody: the report tells each once, and every map too.
struct CacheNotices: Sendable {
  /// The last ones, and the number of the first of them.
  private var kept: [DatabaseNotice] = []
  private var firstNumber: UInt64 = 0
  private var unreported: [DatabaseNotice] = []
  private var hasNews = false
  /// Those that a map was told.
  private(set) var shownCount: UInt64 = 0

  private static let limit = ResourceDatabase.maxNotices

  mutating func add(_ notices: [DatabaseNotice]) {
    guard !notices.isEmpty else { return }
    hasNews = true
    kept += notices
    let extra = max(0, kept.count - CacheNotices.limit)
    kept.removeFirst(extra)
    firstNumber += UInt64(extra)
    unreported += notices.prefix(max(0, CacheNotices.limit - unreported.count))
  }

  mutating func takeNews() -> Bool {
    defer { hasNews = false }
    return hasNews
  }

  mutating func takeUnreported() -> [DatabaseNotice] {
    defer { unreported = [] }
    return unreported
  }

  mutating func take(since number: inout UInt64) -> [DatabaseNotice] {
    let end = firstNumber + UInt64(kept.count)
    guard number < end else { return [] }
    let start = Int(clamping: max(number, firstNumber) - firstNumber)
    number = end
    shownCount = max(shownCount, end)
    return Array(kept[start...])
  }
}
