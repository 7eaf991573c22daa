import NeatBase

// Cuts features to the stripe k1...k2 along one axis (Sutherland-Hodgman against two parallel lines): what geojson-vt's clip does.
// A feature wholly inside is taken as it is, without a copy; a polygon's ring stays one ring, a line falls into pieces.

struct CutClip {
  let k1, k2: Double
  /// 0 for x, 1 for y.
  let axis: Int
  let lineMetrics: Bool

  /// What of `list` lies in `k1...k2` (divided by `scale`), or nil where nothing does; `list` itself where everything does.
  static func clip(_ list: CutList, scale: Double, _ k1: Double, _ k2: Double, axis: Int, _ lineMetrics: Bool, all: (Double, Double)? = nil)
    -> CutList?
  {
    let clip = CutClip(k1: k1 / scale, k2: k2 / scale, axis: axis, lineMetrics: lineMetrics)
    let (low, high) = all ?? (axis == 0 ? (list.minX, list.maxX) : (list.minY, list.maxY))
    if low >= clip.k1 && high < clip.k2 { return list }
    if high < clip.k1 || low >= clip.k2 { return nil }
    return clip.run(list)
  }

  private func run(_ list: CutList) -> CutList? {
    var result = Column<CutFeature>(capacity: 16)
    let store = CutStore()
    var used = false
    for index in 0..<list.count {
      let feature = list.features + index
      let low = axis == 0 ? feature.pointee.minX : feature.pointee.minY
      let high = axis == 0 ? feature.pointee.maxX : feature.pointee.maxY
      if low >= k1 && high < k2 {
        result.append(feature.pointee)
      } else if !(high < k1 || low >= k2) {
        used = true
        cut(feature.pointee, &result, store)
      }
    }
    guard result.count > 0 else { return nil }
    return CutList(result, stores: used ? list.stores + [store] : list.stores)
  }

  private func cut(_ feature: CutFeature, _ result: inout Column<CutFeature>, _ store: CutStore) {
    withUnsafeTemporaryAllocation(of: CutPart.self, capacity: partBound(feature)) { pieces in
      var count = 0
      switch feature.type {
      case .point, .multiPoint: cutPoints(feature.parts[0], pieces, &count, store)
      case .lineString, .multiLineString:
        let track = lineMetrics && feature.type == .lineString
        for part in 0..<Int(feature.partCount) { cutLine(feature.parts[part], pieces, &count, store, track: track) }
      case .polygon, .multiPolygon:
        var opens = false
        for part in 0..<Int(feature.partCount) {
          opens = opens || feature.parts[part].isOuter
          let before = count
          cutRing(feature.parts[part], pieces, &count, store)
          // Where the outer ring is cut away, the first ring left stands in its place.
          if count > before {
            pieces[before].isOuter = opens
            opens = false
          }
        }
      }
      guard count > 0 else { return }
      let parts = store.reserve(CutPart.self, count)
      parts.update(from: pieces.baseAddress!, count: count)
      store.keep(CutPart.self, count)
      if lineMetrics && feature.type == .lineString {
        for piece in 0..<count { result.append(CutFeature(type: .lineString, source: feature.source, parts: parts + piece, partCount: 1)) }
        return
      }
      var type = feature.type
      switch type {
      case .point, .multiPoint: type = parts[0].count == 1 ? .point : .multiPoint
      case .lineString, .multiLineString: type = count == 1 ? .lineString : .multiLineString
      case .polygon, .multiPolygon: break
      }
      result.append(CutFeature(type: type, source: feature.source, parts: parts, partCount: count))
    }
  }

  /// The most parts a cut feature can have: a line leaves the stripe at most once a segment.
  private func partBound(_ feature: CutFeature) -> Int {
    switch feature.type {
    case .lineString, .multiLineString: feature.pointCount + Int(feature.partCount)
    default: Int(feature.partCount)
    }
  }

  @inline(__always) private func value(_ point: CutPoint) -> Double { axis == 0 ? point.x : point.y }

  private func cutPoints(_ part: CutPart, _ pieces: UnsafeMutableBufferPointer<CutPart>, _ count: inout Int, _ store: CutStore) {
    let out = store.reserve(CutPoint.self, Int(part.count))
    var kept = 0
    for index in 0..<Int(part.count) {
      let a = value(part.points[index])
      if a >= k1 && a <= k2 {
        out[kept] = part.points[index]
        kept += 1
      }
    }
    emit(part, out, kept, start: part.start, end: part.end, pieces, &count, store)
  }

  private func emit(
    _ part: CutPart, _ out: UnsafeMutablePointer<CutPoint>, _ kept: Int, start: Double, end: Double,
    _ pieces: UnsafeMutableBufferPointer<CutPart>, _ count: inout Int, _ store: CutStore
  ) {
    guard kept > 0 else { return }
    store.keep(CutPoint.self, kept)
    pieces[count] = CutPart(points: UnsafePointer(out), count: Int32(kept), isOuter: part.isOuter, size: part.size, start: start, end: end)
    count += 1
  }

  /// Where the segment meets the line at `k`, and how far along it that is.
  @inline(__always) private func meet(_ a: CutPoint, _ b: CutPoint, _ k: Double) -> (CutPoint, Double) {
    if axis == 0 {
      let t = (k - a.x) / (b.x - a.x)
      return (CutPoint(x: k, y: a.y + (b.y - a.y) * t, importance: 1), t)
    }
    let t = (k - a.y) / (b.y - a.y)
    return (CutPoint(x: a.x + (b.x - a.x) * t, y: k, importance: 1), t)
  }

