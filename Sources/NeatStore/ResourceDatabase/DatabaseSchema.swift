// Schema 6 of the database that MapLibre Native and the SDKs before it keep as `cache.db`: its tables, columns
// and indices by the same names, in the same order, with the same meanings, so that either may open what the
// other wrote. Times are whole seconds since 1970. `resources` has what is no tile, by address; `tiles` has
// tiles, by the template of their addresses, pixel ratio and place; `regions` has what is to be kept for use
// without a network, and the two tables of links say what of the other two a region needs. `data` that is NULL
// means that a server said that there is nothing.
//
// One table is Neatline's own and nobody else's business: `neatline_ambient` has one row with the size of all
// that no region needs, kept up to date within each write, so that no process counts rows to know it. Beside it
// stand the last ids that were given out then: another program that writes gives out later ones, and the size
// is counted again.

enum DatabaseSchema {
  static let version = 6
  /// The oldest that is brought up to date. Schema 1 was another cache, of one table, and is put aside.
  static let oldest = 2

  /// What a column holds at least, by its declared type.
  enum Affinity { case integer, text, blob }

  static let tables: [(name: String, columns: [(name: String, Affinity)])] = [
    (
      "resources",
      [
        ("id", .integer), ("url", .text), ("kind", .integer), ("expires", .integer), ("modified", .integer),
        ("etag", .text), ("data", .blob), ("compressed", .integer), ("accessed", .integer),
      ]
    ),
    (
      "tiles",
      [
        ("id", .integer), ("url_template", .text), ("pixel_ratio", .integer), ("z", .integer),
        ("x", .integer), ("y", .integer), ("expires", .integer), ("modified", .integer), ("etag", .text),
        ("data", .blob), ("compressed", .integer), ("accessed", .integer),
      ]
    ),
    ("regions", [("id", .integer), ("definition", .text), ("description", .blob)]),
    ("region_resources", [("region_id", .integer), ("resource_id", .integer)]),
    ("region_tiles", [("region_id", .integer), ("tile_id", .integer)]),
  ]
  /// Since schema 6, in `resources` and `tiles`.
  static let revalidationColumn = "must_revalidate"
  static let ambientTable = "neatline_ambient"

  static let creation = """
    CREATE TABLE resources (
      id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      url TEXT NOT NULL,
      kind INTEGER NOT NULL,
      expires INTEGER,
      modified INTEGER,
      etag TEXT,
      data BLOB,
      compressed INTEGER NOT NULL DEFAULT 0,
      accessed INTEGER NOT NULL,
      must_revalidate INTEGER NOT NULL DEFAULT 0,
      UNIQUE (url)
    );
    CREATE TABLE tiles (
      id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      url_template TEXT NOT NULL,
      pixel_ratio INTEGER NOT NULL,
      z INTEGER NOT NULL,
      x INTEGER NOT NULL,
      y INTEGER NOT NULL,
      expires INTEGER,
      modified INTEGER,
      etag TEXT,
      data BLOB,
      compressed INTEGER NOT NULL DEFAULT 0,
      accessed INTEGER NOT NULL,
      must_revalidate INTEGER NOT NULL DEFAULT 0,
      UNIQUE (url_template, pixel_ratio, z, x, y)
    );
    CREATE TABLE regions (
      id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
      definition TEXT NOT NULL,
      description BLOB
    );
    CREATE TABLE region_resources (
      region_id INTEGER NOT NULL REFERENCES regions(id) ON DELETE CASCADE,
      resource_id INTEGER NOT NULL REFERENCES resources(id),
      UNIQUE (region_id, resource_id)
    );
    CREATE TABLE region_tiles (
      region_id INTEGER NOT NULL REFERENCES regions(id) ON DELETE CASCADE,
      tile_id INTEGER NOT NULL REFERENCES tiles(id),
      UNIQUE (region_id, tile_id)
    );
    """

  /// What eviction and regions look rows up by; made where they are missing.
  static let indices: [(name: String, sql: String)] = [
    ("resources_accessed", "CREATE INDEX resources_accessed ON resources (accessed)"),
    ("tiles_accessed", "CREATE INDEX tiles_accessed ON tiles (accessed)"),
    (
      "region_resources_resource_id",
      "CREATE INDEX region_resources_resource_id ON region_resources (resource_id)"
    ),
    ("region_tiles_tile_id", "CREATE INDEX region_tiles_tile_id ON region_tiles (tile_id)"),
  ]

  static let ambientCreation = """
    CREATE TABLE IF NOT EXISTS neatline_ambient (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      bytes INTEGER NOT NULL,
      last_tile INTEGER NOT NULL,
      last_resource INTEGER NOT NULL
    )
    """

  /// What is prepared, and never run, to see that a key stands once: else it fails.
  static let uniqueness = [
    "INSERT INTO resources (url, kind, accessed) VALUES (?1, 0, 0) ON CONFLICT (url) DO NOTHING",
    """
    INSERT INTO tiles (url_template, pixel_ratio, z, x, y, accessed) VALUES (?1, 1, 0, 0, 0, 0)
    ON CONFLICT (url_template, pixel_ratio, z, x, y) DO NOTHING
    """,
    """
    INSERT INTO region_resources (region_id, resource_id) VALUES (?1, ?2)
    ON CONFLICT (region_id, resource_id) DO NOTHING
    """,
    """
    INSERT INTO region_tiles (region_id, tile_id) VALUES (?1, ?2)
    ON CONFLICT (region_id, tile_id) DO NOTHING
    """,
  ]
}
