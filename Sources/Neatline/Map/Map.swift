import CNeatline

/// A map that loads, changes and animates over time. Belongs to its loop's thread.
public final class Map {
  let pointer: OpaquePointer
  /// The loop that the map lives on.
  public let loop: EventLoop
  let listeners: EventListeners
  /// What moves the camera from pointers, wheel and keys.
  public private(set) lazy var gestures = GestureManager(self)
  /// What stands in the map's corners: scale bar, compass, attribution, logo.
  public private(set) lazy var ornaments = OrnamentsManager(self)
  /// What moves the camera by itself: easings, flights and animators.
  public private(set) lazy var cameraAnimations = CameraAnimationsManager(self)
  /// What the application shows on the map.
  public private(set) lazy var annotations = AnnotationOrchestrator(self)
  /// Rectangles that the host draws over the map.
  public private(set) lazy var viewAnnotations = ViewAnnotationManager(self)
  /// Where the user is, and what stands there.
  public private(set) lazy var location = LocationManager(self)
  /// What keeps the camera: a state that follows the puck, an overview, one of the host's.
  public private(set) lazy var viewport = ViewportManager(self)
  /// What the library calls until the map has ended.
  private var kept: [AnyObject] = []
  /// The size of the view.
  public private(set) var size: PictureSize
  /// How many styles were asked for or set.
  var styleNumber = 0

  /// A view of `width` x `height` logical pixels.
  public init(loop: EventLoop, width: Int, height: Int, pixelRatio: Double = 1, options: Options = Options())
    throws(NeatlineError)
  {
    let options = try options.checked()
    let listeners = EventListeners()
    size = PictureSize(width, height, pixelRatio: pixelRatio)
    var size = size.c
    let context = Unmanaged.passUnretained(listeners).toOpaque()
    pointer = try handle { out in
      options.withC {
        neat_map_create(
          loop.pointer, &size, $0,
          { context, event in
            guard let context, let event, let event = Event(event.pointee) else { return }
            Unmanaged<EventListeners>.fromOpaque(context).takeUnretainedValue().tell(event)
          }, context, out)
      }
    }
    self.loop = loop
    self.listeners = listeners
  }

  deinit {
    neat_map_destroy(pointer)
    listeners.end()
  }

  /// Keeps an object alive until the map has ended, which may still call it.
  func keepUntilEnd(_ object: AnyObject) {
    if !kept.contains(where: { $0 === object }) { kept.append(object) }
  }

  /// Gives such an object up.
  func giveUp(_ object: AnyObject) { kept.removeAll { $0 === object } }

  // Style

  /// Starts to load a style; events tell how it goes.
  public func loadStyle(_ url: String) throws(NeatlineError) {
    styleNumber += 1
    try check(url.withText { neat_map_load_style(pointer, $0, $1) })
  }

  /// Sets the style from JSON; relative addresses in it start at `baseURL`.
  public func setStyle(json: String, baseURL: String = "") throws(NeatlineError) {
    styleNumber += 1
    let status = json.withText { json, size in
      baseURL.withText { neat_map_set_style(pointer, json, size, $0, $1) }
    }
    if status != NEAT_STATUS_OK { styleNumber -= 1 }
    try check(status)
  }

  /// Sets the style; relative addresses in it start at `baseURL`.
  public func setStyle(_ style: StyleDocument, baseURL: String = "") throws(NeatlineError) {
    try setStyle(json: style.json.text, baseURL: baseURL)
  }

  /// The style as it stands.
  public var styleJSON: String {
    get throws(NeatlineError) { try jsonText { neat_map_style_json(pointer, $0) } }
  }

  /// The style in short: `name`, `center`, `zoom`, `bearing`, `pitch`, `roll`, `layers`, `sources`, `url`,
  /// `isLoaded`. Throws `state` where there is none yet.
  public var info: JSONValue {
    get throws(NeatlineError) { try jsonValue { neat_map_info(pointer, $0) } }
  }

  // View

  /// Changes the size of the view, in logical pixels. Throws `invalidArgument` for sizes past 16384 device
  /// pixels.
  public func setSize(width: Int, height: Int, pixelRatio: Double = 1) throws(NeatlineError) {
    let wanted = PictureSize(width, height, pixelRatio: pixelRatio)
    var size = wanted.c
    let old = self.size
    // Before the call: the event comes within it, and its handler may ask.
    self.size = wanted
    let status = neat_map_set_size(pointer, &size)
    if status != NEAT_STATUS_OK { self.size = old }
    try check(status)
  }

  /// The camera as it is now, within an animation too.
  public var camera: Camera {
    get throws(NeatlineError) {
      var result = neat_camera()
      result.struct_size = UInt32(MemoryLayout<neat_camera>.size)
      try check(neat_map_camera(pointer, &result))
      return Camera(result)
    }
  }

  /// Sets the camera; nil: the style's own.
  public func setCamera(_ camera: Camera?) throws(NeatlineError) {
    var camera = Camera.c(camera)
    try check(neat_map_set_camera(pointer, &camera))
  }