  private func cutRing(_ part: CutPart, _ pieces: UnsafeMutableBufferPointer<CutPart>, _ count: inout Int, _ store: CutStore) {
    let total = Int(part.count)
    let points = part.points
    // Each segment adds at most two points, then come the last point and the closing one.
    let out = store.reserve(CutPoint.self, 2 * total + 2)
    var kept = 0
    for index in 0..<max(0, total - 1) {
      let p = points[index], q = points[index + 1]
      let a = value(p), b = value(q)
      if a < k1 {
        if b > k1 {
          out[kept] = meet(p, q, k1).0
          kept += 1
        }
      } else if a > k2 {
        if b < k2 {
          out[kept] = meet(p, q, k2).0
          kept += 1
        }
      } else {
        out[kept] = p
        kept += 1
      }
      if b < k1 && a >= k1 {
        out[kept] = meet(p, q, k1).0
        kept += 1
      }
      if b > k2 && a <= k2 {
        out[kept] = meet(p, q, k2).0
        kept += 1
      }
    }
    let last = value(points[total - 1])
    if last >= k1 && last <= k2 {
      out[kept] = points[total - 1]
      kept += 1
    }
    if kept > 1 && (out[kept - 1].x != out[0].x || out[kept - 1].y != out[0].y) {
      out[kept] = out[0]
      kept += 1
    }
    emit(part, out, kept, start: part.start, end: part.end, pieces, &count, store)
  }

  private func cutLine(_ part: CutPart, _ pieces: UnsafeMutableBufferPointer<CutPart>, _ count: inout Int, _ store: CutStore, track: Bool) {
    let total = Int(part.count)
    let points = part.points
    var out = store.reserve(CutPoint.self, 2 * total + 2)
    var kept = 0
    var length = part.start
    var start = part.start
    for index in 0..<max(0, total - 1) {
      let p = points[index], q = points[index + 1]
      let a = value(p), b = value(q)
      let dx = p.x - q.x, dy = p.y - q.y
      let segment = track ? (dx * dx + dy * dy).squareRoot() : 0
      var leaves = -1.0
      if a < k1 {
        if b > k1 { enter(meet(p, q, k1)) }
      } else if a > k2 {
        if b < k2 { enter(meet(p, q, k2)) }
      } else {
        out[kept] = p
        kept += 1
      }
      if b < k1 && a >= k1 { leave(meet(p, q, k1)) }
      if b > k2 && a <= k2 { leave(meet(p, q, k2)) }
      if leaves >= 0 {
        emit(part, out, kept, start: start, end: track ? length + segment * leaves : part.end, pieces, &count, store)
        out = store.reserve(CutPoint.self, 2 * (total - index) + 2)
        kept = 0
        start = part.start
      }
      if track { length += segment }

      func enter(_ crossing: (CutPoint, Double)) {
        out[kept] = crossing.0
        kept += 1
        if track { start = length + segment * crossing.1 }
      }
      func leave(_ crossing: (CutPoint, Double)) {
        out[kept] = crossing.0
        kept += 1
        leaves = crossing.1
      }
    }
    let last = value(points[total - 1])
    if last >= k1 && last <= k2 {
      out[kept] = points[total - 1]
      kept += 1
    }
    emit(part, out, kept, start: start, end: part.end, pieces, &count, store)
  }
}

extension CutClip {
  /// Copies of the world to the left and right, so that what crosses the date line shows on both sides: geojson-vt's wrap.
  static func wrap(_ list: CutList, _ options: GeoJSONTileOptions) -> CutList {
    let buffer = options.buffer / Double(options.extent)
    let world = (-1.0, 2.0)
    let left = clip(list, scale: 1, -1 - buffer, buffer, axis: 0, options.lineMetrics, all: world)
    let right = clip(list, scale: 1, 1 - buffer, 2 + buffer, axis: 0, options.lineMetrics, all: world)
    guard left != nil || right != nil else { return list }
    let middle = clip(list, scale: 1, -buffer, 1 + buffer, axis: 0, options.lineMetrics, all: world)
    var merged = Column<CutFeature>(capacity: (left?.count ?? 0) + (middle?.count ?? 0) + (right?.count ?? 0))
    let store = CutStore()
    if let left { for index in 0..<left.count { merged.append(shifted(left.features[index], 1, store)) } }
    if let middle { for index in 0..<middle.count { merged.append(middle.features[index]) } }
    if let right { for index in 0..<right.count { merged.append(shifted(right.features[index], -1, store)) } }
    return CutList(merged, stores: (middle?.stores ?? []) + [store])
  }

  private static func shifted(_ feature: CutFeature, _ offset: Double, _ store: CutStore) -> CutFeature {
    let count = Int(feature.partCount)
    let parts = store.reserve(CutPart.self, count)
    store.keep(CutPart.self, count)
    for part in 0..<count {
      parts[part] = feature.parts[part]
      let length = Int(feature.parts[part].count)
      let points = store.reserve(CutPoint.self, length)
      store.keep(CutPoint.self, length)
      for index in 0..<length {
        points[index] = feature.parts[part].points[index]
        points[index].x += offset
      }
      parts[part].points = UnsafePointer(points)
    }
    return CutFeature(type: feature.type, source: feature.source, parts: parts, partCount: count)
  }
}
