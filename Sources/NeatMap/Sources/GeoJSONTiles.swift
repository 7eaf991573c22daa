import NeatBase
import NeatJSON
import NeatStyle
import NeatTile

/// The data of a GeoJSON source, cut into tiles or clustered on demand.
package final class GeoJSONTiles: Sendable {
  private enum Kind {
    case index(GeoJSONIndex)
    case clusters(ClusterIndex)
  }

  private let kind: Kind
  /// The zoom past which tiles are only magnified.
  package let maxZoom: UInt8

  /// Reads and indexes GeoJSON as the source's options ask.
  package init(bytes: [UInt8], source: SourceSpec.GeoJSONSource) throws(NeatError) {
    let data = try GeoJSONData(parsing: bytes)
    let include = try GeoJSONTiles.filter(source.filter, data)
    let maxZoom = min(max(Int(source.maxZoom), 0), 24)
    self.maxZoom = UInt8(maxZoom)
    if source.isClustered {
      kind = .clusters(try GeoJSONTiles.clusters(data, source, maxZoom: maxZoom, include: include))
    } else {
      var options = GeoJSONTileOptions.source(maxZoom: maxZoom, buffer: source.buffer, tolerance: source.tolerance)
      options.lineMetrics = source.hasLineMetrics
      options.generateId = source.generatesIDs
      if case .property(let name)? = source.promoteID { options.promoteId = name }
      kind = .index(try GeoJSONIndex(data, options: options, include: include))
    }
  }

  /// The tile, or nil where it is empty.
  package func tile(_ id: TileID) -> VectorTile? {
    let layer =
      switch kind {
      case .index(let index): index.tile(id)
      case .clusters(let clusters): clusters.tile(id)
      }
    return layer.map { VectorTile(layers: [$0]) }
  }

  private static func filter(_ json: JSON?, _ data: GeoJSONData) throws(NeatError) -> ((Int) -> Bool)? {
    guard let json, !json.isNull else { return nil }
    guard case .success(let filter) = CompiledFilter.compile(json) else {
      throw NeatError(.expression, "the source's filter is not a valid expression")
    }
    let layer = data.propertiesLayer()
    let evaluator = Evaluator()
    evaluator.bind(layer: layer)
    return { feature in
      evaluator.feature = feature
      return filter.matches(evaluator)
    }
  }
}
