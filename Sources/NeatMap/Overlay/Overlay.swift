import NeatBase
import NeatJSON
import NeatRaster
import NeatStyle
import NeatTile

/// What one picture shows over its map: sources, layers and images that the style does not have.
///
/// Read from JSON: `{"sources": {…}, "layers": […], "before": id}`, as in a style, or GeoJSON, which is drawn
/// as the simplestyle specification says (`SimpleStyle`). A layer of the type `simplestyle` draws a source so.
/// `annotations` are managers of annotations with what they hold (`OverlayAnnotations`), above the layers.
package struct Overlay: Sendable {
  private enum Source {
    case json(id: String, JSON)
    case simple(SourceSpec)

    /// The GeoJSON that it holds itself.
    var data: JSON? {
      switch self {
      case .simple(let source): source.geojson?.data
      case .json(_, let json):
        json["type"]?.string == "geojson" ? json["data"].flatMap { $0.isObject ? $0 : nil } : nil
      }
    }
  }

  private let sources: [Source]
  private let layers: [JSON]
  private let annotations: [OverlayAnnotations]
  /// The layer of the style that its layers go below; nil: on top.
  private let before: String?
  private(set) var images: [StyleImage] = []

  /// Bytes of an overlay's JSON.
  package static let byteLimit = 64 << 20
  /// Layers of an overlay.
  package static let layerLimit = 256
  /// Managers of annotations of an overlay.
  package static let managerLimit = 64
  /// Images of an overlay.
  package static let imageLimit = 1024

  /// Throws what is wrong with the JSON, and `limitExceeded`. Sources and layers are checked when they are laid
  /// over a style.
  package init(parsing bytes: [UInt8]) throws(NeatError) {
    guard bytes.count <= Overlay.byteLimit else {
      throw NeatError(.limitExceeded, "an overlay of \(bytes.count) bytes; \(Overlay.byteLimit) is the limit")
    }
    let json = try JSON.parse(bytes)
    guard json.isObject else { throw NeatError(.invalidArgument, "an overlay is a JSON object") }
    if let type = json["type"]?.string, SimpleStyle.isGeoJSON(type) {
      sources = [.simple(SourceSpec(id: SimpleStyle.id, geojson: json))]
      layers = SimpleStyle.layers(id: SimpleStyle.id, source: SimpleStyle.id)
      annotations = []
      before = nil
      return
    }
    try json.refuseMembers(besides: ["sources", "layers", "before", "annotations"], of: "overlays")
    sources = try Overlay.object(json["sources"], "sources").map { .json(id: $0.key, $0.value) }
    var layers: [JSON] = []
    if let list = json["layers"] {
      guard list.isArray else { throw NeatError(.invalidArgument, "an overlay's layers are an array") }
      for layer in list.elements {
        if layer["type"]?.string == SimpleStyle.layerType {
          layers += try SimpleStyle.layers(of: layer)
        } else {
          layers.append(layer)
        }
      }
    }
    self.layers = layers
    annotations = try Overlay.annotations(json["annotations"])
    guard layers.count <= Overlay.layerLimit else {
      throw NeatError(
        .limitExceeded, "\(layers.count) layers of an overlay; \(Overlay.layerLimit) is the limit")
    }
    if let id = json["before"], !id.isNull {
      guard let id = id.string else {
        throw NeatError(.invalidArgument, "an overlay's before is a layer's id")
      }
      before = id
    } else {
      before = nil
    }
  }

  private static func annotations(_ json: JSON?) throws(NeatError) -> [OverlayAnnotations] {
    guard let json, !json.isNull else { return [] }
    guard json.isArray else { throw NeatError(.invalidArgument, "an overlay's annotations are an array") }
    guard json.count <= managerLimit else {
      throw NeatError(.limitExceeded, "\(json.count) managers of annotations; \(managerLimit) is the limit")
    }
    var result: [OverlayAnnotations] = []
    for manager in json.elements { result.append(try OverlayAnnotations(manager, number: result.count)) }
    return result
  }

  private static func object(_ json: JSON?, _ name: String) throws(NeatError) -> [(key: String, value: JSON)]
  {
    guard let json, !json.isNull else { return [] }
    guard json.isObject else { throw NeatError(.invalidArgument, "an overlay's \(name) are an object") }
    return json.members.map { ($0.key, $0.value) }
  }

  /// Adds an image that its layers can name, in place of one of that name.
  package mutating func addImage(_ image: StyleImage) throws(NeatError) {
    images.removeAll { $0.name == image.name }
    guard images.count < Overlay.imageLimit else {
      throw NeatError(
        .limitExceeded, "more than \(Overlay.imageLimit) images of an overlay", resource: image.name)
    }
    images.append(image)
  }

  /// Bytes that its images take at most when a picture shows them.
  package var imageByteCount: Int { images.reduce(0) { $0 + $1.drawnByteCount } }

  /// The box of degrees of all GeoJSON that it holds itself, west above east across the 180th meridian; nil where
  /// there is none. Throws what is wrong with the GeoJSON.
  package func extent() throws(NeatError) -> (west: Double, south: Double, east: Double, north: Double)? {
    let collections = sources.compactMap(\.data) + annotations.flatMap { $0.data.map(\.json) }
    guard let first = collections.first else { return nil }
    if collections.count == 1 { return try GeoJSONData(parsing: first.sourceBytes).extent }
    // One document, so that what lies on both sides of the meridian in two sources is seen together.
    let features = collections.flatMap { data -> [String] in
      switch data["type"]?.string {
      case "FeatureCollection": data["features"].map { $0.elements.map(\.sourceText) } ?? []
      case "Feature": [data.sourceText]
      default: [#"{"type":"Feature","properties":{},"geometry":\#(data.sourceText)}"#]
      }
    }
    let document = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    return try GeoJSONData(parsing: Array(document.utf8)).extent
  }

  /// A style with the overlay's sources and layers. Throws what is wrong with them, by name.
  func styled(_ style: Style) throws(NeatError) -> Style {
    var editor = StyleEditor(style)
    for source in sources {
      switch source {
      case .json(let id, let json): try editor.addSource(id, json)
      case .simple(let source): try editor.addSource(source)
      }
    }
    for layer in layers { try editor.addLayer(layer, before: before) }
    for annotations in annotations { try annotations.add(to: &editor) }
    return editor.style
  }

  /// Whether its layers are on top of all others.
  var isOnTop: Bool { before == nil && annotations.allSatisfy(\.isOnTop) }
}
