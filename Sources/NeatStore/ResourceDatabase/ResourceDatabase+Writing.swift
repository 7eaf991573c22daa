import CSQLite
import NeatBase
import NeatTile

extension ResourceDatabase {
  /// A body as it is stored.
  struct StoredBody {
    /// Nil where there is none: an empty answer.
    var bytes: [UInt8]?
    var isPacked = false
    var count: Int { bytes?.count ?? 0 }
  }

  /// Entries that go into one transaction: many rows share its cost, and others do not wait long.
  package static let batchCount = 64

  /// Stores what a server answered, or renews the times of what is stored (`notModified`). What a region
  /// needs is replaced in place and counts to no limit; the rest makes room for itself in the ambient cache.
  ///
  /// Throws `limitExceeded` for a body, address or etag past its limit, `io` for full and read-only disks,
  /// `timeout`.
  @discardableResult
  package func put(_ key: DatabaseKey, _ response: DatabaseResponse, now: Int64) throws(NeatError)
    -> DatabaseOutcome
  {
    try put([(key, response)], now: now)[0]
  }

  /// Several at once, in transactions of `batchCount`: what waits to be stored costs less together.
  @discardableResult
  package func put(_ entries: [(key: DatabaseKey, response: DatabaseResponse)], now: Int64) throws(NeatError)
    -> [DatabaseOutcome]
  {
    try requireWritable()
    var outcomes: [DatabaseOutcome] = []
    var start = 0
    while start < entries.count {
      let end = min(start + ResourceDatabase.batchCount, entries.count)
      // Packing takes longest, and is done before anything is locked.
      var packed: [StoredBody] = []
      for (key, response) in entries[start..<end] { packed.append(try storedBody(key, response)) }
      let batch = try perform(isWrite: true) { (connection) throws(NeatError) in
        try putBatch(connection, entries[start..<end], packed, now: now)
      }
      for outcome in batch.outcomes { count(outcome) }
      statistics.evicted += UInt64(batch.evicted)
      outcomes += batch.outcomes
      if batch.bytes > maximumAmbientBytes { try trimAmbient(now: now) }
      start = end
    }
    return outcomes
  }

  func count(_ outcome: DatabaseOutcome) {
    switch outcome {
    case .stored(let bytes):
      statistics.stored += 1
      statistics.bytesWritten += UInt64(bytes)
    case .renewed: statistics.revalidated += 1
    case .nothingToRenew, .doesNotFit: break
    }
  }

  /// The body packed, where that saves space, and what is at fault with the entry.
  func storedBody(_ key: DatabaseKey, _ response: DatabaseResponse) throws(NeatError) -> StoredBody {
    func refuse(_ what: String, _ count: Int, _ limit: Int) -> NeatError {
      lastFailure = .other
      return NeatError(.limitExceeded, "\(what) of \(count) bytes, the limit is \(limit)", resource: path)
    }
    let limit = DatabaseOptions.maximumTextBytes
    guard key.address.utf8.count <= limit else { throw refuse("an address", key.address.utf8.count, limit) }
    if let etag = response.etag, etag.utf8.count > limit { throw refuse("an etag", etag.utf8.count, limit) }
    guard case .data(let bytes) = response.content else { return StoredBody(bytes: nil) }
    guard bytes.count <= options.maximumBodyBytes else {
      throw refuse("a body", bytes.count, options.maximumBodyBytes)
    }
    if !ResourceDatabase.isPackedAlready(bytes), let packed = packer.pack(bytes) {
      return StoredBody(bytes: packed, isPacked: true)
    }
    return StoredBody(bytes: bytes)
  }

