import CSQLite
import NeatBase

extension ResourceDatabase {
  /// How often a file may turn out to be broken, or to change under our hands, while it is opened.
  private static let openingLimit = 3

  /// Opens the file, under the lock of its folder: of several processes one makes, migrates or renames it.
  func open() throws(NeatError) {
    let lock: FolderLock
    do throws(NeatError) {
      lock = try FolderLock(beside: path, timeoutMS: options.busyTimeoutMS)
    } catch {
      throw fail(.locked, error)
    }
    var suspect: FileIdentity?
    // Each file is looked at twice.
    for _ in 0..<2 * ResourceDatabase.openingLimit {
      if try openOnce(&suspect) {
        _ = consume lock
        return
      }
    }
    throw fail(.broken, NeatError(.archive, "cannot be opened, nor a new one begun", resource: path))
  }

  /// False where the file was put aside, or seems damaged and is looked at again: the next try does. `suspect` is the
  /// file that seemed damaged.
  private func openOnce(_ suspect: inout FileIdentity?) throws(NeatError) -> Bool {
    let seen = try regularFile()
    isReadOnly = options.isReadOnly
    guard seen != nil else {
      if isReadOnly {
        throw fail(.other, NeatError(.notFound, "no such file, and none is to be made", resource: path))
      }
      try begin(.fresh)
      return true
    }
    let inspection: DatabaseInspection
    do throws(NeatError) {
      inspection = try inspect()
    } catch {
      guard lastFailure == .broken else { throw error }
      return try broken(error.message, seen, &suspect)
    }
    switch inspection {
    case .foreign(let sign):
      throw fail(
        .otherApplication,
        NeatError(
          .archive, "is the database of another application (\(sign)), and is left alone", resource: path))
    case .newer(let version):
      throw fail(
        .newerSchema,
        NeatError(
          .state,
          "has schema \(version); this version knows up to \(DatabaseSchema.version), and leaves it alone",
          resource: path))
    case .broken(let what): return try broken(what, seen, &suspect)
    case .fresh, .ours:
      do throws(NeatError) {
        try begin(inspection)
      } catch {
        guard lastFailure == .broken else { throw error }
        return try broken(error.message, seen, &suspect)
      }
      return true
    }
  }

