import NeatBase

// Hierarchical greedy clustering with the results of mapbox/supercluster 8. From the deepest zoom up, each
// point or cluster that is not taken yet takes all others within the radius and becomes a cluster at their
// weighted middle; what is left over goes to the next zoom as it is. Neighbours are found in a hashed grid.
// Where the order of neighbours shows in the result (a minimum of points, accumulated properties) they come
// from the k-d tree instead; the trees that answer box searches are built when a zoom is first asked for.

/// One zoom's points and clusters.
final class ClusterLevel: Sendable {
  let count: Int
  nonisolated(unsafe) let places: UnsafePointer<SIMD2<Float>>
  /// Below the number of points: that point. From there on: a cluster's row.
  nonisolated(unsafe) let refs: UnsafePointer<UInt32>
  /// Id of the cluster it goes into one zoom up; `noParent` where it goes into none.
  nonisolated(unsafe) let parents: UnsafeMutablePointer<UInt32>
  private let owner = ColumnOwner()

  static let noParent = UInt32.max

  init(_ places: consuming GrowingBuffer<SIMD2<Float>>, _ refs: consuming GrowingBuffer<UInt32>) {
    assert(places.count == refs.count, "a place without its point")
    count = refs.count
    self.places = owner.own(places)
    self.refs = owner.own(refs)
    var parents = GrowingBuffer<UInt32>(capacity: max(1, count))
    parents.reserve(count).update(repeating: ClusterLevel.noParent, count: count)
    parents.advance(count)
    self.parents = UnsafeMutablePointer(mutating: owner.own(parents))
  }
}

struct ClusterRow: BitwiseCopyable {
  var x, y: Double
  var id: UInt32
  var pointCount: UInt32
  /// Row of accumulated properties.
  var properties: Int32
}

/// Points of one document, clustered for each zoom. All functions may be called from any thread.
package final class ClusterIndex: Sendable {
  /// The most points that can be clustered: cluster ids hold a point's place above five bits of zoom.
  package static let maxPoints = 1 << 26

  package let data: GeoJSONData
  package let options: ClusterOptions
  package let propertyNames: [String]
  /// Number, in the document, of each feature that takes part (without a point too: they count in ids).
  let sources: [UInt32]
  /// Worlds to the east that each of them lies; empty where all are in one.
  let worlds: [Int8]
  /// Zooms `minZoom...maxZoom + 1`.
  let levels: [ClusterLevel]
  nonisolated(unsafe) let rows: UnsafePointer<ClusterRow>
  let rowCount: Int
  let accumulated: [ClusterValue]
  private let owner = ColumnOwner()
  private let trees: Locked<[KDTree?]>

  /// Clusters the points of a document; features that are no points are left out. `include` says which
  /// features take part, and it and the closures of `properties` are called now, never later. Throws
  /// `invalidArgument` for options out of range, `limitExceeded` for too many points.
  package init(
    _ data: GeoJSONData, options: ClusterOptions = .init(), properties: [ClusterProperty] = [],
    include: ((Int) -> Bool)? = nil
  ) throws(NeatError) {
    try options.check()
    guard data.featureCount <= ClusterIndex.maxPoints else {
      throw NeatError(
        .limitExceeded, "\(data.featureCount) features to cluster, at most \(ClusterIndex.maxPoints) can be")
    }
    self.data = data
    self.options = options
    propertyNames = properties.map(\.name)
    var builder = ClusterBuilder(data, options, properties, include)
    guard builder.sources.count <= ClusterIndex.maxPoints else {
      throw NeatError(
        .limitExceeded,
        "\(builder.sources.count) points to cluster, those near the antimeridian counted twice, at most "
          + "\(ClusterIndex.maxPoints) can be")
    }
    var levels = [builder.points()]
    var kept: [KDTree?] = []
    for zoom in stride(from: options.maxZoom, through: options.minZoom, by: -1) {
      let (next, tree) = builder.cluster(levels.last!, zoom: zoom)
      levels.append(next)
      kept.append(tree)
    }
    kept.append(nil)
    self.levels = levels.reversed()
    trees = Locked(kept.reversed())
    sources = builder.sources
    worlds = builder.worlds
    accumulated = builder.accumulated
    rowCount = builder.rows.count
    rows = owner.own(builder.takeRows())
  }

  /// The level that a zoom shows.
  func level(_ zoom: Int) -> (ClusterLevel, Int) {
    let index = max(options.minZoom, min(zoom, options.maxZoom + 1)) - options.minZoom
    return (levels[index], index)
  }

  func tree(_ index: Int) -> KDTree {
    if let known = trees.withLock({ $0[index] }) { return known }
    let made = KDTree(levels[index].places, count: levels[index].count)
    trees.withLock { $0[index] = made }
    return made
  }

  @inline(__always) func isCluster(_ ref: UInt32) -> Bool { Int(ref) >= sources.count }

  /// The place of a point that is in no cluster, in the unit square or past its ends.
  @inline(__always) func place(_ ref: UInt32) -> SIMD2<Double> {
    let position = clusterPosition(data, sources[Int(ref)])
    let world = worlds.isEmpty ? 0 : Double(worlds[Int(ref)])
    return SIMD2(CutConvert.x(position.x) + world, CutConvert.y(position.y))
  }
}

/// The place of a point feature in degrees.
@inline(__always) func clusterPosition(_ data: GeoJSONData, _ feature: UInt32) -> SIMD2<Double> {
  let geometry = Int(data.geometryStarts[Int(feature)])
  return data.points[Int(data.pointStarts[Int(data.partStarts[geometry])])]
}
