import NeatBase

/// Makes one level after the other, from the points up to the lowest zoom.
struct ClusterBuilder: ~Copyable {
  private let data: GeoJSONData
  private let options: ClusterOptions
  private let properties: [ClusterProperty]
  private(set) var sources: [UInt32] = []
  /// Worlds to the east that each of them lies; empty where all are in one.
  private(set) var worlds: [Int8] = []
  var rows = GrowingBuffer<ClusterRow>(capacity: 256)
  private(set) var accumulated: [ClusterValue] = []
  private var grid = ClusterGrid()
  private var taken = GrowingBuffer<UInt8>()
  private var neighbors = GrowingBuffer<UInt32>()

  // Most points of a deep zoom are alone. How far away the nearest other one is gets measured once, up to
  // `reach`, and holds for the zooms above as a lower bound: only new clusters come nearer, and none by more
  // than it moved from the point it began at. Those moves add up in `drift`. New clusters have isolation 0.
  // So whatever is farther from others than radius and drift needs no search, and takes part in none.
  private var isolation = GrowingBuffer<Float>(capacity: 1)
  private var reach = 0.0
  private var drift = 0.0
  private var active = GrowingBuffer<UInt32>(capacity: 1)

  init(
    _ data: GeoJSONData, _ options: ClusterOptions, _ properties: [ClusterProperty],
    _ include: ((Int) -> Bool)?
  ) {
    self.data = data
    self.options = options
    self.properties = properties
    sources.reserveCapacity(data.featureCount)
    for feature in 0..<data.featureCount where include?(feature) ?? true { sources.append(UInt32(feature)) }
    if let margin = options.margin {
      (sources, worlds) = ClusterBuilder.copies(of: sources, data, past: margin)
    }
  }

  /// The points, with those that lie near an end of the world at its other end too, in geojson-vt's order: those
  /// of the west first, those of the east last. Features without a point, and points far out, go.
  private static func copies(
    of features: [UInt32], _ data: GeoJSONData, past margin: Double
  ) -> (sources: [UInt32], worlds: [Int8]) {
    var points: [UInt32] = [], west: [UInt32] = [], center: [UInt32] = [], east: [UInt32] = []
    for feature in features where isPoint(data, feature) {
      points.append(feature)
      let x = CutConvert.x(clusterPosition(data, feature).x)
      if x >= -1 - margin && x < margin { west.append(feature) }
      if x >= -margin && x < 1 + margin { center.append(feature) }
      if x >= 1 - margin && x < 2 + margin { east.append(feature) }
    }
    if west.isEmpty && east.isEmpty { return (points, []) }
    var worlds = [Int8](repeating: 1, count: west.count)
    worlds += [Int8](repeating: 0, count: center.count)
    worlds += [Int8](repeating: -1, count: east.count)
    return (west + center + east, worlds)
  }

  private static func isPoint(_ data: GeoJSONData, _ feature: UInt32) -> Bool {
    let geometry = Int(data.geometryStarts[Int(feature)])
    return geometry < Int(data.geometryStarts[Int(feature) + 1])
      && data.geometryTypes[geometry] == GeoJSONGeometryType.point.rawValue
  }

  consuming func takeRows() -> GrowingBuffer<ClusterRow> { rows }

  /// The deepest level: every point by itself.
  func points() -> ClusterLevel {
    var places = GrowingBuffer<SIMD2<Float>>(capacity: max(1, sources.count))
    var refs = GrowingBuffer<UInt32>(capacity: max(1, sources.count))
    for (number, feature) in sources.enumerated() {
      guard ClusterBuilder.isPoint(data, feature) else { continue }
      let position = clusterPosition(data, feature)
      let world = worlds.isEmpty ? 0 : Double(worlds[number])
      places.append(SIMD2(Float(CutConvert.x(position.x) + world), Float(CutConvert.y(position.y))))
      refs.append(UInt32(number))
    }
    return ClusterLevel(places, refs)
  }

