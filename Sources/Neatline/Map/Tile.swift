import CNeatline

/// A vector tile, decoded or opened. Immutable: any number of threads at the same time.
public final class Tile: Sendable {
  nonisolated(unsafe) let pointer: OpaquePointer

  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  /// How a tile is written.
  public enum Format: UInt32, Sendable {
    /// By content and by what decodes.
    case auto = 0
    case mvt, mlt
  }

  /// Decodes a tile, compressed by gzip or zlib or not. `isStrict`: what the specification forbids fails;
  /// else what a map can recover is recovered.
  public convenience init(decoding data: [UInt8], format: Format = .auto, isStrict: Bool = false)
    throws(NeatlineError)
  {
    self.init(
      adopting: try handle { out in
        data.withUnsafeBufferPointer {
          neat_tile_decode(
            $0.baseAddress, $0.count, neat_tile_format(rawValue: format.rawValue), isStrict ? 1 : 0, out)
        }
      })
  }

  /// Opens a Mapbox Vector Tile, compressed by gzip or zlib or not, without decoding it: names and counts of
  /// its layers are there at once (`layerInfo`), single properties (`property`) are read without geometry,
  /// and `layer` decodes the layer when it is first asked for. What is wrong with a layer is thrown where it
  /// is read. A MapLibre tile is decoded.
  public convenience init(opening data: [UInt8], format: Format = .auto) throws(NeatlineError) {
    self.init(
      adopting: try handle { out in
        data.withUnsafeBufferPointer {
          neat_tile_open($0.baseAddress, $0.count, neat_tile_format(rawValue: format.rawValue), out)
        }
      })
  }

  /// As `init(opening:format:)` without a copy: the memory must stay as it is for as long as the tile or one
  /// of its layers lives, unless it is compressed.
  public convenience init(unsafelyBorrowing data: UnsafeBufferPointer<UInt8>, format: Format = .auto)
    throws(NeatlineError)
  {
    self.init(
      adopting: try handle { out in
        neat_tile_open_borrow(data.baseAddress, data.count, neat_tile_format(rawValue: format.rawValue), out)
      })
  }

  deinit { neat_tile_destroy(pointer) }

  /// The number of layers.
  public var layerCount: Int { neat_tile_layer_count(pointer) }

  /// The layers' columns.
  public func layer(_ index: Int) throws(NeatlineError) -> TileLayer {
    var result = neat_tile_layer()
    result.struct_size = UInt32(MemoryLayout<neat_tile_layer>.size)
    try check(neat_tile_layer_at(pointer, index, &result))
    return TileLayer(tile: self, index: index, columns: result)
  }

  /// All layers, decoded.
  public var layers: [TileLayer] {
    get throws(NeatlineError) {
      var result: [TileLayer] = []
      for index in 0..<layerCount { result.append(try layer(index)) }
      return result
    }
  }

  /// What cannot be read of a layer, and is left out.
  public struct Fault: Hashable, Sendable {
    /// The layer's name; nil where it has none that can be read.
    public var layer: String?
    /// How many faults it has.
    public var count: Int
    /// Why nothing of it is there, else the first of them.
    public var message: String
    /// Its byte in the unpacked tile, where that is known.
    public var offset: Int?
  }

  /// What is left out of the tile because it cannot be read, where that is recovered from: features, and whole layers,
  /// in the tile's order, of the first 32 layers that have any. A tile that is only opened is decoded for it.
  public func faults() throws(NeatlineError) -> [Fault] {
    let json = try jsonValue { neat_tile_faults(pointer, $0) }
    return (json.array ?? []).map { fault in
      func number(_ name: String) -> Int? { fault[name]?.number.flatMap { Int(exactly: $0) } }
      return Fault(
        layer: fault["layer"]?.string, count: number("count") ?? 0, message: fault["message"]?.string ?? "",
        offset: number("offset"))
    }
  }

  /// The tile as GeoJSON text: an object of feature collections by layer, coordinates in tile units. Throws
  /// `limitExceeded` for more than 256 MiB of it; `geoJSONStream` writes any length.
  public var jsonText: String {
    get throws(NeatlineError) { try Neatline.jsonText { neat_tile_to_json(pointer, -1, 0, 0, $0) } }
  }

