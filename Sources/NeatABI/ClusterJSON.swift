import NeatBase
import NeatJSON
import NeatStyle
import NeatTile

extension ClusterIndex {
  /// Clusters and points as a GeoJSON feature array. Throws `limitExceeded` for a text past `limit`.
  func json(_ items: [ClusterItem], limit: Int = JSONWriter.textLimit) throws(NeatError) -> [UInt8] {
    var writer = JSONWriter(limit: limit)
    writer.beginArray()
    let layer = data.propertiesLayer()
    for item in items {
      if writer.isPastLimit { break }
      write(item, layer, &writer)
    }
    writer.endArray()
    return try writer.whole("the list of clusters and points")
  }

  private func write(
    _ item: ClusterItem, _ layer: TileLayer, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("type")
    writer.string("Feature")
    if let id = item.clusterID {
      writer.key("id")
      writer.int(id)
    } else if options.generateId {
      writer.key("id")
      writer.int(item.feature)
    } else if data.ids[item.feature].kind != .null {
      writer.key("id")
      TileJSONText.write(data.ids[item.feature], &writer)
    }
    writer.key("properties")
    if let id = item.clusterID {
      writeProperties(ofCluster: Int(id), item, &writer)
    } else {
      TileJSONText.writeProperties(item.feature, of: layer, &writer)
    }
    writePlace(item.place, &writer)
    writer.endObject()
  }

  private func writeProperties(
    ofCluster id: Int, _ item: ClusterItem, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("cluster")
    writer.bool(true)
    writer.key("cluster_id")
    writer.int(id)
    writer.key("point_count")
    writer.int(item.pointCount)
    writer.key("point_count_abbreviated")
    if let short = ClusterIndex.abbreviated(item.pointCount) {
      writer.string(short)
    } else {
      writer.int(item.pointCount)
    }
    for (name, value) in zip(propertyNames, item.properties) {
      writer.key(name)
      switch value {
      case .null: writer.null()
      case .bool(let bool): writer.bool(bool)
      case .number(let number): writer.number(number)
      case .string(let text): writer.string(text)
      }
    }
    writer.endObject()
  }

  private func writePlace(_ place: LonLat, _ writer: inout JSONWriter) {
    writer.key("geometry")
    writer.beginObject()
    writer.key("type")
    writer.string("Point")
    writer.key("coordinates")
    writer.beginArray()
    writer.number(place.lon)
    writer.number(place.lat)
    writer.endArray()
    writer.endObject()
  }
}
