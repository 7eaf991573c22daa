import CSQLite
import NeatBase

/// Below which `accessed` no ambient row stands: where regions keep many old rows, the search for the oldest
/// ambient one does not go over them each time.
struct EvictionBounds {
  private var lowest: [Int64] = [.min, .min]

  subscript(_ table: DatabaseTable) -> Int64 {
    get { lowest[table.rawValue] }
    set { lowest[table.rawValue] = newValue }
  }
  var isOpen: Bool { lowest == [.min, .min] }
}

extension ResourceDatabase {
  /// Rows that go at once.
  static let evictionCount = 50
  /// Rounds of that many in one transaction: others come to write in between.
  private static let evictionRounds = 20
  /// Rows that are changed in one transaction by what goes over all of them.
  private static let rowsPerTransaction = 500
  /// Seconds ahead of now after which a time of use is that of a clock that was wrong.
  private static let clockTolerance: Int64 = 86_400

  private struct Candidate {
    var table: DatabaseTable
    var id: Int64
    var accessed: Int64
    var size: Int64
  }

  /// Takes rows out, the least recently used first, 50 at a time, until the limit holds or a transaction has
  /// done enough; how many. Rows that were used since their time was written get the new time instead.
  func evict(
    _ connection: SQLiteConnection, _ ambient: inout AmbientSize, sparing fresh: FreshRows, now: Int64
  ) throws(NeatError) -> Int {
    var evicted = 0
    var rounds = 0
    /// How many of the 50 are yet to go: those in their place were used.
    var owed = 0
    while ambient.bytes > maximumAmbientBytes || owed > 0, rounds < ResourceDatabase.evictionRounds {
      rounds += 1
      if owed == 0 { owed = ResourceDatabase.evictionCount }
      let candidates = try oldest(connection, besides: fresh.count, now: now)
      if candidates.isEmpty {
        guard !eviction.isOpen else { break }
        // Another process may have freed older rows.
        eviction = EvictionBounds()
        continue
      }
      var gone = 0
      var isMoved = false
      for candidate in candidates where gone < owed {
        if fresh.contains(candidate.table, candidate.id) { continue }
        if let time = accessTimes.time(candidate.table, candidate.id), time > candidate.accessed, time <= now
        {
          let touch = try statement(connection, .touch, candidate.table)
          touch.bind(1, candidate.id)
          touch.bind(2, time)
          try connection.run(touch)
          _ = accessTimes.take(candidate.table, candidate.id)
          isMoved = true
          continue
        }
        try remove(connection, candidate.table, candidate.id)
        ambient.bytes -= candidate.size
        gone += 1
      }
      evicted += gone
      owed = isMoved ? owed - gone : 0
      if gone == 0, !isMoved { break }
    }
    // What is left where nothing more can go is not ambient: the count was wrong.
    if ambient.bytes > maximumAmbientBytes, rounds < ResourceDatabase.evictionRounds {
      ambient.bytes = try AmbientSize.counted(self, connection)
    }
    return evicted
  }

  /// Rows of both tables that no region needs, the least recently used first; before them those whose time is
  /// ahead of the clock, which else would stay for ever.
  private func oldest(_ connection: SQLiteConnection, besides spared: Int, now: Int64) throws(NeatError)
    -> [Candidate]
  {
    let count = Int64(ResourceDatabase.evictionCount + spared)
    var rows: [Candidate] = []
    for table in DatabaseTable.allCases {
      let ahead = try statement(connection, .fromTheFuture, table)
      ahead.bind(1, DatabaseTime.held(now) + ResourceDatabase.clockTolerance)
      ahead.bind(2, count)
      var rank = Int64.min
      while try connection.step(ahead) {
        rows.append(
          Candidate(table: table, id: ahead.int(0), accessed: rank, size: DatabaseSize.held(ahead.int(2))))
        rank += 1
      }
      let old = try statement(connection, .oldest, table)
      old.bind(1, eviction[table])
      old.bind(2, count)
      var isFirst = true
      while try connection.step(old) {
        let accessed = old.int(1)
        if isFirst { eviction[table] = accessed }
        isFirst = false
        rows.append(
          Candidate(table: table, id: old.int(0), accessed: accessed, size: DatabaseSize.held(old.int(2))))
      }
    }
    rows.sort { ($0.accessed, $0.id) < ($1.accessed, $1.id) }
    var seen: [Set<Int64>] = [[], []]
    return rows.filter { seen[$0.table.rawValue].insert($0.id).inserted }
  }

