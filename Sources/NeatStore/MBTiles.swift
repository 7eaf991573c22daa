import CSQLite
import NeatBase
import Synchronization

/// A tile set in one SQLite file (github.com/mapbox/mbtiles-spec 1.3), read only. Safe from any thread: one connection, one query at a time.
///
/// The file must not change while it is open. Errors name the file.
package final class MBTiles: Sendable {
  package let path: String
  /// The `metadata` table: name to text, the last row of a name counts.
  package let metadata: [String: String]

  /// Rows of metadata read at most, and their bytes.
  package static let maxMetadataRows = 1000
  package static let maxMetadataBytes = 16 << 20
  /// Bytes of one tile at most.
  package static let maxTileBytes = 64 << 20

  private struct Connection: @unchecked Sendable {
    let reader: SQLiteReader
    let tile: SQLiteStatement
  }

  private let connection: Mutex<Connection>

  /// Throws `notFound`, `io`, or `archive` for a file that is no MBTiles.
  package init(path: String) throws(NeatError) {
    self.path = path
    let reader = try SQLiteReader(path: path)
    metadata = try MBTiles.readMetadata(reader)
    let tile = try reader.prepare("SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
    connection = Mutex(Connection(reader: reader, tile: tile))
  }

  private static func readMetadata(_ reader: SQLiteReader) throws(NeatError) -> [String: String] {
    let rows = try reader.prepare("SELECT name, value FROM metadata")
    var metadata: [String: String] = [:]
    var count = 0
    var bytes = 0
    while true {
      switch sqlite3_step(rows.handle) {
      case SQLITE_DONE: return metadata
      case SQLITE_ROW:
        count += 1
        bytes += Int(sqlite3_column_bytes(rows.handle, 1))
        guard count <= maxMetadataRows, bytes <= maxMetadataBytes else {
          throw NeatError(.limitExceeded, "more metadata than \(maxMetadataRows) rows or \(maxMetadataBytes) bytes", resource: reader.path)
        }
        if let name = rows.text(0), let value = rows.text(1) { metadata[name] = value }
      default: throw reader.failure("metadata cannot be read")
      }
    }
  }

  /// The bytes of a tile as they are stored (vector tiles mostly packed by gzip), or nil when the file does not hold it.
  package func tile(_ id: TileID) throws(NeatError) -> [UInt8]? {
    guard id.isValid else { return nil }
    let result = connection.withLock { MBTiles.read($0, id) }
    return try result.get()
  }

  private static func read(_ connection: Connection, _ id: TileID) -> Result<[UInt8]?, NeatError> {
    let query = connection.tile
    connection.reader.rewind()
    defer { sqlite3_reset(query.handle) }
    query.bind(1, Int64(id.z))
    query.bind(2, Int64(id.x))
    query.bind(3, Int64(id.tmsY))
    switch sqlite3_step(query.handle) {
    case SQLITE_DONE: return .success(nil)
    case SQLITE_ROW:
      let size = Int(sqlite3_column_bytes(query.handle, 0))
      guard size <= maxTileBytes else {
        return .failure(
          NeatError(.limitExceeded, "tile \(id) has \(size) bytes, the limit is \(maxTileBytes)", resource: connection.reader.path))
      }
      return .success(query.blob(0))
    default: return .failure(connection.reader.failure("tile \(id) cannot be read"))
    }
  }
}