  /// Pictures and packed bytes, by their first bytes: packing them again is for nothing.
  private static func isPackedAlready(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12 else { return false }
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0x89, 0x50, 0x4e), (0xff, 0xd8, 0xff), (0x1f, 0x8b, _): return true
    case (0x52, 0x49, 0x46): return bytes[8] == 0x57 && bytes[9] == 0x45 && bytes[10] == 0x42
    default: return false
    }
  }

  /// The row of a key.
  struct Row {
    var id: Int64
    var size: Int64
    /// Whether a region needs it.
    var isKept: Bool
  }

  func row(_ connection: SQLiteConnection, _ key: DatabaseKey) throws(NeatError) -> Row? {
    let find = try statement(connection, .find, key.table)
    key.bind(find)
    guard try connection.step(find) else { return nil }
    defer { find.reset() }
    return Row(id: find.int(0), size: DatabaseSize.held(find.int(1)), isKept: find.int(2) != 0)
  }

  /// What an entry will count, as `DatabaseTable.size` counts.
  static func size(_ key: DatabaseKey, _ response: DatabaseResponse, _ body: StoredBody) -> Int64 {
    Int64(body.count + key.address.utf8.count + (response.etag?.utf8.count ?? 0) + DatabaseTable.rowBytes)
  }

  private struct Batch {
    var outcomes: [DatabaseOutcome] = []
    var evicted = 0
    /// What the ambient cache counts afterwards.
    var bytes: Int64 = 0
  }

  private func putBatch(
    _ connection: SQLiteConnection, _ entries: ArraySlice<(key: DatabaseKey, response: DatabaseResponse)>,
    _ packed: [StoredBody], now: Int64
  ) throws(NeatError) -> Batch {
    try connection.transaction { () throws(NeatError) in
      var batch = Batch()
      var ambient = try AmbientSize(self, connection)
      var fresh = FreshRows()
      for (index, entry) in zip(packed.indices, entries) {
        let row = try row(connection, entry.key)
        batch.outcomes.append(
          try store(connection, entry.key, entry.response, packed[index], row, &ambient, &fresh, now: now))
      }
      if ambient.bytes > maximumAmbientBytes {
        batch.evicted = try evict(connection, &ambient, sparing: fresh, now: now)
      }
      try ambient.save(self, connection)
      batch.bytes = ambient.bytes
      return batch
    }
  }

  private func store(
    _ connection: SQLiteConnection, _ key: DatabaseKey, _ response: DatabaseResponse, _ body: StoredBody,
    _ row: Row?, _ ambient: inout AmbientSize, _ fresh: inout FreshRows, now: Int64
  ) throws(NeatError) -> DatabaseOutcome {
    if response.content == .notModified {
      guard let row else { return .nothingToRenew }
      try renew(connection, key.table, row.id, response, now: now)
      return .renewed
    }
    let size = ResourceDatabase.size(key, response, body)
    let isKept = row?.isKept ?? false
    if !isKept, size > maximumAmbientBytes {
      // What is stored is outdated, and the new one has no room.
      if let row {
        try remove(connection, key.table, row.id)
        ambient.bytes -= row.size
      }
      return .doesNotFit
    }
    let id = try write(connection, key, response, body, row?.id, now: now)
    if !isKept {
      ambient.bytes += size - (row?.size ?? 0)
      fresh.insert(key.table, id)
    }
    return .stored(bytes: body.count)
  }

  func renew(
    _ connection: SQLiteConnection, _ table: DatabaseTable, _ id: Int64, _ response: DatabaseResponse,
    now: Int64
  ) throws(NeatError) {
    let renew = try statement(connection, .renew, table)
    renew.bind(1, id)
    renew.bind(2, response.expires)
    renew.bind(3, now)
    renew.bind(4, response.mustRevalidate ? 1 : 0)
    try connection.run(renew)
    _ = accessTimes.take(table, id)
  }

  /// Writes an entry, over the row that it has or as a new one; the id of its row, which never changes.
  func write(
    _ connection: SQLiteConnection, _ key: DatabaseKey, _ response: DatabaseResponse, _ body: StoredBody,
    _ id: Int64?, now: Int64
  ) throws(NeatError) -> Int64 {
    let row = try statement(connection, id == nil ? .insert : .update, key.table)
    if id == nil { key.bind(row) }
    if case .resource(let kind, _) = key { row.bind(2, kind.rawValue) }
    row.bind(6, text: response.etag)
    row.bind(7, response.expires)
    row.bind(8, response.modified)
    row.bind(9, blob: body.bytes)
    row.bind(10, body.isPacked ? 1 : 0)
    row.bind(11, now)
    row.bind(12, response.mustRevalidate ? 1 : 0)
    if let id { row.bind(13, id) }
    // The copy of the body is not kept until the next one.
    defer { row.bind(9, blob: nil) }
    try connection.run(row)
    let written = id ?? connection.lastInsertedID
    _ = accessTimes.take(key.table, written)
    return written
  }

  func remove(_ connection: SQLiteConnection, _ table: DatabaseTable, _ id: Int64) throws(NeatError) {
    let remove = try statement(connection, .remove, table)
    remove.bind(1, id)
    try connection.run(remove)
    _ = accessTimes.take(table, id)
  }

  /// Takes an entry out, also from regions: then they lack it, and ask for it again.
  func removeEntry(_ table: DatabaseTable, _ id: Int64) throws(NeatError) {
    try perform(isWrite: true) { (connection) throws(NeatError) in
      try connection.transaction { () throws(NeatError) in
        let links = try statement(connection, .removeLinks, table)
        links.bind(1, id)
        try connection.run(links)
        try remove(connection, table, id)
        // It may have been ambient or not: counted anew with the next write.
        try connection.run("DELETE FROM \(DatabaseSchema.ambientTable)")
      }
    }
  }
}

/// The rows that a transaction has just written, which it does not evict.
struct FreshRows {
  private var ids: [Set<Int64>] = [[], []]

  mutating func insert(_ table: DatabaseTable, _ id: Int64) { ids[table.rawValue].insert(id) }
  func contains(_ table: DatabaseTable, _ id: Int64) -> Bool { ids[table.rawValue].contains(id) }
  var count: Int { ids[0].count + ids[1].count }
}
