import NeatBase
import NeatCamera
import NeatLayout
import NeatPlacement
import NeatStyle
import NeatTile

extension MapCore {
  /// The features drawn in a view that meet a point or box. Topmost layers come first, and within a layer
  /// what is drawn last. A feature that lies in several tiles comes once for each; its geometry is that
  /// tile's part of it. Looks at what is loaded and laid out; load the view first.
  /// - Parameter labels: of the frame that is asked about, whose labels are met where they stand; nil: they are
  ///   placed for it.
  package func query(
    _ transform: Transform, _ area: QueryArea, options: QueryOptions = QueryOptions(),
    labels: LabelHistory? = nil
  ) -> QueryAnswer {
    var search = QuerySearch(builder: frameBuilder(transform), options: options, area: area)
    search.standing = labels?.standing
    let hits = search.run()
    defer { frameMemories.give(search.builder.memory) }
    return QueryAnswer(
      features: hits.prefix(options.limit).map(search.feature),
      report: options.wantsReport ? search.builder.report : nil)
  }
}

/// A feature that meets the area.
struct QueryHit {
  var layer: Int
  var source: String
  var tile: OverscaledTileID
  var data: TileLayer
  var feature: Int
  /// Depth, for extrusions.
  var distance = 0.0
}

/// One query over a view.
struct QuerySearch {
  var builder: FrameBuilder
  let options: QueryOptions
  let area: QueryArea
  /// Device pixels.
  let corners: [SIMD2<Double>]
  /// The labels of a frame that was shown.
  var standing: StandingLabels?
  private var evaluator: Evaluator { builder.evaluator }

  init(builder: FrameBuilder, options: QueryOptions, area: QueryArea) {
    self.builder = builder
    self.options = options
    self.area = area
    corners = area.corners
  }

  mutating func run() -> [QueryHit] {
    let zoom = builder.transform.camera.zoom
    let asked = builder.style.layers.enumerated().filter {
      options.includes($0.element) && $0.element.isVisible(zoom: zoom, evaluator)
    }
    var found: [Int: [QueryHit]] = [:]
    let world = QuerySearch.ground(corners, builder.transform, builder.terrain)
    for (index, layer) in asked where layer.type != .symbol {
      found[index] = world.map { hits(index, layer, $0) } ?? []
    }
    if asked.contains(where: { $0.element.type == .symbol }) {
      let wanted = Set(asked.map(\.offset))
      for (index, hits) in symbolHits() where wanted.contains(index) { found[index] = hits }
    }
    return merge(found)
  }

  /// Extrusions of all layers are sorted by depth, and stand where the topmost of their layers does.
  private func merge(_ found: [Int: [QueryHit]]) -> [QueryHit] {
    func is3D(_ layer: Int) -> Bool { builder.style.layers[layer].type == .fillExtrusion }
    let order = found.keys.sorted(by: >)
    var solid: [QueryHit] = []
    for layer in order where is3D(layer) { solid += found[layer]! }
    // Nearest first; of equals, those found later.
    solid = solid.enumerated().sorted {
      ($0.element.distance, -$0.offset) < ($1.element.distance, -$1.offset)
    }.map(\.element)
    var next = 0
    var result: [QueryHit] = []
    for layer in order {
      guard is3D(layer) else {
        result += found[layer]!
        continue
      }
      while next < solid.count, solid[next].layer >= layer {
        result.append(solid[next])
        next += 1
      }
    }
    return result
  }

  // MARK: layers on the ground

