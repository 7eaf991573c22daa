import NeatBase
import NeatJSON
import NeatLayout
import NeatStyle
import NeatTile
import Testing

/// A feature of a test's layer, with its properties as JSON.
struct TestFeature {
  var type: GeometryType
  var parts: [[SIMD2<Int32>]]
  var properties = "{}"
  var id: UInt64?

  init(_ type: GeometryType, _ parts: [[SIMD2<Int32>]], _ properties: String = "{}", id: UInt64? = nil) {
    self.type = type
    self.parts = parts
    self.properties = properties
    self.id = id
  }

  static func point(_ x: Int32, _ y: Int32, _ properties: String = "{}", id: UInt64? = nil) -> TestFeature {
    TestFeature(.point, [[SIMD2(x, y)]], properties, id: id)
  }

  static func line(_ points: [SIMD2<Int32>], _ properties: String = "{}") -> TestFeature {
    TestFeature(.line, [points], properties)
  }

  /// Squares; the first turns as outer rings do, the others against it.
  static func polygon(_ squares: [Square], _ properties: String = "{}") -> TestFeature {
    TestFeature(
      .polygon, squares.enumerated().map { $0.offset == 0 ? $0.element.ring : $0.element.ring.reversed() },
      properties)
  }
}

struct Square {
  var x: Int32
  var y: Int32
  var size: Int32

  init(_ x: Int32, _ y: Int32, _ size: Int32) { (self.x, self.y, self.size) = (x, y, size) }

  /// Clockwise on the screen.
  var ring: [SIMD2<Int32>] {
    [SIMD2(x, y), SIMD2(x + size, y), SIMD2(x + size, y + size), SIMD2(x, y + size)]
  }
}

func makeLayer(_ features: [TestFeature], name: String = "x", extent: UInt32 = 8192) throws -> TileLayer {
  var builder = TileLayerBuilder(name: name, extent: extent)
  for feature in features {
    builder.beginFeature(feature.type, id: feature.id)
    for part in feature.parts {
      for point in part { builder.addPoint(point) }
      builder.endPart()
    }
    for (name, value) in try JSON.parse(feature.properties).members {
      let number =
        switch value.kind {
        case .bool: builder.borrowedValue(.bool(value.bool == true))
        case .number: builder.borrowedValue(.double(value.number ?? 0))
        default: builder.string(value.string ?? "")
        }
      builder.addTag(key: builder.key(name), value: number)
    }
    builder.endFeature()
  }
  return builder.build()
}

/// A style of layers over the source "s".
func makeStyle(_ layers: String) throws -> Style {
  try Style(
    json: JSON.parse(
      #"{"version": 8, "sources": {"s": {"type": "vector", "tiles": []}}, "layers": [\#(layers)]}"#))
}

/// A layer over the source layer "x".
func makeStyleLayer(_ type: String, _ properties: String = "") throws -> StyleLayer {
  let more = properties.isEmpty ? "" : ", " + properties
  let style = try makeStyle(#"{"id": "l", "type": "\#(type)", "source": "s", "source-layer": "x"\#(more)}"#)
  #expect(style.issues.isEmpty, "\(style.issues)")
  return try #require(style.layers.first)
}

/// What a bucket of a style layer is made of.
func bucketInput(
  _ type: String, _ properties: String = "", _ features: [TestFeature], extent: UInt32 = 8192,
  zoom: UInt8 = 4, states: FeatureStateTable? = nil
) throws -> BucketInput {
  BucketInput(
    try makeLayer(features, extent: extent), style: try makeStyleLayer(type, properties),
    tile: OverscaledTileID(canonical: TileID(z: zoom, x: 0, y: 0)), states: states, Evaluator())
}

/// The same of a layer that sets nothing.
func bucketInput(_ type: String, _ features: [TestFeature], extent: UInt32 = 8192) throws -> BucketInput {
  try bucketInput(type, "", features, extent: extent)
}
