import CNeatline
import NeatBase
import NeatResource

final class ArchiveHandle: Sendable {
  enum Place: Sendable {
    case address(String)
    case memory(PerProcess<PMTilesArchive>, [UInt8])
  }

  let place: Place
  private let loader = PerProcess(ResourceLoader())

  init(_ place: Place) { self.place = place }

  func load(_ tile: TileID?) throws(NeatError) -> [UInt8] {
    let result =
      switch place {
      case .address(let url):
        loader.get { ResourceLoader(options: $0.options) }
          .load(ResourceRequest(kind: tile == nil ? .source : .tile, url: url, tile: tile))
      case .memory(let archive, let source):
        try ArchiveHandle.lookUp(archive.get { $0.emptied() }, source, tile)
      }
    switch result {
    case .data(let bytes): return bytes
    case .missing, .empty: throw NeatError(.notFound, tile.map { "no tile \($0)" } ?? "no such archive")
    case .failed(let error): throw error
    }
  }

  private static func lookUp(_ archive: PMTilesArchive, _ source: [UInt8], _ tile: TileID?) throws(NeatError)
    -> ResourceResult
  {
    var lookup = archive.lookup(tile.map { .tile($0) } ?? .tileJSON)
    while true {
      switch lookup.next() {
      case .done(let result): return result
      case .read(let range):
        guard range.offset <= UInt64(source.count) else {
          throw NeatError(.archive, "a place beyond the archive's end", offset: source.count)
        }
        let end = min(UInt64(source.count), range.offset + min(range.count, UInt64(source.count)))
        try lookup.accept(Array(source[Int(range.offset)..<Int(end)]))
      }
    }
  }
}

@c @implementation
public func neat_archive_open(_ path: UnsafePointer<CChar>!, _ path_size: Int, _ out_archive: OutHandle!)
  -> neat_status
{
  produce(out_archive) { () throws(NeatError) in
    let path = try text(path, path_size, "path")
    let url = try ResourceLoader.archiveURL(path)
    let handle = ArchiveHandle(.address(url))
    _ = try handle.load(nil)
    return handle
  }
}

@c @implementation
public func neat_archive_parse(_ data: UnsafePointer<UInt8>!, _ size: Int, _ out_archive: OutHandle!)
  -> neat_status
{
  produce(out_archive) { () throws(NeatError) in
    let handle = ArchiveHandle(
      .memory(PerProcess(PMTilesArchive(location: "memory", byteCount: size)), try bytes(data, size, "data")))
    _ = try handle.load(nil)
    return handle
  }
}

@c @implementation
public func neat_archive_destroy(_ archive: OpaquePointer!) { Handle.destroy(archive, ArchiveHandle.self) }

@c @implementation
public func neat_archive_info(_ archive: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: ArchiveHandle = Handle.object(try required(archive, "archive"))
    return Buffer(try handle.load(nil))
  }
}

@c @implementation
public func neat_archive_tile(
  _ archive: OpaquePointer!, _ z: UInt32, _ x: UInt32, _ y: UInt32, _ out_tile: OutHandle!
) -> neat_status {
  produce(out_tile) { () throws(NeatError) in
    let handle: ArchiveHandle = Handle.object(try required(archive, "archive"))
    let tile = TileID(z: UInt8(min(z, 255)), x: x, y: y)
    guard tile.isValid else { throw NeatError(.invalidArgument, "\(z)/\(x)/\(y) is no tile") }
    return Buffer(try handle.load(tile))
  }
}
