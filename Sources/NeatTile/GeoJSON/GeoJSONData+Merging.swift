import NeatBase
import NeatJSON

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

/// The identity of a feature: a number or a string. Whole numbers are told apart to the last digit; 1 and 1.0 are the same.
package enum GeoJSONID: Hashable, Sendable {
  case uint(UInt64)
  /// Below 0.
  case int(Int64)
  /// Not whole, or past the integers.
  case number(Double)
  case string(String)

  package init(_ number: Double) {
    if let whole = UInt64(exactly: number) {
      self = .uint(whole)
    } else if let whole = Int64(exactly: number) {
      self = .int(whole)
    } else {
      self = .number(number)
    }
  }

  /// Nil for a value that is neither.
  package init?(_ value: TileValue) {
    switch value.kind {
    case .uint: self = .uint(value.bits)
    case .int: self = value.intValue >= 0 ? .uint(UInt64(value.intValue)) : .int(value.intValue)
    case .string: self = .string(value.text)
    default:
      guard let number = value.number else { return nil }
      self.init(number)
    }
  }

  /// Nil for a value that is neither number nor text.
  init?(_ json: JSON) {
    if let text = json.string {
      self = .string(text)
      return
    }
    guard let number = json.number else { return nil }
    let digits = json.sourceText
    if let whole = UInt64(digits) {
      self = .uint(whole)
    } else if let whole = Int64(digits), whole < 0 {
      self = .int(whole)
    } else {
      self.init(number)
    }
  }

  var text: String {
    switch self {
    case .uint(let number): String(number)
    case .int(let number): String(number)
    case .number(let number): formatNumber(number)
    case .string(let text): "\"\(text)\""
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
