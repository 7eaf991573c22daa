import CSQLite
import NeatBase

/// What a file turns out to be, before anything in it is changed.
enum DatabaseInspection: Equatable {
  /// Nothing is in it.
  case fresh
  /// One of ours, of a schema from 2 to 6; whether something that today's schema has is missing.
  case ours(version: Int, isComplete: Bool)
  /// Of a schema that this version does not know.
  case newer(version: Int)
  /// Another application's; a table that shows it.
  case foreign(String)
  /// It was one of ours, or claims to be; what is wrong.
  case broken(String)

  /// Rows of the schema that are looked at.
  private static let maxSchemaRows = 1000
  /// How many of the five tables make a database ours, whatever else stands in it.
  private static let ownTables = 3

  /// Throws where the file cannot be read, and where SQLite says that it is damaged (`failureCode`).
  static func inspect(_ connection: SQLiteConnection) throws(NeatError) -> DatabaseInspection {
    connection.begin(isBulk: false)
    try connection.configure()
    let application = try connection.int("PRAGMA application_id") ?? 0
    let version = try connection.int("PRAGMA user_version") ?? 0
    let schema = try connection.prepare(
      "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite#_%' ESCAPE '#'")
    var tables: Set<String> = []
    var indices: Set<String> = []
    var others: [String] = []
    let known = Set(DatabaseSchema.tables.map(\.name))
    while tables.count + others.count < maxSchemaRows, try connection.step(schema) {
      guard let type = schema.text(0), let name = schema.text(1) else { continue }
      switch type {
      case "table": if known.contains(name) { tables.insert(name) } else { others.append(name) }
      case "index": indices.insert(name)
      default: others.append(name)
      }
    }
    schema.reset()
    let strangers = others.filter { name in
      // Android's own wrapper of SQLite adds one; others are ours.
      name != "android_metadata" && name != DatabaseSchema.ambientTable && !name.hasPrefix("ambient_")
    }
    // An id beside our tables is a damaged byte of the head.
    if application != 0, tables.count < ownTables { return .foreign("application id \(application)") }
    let isOurs = tables.count >= ownTables || (strangers.isEmpty && version != 0)
    if version == 0 && tables.isEmpty && others.isEmpty { return .fresh }
    if (0...1).contains(version), strangers == ["http_cache"], tables.isEmpty {
      return .broken("schema 1, which has nothing that is still of use")
    }
    guard isOurs else { return .foreign(strangers.first ?? tables.first ?? "no table") }
    if version > DatabaseSchema.version { return .newer(version: Int(version)) }
    guard version >= DatabaseSchema.oldest else { return .broken("schema \(version), which never was") }
    if let fault = try fault(connection, tables, version) { return .broken(fault) }
    return .ours(
      version: Int(version),
      isComplete: version == DatabaseSchema.version
        && DatabaseSchema.indices.allSatisfy { indices.contains($0.name) }
        && others.contains(DatabaseSchema.ambientTable))
  }

  /// What of the tables is not as it must be.
  private static func fault(_ connection: SQLiteConnection, _ tables: Set<String>, _ version: Int64)
    throws(NeatError) -> String?
  {
    for (table, columns) in DatabaseSchema.tables {
      guard tables.contains(table) else { return "no table \(table)" }
      let declared = try affinities(connection, table)
      var wanted = columns
      if version == DatabaseSchema.version, columns.contains(where: { $0.name == "accessed" }) {
        wanted.append((DatabaseSchema.revalidationColumn, .integer))
      }
      for (column, affinity) in wanted {
        guard let found = declared[column] else { return "no column \(column) in \(table)" }
        guard found == affinity else { return "column \(column) of \(table) is not of its type" }
      }
    }
    for sql in DatabaseSchema.uniqueness {
      do throws(NeatError) {
        _ = try connection.prepare(sql)
      } catch {
        // Damage shows as damage; the rest is a constraint that is missing.
        guard connection.failureCode & 0xff == SQLITE_ERROR else { throw error }
        return "keys may stand twice: \(error.message)"
      }
    }
    guard try connection.int("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'") == 1 else {
      return "ids may come back"
    }
    return nil
  }

  /// The columns of a table with what their declared types mean to SQLite.
  private static func affinities(_ connection: SQLiteConnection, _ table: String) throws(NeatError)
    -> [String: DatabaseSchema.Affinity]
  {
    let rows = try connection.prepare("SELECT name, type FROM pragma_table_info('\(table)')")
    var found: [String: DatabaseSchema.Affinity] = [:]
    while try connection.step(rows) {
      guard let name = rows.text(0) else { continue }
      let type = (rows.text(1) ?? "").uppercased()
      if type.contains("INT") {
        found[name] = .integer
      } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
        found[name] = .text
      } else if type.contains("BLOB") || type.isEmpty {
        found[name] = .blob
      }
    }
    return found
  }
}
