import CNeatline

/// An MBTiles or PMTiles archive, in a file, in memory or (PMTiles) on a server. Any thread, also at the same
/// time.
public final class Archive: Sendable {  // the engine locks
  private nonisolated(unsafe) let pointer: OpaquePointer

  /// Opens a file (told apart by content), `mbtiles://PATH`, `pmtiles://PATH-OR-URL`, or the http(s) address
  /// of a PMTiles archive.
  public init(path: String) throws(NeatlineError) {
    pointer = try handle { out in path.withText { neat_archive_open($0, $1, out) } }
  }

  /// A PMTiles archive in memory.
  public init(parsing data: [UInt8]) throws(NeatlineError) {
    pointer = try handle { out in
      data.withUnsafeBufferPointer { neat_archive_parse($0.baseAddress, $0.count, out) }
    }
  }

  deinit { neat_archive_destroy(pointer) }

  /// TileJSON made from the archive's header and metadata.
  public var info: JSONValue {
    get throws(NeatlineError) { try jsonValue { neat_archive_info(pointer, $0) } }
  }

  /// The tile's bytes as stored; nil where the archive has none.
  public func tile(z: Int, x: Int, y: Int) throws(NeatlineError) -> [UInt8]? {
    let tile = try tileNumbers(z, x, y)
    do throws(NeatlineError) {
      return try buffer { neat_archive_tile(pointer, tile.z, tile.x, tile.y, $0) }
    } catch {
      if error.status == .notFound { return nil }
      throw error
    }
  }
}
