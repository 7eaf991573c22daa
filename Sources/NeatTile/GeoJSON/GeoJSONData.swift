import NeatBase

/// The geometries of GeoJSON; a GeometryCollection becomes several geometries of one feature.
package enum GeoJSONGeometryType: UInt8, Sendable, BitwiseCopyable {
  case point = 1, multiPoint, lineString, multiLineString, polygon, multiPolygon
}

/// The member `tippecanoe` of a feature, as the program of that name reads it.
package struct GeoJSONZoomHint: Sendable, Equatable {
  /// The feature's number.
  package var feature: Int
  package var zooms: ClosedRange<UInt8>
}

/// Bounds that keep a hostile document from exhausting memory or the stack.
package struct GeoJSONLimits: Sendable {
  /// Bytes of text.
  package var maxBytes = 1 << 31
  /// Bytes of one feature of a text that comes in pieces, and of what is around its features.
  package var maxFeatureBytes = 1 << 31
  /// Bytes that a packed text may unpack to, at most `maxBytes`.
  package var maxUnpackedBytes = 1 << 31
  /// Nesting of arrays, objects and geometry collections.
  package var maxDepth = 128
  /// `maxDepth`, or fewer levels where the calling thread has little stack.
  var depthOnThisThread: Int { StackRoom.levels(maxDepth, bytes: StackRoom.ofLevel * 5 / 4) }
  /// Features, and likewise points, rings and properties.
  package var maxCount = 1 << 28
  /// What reading takes its memory from while it reads; nil: it is compared with what the process may have. The data
  /// are the caller's to count.
  package var memory: MemoryBudget?

  package init() {}
}

