import CSQLite
import NeatBase
import NeatTile

extension ResourceDatabase {
  /// What is stored under a key, fresh or not; nil where nothing is. The entry counts as used now.
  package func get(_ key: DatabaseKey, now: Int64) throws(NeatError) -> DatabaseResponse? {
    let response = try read(key, now: now)
    if let response {
      statistics.hits += 1
      if case .data(let bytes) = response.content { statistics.bytesRead += UInt64(bytes.count) }
    } else {
      statistics.misses += 1
    }
    if accessTimes.isDue(now) { flushAccess(now: now) }
    return response
  }

  /// As `get`, for who fills a region: it counts as no use and in no statistics.
  package func regionResource(_ key: DatabaseKey) throws(NeatError) -> DatabaseResponse? {
    try read(key, now: nil)
  }

  /// What is known of an entry, without its body; nil where nothing is stored.
  package func facts(_ key: DatabaseKey) throws(NeatError) -> DatabaseFacts? {
    try perform(isWrite: false) { (connection) throws(NeatError) in
      let row = try statement(connection, .facts, key.table)
      key.bind(row)
      guard try connection.step(row) else { return nil }
      defer { sqlite3_reset(row.handle) }
      return DatabaseFacts(
        bytes: Int(clamping: max(0, row.int(4))), isEmpty: row.isNull(4), etag: ResourceDatabase.etag(row, 1),
        modified: ResourceDatabase.time(row, 3), expires: ResourceDatabase.time(row, 2),
        mustRevalidate: row.int(5) != 0)
    }
  }

  private enum Entry {
    case none
    case response(DatabaseResponse)
    case damaged(id: Int64, NeatError)
  }

  private func read(_ key: DatabaseKey, now: Int64?) throws(NeatError) -> DatabaseResponse? {
    let entry = try perform(isWrite: false) { (connection) throws(NeatError) in
      try readEntry(connection, key, now: now)
    }
    switch entry {
    case .none: return nil
    case .response(let response): return response
    case .damaged(let id, let error):
      statistics.damaged += 1
      tell(DatabaseNotice(failure: .broken, error: error))
      if !isReadOnly { try removeEntry(key.table, id) }
      return nil
    }
  }

  private func readEntry(_ connection: SQLiteConnection, _ key: DatabaseKey, now: Int64?) throws(NeatError)
    -> Entry
  {
    let row = try statement(connection, .read, key.table)
    key.bind(row)
    guard try connection.step(row) else { return .none }
    defer { sqlite3_reset(row.handle) }
    let id = row.int(0)
    var response = DatabaseResponse(
      .empty, etag: ResourceDatabase.etag(row, 1), modified: ResourceDatabase.time(row, 3),
      expires: ResourceDatabase.time(row, 2), mustRevalidate: row.int(7) != 0)
    if !row.isNull(4) {
      do throws(NeatError) {
        response.content = .data(try body(row, isPacked: row.int(5) != 0))
      } catch {
        guard error.code != .outOfMemory else { throw error }
        return .damaged(
          id: id,
          NeatError(.archive, "the entry of \(key.address) is damaged: \(error.message)", resource: path))
      }
    }
    // A row that was read in this very second says so already.
    if let now, !isReadOnly, row.int(6) != now || accessTimes.time(key.table, id) != nil {
      accessTimes.note(key.table, id, at: now)
    }
    return .response(response)
  }

  private func body(_ row: SQLiteStatement, isPacked: Bool) throws(NeatError) -> [UInt8] {
    let limit = options.maximumBodyBytes
    return try row.withBytes(4) { (bytes) throws(NeatError) in
      if isPacked { return try Inflate.decompressPacked(bytes, limit: limit) }
      guard bytes.count <= limit else {
        throw NeatError(.limitExceeded, "\(bytes.count) bytes, the limit is \(limit)")
      }
      return Array(bytes)
    }
  }

  private static func time(_ row: SQLiteStatement, _ column: Int32) -> Int64? {
    row.isNull(column) ? nil : DatabaseTime.held(row.int(column))
  }

  private static func etag(_ row: SQLiteStatement, _ column: Int32) -> String? {
    guard let text = row.text(column), text.utf8.count <= DatabaseOptions.maximumTextBytes else { return nil }
    return text
  }

  // MARK: Times of use

  /// Writes when entries were read. Where others hold the lock it is left for later: nobody waits for this.
  /// `now` is nil on closing.
  func flushAccess(now: Int64?) {
    guard accessTimes.count > 0, !isReadOnly, let connection else { return }
    connection.begin(isBulk: true)
    // On closing there is no later.
    if now != nil { connection.setBusyTimeout(0) }
    defer { connection.setBusyTimeout(options.busyTimeoutMS) }
    do throws(NeatError) {
      try connection.transaction { () throws(NeatError) in
        for table in DatabaseTable.allCases {
          let touch = try statement(connection, .touch, table)
          for (id, time) in accessTimes.entries(table) {
            touch.bind(1, id)
            touch.bind(2, time)
            try connection.run(touch)
          }
        }
      }
      accessTimes.removeAll()
    } catch {
      // Losing them costs an eviction that is less apt. A broken database shows in the next call.
      connection.rollBack()
      if let now { accessTimes.postpone(now) }
    }
  }
}