  /// Throws for what is there and no regular file; nil where nothing is.
  private func regularFile() throws(NeatError) -> FileIdentity? {
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw fail(.other, NeatError(.io, "cannot be looked at: \(Descriptors.reason())", resource: path))
      }
      return nil
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw fail(.other, NeatError(.invalidArgument, "is no regular file", resource: path))
    }
    return FileIdentity(path)
  }

  /// Puts the file aside where this is the second look that finds it damaged, and all of it can be read.
  private func broken(_ what: String, _ seen: FileIdentity?, _ suspect: inout FileIdentity?) throws(NeatError)
    -> Bool
  {
    disconnect()
    guard suspect == seen, seen != nil else {
      suspect = seen
      return false
    }
    try confirmDamage()
    let error = NeatError(.archive, what, resource: path)
    if options.isReadOnly { throw fail(.broken, error) }
    do throws(NeatError) {
      try putAside(seen: seen, because: error)
    } catch {
      throw fail(.broken, error)
    }
    return false
  }

  /// Throws `io` where the system refuses to read the file, which SQLite reports as damage.
  func confirmDamage() throws(NeatError) {
    do throws(NeatError) { try DamageCheck.requireReadable(path) } catch { throw fail(.other, error) }
  }

  /// Looks at the file without writing. What was interrupted in a write and cannot be looked at before it is
  /// rolled back is looked at by a connection that may do so.
  private func inspect() throws(NeatError) -> DatabaseInspection {
    var first: NeatError?
    for mode in [SQLiteConnection.Mode.readOnly, .immutable, .readWrite] {
      if mode == .immutable, !isImmutableSafe { continue }
      var code: Int32 = SQLITE_OK
      var system: Int32 = 0
      do throws(NeatError) {
        let connection = try SQLiteConnection(path: path, mode: mode, busyTimeoutMS: options.busyTimeoutMS)
        defer { connection.close() }
        do throws(NeatError) {
          return try DatabaseInspection.inspect(connection)
        } catch {
          (code, system) = (connection.failureCode, connection.systemError)
          throw error
        }
      } catch {
        let failure =
          code == SQLITE_OK
          ? ResourceDatabase.openingFailure(path) : DatabaseFailure(code: code, systemError: system)
        // Only what asks for a lock or for writing is helped by another way.
        let isHelped = [SQLITE_OK, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_IOERR].contains(code & 0xff)
        if failure == .broken || !isHelped || mode == .readWrite {
          throw fail(failure, first ?? error, isTold: failure == .broken)
        }
        first = first ?? error
      }
    }
    throw fail(.other, first ?? NeatError(.io, "cannot be read", resource: path))
  }

  /// Nothing waits in a journal or log beside it.
  private var isImmutableSafe: Bool {
    !SQLiteReader.holdsBytes(path + "-journal") && !SQLiteReader.holdsBytes(path + "-wal")
  }

  // MARK: Beginning

  /// Opens for writing, and makes or migrates the tables; where the disk does not allow that, for reading.
  private func begin(_ inspection: DatabaseInspection) throws(NeatError) {
    if !options.isReadOnly {
      do throws(NeatError) {
        try beginWriting(inspection)
        return
      } catch {
        disconnect()
        guard lastFailure == .readOnly, case .ours = inspection else { throw error }
      }
    }
    try beginReading(inspection)
  }

  /// Runs the body on a new connection, which is kept where it does not throw.
  private func connect(_ mode: SQLiteConnection.Mode, _ body: (SQLiteConnection) throws(NeatError) -> Void)
    throws(NeatError)
  {
    let connection: SQLiteConnection
    do throws(NeatError) {
      connection = try SQLiteConnection(path: path, mode: mode, busyTimeoutMS: options.busyTimeoutMS)
    } catch {
      throw fail(ResourceDatabase.openingFailure(path), error, isTold: true)
    }
    connection.begin(isBulk: true)
    do throws(NeatError) {
      try connection.configure()
      try body(connection)
    } catch {
      var failure = DatabaseFailure(code: connection.failureCode, systemError: connection.systemError)
      connection.close()
      if failure == .other { failure = ResourceDatabase.openingFailure(path) }
      // What cannot be written can often be read.
      throw fail(failure, error, isTold: failure == .broken || failure == .readOnly)
    }
    self.connection = connection
    identity = FileIdentity(path)
    eviction = EvictionBounds()
    accessTimes.removeAll()
    lastFailure = nil
  }

  /// Why a file cannot be opened at all: SQLite tells no more than that.
  private static func openingFailure(_ path: String) -> DatabaseFailure {
    let folder = path.lastIndex(of: "/").map { String(path.prefix(through: $0)) } ?? "."
    // A log stands beside the file: both must be writable.
    for place in access(path, F_OK) == 0 ? [path, folder] : [folder]
    where access(place, W_OK) != 0 && [EROFS, EACCES, EPERM].contains(errno) {
      return .readOnly
    }
    return .other
  }

  private func beginWriting(_ inspection: DatabaseInspection) throws(NeatError) {
    try connect(.readWrite) { (connection) throws(NeatError) in
      try connection.requireWritable()
      if case .fresh = inspection {
        // Before anything is written: pages know their place, so that room can be given back.
        try connection.run("PRAGMA auto_vacuum = INCREMENTAL")
      }
      // In one transaction; another process may have been quicker.
      let isComplete = if case .ours(_, true) = inspection { true } else { false }
      if !isComplete {
        try connection.transaction { () throws(NeatError) in try ResourceDatabase.bringUpToDate(connection) }
      }
      try ResourceDatabase.useLog(connection)
      marksRevalidation = true
    }
  }

  /// A log keeps readers and a writer apart; where the file system has no shared memory for it the journal
  /// stays. Pages that are free need not be zeroed: they held what servers gave out.
  private static func useLog(_ connection: SQLiteConnection) throws(NeatError) {
    let mode = try connection.prepare("PRAGMA journal_mode = WAL")
    _ = try connection.step(mode)
    mode.reset()
    try connection.run(
      """
      PRAGMA synchronous = NORMAL; PRAGMA secure_delete = OFF; PRAGMA temp_store = MEMORY;
      PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 33554432
      """)
  }

  /// Makes the tables, or what an older schema lacks: up to 5 that is one column in two tables; 3 to 5 differ
  /// in settings only.
  private static func bringUpToDate(_ connection: SQLiteConnection) throws(NeatError) {
    let version = try connection.int("PRAGMA user_version") ?? 0
    let tables = try connection.int("SELECT count(*) FROM sqlite_schema WHERE name = 'tiles'") ?? 0
    if tables == 0 {
      try connection.run(DatabaseSchema.creation)
    } else if version < Int64(DatabaseSchema.version) {
      for table in DatabaseTable.allCases {
        let column = DatabaseSchema.revalidationColumn
        let isThere = try connection.int(
          "SELECT count(*) FROM pragma_table_info('\(table.name)') WHERE name = '\(column)'")
        if isThere == 0 {
          try connection.run("ALTER TABLE \(table.name) ADD COLUMN \(column) INTEGER NOT NULL DEFAULT 0")
        }
      }
    }
    for (name, sql) in DatabaseSchema.indices
    where try connection.int("SELECT count(*) FROM sqlite_schema WHERE name = '\(name)'") == 0 {
      try connection.run(sql)
    }
    try connection.run(DatabaseSchema.ambientCreation)
    if version != Int64(DatabaseSchema.version) {
      try connection.run("PRAGMA user_version = \(DatabaseSchema.version)")
    }
  }

  private func beginReading(_ inspection: DatabaseInspection) throws(NeatError) {
    guard case .ours(let version, _) = inspection else {
      throw fail(.readOnly, NeatError(.io, "nothing is in it, and it is only read", resource: path))
    }
    marksRevalidation = version == DatabaseSchema.version
    isReadOnly = true
    let check: (SQLiteConnection) throws(NeatError) -> Void = { (connection) throws(NeatError) in
      _ = try connection.int("SELECT count(*) FROM sqlite_schema")
    }
    do throws(NeatError) {
      try connect(.readOnly, check)
    } catch {
      guard lastFailure != .broken, isImmutableSafe else { throw error }
      try connect(.immutable, check)
    }
  }
}
