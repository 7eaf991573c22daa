import CNeatline
import NeatBase
import NeatTile

// Tiles that are opened and not decoded.

/// Whether values are laid out as in the header, so that columns of them are written in place.
private let areValuesAlike =
  MemoryLayout<neat_value>.size == MemoryLayout<TileValue>.size
  && MemoryLayout<neat_value>.stride == MemoryLayout<TileValue>.stride
  && MemoryLayout<neat_value>.offset(of: \.text_size) == 4 && MemoryLayout<neat_value>.offset(of: \.as) == 8

private func open(
  _ data: UnsafePointer<UInt8>?, _ size: Int, _ format: neat_tile_format, isBorrowed: Bool
) throws(NeatError) -> TileHandle {
  guard size >= 0, size <= 1 << 47 else {
    throw NeatError(.invalidArgument, "data has the size \(UInt(bitPattern: size))")
  }
  guard data != nil || size == 0 else {
    throw NeatError(.invalidArgument, "data is NULL and its size is \(size)")
  }
  let source = UnsafeBufferPointer(start: data, count: size)
  switch try OpenedTile(source, as: tileFormat(format), isBorrowed: isBorrowed) {
  case .open(let tile): return TileHandle(tile)
  case .decoded(let tile): return TileHandle(tile)
  }
}

@c @implementation
public func neat_tile_open(
  _ data: UnsafePointer<UInt8>!, _ size: Int, _ format: neat_tile_format, _ out_tile: OutHandle!
) -> neat_status {
  produce(out_tile) { () throws(NeatError) in try open(data, size, format, isBorrowed: false) }
}

@c @implementation
public func neat_tile_open_borrow(
  _ data: UnsafePointer<UInt8>!, _ size: Int, _ format: neat_tile_format, _ out_tile: OutHandle!
)
  -> neat_status
{
  produce(out_tile) { () throws(NeatError) in try open(data, size, format, isBorrowed: true) }
}

@c @implementation
public func neat_tile_layer_info_at(
  _ tile: OpaquePointer!, _ index: Int, _ out_info: UnsafeMutablePointer<neat_tile_layer_info>!
)
  -> neat_status
{
  attempt { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    let out = try Receiver(out_info, "out_info")
    var result = neat_tile_layer_info()
    if let layer = try handle.openLayer(index) {
      result.version = layer.version
      result.extent = layer.extent
      result.feature_count = layer.featureCount
      result.key_count = layer.keyCount
      result.value_count = layer.valueCount
    } else {
      let layer = try handle.layer(index)
      result.version = layer.version
      result.extent = layer.extent
      result.feature_count = layer.featureCount
      result.key_count = layer.keys.count
      result.value_count = layer.valueCount
    }
    let name = try handle.name(index).item(0)
    result.name = name.pointer
    result.name_size = name.size
    out.fill(result)
  }
}

@c @implementation
public func neat_tile_property(
  _ tile: OpaquePointer!, _ layer: Int, _ key: UnsafePointer<CChar>!, _ key_size: Int,
  _ out_values: UnsafeMutablePointer<neat_value>!,
  _ value_count: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    let name = try bytes(key, key_size, "key")
    let open = try handle.openLayer(layer)
    let count = if let open { open.featureCount } else { try handle.layer(layer).featureCount }
    guard value_count >= count else {
      throw NeatError(.invalidArgument, "room for \(value_count) values, the layer has \(count) features")
    }
    if count == 0 { return }
    guard areValuesAlike else {
      throw NeatError(.unsupported, "values of tiles are not laid out as neat_value")
    }
    let target = UnsafeMutableRawPointer(try required(out_values, "out_values")).assumingMemoryBound(
      to: TileValue.self)
    if let open {
      try name.withUnsafeBufferPointer { (name) throws(NeatError) in try open.property(name, into: target) }
    } else {
      let data = try handle.layer(layer)
      let index = data.keys.firstIndex { $0.utf8.elementsEqual(name) }
      for feature in 0..<count {
        target[feature] = index.flatMap { data.value(feature: feature, key: $0) } ?? .null
      }
    }
  }
}
