import CSQLite
import NeatBase

/// A region as it is stored.
package struct OfflineRegionRecord: Sendable, Equatable {
  package var id: Int64
  /// Nil where the stored text is not one: `fault` says why, and the region can still be deleted.
  package var definition: OfflineRegionDefinition?
  package var fault: NeatError?
  /// The bytes that the user gave.
  package var metadata: [UInt8]
}

/// What of a region is there.
package struct OfflineRegionCounts: Sendable, Equatable {
  /// Tiles and all others.
  package var resources: Int64 = 0
  /// Bytes of bodies as they are stored.
  package var bytes: Int64 = 0
  package var tiles: Int64 = 0
  package var tileBytes: Int64 = 0

  package init(resources: Int64 = 0, bytes: Int64 = 0, tiles: Int64 = 0, tileBytes: Int64 = 0) {
    self.resources = resources
    self.bytes = bytes
    self.tiles = tiles
    self.tileBytes = tileBytes
  }
}

extension ResourceDatabase {
  /// Regions read at most.
  package static let maxRegions = 100_000

  /// Makes a region, which has nothing yet. Throws `invalidArgument`, `geojson` or `limitExceeded` for what is
  /// wrong with it.
  package func createRegion(_ definition: OfflineRegionDefinition, metadata: [UInt8]) throws(NeatError)
    -> OfflineRegionRecord
  {
    try requireWritable()
    try definition.validate()
    try ResourceDatabase.checkMetadata(metadata)
    let text = definition.json
    return try perform(isWrite: true) { (connection) throws(NeatError) in
      let insert = try connection.prepare("INSERT INTO regions (definition, description) VALUES (?1, ?2)")
      insert.bind(1, text: text)
      insert.bind(2, blob: metadata)
      try connection.run(insert)
      return ResourceDatabase.record(connection.lastInsertedID, text, metadata)
    }
  }

  private static func checkMetadata(_ metadata: [UInt8]) throws(NeatError) {
    guard metadata.count <= DatabaseOptions.maximumMetadataBytes else {
      throw NeatError(
        .limitExceeded,
        "metadata of \(metadata.count) bytes, the limit is \(DatabaseOptions.maximumMetadataBytes)")
    }
  }

  private static func record(_ id: Int64, _ text: String?, _ metadata: [UInt8]) -> OfflineRegionRecord {
    do throws(NeatError) {
      let definition = try OfflineRegionDefinition(json: text ?? "")
      return OfflineRegionRecord(id: id, definition: definition, fault: nil, metadata: metadata)
    } catch {
      return OfflineRegionRecord(
        id: id, definition: nil, fault: error.naming("region \(id)"), metadata: metadata)
    }
  }

  /// All regions in the order of their ids, also those whose definition cannot be read.
  package func regions() throws(NeatError) -> [OfflineRegionRecord] {
    try records("SELECT id, definition, description FROM regions ORDER BY id", id: nil)
  }

  /// Throws `notFound`.
  package func region(_ id: Int64) throws(NeatError) -> OfflineRegionRecord {
    let found = try records("SELECT id, definition, description FROM regions WHERE id = ?1", id: id)
    guard let record = found.first else { throw noRegion(id) }
    return record
  }

  func noRegion(_ id: Int64) -> NeatError {
    lastFailure = .other
    return NeatError(.notFound, "there is no region \(id)", resource: path)
  }

  private func records(_ sql: String, id: Int64?) throws(NeatError) -> [OfflineRegionRecord] {
    try perform(isWrite: false, isBulk: true) { (connection) throws(NeatError) in
      let rows = try connection.prepare(sql)
      if let id { rows.bind(1, id) }
      var found: [OfflineRegionRecord] = []
      while try connection.step(rows) {
        guard found.count < ResourceDatabase.maxRegions else {
          throw NeatError(.limitExceeded, "more than \(ResourceDatabase.maxRegions) regions", resource: path)
        }
        found.append(ResourceDatabase.record(rows.int(0), rows.text(1), try rows.blob(2)))
      }
      return found
    }
  }

  /// Replaces a region's metadata. Throws `notFound`, `limitExceeded`.
  package func setMetadata(_ metadata: [UInt8], ofRegion id: Int64) throws(NeatError) {
    try requireWritable()
    try ResourceDatabase.checkMetadata(metadata)
    let changed = try perform(isWrite: true) { (connection) throws(NeatError) in
      let update = try connection.prepare("UPDATE regions SET description = ?1 WHERE id = ?2")
      update.bind(1, blob: metadata)
      update.bind(2, id)
      return try connection.run(update)
    }
    if changed == 0 { throw noRegion(id) }
  }

  /// Deletes a region. What other regions need stays theirs; the rest becomes ambient, and goes as far as the
  /// ambient cache has no room for it. Throws `notFound`.
  package func deleteRegion(_ id: Int64, now: Int64) throws(NeatError) {
    try requireWritable()
    let wasThere = try perform(isWrite: true, isBulk: true) { (connection) throws(NeatError) in
      try connection.transaction { () throws(NeatError) in
        var ambient = try AmbientSize(self, connection)
        for table in DatabaseTable.allCases {
          let sole = try statement(connection, .soleSize, table)
          sole.bind(1, id)
          ambient.bytes += DatabaseSize.held(try connection.value(sole) ?? 0)
          let links = try statement(connection, .dropRegionLinks, table)
          links.bind(1, id)
          try connection.run(links)
        }
        let delete = try connection.prepare("DELETE FROM regions WHERE id = ?1")
        delete.bind(1, id)
        let count = try connection.run(delete)
        try ambient.save(self, connection)
        return count > 0
      }
    }
    guard wasThere else { throw noRegion(id) }
    eviction = EvictionBounds()
    if try trimAmbient(now: now) { try giveBackRoom() }
  }

  /// Makes stale what a region has: it stays, and is asked for again. Throws `notFound`.
  package func invalidateRegion(_ id: Int64) throws(NeatError) {
    try requireWritable()
    _ = try region(id)
    try forRows(of: id) { (connection, table, row) throws(NeatError) in
      try self.makeStale(connection, table, row)
    }
  }

  /// What of a region is stored. Throws `notFound`.
  package func counts(ofRegion id: Int64) throws(NeatError) -> OfflineRegionCounts {
    _ = try region(id)
    return try perform(isWrite: false, isBulk: true) { (connection) throws(NeatError) in
      var counts = OfflineRegionCounts()
      for table in DatabaseTable.allCases {
        let row = try statement(connection, .linkedCount, table)
        row.bind(1, id)
        guard try connection.step(row) else { continue }
        let (count, bytes) = (DatabaseSize.held(row.int(0)), DatabaseSize.held(row.int(1)))
        row.reset()
        counts.resources += count
        counts.bytes += bytes
        if table == .tiles { (counts.tiles, counts.tileBytes) = (count, bytes) }
      }
      return counts
    }
  }
}
