import CNeatline
import NeatBase
import NeatCamera
import NeatJSON
import NeatLive
import NeatLoop
import NeatMap
import NeatResource
import NeatStyle

final class RendererHandle: Sendable {
  private let current: PerProcess<Renderer>

  init(_ renderer: Renderer) { current = PerProcess(renderer) }

  /// The renderer of this process: a child of a fork has one of its own. Throws where that cannot be made (a
  /// font file is gone).
  var renderer: Renderer {
    get throws(NeatError) { try current.get { parent throws(NeatError) in try parent.remade() } }
  }
}

/// The renderer behind a handle.
func renderer(_ handle: OpaquePointer?) throws(NeatError) -> Renderer {
  try Handle.object(try required(handle, "renderer"), as: RendererHandle.self).renderer
}

/// The options of a renderer or map; NULL: all defaults.
func rendererOptions(_ options: UnsafePointer<neat_options>?) throws(NeatError) -> MapEnvironment.Options {
  var result = MapEnvironment.Options()
  result.resources = standardResources
  guard let given = try received(options) else { return result }
  guard given.thread_count <= 256 else {
    throw NeatError(.invalidArgument, "thread_count \(given.thread_count) is not within 0...256")
  }
  result.threadCount = Int(given.thread_count)
  if given.cache_bytes > 0 { result.cacheBytes = Int(min(given.cache_bytes, UInt64(Int.max))) }
  if given.timeout_ms > 0 { result.timeoutMS = UInt64(given.timeout_ms) }
  guard given.retry_count <= 100 || given.retry_count == .max else {
    throw NeatError(
      .invalidArgument, "retry_count \(given.retry_count) is not within 0...100, nor NEAT_NO_RETRIES")
  }
  if given.retry_count > 0 { result.retryCount = given.retry_count == .max ? 0 : Int(given.retry_count) }
  result.memoryLimitBytes = given.memory_limit_bytes
  if given.unpacked_limit_bytes > 0 { result.unpackedLimitBytes = Int(clamping: given.unpacked_limit_bytes) }
  switch given.local_files {
  case NEAT_LOCAL_FILES_DEFAULT: break
  case NEAT_LOCAL_FILES_ALLOW: result.allowsLocalFiles = true
  case NEAT_LOCAL_FILES_DENY: result.allowsLocalFiles = false
  default:
    throw NeatError(.invalidArgument, "local_files \(given.local_files.rawValue) is none of neat_local_files")
  }
  result.usesSystemFonts = given.no_system_fonts == 0
  if given.language_size > 0 {
    result.language = try LabelLocalizer(
      identifier: try text(given.language, given.language_size, "language"))
  }
  result.crossSourceCollisions = given.no_cross_source_collisions == 0
  if given.evaluation_bytes > 0 { result.evaluation.bytes = Int(clamping: given.evaluation_bytes) }
  if given.evaluation_steps > 0 { result.evaluation.steps = Int(clamping: given.evaluation_steps) }
  if given.expression_bytes > 0 { result.work.bytes = Int(clamping: given.expression_bytes) }
  if given.expression_steps > 0 { result.work.steps = Int(clamping: given.expression_steps) }
  result.smoothEdges = given.no_smooth_edges == 0
  result.spreadLetters = given.no_spread_letters == 0
  switch given.glyphs_rasterization {
  case NEAT_GLYPHS_RASTERIZATION_WHERE_NEEDED: break
  case NEAT_GLYPHS_RASTERIZATION_NONE: result.glyphRasterization = .none
  case NEAT_GLYPHS_RASTERIZATION_IDEOGRAPHS: result.glyphRasterization = .ideographs
  case NEAT_GLYPHS_RASTERIZATION_ALL: result.glyphRasterization = .all
  default:
    throw NeatError(
      .invalidArgument,
      "glyphs_rasterization \(given.glyphs_rasterization.rawValue) is none of neat_glyphs_rasterization")
  }
  if let shared = given.resources { result.resources = Handle.object(shared, as: SharedResources.self) }
  result.fontPaths = try text(given.font_paths, given.font_paths_size, "font_paths").split(separator: "\n")
    .map(String.init)
  return result
}

func viewSize(_ given: UnsafePointer<neat_size>?) throws(NeatError) -> ViewSize {
  let size = try required(try received(given), "size")
  return try ViewSize(
    width: Int(size.width_px), height: Int(size.height_px),
    pixelRatio: size.pixel_ratio == 0 ? 1 : size.pixel_ratio
  ).checked()
}

@c @implementation
public func neat_renderer_load(
  _ url: UnsafePointer<CChar>!, _ url_size: Int, _ options: UnsafePointer<neat_options>!,
  _ out_renderer: OutHandle!
) -> neat_status {
  produce(out_renderer) { () throws(NeatError) in
    RendererHandle(try Renderer.load(try text(url, url_size, "url"), options: try rendererOptions(options)))
  }
}

@c @implementation
public func neat_renderer_create(
  _ json: UnsafePointer<CChar>!, _ json_size: Int, _ base_url: UnsafePointer<CChar>!, _ base_url_size: Int,
  _ options: UnsafePointer<neat_options>!, _ out_renderer: OutHandle!
) -> neat_status {
  produce(out_renderer) { () throws(NeatError) in
    let json: [UInt8] = try bytes(json, json_size, "json")
    let options = try rendererOptions(options)
    return RendererHandle(
      try Renderer.read(json, base: try text(base_url, base_url_size, "base_url"), options: options))
  }
}

