import NeatJSON

/// A source of a style: what kind it is and where its data comes from.
package struct SourceSpec: Sendable {
  /// Pixels that the edge of a source's tiles may stand for.
  package static let tileSizes = 1.0...8192.0

  package enum Kind: Sendable {
    case vector(TiledSource)
    case raster(TiledSource)
    case rasterDEM(TiledSource)
    case geojson(GeoJSONSource)
    case image(ImageSource)
    case video(VideoSource)
    case custom(CustomSource)
  }

  package var id: String
  package var kind: Kind
  /// The source as it stood in the style.
  package var json: JSON

  /// The type's name in style JSON.
  package var typeName: String {
    switch kind {
    case .vector: "vector"
    case .raster: "raster"
    case .rasterDEM: "raster-dem"
    case .geojson: "geojson"
    case .image: "image"
    case .video: "video"
    case .custom: "custom-geometry"
    }
  }

  /// Whether tiles are asked for one by one.
  package var hasTiles: Bool { tiled != nil || custom != nil }

  /// Whether its data is GeoJSON, all of it in one layer.
  package var isOfOneLayer: Bool { geojson != nil || custom != nil }

  package var custom: CustomSource? {
    if case .custom(let source) = kind { source } else { nil }
  }

  /// The description of tiles, of a vector, raster or raster-dem source.
  package var tiled: TiledSource? {
    switch kind {
    case .vector(let source), .raster(let source), .rasterDEM(let source): source
    default: nil
    }
  }

  /// GeoJSON as it stands, which is neither copied nor read, with the defaults of all else.
  package init(id: String, geojson: JSON) {
    self.id = id
    kind = .geojson(GeoJSONSource(data: geojson))
    json = .null
  }

  package var geojson: GeoJSONSource? {
    if case .geojson(let source) = kind { source } else { nil }
  }

  package var promoteID: PromoteID? {
    switch kind {
    case .vector(let source): source.promoteID
    case .geojson(let source): source.promoteID
    default: nil
    }
  }

  /// Tiles by a TileJSON address or by address templates. Members that the style leaves out are nil where a
  /// TileJSON may set them.
  package struct TiledSource: Sendable {
    package enum Encoding: Sendable, Equatable {
      case mvt, mlt
      case mapbox, terrarium
      /// Height in metres: r·red + g·green + b·blue - shift.
      case custom(red: Double, green: Double, blue: Double, shift: Double)
    }

    package var url: String?
    package var tiles: [String]?
    package var minZoom: Double?
    package var maxZoom: Double?
    /// West, south, east, north in degrees.
    package var bounds: SIMD4<Double>?
    /// Rows count from the south.
    package var isTMS: Bool?
    /// Pixels.
    package var tileSize: Double
    package var attribution: String?
    package var encoding: Encoding?
    package var promoteID: PromoteID?
  }

  package struct GeoJSONSource: Sendable {
    package static let defaultMaxZoom = 18.0

    /// The data itself (an object), or its address (a string).
    package var data: JSON
    package var maxZoom = defaultMaxZoom
    /// Of 512 units a tile.
    package var buffer = 128.0
    /// Of 512 units a tile.
    package var tolerance = 0.375
    package var isClustered = false
    /// Pixels of a 512-pixel tile.
    package var clusterRadius = 50.0
    /// Nil: one less than `maxZoom`.
    package var clusterMaxZoom: Double?
    package var clusterMinPoints = 2.0
    package var clusterProperties: JSON?
    package var hasLineMetrics = false
    package var generatesIDs = false
    package var promoteID: PromoteID?
    package var filter: JSON?
    package var attribution: String?
  }

  /// Tiles whose GeoJSON the application gives.
  package struct CustomSource: Sendable, Equatable {
    /// No other zooms have tiles; deeper ones are cut out of those of `maxZoom`.
    package var minZoom: UInt8 = 0
    package var maxZoom: UInt8 = 18
    /// Units along a tile's edge that `buffer` and `tolerance` count in.
    package var tileSize = 512.0
    package var buffer = 128.0
    package var tolerance = 0.375
    /// Whether what lies past the antimeridian is brought back into the world.
    package var isWrapped = false
    /// Whether geometry is cut to its tile and the buffer; else to the tile and those around it.
    package var isClipped = false

    package init() {}
  }

  /// Tiles of the application's. In style JSON it is a GeoJSON source without features, so that the layers which draw
  /// from it stay valid.
  package init(id: String, custom: CustomSource) {
    self.id = id
    kind = .custom(custom)
    json = .object([
      ("type", .string("geojson")), ("maxzoom", .number(Double(custom.maxZoom))),
      ("data", .object([("type", .string("FeatureCollection")), ("features", .array([]))])),
    ])
  }

  package struct ImageSource: Sendable {
    package var url: String
    /// Longitude and latitude of the top left, top right, bottom right and bottom left corners.
    package var coordinates: [SIMD2<Double>]
  }

  package struct VideoSource: Sendable {
    package var urls: [String]
    package var coordinates: [SIMD2<Double>]
  }

  /// Which property serves as feature id.
  package enum PromoteID: Sendable, Equatable {
    case property(String)
    case byLayer([String: String])

    package func property(ofLayer layer: String) -> String? {
      switch self {
      case .property(let name): name
      case .byLayer(let names): names[layer]
      }
    }
  }
}
