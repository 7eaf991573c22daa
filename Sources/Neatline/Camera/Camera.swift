import CNeatline

/// One point of view.
public struct Camera: Hashable, Sendable {
  /// Degrees.
  public var longitude: Double
  /// Degrees, -90...90.
  public var latitude: Double
  /// -2...25.5; the world is 512 * 2^zoom logical pixels wide.
  public var zoom: Double
  /// Degrees clockwise from north.
  public var bearing: Double
  /// Degrees from straight down, 0...180, within the limits: to 85 before they say more.
  public var pitch: Double
  /// Degrees.
  public var roll: Double
  /// Logical pixels kept free along the edges.
  public var padding = Padding()
  /// Degrees; nil: 36.87.
  public var fieldOfView: Double?
  /// Where north is at a bearing of 0: degrees clockwise from the top. A map has its own
  /// (`setNorthOrientation`), which it tells here.
  public var north = 0.0

  /// Logical pixels along the four edges of a view.
  public struct Padding: Hashable, Sendable {
    public var top: Double, left: Double, bottom: Double, right: Double

    /// Padding in logical pixels, 0 to 65536 each.
    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
      self.top = top
      self.left = left
      self.bottom = bottom
      self.right = right
    }
  }

  /// A camera; what is left out shows the whole world, seen from straight above with north at the top.
  public init(
    longitude: Double = 0, latitude: Double = 0, zoom: Double = 0, bearing: Double = 0, pitch: Double = 0,
    roll: Double = 0
  ) {
    self.longitude = longitude
    self.latitude = latitude
    self.zoom = zoom
    self.bearing = bearing
    self.pitch = pitch
    self.roll = roll
  }

  init(_ c: neat_camera) {
    self.init(
      longitude: c.lon_deg, latitude: c.lat_deg, zoom: c.zoom, bearing: c.bearing_deg, pitch: c.pitch_deg,
      roll: c.roll_deg)
    padding = Padding(
      top: c.padding_top_px, left: c.padding_left_px, bottom: c.padding_bottom_px, right: c.padding_right_px)
    if c.fov_deg != 0 { fieldOfView = c.fov_deg }
    north = c.north_deg
  }

  /// The camera as C has it; nil: the style's own.
  static func c(_ camera: Camera?) -> neat_camera {
    var result = neat_camera()
    result.struct_size = UInt32(MemoryLayout<neat_camera>.size)
    guard let camera else {
      result.use_style = 1
      return result
    }
    result.lon_deg = camera.longitude
    result.lat_deg = camera.latitude
    result.zoom = camera.zoom
    result.bearing_deg = camera.bearing
    result.pitch_deg = camera.pitch
    result.roll_deg = camera.roll
    result.padding_top_px = camera.padding.top
    result.padding_left_px = camera.padding.left
    result.padding_bottom_px = camera.padding.bottom
    result.padding_right_px = camera.padding.right
    result.fov_deg = camera.fieldOfView ?? 0
    result.north_deg = camera.north
    return result
  }
}

/// How large a picture is.
public struct PictureSize: Hashable, Sendable {
  /// Logical pixels.
  public var width: Int, height: Int
  /// Device pixels a logical pixel, 0.1...16.
  public var pixelRatio: Double

  /// A size in logical pixels, with `pixelRatio` device pixels per logical pixel, 0.1 to 16.
  public init(_ width: Int, _ height: Int, pixelRatio: Double = 1) {
    self.width = width
    self.height = height
    self.pixelRatio = pixelRatio
  }

  var c: neat_size {
    neat_size(
      struct_size: UInt32(MemoryLayout<neat_size>.size), width_px: UInt32(clamping: width),
      height_px: UInt32(clamping: height),
      // 0 is C's word for the default; here it is a number out of range, and is refused as one.
      pixel_ratio: pixelRatio == 0 ? -1 : pixelRatio)
  }
}

