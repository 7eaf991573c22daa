import CNeatline

// Names that functions had before, for programs that were compiled against them. They go with ABI version 2.

@c @implementation
public func neat_loop_run_once(_ loop: OpaquePointer!) -> Int32 { neat_loop_poll(loop) }

@c @implementation
public func neat_frame_get_info(
  _ frame: OpaquePointer!, _ out_info: UnsafeMutablePointer<neat_frame_info>!
) -> neat_status { neat_frame_describe(frame, out_info) }

@c @implementation
public func neat_frame_get_command(
  _ frame: OpaquePointer!, _ index: Int, _ out_command: UnsafeMutablePointer<neat_frame_command>!
) -> neat_status { neat_frame_command_at(frame, index, out_command) }

@c @implementation
public func neat_frame_get_buffer(
  _ frame: OpaquePointer!, _ index: Int, _ out_buffer: UnsafeMutablePointer<neat_frame_buffer>!
) -> neat_status { neat_frame_buffer_at(frame, index, out_buffer) }

@c @implementation
public func neat_frame_get_texture(
  _ frame: OpaquePointer!, _ index: Int, _ out_texture: UnsafeMutablePointer<neat_frame_texture>!
) -> neat_status { neat_frame_texture_at(frame, index, out_texture) }

@c @implementation
public func neat_tile_get_layer(
  _ tile: OpaquePointer!, _ layer_index: Int, _ out_layer: UnsafeMutablePointer<neat_tile_layer>!
) -> neat_status { neat_tile_layer_at(tile, layer_index, out_layer) }

@c @implementation
public func neat_tile_get_layer_info(
  _ tile: OpaquePointer!, _ layer_index: Int, _ out_info: UnsafeMutablePointer<neat_tile_layer_info>!
) -> neat_status { neat_tile_layer_info_at(tile, layer_index, out_info) }

@c @implementation
public func neat_tile_get_key(
  _ tile: OpaquePointer!, _ layer_index: Int, _ key_index: Int,
  _ out_text: UnsafeMutablePointer<UnsafePointer<CChar>?>!, _ out_size: UnsafeMutablePointer<Int>!
) -> neat_status { neat_tile_key_at(tile, layer_index, key_index, out_text, out_size) }

@c @implementation
public func neat_tile_get_value(
  _ tile: OpaquePointer!, _ layer_index: Int, _ value_index: Int,
  _ out_value: UnsafeMutablePointer<neat_value>!
) -> neat_status { neat_tile_value_at(tile, layer_index, value_index, out_value) }

@c @implementation
public func neat_tile_get_property(
  _ tile: OpaquePointer!, _ layer_index: Int, _ key: UnsafePointer<CChar>!, _ key_size: Int,
  _ out_values: UnsafeMutablePointer<neat_value>!, _ value_count: Int
) -> neat_status { neat_tile_property(tile, layer_index, key, key_size, out_values, value_count) }
