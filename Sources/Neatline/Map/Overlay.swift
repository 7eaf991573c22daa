import CNeatline

/// What one picture shows over its map: sources, layers and images that its style does not have. Images are added
/// before it is drawn; then any thread may draw with it.
public final class Overlay: @unchecked Sendable {  // immutable once it is drawn with
  let pointer: OpaquePointer

  /// An overlay of JSON: `{"sources": {…}, "layers": […], "before": id}` as in a style, its layers on top or below
  /// the style's layer `before`; or GeoJSON, which is drawn as simplestyle-spec says (`stroke`, `stroke-width`,
  /// `fill`, `marker-color` …). At most 64 MiB and 256 layers.
  public init(json: String) throws(NeatlineError) {
    pointer = try handle { out in json.withText { neat_overlay_create($0, $1, out) } }
  }

  /// An overlay of sources and layers as styles have them, on top or below the style's layer `before`, and of
  /// managers of annotations: `{"kind", "id", "options", "annotations"}`, 64 at most.
  public convenience init(
    sources: [JSONValue.Member] = [], layers: [JSONValue] = [], before: String? = nil,
    annotations: [JSONValue] = []
  ) throws(NeatlineError) {
    var members: [JSONValue.Member] = [
      .init("sources", .object(sources)), .init("layers", .array(layers)),
    ]
    if let before { members.append(.init("before", .string(before))) }
    if !annotations.isEmpty { members.append(.init("annotations", .array(annotations))) }
    try self.init(json: JSONValue.object(members).text)
  }

  deinit { neat_overlay_destroy(pointer) }

  /// Adds an image that its layers can name, or replaces the one of this name. `pixelRatio`: pixels per logical
  /// pixel, above 0 to 16. `isSDF`: its alpha is a signed distance field, which `icon-color` colours.
  public func addImage(_ name: String, _ image: Image, pixelRatio: Double = 1, isSDF: Bool = false)
    throws(NeatlineError)
  {
    try check(
      name.withText { neat_overlay_add_image(pointer, $0, $1, image.pointer, pixelRatio, isSDF ? 1 : 0) })
  }

  /// The smallest box around the GeoJSON that it holds itself; west above east across the 180th meridian. Throws
  /// `notFound` where there is no place in it.
  public var bounds: GeographicBounds {
    get throws(NeatlineError) {
      var box = GeographicBounds(west: 0, south: 0, east: 0, north: 0)
      try check(neat_overlay_bounds(pointer, &box.west, &box.south, &box.east, &box.north))
      return box
    }
  }
}

/// What a picture says about where its data comes from.
public enum Attribution: Hashable, Sendable {
  /// Nothing.
  case none
  /// That of the style's sources, as plain text.
  case sources
  /// A text of one's own.
  case text(String)
}

/// The units of a picture's scale bar.
public enum ScaleBar: UInt32, Sendable, CaseIterable {
  /// No scale bar.
  case none
  /// Metres and kilometres.
  case metric
  /// Feet and miles.
  case imperial
  /// Nautical miles.
  case nautical
}