  /// The level above `level`, and the tree of `level` where one was needed.
  mutating func cluster(_ level: ClusterLevel, zoom: Int) -> (ClusterLevel, KDTree?) {
    let radius = options.radius / (Double(options.extent) * Double(1 << zoom))
    var next = NextLevel(capacity: level.count)
    taken.truncate(0)
    taken.extend(level.count).update(repeating: 0, count: level.count)
    neighbors.reserve(level.count)
    if options.minPoints > 2 || !properties.isEmpty {
      let tree = KDTree(level.places, count: level.count)
      for index in 0..<level.count where taken[index] == 0 { visit(level, index, zoom, radius, tree, &next) }
      return (next.level(), tree)
    }
    prepare(level, zoom, radius)
    if radius + drift < reach {
      clusterActive(level, zoom, radius, &next)
    } else {
      reach = 0
      for index in 0..<level.count where taken[index] == 0 { visit(level, index, zoom, radius, nil, &next) }
    }
    return (next.level(), nil)
  }

  /// Visits the points that may have neighbours; those between them pass as they are.
  private mutating func clusterActive(
    _ level: ClusterLevel, _ zoom: Int, _ radius: Double, _ next: inout NextLevel
  ) {
    var isolated = GrowingBuffer<Float>(capacity: max(1, level.count))
    var farthest = 0.0
    var passed = 0
    for number in 0..<active.count {
      let index = Int(active[number])
      next.append(level, passed..<index)
      isolated.append(isolation.base + passed, count: index - passed)
      passed = index + 1
      if taken[index] != 0 { continue }
      let merged = visit(level, index, zoom, radius, nil, &next)
      isolated.appendReserved(merged == nil ? isolation[index] : 0)
      farthest = max(farthest, merged ?? 0)
    }
    next.append(level, passed..<level.count)
    isolated.append(isolation.base + passed, count: level.count - passed)
    // Places are kept in single precision: 2^-23 covers the rounding of both ends.
    drift += farthest.squareRoot() + 0x1p-23
    assert(isolated.count == next.count, "every point of the next level is measured")
    isolation = isolated
  }

  /// Joins a point or cluster with what is free around it. Returns the square of how far the cluster's place
  /// is from where it was, nil where it is alone.
  @inline(__always) @discardableResult
  private mutating func visit(
    _ level: ClusterLevel, _ index: Int, _ zoom: Int, _ radius: Double, _ tree: KDTree?,
    _ next: inout NextLevel
  ) -> Double? {
    assert(index >= 0 && index < level.count, "no such point")
    let taken = taken.base, list = neighbors.base
    taken[index] = 1
    let ref = Int(level.refs[index])
    var x = Double(level.places[index].x), y = Double(level.places[index].y)
    var own = 1
    if ref >= sources.count {
      let row = rows.base + (ref - sources.count)
      (x, y, own) = (row.pointee.x, row.pointee.y, Int(row.pointee.pointCount))
    }
    var found = 0
    if let tree {
      tree.within(x, y, radius: radius) { neighbor in
        list[found] = UInt32(truncatingIfNeeded: neighbor)
        found += taken[neighbor] == 0 ? 1 : 0
      }
    } else {
      found = grid.gather(x, y, free: taken, into: list)
    }
    assert(found < max(1, level.count), "more neighbours than points")
    guard found > 0 else {
      next.append(level.places[index], level.refs[index])
      return nil
    }
    let made = rows.count
    merge(level, index, (x, y, own), list, found, taken, zoom, &next)
    guard rows.count > made else { return nil }
    let dx = rows[made].x - x, dy = rows[made].y - y
    return dx * dx + dy * dy
  }

  /// Measures how isolated the points are where they are on the deepest zoom, and indexes those that may have
  /// neighbours.
  private mutating func prepare(_ level: ClusterLevel, _ zoom: Int, _ radius: Double) {
    if zoom == options.maxZoom {
      var zooms = min(6, options.maxZoom - options.minZoom)
      let target = isolation.reserve(level.count)
      while zooms >= 3 {
        reach = radius * Double(1 << zooms)
        if grid.isolation(level.places, count: level.count, floor: radius, reach: reach, target) { break }
        reach = 0
        zooms -= 1
      }
      isolation.advance(level.count)
    }
    guard radius + drift < reach else {
      return grid.build(level.places, nil, count: level.count, radius: radius)
    }
    active.truncate(0)
    let numbers = active.reserve(level.count)
    let quiet = Float(radius + drift)
    var count = 0
    for index in 0..<level.count {
      numbers[count] = UInt32(truncatingIfNeeded: index)
      count += isolation[index] > quiet ? 0 : 1
    }
    active.advance(count)
    grid.build(level.places, numbers, count: count, radius: radius)
  }

