import NeatBase
import NeatJSON
import NeatTile

/// What a region is to have: a style, with the tiles of an area and a range of zooms. Stored as the JSON that
/// MapLibre Native writes.
package struct OfflineRegionDefinition: Sendable, Equatable {
  package enum Area: Sendable, Equatable {
    /// Degrees. An area over the antimeridian has `east` below `west`, or above 180.
    case bounds(south: Double, west: Double, north: Double, east: Double)
    /// A GeoJSON geometry, as text.
    case geometry(String)
  }

  /// What of a style's resources a region has, beside the style itself and its TileJSON documents.
  package struct Contents: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let sprites = Contents(rawValue: 1)
    package static let glyphs = Contents(rawValue: 2)
    /// With GeoJSON and the pictures of image sources.
    package static let tiles = Contents(rawValue: 4)
    package static let all: Contents = [.sprites, .glyphs, .tiles]

    static let names: [(name: String, part: Contents)] = [
      ("sprites", .sprites), ("glyphs", .glyphs), ("tiles", .tiles),
    ]
  }

  package var styleURL: String
  package var area: Area
  package var minZoom: Double
  /// Infinite where the deepest zoom of each source is meant.
  package var maxZoom: Double
  package var pixelRatio: Double
  /// Whether glyphs of Chinese, Japanese and Korean are wanted too, which a map may draw by itself.
  package var includesIdeographs: Bool
  /// Stored as a member of ours, `neatline_contents`, where it is not all.
  package var contents = Contents.all

  package init(
    styleURL: String, area: Area, minZoom: Double = 0, maxZoom: Double = .infinity, pixelRatio: Double = 1,
    includesIdeographs: Bool = true, contents: Contents = .all
  ) {
    self.contents = contents
    self.styleURL = styleURL
    self.area = area
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.pixelRatio = pixelRatio
    self.includesIdeographs = includesIdeographs
  }

  // MARK: Validation

  /// Throws `invalidArgument`, or `geojson` for the geometry.
  package func validate() throws(NeatError) {
    func refuse(_ what: String) -> NeatError { NeatError(.invalidArgument, "region: \(what)") }
    guard !styleURL.isEmpty else { throw refuse("no style") }
    guard styleURL.utf8.count <= DatabaseOptions.maximumTextBytes else {
      throw refuse("the style's address is longer than \(DatabaseOptions.maximumTextBytes) bytes")
    }
    guard minZoom.isFinite, minZoom >= 0 else { throw refuse("the least zoom \(minZoom) is not 0 or more") }
    guard maxZoom >= minZoom else { throw refuse("the greatest zoom \(maxZoom) is not \(minZoom) or more") }
    guard pixelRatio.isFinite, pixelRatio >= 0 else {
      throw refuse("the pixel ratio \(pixelRatio) is not 0 or more")
    }
    switch area {
    case .bounds(let south, let west, let north, let east):
      guard [south, west, north, east].allSatisfy(\.isFinite) else { throw refuse("bounds are not finite") }
      guard south >= -90, north <= 90, south <= north else {
        throw refuse("latitudes from \(south) to \(north) are not within -90 to 90, from south to north")
      }
      guard west.magnitude <= 540, east.magnitude <= 540 else {
        throw refuse("longitudes from \(west) to \(east) are not within -540 to 540")
      }
    case .geometry(let text):
      guard text.utf8.count <= DatabaseOptions.maximumDefinitionBytes else {
        throw refuse("the geometry has more than \(DatabaseOptions.maximumDefinitionBytes) bytes")
      }
      let types: Set = [
        "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
        "GeometryCollection",
      ]
      guard let type = try JSON.parse(text)["type"]?.string, types.contains(type) else {
        throw refuse("the geometry is not a GeoJSON geometry")
      }
      _ = try RegionShape(geometry: Array(text.utf8))
    }
  }

  // MARK: JSON

  /// Numbers have a fraction even where it is 0: MapLibre Native reads others as none.
  private static func decimal(_ value: Double) -> String {
    let text = formatNumber(value)
    return text.utf8.allSatisfy { $0 == 0x2d || (0x30...0x39).contains($0) } ? text + ".0" : text
  }

  package var json: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("style_url")
    writer.string(styleURL)
    writer.key("min_zoom")
    writer.raw(OfflineRegionDefinition.decimal(minZoom))
    if maxZoom.isFinite {
      writer.key("max_zoom")
      writer.raw(OfflineRegionDefinition.decimal(maxZoom))
    }
    writer.key("pixel_ratio")
    writer.raw(OfflineRegionDefinition.decimal(pixelRatio))
    writer.key("include_ideographs")
    writer.bool(includesIdeographs)
    if contents != .all {
      writer.key("neatline_contents")
      writer.beginArray()
      for (name, part) in Contents.names where contents.contains(part) { writer.string(name) }
      writer.endArray()
    }
    switch area {
    case .bounds(let south, let west, let north, let east):
      writer.key("bounds")
      writer.beginArray()
      // Readers take the hull of the two corners: one over the antimeridian goes on past 180.
      for value in [south, west, north, east < west ? east + 360 : east] {
        writer.raw(OfflineRegionDefinition.decimal(value))
      }
      writer.endArray()
    case .geometry(let text):
      writer.key("geometry")
      writer.raw(text)
    }
    writer.endObject()
    return writer.text
  }

  /// Throws `json` for text that is none, `invalidArgument` for what lacks a member or has a wrong one,
  /// `geojson` for the geometry.
  package init(json text: String) throws(NeatError) {
    guard text.utf8.count <= DatabaseOptions.maximumDefinitionBytes else {
      throw NeatError(
        .limitExceeded, "region: more than \(DatabaseOptions.maximumDefinitionBytes) bytes of definition")
    }
    let root = try JSON.parse(text)
    func number(_ name: String) throws(NeatError) -> Double? {
      guard let value = root[name] else { return nil }
      guard let number = value.number else {
        throw NeatError(.invalidArgument, "region: \(name) is not a number", offset: value.offset)
      }
      return number
    }
    func required<T>(_ value: T?, _ name: String) throws(NeatError) -> T {
      guard let value else { throw NeatError(.invalidArgument, "region: no \(name)") }
      return value
    }
    styleURL = try required(root["style_url"]?.string, "style_url")
    minZoom = try required(try number("min_zoom"), "min_zoom")
    maxZoom = try number("max_zoom") ?? .infinity
    pixelRatio = try required(try number("pixel_ratio"), "pixel_ratio")
    includesIdeographs = root["include_ideographs"]?.bool ?? true
    contents = try Contents(root["neatline_contents"])
    if let bounds = root["bounds"] {
      let values = bounds.elements.compactMap(\.number)
      guard bounds.isArray, bounds.count == 4, values.count == 4 else {
        throw NeatError(.invalidArgument, "region: bounds are not four numbers", offset: bounds.offset)
      }
      area = .bounds(south: values[0], west: values[1], north: values[2], east: values[3])
    } else {
      let geometry = try required(root["geometry"], "bounds and no geometry")
      guard geometry.isObject else {
        throw NeatError(.invalidArgument, "region: geometry is not an object", offset: geometry.offset)
      }
      area = .geometry(geometry.text)
    }
    try validate()
  }
}

extension OfflineRegionDefinition.Contents {
  /// Throws `invalidArgument` for what is no list of parts.
  fileprivate init(_ json: JSON?) throws(NeatError) {
    guard let json else {
      self = .all
      return
    }
    self = []
    let isList = json.isArray
    for element in json.elements where isList {
      guard let part = OfflineRegionDefinition.Contents.names.first(where: { $0.name == element.string })
      else {
        throw NeatError(
          .invalidArgument, "region: neatline_contents has \(element.text), which is none of its parts",
          offset: element.offset)
      }
      insert(part.part)
    }
    if !isList {
      throw NeatError(.invalidArgument, "region: neatline_contents is no list", offset: json.offset)
    }
  }
}
