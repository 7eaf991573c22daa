import CSQLite
import NeatBase
import NeatStore
import Testing

/// A folder with a database in it, and what tests ask it.
final class DatabaseFolder {
  let folder = TemporaryFolder()
  var path: String { folder.file("cache.db") }
  var names: [String] { folder.names }

  func open(_ change: (inout DatabaseOptions) -> Void = { _ in }) throws(NeatError) -> ResourceDatabase {
    var options = DatabaseOptions()
    options.busyTimeoutMS = 300
    change(&options)
    return try ResourceDatabase(path: path, options: options)
  }

  /// Runs statements on the file by SQLite itself.
  func run(_ sql: String, _ name: String = "cache.db") {
    var handle: OpaquePointer?
    sqlite3_open(folder.file(name), &handle)
    #expect(
      sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    sqlite3_close(handle)
  }

  /// The rows that a statement gives, columns with "|" between them.
  func rows(_ sql: String, _ name: String = "cache.db") -> [String] {
    var handle: OpaquePointer?
    var statement: OpaquePointer?
    sqlite3_open(folder.file(name), &handle)
    defer { sqlite3_close(handle) }
    #expect(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      let values = (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
      }
      rows.append(values.joined(separator: "|"))
    }
    return rows
  }
}

func tile(_ x: Int, _ y: Int = 0, _ template: String = "https://a.example/{z}/{x}/{y}") -> DatabaseKey {
  .tile(template: template, z: 14, x: UInt32(x), y: UInt32(y))
}

func resource(_ url: String, _ kind: DatabaseResourceKind = .style) -> DatabaseKey {
  .resource(kind, url: url)
}

func data(_ bytes: [UInt8], etag: String? = nil, expires: Int64? = nil) -> DatabaseResponse {
  DatabaseResponse(.data(bytes), etag: etag, expires: expires)
}

/// Bytes that do not pack.
func noise(_ count: Int, _ seed: UInt64 = 1) -> [UInt8] {
  var state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt8(truncatingIfNeeded: state >> 40)
  }
}

let world = OfflineRegionDefinition(
  styleURL: "mapbox://styles/a/b", area: .bounds(south: -10, west: -20, north: 10, east: 20), maxZoom: 6)

/// Whether the body throws that code, naming the file, and the database says why.
func expectFailure(
  _ code: ErrorCode, _ path: String, _ body: () throws -> Void, _ location: SourceLocation = #_sourceLocation
) {
  do {
    try body()
    Issue.record("nothing was thrown", sourceLocation: location)
  } catch {
    let error = error as? NeatError
    #expect(error?.code == code && error?.resource == path, "\(error as Any)", sourceLocation: location)
  }
}
