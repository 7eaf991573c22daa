import CSQLite
import NeatBase

/// A connection to a database that is only read, while others may write to it. Not for use by two threads at
/// once.
final class SQLiteReader {
  private var handle: OpaquePointer?
  let path: String

  /// Bytes of one value at most.
  static let maxValueBytes = 256 << 20
  /// Pages that a connection keeps.
  static let cachedPages = 24
  /// Thousands of machine steps a query may take: a schema can hide an endless view.
  static let maxSteps = 50_000
  /// Milliseconds that a query waits for a writer's lock.
  static let busyTimeoutMS: Int32 = 5000

  private let steps = {
    let steps = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    steps.initialize(to: SQLiteReader.maxSteps)
    return steps
  }()

  /// Opens a file with the locks that keep a reader apart from writers; a write-ahead log beside it is read.
  /// Where locks cannot be had (a folder that nobody may write to) and nothing waits in a log, the file is
  /// read as one that does not change.
  ///
  /// Throws `notFound`, `io`, or `archive` for what is no database or was left in the middle of a write.
  /// - Parameter waits: whether it waits for a writer's lock; else `waitForWriters` is to be called before what
  ///   others rely on.
  init(path: String, waits: Bool = true) throws(NeatError) {
    self.path = path
    guard access(path, F_OK) == 0 else { throw NeatError(.notFound, "no such file", resource: path) }
    try Fork.heldBack { () throws(NeatError) in try connect(waits: waits) }
  }

  private func connect(waits: Bool) throws(NeatError) {
    do throws(NeatError) {
      try open("?mode=ro", waits: waits)
    } catch {
      let code = sqlite3_errcode(handle)
      close()
      // Only what asks for writing is helped by the other way; damage and foreign files are not.
      guard [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_IOERR].contains(code) else { throw error }
      if SQLiteReader.holdsBytes(path + "-journal") {
        throw NeatError(
          .archive, "a write to it was interrupted, and its journal cannot be rolled back here",
          resource: path)
      }
      guard !SQLiteReader.holdsBytes(path + "-wal") else {
        throw NeatError(.archive, "its write-ahead log cannot be read here: \(error.message)", resource: path)
      }
      do throws(NeatError) {
        try open("?immutable=1", waits: waits)
      } catch {
        close()
        throw error
      }
    }
  }

  deinit {
    close()
    steps.deallocate()
  }

