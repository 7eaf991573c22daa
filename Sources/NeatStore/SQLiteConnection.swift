import CSQLite
import NeatBase

/// A connection to a database that is read and written, with its prepared statements. Not for use by two
/// threads at once.
final class SQLiteConnection {
  enum Mode {
    case readWrite
    /// With the locks that keep readers apart from writers.
    case readOnly
    /// As a file that nobody changes: for folders where no lock can be had.
    case immutable
  }

  private var handle: OpaquePointer?
  let path: String
  let mode: Mode
  /// The extended code of the last call that failed since the last `begin`; SQLITE_OK where none did.
  private(set) var failureCode: Int32 = SQLITE_OK
  /// What the system said of it.
  private(set) var systemError: Int32 = 0

  private var kept: [SQLiteStatement?] = []
  private let steps: UnsafeMutablePointer<Int>

  /// Thousands of machine steps: what a lookup may take, and what each page adds for what goes over all rows.
  /// A damaged tree, or a schema made to be endless, ends there.
  private static let lookupSteps = 50_000
  private static let stepsPerPage = 8

  /// Throws what SQLite says; `failureCode` has its code.
  init(path: String, mode: Mode, busyTimeoutMS: Int) throws(NeatError) {
    self.path = path
    self.mode = mode
    steps = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    steps.initialize(to: SQLiteConnection.lookupSteps)
    let query: String
    var flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    switch mode {
    case .readWrite: (query, flags) = ("", flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    case .readOnly: (query, flags) = ("?mode=ro", flags | SQLITE_OPEN_READONLY)
    case .immutable: (query, flags) = ("?immutable=1", flags | SQLITE_OPEN_READONLY)
    }
    let result = sqlite3_open_v2("file:" + SQLiteReader.escape(path) + query, &handle, flags, nil)
    guard result == SQLITE_OK, sqlite3_extended_result_codes(handle, 1) == SQLITE_OK else {
      throw failure("cannot be opened")
    }
    // unchecked: the result is the limit before.
    _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(SQLiteReader.maxValueBytes))
    // Foreign keys that cascade take one level; triggers that start others have no place here.
    // unchecked: the result is the limit before.
    _ = sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 1)
    setBusyTimeout(busyTimeoutMS)
    sqlite3_progress_handler(
      handle, 1000,
      { counter in
        guard let steps = counter?.assumingMemoryBound(to: Int.self) else { return 0 }
        steps.pointee -= 1
        return steps.pointee < 0 ? 1 : 0
      }, steps)
  }

  /// Sets what needs a look at the file, and may show that it is damaged; before anything else.
  func configure() throws(NeatError) {
    try run(
      "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON; PRAGMA cache_size = -8192"
    )
  }

  deinit {
    close()
    steps.deallocate()
  }

  /// Ends the statements and the connection; what follows fails.
  func close() {
    kept = []
    Fork.heldBack {
      // unchecked: it gives SQLITE_OK at all times; what is still in use closes later.
      _ = sqlite3_close_v2(handle)
    }
    handle = nil
  }

  func setBusyTimeout(_ milliseconds: Int) {
    let result = sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
    assert(result == SQLITE_OK, "a connection that is open takes a timeout")
  }

  /// Begins the count of steps and the memory of failures anew. `isBulk`: what follows goes over many rows.
  func begin(isBulk: Bool, extraPages: Int64 = 0) {
    failureCode = SQLITE_OK
    systemError = 0
    errno = 0
    steps.pointee = SQLiteConnection.lookupSteps
    if isBulk {
      let pages = max(0, (try? int("PRAGMA page_count")) ?? 0)
      steps.pointee +=
        Int(clamping: min(pages, 1 << 40) + min(max(0, extraPages), 1 << 40)) * SQLiteConnection.stepsPerPage
    }
  }

  /// The error of the last call.
  func failure(_ what: String) -> NeatError {
    // SQLite notes the system's word of failed statements, and not that of failed commits.
    let last = errno
    failureCode = handle == nil ? SQLITE_NOMEM : sqlite3_extended_errcode(handle)
    let noted = sqlite3_system_errno(handle)
    systemError = DatabaseFailure.tellsReason(last) ? last : noted
    return sqliteFailure(handle, what, path)
  }

  /// Throws where a connection that was to write got leave to read only.
  func requireWritable() throws(NeatError) {
    guard sqlite3_db_readonly(handle, "main") != 0 else { return }
    failureCode = SQLITE_READONLY
    throw NeatError(.io, "the disk, the folder or the file allows no writing", resource: path)
  }

  // MARK: Statements

  func prepare(_ sql: String) throws(NeatError) -> SQLiteStatement {
    var statement: OpaquePointer?
    guard
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else {
      throw failure("is not as expected")
    }
    return SQLiteStatement(statement)
  }

  /// A statement that is prepared once, and reset before each use.
  func statement(_ slot: Int, _ sql: () -> String) throws(NeatError) -> SQLiteStatement {
    while kept.count <= slot { kept.append(nil) }
    if let statement = kept[slot] { return statement }
    let statement = try prepare(sql())
    kept[slot] = statement
    return statement
  }

  /// Whether a row is there. Without one, and on errors, the statement is reset.
  func step(_ statement: SQLiteStatement) throws(NeatError) -> Bool {
    switch statement.step() {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      statement.reset()
      return false
    default:
      let error = failure("fails")
      statement.reset()
      throw error
    }
  }

  /// Runs a statement that gives no rows; how many rows it changed.
  @discardableResult func run(_ statement: SQLiteStatement) throws(NeatError) -> Int {
    while try step(statement) {}
    return Int(sqlite3_changes(handle))
  }

  /// The first value of a statement's first row; nil where there is none, or it is no whole number.
  func value(_ statement: SQLiteStatement) throws(NeatError) -> Int64? {
    guard try step(statement) else { return nil }
    defer { statement.reset() }
    return sqlite3_column_type(statement.handle, 0) == SQLITE_INTEGER ? statement.int(0) : nil
  }

  func run(_ sql: String) throws(NeatError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure("fails") }
  }

  /// What may fail; the memory of failures stays.
  func quietly(_ sql: String) {
    // unchecked: the caller says that it may fail.
    sqlite3_exec(handle, sql, nil, nil, nil)
  }

  func int(_ sql: String) throws(NeatError) -> Int64? { try value(try prepare(sql)) }

  var lastInsertedID: Int64 { sqlite3_last_insert_rowid(handle) }

  // MARK: Transactions

  /// Runs the body as one write; nothing of it stays where it throws.
  func transaction<R>(_ body: () throws(NeatError) -> R) throws(NeatError) -> R {
    try run("BEGIN IMMEDIATE")
    do throws(NeatError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Ends a transaction that failed, unless SQLite has ended it. The memory of failures stays.
  func rollBack() {
    guard handle != nil, sqlite3_get_autocommit(handle) == 0 else { return }
    // unchecked: what fails leaves a transaction that ends with the connection, or with the next `BEGIN`'s error.
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }
}
