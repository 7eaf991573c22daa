import CSQLite
import NeatBase
import NeatTile
import Synchronization

/// A tile set in one SQLite file (github.com/mapbox/mbtiles-spec 1.3), read only. Safe from any thread:
/// several connections, one query at a time each. Others may write to the file meanwhile (also with a
/// write-ahead log): each read sees the last finished write. Errors name the file.
package final class MBTiles: Sendable {
  package let path: String
  /// The `metadata` table as it was on opening: name to text, the last row of a name counts.
  package let metadata: [String: String]
  /// How the tiles are packed: as the metadata's `compression` says, else by content.
  package let compression: Compression

  /// Rows of metadata read at most, and their bytes.
  package static let maxMetadataRows = 1000
  package static let maxMetadataBytes = 16 << 20
  /// Bytes of one tile at most.
  package static let maxTileBytes = 64 << 20
  /// Connections at most; one a processor.
  package static let maxConnections = 8

  private struct Connection {
    let reader: SQLiteReader
    let tile: SQLiteStatement

    init(_ reader: SQLiteReader) throws(NeatError) {
      self.reader = reader
      tile = try reader.prepare(
        "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
    }
  }

  /// A connection that is opened when all before it are busy.
  private final class Slot: Sendable {
    let connection: Locked<Connection?>
    init(_ connection: sending Connection?) { self.connection = Locked(connection) }
  }

  private let slots: [Slot]
  /// Slots that are used: the first ones.
  private let openCount = Atomic(1)
  /// Reads that found all of them busy; as many as `patience` from the first query on that goes over rows of many
  /// tiles, which no read is to wait for.
  private let waits = Atomic(0)
  /// Reads that wait for the first connection before others are opened, which takes as long as several reads.
  private static let patience = 8

  /// Throws `notFound`, `io`, or `archive` for a file that is no MBTiles.
  /// - Parameter waits: whether opening waits for one who writes to it; else it throws `state` where it would
  ///   have to.
  package init(path: String, connections: Int? = nil, waits: Bool = true) throws(NeatError) {
    self.path = path
    let reader = try SQLiteReader(path: path, waits: waits)
    metadata = try Fork.heldBack { () throws(NeatError) in try MBTiles.readMetadata(reader) }
    compression = Compression(name: metadata["compression"] ?? "")
    let width = connections ?? min(MBTiles.maxConnections, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    reader.waitForWriters()
    let first = Slot(try Fork.heldBack { () throws(NeatError) in try Connection(reader) })
    slots = [first] + (1..<max(width, 1)).map { _ in Slot(nil) }
  }

  private static func readMetadata(_ reader: SQLiteReader) throws(NeatError) -> [String: String] {
    let rows = try reader.prepare("SELECT name, value FROM metadata")
    var metadata: [String: String] = [:]
    var count = 0
    var bytes = 0
    while true {
      switch rows.step() {
      case SQLITE_DONE: return metadata
      case SQLITE_ROW:
        count += 1
        bytes += Int(sqlite3_column_bytes(rows.handle, 1))
        guard count <= maxMetadataRows, bytes <= maxMetadataBytes else {
          throw NeatError(
            .limitExceeded, "more metadata than \(maxMetadataRows) rows or \(maxMetadataBytes) bytes",
            resource: reader.path)
        }
        if let name = rows.text(0), let value = rows.text(1) { metadata[name] = value }
      default: throw reader.failure("metadata cannot be read")
      }
    }
  }

  /// Runs the body with a connection that is free, or waits for one.
  private func withConnection<R: Sendable>(_ body: @Sendable (Connection) -> Result<R, NeatError>)
    throws(NeatError) -> R
  {
    let open = openCount.load(ordering: .relaxed)
    for slot in slots[..<open] {
      if let result = slot.connection.withLockIfAvailable({ use(&$0, body) }) { return try result.get() }
    }
    var usable = open
    if open < slots.count, waits.add(1, ordering: .relaxed).newValue > MBTiles.patience {
      usable = open + 1
      // Of several threads that come here one counts it.
      _ = openCount.compareExchange(expected: open, desired: usable, ordering: .relaxed)
      if let result = slots[open].connection.withLockIfAvailable({ use(&$0, body) }) {
        return try result.get()
      }
    }
    let slot = slots[Int(UInt(bitPattern: pthread_self().hashValue) % UInt(usable))]
    let result = slot.connection.withLock { use(&$0, body) }
    return try result.get()
  }

  private func endPatience() { waits.store(MBTiles.patience, ordering: .relaxed) }

  private func use<R: Sendable>(
    _ connection: inout Connection?, _ body: @Sendable (Connection) -> Result<R, NeatError>
  ) -> Result<R, NeatError> {
    do throws(NeatError) {
      return try Fork.heldBack { () throws(NeatError) in
        if let connection { return body(connection) }
        let made = try Connection(try SQLiteReader(path: path))
        connection = made
        return body(made)
      }
    } catch {
      return .failure(error)
    }
  }

  /// The bytes of a tile as they are stored (vector tiles mostly packed by gzip), or nil when the file does
  /// not hold it.
  package func tile(_ id: TileID) throws(NeatError) -> [UInt8]? {
    guard id.isValid else { return nil }
    return try withConnection { MBTiles.read($0, id) }
  }

  private static func read(_ connection: Connection, _ id: TileID) -> Result<[UInt8]?, NeatError> {
    let query = connection.tile
    connection.reader.rewind()
    defer { query.reset() }
    query.bind(1, Int64(id.z))
    query.bind(2, Int64(id.x))
    query.bind(3, Int64(id.tmsY))
    switch query.step() {
    case SQLITE_DONE: return .success(nil)
    case SQLITE_ROW:
      let size = Int(sqlite3_column_bytes(query.handle, 0))
      guard size <= maxTileBytes else {
        return .failure(
          NeatError(
            .limitExceeded, "tile \(id) has \(size) bytes, the limit is \(maxTileBytes)",
            resource: connection.reader.path))
      }
      do throws(NeatError) {
        return .success(try query.blob(0))
      } catch {
        return .failure(error.naming(connection.reader.path))
      }
    default: return .failure(connection.reader.failure("tile \(id) cannot be read"))
    }
  }

  /// The lowest and the highest zoom that have tiles; nil where there is no tile.
  package func zooms() throws(NeatError) -> ClosedRange<UInt8>? {
    endPatience()
    return try withConnection { connection -> Result<ClosedRange<UInt8>?, NeatError> in
      do throws(NeatError) {
        guard let low = try MBTiles.zoom(connection.reader, "ASC"),
          let high = try MBTiles.zoom(connection.reader, "DESC")
        else {
          return .success(nil)
        }
        return .success(low...high)
      } catch {
        return .failure(error)
      }
    }
  }

  private static func zoom(_ reader: SQLiteReader, _ order: String) throws(NeatError) -> UInt8? {
    let rows = try reader.prepare(
      "SELECT zoom_level FROM tiles WHERE zoom_level BETWEEN 0 AND \(TileID.maxZoom) ORDER BY zoom_level \(order) LIMIT 1"
    )
    switch rows.step() {
    case SQLITE_DONE: return nil
    case SQLITE_ROW: return UInt8(clamping: rows.int(0))
    default: throw reader.failure("the zooms cannot be found")
    }
  }

  /// Numbers of the tiles that the file holds of a region, sorted, each once; and how many rows name no tile.
  ///
  /// Throws `limitExceeded` for more than `limit` tiles.
  package func tileNumbers(in region: TileRegion, limit: Int) throws(NeatError) -> (
    numbers: [UInt64], strayRows: Int
  ) {
    endPatience()
    return try withConnection { connection -> Result<(numbers: [UInt64], strayRows: Int), NeatError> in
      do throws(NeatError) {
        return .success(try MBTiles.list(connection.reader, region, limit))
      } catch {
        return .failure(error)
      }
    }
  }

  private static func list(_ reader: SQLiteReader, _ region: TileRegion, _ limit: Int) throws(NeatError) -> (
    [UInt64], Int
  ) {
    let rows = try reader.prepare(
      """
      SELECT tile_column, tile_row FROM tiles
      WHERE zoom_level = ?1 AND tile_column BETWEEN ?2 AND ?3 AND tile_row BETWEEN ?4 AND ?5
      """)
    var numbers: [UInt64] = []
    var stray = 0
    for (z, box) in region.boxes {
      let top = Int64(1) << Int64(z) - 1
      rows.bind(1, Int64(z))
      rows.bind(2, Int64(box.minX))
      rows.bind(3, Int64(box.maxX))
      rows.bind(4, top - Int64(box.maxY))
      rows.bind(5, top - Int64(box.minY))
      defer { rows.reset() }
      steps: while true {
        reader.rewind()
        Fork.giveWay()
        switch rows.step() {
        case SQLITE_DONE: break steps
        case SQLITE_ROW:
          guard sqlite3_column_type(rows.handle, 0) == SQLITE_INTEGER,
            sqlite3_column_type(rows.handle, 1) == SQLITE_INTEGER
          else {
            stray += 1
            continue
          }
          let (x, row) = (rows.int(0), rows.int(1))
          // A corrupt index leads to rows that are not as was asked.
          guard (0...top).contains(x), (0...top).contains(row) else {
            stray += 1
            continue
          }
          guard numbers.count < limit else {
            throw NeatError(.limitExceeded, "more than \(limit) tiles", resource: reader.path)
          }
          numbers.append(PMTiles.tileNumber(z: z, x: UInt32(x), y: UInt32(top - row)))
        default: throw reader.failure("the tiles cannot be listed")
        }
      }
    }
    numbers.sort()
    var kept = 0
    for number in numbers where kept == 0 || numbers[kept - 1] != number {
      numbers[kept] = number
      kept += 1
    }
    numbers.removeSubrange(kept...)
    return (numbers, stray)
  }
}
