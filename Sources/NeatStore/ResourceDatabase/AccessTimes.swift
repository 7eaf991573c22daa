/// When entries were last read, for those whose rows do not say so yet: a read is then not a write. Eviction
/// looks here before it takes a row; the rest is written now and then, and on closing.
struct AccessTimes {
  private var times: [[Int64: Int64]] = [[:], [:]]
  private var since: Int64?
  /// Not before this time is anything written again, after a try that failed.
  private var resumesAt: Int64 = .min

  /// Entries that are waited with, and seconds.
  static let maxCount = 16_384
  static let maxAge: Int64 = 10
  static let retryAfter: Int64 = 30

  var count: Int { times[0].count + times[1].count }

  mutating func note(_ table: DatabaseTable, _ id: Int64, at now: Int64) {
    // Where nothing can be written (a lock that does not end) the memory stays bounded.
    if count >= 2 * AccessTimes.maxCount { times = [[:], [:]] }
    times[table.rawValue][id] = now
    if since == nil { since = now }
  }

  func isDue(_ now: Int64) -> Bool {
    guard let since, now >= resumesAt else { return false }
    // A clock that was set back makes it due as well.
    return count >= AccessTimes.maxCount || now &- since >= AccessTimes.maxAge || now < since
  }

  /// The time of an entry that its row does not have; the row is written next.
  mutating func take(_ table: DatabaseTable, _ id: Int64) -> Int64? {
    times[table.rawValue].removeValue(forKey: id)
  }

  func time(_ table: DatabaseTable, _ id: Int64) -> Int64? { times[table.rawValue][id] }

  func entries(_ table: DatabaseTable) -> [Int64: Int64] { times[table.rawValue] }

  mutating func postpone(_ now: Int64) { resumesAt = now &+ AccessTimes.retryAfter }

  mutating func removeAll() {
    times = [[:], [:]]
    since = nil
    resumesAt = .min
  }
}
