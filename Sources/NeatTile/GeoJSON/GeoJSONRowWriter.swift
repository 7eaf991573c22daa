import NeatBase

/// Puts a changed document together: rows of the old one in bulk, others one by one.
struct GeoJSONRowWriter: ~Copyable {
  private var columns = GeoJSONColumns()
  private let data: GeoJSONData
  private let diff: GeoJSONDiff
  private var numbers: [String: UInt32] = [:]
  private var addedKeys: [UInt32] = []
  private var updatedKeys: [UInt32] = []
  /// Sets of strings that one document may share before they are copied into one.
  private static let poolLimit = 64

  init(_ data: GeoJSONData, _ diff: GeoJSONDiff) {
    self.data = data
    self.diff = diff
    columns.keys = data.keys
    for (number, key) in data.keys.enumerated() { numbers[key] = UInt32(number) }
    for key in diff.added.keys { addedKeys.append(number(key)) }
    for key in diff.updated.keys { updatedKeys.append(number(key)) }
  }

  private mutating func number(_ key: String) -> UInt32 {
    if let known = numbers[key] { return known }
    let number = UInt32(columns.keys.count)
    numbers[key] = number
    columns.keys.append(key)
    return number
  }

  /// Rows of the old document as they are.
  mutating func copy(_ source: GeoJSONData, _ rows: Range<Int>) {
    assert(rows.lowerBound >= 0 && rows.upperBound <= source.featureCount, "rows that the document lacks")
    columns.ids.append(source.ids + rows.lowerBound, count: rows.count)
    columns.hasProperties.append(source.hasProperties + rows.lowerBound, count: rows.count)
    let tags = Int(source.tagStarts[rows.lowerBound])..<Int(source.tagStarts[rows.upperBound])
    columns.tagStarts.append(
      source.tagStarts + rows.lowerBound + 1, rows.count, moved: columns.tagKeys.count - tags.lowerBound)
    columns.tagKeys.append(source.tagKeys + tags.lowerBound, count: tags.count)
    columns.tagValues.append(source.tagValues + tags.lowerBound, count: tags.count)
    copyGeometry(source, rows)
  }

  private mutating func copyGeometry(_ source: GeoJSONData, _ rows: Range<Int>) {
    let geometries = Int(source.geometryStarts[rows.lowerBound])..<Int(source.geometryStarts[rows.upperBound])
    let parts = Int(source.partStarts[geometries.lowerBound])..<Int(source.partStarts[geometries.upperBound])
    let points = Int(source.pointStarts[parts.lowerBound])..<Int(source.pointStarts[parts.upperBound])
    let geometryMove = columns.geometryTypes.count - geometries.lowerBound
    let partMove = columns.partIsOuter.count - parts.lowerBound
    let pointMove = columns.points.count - points.lowerBound
    columns.geometryStarts.append(
      source.geometryStarts + rows.lowerBound + 1, rows.count, moved: geometryMove)
    columns.geometryTypes.append(source.geometryTypes + geometries.lowerBound, count: geometries.count)
    columns.partStarts.append(
      source.partStarts + geometries.lowerBound + 1, geometries.count, moved: partMove)
    columns.partIsOuter.append(source.partIsOuter + parts.lowerBound, count: parts.count)
    columns.pointStarts.append(source.pointStarts + parts.lowerBound + 1, parts.count, moved: pointMove)
    columns.points.append(source.points + points.lowerBound, count: points.count)
  }

  /// A row of a feature that went.
  mutating func appendNothing() {
    columns.ids.append(.null)
    columns.hasProperties.append(0)
    columns.tagStarts.append(UInt32(columns.tagKeys.count))
    columns.geometryStarts.append(UInt32(columns.geometryTypes.count))
  }

  /// A row of the old document or of what is added, with some updates.
  mutating func append(_ source: GeoJSONData, _ row: Int, _ updates: [Int]) throws(NeatError) {
    let isAdded = source === diff.added
    var tags: [(key: UInt32, value: TileValue)] =
      (Int(source.tagStarts[row])..<Int(source.tagStarts[row + 1])).map { tag in
        (isAdded ? addedKeys[Int(source.tagKeys[tag])] : source.tagKeys[tag], source.tagValues[tag])
      }
    var geometry = (source, row)
    var hasProperties = source.hasProperties[row]
    // Where each property is; kept only while there are many to look up.
    var places: [UInt32: Int]?
    for number in updates {
      let update = diff.updates[number]
      if update.hasGeometry { geometry = (diff.updated, number) }
      if update.removesAllProperties || !update.removedProperties.isEmpty { places = nil }
      if update.removesAllProperties { tags.removeAll() }
      if !update.removedProperties.isEmpty {
        tags.removeAll { update.removedProperties.contains(columns.keys[Int($0.key)]) }
      }
      let set = Int(diff.updated.tagStarts[number])..<Int(diff.updated.tagStarts[number + 1])
      guard !set.isEmpty else { continue }
      hasProperties = 1
      // Of repeated keys the last one counts.
      if places == nil && updates.count * set.count > 16 {
        places = Dictionary(tags.enumerated().map { ($1.key, $0) }) { $1 }
      }
      for tag in set {
        let key = updatedKeys[Int(diff.updated.tagKeys[tag])]
        let value = diff.updated.tagValues[tag]
        if let known = places.map({ $0[key] }) ?? tags.lastIndex(where: { $0.key == key }) {
          tags[known].value = value
        } else {
          places?[key] = tags.count
          tags.append((key, value))
        }
      }
    }
    columns.ids.append(source.ids[row])
    columns.hasProperties.append(hasProperties)
    for tag in tags {
      columns.tagKeys.append(tag.key)
      columns.tagValues.append(tag.value)
    }
    columns.tagStarts.append(UInt32(columns.tagKeys.count))
    copyGeometry(geometry.0, geometry.1..<geometry.1 + 1)
  }

  consuming func finish() throws(NeatError) -> GeoJSONData {
    let limit = GeoJSONLimits().maxCount
    guard max(columns.points.count, columns.tagKeys.count, columns.ids.count) <= limit else {
      throw NeatError(.limitExceeded, "more than \(limit) features, points or properties")
    }
    var pools = data.pools
    for part in [diff.added, diff.updated] where part.tagCount > 0 || part.featureCount > 0 {
      pools += part.pools
    }
    if pools.count > GeoJSONRowWriter.poolLimit {
      // Strings of what went long ago would be kept for ever.
      for tag in 0..<columns.tagValues.count {
        columns.tagValues[tag] = columns.tagValues[tag].copied(columns.pool)
      }
      for row in 0..<columns.ids.count { columns.ids[row] = columns.ids[row].copied(columns.pool) }
      pools = []
    }
    return GeoJSONData(columns, sharing: pools)
  }
}

extension TileValue {
  /// The value with bytes of its own, where it has any.
  fileprivate func copied(_ pool: StringPool) -> TileValue {
    switch kind {
    case .string: .string(pool.copy(bytes))
    case .json: .json(pool.copy(bytes))
    default: self
    }
  }
}

extension GrowingBuffer where Element == UInt32 {
  /// Appends numbers that are that much greater.
  fileprivate mutating func append(_ source: UnsafePointer<UInt32>, _ count: Int, moved: Int) {
    let target = reserve(count)
    assert(count == 0 || Int(source[0]) + moved >= 0, "a start before the first")
    for index in 0..<count { target[index] = UInt32(Int(source[index]) + moved) }
    advance(count)
  }
}
