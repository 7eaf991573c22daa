import CSQLite
import NeatBase

/// What became of a batch for a region.
package struct RegionOutcome: Sendable, Equatable {
  /// How many of the batch, from its beginning, are stored and belong to the region.
  package var count = 0
  /// What they are, as a region counts.
  package var added = OfflineRegionCounts()
  /// Whether it ended there since a provider lets no more of its tiles be kept.
  package var hasReachedTileLimit = false
}

extension ResourceDatabase {
  /// Stores what a region needs: all of it in one transaction, so that a process killed in the middle loses
  /// at most this batch. A 304 renews what is there. Where the tiles of a limited provider are at their limit
  /// the batch ends before the first that is one too many; what came before it is stored.
  ///
  /// Throws `notFound` for no such region, `limitExceeded` for a body, address or etag past its limit, `io`,
  /// `timeout`; nothing of the batch is stored then.
  package func putRegionResources(
    _ entries: [(key: DatabaseKey, response: DatabaseResponse)], region: Int64, now: Int64
  ) throws(NeatError) -> RegionOutcome {
    try requireWritable()
    var packed: [StoredBody] = []
    for (key, response) in entries { packed.append(try storedBody(key, response)) }
    var outcomes: [DatabaseOutcome] = []
    let result = try perform(isWrite: true) { (connection) throws(NeatError) in
      outcomes = []
      return try connection.transaction { () throws(NeatError) in
        try requireRegion(connection, region)
        var ambient = try AmbientSize(self, connection)
        var limited = LimitedTiles(options)
        var result = RegionOutcome()
        for (body, entry) in zip(packed, entries) {
          let row = try row(connection, entry.key)
          if row?.isKept != true, try !limited.admits(connection, entry.key) {
            result.hasReachedTileLimit = true
            break
          }
          outcomes.append(
            try keep(connection, entry.key, entry.response, body, row, region, &ambient, &result, now: now))
        }
        try ambient.save(self, connection)
        return result
      }
    }
    for outcome in outcomes { count(outcome) }
    return result
  }

  private func requireRegion(_ connection: SQLiteConnection, _ id: Int64) throws(NeatError) {
    let row = try connection.prepare("SELECT 1 FROM regions WHERE id = ?1")
    row.bind(1, id)
    guard try connection.value(row) != nil else {
      throw NeatError(.notFound, "there is no region \(id)", resource: path)
    }
  }

  private func keep(
    _ connection: SQLiteConnection, _ key: DatabaseKey, _ response: DatabaseResponse, _ body: StoredBody,
    _ row: Row?, _ region: Int64, _ ambient: inout AmbientSize, _ result: inout RegionOutcome, now: Int64
  ) throws(NeatError) -> DatabaseOutcome {
    result.count += 1
    let id: Int64
    var outcome = DatabaseOutcome.stored(bytes: body.count)
    if response.content == .notModified {
      guard let row else { return .nothingToRenew }
      try renew(connection, key.table, row.id, response, now: now)
      id = row.id
      outcome = .renewed
    } else {
      id = try write(connection, key, response, body, row?.id, now: now)
    }
    // What was ambient is now the region's.
    if let row, !row.isKept { ambient.bytes -= row.size }
    try link(connection, key.table, id, region)
    result.added.resources += 1
    result.added.bytes += Int64(body.count)
    if key.table == .tiles {
      result.added.tiles += 1
      result.added.tileBytes += Int64(body.count)
    }
    return outcome
  }

  private func link(_ connection: SQLiteConnection, _ table: DatabaseTable, _ id: Int64, _ region: Int64)
    throws(NeatError)
  {
    let link = try statement(connection, .addLink, table)
    link.bind(1, region)
    link.bind(2, id)
    try connection.run(link)
  }

  /// Notes that a region needs what is stored already, as far as it is; which of the keys are not. A limited
  /// provider's tiles past its limit are among those.
  package func markUsed(_ keys: [DatabaseKey], region: Int64) throws(NeatError) -> [DatabaseKey] {
    try requireWritable()
    return try perform(isWrite: true, isBulk: true) { (connection) throws(NeatError) in
      try connection.transaction { () throws(NeatError) in
        try requireRegion(connection, region)
        var ambient = try AmbientSize(self, connection)
        var limited = LimitedTiles(options)
        var missing: [DatabaseKey] = []
        for key in keys {
          guard let row = try row(connection, key) else {
            missing.append(key)
            continue
          }
          if !row.isKept {
            guard try limited.admits(connection, key) else {
              missing.append(key)
              continue
            }
            ambient.bytes -= row.size
          }
          try link(connection, key.table, row.id, region)
        }
        try ambient.save(self, connection)
        return missing
      }
    }
  }

  /// Whether a region has what a key names.
  package func region(_ id: Int64, has key: DatabaseKey) throws(NeatError) -> Bool {
    try perform(isWrite: false) { (connection) throws(NeatError) in
      guard let row = try row(connection, key) else { return false }
      let sql = "SELECT 1 FROM \(key.table.links) WHERE region_id = ?1 AND \(key.table.link) = ?2"
      let link = try connection.prepare(sql)
      link.bind(1, id)
      link.bind(2, row.id)
      return try connection.value(link) != nil
    }
  }

  /// How many tiles of limited providers all regions have together.
  package func limitedTileCount() throws(NeatError) -> Int64 {
    try perform(isWrite: false, isBulk: true) { (connection) throws(NeatError) in
      var limited = LimitedTiles(options)
      return try limited.count(connection)
    }
  }
}

/// Counts the tiles of providers that let only so many be kept, through one transaction.
struct LimitedTiles {
  private let templates: [String]
  private let limit: Int64
  private var known: Int64?

  init(_ options: DatabaseOptions) {
    // Of two beginnings of which one begins the other, one counts all.
    let sorted = options.limitedTemplates.filter { !$0.isEmpty }.sorted()
    templates = sorted.reduce(into: []) { kept, template in
      if let last = kept.last, template.hasPrefix(last) { return }
      kept.append(template)
    }
    limit = max(0, options.limitedTileCount)
  }

  /// Whether a tile that no region has may be kept; then it is counted.
  mutating func admits(_ connection: SQLiteConnection, _ key: DatabaseKey) throws(NeatError) -> Bool {
    guard case .tile(let template, _, _, _, _) = key, templates.contains(where: { template.hasPrefix($0) })
    else { return true }
    let count = try count(connection)
    guard count < limit else { return false }
    known = count + 1
    return true
  }

  mutating func count(_ connection: SQLiteConnection) throws(NeatError) -> Int64 {
    if let known { return known }
    var count: Int64 = 0
    for template in templates {
      // By the index of keys: only the provider's own tiles are looked at. U+10FFFF stands behind all text.
      let rows = try connection.prepare(
        """
        SELECT count(*) FROM tiles WHERE url_template >= ?1 AND url_template < ?2
          AND EXISTS (SELECT 1 FROM region_tiles WHERE tile_id = tiles.id)
        """)
      rows.bind(1, text: template)
      rows.bind(2, text: template + "\u{10FFFF}")
      count += DatabaseSize.held(try connection.value(rows) ?? 0)
    }
    known = count
    return count
  }
}
