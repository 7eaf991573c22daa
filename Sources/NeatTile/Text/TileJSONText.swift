import NeatBase
import NeatJSON

/// Tiles as GeoJSON text: an object of feature collections by layer name.
package enum TileJSONText {
  /// Coordinates are in tile units, or in degrees where the tile's place is given.
  package static func text(_ tile: VectorTile, _ id: TileID?) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    for layer in tile.layers {
      writer.key(layer.name)
      writer.beginObject()
      writer.key("type")
      writer.string("FeatureCollection")
      writer.key("version")
      writer.int(layer.version)
      writer.key("extent")
      writer.int(layer.extent)
      writer.key("features")
      writer.beginArray()
      for feature in 0..<layer.featureCount { write(feature, of: layer, id, &writer) }
      writer.endArray()
      writer.endObject()
    }
    writer.endObject()
    return writer.bytes
  }

  /// Writes one feature as GeoJSON; `extra` adds members.
  package static func write(
    _ feature: Int, of layer: TileLayer, _ id: TileID?, _ writer: inout JSONWriter,
    extra: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.beginObject()
    writer.key("type")
    writer.string("Feature")
    if let number = layer.id(feature) {
      writer.key("id")
      writer.int(number)
    }
    writer.key("properties")
    writeProperties(feature, of: layer, &writer)
    writer.key("geometry")
    writeGeometry(feature, of: layer, id, &writer)
    extra(&writer)
    writer.endObject()
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
    let parts = layer.parts(of: feature)
    let place = TilePlace(id, extent: layer.answerExtent)
    let points = layer.answerPoints
    func writePoints(_ range: Range<Int>, closing: Bool) {
      writer.beginArray()
      for index in range { place.write(points[index], &writer) }
      if closing, let first = range.first { place.write(points[first], &writer) }
      writer.endArray()
    }
    let type = layer.geometryType(feature)
    guard type != .unknown, !parts.isEmpty else { return writer.null() }
    writer.beginObject()
    writer.key("type")
    let rings = type == .polygon ? polygons(parts, layer) : []
    let pointCount = parts.reduce(0) { $0 + layer.pointRange(ofPart: $1).count }
    let isMulti = type == .point ? pointCount != 1 : type == .line ? parts.count != 1 : rings.count != 1
    writer.string(
      (isMulti ? "Multi" : "") + (type == .point ? "Point" : type == .line ? "LineString" : "Polygon"))
    writer.key("coordinates")
    switch type {
    case .point:
      if !isMulti {
        place.write(points[layer.pointRange(of: feature).lowerBound], &writer)
      } else {
        writePoints(layer.pointRange(of: feature), closing: false)
      }
    case .line:
      if isMulti { writer.beginArray() }
      for part in parts { writePoints(layer.pointRange(ofPart: part), closing: false) }
      if isMulti { writer.endArray() }
    default:
      if isMulti { writer.beginArray() }
      for polygon in rings {
        writer.beginArray()
        for part in polygon { writePoints(layer.pointRange(ofPart: part), closing: true) }
        writer.endArray()
      }
      if isMulti { writer.endArray() }
    }
    writer.endObject()
  }

  /// Rings grouped into polygons: each ring of positive area opens one.
  private static func polygons(_ parts: Range<Int>, _ layer: TileLayer) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var start = parts.lowerBound
    for part in parts.dropFirst() where area(part, layer) > 0 {
      result.append(start..<part)
      start = part
    }
    result.append(start..<parts.upperBound)
    return result
  }

  private static func area(_ part: Int, _ layer: TileLayer) -> Int64 {
    let range = layer.pointRange(ofPart: part)
    guard var previous = range.last else { return 0 }
    var sum: Int64 = 0
    for index in range {
      let (a, b) = (layer.answerPoints[previous], layer.answerPoints[index])
      sum &+= Int64(a.x) &* Int64(b.y) &- Int64(b.x) &* Int64(a.y)
      previous = index
    }
    return sum
  }
}

/// Tile units, or degrees where the tile's place is known.
private struct TilePlace {
  let id: TileID?
  let extent: Double

  init(_ id: TileID?, extent: UInt32) {
    self.id = id
    self.extent = Double(extent)
  }

  func write(_ point: SIMD2<Int32>, _ writer: inout JSONWriter) {
    writer.beginArray()
    if let id {
      let count = Double(UInt64(1) << UInt64(id.z))
      let place = Mercator.unproject(
        SIMD2(
          (Double(id.x) + Double(point.x) / extent) / count, (Double(id.y) + Double(point.y) / extent) / count
        ))
      writer.number(place.lon)
      writer.number(place.lat)
    } else {
      writer.int(point.x)
      writer.int(point.y)
    }
    writer.endArray()
  }
}