  private func open(_ query: String, waits: Bool) throws(NeatError) {
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2("file:" + SQLiteReader.escape(path) + query, &handle, flags, nil) == SQLITE_OK
    else {
      throw failure("cannot be opened")
    }
    // A database from elsewhere: nothing in its schema may run code, and no value may be larger than what a
    // reader takes.
    // unchecked: the result is the limit before.
    _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(SQLiteReader.maxValueBytes))
    // unchecked: the result is the limit before.
    _ = sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 0)
    if waits { waitForWriters() }
    sqlite3_progress_handler(
      handle, 1000,
      { counter in
        guard let steps = counter?.assumingMemoryBound(to: Int.self) else { return 0 }
        steps.pointee -= 1
        return steps.pointee < 0 ? 1 : 0
      }, steps)
    // A value's pages are read once, and would each take memory of their own. Those that lead to it the system has
    // in its cache.
    guard
      sqlite3_exec(
        handle,
        "PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cache_size = \(SQLiteReader.cachedPages); SELECT 1 FROM sqlite_schema LIMIT 1",
        nil, nil, nil)
        == SQLITE_OK
    else { throw failure("cannot be read") }
  }

  /// From now on queries wait for a writer's lock.
  func waitForWriters() {
    let result = sqlite3_busy_timeout(handle, SQLiteReader.busyTimeoutMS)
    assert(result == SQLITE_OK, "a connection that is open takes a timeout")
  }

  private func close() {
    Fork.heldBack {
      // unchecked: it gives SQLITE_OK at all times; what is still in use closes later.
      _ = sqlite3_close_v2(handle)
    }
    handle = nil
  }

  static func holdsBytes(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size > 0
  }

  /// Begins the count of steps again, and forgets earlier errors of the system; before each query.
  func rewind() {
    steps.pointee = SQLiteReader.maxSteps
    errno = 0
  }

  func failure(_ what: String) -> NeatError { sqliteFailure(handle, what, path) }

  func prepare(_ sql: String) throws(NeatError) -> SQLiteStatement {
    rewind()
    var statement: OpaquePointer?
    guard
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else {
      throw failure("not as expected")
    }
    return SQLiteStatement(statement)
  }

  /// A path inside a `file:` address.
  static func escape(_ path: String) -> String {
    var out: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in path.utf8 {
      if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") {
        out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}

/// The error of a connection's last call. SQLite reports a read that the system refuses (EIO) as damage: with `errno`
/// set to 0 before the call, this tells one from the other.
func sqliteFailure(_ handle: OpaquePointer?, _ what: String, _ path: String) -> NeatError {
  let system = errno
  let code = sqlite3_errcode(handle)
  if code == SQLITE_CORRUPT, system == EIO || system == ENXIO {
    return NeatError(.io, "\(what): \(Descriptors.reason(system))", resource: path)
  }
  let reason = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "no memory"
  let kind: ErrorCode =
    switch code {
    case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL, SQLITE_READONLY, SQLITE_PERM: .io
    case SQLITE_BUSY, SQLITE_LOCKED: .state
    case SQLITE_NOMEM: .outOfMemory
    case SQLITE_TOOBIG: .limitExceeded
    default: .archive
    }
  return NeatError(kind, "\(what): \(reason)", resource: path)
}

/// A prepared query; must not outlive its connection's last use.
final class SQLiteStatement {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit {
    Fork.heldBack {
      // unchecked: the result is that of the last step, which was looked at.
      _ = sqlite3_finalize(handle)
    }
  }

  /// The first value since the last step that could not be bound: it would be NULL in what is written.
  private var bindFailure = SQLITE_OK

  private func bound(_ result: Int32) {
    if result != SQLITE_OK, bindFailure == SQLITE_OK { bindFailure = result }
  }

  /// One step: SQLITE_ROW, SQLITE_DONE or an error. A query whose values could not be bound is not run.
  func step() -> Int32 {
    guard bindFailure == SQLITE_OK else {
      defer { bindFailure = SQLITE_OK }
      return bindFailure
    }
    return sqlite3_step(handle)
  }

  /// Makes the query ready for another run.
  func reset() {
    // unchecked: the result is that of the last step, which was looked at.
    sqlite3_reset(handle)
  }

  func bind(_ index: Int32, _ value: Int64) { bound(sqlite3_bind_int64(handle, index, value)) }

  private func unbind(_ index: Int32) { bound(sqlite3_bind_null(handle, index)) }

  /// Takes a value away that has no copy, where the query was reset.
  private func release(_ index: Int32) {
    // unchecked: SQLite refuses it before the query is reset, for which the error of its run must be read first; the
    // next run binds the value again.
    sqlite3_bind_null(handle, index)
  }

  /// Bound without a copy: `body` must run the query.
  func withBlob<R>(_ index: Int32, _ bytes: [UInt8], _ body: () -> R) -> R {
    bytes.withUnsafeBytes { source in
      // An empty array may have no address, and no address would be NULL.
      if source.count == 0 {
        bound(sqlite3_bind_zeroblob(handle, index, 0))
      } else {
        bound(sqlite3_bind_blob64(handle, index, source.baseAddress, UInt64(source.count), nil))
      }
      defer { release(index) }
      return body()
    }
  }

  func withText<R>(_ index: Int32, _ text: String, _ body: () -> R) -> R {
    var text = text
    return text.withUTF8 { source in
      let start = source.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
      bound(sqlite3_bind_text64(handle, index, start, UInt64(source.count), nil, UInt8(SQLITE_UTF8)))
      defer { release(index) }
      return body()
    }
  }

  func bind(_ index: Int32, _ value: Int64?) {
    if let value { bind(index, value) } else { unbind(index) }
  }

  /// Bound as a copy.
  func bind(_ index: Int32, text: String?) {
    guard var text else { return unbind(index) }
    text.withUTF8 { source in
      // Text of no length may have no address, and no address would be NULL.
      let start = source.baseAddress.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
      if let start {
        bound(
          sqlite3_bind_text64(
            handle, index, start, UInt64(source.count), SQLiteStatement.copied, UInt8(SQLITE_UTF8)))
      } else {
        bound(sqlite3_bind_text(handle, index, "", 0, SQLiteStatement.copied))
      }
    }
  }

  /// Bound as a copy.
  func bind(_ index: Int32, blob: [UInt8]?) {
    guard let blob else { return unbind(index) }
    blob.withUnsafeBytes { source in
      if source.count == 0 {
        bound(sqlite3_bind_zeroblob(handle, index, 0))
      } else {
        bound(
          sqlite3_bind_blob64(
            handle, index, source.baseAddress, UInt64(source.count), SQLiteStatement.copied))
      }
    }
  }

  /// SQLITE_TRANSIENT, which is no address.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// The bytes of a value, which are there until the next step.
  func withBytes<R>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws(NeatError) -> R)
    throws(NeatError) -> R
  {
    let start = sqlite3_column_blob(handle, column)?.assumingMemoryBound(to: UInt8.self)
    let count = Int(sqlite3_column_bytes(handle, column))
    // Only an empty value, and one that there was no memory for, has no address.
    guard start != nil || count == 0 else { throw NeatError(.outOfMemory, "no memory for a value") }
    return try body(UnsafeBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    return String(
      decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))),
      as: UTF8.self)
  }

  func blob(_ column: Int32) throws(NeatError) -> [UInt8] {
    try withBytes(column) { (bytes) throws(NeatError) in Array(bytes) }
  }
}
