/// Databases as the older SDKs wrote them, with a style, a sprite, glyphs and tiles, one region and what is
/// ambient. Schemas 2 to 5 have the same tables, and differ in the file's settings; 6 knows what must be
/// revalidated.
enum LegacySchema {
  static func statements(_ version: Int) -> String {
    let revalidation = version >= 6 ? "must_revalidate INTEGER NOT NULL DEFAULT 0," : ""
    return """
      \(version >= 3 ? "PRAGMA auto_vacuum = INCREMENTAL;" : "")
      \(version == 4 ? "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;" : "PRAGMA journal_mode = DELETE;")
      BEGIN;
      CREATE TABLE resources (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL, kind INTEGER NOT NULL,
        expires INTEGER, modified INTEGER, etag TEXT, data BLOB, compressed INTEGER NOT NULL DEFAULT 0,
        accessed INTEGER NOT NULL, \(revalidation) UNIQUE (url));
      CREATE TABLE tiles (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, url_template TEXT NOT NULL,
        pixel_ratio INTEGER NOT NULL, z INTEGER NOT NULL, x INTEGER NOT NULL, y INTEGER NOT NULL,
        expires INTEGER, modified INTEGER, etag TEXT, data BLOB, compressed INTEGER NOT NULL DEFAULT 0,
        accessed INTEGER NOT NULL, \(revalidation) UNIQUE (url_template, pixel_ratio, z, x, y));
      CREATE TABLE regions (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, definition TEXT NOT NULL, description BLOB);
      CREATE TABLE region_resources (
        region_id INTEGER NOT NULL REFERENCES regions(id) ON DELETE CASCADE,
        resource_id INTEGER NOT NULL REFERENCES resources(id), UNIQUE (region_id, resource_id));
      CREATE TABLE region_tiles (
        region_id INTEGER NOT NULL REFERENCES regions(id) ON DELETE CASCADE,
        tile_id INTEGER NOT NULL REFERENCES tiles(id), UNIQUE (region_id, tile_id));
      CREATE INDEX resources_accessed ON resources (accessed);
      CREATE INDEX tiles_accessed ON tiles (accessed);
      CREATE INDEX region_resources_resource_id ON region_resources (resource_id);
      CREATE INDEX region_tiles_tile_id ON region_tiles (tile_id);
      INSERT INTO resources (url, kind, expires, modified, etag, data, accessed) VALUES
        ('mapbox://styles/a/b', 1, 100, 50, 'style', '{"version":8}', 10),
        ('mapbox://sprites/a/b.png', 5, NULL, NULL, NULL, x'89504e47', 11),
        ('mapbox://fonts/a/0-255.pbf', 4, NULL, NULL, NULL, x'0a00', 12);
      -- 300 times "A", packed by zlib.
      INSERT INTO tiles (url_template, pixel_ratio, z, x, y, data, compressed, accessed) VALUES
        ('mapbox://tiles/a/{z}/{x}/{y}.vector.pbf', 1, 2, 1, 3, x'789c73741c05c40200cb9e4c2d', 1, 13),
        ('mapbox://tiles/a/{z}/{x}/{y}.vector.pbf', 1, 2, 0, 0, NULL, 0, 14),
        ('mapbox://tiles/a/{z}/{x}/{y}.vector.pbf', 1, 2, 3, 3, x'01', 0, 15);
      INSERT INTO regions (definition, description) VALUES (
        '{"style_url":"mapbox://styles/a/b","min_zoom":0.0,"max_zoom":2.0,"pixel_ratio":1.0,"bounds":[1.0,2.0,3.0,4.0]}',
        x'6e616d65');
      INSERT INTO region_resources VALUES (1, 1), (1, 2), (1, 3);
      INSERT INTO region_tiles VALUES (1, 1), (1, 2);
      PRAGMA user_version = \(version);
      COMMIT;
      """
  }
}
