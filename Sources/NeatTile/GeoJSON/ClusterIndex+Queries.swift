import NeatBase

extension ClusterIndex {
  /// What lies in a box at a zoom, edges in degrees. A box may cross the date line (`west > east` after
  /// wrapping).
  package func clusters(west: Double, south: Double, east: Double, north: Double, zoom: Int) -> [ClusterItem]
  {
    guard west.isFinite, east.isFinite, !south.isNaN, !north.isNaN else { return [] }
    func wrapped(_ lon: Double) -> Double {
      ((lon + 180).truncatingRemainder(dividingBy: 360) + 360).truncatingRemainder(dividingBy: 360) - 180
    }
    var minLon = wrapped(west)
    let minLat = max(-90, min(90, south))
    var maxLon = east == 180 ? 180 : wrapped(east)
    let maxLat = max(-90, min(90, north))
    if east - west >= 360 {
      minLon = -180
      maxLon = 180
    } else if minLon > maxLon {
      return clusters(west: minLon, south: minLat, east: 180, north: maxLat, zoom: zoom)
        + clusters(west: -180, south: minLat, east: maxLon, north: maxLat, zoom: zoom)
    }
    let (level, index) = level(zoom)
    var result: [ClusterItem] = []
    tree(index).range(CutConvert.x(minLon), CutConvert.y(maxLat), CutConvert.x(maxLon), CutConvert.y(minLat))
    {
      result.append(item(level.refs[$0]))
    }
    return result
  }

  /// What a cluster consists of at the next deeper zoom. Throws `notFound` for an id that is no cluster.
  package func children(of cluster: UInt32) throws(NeatError) -> [ClusterItem] {
    try childRefs(cluster).map { item($0) }
  }

  /// The points of a cluster, at most `limit` after the first `offset`, as numbers of features in the
  /// document.
  package func leaves(of cluster: UInt32, limit: Int = 10, offset: Int = 0) throws(NeatError) -> [Int] {
    guard limit > 0, offset >= 0 else {
      throw NeatError(.invalidArgument, "limit must be 1 or more and offset 0 or more")
    }
    var result: [Int] = []
    var skipped = 0
    // Depth first; a cluster is at most one zoom deeper than its parent, so the stack is short in depth and
    // bounded by what is listed.
    var stack = try childRefs(cluster).reversed() as [UInt32]
    while result.count < limit, let ref = stack.popLast() {
      if !isCluster(ref) {
        if skipped < offset { skipped += 1 } else { result.append(Int(sources[Int(ref)])) }
        continue
      }
      let row = rows[Int(ref) - sources.count]
      if skipped + Int(row.pointCount) <= offset {
        skipped += Int(row.pointCount)
      } else {
        stack += try childRefs(row.id).reversed()
      }
    }
    return result
  }

  /// The zoom at which a cluster falls apart into more than one thing.
  package func expansionZoom(of cluster: UInt32) throws(NeatError) -> Int {
    var id = cluster
    var zoom = originZoom(id) - 1
    while zoom <= options.maxZoom {
      let refs = try childRefs(id)
      zoom += 1
      guard refs.count == 1, isCluster(refs[0]) else { break }
      id = rows[Int(refs[0]) - sources.count].id
    }
    return zoom
  }

  private func originZoom(_ id: UInt32) -> Int { (Int(id) - sources.count) % 32 }

  private func childRefs(_ id: UInt32) throws(NeatError) -> [UInt32] {
    let missing = NeatError(.notFound, "no cluster with the id \(id)")
    guard Int(id) >= sources.count else { throw missing }
    let zoom = originZoom(id)
    let origin = (Int(id) - sources.count) >> 5
    guard zoom > options.minZoom, zoom <= options.maxZoom + 1 else { throw missing }
    let index = zoom - options.minZoom
    let level = levels[index]
    guard origin < level.count, level.parents[origin] == id else { throw missing }
    let radius = options.radius / (Double(options.extent) * Double(1 << (zoom - 1)))
    var place = SIMD2(Double(level.places[origin].x), Double(level.places[origin].y))
    if isCluster(level.refs[origin]) {
      let row = rows[Int(level.refs[origin]) - sources.count]
      place = SIMD2(row.x, row.y)
    }
    var result: [UInt32] = []
    tree(index).within(place.x, place.y, radius: radius) {
      if level.parents[$0] == id { result.append(level.refs[$0]) }
    }
    return result
  }

  /// The id of a point that is a whole number, by the point's number in the document.
  package func wholeID(feature: Int) -> UInt64? {
    guard feature >= 0, feature < data.featureCount, case .uint(let id)? = GeoJSONID(data.ids[feature]) else {
      return nil
    }
    return id
  }

  /// A point by its number in the document.
  package func item(feature: Int) -> ClusterItem {
    let position = clusterPosition(data, UInt32(feature))
    return ClusterItem(
      clusterID: nil, feature: feature, pointCount: 1, place: LonLat(position.x, position.y), properties: [])
  }

  private func item(_ ref: UInt32) -> ClusterItem {
    guard isCluster(ref) else { return item(feature: Int(sources[Int(ref)])) }
    let row = rows[Int(ref) - sources.count]
    let first = Int(row.properties) * propertyNames.count
    let values = row.properties < 0 ? [] : Array(accumulated[first..<first + propertyNames.count])
    let place = LonLat(Mercator.lon(x: row.x), Mercator.lat(y: row.y))
    return ClusterItem(
      clusterID: row.id, feature: -1, pointCount: Int(row.pointCount), place: place, properties: values)
  }
}
