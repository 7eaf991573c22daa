import CSQLite
import NeatBase

extension ResourceDatabase {
  /// Gives room that deleting left back to the disk. A database of an older SDK whose pages do not know their
  /// place is written anew once, for which the disk must have room for a second one.
  package func pack() throws(NeatError) {
    try requireWritable()
    try perform(isWrite: true, isBulk: true) { (connection) throws(NeatError) in
      if try connection.int("PRAGMA auto_vacuum") != 2 {
        try connection.run("PRAGMA auto_vacuum = INCREMENTAL; VACUUM")
      } else {
        try connection.run("PRAGMA incremental_vacuum")
      }
      // The file itself shrinks when its log has been written into it, where nobody reads just now.
      try ResourceDatabase.emptyLog(connection)
    }
  }

  /// After deleting, where it is wanted and can be had without writing the file anew.
  func giveBackRoom() throws(NeatError) {
    guard options.packsAutomatically, !isReadOnly else { return }
    try perform(isWrite: true, isBulk: true) { (connection) throws(NeatError) in
      try connection.run("PRAGMA incremental_vacuum")
      try ResourceDatabase.emptyLog(connection)
    }
  }

  private static func emptyLog(_ connection: SQLiteConnection) throws(NeatError) {
    let log = try connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = try connection.step(log)
    log.reset()
  }

  /// Deletes all entries and regions. The file stays, also for other processes that use it.
  package func reset() throws(NeatError) {
    try requireWritable()
    try perform(isWrite: true, isBulk: true) { (connection) throws(NeatError) in
      // Without the checks of references, which all go, tables are emptied at once.
      try connection.run("PRAGMA foreign_keys = OFF")
      defer { try? connection.run("PRAGMA foreign_keys = ON") }
      try connection.transaction { () throws(NeatError) in
        for table in DatabaseSchema.tables { try connection.run("DELETE FROM \(table.name)") }
        try connection.run("DELETE FROM \(DatabaseSchema.ambientTable)")
      }
    }
    accessTimes.removeAll()
    eviction = EvictionBounds()
    try pack()
  }

  /// Renames the file as a broken one is renamed, and begins a new one; where it is now.
  package func putAside() throws(NeatError) -> String? {
    try requireWritable()
    flushAccess(now: nil)
    let lock = try FolderLock(beside: path, timeoutMS: options.busyTimeoutMS)
    // What waits in the log is written into the file, so that it is one piece.
    if let connection { try? ResourceDatabase.emptyLog(connection) }
    let target = try BrokenDatabase.putAside(path, seen: identity)
    disconnect()
    _ = consume lock
    try open()
    return target
  }
}