  /// Moves the camera within `duration` seconds; frames follow the loop's clock. Throws `invalidArgument` for what no
  /// camera may be, and for durations that are not within 0 to 4,000,000.
  public func ease(to camera: Camera, duration: Double) throws(NeatlineError) {
    guard duration >= 0, duration <= 4e6 else {
      throw NeatlineError(.invalidArgument, "duration \(duration) is not within 0...4000000")
    }
    var camera = Camera.c(camera)
    try check(neat_map_ease_to(pointer, &camera, UInt32((duration * 1000).rounded())))
  }

  /// Whether style, sources, tiles, glyphs and images of the view are there.
  public var isLoaded: Bool { neat_map_is_loaded(pointer) != 0 }

  /// Whom the data is owed to: texts (often HTML) of the style's sources and of what is loaded of their
  /// TileJSON and archives, in the style's order, of sources that a layer draws from. Complete with
  /// `styleDataLoaded` of the kind `sources`.
  public var attribution: [String] {
    get throws(NeatlineError) {
      (try jsonValue { neat_map_attribution(pointer, $0) }.array ?? []).compactMap(\.string)
    }
  }

  /// Gives memory back: drops decoded tiles, layouts and textures that the view does not need. The next picture
  /// is the same; what is dropped is loaded again when it is needed.
  public func reduceMemoryUse() { _ = neat_map_reduce_memory_use(pointer) }

  /// How the map is doing: `frames` (`count`, `lastMS`, `medianMS`, `longestMS` of the last 120), `turns`,
  /// `requests` under way, `animators`, and what memory goes to: `tiles` by source, `layouts`, `images`
  /// (`count`, `bytes`), `glyphBytes`, `residentBytes` of the process.
  public var statistics: JSONValue {
    get throws(NeatlineError) { try jsonValue { neat_map_statistics(pointer, $0) } }
  }

  /// How many zooms below those of the view tiles are asked for first, which stand in until the view's own
  /// come: 0 (none) to 10; 4 before it is said. Throws `invalidArgument`.
  public func setPrefetchZoomDelta(_ levels: Int) throws(NeatlineError) {
    try check(neat_map_set_prefetch_zoom_delta(pointer, UInt32(exactly: levels) ?? .max))
  }

  /// How high the camera's centre lies, in metres above the sea, -100,000 to 100,000; nil: on the ground, which is
  /// what a map does by itself. Throws `invalidArgument`.
  public func setCenterElevation(_ metres: Double?) throws(NeatlineError) {
    try check(neat_map_set_center_elevation(pointer, metres ?? .nan))
  }

  /// Whether skirts hang down from the edges of the terrain's tiles, as a map begins, so that nothing shows between
  /// tiles of different zooms; not for styles without an opaque background, through which they are seen.
  public func setTerrainSkirts(_ isEnabled: Bool) {
    _ = neat_map_set_terrain_skirts(pointer, isEnabled ? 1 : 0)
  }

  /// Draws the view with what is there now.
  public func draw() throws(NeatlineError) -> Image {
    Image(adopting: try handle { neat_map_draw(pointer, $0) })
  }

  // Frames

  /// Lets the host pace frames, with a clock of its own, instead of the loop: what moves goes on with
  /// `beginFrame` only. Throws `state` once a style was loaded or set.
  public func setFramePacing(_ pacing: FramePacing) throws(NeatlineError) {
    try check(
      neat_map_set_frame_pacing(
        pointer, pacing == .host ? NEAT_FRAME_PACING_HOST : NEAT_FRAME_PACING_LOOP))
  }

  /// Whether something moves, or is not what was drawn last. Where the host paces frames, `frameDue` tells it.
  public var isFrameDue: Bool { neat_map_frame_due(pointer) != 0 }

  /// Begins a frame of a time of the host's clock: animators, glides, transitions and labels go to that time,
  /// and events come within the call. `draw` or `frame` then draws it; the same input and times give the same
  /// pictures. Throws `state` where the loop paces frames, `invalidArgument` for times past ±1e15.
  public func beginFrame(milliseconds: Double) throws(NeatlineError) {
    try check(neat_map_begin_frame(pointer, milliseconds))
  }

  /// Features drawn within a box of pixels, topmost first: GeoJSON features with `layer`, `source`,
  /// `sourceLayer`, `state`. `options`: `layers` (identifiers) and `filter`. `queryRenderedFeatures` gives
  /// them as features.
  public func query(in box: (x0: Double, y0: Double, x1: Double, y1: Double), options: JSONValue? = nil)
    throws(NeatlineError)
    -> [JSONValue]
  {
    let text = try queryText(in: box, options: options)
    do { return try JSONValue(parsing: text).array ?? [] } catch { throw NeatlineError(.json, "\(error)") }
  }

  func queryText(in box: (x0: Double, y0: Double, x1: Double, y1: Double), options: JSONValue?)
    throws(NeatlineError) -> [UInt8]
  {
    try buffer { out in
      options.withText { neat_map_query(pointer, box.x0, box.y0, box.x1, box.y1, $0, $1, out) }
    }
  }
}
