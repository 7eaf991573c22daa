import NeatBase

extension GeoJSONData {
  /// A document of some features of this one and all of another, in this order: what a partial update of a source comes to.
  /// Strings are shared, everything else is copied. Throws `limitExceeded` where the result is too large.
  package func merging(_ added: GeoJSONData, keeping keep: (Int) -> Bool = { _ in true }) throws(NeatError) -> GeoJSONData {
    let limit = GeoJSONLimits().maxCount
    guard max(pointCount + added.pointCount, tagCount + added.tagCount, featureCount + added.featureCount) <= limit else {
      throw NeatError(.limitExceeded, "more than \(limit) features, points or properties")
    }
    var columns = GeoJSONColumns()
    columns.keys = keys
    for feature in 0..<featureCount where keep(feature) { columns.append(self, feature, keyNumbers: nil) }
    var numbers: [String: UInt32] = [:]
    for (number, key) in keys.enumerated() { numbers[key] = UInt32(number) }
    var renumbered: [UInt32] = []
    for key in added.keys {
      if numbers[key] == nil {
        numbers[key] = UInt32(columns.keys.count)
        columns.keys.append(key)
      }
      renumbered.append(numbers[key]!)
    }
    for feature in 0..<added.featureCount { columns.append(added, feature, keyNumbers: renumbered) }
    return GeoJSONData(columns, sharing: pools + added.pools)
  }

  /// The numbers of the features whose id, or whose property `promoted`, is one of those given; strings and numbers are told apart.
  package func features(withIDs ids: Set<GeoJSONID>, promoted: String? = nil) -> [Int] {
    let key = promoted.map { keyIndex($0) ?? -1 }
    return (0..<featureCount).filter { feature in
      let value = key.map { self.value(feature: feature, key: $0) ?? .null } ?? self.ids[feature]
      return GeoJSONID(value).map { ids.contains($0) } ?? false
    }
  }
}

/// The identity of a feature: a number or a string.
package enum GeoJSONID: Hashable, Sendable {
  case number(Double)
  case string(String)

  /// Nil for a value that is neither.
  package init?(_ value: TileValue) {
    if let number = value.number {
      self = .number(number)
    } else if value.kind == .string {
      self = .string(value.text)
    } else {
      return nil
    }
  }
}

extension GeoJSONColumns {
  /// Copies one feature of a document, its keys renumbered where numbers are given.
  fileprivate mutating func append(_ data: GeoJSONData, _ feature: Int, keyNumbers: [UInt32]?) {
    ids.append(data.ids[feature])
    hasProperties.append(data.hasProperties[feature])
    for tag in Int(data.tagStarts[feature])..<Int(data.tagStarts[feature + 1]) {
      tagKeys.append(keyNumbers.map { $0[Int(data.tagKeys[tag])] } ?? data.tagKeys[tag])
      tagValues.append(data.tagValues[tag])
    }
    tagStarts.append(UInt32(tagKeys.count))
    for geometry in Int(data.geometryStarts[feature])..<Int(data.geometryStarts[feature + 1]) {
      for part in Int(data.partStarts[geometry])..<Int(data.partStarts[geometry + 1]) {
        for point in Int(data.pointStarts[part])..<Int(data.pointStarts[part + 1]) { points.append(data.points[point]) }
        pointStarts.append(UInt32(points.count))
        partIsOuter.append(data.partIsOuter[part])
      }
      geometryTypes.append(data.geometryTypes[geometry])
      partStarts.append(UInt32(partIsOuter.count))
    }
    geometryStarts.append(UInt32(geometryTypes.count))
  }
}
