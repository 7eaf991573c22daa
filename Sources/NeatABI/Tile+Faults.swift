import CNeatline
import NeatBase
import NeatJSON
import NeatTile

@c @implementation
public func neat_tile_faults(_ tile: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    var writer = JSONWriter()
    writer.beginArray()
    for fault in try handle.faults() {
      writer.beginObject()
      if let layer = fault.layer {
        writer.key("layer")
        writer.string(layer)
      }
      writer.key("count")
      writer.int(UInt64(clamping: fault.count))
      writer.key("message")
      writer.string(fault.first.message)
      if let offset = fault.first.offset {
        writer.key("offset")
        writer.int(UInt64(clamping: offset))
      }
      writer.endObject()
    }
    writer.endArray()
    return Buffer(writer.bytes)
  }
}
