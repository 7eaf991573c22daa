import CNeatline
import NeatBase
import NeatJSON
import NeatResource
import NeatStore
import NeatTile

/// A job's reports go to the caller's function.
func archiveProgress(_ callback: neat_archive_progress_callback?, _ context: UnsafeMutableRawPointer?)
  -> ArchiveProgressReport
{
  { progress in
    guard let callback else { return true }
    var out = neat_archive_progress()
    out.struct_size = UInt32(MemoryLayout<neat_archive_progress>.size)
    out.done_tiles = progress.doneTiles
    out.total_tiles = progress.totalTiles
    out.bytes = progress.bytes
    return callback(context, &out) == 0
  }
}

@c @implementation
public func neat_archive_copy(
  _ source: UnsafePointer<CChar>!, _ source_size: Int, _ target: UnsafePointer<CChar>!, _ target_size: Int,
  _ options: UnsafePointer<CChar>!, _ options_size: Int, _ callback: neat_archive_progress_callback!,
  _ context: UnsafeMutableRawPointer!,
  _ out_json: OutHandle!
) -> neat_status {
  produce(out_json, hasEffects: true) { () throws(NeatError) in
    let options = try JSONOptions(try bytes(options, options_size, "options"), known: JSONOptions.copy)
    var copy = ArchiveCopy(
      source: try text(source, source_size, "source"),
      target: try options.target(try text(target, target_size, "target")))
    copy.bounds = try options.bounds()
    copy.zooms = try options.zooms(0...30)
    copy.verifies = try options.bool("verify") ?? false
    return Buffer(try copy.run(progress: archiveProgress(callback, context)).json)
  }
}

@c @implementation
public func neat_archive_tile_geojson(
  _ sources: UnsafePointer<CChar>!, _ sources_size: Int, _ target: UnsafePointer<CChar>!, _ target_size: Int,
  _ options: UnsafePointer<CChar>!, _ options_size: Int, _ callback: neat_archive_progress_callback!,
  _ context: UnsafeMutableRawPointer!,
  _ out_json: OutHandle!
) -> neat_status {
  produce(out_json, hasEffects: true) { () throws(NeatError) in
    var list: [GeoJSONArchive.Source] = []
    for source in try JSON.parse(try bytes(sources, sources_size, "sources")).elements {
      try source.refuseMembers(besides: ["name", "url"], of: "sources")
      guard let name = source["name"]?.string, let url = source["url"]?.string else {
        throw NeatError(.invalidArgument, "sources is not an array of objects with name and url")
      }
      list.append(GeoJSONArchive.Source(name: name, url: url))
    }
    let options = try JSONOptions(try bytes(options, options_size, "options"), known: JSONOptions.tile)
    var job = GeoJSONArchive(
      sources: list, target: try options.target(try text(target, target_size, "target")))
    job.options = try options.tilerOptions()
    job.memory = try options.memory()
    job.width = try options.threads()
    job.filters = try options.filters()
    job.metadata = try options.metadata()
    return Buffer(try job.run(progress: archiveProgress(callback, context)).json)
  }
}

@c @implementation
public func neat_archive_writer_create(
  _ path: UnsafePointer<CChar>!, _ path_size: Int, _ options: UnsafePointer<CChar>!, _ options_size: Int,
  _ out_writer: OutHandle!
) -> neat_status {
  produce(out_writer) { () throws(NeatError) in
    let path = try text(path, path_size, "path")
    let options = try JSONOptions(
      try bytes(options, options_size, "options"), known: JSONOptions.writer)
    guard let archive = try options.archiveFormat() ?? ArchiveFormat(path: path) else {
      throw NeatError(
        .invalidArgument, "neither .pmtiles nor .mbtiles, and \"archive\" is not given", resource: path)
    }
    var writing = ArchiveWriterOptions()
    writing.isPlain = try options.bool("plain") ?? false
    writing.resumes = try options.bool("resume") ?? true
    writing.overwrites = try options.bool("overwrite") ?? false
    if let limit = try options.whole("maxTiles", 1...1 << 40) { writing.tileLimit = UInt64(limit) }
    writing.job = try options.text("job").map { contentHash(Array($0.utf8)) }
    return ArchiveWriterHandle(
      try ArchiveBuilder(
        path: path, archive: archive, format: try options.text("format") ?? "pbf", options: writing))
  }
}

@c @implementation
public func neat_archive_writer_destroy(_ writer: OpaquePointer!) {
  Handle.destroy(bound: writer, ArchiveWriterHandle.self)
}

/// An archive that is being written. The file and its locks stay with the process that opened it: in a child
/// of a fork, closing the database would roll back the parent's work.
private final class ArchiveWriterHandle: ProcessBound {
  let builder: ArchiveBuilder
  let generation = ProcessGeneration.current

  init(_ builder: ArchiveBuilder) { self.builder = builder }
}

private func builder(_ writer: OpaquePointer?) throws(NeatError) -> ArchiveBuilder {
  let handle: ArchiveWriterHandle = Handle.object(try required(writer, "writer"))
  try handle.checkProcess("archive writer")
  return handle.builder
}

@c @implementation
public func neat_archive_writer_add(
  _ writer: OpaquePointer!, _ z: UInt32, _ x: UInt32, _ y: UInt32, _ data: UnsafePointer<UInt8>!, _ size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    try builder(writer).add(TileID(z: UInt8(min(z, 255)), x: x, y: y), try bytes(data, size, "data"))
  }
}

@c @implementation
public func neat_archive_writer_checkpoint(_ writer: OpaquePointer!, _ cursor: UInt64) -> neat_status {
  attempt { () throws(NeatError) in try builder(writer).writer.checkpoint(cursor: cursor) }
}

@c @implementation
public func neat_archive_writer_cursor(_ writer: OpaquePointer!, _ out_cursor: UnsafeMutablePointer<UInt64>!)
  -> neat_status
{
  out_cursor?.pointee = 0
  return attempt { () throws(NeatError) in
    let out = try required(out_cursor, "out_cursor")
    guard let cursor = try builder(writer).writer.resumeCursor else {
      throw NeatError(.notFound, "the archive begins anew")
    }
    out.pointee = cursor
  }
}

@c @implementation
public func neat_archive_writer_finish(
  _ writer: OpaquePointer!, _ tilejson: UnsafePointer<CChar>!, _ tilejson_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let text = try bytes(tilejson, tilejson_size, "tilejson")
    let json = text.isEmpty ? JSON.object([]) : try JSON.parse(text)
    guard json.isObject else { throw NeatError(.invalidArgument, "tilejson is no JSON object") }
    try builder(writer).finish(ArchiveMetadata(tileJSON: json))
  }
}
