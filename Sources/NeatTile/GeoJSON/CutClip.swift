import NeatBase

// Cuts features to the stripe k1...k2 along one axis (Sutherland-Hodgman against two parallel lines): what
// geojson-vt's clip does. A feature wholly inside is taken as it is, without a copy; a polygon's ring stays
// one ring, a line falls into pieces.

struct CutClip {
  let k1, k2: Double
  /// 0 for x, 1 for y.
  let axis: Int
  let lineMetrics: Bool
  /// The level of the points where a cut meets a line.
  let ends: UInt8

  /// What of `list` lies in `k1...k2` (divided by `scale`), or nil where nothing does; `list` itself where
  /// everything does.
  static func clip(
    _ list: CutList, scale: Double, _ k1: Double, _ k2: Double, axis: Int, _ options: GeoJSONTileOptions,
    all: (Double, Double)? = nil
  )
    -> CutList?
  {
    let clip = CutClip(
      k1: k1 / scale, k2: k2 / scale, axis: axis, lineMetrics: options.lineMetrics,
      ends: CutLevels(options).ends)
    let (low, high) = all ?? (axis == 0 ? (list.minX, list.maxX) : (list.minY, list.maxY))
    if low >= clip.k1 && high < clip.k2 { return list }
    if high < clip.k1 || low >= clip.k2 { return nil }
    return clip.run(list)
  }

