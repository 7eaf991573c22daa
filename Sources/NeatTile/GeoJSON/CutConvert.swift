import NeatBase

// From longitude and latitude to the unit square, with the importance of every point for simplification: what geojson-vt's convert does.

enum CutConvert {
  @inline(__always) static func x(_ lon: Double) -> Double { lon / 360 + 0.5 }

  @inline(__always) static func y(_ lat: Double) -> Double {
    let sine = sin(lat * .pi / 180)
    let y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / .pi
    return y < 0 ? 0 : y > 1 ? 1 : y
  }

  /// Projects the features of a document that `include` takes (all where nil).
  static func features(_ data: GeoJSONData, _ options: GeoJSONTileOptions, include: ((Int) -> Bool)?) -> CutList {
    let store = CutStore()
    let points = store.reserve(CutPoint.self, data.pointCount)
    store.keep(CutPoint.self, data.pointCount)
    let parts = store.reserve(CutPart.self, data.partCount)
    store.keep(CutPart.self, data.partCount)
    var features = Column<CutFeature>(capacity: max(1, data.geometryCount))
    let fullTolerance = options.tolerance / (Double(1 << options.maxZoom) * Double(options.extent))
    let tolerance = fullTolerance * fullTolerance
    var stack: [(Int, Int)] = []
    for feature in 0..<data.featureCount {
      if let include, !include(feature) { continue }
      for geometry in Int(data.geometryStarts[feature])..<Int(data.geometryStarts[feature + 1]) {
        let type = GeoJSONGeometryType(rawValue: data.geometryTypes[geometry])!
        let range = Int(data.partStarts[geometry])..<Int(data.partStarts[geometry + 1])
        for part in range { parts[part] = convert(data, part, type, points, tolerance, &stack) }
        if options.lineMetrics && type == .multiLineString {
          // Each line is measured by itself.
          for part in range { features.append(CutFeature(type: .lineString, source: UInt32(feature), parts: parts + part, partCount: 1)) }
        } else {
          features.append(CutFeature(type: type, source: UInt32(feature), parts: parts + range.lowerBound, partCount: range.count))
        }
      }
    }
    return CutList(features, stores: [store])
  }

  private static func convert(
    _ data: GeoJSONData, _ part: Int, _ type: GeoJSONGeometryType, _ target: UnsafeMutablePointer<CutPoint>, _ tolerance: Double,
    _ stack: inout [(Int, Int)]
  ) -> CutPart {
    let first = Int(data.pointStarts[part])
    let count = Int(data.pointStarts[part + 1]) - first
    let source = data.points + first
    let out = target + first
    for index in 0..<count { out[index] = CutPoint(x: x(source[index].x), y: y(source[index].y), importance: 0) }
    var size = 0.0
    switch type {
    case .point, .multiPoint: break
    case .polygon, .multiPolygon:
      for index in 1..<max(1, count) { size += (out[index - 1].x * out[index].y - out[index].x * out[index - 1].y) / 2 }
    case .lineString, .multiLineString:
      for index in 1..<max(1, count) {
        let dx = out[index].x - out[index - 1].x
        let dy = out[index].y - out[index - 1].y
        size += (dx * dx + dy * dy).squareRoot()
      }
    }
    size = abs(size)
    if type != .point && type != .multiPoint {
      out[0].importance = 1
      if tolerance > 0 { simplify(out, count, tolerance, &stack) }
      out[count - 1].importance = 1
    }
    return CutPart(points: UnsafePointer(out), count: Int32(count), isOuter: data.partIsOuter[part] != 0, size: size, start: 0, end: size)
  }

  /// Douglas-Peucker that remembers, for each point it would split at, the squared distance; points below the tolerance keep 0.
  private static func simplify(_ points: UnsafeMutablePointer<CutPoint>, _ count: Int, _ tolerance: Double, _ stack: inout [(Int, Int)]) {
    stack.removeAll(keepingCapacity: true)
    if count > 2 { stack.append((0, count - 1)) }
    while let (first, last) = stack.popLast() {
      var farthest = tolerance
      var index = -1
      // In thirds of a point, as geojson-vt counts: among equally far points the one nearest the middle is taken.
      let middle = 3 * first + ((3 * (last - first)) >> 1)
      var nearest = 3 * (last - first)
      let ax = points[first].x, ay = points[first].y
      let bx = points[last].x, by = points[last].y
      let dx = bx - ax, dy = by - ay
      let squared = dx * dx + dy * dy
      for candidate in first + 1..<last {
        let px = points[candidate].x, py = points[candidate].y
        var ex = px - ax, ey = py - ay
        if dx != 0 || dy != 0 {
          let t = (ex * dx + ey * dy) / squared
          if t > 1 {
            ex = px - bx
            ey = py - by
          } else if t > 0 {
            ex = px - (ax + dx * t)
            ey = py - (ay + dy * t)
          }
        }
        let distance = ex * ex + ey * ey
        if distance > farthest {
          index = candidate
          farthest = distance
        } else if distance == farthest {
          let off = abs(3 * candidate - middle)
          if off < nearest {
            index = candidate
            nearest = off
          }
        }
      }
      guard farthest > tolerance else { continue }
      points[index].importance = farthest
      if index - first > 1 { stack.append((first, index)) }
      if last - index > 1 { stack.append((index, last)) }
    }
  }
}
