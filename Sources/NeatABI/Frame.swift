import CNeatline
import NeatBase
import NeatMap

/// A frame with what its commands point to as C has it.
final class FrameHandle: Sendable {
  let frame: MeshFrame
  /// Identifiers of the style's layers, one after the other.
  private let names: NameBlock
  /// Dash arrays by command; the memory of those that have one.
  let dashes: [Int: FrameDash]

  init(_ frame: MeshFrame) {
    self.frame = frame
    names = NameBlock(frame.layers)
    var dashes: [Int: FrameDash] = [:]
    for (index, command) in frame.commands.enumerated() where !command.line.dash.isEmpty {
      dashes[index] = FrameDash(command.line.dash)
    }
    self.dashes = dashes
  }

  func name(_ layer: Int) -> (pointer: UnsafePointer<CChar>, size: Int) { names.item(layer) }
}

final class FrameDash: Sendable {
  nonisolated(unsafe) let values: UnsafeMutablePointer<Float>
  let count: Int

  init(_ dash: [Float]) {
    count = dash.count
    values = .allocate(capacity: max(1, count))
    for index in dash.indices { (values + index).initialize(to: dash[index]) }
  }

  deinit { values.deallocate() }
}

@c @implementation
public func neat_renderer_frame(
  _ renderer: OpaquePointer!, _ camera: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ deadline_ms: UInt32,
  _ out_frame: OutHandle!
) -> neat_status {
  produce(out_frame) { () throws(NeatError) in
    let renderer = try NeatABI.renderer(renderer)
    let view = try NeatABI.camera(camera, style: renderer.styleCamera)
    return FrameHandle(try renderer.meshFrame(view, try viewSize(size), deadline: deadline(deadline_ms)))
  }
}

@c @implementation
public func neat_map_frame(_ map: OpaquePointer!, _ out_frame: OutHandle!) -> neat_status {
  produce(map, out_frame) { map throws(NeatError) in FrameHandle(try map.meshFrame()) }
}

@c @implementation
public func neat_frame_destroy(_ frame: OpaquePointer!) { Handle.destroy(frame, FrameHandle.self) }

/// The frame, and the structure that a getter fills.
private func frame<T: GrowingStruct>(
  _ frame: OpaquePointer?, _ out: UnsafeMutablePointer<T>?
) throws(NeatError) -> (FrameHandle, Receiver<T>) {
  (Handle.object(try required(frame, "frame")), try Receiver(out, "the out parameter"))
}

private func check(_ index: Int, _ count: Int, _ what: String) throws(NeatError) {
  guard index >= 0, index < count else {
    throw NeatError(.invalidArgument, "\(what) \(index) of a frame with \(count)")
  }
}

@c @implementation
public func neat_frame_describe(_ frame: OpaquePointer!, _ out_info: UnsafeMutablePointer<neat_frame_info>!)
  -> neat_status
{
  attempt { () throws(NeatError) in
    let (handle, out) = try NeatABI.frame(frame, out_info)
    let made = handle.frame
    out.fill(
      neat_frame_info(
        struct_size: 0, is_complete: made.isComplete ? 1 : 0, width_px: UInt32(made.width),
        height_px: UInt32(made.height),
        pixel_ratio: made.pixelRatio, command_count: made.commands.count, buffer_count: made.buffers.count,
        texture_count: made.textures.count
      ))
  }
}

@c @implementation
public func neat_frame_report(_ frame: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: FrameHandle = Handle.object(try required(frame, "frame"))
    return Buffer(handle.frame.report.json)
  }
}

@c @implementation
public func neat_frame_missing_count(_ frame: OpaquePointer!) -> Int {
  frame.map { Handle.object($0, as: FrameHandle.self).frame.report.count } ?? 0
}

@c @implementation
public func neat_frame_buffer_at(
  _ frame: OpaquePointer!, _ index: Int, _ out_buffer: UnsafeMutablePointer<neat_frame_buffer>!
)
  -> neat_status
{
  attempt { () throws(NeatError) in
    let (handle, out) = try NeatABI.frame(frame, out_buffer)
    try check(index, handle.frame.buffers.count, "buffer")
    let block = handle.frame.buffers[index]
    out.fill(
      neat_frame_buffer(
        struct_size: 0, layout: neat_frame_layout(rawValue: block.layout.rawValue), id: block.id,
        data: block.bytes,
        count: block.count, stride: UInt32(block.layout.stride), reserved: 0))
  }
}

@c @implementation
public func neat_frame_texture_at(
  _ frame: OpaquePointer!, _ index: Int, _ out_texture: UnsafeMutablePointer<neat_frame_texture>!
)
  -> neat_status
{
  attempt { () throws(NeatError) in
    let (handle, out) = try NeatABI.frame(frame, out_texture)
    try check(index, handle.frame.textures.count, "texture")
    let texture = handle.frame.textures[index]
    out.fill(
      neat_frame_texture(
        struct_size: 0, format: neat_frame_format(rawValue: texture.format.rawValue), id: texture.id,
        width_px: UInt32(texture.width), height_px: UInt32(texture.height), pixels: texture.pixels))
  }
}

@c @implementation
public func neat_frame_command_at(
  _ frame: OpaquePointer!, _ index: Int, _ out_command: UnsafeMutablePointer<neat_frame_command>!
)
  -> neat_status
{
  attempt { () throws(NeatError) in
    let (handle, out) = try NeatABI.frame(frame, out_command)
    try check(index, handle.frame.commands.count, "command")
    let command = handle.frame.commands[index]
    var result = neat_frame_command(command)
    let name = handle.name(command.layer)
    (result.layer, result.layer_size) = (name.pointer, name.size)
    if let dash = handle.dashes[index] {
      (result.line.dash, result.line.dash_count) = (UnsafePointer(dash.values), dash.count)
    }
    out.fill(result)
  }
}
