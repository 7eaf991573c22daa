import NeatBase
import NeatCamera
import NeatLayout
import NeatStyle
import NeatTile

/// The features that somebody asks about, by their ids.
package struct FeatureNames: Sendable, Equatable {
  package let names: [String]
  /// Layers whose features have numbers of the map's own: which of the names they stand for.
  package var ofLayers: [String: [UInt64: Int]] = [:]
  fileprivate let places: [String: Int]
  /// Of those that are numbers.
  fileprivate let numbers: [UInt64: Int]

  package init(_ names: [String]) {
    self.names = names
    places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var numbers: [UInt64: Int] = [:]
    for (name, place) in places {
      // As ids of tiles are written: no other text of the number names it.
      if let number = UInt64(name), String(number) == name { numbers[number] = place }
    }
    self.numbers = numbers
  }
}

/// Finds features of tiles by their ids, and remembers where they are: a tile is looked through once.
package struct FeatureFinder {
  struct Match {
    let feature: UInt32
    let name: Int
  }

  private struct Key: Hashable {
    let data: ObjectIdentifier
    /// What gives the ids: a property, or a table of the map's own.
    let promoted: String?
    let layer: String?
  }

  private struct Known {
    /// Held, so that no other one has its address.
    let data: TileLayer
    let matches: [Match]
    var isUsed = true
  }

  private var names = FeatureNames([])
  private var known: [Key: Known] = [:]

  package init() {}

  fileprivate mutating func begin(_ names: FeatureNames) {
    if names != self.names {
      self.names = names
      known = [:]
    }
    for key in known.keys { known[key]?.isUsed = false }
  }

  /// Forgets tiles that nobody asked about since it began.
  fileprivate mutating func end() { known = known.filter(\.value.isUsed) }

  /// The features asked about that a tile has, by layer and the property that its source promotes to an id.
  fileprivate mutating func matches(_ data: TileLayer, _ layer: String, promoted: String?) -> [Match] {
    let own = names.ofLayers[layer]
    let key = Key(data: ObjectIdentifier(data), promoted: promoted, layer: own == nil ? nil : layer)
    if known[key] != nil {
      known[key]?.isUsed = true
      return known[key]?.matches ?? []
    }
    var matches: [Match] = []
    let numbers = own ?? names.numbers
    for feature in 0..<data.featureCount {
      let name: Int? =
        if promoted == nil || own != nil {
          data.id(feature).flatMap { numbers[$0] }
        } else {
          FeatureStateTable.key(data, feature, promoted: promoted).flatMap { names.places[$0] }
        }
      if let name { matches.append(Match(feature: UInt32(truncatingIfNeeded: feature), name: name)) }
    }
    known[key] = Known(data: data, matches: matches)
    return matches
  }
}

extension MapCore {
  /// Which features are seen in a view: of symbol layers those whose icon or text stands, as `labels` of its frame has
  /// them; of lines, areas, circles, heatmaps and extrusions those that meet the view, as a query finds them.
  package func shown(
    _ names: FeatureNames, in transform: Transform, labels: LabelHistory?, _ finder: inout FeatureFinder
  ) -> [Bool] {
    var shown = [Bool](repeating: false, count: names.names.count)
    finder.begin(names)
    let builder = frameBuilder(transform)
    defer { frameMemories.give(builder.memory) }
    if let labels { builder.findSymbols(labels, &finder, &shown) }
    builder.findOnGround(&finder, &shown)
    finder.end()
    return shown
  }
}

extension FrameBuilder {
  private func promoted(_ layer: StyleLayer, _ source: String) -> String? {
    style.source(source)?.promoteID?.property(ofLayer: layer.sourceLayer ?? TileLayer.geoJSONName)
  }

  fileprivate func findSymbols(_ history: LabelHistory, _ finder: inout FeatureFinder, _ shown: inout [Bool])
  {
    for layer in history.layers {
      guard let source = layer.target.source else { continue }
      let promoted = promoted(layer.target, source)
      for tile in layer.tiles + layer.held {
        let matches = finder.matches(tile.bucket.tileLayer, layer.id, promoted: promoted)
        guard !matches.isEmpty else { continue }
        for number in tile.standing {
          let record = history.records[Int(tile.ids[Int(number)])]
          // Those that go out are drawn still, and stand no more.
          guard record.standsText || record.standsIcon else { continue }
          let feature = UInt32(bitPattern: tile.bucket.geometry.instances[Int(number)].feature)
          for match in matches where match.feature == feature { shown[match.name] = true }
        }
      }
    }
  }

  fileprivate func findOnGround(_ finder: inout FeatureFinder, _ shown: inout [Bool]) {
    let size = SIMD2(Double(transform.size.deviceWidth), Double(transform.size.deviceHeight))
    guard let world = QuerySearch.ground(QueryArea.box(.zero, size).corners, transform) else { return }
    for (index, layer) in style.layers.enumerated() where layer.type != .symbol {
      guard let source = layer.source, layer.isVisible(zoom: transform.camera.zoom, evaluator) else {
        continue
      }
      let states = states.table(layer, promoteID: style.source(source)?.promoteID)
      let promoted = promoted(layer, source)
      for tile in tiles[source] ?? [] {
        guard let (data, features) = QuerySearch.features(tile.layout?.buckets[index]) else { continue }
        let matches = finder.matches(data, layer.id, promoted: promoted).filter { !shown[$0.name] }
        guard !matches.isEmpty, let query = LayerQuery(layer, transform, tile.id, evaluator, world: world)
        else { continue }
        let place = EvaluationPoint.layer(data, tile: tile.id.canonical, zoom: camera.zoom)
        for match in matches where !shown[match.name] && features.contains(match.feature) {
          let point = place.feature(match.feature, states)
          if query.distance(data, Int(match.feature), at: point) != nil { shown[match.name] = true }
        }
      }
    }
  }
}
