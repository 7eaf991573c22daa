import CNeatline

/// Draws pictures of one style, for servers: any number of threads at the same time.
public final class Renderer: Sendable {  // the engine locks
  nonisolated(unsafe) let pointer: OpaquePointer

  /// Loads a style: a file path, `file://` or `http(s)://` address. Throws where the style cannot be had or
  /// is not a style; what is wrong inside is reported by `problems`.
  public init(styleURL: String, options: Options = Options()) throws(NeatlineError) {
    let options = try options.checked()
    pointer = try handle { out in
      styleURL.withText { url, size in options.withC { neat_renderer_load(url, size, $0, out) } }
    }
  }

  /// A renderer from style JSON; relative addresses in it start at `baseURL`, a file path or address.
  public init(json: String, baseURL: String = "", options: Options = Options()) throws(NeatlineError) {
    let options = try options.checked()
    pointer = try handle { out in
      json.withText { json, size in
        baseURL.withText { base, baseSize in
          options.withC { neat_renderer_create(json, size, base, baseSize, $0, out) }
        }
      }
    }
  }

  deinit { neat_renderer_destroy(pointer) }

  /// Draws; `camera` nil: the style's own. Waits for the resources that the picture needs, `deadline`
  /// milliseconds at most (0: no limit). A tile or glyph that cannot be loaded is left out and reported by
  /// `problems`. Same style, data and camera: same pixels, on every machine and thread count.
  ///
  /// `overlay` is drawn with the map, and its labels give way to the map's and the other way round.
  /// `attribution` and `scaleBar` stand in the lower corners; `ornaments` has all that stands in the corners,
  /// in the place of both. `labelMargin`: logical pixels around the picture, up to 4096, whose labels are
  /// placed with its own, for pictures that are cut into tiles. `debugOptions`: what the picture shows of how it is
  /// made.
  public func draw(
    camera: Camera? = nil, width: Int, height: Int, pixelRatio: Double = 1, overlay: Overlay? = nil,
    attribution: Attribution = .none, scaleBar: ScaleBar = .none, ornaments: OrnamentOptions? = nil,
    labelMargin: Int = 0, debugOptions: [MapDebugOptions] = [], deadline: Int = 0
  ) throws(NeatlineError) -> Image {
    var view = Camera.c(camera)
    var size = PictureSize(width, height, pixelRatio: pixelRatio).c
    var options = neat_picture_options()
    options.struct_size = UInt32(MemoryLayout<neat_picture_options>.size)
    options.deadline_ms = try unsigned(deadline, "deadline")
    options.overlay = overlay?.pointer
    options.scale_bar = scaleBar.rawValue
    options.label_margin_px = try unsigned(labelMargin, "labelMargin")
    options.debug = debugOptions.bits
    var text: String?
    switch attribution {
    case .none: break
    case .sources: options.has_attribution = 1
    case .text(let given):
      options.has_attribution = 1
      text = given
    }
    let corners = try ornaments?.json.text
    func draw(_ out: UnsafeMutablePointer<OpaquePointer?>?) -> neat_status {
      guard let ornaments, let corners else {
        return neat_renderer_draw_with(pointer, &view, &size, &options, out)
      }
      return ornaments.withC(corners) { given in
        options.ornaments = given
        return neat_renderer_draw_with(pointer, &view, &size, &options, out)
      }
    }
    return try withExtendedLifetime(overlay) { () throws(NeatlineError) in
      Image(
        adopting: try handle { out in
          guard let text else { return draw(out) }
          return text.withText { text, count in
            options.attribution = text
            options.attribution_size = count
            return draw(out)
          }
        })
    }
  }

  /// Draws the XYZ tile z/x/y of `edge` logical pixels per edge. Labels at its edges are placed as in its
  /// neighbours.
  public func drawTile(
    z: Int, x: Int, y: Int, edge: Int = 512, pixelRatio: Double = 1, deadline: Int = 0
  ) throws(NeatlineError) -> Image {
    let tile = try tileNumbers(z, x, y)
    let (edge, deadline) = (try unsigned(edge, "edge"), try unsigned(deadline, "deadline"))
    return Image(
      adopting: try handle {
        neat_renderer_draw_tile(pointer, tile.z, tile.x, tile.y, edge, pixelRatio, deadline, $0)
      })
  }

