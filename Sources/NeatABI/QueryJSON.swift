import NeatBase
import NeatJSON
import NeatMap
import NeatStyle
import NeatTile

extension QueryAnswer {
  /// A JSON array of GeoJSON features with the members `layer` (its id), `source`, `sourceLayer` (of vector
  /// sources) and `state`, geometry in degrees. With a report an object: `features` and `report`. Throws
  /// `limitExceeded` for a text past `limit`: features share the values of their tiles.
  package func json(limit: Int = JSONWriter.textLimit) throws(NeatError) -> [UInt8] {
    var writer = JSONWriter(limit: limit)
    if report != nil {
      writer.beginObject()
      writer.key("features")
    }
    writer.beginArray()
    for feature in features {
      if writer.isPastLimit { break }
      feature.write(to: &writer)
    }
    writer.endArray()
    if let report {
      writer.key("report")
      report.write(to: &writer)
      writer.endObject()
    }
    return try writer.whole("the result of the query")
  }
}

extension QueriedFeature {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("type")
    writer.string("Feature")
    writeID(to: &writer)
    writer.key("geometry")
    TileJSONText.writeGeometry(feature, of: data, tile, &writer)
    writer.key("properties")
    TileJSONText.writeProperties(feature, of: data, &writer)
    for (name, value) in [("layer", layer), ("source", source), ("sourceLayer", sourceLayer)] {
      guard let value else { continue }
      writer.key(name)
      writer.string(value)
    }
    writer.key("state")
    writer.beginObject()
    for (name, value) in state.sorted(by: { $0.key < $1.key }) {
      writer.key(name)
      value.write(to: &writer)
    }
    writer.endObject()
    writer.endObject()
  }

  /// A promoted property that the feature lacks gives no id.
  private func writeID(to writer: inout JSONWriter) {
    if let promotedID {
      guard let value = data.value(feature: feature, named: promotedID) else { return }
      writer.key("id")
      TileJSONText.write(value, &writer)
    } else if let id = data.id(feature) {
      writer.key("id")
      writer.int(id)
    }
  }
}
