import NeatBase
import NeatJSON

/// Features of tiles as GeoJSON text.
package enum TileJSONText {
  /// A tile as an object of feature collections by layer name. Coordinates are in tile units, or in degrees
  /// where the tile's place is given. Throws `limitExceeded` for a text of more than `limit` bytes: features
  /// share the values of their tile, and so 5 kB of tile can be gigabytes of text.
  package static func text(_ tile: VectorTile, _ id: TileID?, limit: Int = JSONWriter.textLimit)
    throws(NeatError) -> [UInt8]
  {
    var stream = try TileJSONStream(tile, id, .layers, limit: limit, pieceBytes: .max)
    return try stream.next() ?? []
  }

  package static func writeProperties(_ feature: Int, of layer: TileLayer, _ writer: inout JSONWriter) {
    writer.beginObject()
    for tag in Int(layer.tagStarts[feature])..<Int(layer.tagStarts[feature + 1]) {
      writer.key(layer.keys[Int(layer.tags[tag].x)])
      write(layer.values[Int(layer.tags[tag].y)], &writer)
    }
    writer.endObject()
  }

  package static func write(_ value: TileValue, _ writer: inout JSONWriter) {
    // The text of a value is not made where nothing is written any more.
    if writer.isPastLimit { return }
    switch value.kind {
    case .null: writer.null()
    case .bool: writer.bool(value.boolValue)
    case .int: writer.int(value.intValue)
    case .uint: writer.int(value.bits)
    case .double: writer.number(value.doubleValue)
    case .string: writer.string(value.text)
    case .json: writer.raw(value.text)
    }
  }

  package static func writeGeometry(
    _ feature: Int, of layer: TileLayer, _ id: TileID?, _ writer: inout JSONWriter
  ) {
    var geometry = TileGeometryText(feature, of: layer, id)
    let isWhole = geometry.write(.max, to: &writer)
    assert(isWhole, "no number of points is too many")
  }
}