  private func weight(_ ref: UInt32) -> Int {
    Int(ref) < sources.count ? 1 : Int(rows[Int(ref) - sources.count].pointCount)
  }

  /// Joins a point or cluster with its free neighbours, or lets all of them pass where they are too few.
  private mutating func merge(
    _ level: ClusterLevel, _ index: Int, _ origin: (Double, Double, Int), _ list: UnsafePointer<UInt32>,
    _ found: Int,
    _ taken: UnsafeMutablePointer<UInt8>, _ zoom: Int, _ next: inout NextLevel
  ) {
    var total = origin.2
    for neighbor in 0..<found {
      total += weight(level.refs[Int(list[neighbor])])
      taken[Int(list[neighbor])] = 1
    }
    if total < options.minPoints {
      next.append(level.places[index], level.refs[index])
      for neighbor in 0..<found {
        next.append(level.places[Int(list[neighbor])], level.refs[Int(list[neighbor])])
      }
      return
    }
    assert(index < 1 << 27 && zoom < 31, "an id has five bits of zoom")
    let id = UInt32(truncatingIfNeeded: (index << 5) + zoom + 1 + sources.count)
    var sumX = origin.0 * Double(origin.2), sumY = origin.1 * Double(origin.2)
    for neighbor in 0..<found {
      let at = Int(list[neighbor])
      let ref = level.refs[at]
      level.parents[at] = id
      if Int(ref) < sources.count {
        sumX += Double(level.places[at].x)
        sumY += Double(level.places[at].y)
      } else {
        let row = rows.base + (Int(ref) - sources.count)
        sumX += row.pointee.x * Double(row.pointee.pointCount)
        sumY += row.pointee.y * Double(row.pointee.pointCount)
      }
    }
    level.parents[index] = id
    let propertyRow = accumulate(level, index, list, found)
    let x = sumX / Double(total), y = sumY / Double(total)
    next.append(SIMD2(Float(x), Float(y)), UInt32(sources.count + rows.count))
    rows.append(
      ClusterRow(x: x, y: y, id: id, pointCount: UInt32(truncatingIfNeeded: total), properties: propertyRow))
  }

  private func mapped(_ ref: UInt32, _ property: Int) -> ClusterValue {
    if Int(ref) < sources.count { return properties[property].map(Int(sources[Int(ref)])) }
    return accumulated[Int(rows[Int(ref) - sources.count].properties) * properties.count + property]
  }

  private mutating func accumulate(
    _ level: ClusterLevel, _ index: Int, _ list: UnsafePointer<UInt32>, _ found: Int
  ) -> Int32 {
    guard !properties.isEmpty else { return -1 }
    let row = accumulated.count / properties.count
    for property in properties.indices {
      var value = mapped(level.refs[index], property)
      for neighbor in 0..<found {
        value = properties[property].reduce(value, mapped(level.refs[Int(list[neighbor])], property))
      }
      accumulated.append(value)
    }
    return Int32(row)
  }
}

/// The points and clusters of a level while it is made; there is room for as many as the level below has.
private struct NextLevel: ~Copyable {
  private var places: GrowingBuffer<SIMD2<Float>>
  private var refs: GrowingBuffer<UInt32>

  init(capacity: Int) {
    places = GrowingBuffer(capacity: max(1, capacity))
    refs = GrowingBuffer(capacity: max(1, capacity))
  }

  @inline(__always) mutating func append(_ place: SIMD2<Float>, _ ref: UInt32) {
    places.appendReserved(place)
    refs.appendReserved(ref)
  }

  @inline(__always) mutating func append(_ level: ClusterLevel, _ range: Range<Int>) {
    places.append(level.places + range.lowerBound, count: range.count)
    refs.append(level.refs + range.lowerBound, count: range.count)
  }

  var count: Int { places.count }

  consuming func level() -> ClusterLevel { ClusterLevel(places, refs) }
}