  private func hits(_ index: Int, _ layer: StyleLayer, _ world: [SIMD2<Double>]) -> [QueryHit] {
    guard let source = layer.source else { return [] }
    let states = builder.states.table(layer, promoteID: builder.style.source(source)?.promoteID)
    var result: [QueryHit] = []
    var seen: Set<Place> = []
    var drawn: Set<OverscaledTileID> = []
    // A globe shows one world.
    func unwrapped(_ id: OverscaledTileID) -> OverscaledTileID {
      builder.transform.globe == nil ? id : id.unwrapped
    }
    let tiles = (builder.tiles[source] ?? []).sorted {
      QuerySearch.precedes(unwrapped($0.id), unwrapped($1.id))
    }
    for tile in tiles {
      guard drawn.insert(tile.id).inserted,
        let (data, features) = QuerySearch.features(tile.layout?.buckets[index])
      else { continue }
      guard let query = LayerQuery(layer, builder.transform, tile.id, evaluator, world: world) else {
        return []
      }
      let reach = QueryReach(layer, tile, index, evaluator, at: builder.camera).units(builder.transform)
      guard layer.type == .fillExtrusion || query.isNearTile(reach) else { continue }
      let place = EvaluationPoint.layer(data, tile: tile.id.canonical, zoom: builder.camera.zoom)
      for feature in features.reversed() {
        if let filter = options.filter, !passes(filter, place.feature(Int(feature)), tile.id) { continue }
        guard let distance = query.distance(data, Int(feature), at: place.feature(feature, states)) else {
          continue
        }
        // Copies of the world show a feature twice, and it counts once.
        guard seen.insert(Place(tile: tile.id.canonical, feature: feature)).inserted else { continue }
        result.append(
          QueryHit(
            layer: index, source: source, tile: tile.id, data: data, feature: Int(feature), distance: distance
          ))
      }
    }
    return result
  }

  private struct Place: Hashable {
    var tile: TileID
    var feature: UInt32
  }

  /// A query's filter is evaluated at the zoom of the tile, as those of layers are.
  private func passes(_ filter: CompiledFilter, _ point: EvaluationPoint, _ tile: OverscaledTileID) -> Bool {
    filter.matches(evaluator, at: point.at(zoom: Double(tile.overscaledZ)))
  }

  /// What a bucket draws, in drawing order.
  static func features(_ bucket: LayerBucket?) -> (TileLayer, [UInt32])? {
    switch bucket {
    case .fill(let fill)?: return (fill.layer, fill.features)
    case .line(let line)?: return (line.layer, line.features)
    case .extrusion(let extrusion)?: return (extrusion.layer, extrusion.features)
    case .circle(let circle)?:
      var features: [UInt32] = []
      for feature in circle.features where features.last != feature { features.append(feature) }
      return (circle.layer, features)
    default: return nil
    }
  }

  /// Order of tiles in answers.
  private static func precedes(_ a: OverscaledTileID, _ b: OverscaledTileID) -> Bool {
    if a.overscaledZ != b.overscaledZ { return a.overscaledZ < b.overscaledZ }
    if a.canonical.y != b.canonical.y { return a.canonical.y < b.canonical.y }
    if a.wrap != b.wrap { return a.wrap < b.wrap }
    return a.canonical.x < b.canonical.x
  }

  /// The corners on the ground, in world coordinates; what lies above the horizon is brought down to it. Nil
  /// where all of it does.
  static func ground(_ corners: [SIMD2<Double>], _ transform: Transform, _ terrain: TerrainScene? = nil)
    -> [SIMD2<Double>]?
  {
    if transform.globe != nil { return corners.compactMap { transform.ground(screen: $0) } }
    func world(_ corner: SIMD2<Double>) -> SIMD2<Double>? {
      if let terrain { return terrain.world(screen: corner) }
      return transform.world(screen: corner)
    }
    let bottom = corners.reduce(-Double.infinity) { max($0, $1.y) }
    var result: [SIMD2<Double>] = []
    for corner in corners {
      if let hit = world(corner) {
        result.append(hit)
        continue
      }
      guard var best = world(SIMD2(corner.x, bottom)) else { return nil }
      var (low, high) = (corner.y, bottom)
      for _ in 0..<32 {
        let middle = (low + high) / 2
        if let hit = world(SIMD2(corner.x, middle)) {
          (best, high) = (hit, middle)
        } else {
          low = middle
        }
      }
      result.append(best)
    }
    return result
  }

