import CNeatline
import NeatBase
import NeatJSON
import NeatResource
import NeatStore
import NeatTile

/// A tiler, and the text that it is being given. Its threads and files stay with the process that made it.
private final class TilerHandle: ProcessBound {
  let tiler: VectorTiler
  let generation = ProcessGeneration.current
  private var feed: VectorTiler.TextFeed?
  private var feedPlace: (layer: Int, part: Int)?
  /// What is wrong with a text: its features are missing from then on.
  private var fault: NeatError?

  init(_ tiler: VectorTiler) { self.tiler = tiler }

  /// The tiler, unless features are missing in it.
  func usable() throws(NeatError) -> VectorTiler {
    if let fault { throw fault }
    return tiler
  }

  /// The tiler, when no text is open.
  func whole() throws(NeatError) -> VectorTiler {
    if let fault { throw fault }
    guard feedPlace == nil else { throw NeatError(.state, "a text is not at its end: is_last is missing") }
    return tiler
  }

  func add(_ bytes: [UInt8], layer: Int, part: Int, isLast: Bool) throws(NeatError) {
    if let place = feedPlace, place != (layer, part) {
      throw NeatError(.state, "another text is not at its end: is_last is missing")
    }
    var current: VectorTiler.TextFeed
    if let open = feed.take() { current = open } else { current = .init(layer: layer, part: part) }
    feedPlace = (layer, part)
    do throws(NeatError) { try current.append(bytes, tiler) } catch {
      fault = error
      throw error
    }
    guard isLast else { return feed = consume current }
    feedPlace = nil
    do throws(NeatError) { try current.finish(tiler) } catch {
      fault = error
      throw error
    }
  }
}

private func handle(_ tiler: OpaquePointer?) throws(NeatError) -> TilerHandle {
  let handle: TilerHandle = Handle.object(try required(tiler, "tiler"))
  try handle.checkProcess("tiler")
  return handle
}

@c @implementation
public func neat_tiler_create(
  _ layers: UnsafePointer<CChar>!, _ layers_size: Int, _ options: UnsafePointer<CChar>!,
  _ options_size: Int, _ out_tiler: OutHandle!
) -> neat_status {
  produce(out_tiler) { () throws(NeatError) in
    let json = try JSON.parse(try bytes(layers, layers_size, "layers"))
    guard json.isArray else { throw NeatError(.invalidArgument, "layers is not an array") }
    var list: [VectorTiler.Layer] = []
    for layer in json.elements {
      guard let name = layer["name"]?.string else {
        throw NeatError(.invalidArgument, "layers is not an array of objects with a name")
      }
      try layer.refuseMembers(besides: ["name", "filter"], of: "layers")
      list.append(VectorTiler.Layer(name: name, filter: layer["filter"]))
    }
    let options = try JSONOptions(
      try bytes(options, options_size, "options"), known: JSONOptions.tiler + ["folder", "maxTiles"])
    let tiler = try VectorTiler(
      layers: list, options: try options.tilerOptions(), folder: try options.text("folder") ?? ".",
      memory: try options.memory(), width: try options.threads())
    if let limit = try options.whole("maxTiles", 1...1 << 40) { tiler.tileLimit = UInt64(limit) }
    return TilerHandle(tiler)
  }
}

@c @implementation
public func neat_tiler_destroy(_ tiler: OpaquePointer!) {
  Handle.destroy(bound: tiler, TilerHandle.self)
}

@c @implementation
public func neat_tiler_add_geojson(
  _ tiler: OpaquePointer!, _ layer: UnsafePointer<CChar>!, _ layer_size: Int, _ part: UInt32,
  _ data: UnsafePointer<CChar>!, _ size: Int, _ is_last: Int32
) -> neat_status {
  attempt { () throws(NeatError) in
    let handle = try handle(tiler)
    let layer = try handle.usable().layer(try text(layer, layer_size, "layer"))
    try handle.add(try bytes(data, size, "bytes"), layer: layer, part: Int(part), isLast: is_last != 0)
  }
}

