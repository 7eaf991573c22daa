import NeatBase
import NeatJSON

/// GeoJSON whose features say how they look: simplestyle-spec 1.1.0 (`stroke`, `stroke-width`, `stroke-opacity`,
/// `fill`, `fill-opacity`, `marker-color`, `marker-size`). Points are dots; `marker-symbol`, `title` and
/// `description` are for pages and are not drawn.
enum SimpleStyle {
  /// The type of a layer of an overlay that stands for those that draw a source so.
  static let layerType = "simplestyle"
  /// The id of the source, and of the layer, of an overlay that is GeoJSON.
  static let id = "overlay"

  static func isGeoJSON(_ type: String) -> Bool {
    switch type {
    case "FeatureCollection", "Feature", "GeometryCollection", "Point", "MultiPoint", "LineString",
      "MultiLineString", "Polygon", "MultiPolygon":
      true
    default: false
    }
  }

  /// The layers that a layer of an overlay stands for. Throws what is wrong with it.
  static func layers(of layer: JSON) throws(NeatError) -> [JSON] {
    try layer.refuseMembers(besides: ["id", "type", "source"], of: "layers of type \(layerType)")
    guard let id = layer["id"]?.string else {
      throw NeatError(.style, "missing required property \"id\"", resource: layerType)
    }
    guard let source = layer["source"]?.string else {
      throw NeatError(.style, "missing required property \"source\"", resource: id)
    }
    return layers(id: id, source: source)
  }

  static func layers(id: String, source: String) -> [JSON] {
    templates.map { name, template in
      .object(
        [("id", .string("\(id)-\(name)")), ("source", .string(source))]
          + template.members.map { ($0.key, $0.value) })
    }
  }

  private static let templates: [(name: String, layer: JSON)] = [
    (
      "fill",
      fixed(
        """
        {"type": "fill", "filter": ["==", ["geometry-type"], "Polygon"],
         "paint": {"fill-color": ["to-color", ["get", "fill"], "#555555"],
                   "fill-opacity": ["to-number", ["coalesce", ["get", "fill-opacity"], 0.6], 0.6]}}
        """)
    ),
    (
      "stroke",
      fixed(
        """
        {"type": "line", "filter": ["!=", ["geometry-type"], "Point"],
         "layout": {"line-cap": "round", "line-join": "round"},
         "paint": {"line-color": ["to-color", ["get", "stroke"], "#555555"],
                   "line-opacity": ["to-number", ["coalesce", ["get", "stroke-opacity"], 1], 1],
                   "line-width": ["to-number", ["coalesce", ["get", "stroke-width"], 2], 2]}}
        """)
    ),
    (
      "marker",
      fixed(
        """
        {"type": "circle", "filter": ["==", ["geometry-type"], "Point"],
         "paint": {"circle-color": ["to-color", ["get", "marker-color"], "#7e7e7e"],
                   "circle-radius": ["match", ["get", "marker-size"], "small", 5, "large", 10, 7],
                   "circle-stroke-color": "#ffffff", "circle-stroke-width": 2}}
        """)
    ),
  ]

  private static func fixed(_ text: String) -> JSON {
    do { return try JSON.parse(text) } catch { fatalError("simplestyle is no JSON: \(error)") }
  }
}