  // MARK: symbols

  private mutating func symbolHits() -> [Int: [QueryHit]] {
    guard let placement = placeLabels() else { return [:] }
    let ratio = builder.transform.size.pixelRatio
    let low = corners.reduce(corners[0]) { pointwiseMin($0, $1) } / ratio
    let high = corners.reduce(corners[0]) { pointwiseMax($0, $1) } / ratio
    var features: [Int: Set<UInt32>] = [:]
    let box = CollisionRect(Float(low.x), Float(low.y), Float(high.x), Float(high.y))
    let outline = area.isPolygon ? corners.map { SIMD2<Float>($0 / ratio) } : nil
    for key in placement.query(box, within: outline) {
      features[Int(key.bucket), default: []].insert(key.feature)
    }
    let order = features.keys.filter { $0 < builder.placedBuckets.count }.sorted { a, b in
      let (p, q) = (builder.placedBuckets[a].tile, builder.placedBuckets[b].tile)
      return QuerySearch.precedes(p, q) || (!QuerySearch.precedes(q, p) && a < b)
    }
    var result: [Int: [QueryHit]] = [:]
    for number in order {
      let placed = builder.placedBuckets[number]
      let place = EvaluationPoint.layer(
        placed.bucket.tileLayer, tile: placed.tile.canonical, zoom: builder.camera.zoom)
      for feature in sorted(features[number]!, placed.bucket) {
        if let filter = options.filter, !passes(filter, place.feature(Int(feature)), placed.tile) { continue }
        result[placed.layer, default: []].append(
          QueryHit(
            layer: placed.layer, source: placed.source, tile: placed.tile, data: placed.bucket.tileLayer,
            feature: Int(feature)))
      }
    }
    for (leader, followers) in builder.twins.followers {
      for follower in followers {
        result[follower] = result[leader]?.map { hit in
          var hit = hit
          hit.layer = follower
          return hit
        }
      }
    }
    return result
  }

  /// The placement that is asked, and in `placedBuckets` what its numbers stand for. Layers that went since are
  /// not met.
  private mutating func placeLabels() -> Placement? {
    guard let standing else {
      builder.placeSymbols()
      return builder.placement
    }
    let layers = Dictionary(
      builder.style.layers.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    builder.placedBuckets = standing.buckets.map {
      PlacedBucket(layer: layers[$0.layer] ?? -1, source: $0.source, bucket: $0.bucket, tile: $0.tile)
    }
    return standing.placement
  }

  /// What is drawn last comes first: by the order on the screen where that decides, else against the order of
  /// the data.
  private func sorted(_ features: Set<UInt32>, _ bucket: SymbolBucket) -> [UInt32] {
    guard bucket.layout.sortsByY else { return features.sorted(by: >) }
    let instances = bucket.geometry.instances
    var rank: [UInt32: Int] = [:]
    let order = sortedByViewportY(
      instances, Array(0..<Int32(instances.count)), bearing: builder.transform.placementView.bearing)
    for (position, number) in order.enumerated() {
      let feature = UInt32(bitPattern: instances[Int(number)].feature)
      if rank[feature] == nil { rank[feature] = position }
    }
    return features.sorted { (rank[$0] ?? 0, $0) > (rank[$1] ?? 0, $1) }
  }

  // MARK: answers

  fileprivate func feature(_ hit: QueryHit) -> QueriedFeature {
    let layer = builder.style.layers[hit.layer]
    let promoteID = builder.style.source(hit.source)?.promoteID
    return QueriedFeature(
      layer: layer.id, source: hit.source, sourceLayer: layer.sourceLayer, tile: hit.tile.canonical,
      data: hit.data, feature: hit.feature,
      promotedID: promoteID?.property(ofLayer: layer.sourceLayer ?? TileLayer.geoJSONName),
      state: builder.states.table(layer, promoteID: promoteID)?.state(hit.data, hit.feature) ?? [:])
  }
}
