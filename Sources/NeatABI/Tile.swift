import CNeatline
import NeatBase
import NeatTile

/// A tile, decoded or opened. For one that is opened, a layer is decoded when it is first asked for.
final class TileHandle: Sendable {
  private enum Content: Sendable {
    /// The tile, and its layers.
    case decoded(VectorTile, [TileLayer])
    case opened(OpenTile)
  }

  private let content: Content
  /// Names as C text, by layer: made when somebody asks for the layer's.
  private let texts = Locked(Texts())

  private struct Texts {
    var names: [Int: NameBlock] = [:]
    var keys: [Int: NameBlock] = [:]
  }

  init(_ tile: VectorTile) { content = .decoded(tile, tile.layers) }
  init(_ tile: OpenTile) { content = .opened(tile) }

  var layerCount: Int {
    switch content {
    case .decoded(_, let layers): layers.count
    case .opened(let tile): tile.layers.count
    }
  }

  /// All layers, decoded.
  func tile() throws(NeatError) -> VectorTile {
    switch content {
    case .decoded(let tile, _): return tile
    case .opened(let tile): return try tile.decoded()
    }
  }

  /// What cannot be read of it, by layer.
  func faults() throws(NeatError) -> [TileFaults.OfLayer] {
    switch content {
    case .decoded(let tile, _): return tile.faults?.found ?? []
    case .opened(let tile): return try tile.faults()
    }
  }

  /// A layer, decoded.
  func layer(_ index: Int) throws(NeatError) -> TileLayer {
    try checkIndex(index)
    switch content {
    case .decoded(_, let layers): return layers[index]
    case .opened(let tile): return try tile.layers[index].decoded()
    }
  }

  /// A layer of a tile that is opened; nil for one that is decoded.
  func openLayer(_ index: Int) throws(NeatError) -> OpenLayer? {
    try checkIndex(index)
    guard case .opened(let tile) = content else { return nil }
    try tile.layers[index].check()
    return tile.layers[index]
  }

  private func checkIndex(_ index: Int) throws(NeatError) {
    guard index >= 0, index < layerCount else {
      throw NeatError(.invalidArgument, "layer \(index) of a tile with \(layerCount) layers")
    }
  }

  func name(_ index: Int) throws(NeatError) -> NameBlock {
    let open = try openLayer(index)
    let name = if let open { open.name } else { try layer(index).name }
    return texts.withLock { texts in
      if let known = texts.names[index] { return known }
      let made = NameBlock([name])
      texts.names[index] = made
      return made
    }
  }

  func keys(_ index: Int) throws(NeatError) -> NameBlock {
    if let known = texts.withLock({ $0.keys[index] }) { return known }
    let open = try openLayer(index)
    let names = if let open { try open.keys() } else { try layer(index).keys }
    let made = NameBlock(names)
    return texts.withLock { texts in
      if let known = texts.keys[index] { return known }
      texts.keys[index] = made
      return made
    }
  }

  /// The values of a layer's properties.
  func values(_ index: Int) throws(NeatError) -> UnsafeBufferPointer<TileValue> {
    if let open = try openLayer(index) { return try open.values() }
    let layer = try layer(index)
    return UnsafeBufferPointer(start: layer.values, count: layer.valueCount)
  }
}

@c @implementation
public func neat_tile_decode(
  _ data: UnsafePointer<UInt8>!, _ size: Int, _ format: neat_tile_format, _ strict: UInt32,
  _ out_tile: OutHandle!
) -> neat_status {
  produce(out_tile) { () throws(NeatError) in
    let source = try bytes(data, size, "data")
    let options = MVTOptions(isStrict: strict != 0)
    return TileHandle(try decodeTile(source, as: tileFormat(format), options: options))
  }
}

func tileFormat(_ format: neat_tile_format) throws(NeatError) -> TileFormat {
  switch format {
  case NEAT_TILE_FORMAT_AUTO: .auto
  case NEAT_TILE_FORMAT_MVT: .mvt
  case NEAT_TILE_FORMAT_MLT: .mlt
  default: throw NeatError(.invalidArgument, "format \(format.rawValue) is none of neat_tile_format")
  }
}