  /// Draws a square of tiles, `count` per edge and 64 at most, as one picture and cuts it: cheaper than each
  /// alone, as all share one margin for labels. z/x/y is the north-western one. They come row by row from
  /// there, each with the report of all. Throws `invalidArgument` where `edge` times the pixel ratio is not
  /// whole.
  public func drawTiles(
    z: Int, x: Int, y: Int, count: Int, edge: Int = 512, pixelRatio: Double = 1, deadline: Int = 0
  ) throws(NeatlineError) -> [Image] {
    let tile = try tileNumbers(z, x, y)
    let (edge, deadline) = (try unsigned(edge, "edge"), try unsigned(deadline, "deadline"))
    guard (1...64).contains(count) else {
      throw NeatlineError(.invalidArgument, "count \(count) is not within 1...64")
    }
    var images = [OpaquePointer?](repeating: nil, count: count * count)
    try check(
      neat_renderer_draw_tiles(
        pointer, tile.z, tile.x, tile.y, UInt32(count), edge, pixelRatio, deadline, &images))
    return images.map { Image(adopting: $0!) }
  }

  /// What went wrong without failing a picture.
  public struct Problem: Hashable, Sendable {
    /// An address, a layer, a property.
    public var resource: String
    /// What went wrong.
    public var message: String
    /// The kind of failure.
    public var status: NeatlineError.Status
  }

  /// Gives memory back: drops decoded tiles, layouts and textures, but for what pictures under way need. They
  /// are loaded again when the next picture needs them, which is the same. Any thread.
  public func reduceMemoryUse() { _ = neat_renderer_reduce_memory_use(pointer) }

  /// What went wrong so far without failing a picture, at most 1000.
  public var problems: [Problem] {
    get throws(NeatlineError) {
      let json = try jsonValue { neat_renderer_problems(pointer, $0) }
      return (json.array ?? []).map {
        Problem(
          resource: $0["resource"]?.string ?? "", message: $0["message"]?.string ?? "",
          status: .init(rawValue: UInt32(exactly: $0["code"]?.number ?? 0) ?? 0) ?? .unknown)
      }
    }
  }

  /// The style in short: `name`, `center`, `zoom`, `bearing`, `pitch`, `roll`, `attribution` (as far as it is
  /// known), `layers`, `sources`.
  public var info: JSONValue {
    get throws(NeatlineError) { try jsonValue { neat_renderer_info(pointer, $0) } }
  }

  /// A camera moved so that pictures show a box of degrees as large as it fits, on the globe where the style has one:
  /// `Camera.fitting(_:in:options:)`. Throws as that does.
  public func camera(
    for bounds: GeographicBounds, from camera: Camera = Camera(), in size: PictureSize,
    options: FitOptions = FitOptions()
  ) throws(NeatlineError) -> Camera {
    try options.camera(projection(atZoom:)) { options throws(NeatlineError) in
      try camera.fitting(bounds, in: size, options: options)
    }
  }

  /// A camera moved so that pictures show places as large as they fit, on the globe where the style has one:
  /// `Camera.fitting(_:in:options:)`. Throws as that does.
  public func camera(
    for coordinates: [Coordinate], from camera: Camera = Camera(), in size: PictureSize,
    options: FitOptions = FitOptions()
  ) throws(NeatlineError) -> Camera {
    try options.camera(projection(atZoom:)) { options throws(NeatlineError) in
      try camera.fitting(coordinates, in: size, options: options)
    }
  }

  /// A camera moved so that pictures show a shape as large as it fits, on the globe where the style has one:
  /// `Camera.fitting(_:in:options:)`. Throws as that does.
  public func camera(
    for shape: some Shape, from camera: Camera = Camera(), in size: PictureSize,
    options: FitOptions = FitOptions()
  ) throws(NeatlineError) -> Camera {
    try options.camera(projection(atZoom:)) { options throws(NeatlineError) in
      try camera.fitting(shape, in: size, options: options)
    }
  }

  /// What pictures of a zoom are laid onto, as the style's projection says. Where the style goes over from the globe to
  /// the plane it is what is nearer. Throws `invalidArgument` for a zoom that is not within -2 to 25.5.
  public func projection(atZoom zoom: Double) throws(NeatlineError) -> CameraProjection {
    var projection = NEAT_PROJECTION_MERCATOR
    try check(neat_renderer_projection(pointer, zoom, &projection))
    return CameraProjection(projection)
  }

