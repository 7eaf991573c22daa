/// The older way to keep regions: each with its style, bounds or geometry, and bytes of the user's own. Style
/// packs and tile regions are not among them. Any thread.
public final class OfflineRegionManager: Sendable {
  /// Where the regions are.
  public let resources: Resources

  /// The regions of a cache.
  public init(resources: Resources) { self.resources = resources }

  /// All regions.
  public func offlineRegions() throws(NeatlineError) -> [OfflineRegion] {
    try resources.storedRegions.filter { PackRegion.isPlain($0, in: resources) }.map { region in
      OfflineRegion(resources, region)
    }
  }

  /// Makes a region of bounds, which is inactive.
  public func createOfflineRegion(
    for definition: OfflineRegionTilePyramidDefinition, metadata: [UInt8] = []
  ) throws(NeatlineError) -> OfflineRegion {
    try create(definition.json, metadata)
  }

  /// Makes a region of a geometry, which is inactive.
  public func createOfflineRegion(
    for definition: OfflineRegionGeometryDefinition, metadata: [UInt8] = []
  ) throws(NeatlineError) -> OfflineRegion {
    try create(definition.json, metadata)
  }

  private func create(_ definition: JSONValue, _ metadata: [UInt8]) throws(NeatlineError) -> OfflineRegion {
    let id = try resources.createRegion(definition, metadata: metadata)
    guard let region = try resources.storedRegions.first(where: { $0.id == id }) else {
      throw NeatlineError(.notFound, "region \(id) was deleted")
    }
    return OfflineRegion(resources, region)
  }

  /// Takes over the regions of another database, which may have an older schema; those that came, or were here
  /// already.
  @discardableResult
  public func mergeOfflineDatabase(for filePath: String) throws(NeatlineError) -> [OfflineRegion] {
    try resources.mergeRegions(from: filePath).map { OfflineRegion(resources, $0) }
  }

  /// Limits the tiles with `mapbox://` addresses that all regions together may have. At first there is no limit.
  public func setOfflineMapboxTileCountLimit(_ limit: UInt64) throws(NeatlineError) {
    try resources.setTileLimit(limit, templates: ["mapbox://"])
  }

  /// Tells later, on another thread: all regions.
  public func offlineRegions(completion: @escaping @Sendable (Result<[OfflineRegion], any Error>) -> Void) {
    Task.detached { [self] in completion(Result { try offlineRegions() }) }
  }

  /// Tells later, on another thread: the region that is made.
  public func createOfflineRegion(
    for definition: OfflineRegionTilePyramidDefinition,
    completion: @escaping @Sendable (Result<OfflineRegion, any Error>) -> Void
  ) {
    Task.detached { [self] in completion(Result { try createOfflineRegion(for: definition) }) }
  }

  /// Tells later, on another thread: the region that is made.
  public func createOfflineRegion(
    for definition: OfflineRegionGeometryDefinition,
    completion: @escaping @Sendable (Result<OfflineRegion, any Error>) -> Void
  ) {
    Task.detached { [self] in completion(Result { try createOfflineRegion(for: definition) }) }
  }

  /// Tells later, on another thread: the regions that came, or were here already.
  public func mergeOfflineDatabase(
    for filePath: String, completion: @escaping @Sendable (Result<[OfflineRegion], any Error>) -> Void
  ) {
    Task.detached { [self] in completion(Result { try mergeOfflineDatabase(for: filePath) }) }
  }
}

/// A style, bounds and zooms.
public struct OfflineRegionTilePyramidDefinition: Hashable, Sendable {
  /// The style's address.
  public var styleURL: String
  /// West greater than east crosses the 180th meridian.
  public var bounds: GeographicBounds
  /// The least zoom, 0 or more.
  public var minZoom: Double
  /// The greatest zoom; infinite: to the deepest of each source.
  public var maxZoom: Double
  /// Above 1, tiles with `{ratio}` in their address are those of `@2x`.
  public var pixelRatio: Float
  /// Which glyphs are left out.
  public var glyphsRasterizationMode: GlyphsRasterizationMode

  /// All of it.
  public init(
    styleURL: String, bounds: GeographicBounds, minZoom: Double = 0, maxZoom: Double = .infinity,
    pixelRatio: Float = 1, glyphsRasterizationMode: GlyphsRasterizationMode = .noGlyphsRasterizedLocally
  ) {
    self.styleURL = styleURL
    self.bounds = bounds
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.pixelRatio = pixelRatio
    self.glyphsRasterizationMode = glyphsRasterizationMode
  }

  var json: JSONValue {
    let box: JSONValue = .array([bounds.south, bounds.west, bounds.north, bounds.east].map { .number($0) })
    return regionJSON(
      styleURL, .init("bounds", box), minZoom, maxZoom, pixelRatio, glyphsRasterizationMode)
  }
}

/// A style, a geometry and zooms.
public struct OfflineRegionGeometryDefinition: Hashable, Sendable {
  /// The style's address.
  public var styleURL: String
  /// The tiles that it touches are wanted.
  public var geometry: Geometry
  /// The least zoom, 0 or more.
  public var minZoom: Double
  /// The greatest zoom; infinite: to the deepest of each source.
  public var maxZoom: Double
  /// Above 1, tiles with `{ratio}` in their address are those of `@2x`.
  public var pixelRatio: Float
  /// Which glyphs are left out.
  public var glyphsRasterizationMode: GlyphsRasterizationMode

  /// All of it.
  public init(
    styleURL: String, geometry: Geometry, minZoom: Double = 0, maxZoom: Double = .infinity,
    pixelRatio: Float = 1, glyphsRasterizationMode: GlyphsRasterizationMode = .noGlyphsRasterizedLocally
  ) {
    self.styleURL = styleURL
    self.geometry = geometry
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.pixelRatio = pixelRatio
    self.glyphsRasterizationMode = glyphsRasterizationMode
  }

  var json: JSONValue {
    regionJSON(
      styleURL, .init("geometry", geometry.json), minZoom, maxZoom, pixelRatio, glyphsRasterizationMode)
  }
}

private func regionJSON(
  _ style: String, _ area: JSONValue.Member, _ minZoom: Double, _ maxZoom: Double, _ ratio: Float,
  _ mode: GlyphsRasterizationMode
) -> JSONValue {
  var members: [JSONValue.Member] = [
    .init("style_url", .string(style)), .init("min_zoom", .number(minZoom)),
    .init("pixel_ratio", .number(Double(ratio))),
    .init("include_ideographs", .bool(mode == .noGlyphsRasterizedLocally)), area,
  ]
  if maxZoom != .infinity { members.append(.init("max_zoom", .number(maxZoom))) }
  if mode == .allGlyphsRasterizedLocally {
    members.append(.init("neatline_contents", ["sprites", "tiles"]))
  }
  return .object(members)
}