@c @implementation
public func neat_renderer_destroy(_ renderer: OpaquePointer!) {
  Handle.destroy(renderer, RendererHandle.self)
}

@c @implementation
public func neat_renderer_draw(
  _ renderer: OpaquePointer!, _ camera: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ deadline_ms: UInt32,
  _ out_image: OutHandle!
) -> neat_status {
  produce(out_image) { () throws(NeatError) in
    let renderer = try NeatABI.renderer(renderer)
    let view = try NeatABI.camera(camera, style: renderer.styleCamera)
    return ImageHandle(
      try renderer.draw(view, try viewSize(size), deadline: deadline(deadline_ms)),
      renderer.environment.pictureThreads)
  }
}

@c @implementation
public func neat_renderer_draw_tile(
  _ renderer: OpaquePointer!, _ z: UInt32, _ x: UInt32, _ y: UInt32, _ edge_px: UInt32, _ pixel_ratio: Double,
  _ deadline_ms: UInt32,
  _ out_image: OutHandle!
) -> neat_status {
  produce(out_image) { () throws(NeatError) in
    let renderer = try NeatABI.renderer(renderer)
    let edge = edge_px == 0 ? 512 : Int(edge_px)
    return ImageHandle(
      try renderer.drawTile(
        TileID(z: UInt8(min(z, 255)), x: x, y: y), edge: edge, pixelRatio: pixel_ratio == 0 ? 1 : pixel_ratio,
        deadline: deadline(deadline_ms)),
      renderer.environment.pictureThreads)
  }
}

@c @implementation
public func neat_renderer_draw_tiles(
  _ renderer: OpaquePointer!, _ z: UInt32, _ x: UInt32, _ y: UInt32, _ count: UInt32, _ edge_px: UInt32,
  _ pixel_ratio: Double, _ deadline_ms: UInt32, _ out_images: OutHandle!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_images, "out_images")
    guard (1...Renderer.tileCountLimit).contains(Int(count)) else {
      throw NeatError(.invalidArgument, "count \(count) is not within 1...\(Renderer.tileCountLimit)")
    }
    for index in 0..<Int(count * count) { out[index] = nil }
    try ProcessMemory.requireHeadroom()
    let edge = edge_px == 0 ? 512 : Int(edge_px)
    let renderer = try NeatABI.renderer(renderer)
    let threads = renderer.environment.pictureThreads
    let refusals = MemoryReserve.refusals
    let (picture, pixels) = try renderer.drawTiles(
      TileID(z: UInt8(min(z, 255)), x: x, y: y), count: Int(count), edge: edge,
      pixelRatio: pixel_ratio == 0 ? 1 : pixel_ratio, deadline: deadline(deadline_ms))
    try MemoryReserve.check(since: refusals)
    if count == 1 {
      out[0] = Handle.make(ImageHandle(picture, threads))
      return
    }
    for index in 0..<Int(count * count) {
      let (x, y) = (index % Int(count) * pixels, index / Int(count) * pixels)
      out[index] = Handle.make(ImageHandle(picture, x: x, y: y, edge: pixels, threads))
    }
  }
}

func deadline(_ milliseconds: UInt32) -> Deadline {
  milliseconds == 0 ? .never : .after(ms: UInt64(milliseconds))
}

func problemsJSON(_ problems: [MapProblem]) -> [UInt8] {
  var writer = JSONWriter()
  writer.beginArray()
  for problem in problems {
    writer.beginObject()
    writer.key("resource")
    writer.string(problem.resource)
    writer.key("message")
    writer.string(problem.message)
    writer.key("code")
    writer.int(problem.code.rawValue)
    writer.endObject()
  }
  writer.endArray()
  return writer.bytes
}

@c @implementation
public func neat_renderer_problems(_ renderer: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let renderer = try NeatABI.renderer(renderer)
    return Buffer(problemsJSON(renderer.problems))
  }
}

@c @implementation
public func neat_renderer_info(_ renderer: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let renderer = try NeatABI.renderer(renderer)
    return Buffer(
      StyleSummary.json(
        renderer.styleValue, camera: renderer.styleCamera, attributions: renderer.attributions))
  }
}

@c @implementation
public func neat_renderer_attribution(
  _ renderer: OpaquePointer!, _ deadline_ms: UInt32, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    Buffer(
      StyleSummary.json(try NeatABI.renderer(renderer).loadAttributions(deadline: deadline(deadline_ms))))
  }
}

@c @implementation
public func neat_renderer_attribution_links(
  _ renderer: OpaquePointer!, _ deadline_ms: UInt32, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let texts = try NeatABI.renderer(renderer).loadAttributions(deadline: deadline(deadline_ms))
    return Buffer(StyleSummary.json(AttributionHTML.links(texts)))
  }
}

@c @implementation
public func neat_renderer_reduce_memory_use(_ renderer: OpaquePointer!) -> neat_status {
  attempt { () throws(NeatError) in try NeatABI.renderer(renderer).reduceMemoryUse() }
}
