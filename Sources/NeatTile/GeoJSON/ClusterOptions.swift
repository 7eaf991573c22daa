import NeatBase

/// A value of a cluster's own property.
package enum ClusterValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
}

/// A property that clusters carry: what each point contributes, and how contributions are joined.
package struct ClusterProperty {
  package var name: String
  /// What a feature (by its number in the document) contributes.
  package var map: (Int) -> ClusterValue
  /// Joins what was accumulated so far (first) with what comes (second).
  package var reduce: (ClusterValue, ClusterValue) -> ClusterValue

  package init(
    name: String, map: @escaping (Int) -> ClusterValue,
    reduce: @escaping (ClusterValue, ClusterValue) -> ClusterValue
  ) {
    self.name = name
    self.map = map
    self.reduce = reduce
  }
}

/// How points are clustered; defaults are those of supercluster.
package struct ClusterOptions: Sendable {
  /// Zooms that have clusters, `0 <= minZoom <= maxZoom <= StyleZoom.maximum`; deeper zooms show every point.
  package var minZoom = 0
  package var maxZoom = 16
  /// The fewest points that make a cluster.
  package var minPoints = 2
  /// How far a cluster reaches, in the units of `extent`; 0 or more.
  package var radius = 40.0
  /// Tile units along an edge, 1...65536.
  package var extent = 512
  /// Gives each point its number as its id.
  package var generateId = false
  /// The share of the world past both of its ends that is there too, so that clusters reach over the
  /// antimeridian: points near one end count at the other as well. Nil: the world ends there.
  package var margin: Double?

  package init() {}

  /// The options a MapLibre source stands for: `TileUnits.extent` on tiles of 512 pixels, `radius` in pixels.
  package static func source(maxZoom: Int, radius: Double = 50, minPoints: Int = 2) -> ClusterOptions {
    var options = ClusterOptions()
    options.maxZoom = maxZoom
    options.radius = radius * TileUnits.perPixel
    options.extent = Int(bounded: TileUnits.extent)
    options.minPoints = minPoints
    return options
  }

  func check() throws(NeatError) {
    guard minZoom >= 0, minZoom <= maxZoom, maxZoom <= StyleZoom.maximum else {
      throw NeatError(
        .invalidArgument,
        "cluster zooms must be 0 <= minZoom <= maxZoom <= \(StyleZoom.maximum), not \(minZoom) and \(maxZoom)"
      )
    }
    guard radius >= 0, radius <= 1e6 else {
      throw NeatError(.invalidArgument, "cluster radius must be 0 to 1000000, not \(radius)")
    }
    guard (1...65536).contains(extent) else {
      throw NeatError(.invalidArgument, "extent must be 1 to 65536, not \(extent)")
    }
  }
}

/// One thing on a cluster map: a cluster, or a point that belongs to none.
package struct ClusterItem: Sendable, Equatable {
  /// The id of a cluster; nil for a point.
  package var clusterID: UInt32?
  /// Number, in the document, of a point's feature; -1 for a cluster.
  package var feature: Int
  /// Points in it; 1 for a point.
  package var pointCount: Int
  package var place: LonLat
  /// The accumulated properties of a cluster, in the order of the index's `propertyNames`.
  package var properties: [ClusterValue]
}