  /// How the layers of a tile stand in its GeoJSON.
  public enum JSONForm: Sendable {
    /// An object of feature collections by layer.
    case layers
    /// One feature collection; each feature has its layer's name as the property `layer`.
    case collection

    var raw: neat_tile_json_form {
      switch self {
      case .layers: NEAT_TILE_JSON_FORM_LAYERS
      case .collection: NEAT_TILE_JSON_FORM_COLLECTION
      }
    }
  }

  /// The tile as GeoJSON text in pieces: features share the values of their layer, and so the text may be many
  /// times as long as the tile. Coordinates are in degrees where `place` is given, else in tile units.
  ///
  /// Throws `limitExceeded`, here or from `TextStream.next`, for a text of more than `limit` bytes.
  public func geoJSONStream(
    place: (z: Int, x: Int, y: Int)? = nil, form: JSONForm = .layers, limit: Int? = nil
  ) throws(NeatlineError) -> TextStream {
    var z: Int32 = -1
    var x: UInt32 = 0, y: UInt32 = 0
    if let place {
      let tile = try tileNumbers(place.z, place.x, place.y)
      (z, x, y) = (Int32(tile.z), tile.x, tile.y)
    }
    if let limit, limit < 1 { throw NeatlineError(.invalidArgument, "a limit of \(limit) bytes") }
    return TextStream(
      try handle { neat_tile_stream_json(pointer, z, x, y, form.raw, UInt64(limit ?? 0), $0) })
  }

  /// The tile as GeoJSON text, coordinates in degrees. Throws `limitExceeded` for more than 256 MiB of it.
  public func geoJSONText(z: Int, x: Int, y: Int) throws(NeatlineError) -> String {
    let tile = try tileNumbers(z, x, y)
    return try Neatline.jsonText { neat_tile_to_json(pointer, Int32(tile.z), tile.x, tile.y, $0) }
  }

  /// The layers' features with coordinates in degrees, layers in the order of the tile. A collection's
  /// foreign members are `version` and `extent`.
  public func featureCollections(z: Int, x: Int, y: Int) throws(NeatlineError) -> [(
    layer: String, collection: FeatureCollection
  )] {
    let tile = try tileNumbers(z, x, y)
    let json = try buffer { neat_tile_to_json(pointer, Int32(tile.z), tile.x, tile.y, $0) }
    do { return try ShapeReader.layers(json) } catch { throw NeatlineError(.geojson, "\(error)") }
  }

  /// The tile as Mapbox Vector Tile 2.1, not compressed.
  public func encodedMVT() throws(NeatlineError) -> [UInt8] {
    try buffer { neat_tile_encode_mvt(pointer, $0) }
  }
}

/// The numbers of a tile of the pyramid as the C header takes them; numbers that no tile has are not made to
/// fit.
func tileNumbers(_ z: Int, _ x: Int, _ y: Int) throws(NeatlineError) -> (z: UInt32, x: UInt32, y: UInt32) {
  guard (0...30).contains(z), (0..<1 << z).contains(x), (0..<1 << z).contains(y) else {
    throw NeatlineError(.invalidArgument, "\(z)/\(x)/\(y) is no tile")
  }
  return (UInt32(z), UInt32(x), UInt32(y))
}

/// A layer of a tile, as columns. Features are numbered from 0; a number that no feature has throws
/// `invalidArgument`.
public struct TileLayer: Sendable {
  let tile: Tile
  let index: Int
  nonisolated(unsafe) let columns: neat_tile_layer

  /// The geometry of a feature: a point, a line or a polygon, or several of the same.
  public enum GeometryType: UInt8, Sendable { case unknown, point, line, polygon }

  /// The layer's name.
  public var name: String {
    String(decoding: UnsafeRawBufferPointer(start: columns.name, count: columns.name_size), as: UTF8.self)
  }
  /// The version of the tile specification that the layer names.
  public var version: Int { Int(columns.version) }
  /// Tile units along an edge.
  public var extent: Int { Int(columns.extent) }
  /// The number of features.
  public var featureCount: Int { columns.feature_count }
  /// The number of points of all features.
  public var pointCount: Int { columns.point_count }
  /// The number of different property names.
  public var keyCount: Int { columns.key_count }
  /// The number of different property values.
  public var valueCount: Int { columns.value_count }

