import NeatBase
import NeatJSON

/// The GeoJSON geometry of one feature, written in as many steps as the caller likes: a feature may have as
/// many points as its tile has room for.
struct TileGeometryText {
  private let layer: TileLayer
  private let place: TilePlace
  private let type: GeometryType
  private let parts: Range<Int>
  /// Whether the type has `Multi` in front.
  private let isMulti: Bool
  /// The next part, and the next point of it; nil before its first.
  private var part: Int
  private var point: Int?
  private var hasBegun = false

  init(_ feature: Int, of layer: TileLayer, _ id: TileID?) {
    self.layer = layer
    place = TilePlace(id, extent: layer.answerExtent)
    parts = layer.parts(of: feature)
    type = parts.isEmpty ? .unknown : layer.geometryType(feature)
    part = parts.lowerBound
    isMulti =
      switch type {
      case .unknown: false
      case .point: layer.pointRange(of: feature).count != 1
      case .line: parts.count != 1
      case .polygon: parts.dropFirst().contains { TileGeometryText.opensPolygon($0, layer) }
      }
  }

  /// Writes on, about `count` points; returns whether the geometry is written.
  mutating func write(_ count: Int, to writer: inout JSONWriter) -> Bool {
    if !hasBegun {
      hasBegun = true
      if type == .unknown {
        writer.null()
        return true
      }
      begin(&writer)
    }
    var left = count
    while part < parts.upperBound {
      guard left > 0 else { return false }
      left -= writePart(left, &writer)
      if point == nil { part += 1 }
    }
    if type == .polygon { writer.endArray() }
    if isMulti { writer.endArray() }
    writer.endObject()
    return true
  }

  private func begin(_ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("type")
    let name =
      switch type {
      case .point: "Point"
      case .line: "LineString"
      default: "Polygon"
      }
    writer.string(isMulti ? "Multi" + name : name)
    writer.key("coordinates")
    if isMulti { writer.beginArray() }
  }

  /// Writes up to `count` points of the part; `point` is nil when it is at its end. Returns how many points
  /// that took, at least 1, so that parts without points end too.
  private mutating func writePart(_ count: Int, _ writer: inout JSONWriter) -> Int {
    let range = layer.pointRange(ofPart: part)
    if point == nil { open(&writer) }
    let start = point ?? range.lowerBound
    let end = start + min(range.upperBound - start, count)
    for index in start..<end { place.write(layer.answerPoints[index], &writer) }
    guard end == range.upperBound else {
      point = end
      return end - start
    }
    point = nil
    // The points of a multi-point stand in the array that is open already.
    if type != .point {
      if type == .polygon, let first = range.first { place.write(layer.answerPoints[first], &writer) }
      writer.endArray()
    }
    return max(1, end - start)
  }

  private func open(_ writer: inout JSONWriter) {
    if type == .polygon {
      if part == parts.lowerBound {
        writer.beginArray()
      } else if TileGeometryText.opensPolygon(part, layer) {
        writer.endArray()
        writer.beginArray()
      }
    }
    if type != .point { writer.beginArray() }
  }

  /// Whether a ring behind the first begins a polygon: rings of positive area do.
  private static func opensPolygon(_ part: Int, _ layer: TileLayer) -> Bool {
    let range = layer.pointRange(ofPart: part)
    guard var previous = range.last else { return false }
    var sum: Int64 = 0
    for index in range {
      let (a, b) = (layer.answerPoints[previous], layer.answerPoints[index])
      sum &+= Int64(a.x) &* Int64(b.y) &- Int64(b.x) &* Int64(a.y)
      previous = index
    }
    return sum > 0
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