/// A GeoJSON document as columns: features own geometries, geometries own parts, parts own points.
///
/// Feature `f` owns the geometries `geometryStarts[f]..<geometryStarts[f + 1]` (none where the geometry is
/// null), geometry `g` the parts `partStarts[g]..<partStarts[g + 1]`, part `p` the points
/// `pointStarts[p]..<pointStarts[p + 1]`: longitude and latitude in degrees as written (rings with their
/// closing point). Properties of feature `f` are the tags `tagStarts[f]..<tagStarts[f + 1]`. Immutable and
/// shared between threads.
package final class GeoJSONData: Sendable {
  package let featureCount: Int
  package let geometryCount: Int
  package let partCount: Int
  package let pointCount: Int
  package let tagCount: Int

  package nonisolated(unsafe) let geometryStarts: UnsafePointer<UInt32>
  /// `GeoJSONGeometryType` of each geometry.
  package nonisolated(unsafe) let geometryTypes: UnsafePointer<UInt8>
  package nonisolated(unsafe) let partStarts: UnsafePointer<UInt32>
  /// 1 for the first ring of a polygon, 0 for every other part.
  package nonisolated(unsafe) let partIsOuter: UnsafePointer<UInt8>
  package nonisolated(unsafe) let pointStarts: UnsafePointer<UInt32>
  package nonisolated(unsafe) let points: UnsafePointer<SIMD2<Double>>

  /// The `id` member of each feature: `null`, a number or a string.
  package nonisolated(unsafe) let ids: UnsafePointer<TileValue>
  /// 1 where `properties` is an object, 0 where it is null or absent.
  package nonisolated(unsafe) let hasProperties: UnsafePointer<UInt8>
  package let keys: [String]
  package nonisolated(unsafe) let tagStarts: UnsafePointer<UInt32>
  package nonisolated(unsafe) let tagKeys: UnsafePointer<UInt32>
  package nonisolated(unsafe) let tagValues: UnsafePointer<TileValue>

  /// On which zooms tilers are to show features, of those that say so; in their order.
  package let zoomHints: [GeoJSONZoomHint]

  /// What owns the bytes of strings.
  let pools: [StringPool]
  private let owner: ColumnOwner

  /// Reads a document: plain text, or gzip or zlib by content. Throws `geojson` with byte offset, line and
  /// column, or `limitExceeded`.
  package convenience init(parsing bytes: [UInt8], limits: GeoJSONLimits = .init()) throws(NeatError) {
    var columns: GeoJSONColumns?
    try bytes.withUnsafeBufferPointer { (text) throws(NeatError) in
      columns = try GeoJSONData.columns(text, limits)
    }
    self.init(columns.take()!)
  }

  /// The same, of bytes that are only looked at.
  package convenience init(parsing bytes: UnsafeBufferPointer<UInt8>, limits: GeoJSONLimits = .init())
    throws(NeatError)
  {
    self.init(try GeoJSONData.columns(bytes, limits))
  }

  private static func columns(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: GeoJSONLimits) throws(NeatError)
    -> GeoJSONColumns
  {
    var result: GeoJSONColumns?
    try GeoJSONData.withText(bytes, limits) { text in
      var reader = GeoJSONReader(text, limits: limits)
      do throws(GeoJSONFault) { try reader.readDocument() } catch { return error.error(in: text) }
      result = reader.finish()
      return nil
    }
    return result.take()!
  }

  init(_ columns: consuming GeoJSONColumns, sharing others: [StringPool] = []) {
    let owner = ColumnOwner()
    featureCount = columns.ids.count
    geometryCount = columns.geometryTypes.count
    partCount = columns.partIsOuter.count
    pointCount = columns.points.count
    tagCount = columns.tagKeys.count
    keys = columns.keys
    zoomHints = columns.zoomHints
    pools = [columns.pool] + others
    geometryStarts = owner.own(columns.geometryStarts)
    geometryTypes = owner.own(columns.geometryTypes)
    partStarts = owner.own(columns.partStarts)
    partIsOuter = owner.own(columns.partIsOuter)
    pointStarts = owner.own(columns.pointStarts)
    points = owner.own(columns.points)
    ids = owner.own(columns.ids)
    hasProperties = owner.own(columns.hasProperties)
    tagStarts = owner.own(columns.tagStarts)
    tagKeys = owner.own(columns.tagKeys)
    tagValues = owner.own(columns.tagValues)
    self.owner = owner
    assert(isConsistent, "the columns of a document do not fit each other")
  }

  /// Whether the columns fit each other.
  private var isConsistent: Bool {
    func rises(_ starts: UnsafePointer<UInt32>, _ count: Int, to end: Int) -> Bool {
      starts[0] == 0 && (0..<count).allSatisfy { starts[$0] <= starts[$0 + 1] } && Int(starts[count]) == end
    }
    return rises(geometryStarts, featureCount, to: geometryCount)
      && rises(partStarts, geometryCount, to: partCount) && rises(pointStarts, partCount, to: pointCount)
      && rises(tagStarts, featureCount, to: tagCount)
      && (0..<tagCount).allSatisfy { Int(tagKeys[$0]) < keys.count }
      && (0..<geometryCount).allSatisfy { GeoJSONGeometryType(rawValue: geometryTypes[$0]) != nil }
  }

  /// A property of a feature, or nil; a repeated key: the last one counts.
  package func value(feature: Int, key: Int) -> TileValue? {
    assert(feature >= 0 && feature < featureCount, "no such feature")
    var tag = Int(tagStarts[feature + 1])
    let first = Int(tagStarts[feature])
    while tag > first {
      tag -= 1
      if Int(tagKeys[tag]) == key { return tagValues[tag] }
    }
    return nil
  }

  package func keyIndex(_ key: String) -> Int? { keys.firstIndex(of: key) }

  /// West, south, east and north edges of all points in degrees, or nil for a document without points.
  package var bounds: (west: Double, south: Double, east: Double, north: Double)? {
    guard pointCount > 0 else { return nil }
    var low = points[0]
    var high = points[0]
    for index in 1..<max(1, pointCount) {
      low = pointwiseMin(low, points[index])
      high = pointwiseMax(high, points[index])
    }
    return (low.x, low.y, high.x, high.y)
  }

  /// The same of one feature.
  package func bounds(of feature: Int) -> (west: Double, south: Double, east: Double, north: Double)? {
    assert(feature >= 0 && feature < featureCount, "no such feature")
    func point(_ geometry: UInt32) -> Int { Int(pointStarts[Int(partStarts[Int(geometry)])]) }
    let range = point(geometryStarts[feature])..<point(geometryStarts[feature + 1])
    guard !range.isEmpty else { return nil }
    var low = points[range.lowerBound]
    var high = low
    for index in range {
      low = pointwiseMin(low, points[index])
      high = pointwiseMax(high, points[index])
    }
    return (low.x, low.y, high.x, high.y)
  }

  /// All features with their properties, types and ids, and without geometry: what a filter or a cluster
  /// property is evaluated on. The feature numbers are those of the document; a feature without geometry is
  /// of type `unknown`.
  package func propertiesLayer() -> TileLayer {
    let owner = ColumnOwner()
    var tags = GrowingBuffer<SIMD2<UInt32>>(capacity: tagCount)
    for tag in 0..<tagCount { tags.append(SIMD2(tagKeys[tag], UInt32(tag))) }
    var types = GrowingBuffer<UInt8>(capacity: featureCount)
    var parts = GrowingBuffer<UInt32>(capacity: featureCount + 1)
    var numbers = GrowingBuffer<UInt64>(capacity: featureCount)
    var flags = GrowingBuffer<UInt8>(capacity: featureCount)
    for feature in 0..<featureCount {
      let geometry = Int(geometryStarts[feature])
      let has = geometry < Int(geometryStarts[feature + 1])
      types.append(
        has ? (GeoJSONGeometryType(rawValue: geometryTypes[geometry]) ?? .point).tileType.rawValue : 0)
      parts.append(0)
      let number = tileFeatureID(ids[feature])
      numbers.append(number ?? 0)
      flags.append(number == nil ? 0 : 1)
    }
    parts.append(0)
    var starts = GrowingBuffer<UInt32>(capacity: 1)
    starts.append(0)
    var storage = TileLayer.Storage(
      types: owner.own(types), partStarts: owner.own(parts), pointStarts: owner.own(starts),
      points: owner.own(GrowingBuffer<SIMD2<Int32>>(capacity: 1)),
      values: tagValues, tagStarts: tagStarts, tags: owner.own(tags))
    storage.name = geoJSONLayerName
    storage.featureCount = featureCount
    storage.valueCount = tagCount
    storage.keys = keys
    storage.ids = owner.own(numbers)
    storage.hasID = owner.own(flags)
    storage.owners = [owner, self]
    return TileLayer(storage)
  }
}

/// The name of the one layer of a tile cut from GeoJSON.
package let geoJSONLayerName = "_geojsonTileLayer"

extension GeoJSONGeometryType {
  var tileType: GeometryType {
    switch self {
    case .point, .multiPoint: .point
    case .lineString, .multiLineString: .line
    case .polygon, .multiPolygon: .polygon
    }
  }

  /// How deep the positions of a geometry of this type are nested.
  var nesting: Int {
    switch self {
    case .point: 1
    case .multiPoint, .lineString: 2
    case .multiLineString, .polygon: 3
    case .multiPolygon: 4
    }
  }
}

/// The id a tile's feature carries: a number that is not negative, or a string that reads as one, cut to an
/// integer; else none.
func tileFeatureID(_ id: TileValue) -> UInt64? {
  switch id.kind {
  case .uint: return id.bits
  case .double:
    return id.doubleValue >= 0 && id.doubleValue < 0x1p64 ? UInt64(saturating: id.doubleValue) : nil
  case .string:
    guard id.length > 0, id.length <= 32, let number = Double(id.text), number >= 0, number < 0x1p64 else {
      return nil
    }
    return UInt64(id.text) ?? UInt64(saturating: number)
  default: return nil
  }
}
