import CSQLite
import NeatBase
import NeatCamera
import NeatStyle
import NeatTestSupport
import Testing

@testable import NeatLive

/// A renderer whose archive another program writes to meanwhile.
@Suite struct ArchiveBesideAWriterTests {
  @Test func makingARendererDoesNotWait() throws {
    let folder = WorkFolder()
    let path = folder.file("tiles.mbtiles")
    var writer: OpaquePointer?
    #expect(sqlite3_open(path, &writer) == SQLITE_OK)
    defer { sqlite3_close(writer) }
    let schema = """
      CREATE TABLE metadata (name text, value text); INSERT INTO metadata VALUES ('format', 'pbf'), ('maxzoom', '3');
      CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
      """
    #expect(sqlite3_exec(writer, schema, nil, nil, nil) == SQLITE_OK)
    let style = Array(
      #"""
      {"version": 8, "sources": {"t": {"type": "vector", "url": "mbtiles://\#(path)"}},
       "layers": [{"id": "l", "type": "line", "source": "t", "source-layer": "a"}]}
      """#.utf8)

    #expect(sqlite3_exec(writer, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
    let start = MonotonicClock.nanoseconds
    let renderer = try Renderer.read(style, base: "")
    // Who waits for the writer waits for five seconds.
    #expect(MonotonicClock.nanoseconds - start < 2_500_000_000)
    #expect(renderer.problems.isEmpty)
    #expect(sqlite3_exec(writer, "COMMIT", nil, nil, nil) == SQLITE_OK)
    let picture = try renderer.draw(
      Camera(center: LonLat(0, 0), zoom: 2), ViewSize(width: 64, height: 64))
    #expect(picture.report.isComplete)
    #expect(renderer.problems.isEmpty)
  }

  /// The first picture waits for the writer, and says what it lacks when that does not end.
  @Test func aPictureBesideAWriterSaysSo() throws {
    let folder = WorkFolder()
    let path = folder.file("tiles.mbtiles")
    var writer: OpaquePointer?
    #expect(sqlite3_open(path, &writer) == SQLITE_OK)
    defer { sqlite3_close(writer) }
    let schema = """
      CREATE TABLE metadata (name text, value text);
      CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
      """
    #expect(sqlite3_exec(writer, schema + "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK)
    let renderer = try Renderer.read(
      Array(
        #"""
        {"version": 8, "sources": {"t": {"type": "vector", "url": "mbtiles://\#(path)"}},
         "layers": [{"id": "l", "type": "line", "source": "t", "source-layer": "a"}]}
        """#.utf8), base: "")
    let picture = try renderer.draw(
      Camera(center: LonLat(0, 0), zoom: 2), ViewSize(width: 64, height: 64))
    #expect(!picture.report.isComplete && renderer.problems.contains { $0.resource.contains(path) })
  }
}
