import CSQLite
import NeatBase

// What regions of another database have is taken over, as the other engines' merging of databases does: a
// region with the same definition and metadata is the same region; an entry that is here already is replaced
// where the other was modified later. What is ambient there stays there.

extension ResourceDatabase {
  /// Takes over the regions of another database, which is only read and may have an older schema; those that
  /// came from it, or were here already. All of it or nothing.
  ///
  /// Throws `notFound`, `state` for a newer schema, `archive` for what is no such database or damaged,
  /// `limitExceeded` where limited providers' tiles would be more than may be kept.
  @discardableResult
  package func merge(_ side: String) throws(NeatError) -> [OfflineRegionRecord] {
    try requireWritable()
    let source = try MergeSource(path: side, busyTimeoutMS: options.busyTimeoutMS)
    if source.identity == FileIdentity(path) {
      throw NeatError(.invalidArgument, "a database cannot be merged into itself", resource: side)
    }
    let ids = try perform(isWrite: true, isBulk: true) { (connection) throws(NeatError) in
      try source.attach(to: connection)
      do throws(NeatError) {
        connection.begin(isBulk: true, extraPages: source.pageCount)
        let ids = try connection.transaction { () throws(NeatError) in try copy(connection, source) }
        try connection.run("DETACH DATABASE side")
        return ids
      } catch {
        connection.rollBack()
        connection.quietly("DETACH DATABASE side")
        let failure = DatabaseFailure(code: connection.failureCode, systemError: connection.systemError)
        guard [.broken, .replaced, .other].contains(failure) else { throw error }
        // The other one is damaged, as far as can be told: this one would show it in its next call, and is not
        // put aside for it.
        connection.begin(isBulk: false)
        throw NeatError(error.code, "cannot be merged: \(error.message)", resource: source.path)
      }
    }
    var merged: [OfflineRegionRecord] = []
    for id in ids { merged.append(try region(id)) }
    return merged
  }

  private func copy(_ connection: SQLiteConnection, _ source: MergeSource) throws(NeatError) -> [Int64] {
    try checkLimit(connection)
    for sql in MergeSource.statements(marksRevalidation: source.marksRevalidation) {
      try connection.run(try connection.prepare(sql))
    }
    let rows = try connection.prepare("SELECT DISTINCT main_id FROM temp.neatline_merged ORDER BY main_id")
    var ids: [Int64] = []
    while try connection.step(rows) { ids.append(rows.int(0)) }
    try connection.run("DROP TABLE temp.neatline_merged")
    // Rows that were ambient here may be a region's now.
    var ambient = try AmbientSize(self, connection)
    ambient.bytes = try AmbientSize.counted(self, connection)
    try ambient.save(self, connection)
    return ids
  }

  private func checkLimit(_ connection: SQLiteConnection) throws(NeatError) {
    guard !options.limitedTemplates.isEmpty else { return }
    var limited = LimitedTiles(options)
    let rows = try connection.prepare(
      """
      SELECT DISTINCT t.url_template, t.pixel_ratio, t.z, t.x, t.y
      FROM side.region_tiles AS l JOIN side.tiles AS t ON t.id = l.tile_id
      WHERE NOT EXISTS (
        SELECT 1 FROM main.tiles AS m JOIN main.region_tiles AS k ON k.tile_id = m.id
        WHERE m.url_template = t.url_template AND m.pixel_ratio = t.pixel_ratio
          AND m.z = t.z AND m.x = t.x AND m.y = t.y)
      """)
    while try connection.step(rows) {
      // Only the template decides.
      let key = DatabaseKey.tile(template: rows.text(0) ?? "", z: 0, x: 0, y: 0)
      guard try limited.admits(connection, key) else {
        rows.reset()
        throw NeatError(
          .limitExceeded, "more than \(options.limitedTileCount) tiles of a provider that asks for a limit",
          resource: path)
      }
    }
  }
}

/// The other database, looked at before anything is written.
struct MergeSource {
  let path: String
  let identity: FileIdentity?
  let pageCount: Int64
  let marksRevalidation: Bool
  private let isImmutable: Bool

