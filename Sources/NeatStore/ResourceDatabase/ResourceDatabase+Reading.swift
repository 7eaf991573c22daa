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
      defer { row.reset() }
      return DatabaseFacts(
        bytes: Int(clamping: max(0, row.int(4))), isEmpty: row.isNull(4), etag: ResourceDatabase.etag(row, 1),
        modified: ResourceDatabase.time(row, 3), expires: ResourceDatabase.time(row, 2),
        mustRevalidate: row.int(5) != 0)
    }
  }

  /// What is stored under a key, still packed: whoever shares the database with other threads unpacks after its
  /// lock. Counts as a use; `damaged` is told where it cannot be unpacked.
  package func packed(_ key: DatabaseKey, now: Int64) throws(NeatError) -> PackedEntry? {
    let entry = try entry(key, now: now)
    if entry == nil { statistics.misses += 1 } else { statistics.hits += 1 }
    if accessTimes.isDue(now) { flushAccess(now: now) }
    return entry
  }

  /// What `packed` gave could not be unpacked: it is taken out, and was nothing.
  package func damaged(_ entry: PackedEntry, _ error: NeatError) throws(NeatError) {
    statistics.hits -= 1
    statistics.misses += 1
    try takeOut(entry, error)
  }

  private func takeOut(_ entry: PackedEntry, _ error: NeatError) throws(NeatError) {
    statistics.damaged += 1
    tell(
      DatabaseNotice(
        failure: .broken,
        error: NeatError(
          .archive, "the entry of \(entry.key.address) is damaged: \(error.message)", resource: path)))
    if !isReadOnly { try removeEntry(entry.key.table, entry.id) }
  }

  private func read(_ key: DatabaseKey, now: Int64?) throws(NeatError) -> DatabaseResponse? {
    guard let entry = try entry(key, now: now) else { return nil }
    do throws(NeatError) {
      return try entry.unpacked()
    } catch {
      guard error.code != .outOfMemory else { throw error }
      try takeOut(entry, error)
      return nil
    }
  }

  private func entry(_ key: DatabaseKey, now: Int64?) throws(NeatError) -> PackedEntry? {
    try perform(isWrite: false) { (connection) throws(NeatError) in
      try readEntry(connection, key, now: now)
    }
  }

  private func readEntry(_ connection: SQLiteConnection, _ key: DatabaseKey, now: Int64?) throws(NeatError)
    -> PackedEntry?
  {
    let row = try statement(connection, .read, key.table)
    key.bind(row)
    guard try connection.step(row) else { return nil }
    defer { row.reset() }
    let id = row.int(0)
    let response = DatabaseResponse(
      .empty, etag: ResourceDatabase.etag(row, 1), modified: ResourceDatabase.time(row, 3),
      expires: ResourceDatabase.time(row, 2), mustRevalidate: row.int(7) != 0)
    var entry = PackedEntry(key: key, id: id, limit: options.maximumBodyBytes, response: response)
    if !row.isNull(4) {
      entry.isPacked = row.int(5) != 0
      entry.body = try row.withBytes(4) { (bytes) throws(NeatError) in try entry.held(bytes) }
    }
    // A row that was read in this very second says so already.
    if let now, !isReadOnly, row.int(6) != now || accessTimes.time(key.table, id) != nil {
      accessTimes.note(key.table, id, at: now)
    }
    return entry
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
