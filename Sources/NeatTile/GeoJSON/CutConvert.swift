import NeatBase

// From longitude and latitude to the unit square, with the importance of every point for simplification: what
// geojson-vt's convert does.

enum CutConvert {
  @inline(__always) static func x(_ lon: Double) -> Double { lon / 360 + 0.5 }

  @inline(__always) static func y(_ lat: Double) -> Double {
    let sine = sin(lat * .pi / 180)
    let y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi
    return y < 0 ? 0 : y > 1 ? 1 : y
  }

  /// Projects the features of a document that `include` takes (all where nil).
  static func features(_ data: GeoJSONData, _ options: GeoJSONTileOptions, include: ((Int) -> Bool)?)
    -> CutList
  {
    let store = CutStore()
    let points = store.reserve(SIMD2<Double>.self, data.pointCount)
    store.keep(SIMD2<Double>.self, data.pointCount)
    let levels = store.reserveLevels(data.pointCount)
    store.keepLevels(data.pointCount)
    let parts = store.reserve(CutPart.self, data.partCount)
    store.keep(CutPart.self, data.partCount)
    return features(
      data, 0..<data.featureCount, options, include, CutConverter(data, CutLevels(options), points, levels),
      parts, store)
  }

  /// Projects a few features of a document, in memory of their own size.
  static func features(
    _ data: GeoJSONData, rows: [Int], _ options: GeoJSONTileOptions, include: ((Int) -> Bool)?
  ) -> CutList {
    var all = GrowingBuffer<CutFeature>(capacity: max(1, rows.count))
    var stores: [CutStore] = []
    for row in rows {
      let parts =
        Int(
          data.partStarts[Int(data.geometryStarts[row])])..<Int(
          data.partStarts[Int(data.geometryStarts[row + 1])])
      let first = Int(data.pointStarts[parts.lowerBound])
      let count = Int(data.pointStarts[parts.upperBound]) - first
      let store = stores.last ?? CutStore()
      if stores.isEmpty { stores.append(store) }
      let points = store.reserve(SIMD2<Double>.self, count)
      store.keep(SIMD2<Double>.self, count)
      let levels = store.reserveLevels(count)
      store.keepLevels(count)
      let partSpace = store.reserve(CutPart.self, parts.count)
      store.keep(CutPart.self, parts.count)
      // The converter and the loop count points and parts from the document's first.
      let converter = CutConverter(data, CutLevels(options), points - first, levels - first)
      let list = features(
        data, row..<row + 1, options, include, converter, partSpace - parts.lowerBound, store)
      for index in 0..<list.count { all.append(list.features[index]) }
    }
    return CutList(all, stores: stores)
  }

  private static func features(
    _ data: GeoJSONData, _ rows: Range<Int>, _ options: GeoJSONTileOptions, _ include: ((Int) -> Bool)?,
    _ converter: CutConverter,
    _ parts: UnsafeMutablePointer<CutPart>, _ store: CutStore
  ) -> CutList {
    var converter = converter
    var features = GrowingBuffer<CutFeature>(capacity: max(1, rows.count))
    for feature in rows {
      if let include, !include(feature) { continue }
      for geometry in Int(data.geometryStarts[feature])..<Int(data.geometryStarts[feature + 1]) {
        let type = GeoJSONGeometryType(rawValue: data.geometryTypes[geometry])!
        let range = Int(data.partStarts[geometry])..<Int(data.partStarts[geometry + 1])
        assert(range.upperBound <= data.partCount, "parts that the document lacks")
        for part in range { parts[part] = converter.convert(part, type) }
        if options.lineMetrics && type == .multiLineString {
          // Each line is measured by itself.
          for part in range {
            features.append(
              CutFeature(type: .lineString, source: UInt32(feature), parts: parts + part, partCount: 1))
          }
        } else {
          features.append(
            CutFeature(
              type: type, source: UInt32(feature), parts: parts + range.lowerBound, partCount: range.count))
        }
      }
    }
    return CutList(features, stores: [store])
  }
}

/// Projects the parts of a document one by one.
private struct CutConverter {
  private let data: GeoJSONData
  private let points: UnsafeMutablePointer<SIMD2<Double>>
  private let pointLevels: UnsafeMutablePointer<UInt8>
  private let levels: CutLevels
  private var simplify: CutSimplify

  init(
    _ data: GeoJSONData, _ levels: CutLevels, _ points: UnsafeMutablePointer<SIMD2<Double>>,
    _ pointLevels: UnsafeMutablePointer<UInt8>
  ) {
    self.data = data
    self.points = points
    self.pointLevels = pointLevels
    self.levels = levels
    simplify = CutSimplify(levels)
  }

  mutating func convert(_ part: Int, _ type: GeoJSONGeometryType) -> CutPart {
    let first = Int(data.pointStarts[part])
    let count = Int(data.pointStarts[part + 1]) - first
    let source = data.points + first
    let out = points + first
    let level = pointLevels + first
    for index in 0..<count {
      out[index] = SIMD2(CutConvert.x(source[index].x), CutConvert.y(source[index].y))
    }
    level.update(repeating: levels.deepest, count: count)
    var size = 0.0
    switch type {
    case .point, .multiPoint: break
    case .polygon, .multiPolygon:
      for index in 1..<max(1, count) {
        size += (out[index - 1].x * out[index].y - out[index].x * out[index - 1].y) / 2
      }
    case .lineString, .multiLineString:
      for index in 1..<max(1, count) {
        let d = out[index] - out[index - 1]
        size += (d.x * d.x + d.y * d.y).squareRoot()
      }
    }
    size = abs(size)
    if type != .point && type != .multiPoint {
      simplify.run(out, count, level)
      level[0] = levels.ends
      level[count - 1] = levels.ends
    }
    return CutPart(
      points: UnsafePointer(out), levels: UnsafePointer(level), count: Int32(count),
      isOuter: data.partIsOuter[part] != 0, size: size,
      start: 0,
      end: size)
  }
}
