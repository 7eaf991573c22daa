/// What a `MapView` begins with, by the names of version 10 of the mobile SDKs.
public struct MapInitOptions: Hashable, Sendable {
  /// Where resources come from.
  public var resourceOptions: ResourceOptions
  /// How the map works.
  public var mapOptions: MapOptions
  /// Where the map is seen from; what is nil is the style's.
  public var cameraOptions: CameraOptions?
  /// The style that is loaded; nil: none, until one is loaded or set.
  public var styleURI: StyleURI?
  /// A style's text, in the place of `styleURI`.
  public var styleJSON: String?
  /// What version 10 has no name for: threads, memory, fonts. Its `resources`, where there are some, stand in the
  /// place of `resourceOptions`.
  public var engineOptions: Options

  /// The application's resources, Mapbox Streets and the style's own camera, but for what is said.
  public init(
    resourceOptions: ResourceOptions = ResourceOptionsManager.default.resourceOptions,
    mapOptions: MapOptions = MapOptions(), cameraOptions: CameraOptions? = nil,
    styleURI: StyleURI? = .streets, styleJSON: String? = nil, engineOptions: Options = Options()
  ) {
    self.resourceOptions = resourceOptions
    self.mapOptions = mapOptions
    self.cameraOptions = cameraOptions
    self.styleURI = styleURI
    self.styleJSON = styleJSON
    self.engineOptions = engineOptions
  }

  var options: Options {
    get throws(NeatlineError) { try engineOptions.with(resourceOptions, mapOptions) }
  }
}

extension Options {
  /// With what version 10 has names for.
  func with(_ resources: ResourceOptions, _ map: MapOptions) throws(NeatlineError) -> Options {
    var options = self
    if options.resources == nil { options.resources = try resources.resources }
    options.crossSourceCollisions = map.crossSourceCollisions
    if let glyphs = map.glyphsRasterizationOptions {
      options.glyphsRasterizationMode = glyphs.rasterizationMode
    }
    return options
  }
}

/// How a map works, by the names of version 10 of the mobile SDKs.
public struct MapOptions: Hashable, Sendable {
  /// What of the view is held within the world, before `setCameraBounds` and `setCameraLimits` say more.
  public var constrainMode: ConstrainMode
  /// Which way up pictures are.
  public var viewportMode: ViewportMode
  /// Where north is at a bearing of 0.
  public var orientation: NorthOrientation
  /// Whether labels of one source keep clear of those of others.
  public var crossSourceCollisions: Bool
  /// Has no effect: layers are drawn in the style's order, with terrain too.
  public var optimizeForTerrain: Bool
  /// Device pixels a logical pixel, 0.1 to 16.
  public var pixelRatio: Double
  /// Which text is drawn from font files; nil: what `Options.glyphsRasterizationMode` says.
  public var glyphsRasterizationOptions: GlyphsRasterizationOptions?

  /// A map as version 10 has it, with a pixel for each logical pixel.
  public init(
    constrainMode: ConstrainMode = .heightOnly, viewportMode: ViewportMode = .default,
    orientation: NorthOrientation = .upwards, crossSourceCollisions: Bool = true,
    optimizeForTerrain: Bool = true, pixelRatio: Double = 1,
    glyphsRasterizationOptions: GlyphsRasterizationOptions? = nil
  ) {
    self.constrainMode = constrainMode
    self.viewportMode = viewportMode
    self.orientation = orientation
    self.crossSourceCollisions = crossSourceCollisions
    self.optimizeForTerrain = optimizeForTerrain
    self.pixelRatio = pixelRatio
    self.glyphsRasterizationOptions = glyphsRasterizationOptions
  }
}

/// Which text is drawn from font files, by the names of version 10 of the mobile SDKs.
public struct GlyphsRasterizationOptions: Hashable, Sendable {
  /// Which text.
  public var rasterizationMode: GlyphsRasterizationMode
  /// Has no effect: a layer's `text-font` names the family, and `Options.fontPaths` the files.
  public var fontFamily: String?

  /// A mode, with the fonts that layers name.
  public init(
    rasterizationMode: GlyphsRasterizationMode = .ideographsRasterizedLocally, fontFamily: String? = nil
  ) {
    self.rasterizationMode = rasterizationMode
    self.fontFamily = fontFamily
  }
}
