import NeatBase
import NeatJSON

extension ClusterIndex {
  /// The points and clusters of a tile, with a margin of the radius; nil where there are none. Clusters have
  /// the properties `cluster` (true), `cluster_id`, `point_count`, `point_count_abbreviated` (a number, or
  /// text such as "1.2k") and the accumulated ones; points have their own.
  package func tile(_ id: TileID) -> TileLayer? {
    guard id.isValid else { return nil }
    var builder = ClusterTileBuilder(self, id)
    let (level, index) = level(Int(id.z))
    let tree = tree(index)
    let scale = Double(UInt64(1) << UInt64(id.z))
    let margin = options.radius / Double(options.extent)
    let x = Double(id.x), y = Double(id.y)
    let top = (y - margin) / scale, bottom = (y + 1 + margin) / scale
    tree.range((x - margin) / scale, top, (x + 1 + margin) / scale, bottom) {
      builder.add(level.refs[$0], originX: x)
    }
    // Tiles at the edge of the world show what lies behind the date line.
    if id.x == 0 {
      tree.range(1 - margin / scale, top, 1, bottom) { builder.add(level.refs[$0], originX: scale) }
    }
    if x == scale - 1 {
      tree.range(0, top, margin / scale, bottom) { builder.add(level.refs[$0], originX: -1) }
    }
    return builder.build()
  }

  /// A count as supercluster abbreviates it: from 1000 on text such as "1.2k", from 10000 on whole thousands;
  /// nil below, where the number stands.
  package static func abbreviated(_ pointCount: Int) -> String? {
    guard pointCount >= 1000 else { return nil }
    let count = Double(pointCount)
    return pointCount >= 10000
      ? "\(Int(bounded: (count / 1000 + 0.5).rounded(.down)))k"
      : formatNumber((count / 100 + 0.5).rounded(.down) / 10) + "k"
  }