  init(path: String, busyTimeoutMS: Int) throws(NeatError) {
    self.path = path
    identity = FileIdentity(path)
    guard identity != nil else { throw NeatError(.notFound, "no such file", resource: path) }
    var inspection: DatabaseInspection?
    var pages: Int64 = 0
    var isImmutable = false
    var first: NeatError?
    for mode in [SQLiteConnection.Mode.readOnly, .immutable] where inspection == nil {
      do throws(NeatError) {
        let connection = try SQLiteConnection(path: path, mode: mode, busyTimeoutMS: busyTimeoutMS)
        defer { connection.close() }
        inspection = try DatabaseInspection.inspect(connection)
        pages = DatabaseSize.held(try connection.int("PRAGMA page_count") ?? 0)
        isImmutable = mode == .immutable
      } catch {
        first = first ?? error
        // A log that waits beside it cannot be left out.
        if SQLiteReader.holdsBytes(path + "-wal") || SQLiteReader.holdsBytes(path + "-journal") { break }
      }
    }
    pageCount = pages
    self.isImmutable = isImmutable
    switch inspection {
    case .ours(let version, _): marksRevalidation = version == DatabaseSchema.version
    case .newer(let version):
      throw NeatError(
        .state, "has schema \(version); this version knows up to \(DatabaseSchema.version)", resource: path)
    case .fresh: throw NeatError(.archive, "nothing is in it", resource: path)
    case .foreign(let sign):
      throw NeatError(.archive, "is the database of another application (\(sign))", resource: path)
    case .broken(let what): throw NeatError(.archive, "is damaged: \(what)", resource: path)
    case nil: throw first ?? NeatError(.io, "cannot be read", resource: path)
    }
  }

  func attach(to connection: SQLiteConnection) throws(NeatError) {
    let attach = try connection.prepare("ATTACH DATABASE ?1 AS side")
    attach.bind(
      1, text: "file:" + SQLiteReader.escape(path) + (isImmutable ? "?immutable=1" : "?mode=ro"))
    try connection.run(attach)
  }

  /// What is run, in this order, within one transaction.
  static func statements(marksRevalidation: Bool) -> [String] {
    let revalidation = marksRevalidation ? "s.must_revalidate" : "0"
    return [
      """
      INSERT INTO main.regions (definition, description)
        SELECT DISTINCT s.definition, s.description FROM side.regions AS s
        WHERE NOT EXISTS (SELECT 1 FROM main.regions AS r
          WHERE r.definition = s.definition AND r.description IS s.description)
      """,
      """
      CREATE TEMP TABLE neatline_merged AS
        SELECT s.id AS side_id, min(r.id) AS main_id FROM side.regions AS s
        JOIN main.regions AS r ON r.definition = s.definition AND r.description IS s.description GROUP BY s.id
      """,
      """
      INSERT INTO main.tiles (url_template, pixel_ratio, z, x, y, expires, modified, etag, data, compressed,
          accessed, must_revalidate)
        SELECT s.url_template, s.pixel_ratio, s.z, s.x, s.y, s.expires, s.modified, s.etag, s.data,
          s.compressed, s.accessed, \(revalidation)
        FROM side.tiles AS s WHERE EXISTS (SELECT 1 FROM side.region_tiles WHERE tile_id = s.id)
        ON CONFLICT (url_template, pixel_ratio, z, x, y) DO UPDATE SET expires = excluded.expires,
          modified = excluded.modified, etag = excluded.etag, data = excluded.data,
          compressed = excluded.compressed, accessed = excluded.accessed,
          must_revalidate = excluded.must_revalidate
        WHERE excluded.modified > tiles.modified
      """,
      """
      INSERT OR IGNORE INTO main.region_tiles (region_id, tile_id)
        SELECT r.main_id, m.id FROM side.region_tiles AS l
        JOIN temp.neatline_merged AS r ON r.side_id = l.region_id
        JOIN side.tiles AS s ON s.id = l.tile_id
        JOIN main.tiles AS m ON m.url_template = s.url_template AND m.pixel_ratio = s.pixel_ratio
          AND m.z = s.z AND m.x = s.x AND m.y = s.y
      """,
      """
      INSERT INTO main.resources (url, kind, expires, modified, etag, data, compressed, accessed,
          must_revalidate)
        SELECT s.url, s.kind, s.expires, s.modified, s.etag, s.data, s.compressed, s.accessed, \(revalidation)
        FROM side.resources AS s WHERE EXISTS (SELECT 1 FROM side.region_resources WHERE resource_id = s.id)
        ON CONFLICT (url) DO UPDATE SET kind = excluded.kind, expires = excluded.expires,
          modified = excluded.modified, etag = excluded.etag, data = excluded.data,
          compressed = excluded.compressed, accessed = excluded.accessed,
          must_revalidate = excluded.must_revalidate
        WHERE excluded.modified > resources.modified
      """,
      """
      INSERT OR IGNORE INTO main.region_resources (region_id, resource_id)
        SELECT r.main_id, m.id FROM side.region_resources AS l
        JOIN temp.neatline_merged AS r ON r.side_id = l.region_id
        JOIN side.resources AS s ON s.id = l.resource_id
        JOIN main.resources AS m ON m.url = s.url
      """,
    ]
  }
}
