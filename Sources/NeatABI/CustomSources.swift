import CNeatline
import NeatBase
import NeatCamera
import NeatJSON
import NeatLive
import NeatMap
import NeatStyle

extension neat_custom_geometry_source: GrowingStruct {
  static var structName: String { "neat_custom_geometry_source" }
  static var firstSize: Int { 40 }
}

@c @implementation
public func neat_map_add_custom_geometry_source(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ options: UnsafePointer<CChar>!,
  _ options_size: Int, _ source: UnsafePointer<neat_custom_geometry_source>!,
  _ out_source: UnsafeMutablePointer<UInt64>!
) -> neat_status {
  out_source?.pointee = 0
  return attempt(map) { map throws(NeatError) in
    let given = try required(try received(source), "source")
    guard let fetch = given.fetch_tile else {
      throw NeatError(.invalidArgument, "source->fetch_tile is NULL")
    }
    let context = given.context
    let host = CustomSourceHost(
      fetch: { fetch(context, $0, UInt32($1.z), $1.x, $1.y) },
      cancel: { given.cancel_tile?(context, $0, UInt32($1.z), $1.x, $1.y) },
      release: { given.destroy?(context) })
    let options = try bytes(options, options_size, "options")
    // The number is there before anything is told that asks for it.
    try map.addCustomSource(
      try text(id, id_size, "id"),
      options.isEmpty ? SourceSpec.CustomSource() : try SourceSpec.CustomSource(try JSON.parse(options)), host
    ) { out_source?.pointee = $0 }
  }
}

@c @implementation
public func neat_map_custom_geometry_source(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int,
  _ out_source: UnsafeMutablePointer<UInt64>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try required(out_source, "out_source").pointee = try map.customSourceNumber(try text(id, id_size, "id"))
  }
}

private func tile(_ z: UInt32, _ x: UInt32, _ y: UInt32) throws(NeatError) -> TileID {
  let tile = UInt8(exactly: z).map { TileID(z: $0, x: x, y: y) }
  guard let tile, tile.isValid else { throw NeatError(.invalidArgument, "\(z)/\(x)/\(y) is no tile") }
  return tile
}

@c @implementation
public func neat_set_custom_geometry_tile_data(
  _ source: UInt64, _ z: UInt32, _ x: UInt32, _ y: UInt32, _ geojson: UnsafePointer<CChar>!,
  _ geojson_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let tile = try tile(z, x, y)
    guard (0...SourceSpec.CustomSource.byteLimit).contains(geojson_size) else {
      throw NeatError(
        .limitExceeded,
        "\(UInt(bitPattern: geojson_size)) bytes of a tile: at most \(SourceSpec.CustomSource.byteLimit)")
    }
    let data = try bytes(geojson, geojson_size, "geojson")
    try CustomAnswers.give(source, tile, data.isEmpty ? .empty : .data(data))
  }
}

@c @implementation
public func neat_fail_custom_geometry_tile(
  _ source: UInt64, _ z: UInt32, _ x: UInt32, _ y: UInt32, _ status: neat_status,
  _ message: UnsafePointer<CChar>!, _ message_size: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    guard let code = ErrorCode(rawValue: Int32(truncatingIfNeeded: status.rawValue)) else {
      throw NeatError(.invalidArgument, "status \(status.rawValue) is no failure")
    }
    let words = try text(message, min(message_size, 1 << 16), "message")
    try CustomAnswers.give(
      source, try tile(z, x, y),
      .failed(NeatError(code, words.isEmpty ? "the host does not say why there is no tile" : words)))
  }
}

@c @implementation
public func neat_map_invalidate_custom_geometry_tile(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ z: UInt32, _ x: UInt32, _ y: UInt32
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.invalidateCustomSource(try text(id, id_size, "id"), .tile(try tile(z, x, y)))
  }
}

@c @implementation
public func neat_map_invalidate_custom_geometry_region(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ west_deg: Double,
  _ south_deg: Double, _ east_deg: Double, _ north_deg: Double
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.invalidateCustomSource(
      try text(id, id_size, "id"),
      .region(west: west_deg, south: south_deg, east: east_deg, north: north_deg))
  }
}
