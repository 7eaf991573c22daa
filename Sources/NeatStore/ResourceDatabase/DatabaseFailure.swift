import CSQLite
import NeatBase

/// Why the database does not do what it was asked: what a caller may tell apart beside the error's class.
package enum DatabaseFailure: Sendable, Equatable {
  case diskFull
  /// The disk, the folder or the file may not be written to.
  case readOnly
  /// Others held it for longer than the busy timeout.
  case locked
  /// It is damaged.
  case broken
  /// The file is not the one that was opened: moved away, deleted or changed in its tables.
  case replaced
  /// A newer schema, which is left alone.
  case newerSchema
  /// Another application's database, which is left alone.
  case otherApplication
  case other

  /// `code` is an extended code of SQLite's, `systemError` an `errno`.
  init(code: Int32, systemError: Int32) {
    switch code & 0xff {
    case SQLITE_FULL: self = .diskFull
    case SQLITE_READONLY: self = code == DatabaseFailure.moved ? .replaced : .readOnly
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .broken
    case SQLITE_IOERR where code == DatabaseFailure.shortRead: self = .broken
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      if DatabaseFailure.full.contains(systemError) {
        self = .diskFull
      } else {
        self = DatabaseFailure.forbidden.contains(systemError) ? .readOnly : .other
      }
    // A table or a column is not there that was there on opening.
    case SQLITE_ERROR, SQLITE_SCHEMA: self = .replaced
    default: self = .other
    }
  }

  private static let full: Set<Int32> = [ENOSPC, EDQUOT, EFBIG]
  private static let forbidden: Set<Int32> = [EROFS, EACCES, EPERM]

  static func tellsReason(_ systemError: Int32) -> Bool {
    full.contains(systemError) || forbidden.contains(systemError)
  }

  // Extended codes, whose macros Swift does not read.
  private static let moved: Int32 = 8 | 4 << 8
  private static let shortRead: Int32 = 10 | 2 << 8
  static let foreignKey: Int32 = 19 | 3 << 8

  /// The error that names the failure in the words of whoever stores something.
  func naming(_ error: NeatError, path: String, busyTimeoutMS: Int) -> NeatError {
    switch self {
    case .diskFull: NeatError(.io, "the disk is full: nothing can be stored", resource: path)
    case .readOnly: NeatError(.io, "may not be written: \(error.message)", resource: path)
    case .locked:
      NeatError(.timeout, "others have locked it for more than \(busyTimeoutMS) ms", resource: path)
    case .broken: NeatError(.archive, "is damaged: \(error.message)", resource: path)
    case .replaced, .newerSchema, .otherApplication, .other: error.naming(path)
    }
  }
}

/// What whoever shows errors is to hear of, once each: a full disk is told again only after something could
/// be stored in between.
package struct DatabaseNotice: Sendable, Equatable {
  package var failure: DatabaseFailure
  package var error: NeatError
  /// Where a broken database was put.
  package var putAside: String?
}