  /// Whom the data is owed to: texts (often HTML) of the style's sources, and of the TileJSON and archives
  /// that they name, in the style's order, of sources that a layer draws from. What is not loaded yet is,
  /// `deadline` milliseconds at most (0: no limit); what has not come by then is left out.
  public func attribution(deadline: Int = 0) throws(NeatlineError) -> [String] {
    let deadline = try unsigned(deadline, "deadline")
    let json = try jsonValue { neat_renderer_attribution(pointer, deadline, $0) }
    return (json.array ?? []).compactMap(\.string)
  }

  /// The camera that the style asks for.
  public var styleCamera: Camera {
    get throws(NeatlineError) {
      let info = try info
      return Camera(
        longitude: info["center"]?[0]?.number ?? 0, latitude: info["center"]?[1]?.number ?? 0,
        zoom: info["zoom"]?.number ?? 0,
        bearing: info["bearing"]?.number ?? 0, pitch: info["pitch"]?.number ?? 0,
        roll: info["roll"]?.number ?? 0)
    }
  }

  /// Features drawn within a box of device pixels, topmost first: GeoJSON features with `layer`, `source`,
  /// `sourceLayer`, `state`. `options`: `layers` (identifiers) and `filter`. `queryRenderedFeatures` gives
  /// them as features.
  public func query(
    camera: Camera? = nil, size: PictureSize, in box: (x0: Double, y0: Double, x1: Double, y1: Double),
    options: JSONValue? = nil
  ) throws(NeatlineError) -> [JSONValue] {
    let text = try queryText(camera: camera, size: size, in: box, options: options)
    do { return try JSONValue(parsing: text).array ?? [] } catch { throw NeatlineError(.json, "\(error)") }
  }

  func queryText(
    camera: Camera?, size: PictureSize, in box: (x0: Double, y0: Double, x1: Double, y1: Double),
    options: JSONValue?
  ) throws(NeatlineError) -> [UInt8] {
    var view = Camera.c(camera)
    var size = size.c
    return try buffer { out in
      options.withText {
        neat_renderer_query(pointer, &view, &size, box.x0, box.y0, box.x1, box.y1, $0, $1, out)
      }
    }
  }
}

/// A message of `validateStyle`.
public struct StyleMessage: Hashable, Sendable {
  /// Line in the text, from 1; nil where none is known.
  public var line: Int?
  /// What is wrong.
  public var message: String
  /// Whether the style can be used all the same.
  public var isWarning = false
  /// Where in the style: `layers[3].paint.fill-color`.
  public var key = ""

  /// As `neat_style_validate` gives it.
  public var json: JSONValue {
    var members: [JSONValue.Member] = [.init("message", .string(message))]
    if let line { members.append(.init("line", .number(Double(line)))) }
    if isWarning { members.append(.init("severity", "warning")) }
    return .object(members)
  }
}

/// Validates style JSON against the style specification; empty for a valid style. Throws where the text is
/// not JSON.
public func validateStyle(_ json: String) throws(NeatlineError) -> [StyleMessage] {
  let result = try jsonValue { out in json.withText { neat_style_validate($0, $1, out) } }
  return (result.array ?? []).map {
    StyleMessage(
      line: $0["line"]?.number.flatMap { Int(exactly: $0) }, message: $0["message"]?.string ?? "",
      isWarning: $0["severity"]?.string == "warning",
      key: $0["key"]?.string ?? "")
  }
}

/// A step from one style to another, as `neat_style_diff` gives it: the name of style tools (`addLayer`,
/// `setPaintProperty` …) and its arguments.
public struct StyleStep: Sendable, Equatable {
  /// The name of the step.
  public var command: String
  /// The arguments of the step.
  public var arguments: [JSONValue]

  /// A step from its name and arguments.
  public init(command: String, arguments: [JSONValue]) {
    self.command = command
    self.arguments = arguments
  }
}

/// The steps that turn one style's JSON into another's, in an order in which each can be carried out. Throws
/// where one of them is not a style.
public func styleSteps(from old: String, to new: String) throws(NeatlineError) -> [StyleStep] {
  let result = try jsonValue { out in
    old.withText { old, size in new.withText { neat_style_diff(old, size, $0, $1, out) } }
  }
  return (result.array ?? []).map {
    StyleStep(command: $0["command"]?.string ?? "", arguments: $0["args"]?.array ?? [])
  }
}
