import NeatBase

/// Sizes that come out of a database, held where sums of them do not overflow.
enum DatabaseSize {
  static let limit: Int64 = 1 << 50
  static func held(_ size: Int64) -> Int64 { min(max(size, 0), limit) }
}

/// What all rows count that no region needs: read at the beginning of a write, kept through it, and saved with
/// it. It is counted row by row only where nobody knows it, or another program wrote.
struct AmbientSize {
  var bytes: Int64

  /// Within a transaction.
  init(_ database: ResourceDatabase, _ connection: SQLiteConnection) throws(NeatError) {
    if let known = try AmbientSize.known(connection) {
      bytes = known
    } else {
      bytes = try AmbientSize.counted(database, connection)
    }
  }

  /// The row of the table, where it was written after the last row of tiles and resources.
  private static func known(_ connection: SQLiteConnection) throws(NeatError) -> Int64? {
    let row = try connection.statement(Slot.read) {
      """
      SELECT bytes FROM neatline_ambient WHERE id = 1
        AND last_tile = ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'tiles'), 0)
        AND last_resource = ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'resources'), 0)
      """
    }
    guard let bytes = try connection.value(row), (0...DatabaseSize.limit).contains(bytes) else { return nil }
    return bytes
  }

  static func counted(_ database: ResourceDatabase, _ connection: SQLiteConnection) throws(NeatError)
    -> Int64
  {
    connection.begin(isBulk: true)
    var bytes: Int64 = 0
    for table in DatabaseTable.allCases {
      let sum = try connection.value(try database.statement(connection, .ambientSize, table)) ?? 0
      bytes = DatabaseSize.held(bytes + DatabaseSize.held(sum))
    }
    return bytes
  }

  /// Within the same transaction, after all of it.
  mutating func save(_ database: ResourceDatabase, _ connection: SQLiteConnection) throws(NeatError) {
    bytes = DatabaseSize.held(bytes)
    let row = try connection.statement(Slot.write) {
      """
      REPLACE INTO neatline_ambient (id, bytes, last_tile, last_resource) VALUES (1, ?1,
        ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'tiles'), 0),
        ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'resources'), 0))
      """
    }
    row.bind(1, bytes)
    try connection.run(row)
  }

  /// Kept statements behind those of the tables.
  private enum Slot {
    static let read = DatabaseTable.Query.allCases.count * DatabaseTable.allCases.count
    static let write = read + 1
  }
}
