import CNeatline

/// What is known of a layer without decoding it.
public struct TileLayerInfo: Sendable {
  /// The layer's name.
  public var name: String
  /// The version of the tile specification that the layer names.
  public var version: Int
  /// Tile units along an edge.
  public var extent: Int
  /// Features as they stand in the tile; decoding leaves out those that cannot be read.
  public var featureCount: Int
  /// The number of different property names.
  public var keyCount: Int
  /// The number of different property values.
  public var valueCount: Int
}

extension Tile {
  /// What is known of a layer without decoding it.
  public func layerInfo(_ index: Int) throws(NeatlineError) -> TileLayerInfo {
    var result = neat_tile_layer_info()
    result.struct_size = UInt32(MemoryLayout<neat_tile_layer_info>.size)
    try check(neat_tile_layer_info_at(pointer, index, &result))
    return TileLayerInfo(
      name: String(
        decoding: UnsafeRawBufferPointer(start: result.name, count: result.name_size), as: UTF8.self),
      version: Int(result.version),
      extent: Int(result.extent), featureCount: result.feature_count, keyCount: result.key_count,
      valueCount: result.value_count)
  }

  /// One property of all features of a layer. Of a tile that is opened no geometry is decoded.
  public func property(_ key: String, ofLayer index: Int) throws(NeatlineError) -> TileProperty {
    var info = neat_tile_layer_info()
    info.struct_size = UInt32(MemoryLayout<neat_tile_layer_info>.size)
    try check(neat_tile_layer_info_at(pointer, index, &info))
    let property = TileProperty(self, capacity: info.feature_count)
    var key = key
    try check(
      key.withUTF8 { text in
        text.withMemoryRebound(to: CChar.self) {
          neat_tile_property(pointer, index, $0.baseAddress, $0.count, property.values, property.count)
        }
      })
    return property
  }
}

/// One property of all features of a layer, in their order.
public final class TileProperty: RandomAccessCollection, Sendable {
  /// Text lies in the tile.
  private let tile: Tile
  @usableFromInline nonisolated(unsafe) let values: UnsafeMutablePointer<neat_value>
  /// The number of features.
  public let count: Int

  fileprivate init(_ tile: Tile, capacity: Int) {
    self.tile = tile
    values = .allocate(capacity: Swift.max(capacity, 1))
    count = capacity
  }

  deinit { values.deallocate() }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of features.
  public var endIndex: Int { count }

  /// The value of a feature; null where it has none.
  public subscript(feature: Int) -> AttributeValue { AttributeValue(value(feature)) }

  /// Whether the feature has the property, and not as null.
  @inlinable public func isPresent(_ feature: Int) -> Bool { value(feature).type != NEAT_VALUE_TYPE_NULL }

  /// The feature's value as a number, if it is one.
  @inlinable public func number(_ feature: Int) -> Double? {
    let value = value(feature)
    switch value.type {
    case NEAT_VALUE_TYPE_INT: return Double(value.as.int_value)
    case NEAT_VALUE_TYPE_UINT: return Double(value.as.uint_value)
    case NEAT_VALUE_TYPE_DOUBLE: return value.as.double_value
    default: return nil
    }
  }

  /// The UTF-8 of the feature's value if it is text, for the time of the call.
  public func withText<Result>(_ feature: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result?
  {
    let value = value(feature)
    guard value.type == NEAT_VALUE_TYPE_STRING else { return nil }
    return try withExtendedLifetime(tile) {
      try body(UnsafeRawBufferPointer(start: value.as.text, count: Int(value.text_size)))
    }
  }

  @inlinable func value(_ feature: Int) -> neat_value {
    precondition(feature >= 0 && feature < count, "feature \(feature) of \(count)")
    // The memory is freed with this object, which an optimizer that sees through this function could let go
    // before.
    return withExtendedLifetime(self) { values[feature] }
  }
}

extension AttributeValue {
  /// Whole numbers exact in 64 bits.
  init(_ value: neat_value) {
    switch value.type {
    case NEAT_VALUE_TYPE_BOOL: self = .bool(value.as.uint_value & 1 != 0)
    case NEAT_VALUE_TYPE_INT: self = .int64(value.as.int_value)
    case NEAT_VALUE_TYPE_UINT: self = .uint64(value.as.uint_value)
    case NEAT_VALUE_TYPE_DOUBLE: self = .double(value.as.double_value)
    case NEAT_VALUE_TYPE_STRING, NEAT_VALUE_TYPE_JSON:
      let text = [UInt8](UnsafeRawBufferPointer(start: value.as.text, count: Int(value.text_size)))
      if value.type == NEAT_VALUE_TYPE_JSON, let json = try? AttributeValue(parsing: text) {
        self = json
      } else {
        self = .string(String(decoding: text, as: UTF8.self))
      }
    default: self = .null
    }
  }
}
