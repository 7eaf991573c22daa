import CSQLite
import NeatBase
import NeatTile

/// Writes MBTiles 1.3. Equal contents are stored once and `tiles` is a view, or, where options say plain,
/// `tiles` is a table with one row a tile. Work is kept in transactions that end at each checkpoint;
/// `metadata`, which no reader can do without, comes last.
///
/// Not for use by two threads at once.
package final class MBTilesWriter: ArchiveWriter {
  package let path: String
  package private(set) var counts = ArchiveCounts()
  package private(set) var resumeCursor: UInt64?

  /// "MPBX": the application id of MBTiles files, set at the end.
  private static let applicationID = 0x4d50_4258

  private static let progressTable =
    "CREATE TABLE neatline_progress (job INTEGER, cursor INTEGER, plain INTEGER)"

  private let options: ArchiveWriterOptions
  private let draft: String
  /// That of the last checkpoint of this writer.
  private var lastCursor: UInt64?
  private var handle: OpaquePointer?
  private var isFinished = false
  private var insertTile: SQLiteStatement!
  private var insertContents: SQLiteStatement?
  private var readContents: SQLiteStatement?
  /// The id of a content by its hash.
  private var known: [UInt64: Int64] = [:]
  private var lastContents: Int64 = 0

  /// Throws `io`, or `state` where another writer is at work on the same path.
  package init(path: String, options: ArchiveWriterOptions) throws(NeatError) {
    self.path = path
    self.options = options
    draft = PartialFile.name(path)
    try Fork.heldBack { () throws(NeatError) in try begin() }
  }

  private func begin() throws(NeatError) {
    do throws(NeatError) {
      if try !takesUp() {
        close()
        for name in [draft, draft + "-journal"] {
          // unchecked: a file that stays fails the next statement.
          unlink(name)
        }
        try open()
        try makeTables()
      }
      try prepare()
    } catch {
      close()
      throw error
    }
  }

  deinit { close() }

  /// Whether the draft is that of this job. What is no database is not; SQLite also says so of one that the system
  /// refuses to read, so that it is opened again before, and read to its end.
  private func takesUp() throws(NeatError) -> Bool {
    for isLast in [false, true] {
      do throws(NeatError) {
        try open()
        return try takeUp()
      } catch {
        guard error.code == .archive else { throw error }
        close()
        if isLast { try DamageCheck.requireReadable(draft) }
      }
    }
    return false
  }

  private func close() {
    (insertTile, insertContents, readContents) = (nil, nil, nil)
    Fork.heldBack {
      // unchecked: it gives SQLITE_OK at all times; the statements are finalized before.
      _ = sqlite3_close_v2(handle)
    }
    handle = nil
  }

  private func failure(_ what: String) -> NeatError { sqliteFailure(handle, what, draft) }

  private func run(_ sql: String) throws(NeatError) {
    errno = 0
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      if sqlite3_errcode(handle) == SQLITE_BUSY {
        throw NeatError(.state, "another writer is at work on it", resource: draft)
      }
      throw failure("cannot be written")
    }
  }

  private func statement(_ sql: String) throws(NeatError) -> SQLiteStatement {
    var statement: OpaquePointer?
    guard
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else {
      throw failure("cannot be written")
    }
    return SQLiteStatement(statement)
  }

  private func open() throws(NeatError) {
    guard
      sqlite3_open_v2(draft, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        == SQLITE_OK
    else {
      throw failure("cannot be written")
    }
    // The lock is held to the end, which keeps a second writer out; a killed writer's journal is rolled back
    // on opening.
    // unchecked: an error shows again where the transaction begins.
    _ = try? statement("PRAGMA journal_mode = DELETE").step()
    try run(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY"
    )
  }

  /// Whether the file is that of this job; then its counts and its contents are read.
  private func takeUp() throws(NeatError) -> Bool {
    (counts, known, lastContents) = (ArchiveCounts(), [:], 0)
    try run("BEGIN EXCLUSIVE")
    resumeCursor =
      try options.resumes ? options.job.flatMap { (job) throws(NeatError) in try cursor(of: job) } : nil
    guard resumeCursor != nil else {
      try run("COMMIT")
      return false
    }
    try recount()
    return true
  }

  /// How far the job has come of which the draft is; nil where it is that of another one, or of none.
  private func cursor(of job: UInt64) throws(NeatError) -> UInt64? {
    let table = try statement("SELECT 1 FROM sqlite_schema WHERE name = 'neatline_progress'")
    guard try isRow(table) else { return nil }
    let progress = try statement("SELECT job, cursor, plain FROM neatline_progress")
    guard try isRow(progress), UInt64(bitPattern: progress.int(0)) == job,
      (progress.int(2) != 0) == options.isPlain
    else { return nil }
    return UInt64(bitPattern: progress.int(1))
  }

  private func isRow(_ query: SQLiteStatement) throws(NeatError) -> Bool {
    errno = 0
    switch query.step() {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure("cannot be read")
    }
  }

  private func recount() throws(NeatError) {
    let zooms = try statement(
      "SELECT count(*), min(zoom_level), max(zoom_level) FROM \(options.isPlain ? "tiles" : "tiles_shallow")")
    guard try isRow(zooms) else { return }
    counts.tiles = UInt64(zooms.int(0))
    if counts.tiles > 0 {
      (counts.minZoom, counts.maxZoom) = (UInt8(clamping: zooms.int(1)), UInt8(clamping: zooms.int(2)))
    }
    let contents = try statement(
      options.isPlain
        ? "SELECT 0, tile_data FROM tiles"
        : "SELECT tile_data_id, tile_data FROM tiles_data ORDER BY tile_data_id")
    while try isRow(contents) {
      Fork.giveWay()
      counts.contents += 1
      counts.bytes += UInt64(sqlite3_column_bytes(contents.handle, 1))
      guard !options.isPlain else { continue }
      lastContents = contents.int(0)
      remember(contentHash(try contents.blob(1)), lastContents)
    }
  }

  private func makeTables() throws(NeatError) {
    try run("BEGIN EXCLUSIVE")
    try run(
      options.isPlain
        ? """
        CREATE TABLE tiles (zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL, tile_data BLOB NOT NULL);
        CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);
        """
        : """
        CREATE TABLE tiles_shallow (zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL,
          tile_data_id INTEGER NOT NULL, PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
        CREATE TABLE tiles_data (tile_data_id INTEGER PRIMARY KEY, tile_data BLOB NOT NULL);
        """)
    try run(MBTilesWriter.progressTable)
    // Until the first checkpoint there is nothing to continue.
  }

  private func prepare() throws(NeatError) {
    if options.isPlain {
      insertTile = try statement(
        "INSERT INTO tiles (zoom_level, tile_column, tile_row, tile_data) VALUES (?1, ?2, ?3, ?4)")
    } else {
      insertTile = try statement(
        "INSERT INTO tiles_shallow (zoom_level, tile_column, tile_row, tile_data_id) VALUES (?1, ?2, ?3, ?4)")
      insertContents = try statement("INSERT INTO tiles_data (tile_data_id, tile_data) VALUES (?1, ?2)")
      readContents = try statement("SELECT tile_data FROM tiles_data WHERE tile_data_id = ?1")
    }
  }

  private func remember(_ hash: UInt64, _ id: Int64) {
    if known.count < options.contentLimit { known[hash] = id }
  }

  package func add(_ first: UInt64, count: UInt64, _ bytes: [UInt8]) throws(NeatError) {
    guard !isFinished else { throw NeatError(.state, "the archive is finished", resource: path) }
    try PartialFile.checkTile(first, count, bytes)
    guard counts.tiles + count <= options.tileLimit else {
      throw NeatError(.limitExceeded, "more than \(options.tileLimit) tiles", resource: path)
    }
    try Fork.heldBack { () throws(NeatError) in try write(first, count, bytes) }
    counts.include(first, count)
  }

  private func write(_ first: UInt64, _ count: UInt64, _ bytes: [UInt8]) throws(NeatError) {
    if options.isPlain {
      for number in first..<first + count {
        try insert(number) { query, run in query.withBlob(4, bytes) { run(query) } }
      }
      counts.contents += count
      counts.bytes += count * UInt64(bytes.count)
    } else {
      let id = try contentsID(bytes)
      for number in first..<first + count {
        try insert(number) { query, run in
          query.bind(4, id)
          return run(query)
        }
      }
    }
  }

  /// - Parameter bind: binds the contents and runs the query, while these are bound: SQLite refuses to take a value away
  ///   from a query that failed, with an error that takes the place of the query's own.
  private func insert(
    _ number: UInt64, _ bind: (SQLiteStatement, (SQLiteStatement) -> NeatError?) -> NeatError?
  ) throws(NeatError) {
    guard let tile = PMTiles.tile(number: number), let query = insertTile else { return }
    query.bind(1, Int64(tile.z))
    query.bind(2, Int64(tile.x))
    query.bind(3, Int64(tile.tmsY))
    let error = bind(query) { query in
      switch query.step() {
      case SQLITE_DONE: nil
      case SQLITE_CONSTRAINT:
        NeatError(.invalidArgument, "tile \(tile) was added twice", resource: path)
      default: failure("tile \(tile) cannot be written")
      }
    }
    query.reset()
    if let error { throw error }
  }

  /// The row that holds the bytes: a new one, or one that is there.
  private func contentsID(_ bytes: [UInt8]) throws(NeatError) -> Int64 {
    guard let insertContents, let readContents else { return 0 }
    let hash = contentHash(bytes)
    if let id = known[hash] {
      readContents.bind(1, id)
      defer { readContents.reset() }
      if try isRow(readContents), try readContents.blob(0) == bytes { return id }
    }
    let id = lastContents + 1
    insertContents.bind(1, id)
    let error = insertContents.withBlob(2, bytes) {
      insertContents.step() == SQLITE_DONE ? nil : failure("contents cannot be written")
    }
    defer { insertContents.reset() }
    if let error { throw error }
    lastContents = id
    remember(hash, id)
    counts.contents += 1
    counts.bytes += UInt64(bytes.count)
    return id
  }

  package func checkpoint(cursor: UInt64) throws(NeatError) {
    guard !isFinished, let job = options.job else { return }
    try Fork.heldBack { () throws(NeatError) in
      try run("DELETE FROM neatline_progress; \(row(job, cursor)); COMMIT; BEGIN EXCLUSIVE")
    }
    lastCursor = cursor
  }

  private func row(_ job: UInt64, _ cursor: UInt64) -> String {
    "INSERT INTO neatline_progress VALUES "
      + "(\(Int64(bitPattern: job)), \(Int64(bitPattern: cursor)), \(options.isPlain ? 1 : 0))"
  }

  package func finish(_ metadata: ArchiveMetadata) throws(NeatError) {
    guard !isFinished else { throw NeatError(.state, "the archive is finished", resource: path) }
    isFinished = true
    do throws(NeatError) {
      try Fork.heldBack { () throws(NeatError) in try complete(metadata) }
      close()
      try OutputFile(path: draft, fresh: false).sync()
      try OutputFile.publish(draft, as: path)
    } catch {
      // A later writer of the job goes on from its last checkpoint all the same.
      close()
      Fork.heldBack { try? takeBack() }
      throw error
    }
  }

  /// Makes a draft that was completed one that can be continued. A commit that fails may have been done: SQLite
  /// reports it also where the folder alone could not be brought to the disk.
  private func takeBack() throws(NeatError) {
    guard let job = options.job, let cursor = lastCursor ?? resumeCursor else { return }
    defer { close() }
    try open()
    do {
      let table = try statement("SELECT 1 FROM sqlite_schema WHERE name = 'neatline_progress'")
      if try isRow(table) { return }
    }
    let view = options.isPlain ? "" : "DROP VIEW tiles;"
    try run(
      """
      BEGIN EXCLUSIVE; \(view) DROP TABLE metadata; PRAGMA application_id = 0; \(MBTilesWriter.progressTable);
      \(row(job, cursor)); COMMIT
      """)
  }

  private func complete(_ metadata: ArchiveMetadata) throws(NeatError) {
    try run(
      "DROP TABLE neatline_progress; CREATE TABLE metadata (name TEXT NOT NULL, value TEXT, UNIQUE (name))")
    if !options.isPlain {
      try run(
        """
        CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
          FROM tiles_shallow JOIN tiles_data ON tiles_shallow.tile_data_id = tiles_data.tile_data_id
        """)
    }
    let insert = try statement("INSERT OR REPLACE INTO metadata (name, value) VALUES (?1, ?2)")
    for row in metadata.mbtilesRows(counts) {
      let error = insert.withText(1, row.name) {
        insert.withText(2, row.value) {
          insert.step() == SQLITE_DONE ? nil : failure("metadata cannot be written")
        }
      }
      insert.reset()
      if let error { throw error }
    }
    try run("PRAGMA application_id = \(MBTilesWriter.applicationID); COMMIT")
  }
}