  private func run(_ list: CutList) -> CutList? {
    var result = GrowingBuffer<CutFeature>(capacity: 16)
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
        if feature.pointee.shift == 0 {
          cut(feature.pointee, &result, store)
        } else {
          let copy = CutStore()
          withExtendedLifetime(copy) { cut(feature.pointee.moved(copy), &result, store) }
        }
      }
    }
    guard result.count > 0 else { return nil }
    return CutList(result, stores: used ? list.stores + [store] : list.stores)
  }

  private func cut(_ feature: CutFeature, _ result: inout GrowingBuffer<CutFeature>, _ store: CutStore) {
    withUnsafeTemporaryAllocation(of: CutPart.self, capacity: partBound(feature)) { pieces in
      var count = 0
      switch feature.type {
      case .point, .multiPoint: cutPoints(feature.parts[0], pieces, &count, store)
      case .lineString, .multiLineString:
        let track = lineMetrics && feature.type == .lineString
        for part in 0..<Int(feature.partCount) {
          cutLine(feature.parts[part], pieces, &count, store, track: track)
        }
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
      assert(count <= pieces.count, "more pieces than there is room for")
      guard count > 0 else { return }
      let parts = store.reserve(CutPart.self, count)
      parts.update(from: pieces.baseAddress!, count: count)
      store.keep(CutPart.self, count)
      if lineMetrics && feature.type == .lineString {
        for piece in 0..<count {
          result.append(
            CutFeature(type: .lineString, source: feature.source, parts: parts + piece, partCount: 1))
        }
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

  @inline(__always) private func value(_ point: SIMD2<Double>) -> Double { axis == 0 ? point.x : point.y }

  private func cutPoints(
    _ part: CutPart, _ pieces: UnsafeMutableBufferPointer<CutPart>, _ count: inout Int, _ store: CutStore
  ) {
    var out = CutRun(store, Int(part.count))
    for index in 0..<Int(part.count) {
      let a = value(part.points[index])
      if a >= k1 && a <= k2 { out.add(part.points[index], part.levels[index]) }
    }
    emit(part, out, start: part.start, end: part.end, pieces, &count, store)
  }

  private func emit(
    _ part: CutPart, _ run: CutRun, start: Double, end: Double, _ pieces: UnsafeMutableBufferPointer<CutPart>,
    _ count: inout Int,
    _ store: CutStore
  ) {
    guard run.count > 0 else { return }
    run.keep(store)
    pieces[count] = CutPart(
      points: UnsafePointer(run.points), levels: UnsafePointer(run.levels), count: Int32(run.count),
      isOuter: part.isOuter, size: part.size,
      start: start, end: end)
    count += 1
  }

  /// Where the segment meets the line at `k`, and how far along it that is.
  @inline(__always) private func meet(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ k: Double) -> (
    SIMD2<Double>, Double
  ) {
    if axis == 0 {
      let t = (k - a.x) / (b.x - a.x)
      return (SIMD2(k, a.y + (b.y - a.y) * t), t)
    }
    let t = (k - a.y) / (b.y - a.y)
    return (SIMD2(a.x + (b.x - a.x) * t, k), t)
  }

  private func cutRing(
    _ part: CutPart, _ pieces: UnsafeMutableBufferPointer<CutPart>, _ count: inout Int, _ store: CutStore
  ) {
    let total = Int(part.count)
    let points = part.points
    // Each segment adds at most two points, then come the last point and the closing one.
    var out = CutRun(store, 2 * total + 2)
    for index in 0..<max(0, total - 1) {
      let p = points[index], q = points[index + 1]
      let a = value(p), b = value(q)
      if a < k1 {
        if b > k1 { out.add(meet(p, q, k1).0, ends) }
      } else if a > k2 {
        if b < k2 { out.add(meet(p, q, k2).0, ends) }
      } else {
        out.add(p, part.levels[index])
      }
      if b < k1 && a >= k1 { out.add(meet(p, q, k1).0, ends) }
      if b > k2 && a <= k2 { out.add(meet(p, q, k2).0, ends) }
    }
    let last = value(points[total - 1])
    if last >= k1 && last <= k2 { out.add(points[total - 1], part.levels[total - 1]) }
    if out.count > 1 && out.points[out.count - 1] != out.points[0] { out.add(out.points[0], out.levels[0]) }
    emit(part, out, start: part.start, end: part.end, pieces, &count, store)
  }

  private func cutLine(
    _ part: CutPart, _ pieces: UnsafeMutableBufferPointer<CutPart>, _ count: inout Int, _ store: CutStore,
    track: Bool
  ) {
    let total = Int(part.count)
    let points = part.points
    var out = CutRun(store, 2 * total + 2)
    var length = part.start
    var start = part.start
    for index in 0..<max(0, total - 1) {
      let p = points[index], q = points[index + 1]
      let a = value(p), b = value(q)
      let d = p - q
      let segment = track ? (d.x * d.x + d.y * d.y).squareRoot() : 0
      var leaves = -1.0
      if a < k1 {
        if b > k1 { enter(meet(p, q, k1)) }
      } else if a > k2 {
        if b < k2 { enter(meet(p, q, k2)) }
      } else {
        out.add(p, part.levels[index])
      }
      if b < k1 && a >= k1 { leave(meet(p, q, k1)) }
      if b > k2 && a <= k2 { leave(meet(p, q, k2)) }
      if leaves >= 0 {
        emit(
          part, out, start: start, end: track ? length + segment * leaves : part.end, pieces, &count, store)
        out = CutRun(store, 2 * (total - index) + 2)
        start = part.start
      }
      if track { length += segment }

      func enter(_ crossing: (SIMD2<Double>, Double)) {
        out.add(crossing.0, ends)
        if track { start = length + segment * crossing.1 }
      }
      func leave(_ crossing: (SIMD2<Double>, Double)) {
        out.add(crossing.0, ends)
        leaves = crossing.1
      }
    }
    let last = value(points[total - 1])
    if last >= k1 && last <= k2 { out.add(points[total - 1], part.levels[total - 1]) }
    emit(part, out, start: start, end: part.end, pieces, &count, store)
  }
}

/// Points of a piece as they come, in memory that is kept when the piece is whole.
private struct CutRun {
  let points: UnsafeMutablePointer<SIMD2<Double>>
  let levels: UnsafeMutablePointer<UInt8>
  var count = 0
  private let most: Int

  /// `most`: the points that may come.
  init(_ store: CutStore, _ most: Int) {
    self.most = most
    points = store.reserve(SIMD2<Double>.self, most)
    levels = store.reserveLevels(most)
  }

  @inline(__always) mutating func add(_ point: SIMD2<Double>, _ level: UInt8) {
    assert(count < most, "more points than a cut can leave")
    points[count] = point
    levels[count] = level
    count += 1
  }

  func keep(_ store: CutStore) {
    store.keep(SIMD2<Double>.self, count)
    store.keepLevels(count)
  }
}

extension CutClip {
  /// Copies of the world to the left and right, so that what crosses the date line shows on both sides:
  /// geojson-vt's wrap.
  static func wrap(_ list: CutList, _ options: GeoJSONTileOptions) -> CutList {
    let buffer = options.buffer / Double(options.extent)
    let world = (-1.0, 2.0)
    let left = clip(list, scale: 1, -1 - buffer, buffer, axis: 0, options, all: world)
    let right = clip(list, scale: 1, 1 - buffer, 2 + buffer, axis: 0, options, all: world)
    guard left != nil || right != nil else { return list }
    let middle = clip(list, scale: 1, -buffer, 1 + buffer, axis: 0, options, all: world)
    var merged = GrowingBuffer<CutFeature>(
      capacity: (left?.count ?? 0) + (middle?.count ?? 0) + (right?.count ?? 0))
    if let left { for index in 0..<left.count { merged.append(left.features[index].shifted(1)) } }
    if let middle { for index in 0..<middle.count { merged.append(middle.features[index]) } }
    if let right { for index in 0..<right.count { merged.append(right.features[index].shifted(-1)) } }
    return CutList(
      merged,
      stores: list.stores + [left, middle, right].flatMap { $0?.stores.dropFirst(list.stores.count) ?? [] })
  }
}
