import CSQLite
import NeatBase

/// A connection to a database that is only read. Not for use by two threads at once.
final class SQLiteReader: @unchecked Sendable {
  private var handle: OpaquePointer?
  let path: String

  /// Opens a file that nobody writes to while it is open: no lock is taken and no journal looked for.
  init(path: String) throws(NeatError) {
    self.path = path
    guard access(path, F_OK) == 0 else { throw NeatError(.notFound, "no such file", resource: path) }
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    let result = sqlite3_open_v2("file:" + SQLiteReader.escape(path) + "?immutable=1", &handle, flags, nil)
    guard result == SQLITE_OK else {
      let error = failure("cannot be opened")
      sqlite3_close_v2(handle)
      handle = nil
      throw error
    }
    // A database from elsewhere: nothing in its schema may run code, and no value may be larger than what a reader takes.
    _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(SQLiteReader.maxValueBytes))
    _ = sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 0)
    sqlite3_progress_handler(
      handle, 1000,
      { counter in
        guard let steps = counter?.assumingMemoryBound(to: Int.self) else { return 0 }
        steps.pointee -= 1
        return steps.pointee < 0 ? 1 : 0
      }, steps)
  }

  deinit {
    sqlite3_close_v2(handle)
    steps.deallocate()
  }

  /// Bytes of one value at most.
  static let maxValueBytes = 256 << 20
  /// Thousands of machine steps a query may take: a schema can hide an endless view.
  static let maxSteps = 50_000
  private let steps = {
    let steps = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    steps.initialize(to: SQLiteReader.maxSteps)
    return steps
  }()

  /// Begins the count of steps anew; before each query.
  func rewind() { steps.pointee = SQLiteReader.maxSteps }

  func failure(_ what: String) -> NeatError {
    let code = sqlite3_errcode(handle)
    let reason = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "no memory"
    return NeatError(code == SQLITE_CANTOPEN || code == SQLITE_IOERR ? .io : .archive, "\(what): \(reason)", resource: path)
  }

  func prepare(_ sql: String) throws(NeatError) -> SQLiteStatement {
    rewind()
    var statement: OpaquePointer?
    guard sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK, let statement else {
      throw failure("not as expected")
    }
    return SQLiteStatement(statement)
  }

  /// A path inside a `file:` address.
  private static func escape(_ path: String) -> String {
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

/// A prepared query; must not outlive its connection's last use.
final class SQLiteStatement: @unchecked Sendable {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  func text(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))), as: UTF8.self)
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