@c @implementation
public func neat_tiler_add_arrow(
  _ tiler: OpaquePointer!, _ layer: UnsafePointer<CChar>!, _ layer_size: Int, _ part: UInt32,
  _ schema: UnsafePointer<ArrowSchema>!, _ array: UnsafePointer<ArrowArray>!,
  _ options: UnsafePointer<CChar>!, _ options_size: Int, _ out_json: OutHandle!
) -> neat_status {
  out_json?.pointee = nil
  return attempt { () throws(NeatError) in
    let handle = try handle(tiler)
    let tiler = try handle.whole()
    let options = try JSONOptions(
      try bytes(options, options_size, "options"), known: ["geometry", "id"])
    let layer = try tiler.layer(try text(layer, layer_size, "layer"))
    let schema = UnsafeRawPointer(try required(schema, "schema")).assumingMemoryBound(to: ArrowSchemaC.self)
    let array = UnsafeRawPointer(try required(array, "array")).assumingMemoryBound(to: ArrowArrayC.self)
    let reader = try ArrowReader(
      schema: schema, geometry: try options.text("geometry"), id: try options.text("id"))
    let batch = try reader.read(array, firstRow: tiler.featureCount(layer: layer, part: Int(part)))
    try tiler.add(batch.data, layer: layer, part: Int(part))
    out_json?.pointee = Handle.make(Buffer(notes(reader.leftOut + batch.notes)))
  }
}

private func notes(_ list: [ArrowNote]) -> [UInt8] {
  var writer = JSONWriter()
  writer.beginArray()
  for note in list {
    writer.beginObject()
    writer.key("column")
    writer.string(note.column)
    writer.key("reason")
    writer.string(note.reason)
    writer.key("count")
    writer.int(note.count)
    writer.endObject()
  }
  writer.endArray()
  return writer.bytes
}

@c @implementation
public func neat_tiler_save(_ tiler: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ path_size: Int)
  -> neat_status
{
  attempt { () throws(NeatError) in
    try handle(tiler).whole().save(try text(path, path_size, "path"))
  }
}

@c @implementation
public func neat_tiler_load(_ tiler: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ path_size: Int)
  -> neat_status
{
  attempt { () throws(NeatError) in
    try handle(tiler).whole().load(try text(path, path_size, "path"))
  }
}

@c @implementation
public func neat_tiler_ranges(_ tiler: OpaquePointer!, _ count: UInt32, _ out_json: OutHandle!)
  -> neat_status
{
  produce(out_json) { () throws(NeatError) in
    let tiler = try handle(tiler).whole()
    let (ranges, bytes) = try tiler.ranges(Int(count))
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("features")
    writer.int(tiler.featureCount)
    writer.key("bytes")
    writer.int(bytes)
    writer.key("ranges")
    writer.beginArray()
    for range in ranges {
      writer.beginArray()
      writer.int(range.lowerBound)
      writer.int(range.upperBound)
      writer.endArray()
    }
    writer.endArray()
    writer.endObject()
    return Buffer(writer.bytes)
  }
}

/// A range of tile numbers of a caller.
private func range(_ first: UInt64, _ end: UInt64) throws(NeatError) -> Range<UInt64> {
  guard first <= end else {
    throw NeatError(.invalidArgument, "the range begins at \(first), behind its end")
  }
  return first..<end
}

@c @implementation
public func neat_tiler_thresholds(
  _ tiler: OpaquePointer!, _ first: UInt64, _ end: UInt64, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let thresholds = try handle(tiler).whole().requiredThresholds(try range(first, end))
    var writer = JSONWriter()
    writer.beginArray()
    for threshold in thresholds { writer.number(threshold) }
    writer.endArray()
    return Buffer(writer.bytes)
  }
}

@c @implementation
public func neat_tiler_describe(
  _ tiler: OpaquePointer!, _ metadata: UnsafePointer<CChar>!, _ metadata_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let text = try bytes(metadata, metadata_size, "metadata")
    let json = text.isEmpty ? JSON.object([]) : try JSON.parse(text)
    guard json.isObject else { throw NeatError(.invalidArgument, "metadata is not an object") }
    return Buffer(try handle(tiler).whole().tileJSON(json))
  }
}

@c @implementation
public func neat_tiler_write(
  _ tiler: OpaquePointer!, _ target: UnsafePointer<CChar>!, _ target_size: Int, _ first: UInt64,
  _ end: UInt64, _ options: UnsafePointer<CChar>!, _ options_size: Int,
  _ callback: neat_archive_progress_callback!, _ context: UnsafeMutableRawPointer!, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json, hasEffects: true) { () throws(NeatError) in
    let tiler = try handle(tiler).whole()
    let options = try JSONOptions(
      try bytes(options, options_size, "options"),
      known: ["archive", "plain", "maxTiles", "overwrite", "thresholds", "metadata"])
    var target = try options.target(try text(target, target_size, "target"))
    target.tileLimit = target.tileLimit ?? tiler.tileLimit
    // Without a number of a job nothing of it stays, and nothing is continued.
    target.resumes = false
    let report = try tiler.write(
      to: target, job: nil, metadata: try options.metadata(), range: try range(first, end),
      thresholds: try options.thresholds(), progress: archiveProgress(callback, context))
    return Buffer(report.json)
  }
}