  /// The features of a tile as supercluster gives them, as JSON: an object with `features`, or null.
  package func tileText(_ id: TileID) -> String {
    var writer = JSONWriter()
    guard let layer = tile(id) else { return "null" }
    writer.beginObject()
    writer.key("features")
    writer.beginArray()
    for feature in 0..<layer.featureCount {
      writer.beginObject()
      writer.key("type")
      writer.int(1)
      writer.key("geometry")
      writer.raw("[[\(layer.points[feature].x),\(layer.points[feature].y)]]")
      writer.key("tags")
      writer.beginObject()
      for tag in Int(layer.tagStarts[feature])..<Int(layer.tagStarts[feature + 1]) {
        writer.key(layer.keys[Int(layer.tags[tag].x)])
        writer.value(layer.values[Int(layer.tags[tag].y)])
      }
      writer.endObject()
      if let id = layer.id(feature) {
        writer.key("id")
        writer.int(id)
      }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// Builds the layer of one tile of clusters; properties of points are borrowed from the document.
struct ClusterTileBuilder: ~Copyable {
  private let index: ClusterIndex
  private let scale, extent, originY: Double
  private var points = GrowingBuffer<SIMD2<Int32>>()
  private var ids = GrowingBuffer<UInt64>()
  private var hasID = GrowingBuffer<UInt8>()
  private var tagStarts = GrowingBuffer<UInt32>()
  private var tags = GrowingBuffer<SIMD2<UInt32>>()
  private var values = GrowingBuffer<TileValue>()
  private var keys: [String]
  /// Numbers of the keys `cluster`, `cluster_id`, `point_count`, `point_count_abbreviated`, and of the
  /// accumulated properties.
  private var clusterKeys: [UInt32] = []
  private let owner = ColumnOwner()
  private let pool = StringPool()

  init(_ index: ClusterIndex, _ id: TileID) {
    self.index = index
    scale = Double(UInt64(1) << UInt64(id.z))
    extent = Double(index.options.extent)
    originY = Double(id.y)
    keys = index.data.keys
    for name in ["cluster", "cluster_id", "point_count", "point_count_abbreviated"] + index.propertyNames {
      if let known = keys.firstIndex(of: name) {
        clusterKeys.append(UInt32(known))
      } else {
        clusterKeys.append(UInt32(keys.count))
        keys.append(name)
      }
    }
    tagStarts.append(0)
  }

  mutating func add(_ ref: UInt32, originX: Double) {
    var id: UInt64?
    let place: SIMD2<Double>
    if index.isCluster(ref) {
      let row = index.rows[Int(ref) - index.sources.count]
      place = SIMD2(row.x, row.y)
      id = UInt64(row.id)
      addTags(row)
    } else {
      let source = Int(index.sources[Int(ref)])
      place = index.place(ref)
      id = index.options.generateId ? UInt64(ref) : tileFeatureID(index.data.ids[source])
      for tag in Int(index.data.tagStarts[source])..<Int(index.data.tagStarts[source + 1]) {
        addTag(index.data.tagKeys[tag], index.data.tagValues[tag])
      }
    }
    func unit(_ value: Double, _ origin: Double) -> Int32 {
      Int32(saturating: max(-0x1p30, min(0x1p30, (extent * (value * scale - origin) + 0.5).rounded(.down))))
    }
    points.append(SIMD2(unit(place.x, originX), unit(place.y, originY)))
    ids.append(id ?? 0)
    hasID.append(id == nil ? 0 : 1)
    tagStarts.append(UInt32(tags.count))
  }

  @inline(__always) private mutating func addTag(_ key: UInt32, _ value: TileValue) {
    tags.append(SIMD2(key, UInt32(values.count)))
    values.append(value)
  }

  private func text(_ text: String) -> TileValue {
    var text = text
    return text.withUTF8 { .string(pool.copy($0)) }
  }

  private mutating func addTags(_ row: ClusterRow) {
    if row.properties >= 0 {
      let names = index.propertyNames.count
      for property in 0..<names {
        let value: TileValue =
          switch index.accumulated[Int(row.properties) * names + property] {
          case .null: .null
          case .bool(let value): .bool(value)
          case .number(let value): .double(value)
          case .string(let value): text(value)
          }
        addTag(clusterKeys[4 + property], value)
      }
    }
    addTag(clusterKeys[0], .bool(true))
    addTag(clusterKeys[1], .uint(UInt64(row.id)))
    addTag(clusterKeys[2], .uint(UInt64(row.pointCount)))
    addTag(
      clusterKeys[3],
      ClusterIndex.abbreviated(Int(row.pointCount)).map { text($0) } ?? .uint(UInt64(row.pointCount)))
  }

  consuming func build() -> TileLayer? {
    let count = points.count
    guard count > 0 else { return nil }
    var types = GrowingBuffer<UInt8>(capacity: count)
    var starts = GrowingBuffer<UInt32>(capacity: count + 1)
    for feature in 0..<count {
      types.append(GeometryType.point.rawValue)
      starts.append(UInt32(feature))
    }
    starts.append(UInt32(count))
    assert(tagStarts.count == count + 1 && ids.count == count, "a feature was not completed")
    let valueCount = values.count
    // Each feature has one part and each part one point: the same numbers serve both columns.
    let shared = owner.own(starts)
    var storage = TileLayer.Storage(
      types: owner.own(types), partStarts: shared, pointStarts: shared, points: owner.own(points),
      values: owner.own(values),
      tagStarts: owner.own(tagStarts), tags: owner.own(tags))
    (storage.featureCount, storage.partCount, storage.pointCount, storage.valueCount) = (
      count, count, count, valueCount
    )
    storage.name = geoJSONLayerName
    storage.extent = UInt32(index.options.extent)
    storage.keys = keys
    storage.ids = owner.own(ids)
    storage.hasID = owner.own(hasID)
    storage.owners = [owner, pool, index.data]
    return TileLayer(storage)
  }
}
