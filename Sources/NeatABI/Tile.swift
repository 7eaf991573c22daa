import CNeatline
import NeatBase
import NeatTile
import Synchronization

final class TileHandle: Sendable {
  let tile: VectorTile
  /// Names as C text, by layer: made when somebody asks for the layer's.
  private let texts = Mutex<[Int: LayerText]>([:])

  init(_ tile: VectorTile) { self.tile = tile }

  /// The layer's name and keys; the layer is there.
  func text(_ layer: Int) -> LayerText {
    texts.withLock { texts in
      if let known = texts[layer] { return known }
      let made = LayerText(tile.layers[layer])
      texts[layer] = made
      return made
    }
  }

  func layer(_ index: Int) throws(NeatError) -> TileLayer {
    guard tile.layers.indices.contains(index) else {
      throw NeatError(.invalidArgument, "layer \(index) of a tile with \(tile.layers.count) layers")
    }
    return tile.layers[index]
  }
}

/// The name of a layer and its keys, each with a zero behind it, in one block.
final class LayerText: @unchecked Sendable {
  private let block: Buffer
  /// Where each begins, the name first; one more for the end.
  private let starts: [Int]

  init(_ layer: TileLayer) {
    var bytes: [UInt8] = []
    var starts = [0]
    starts.reserveCapacity(layer.keys.count + 2)
    func add(_ text: String) {
      bytes.append(contentsOf: text.utf8)
      bytes.append(0)
      starts.append(bytes.count)
    }
    add(layer.name)
    for key in layer.keys { add(key) }
    block = Buffer(bytes)
    self.starts = starts
  }

  var name: (pointer: UnsafePointer<CChar>, size: Int) { item(0) }

  func key(_ index: Int) -> (pointer: UnsafePointer<CChar>, size: Int) { item(index + 1) }

  private func item(_ index: Int) -> (pointer: UnsafePointer<CChar>, size: Int) {
    (UnsafeRawPointer(block.bytes + starts[index]).assumingMemoryBound(to: CChar.self), starts[index + 1] - starts[index] - 1)
  }
}

@c @implementation
public func neat_tile_decode(
  _ data: UnsafePointer<UInt8>!, _ size: Int, _ format: neat_tile_format, _ strict: UInt32, _ out_tile: OutHandle!
) -> neat_status {
  produce(out_tile) { () throws(NeatError) in
    let source = try bytes(data, size, "data")
    switch format {
    case NEAT_TILE_FORMAT_AUTO, NEAT_TILE_FORMAT_MVT:
      var options = MVTOptions()
      options.isStrict = strict != 0
      do throws(NeatError) { return TileHandle(try decodeMVT(source, options: options)) } catch {
        // By what decodes: where it is no MLT either, the first answer stands.
        if format == NEAT_TILE_FORMAT_AUTO, let tile = try? decodeMLT(source) { return TileHandle(tile) }
        throw error
      }
    case NEAT_TILE_FORMAT_MLT: return TileHandle(try decodeMLT(source))
    default: throw NeatError(.invalidArgument, "format \(format.rawValue) is none of neat_tile_format")
    }
  }
}

@c @implementation
public func neat_tile_destroy(_ tile: OpaquePointer!) { Handle.destroy(tile, TileHandle.self) }

@c @implementation
public func neat_tile_layer_count(_ tile: OpaquePointer!) -> Int {
  tile.map { Handle.object($0, as: TileHandle.self).tile.layers.count } ?? 0
}

@c @implementation
public func neat_tile_get_layer(_ tile: OpaquePointer!, _ index: Int, _ out_layer: UnsafeMutablePointer<neat_tile_layer>!) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    let out = try required(out_layer, "out_layer")
    guard out.pointee.struct_size >= UInt32(MemoryLayout<neat_tile_layer>.size) else {
      throw NeatError(.invalidArgument, "struct_size \(out.pointee.struct_size) is not that of neat_tile_layer")
    }
    let layer = try handle.layer(index)
    let name = handle.text(index).name
    var result = neat_tile_layer()
    result.struct_size = out.pointee.struct_size
    result.version = layer.version
    result.extent = layer.extent
    result.name = name.pointer
    result.name_size = name.size
    result.feature_count = layer.featureCount
    result.part_count = layer.partCount
    result.point_count = layer.pointCount
    result.key_count = layer.keys.count
    result.value_count = layer.valueCount
    result.tag_count = Int(layer.tagStarts[layer.featureCount])
    result.types = layer.types
    result.part_starts = layer.partStarts
    result.point_starts = layer.pointStarts
    result.points = UnsafeRawPointer(layer.points).assumingMemoryBound(to: Int32.self)
    result.ids = layer.ids
    result.has_ids = layer.hasID
    result.tag_starts = layer.tagStarts
    result.tags = UnsafeRawPointer(layer.tags).assumingMemoryBound(to: UInt32.self)
    out.pointee = result
  }
}

@c @implementation
public func neat_tile_get_key(
  _ tile: OpaquePointer!, _ layer: Int, _ key: Int, _ out_text: UnsafeMutablePointer<UnsafePointer<CChar>?>!,
  _ out_size: UnsafeMutablePointer<Int>!
) -> neat_status {
  out_text?.pointee = nil
  out_size?.pointee = 0
  return attempt { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    let count = try handle.layer(layer).keys.count
    guard key >= 0, key < count else { throw NeatError(.invalidArgument, "key \(key) of a layer with \(count) keys") }
    let text = handle.text(layer).key(key)
    try required(out_text, "out_text").pointee = text.pointer
    try required(out_size, "out_size").pointee = text.size
  }
}

@c @implementation
public func neat_tile_get_value(_ tile: OpaquePointer!, _ layer: Int, _ value: Int, _ out_value: UnsafeMutablePointer<neat_value>!)
  -> neat_status
{
  out_value?.pointee = neat_value()
  return attempt { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    let source = try handle.layer(layer)
    guard value >= 0, value < source.valueCount else {
      throw NeatError(.invalidArgument, "value \(value) of a layer with \(source.valueCount) values")
    }
    let found = source.values[value]
    var result = neat_value()
    result.type = neat_value_type(rawValue: found.rawKind)
    if found.kind == .string || found.kind == .json {
      result.text_size = found.length
      result.as.text = UnsafeRawPointer(found.bytes.baseAddress).map { $0.assumingMemoryBound(to: CChar.self) }
    } else {
      result.as.uint_value = found.bits
    }
    try required(out_value, "out_value").pointee = result
  }
}

@c @implementation
public func neat_tile_to_json(_ tile: OpaquePointer!, _ z: Int32, _ x: UInt32, _ y: UInt32, _ out_json: OutHandle!) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    var id: TileID?
    if z >= 0 {
      let wanted = TileID(z: UInt8(min(z, 255)), x: x, y: y)
      guard wanted.isValid else { throw NeatError(.invalidArgument, "\(z)/\(x)/\(y) is no tile") }
      id = wanted
    }
    return Buffer(TileJSONText.text(handle.tile, id))
  }
}

@c @implementation
public func neat_tile_encode_mvt(_ tile: OpaquePointer!, _ out_mvt: OutHandle!) -> neat_status {
  produce(out_mvt) { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    return Buffer(encodeMVT(handle.tile))
  }
}
