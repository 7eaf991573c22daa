import NeatBase

/// Builds the layer of one tile: drops the points that do not matter at its zoom, rounds to tile units, winds
/// rings as `TileLayer` says. Property values are borrowed from the document.
struct CutTileBuilder: ~Copyable {
  private let data: GeoJSONData
  private let options: GeoJSONTileOptions
  private let scale, tileX, tileY, extent, tolerance: Double
  private let zoom: UInt8
  /// Keeps the closing point of rings, as geojson-vt writes them.
  private let keepsClosing: Bool

  /// What is added to the x of the feature at hand.
  private var shift = 0.0
  private var types = GrowingBuffer<UInt8>()
  private var partStarts = GrowingBuffer<UInt32>()
  private var pointStarts = GrowingBuffer<UInt32>()
  private var points = GrowingBuffer<SIMD2<Int32>>(capacity: 256)
  private var ids = GrowingBuffer<UInt64>()
  private var hasID = GrowingBuffer<UInt8>()
  private var anyID = false
  private var tagStarts = GrowingBuffer<UInt32>()
  private var tags = GrowingBuffer<SIMD2<UInt32>>()
  private var values = GrowingBuffer<TileValue>()
  /// Numbers, in the document, of the features that made it.
  private(set) var sources: [UInt32] = []
  private var keys: [String]
  private let promoted: Int?
  private let owner = ColumnOwner()

  init(_ data: GeoJSONData, _ options: GeoJSONTileOptions, _ id: TileID, keepsClosing: Bool = false) {
    self.data = data
    self.options = options
    self.keepsClosing = keepsClosing
    scale = Double(UInt64(1) << UInt64(id.z))
    zoom = id.z
    tileX = Double(id.x)
    tileY = Double(id.y)
    extent = Double(options.extent)
    tolerance = Int(id.z) == options.maxZoom ? 0 : options.tolerance / (scale * extent)
    keys = data.keys
    if options.lineMetrics { keys += ["mapbox_clip_start", "mapbox_clip_end"] }
    promoted = options.promoteId.flatMap { data.keyIndex($0) }
    partStarts.append(0)
    pointStarts.append(0)
    tagStarts.append(0)
  }

  mutating func add(_ list: CutList) {
    for index in 0..<list.count { add(list.features[index]) }
  }

  mutating func add(_ feature: CutFeature) {
    let firstPart = pointStarts.count
    shift = Double(feature.shift)
    switch feature.type {
    case .point, .multiPoint: addPoints(feature.parts[0])
    case .lineString, .multiLineString:
      for part in 0..<Int(feature.partCount) { addLine(feature.parts[part]) }
    case .polygon, .multiPolygon:
      for part in 0..<Int(feature.partCount) { addRing(feature.parts[part]) }
    }
    guard pointStarts.count > firstPart else { return }
    assert(types.count == sources.count, "a feature without its number")
    partStarts.append(UInt32(pointStarts.count - 1))
    types.append(feature.type.tileType.rawValue)
    sources.append(feature.source)
    let source = Int(feature.source)
    for tag in Int(data.tagStarts[source])..<Int(data.tagStarts[source + 1]) {
      tags.append(SIMD2(data.tagKeys[tag], UInt32(values.count)))
      values.append(data.tagValues[tag])
    }
    if options.lineMetrics && feature.type == .lineString {
      let line = feature.parts[0]
      addNumber(line.size > 0 ? line.start / line.size : 0, key: data.keys.count)
      addNumber(line.size > 0 ? line.end / line.size : 1, key: data.keys.count + 1)
    }
    tagStarts.append(UInt32(tags.count))
    let number = tileFeatureID(rawID(source))
    ids.append(number ?? 0)
    hasID.append(number == nil ? 0 : 1)
    anyID = anyID || number != nil
  }

  /// The id of a feature under the options: promoted, generated, or its own.
  func rawID(_ source: Int) -> TileValue {
    if options.promoteId != nil { return promoted.flatMap { data.value(feature: source, key: $0) } ?? .null }
    return options.generateId ? .uint(UInt64(source)) : data.ids[source]
  }

  private mutating func addNumber(_ number: Double, key: Int) {
    tags.append(SIMD2(UInt32(key), UInt32(values.count)))
    values.append(.double(number))
  }

  /// Tile units from the unit square, rounded half up; far outside values are held at 2^30.
  @inline(__always) private func unit(_ value: Double, _ origin: Double) -> Int32 {
    Int32(saturating: max(-0x1p30, min(0x1p30, (extent * (value * scale - origin) + 0.5).rounded(.down))))
  }

  @inline(__always) private func place(_ point: SIMD2<Double>) -> SIMD2<Int32> {
    SIMD2(unit(point.x + shift, tileX), unit(point.y, tileY))
  }

  private mutating func endPart() { pointStarts.append(UInt32(points.count)) }

  private mutating func addPoints(_ part: CutPart) {
    for index in 0..<Int(part.count) { points.append(place(part.points[index])) }
    if part.count > 0 { endPart() }
  }

  private mutating func addLine(_ part: CutPart) {
    if tolerance > 0 && part.size < tolerance { return }
    let out = points.reserve(Int(part.count))
    var kept = 0
    for index in 0..<Int(part.count) where part.levels[index] <= zoom {
      out[kept] = place(part.points[index])
      kept += 1
    }
    points.advance(kept)
    endPart()
  }

  private mutating func addRing(_ part: CutPart) {
    if tolerance > 0 && part.size < tolerance * tolerance { return }
    let source = part.points
    var last = Int(part.count) - 1
    while last >= 0 && part.levels[last] > zoom { last -= 1 }
    let out = points.reserve(Int(part.count))
    var kept = 0
    // Twice the area, negative where the ring turns as outer rings do (y down); of the points kept, before
    // rounding.
    var area = 0.0
    var previous = source[max(0, last)]
    for index in 0..<last + 1 where part.levels[index] <= zoom {
      let point = source[index]
      area += ((point.x + shift) - (previous.x + shift)) * (point.y + previous.y)
      previous = point
      out[kept] = place(point)
      kept += 1
    }
    if (area > 0) == part.isOuter {
      var low = 0, high = kept - 1
      while low < high {
        swap(&out[low], &out[high])
        low += 1
        high -= 1
      }
    }
    if !keepsClosing && kept > 1 && out[0] == out[kept - 1] { kept -= 1 }
    points.advance(kept)
    endPart()
  }

  /// The layer, or nil where no feature was large enough.
  consuming func build() -> TileLayer? {
    guard types.count > 0 else { return nil }
    assert(tagStarts.count == types.count + 1 && partStarts.count == types.count + 1, "a start is missing")
    assert(ids.count == types.count && hasID.count == types.count, "an id is missing")
    let counts = (types.count, pointStarts.count - 1, points.count, values.count)
    var storage = TileLayer.Storage(
      types: owner.own(types), partStarts: owner.own(partStarts), pointStarts: owner.own(pointStarts),
      points: owner.own(points),
      values: owner.own(values), tagStarts: owner.own(tagStarts), tags: owner.own(tags))
    (storage.featureCount, storage.partCount, storage.pointCount, storage.valueCount) = counts
    storage.name = geoJSONLayerName
    storage.extent = UInt32(options.extent)
    storage.keys = keys
    if anyID {
      storage.ids = owner.own(ids)
      storage.hasID = owner.own(hasID)
    }
    storage.owners = [owner, data]
    return TileLayer(storage)
  }
}
