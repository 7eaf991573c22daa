// Members of the root.
extension StyleDocument {
  /// The version of the style specification: 8.
  public var version: Double? {
    get { members["version"] }
    set { members["version"] = newValue }
  }

  /// For humans.
  public var name: String? {
    get { members["name"] }
    set { members["name"] = newValue }
  }

  /// For the host's own use.
  public var metadata: JSONValue? {
    get { members["metadata"] }
    set { members["metadata"] = newValue }
  }

  /// Longitude and latitude to start at, in degrees.
  public var center: [Double]? {
    get { members["center"] }
    set { members["center"] = newValue }
  }

  /// Altitude of the centre, in metres.
  public var centerAltitude: Double? {
    get { members["centerAltitude"] }
    set { members["centerAltitude"] = newValue }
  }

  /// Zoom to start at.
  public var zoom: Double? {
    get { members["zoom"] }
    set { members["zoom"] = newValue }
  }

  /// Bearing to start at, in degrees clockwise.
  public var bearing: Double? {
    get { members["bearing"] }
    set { members["bearing"] = newValue }
  }

  /// Pitch to start at, in degrees.
  public var pitch: Double? {
    get { members["pitch"] }
    set { members["pitch"] = newValue }
  }

  /// Roll to start at, in degrees counterclockwise.
  public var roll: Double? {
    get { members["roll"] }
    set { members["roll"] = newValue }
  }

  /// The light of extrusions.
  public var light: Light? {
    get { members["light"] }
    set { members["light"] = newValue }
  }

  /// The sky, and the fog on a terrain that belongs to it.
  public var sky: Sky? {
    get { members["sky"] }
    set { members["sky"] = newValue }
  }

  /// The fog, the air and the stars of Mapbox styles.
  public var fog: Fog? {
    get { members["fog"] }
    set { members["fog"] = newValue }
  }

  /// The elevation of the ground.
  public var terrain: Terrain? {
    get { members["terrain"] }
    set { members["terrain"] = newValue }
  }

  /// The projection.
  public var projection: Projection? {
    get { members["projection"] }
    set { members["projection"] = newValue }
  }

  /// How properties change where they have no transition of their own.
  public var transition: StyleTransition? {
    get { members["transition"] }
    set { members["transition"] = newValue }
  }

  /// The address of glyphs, with `{fontstack}` and `{range}`.
  public var glyphs: String? {
    get { members["glyphs"] }
    set { members["glyphs"] = newValue }
  }

  /// The address of the images: text, or an array of `id` and `url`.
  public var sprite: JSONValue? {
    get { members["sprite"] }
    set { members["sprite"] = newValue }
  }

  /// The global state's members and their defaults.
  public var state: JSONValue? {
    get { members["state"] }
    set { members["state"] = newValue }
  }

  /// Font files by family.
  public var fontFaces: JSONValue? {
    get { members["font-faces"] }
    set { members["font-faces"] = newValue }
  }
}
