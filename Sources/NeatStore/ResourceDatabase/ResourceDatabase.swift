import CSQLite
import NeatBase
import NeatTile

/// What servers answered, kept in one SQLite file: the ambient cache, which forgets what was not used for the
/// longest time, and regions, which keep what they need for use without a network. The file is the `cache.db`
/// of MapLibre Native (`DatabaseSchema`).
///
/// For one thread at a time; several processes, and several databases of one process, may use one file. It
/// does no input or output but on that file, and knows no clock: callers give the time, in whole seconds since
/// 1970. Calls wait for the disk and for others' locks: they belong on a thread of their own.
///
/// A database that turns out to be broken is renamed, a new one is begun, and what was asked goes on there;
/// `takeNotices` tells. Every error names the file, and `lastFailure` its sort.
package final class ResourceDatabase {
  package let path: String
  package internal(set) var options: DatabaseOptions

  /// Whether the file is only read: it was asked for, or the disk allows no more.
  package internal(set) var isReadOnly = false
  package internal(set) var statistics = DatabaseStatistics()
  /// Why the last call failed; nil where it did not.
  package internal(set) var lastFailure: DatabaseFailure?
  package internal(set) var maximumAmbientBytes: Int64

  var connection: SQLiteConnection?
  var identity: FileIdentity?
  /// Whether the tables have `must_revalidate`: a file that is only read may have an older schema.
  var marksRevalidation = true
  var accessTimes = AccessTimes()
  var eviction = EvictionBounds()
  var packer: ZlibPacker
  private var isClosed = false
  private var notices: [DatabaseNotice] = []
  private var told: [DatabaseFailure] = []
  private var operations: UInt = 0

  package static let maxNotices = 16

  /// Opens a file, makes it where it is not there, and brings an older schema up to date.
  ///
  /// Throws `state` for a newer schema and `archive` for another application's database, neither of which is
  /// touched; `invalidArgument` for what is no file; `io` where it can be neither read nor made; `timeout`.
  package init(path: String, options: DatabaseOptions = .init()) throws(NeatError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw NeatError(.invalidArgument, "a database needs a path", resource: path)
    }
    self.path = ResourceDatabase.resolved(path)
    self.options = options
    maximumAmbientBytes = max(0, options.maximumAmbientBytes)
    packer = try ZlibPacker(level: options.packingLevel)
    try open()
  }

  deinit { close() }

  /// Links are followed once: what SQLite keeps beside a file, and what takes its place, stand where it does.
  private static func resolved(_ path: String) -> String {
    guard let full = realpath(path, nil) else {
      // A file that is not there yet.
      return path
    }
    defer { free(full) }
    return String(cString: full)
  }

  /// Writes what is waited with, and ends the connection. Every later call throws `state`.
  package func close() {
    guard !isClosed else { return }
    isClosed = true
    if connection != nil, FileIdentity(path) == identity { flushAccess(now: nil) }
    connection?.close()
    connection = nil
  }

  /// What there is to tell since the last call, in order.
  package func takeNotices() -> [DatabaseNotice] {
    defer { notices = [] }
    return notices
  }

  // MARK: Running

  /// Runs the body on the open connection. Where the database seems damaged the body runs again, on a connection that
  /// is opened for it; one that is damaged then is put aside, and the body runs on the new one. Where the file was
  /// replaced it runs again on what took its place.
  func perform<R>(
    isWrite: Bool, isBulk: Bool = false, _ body: (SQLiteConnection) throws(NeatError) -> R
  ) throws(NeatError) -> R {
    // Damage takes two looks, and the new database is the third.
    var tries = 0
    while true {
      let connection = try connected(isWrite: isWrite)
      connection.begin(isBulk: isBulk)
      do throws(NeatError) {
        let result = try body(connection)
        succeeded(isWrite: isWrite)
        return result
      } catch {
        connection.rollBack()
        guard connection.failureCode != SQLITE_OK else {
          // What was asked is at fault, not the database.
          lastFailure = .other
          throw error.naming(path)
        }
        let failure = DatabaseFailure(code: connection.failureCode, systemError: connection.systemError)
        tries += 1
        guard failure == .broken && tries <= 2 || failure == .replaced && tries == 1 else {
          throw fail(failure, error)
        }
        if failure == .broken, tries == 2 { try recover(from: error) } else { disconnect() }
      }
    }
  }

  private func succeeded(isWrite: Bool) {
    lastFailure = nil
    if isWrite { told.removeAll() }
  }

  /// The error to be thrown; a notice is made of it unless it was told before. `isTold`: or unless whoever
  /// catches it tells more.
  func fail(_ failure: DatabaseFailure, _ error: NeatError, isTold: Bool = false) -> NeatError {
    lastFailure = failure
    let named = failure.naming(error, path: path, busyTimeoutMS: options.busyTimeoutMS)
    if !isTold, !told.contains(failure) {
      told.append(failure)
      tell(DatabaseNotice(failure: failure, error: named))
    }
    return named
  }

  func tell(_ notice: DatabaseNotice) {
    Log.write(.warning, .cache, notice.error.description)
    if notices.count < ResourceDatabase.maxNotices { notices.append(notice) }
  }

  /// The connection, opened anew where it was lost or the file is another one than was opened.
  private func connected(isWrite: Bool) throws(NeatError) -> SQLiteConnection {
    guard !isClosed else { throw NeatError(.state, "the database is closed", resource: path) }
    operations &+= 1
    // Another process may have put it aside: what is written would go there.
    if connection != nil, isWrite || operations % 16 == 0, FileIdentity(path) != identity { disconnect() }
    if let connection { return connection }
    try open()
    guard let connection else { throw NeatError(.state, "the database is closed", resource: path) }
    return connection
  }

  /// Ends the connection without writing; what only belonged to that file is forgotten.
  func disconnect() {
    accessTimes.removeAll()
    eviction = EvictionBounds()
    connection?.close()
    connection = nil
    identity = nil
  }

  /// Puts a file that is damaged aside, and begins a new one.
  private func recover(from error: NeatError) throws(NeatError) {
    let lock = try FolderLock(beside: path, timeoutMS: options.busyTimeoutMS)
    let seen = identity
    do throws(NeatError) { try confirmDamage() } catch {
      disconnect()
      throw error
    }
    // The connection is ended after the renaming: SQLite then writes nothing into what was put aside.
    do throws(NeatError) {
      if !isReadOnly { try putAside(seen: seen, because: error) }
    } catch {
      disconnect()
      throw fail(.broken, error)
    }
    disconnect()
    _ = consume lock
    if isReadOnly { throw fail(.broken, error) }
    try open()
  }

  /// Renames the file, and tells so. The folder is locked.
  func putAside(seen: FileIdentity?, because error: NeatError) throws(NeatError) {
    guard let target = try BrokenDatabase.putAside(path, seen: seen) else { return }
    let named = NeatError(
      .archive, "was damaged (\(error.message)): it is now \(target), and a new one is begun", resource: path)
    tell(DatabaseNotice(failure: .broken, error: named, putAside: target))
  }

  // MARK: Statements

  func statement(_ connection: SQLiteConnection, _ query: DatabaseTable.Query, _ table: DatabaseTable)
    throws(NeatError) -> SQLiteStatement
  {
    let marks = marksRevalidation
    return try connection.statement(query.rawValue * DatabaseTable.allCases.count + table.rawValue) {
      table.sql(query, marksRevalidation: marks)
    }
  }

  func requireWritable() throws(NeatError) {
    if isReadOnly {
      throw fail(.readOnly, NeatError(.io, "it is only read", resource: path))
    }
  }
}
