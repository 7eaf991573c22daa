import CNeatline
import NeatBase
import NeatJSON
import NeatText

final class FontsHandle {
  let store = GlyphStore()
}

@c @implementation
public func neat_fonts_create(_ out_fonts: OutHandle!) -> neat_status {
  produce(out_fonts) { () throws(NeatError) in FontsHandle() }
}

@c @implementation
public func neat_fonts_destroy(_ fonts: OpaquePointer!) { Handle.destroy(fonts, FontsHandle.self) }

@c @implementation
public func neat_fonts_add_range(
  _ fonts: OpaquePointer!, _ stack: UnsafePointer<CChar>!, _ stack_size: Int, _ pbf: UnsafePointer<UInt8>!,
  _ size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: FontsHandle = Handle.object(try required(fonts, "fonts"))
    let range = try GlyphRange(parsing: try bytes(pbf, size, "pbf"))
    let first = range.glyphs.map { Int($0.id) }.min() ?? 0
    try handle.store.load(
      range: first / 256, fontStack: handle.store.fontStack(try text(stack, stack_size, "stack")),
      pbf: try bytes(pbf, size, "pbf"))
  }
}

@c @implementation
public func neat_fonts_add_file(_ fonts: OpaquePointer!, _ data: UnsafePointer<UInt8>!, _ size: Int)
  -> neat_status
{
  attempt { () throws(NeatError) in
    let handle: FontsHandle = Handle.object(try required(fonts, "fonts"))
    try handle.store.addFont(try FontFace(parsing: try bytes(data, size, "data")))
  }
}

@c @implementation
public func neat_fonts_range(
  _ fonts: OpaquePointer!, _ stack: UnsafePointer<CChar>!, _ stack_size: Int, _ first_character: UInt32,
  _ out_pbf: OutHandle!
) -> neat_status {
  produce(out_pbf) { () throws(NeatError) in
    let handle: FontsHandle = Handle.object(try required(fonts, "fonts"))
    return Buffer(
      try handle.store.encodedRange(
        first: first_character, fontStack: handle.store.fontStack(try text(stack, stack_size, "stack"))))
  }
}

@c @implementation
public func neat_fonts_names(_ fonts: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: FontsHandle = Handle.object(try required(fonts, "fonts"))
    var writer = JSONWriter()
    writer.beginArray()
    for name in handle.store.fontNames { writer.string(name) }
    writer.endArray()
    return Buffer(writer.bytes)
  }
}