  private func requireFeature(_ feature: Int) throws(NeatlineError) {
    guard feature >= 0, feature < featureCount else {
      throw NeatlineError(
        .invalidArgument, "feature \(feature) of layer \"\(name)\" with \(featureCount) features")
    }
  }

  /// The geometry of a feature. Throws `invalidArgument` past `featureCount`.
  public func type(_ feature: Int) throws(NeatlineError) -> GeometryType {
    try requireFeature(feature)
    return GeometryType(rawValue: columns.types[feature]) ?? .unknown
  }

  /// The id of a feature; nil where it has none. Throws `invalidArgument` past `featureCount`.
  public func id(_ feature: Int) throws(NeatlineError) -> UInt64? {
    try requireFeature(feature)
    guard let ids = columns.ids, let has = columns.has_ids, has[feature] != 0 else { return nil }
    return ids[feature]
  }

  /// The parts of a feature: the points of a multi-point, lines, or rings without their closing point.
  public func parts(_ feature: Int) throws(NeatlineError) -> [[SIMD2<Int32>]] {
    try requireFeature(feature)
    guard let parts = columns.part_starts, let points = columns.point_starts, let coordinates = columns.points
    else { return [] }
    return (parts[feature]..<parts[feature + 1]).map { part in
      (points[Int(part)]..<points[Int(part) + 1]).map {
        SIMD2(coordinates[Int($0) * 2], coordinates[Int($0) * 2 + 1])
      }
    }
  }

  /// The property name at an index. Throws `invalidArgument` past `keyCount`.
  public func key(_ key: Int) throws(NeatlineError) -> String {
    var text: UnsafePointer<CChar>?
    var size = 0
    try check(neat_tile_key_at(tile.pointer, index, key, &text, &size))
    return String(decoding: UnsafeRawBufferPointer(start: text, count: size), as: UTF8.self)
  }

  /// The property value at an index. Throws `invalidArgument` past `valueCount`.
  public func value(_ value: Int) throws(NeatlineError) -> JSONValue {
    var result = neat_value()
    try check(neat_tile_value_at(tile.pointer, index, value, &result))
    switch result.type {
    case NEAT_VALUE_TYPE_BOOL: return .bool(result.as.uint_value & 1 != 0)
    case NEAT_VALUE_TYPE_INT: return .number(Double(result.as.int_value))
    case NEAT_VALUE_TYPE_UINT: return .number(Double(result.as.uint_value))
    case NEAT_VALUE_TYPE_DOUBLE: return .number(result.as.double_value)
    case NEAT_VALUE_TYPE_STRING, NEAT_VALUE_TYPE_JSON:
      let text = String(
        decoding: UnsafeRawBufferPointer(start: result.as.text, count: Int(result.text_size)), as: UTF8.self)
      if result.type == NEAT_VALUE_TYPE_JSON, let json = try? JSONValue(parsing: text) { return json }
      return .string(text)
    default: return .null
    }
  }

  /// As `value`, whole numbers exact in 64 bits.
  public func attributeValue(_ value: Int) throws(NeatlineError) -> AttributeValue {
    var result = neat_value()
    try check(neat_tile_value_at(tile.pointer, index, value, &result))
    return AttributeValue(result)
  }

  /// The indices of the keys and values of a feature's properties, in their order.
  public func tags(_ feature: Int) throws(NeatlineError) -> [(key: Int, value: Int)] {
    try requireFeature(feature)
    guard let starts = columns.tag_starts, let tags = columns.tags else { return [] }
    return (starts[feature]..<starts[feature + 1]).map {
      (Int(tags[Int($0) * 2]), Int(tags[Int($0) * 2 + 1]))
    }
  }

  /// The attributes of a feature, in their order.
  public func attributes(_ feature: Int) throws(NeatlineError) -> Attributes {
    var attributes = Attributes()
    for tag in try tags(feature) { attributes.append(try key(tag.key), try attributeValue(tag.value)) }
    return attributes
  }

  /// As `attributes`, as JSON, whose numbers are Doubles.
  public func properties(_ feature: Int) throws(NeatlineError) -> JSONValue {
    var members: [JSONValue.Member] = []
    for tag in try tags(feature) { members.append(.init(try key(tag.key), try value(tag.value))) }
    return .object(members)
  }
}