  /// Evicts in as many transactions as it takes; whether anything went.
  @discardableResult func trimAmbient(now: Int64) throws(NeatError) -> Bool {
    var hasEvicted = false
    while true {
      let (evicted, bytes) = try perform(isWrite: true, isBulk: true) { (connection) throws(NeatError) in
        try connection.transaction { () throws(NeatError) in
          var ambient = try AmbientSize(self, connection)
          guard ambient.bytes > maximumAmbientBytes else { return (0, ambient.bytes) }
          let evicted = try evict(connection, &ambient, sparing: FreshRows(), now: now)
          try ambient.save(self, connection)
          return (evicted, ambient.bytes)
        }
      }
      statistics.evicted += UInt64(evicted)
      if evicted > 0 { hasEvicted = true }
      if evicted == 0 || bytes <= maximumAmbientBytes { return hasEvicted }
    }
  }

  // MARK: The whole of it

  /// What all entries count that no region needs, in bytes.
  package func ambientBytes() throws(NeatError) -> Int64 {
    if isReadOnly {
      return try perform(isWrite: false, isBulk: true) { (connection) throws(NeatError) in
        try AmbientSize.counted(self, connection)
      }
    }
    return try perform(isWrite: true, isBulk: true) { (connection) throws(NeatError) in
      try connection.transaction { () throws(NeatError) in
        var ambient = try AmbientSize(self, connection)
        try ambient.save(self, connection)
        return ambient.bytes
      }
    }
  }

  /// Sets the limit, and evicts what is over it. 0: nothing is stored but what regions need.
  package func setMaximumAmbientCacheSize(_ bytes: Int64, now: Int64) throws(NeatError) {
    guard bytes >= 0 else {
      throw NeatError(.invalidArgument, "a cache of \(bytes) bytes", resource: path)
    }
    maximumAmbientBytes = bytes
    if isReadOnly { return }
    if try trimAmbient(now: now) { try giveBackRoom() }
  }

  /// Takes out what no region needs.
  package func clearAmbientCache() throws(NeatError) {
    try requireWritable()
    try forAmbientRows { (connection, table, id) throws(NeatError) in try self.remove(connection, table, id) }
    try perform(isWrite: true, isBulk: true) { (connection) throws(NeatError) in
      try connection.transaction { () throws(NeatError) in
        // What others have stored meanwhile is counted.
        var ambient = try AmbientSize(self, connection)
        ambient.bytes = try AmbientSize.counted(self, connection)
        try ambient.save(self, connection)
      }
    }
    accessTimes.removeAll()
    eviction = EvictionBounds()
    try giveBackRoom()
  }

  /// Makes stale what no region needs: it is asked for again before it is used.
  package func invalidateAmbientCache() throws(NeatError) {
    try requireWritable()
    try forAmbientRows { (connection, table, id) throws(NeatError) in
      try self.makeStale(connection, table, id)
    }
  }

  func makeStale(_ connection: SQLiteConnection, _ table: DatabaseTable, _ id: Int64) throws(NeatError) {
    let stale = try statement(connection, .makeStale, table)
    stale.bind(1, id)
    try connection.run(stale)
  }

  private func forAmbientRows(
    _ body: (SQLiteConnection, DatabaseTable, Int64) throws(NeatError) -> Void
  ) throws(NeatError) {
    try forRows(.ambientRows, nil, body)
  }

  /// Runs the body for every row of a region.
  func forRows(
    of region: Int64, _ body: (SQLiteConnection, DatabaseTable, Int64) throws(NeatError) -> Void
  ) throws(NeatError) {
    try forRows(.linkedRows, region, body)
  }

  /// Runs the body for every row that a statement lists, in transactions of some hundred. The statement takes
  /// the region, where there is one, the row that it goes on behind, and how many rows it gives.
  private func forRows(
    _ list: DatabaseTable.Query, _ region: Int64?,
    _ body: (SQLiteConnection, DatabaseTable, Int64) throws(NeatError) -> Void
  ) throws(NeatError) {
    for table in DatabaseTable.allCases {
      var last: Int64 = .min
      var isDone = false
      while !isDone {
        let after = last
        (last, isDone) = try perform(isWrite: true, isBulk: true) { (connection) throws(NeatError) in
          try connection.transaction { () throws(NeatError) in
            let rows = try statement(connection, list, table)
            if let region { rows.bind(1, region) }
            rows.bind(region == nil ? 1 : 2, after)
            rows.bind(region == nil ? 2 : 3, Int64(ResourceDatabase.rowsPerTransaction))
            var ids: [Int64] = []
            while try connection.step(rows) { ids.append(rows.int(0)) }
            for id in ids { try body(connection, table, id) }
            return (ids.last ?? after, ids.count < ResourceDatabase.rowsPerTransaction)
          }
        }
      }
    }
  }
}
