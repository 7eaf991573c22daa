import NeatBase
import NeatJSON

extension GeoJSONIndex {
  /// The tiles that geojson-vt makes when it indexes the document: down to `indexMaxZoom`, as long as a tile
  /// has more than `indexMaxPoints` points. Tiles without features are listed where their parent was split.
  /// None for a document without features.
  package func indexedTiles() -> [TileID] {
    var result: [TileID] = []
    var stack = [TileID.world]
    if features(stack[0]) == nil { return [] }
    while let id = stack.popLast() {
      result.append(id)
      guard let list = features(id), Int(id.z) < options.indexMaxZoom,
        list.pointCount > options.indexMaxPoints, Int(id.z) < options.maxZoom
      else { continue }
      for child in 0..<UInt32(4) {
        stack.append(TileID(z: id.z + 1, x: id.x * 2 + child >> 1, y: id.y * 2 + child & 1))
      }
    }
    return result
  }

  /// The features of one tile as geojson-vt gives them: an array of `geometry`, `type`, `tags` and `id` (as
  /// written in the document).
  package func tileText(_ id: TileID) -> String {
    var writer = JSONWriter()
    write(id, &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func write(_ id: TileID, _ writer: inout JSONWriter) {
    writer.beginArray()
    if let list = features(id) {
      var builder = CutTileBuilder(data, options, id, keepsClosing: true)
      builder.add(list)
      let sources = builder.sources
      let rawIDs = sources.map { builder.rawID(Int($0)) }
      if let layer = builder.build() {
        for feature in 0..<layer.featureCount {
          write(
            layer, feature, id: rawIDs[feature],
            hasTags: data.hasProperties[Int(sources[feature])] != 0 || layer.tagCount(feature) > 0,
            &writer)
        }
      }
    }
    writer.endArray()
  }

  private func write(
    _ layer: TileLayer, _ feature: Int, id: TileValue, hasTags: Bool, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("geometry")
    writer.beginArray()
    let isPoint = layer.types[feature] == GeometryType.point.rawValue
    for part in layer.parts(of: feature) {
      if !isPoint { writer.beginArray() }
      for point in layer.pointRange(ofPart: part) {
        writer.beginArray()
        writer.int(Int(layer.points[point].x))
        writer.int(Int(layer.points[point].y))
        writer.endArray()
      }
      if !isPoint { writer.endArray() }
    }
    writer.endArray()
    writer.key("type")
    writer.int(Int(layer.types[feature]))
    writer.key("tags")
    if hasTags {
      writer.beginObject()
      for tag in Int(layer.tagStarts[feature])..<Int(layer.tagStarts[feature + 1]) {
        writer.key(layer.keys[Int(layer.tags[tag].x)])
        writer.value(layer.values[Int(layer.tags[tag].y)])
      }
      writer.endObject()
    } else {
      writer.null()
    }
    if id.kind != .null {
      writer.key("id")
      writer.value(id)
    }
    writer.endObject()
  }
}

extension TileLayer {
  fileprivate func tagCount(_ feature: Int) -> Int { Int(tagStarts[feature + 1] - tagStarts[feature]) }
}

extension JSONWriter {
  /// A property value as JSON.
  mutating func value(_ value: TileValue) {
    switch value.kind {
    case .null: null()
    case .bool: bool(value.boolValue)
    case .int: raw(String(value.intValue))
    case .uint: raw(String(value.bits))
    case .double: number(value.doubleValue)
    case .string: string(value.text)
    case .json: raw(value.text)
    }
  }
}