@c @implementation
public func neat_tile_destroy(_ tile: OpaquePointer!) { Handle.destroy(tile, TileHandle.self) }

@c @implementation
public func neat_tile_layer_count(_ tile: OpaquePointer!) -> Int {
  tile.map { Handle.object($0, as: TileHandle.self).layerCount } ?? 0
}

@c @implementation
public func neat_tile_layer_at(
  _ tile: OpaquePointer!, _ index: Int, _ out_layer: UnsafeMutablePointer<neat_tile_layer>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    let out = try Receiver(out_layer, "out_layer")
    let layer = try handle.layer(index)
    let name = try handle.name(index).item(0)
    var result = neat_tile_layer()
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
    out.fill(result)
  }
}

@c @implementation
public func neat_tile_key_at(
  _ tile: OpaquePointer!, _ layer: Int, _ key: Int, _ out_text: UnsafeMutablePointer<UnsafePointer<CChar>?>!,
  _ out_size: UnsafeMutablePointer<Int>!
) -> neat_status {
  out_text?.pointee = nil
  out_size?.pointee = 0
  return attempt { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    let keys = try handle.keys(layer)
    guard key >= 0, key < keys.count else {
      throw NeatError(.invalidArgument, "key \(key) of a layer with \(keys.count) keys")
    }
    let text = keys.item(key)
    try required(out_text, "out_text").pointee = text.pointer
    try required(out_size, "out_size").pointee = text.size
  }
}

@c @implementation
public func neat_tile_value_at(
  _ tile: OpaquePointer!, _ layer: Int, _ value: Int, _ out_value: UnsafeMutablePointer<neat_value>!
)
  -> neat_status
{
  out_value?.pointee = neat_value()
  return attempt { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    let values = try handle.values(layer)
    guard value >= 0, value < values.count else {
      throw NeatError(.invalidArgument, "value \(value) of a layer with \(values.count) values")
    }
    let found = values[value]
    var result = neat_value()
    result.type = neat_value_type(rawValue: found.rawKind)
    if found.kind == .string || found.kind == .json {
      result.text_size = found.length
      result.as.text = UnsafeRawPointer(found.bytes.baseAddress).map {
        $0.assumingMemoryBound(to: CChar.self)
      }
    } else {
      result.as.uint_value = found.bits
    }
    try required(out_value, "out_value").pointee = result
  }
}

@c @implementation
public func neat_tile_to_json(
  _ tile: OpaquePointer!, _ z: Int32, _ x: UInt32, _ y: UInt32, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    return Buffer(try TileJSONText.text(try handle.tile(), try tilePlace(z, x, y)))
  }
}

/// The place of a tile; nil where z is negative.
private func tilePlace(_ z: Int32, _ x: UInt32, _ y: UInt32) throws(NeatError) -> TileID? {
  guard z >= 0 else { return nil }
  let id = TileID(z: UInt8(min(z, 255)), x: x, y: y)
  guard id.isValid else { throw NeatError(.invalidArgument, "\(z)/\(x)/\(y) is not a tile") }
  return id
}

@c @implementation
public func neat_tile_stream_json(
  _ tile: OpaquePointer!, _ z: Int32, _ x: UInt32, _ y: UInt32, _ form: neat_tile_json_form,
  _ limit_bytes: UInt64, _ out_stream: OutHandle!
) -> neat_status {
  produce(out_stream) { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    let place = try tilePlace(z, x, y)
    let wanted: TileJSONStream.Form
    switch form {
    case NEAT_TILE_JSON_FORM_LAYERS: wanted = .layers
    case NEAT_TILE_JSON_FORM_COLLECTION: wanted = .collection
    default:
      throw NeatError(.invalidArgument, "form \(form.rawValue) is none of neat_tile_json_form")
    }
    let limit = limit_bytes == 0 ? Int.max : Int(clamping: limit_bytes)
    var stream = try TileJSONStream(try handle.tile(), place, wanted, limit: limit)
    return TextStream { () throws(NeatError) in try stream.next() }
  }
}

@c @implementation
public func neat_tile_encode_mvt(_ tile: OpaquePointer!, _ out_mvt: OutHandle!) -> neat_status {
  produce(out_mvt) { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    return Buffer(encodeMVT(try handle.tile()))
  }
}
