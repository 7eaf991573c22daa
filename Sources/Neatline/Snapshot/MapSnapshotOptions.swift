/// What a snapshot is like, by the names of version 10 of the mobile SDKs.
public struct MapSnapshotOptions: Hashable, Sendable {
  /// Width and height in logical pixels, and the pixel ratio. With NeatlineFoundation the initializer takes a
  /// `CGSize`.
  public var size: PictureSize
  /// Which text is drawn from font files; nil: what `Options.glyphsRasterizationMode` says.
  public var glyphsRasterizationOptions: GlyphsRasterizationOptions?
  /// Where resources come from.
  public var resourceOptions: ResourceOptions
  /// What stands in the picture's corners. Nothing, where version 10 has a logo and the attribution.
  public var ornaments: OrnamentOptions
  /// What version 10 has no name for: threads, memory, fonts. Its `resources`, where there are some, stand in the
  /// place of `resourceOptions`.
  public var engineOptions: Options

  /// Device pixels a logical pixel, 0.1 to 16.
  public var pixelRatio: Double {
    get { size.pixelRatio }
    set { size.pixelRatio = newValue }
  }

  /// A picture of `width` x `height` logical pixels with the application's resources.
  public init(
    width: Int, height: Int, pixelRatio: Double = 1,
    glyphsRasterizationOptions: GlyphsRasterizationOptions? = nil,
    resourceOptions: ResourceOptions = ResourceOptionsManager.default.resourceOptions,
    ornaments: OrnamentOptions = .hidden, engineOptions: Options = Options()
  ) {
    size = PictureSize(width, height, pixelRatio: pixelRatio)
    self.glyphsRasterizationOptions = glyphsRasterizationOptions
    self.resourceOptions = resourceOptions
    self.ornaments = ornaments
    self.engineOptions = engineOptions
  }

  var options: Options {
    get throws(NeatlineError) {
      try engineOptions.with(
        resourceOptions, MapOptions(glyphsRasterizationOptions: glyphsRasterizationOptions))
    }
  }
}