/// How a renderer or a map works.
public struct Options: Hashable, Sendable {
  /// Threads that one picture may use; 0: as many as there are processors.
  public var threadCount = 0
  /// Bytes of decoded tiles and layouts kept; 0: 64 MiB.
  public var cacheBytes = 0
  /// Milliseconds that one request for a resource, the style among them, may take in all; 0: 30000.
  public var timeoutMilliseconds = 0
  /// Attempts after a failure that may pass, at most 100 (more is refused); 0: 3, `noRetries`: none.
  public var retryCount = 0
  /// Font files (TTF, OTF) for text that no glyph server draws; they come before the system's.
  public var fontPaths: [String] = []
  /// Bytes that may be held by pictures under way and all that is kept (docs/concepts/limits.md lists it); 0: three
  /// quarters of what the process may have. A picture that needs more fails with `outOfMemory`, or is drawn without a
  /// tile, an image or a layer, which its report names.
  public var memoryLimitBytes = 0
  /// Bytes that the packed body of one response may unpack to; 0: 256 MiB.
  public var unpackedLimitBytes = 0
  /// Bytes of the values that one evaluation of an expression may make; 0: 16 MiB. Past it the property has
  /// its default, and the image's report names layer and property.
  public var evaluationBytes = 0
  /// Steps of one evaluation: about one for 16 bytes of text or one item that an operator looks at; 0:
  /// 4,000,000.
  public var evaluationSteps = 0
  /// Bytes that the layouts of one image, or the clusters of one source, may keep of the values of
  /// expressions; 0: 256 MiB.
  public var expressionBytes = 0
  /// Steps that the expressions of one image, one query or one source may take together; 0: 500,000,000.
  public var expressionSteps = 0
  /// Whether the style may read files and archives of this machine; nil: where it came from a file or from
  /// text, not from a server.
  public var allowsLocalFiles: Bool?
  /// Whether the system's fonts draw what `fontPaths` lack.
  public var usesSystemFonts = true
  /// A language that the labels of each style are put in (`ja`, `pt_BR`), where the data has it; nil: as the style
  /// has them. What is no language is refused.
  public var language: String?
  /// Which text is drawn from font files: `fontPaths`, and the system's; nil: what no glyph server draws.
  public var glyphsRasterizationMode: GlyphsRasterizationMode?
  /// Whether labels of one source keep clear of those of others.
  public var crossSourceCollisions = true
  /// Whether the edges of extrusions and models are smooth; else a pixel belongs to what is in its middle.
  public var smoothEdges = true
  /// Whether letters of labels along lines that a sharp bend lays on each other are moved apart.
  public var spreadLetters = true
  /// What is shared with others; nil: connections and archives of its own, and no cache. Then it is the
  /// resources' timeout, retries and unpacked limit that count.
  public var resources: Resources?

  /// `retryCount`: every request is tried once.
  public static let noRetries = Int(UInt32.max)

  /// The defaults.
  public init() {}

  func checked() throws(NeatlineError) -> Options {
    for (name, value) in [
      ("threadCount", threadCount), ("cacheBytes", cacheBytes), ("timeoutMilliseconds", timeoutMilliseconds),
      ("memoryLimitBytes", memoryLimitBytes),
      ("unpackedLimitBytes", unpackedLimitBytes), ("evaluationBytes", evaluationBytes),
      ("evaluationSteps", evaluationSteps), ("expressionBytes", expressionBytes),
      ("expressionSteps", expressionSteps),
    ] where value < 0 {
      throw NeatlineError(.invalidArgument, "\(name) \(value) is negative")
    }
    return self
  }

  func withC<R>(_ body: (UnsafePointer<neat_options>) -> R) -> R {
    (language ?? "").withText { language, languageSize in withC(language, languageSize, body) }
  }

  private func withC<R>(
    _ language: UnsafePointer<CChar>, _ languageSize: Int, _ body: (UnsafePointer<neat_options>) -> R
  ) -> R {
    fontPaths.joined(separator: "\n").withText { text, size in
      var result = neat_options()
      result.struct_size = UInt32(MemoryLayout<neat_options>.size)
      result.thread_count = UInt32(clamping: threadCount)
      result.cache_bytes = UInt64(clamping: cacheBytes)
      result.timeout_ms = UInt32(clamping: timeoutMilliseconds)
      // A number out of range goes on as one, to be refused: none may turn into NEAT_NO_RETRIES or the
      // default.
      result.retry_count =
        retryCount == Options.noRetries ? .max : (0...100).contains(retryCount) ? UInt32(retryCount) : 101
      result.font_paths = text
      result.font_paths_size = size
      result.memory_limit_bytes = UInt64(clamping: memoryLimitBytes)
      result.unpacked_limit_bytes = UInt64(clamping: unpackedLimitBytes)
      result.evaluation_bytes = UInt64(clamping: evaluationBytes)
      result.evaluation_steps = UInt64(clamping: evaluationSteps)
      result.expression_bytes = UInt64(clamping: expressionBytes)
      result.expression_steps = UInt64(clamping: expressionSteps)
      switch allowsLocalFiles {
      case nil: result.local_files = NEAT_LOCAL_FILES_DEFAULT
      case true?: result.local_files = NEAT_LOCAL_FILES_ALLOW
      case false?: result.local_files = NEAT_LOCAL_FILES_DENY
      }
      result.no_system_fonts = usesSystemFonts ? 0 : 1
      result.no_cross_source_collisions = crossSourceCollisions ? 0 : 1
      result.no_smooth_edges = smoothEdges ? 0 : 1
      result.no_spread_letters = spreadLetters ? 0 : 1
      result.glyphs_rasterization =
        switch glyphsRasterizationMode {
        case nil: NEAT_GLYPHS_RASTERIZATION_WHERE_NEEDED
        case .noGlyphsRasterizedLocally?: NEAT_GLYPHS_RASTERIZATION_NONE
        case .ideographsRasterizedLocally?: NEAT_GLYPHS_RASTERIZATION_IDEOGRAPHS
        case .allGlyphsRasterizedLocally?: NEAT_GLYPHS_RASTERIZATION_ALL
        }
      result.resources = resources?.pointer
      result.language = language
      result.language_size = languageSize
      return body(&result)
    }
  }
}
