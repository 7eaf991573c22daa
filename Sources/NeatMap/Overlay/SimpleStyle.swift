import NeatJSON

/// GeoJSON whose features say how they look: simplestyle-spec 1.1.0 (`stroke`, `stroke-width`, `stroke-opacity`,
/// `fill`, `fill-opacity`, `marker-color`, `marker-size`). Points are dots; `marker-symbol`, `title` and
/// `description` are for pages and are not drawn.
enum SimpleStyle {
  static func isGeoJSON(_ type: String) -> Bool {
    switch type {
    case "FeatureCollection", "Feature", "GeometryCollection", "Point", "MultiPoint", "LineString",
      "MultiLineString", "Polygon", "MultiPolygon":
      true
    default: false
    }
  }

  /// The overlay that draws it.
  static func overlay(_ geojson: JSON) -> JSON {
    .object([
      ("sources", .object([("overlay", .object([("type", .string("geojson")), ("data", geojson)]))])),
      ("layers", layers),
    ])
  }

  private static let layers: JSON = {
    let text = """
      [
        {"id": "overlay-fill", "type": "fill", "source": "overlay",
         "filter": ["==", ["geometry-type"], "Polygon"],
         "paint": {"fill-color": ["to-color", ["get", "fill"], "#555555"],
                   "fill-opacity": ["to-number", ["coalesce", ["get", "fill-opacity"], 0.6], 0.6]}},
        {"id": "overlay-stroke", "type": "line", "source": "overlay",
         "filter": ["!=", ["geometry-type"], "Point"],
         "layout": {"line-cap": "round", "line-join": "round"},
         "paint": {"line-color": ["to-color", ["get", "stroke"], "#555555"],
                   "line-opacity": ["to-number", ["coalesce", ["get", "stroke-opacity"], 1], 1],
                   "line-width": ["to-number", ["coalesce", ["get", "stroke-width"], 2], 2]}},
        {"id": "overlay-marker", "type": "circle", "source": "overlay",
         "filter": ["==", ["geometry-type"], "Point"],
         "paint": {"circle-color": ["to-color", ["get", "marker-color"], "#7e7e7e"],
                   "circle-radius": ["match", ["get", "marker-size"], "small", 5, "large", 10, 7],
                   "circle-stroke-color": "#ffffff", "circle-stroke-width": 2}}
      ]
      """
    do { return try JSON.parse(text) } catch { fatalError("the layers of simplestyle are no JSON: \(error)") }
  }()
}
