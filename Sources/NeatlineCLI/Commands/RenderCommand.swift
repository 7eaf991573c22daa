import Neatline

/// `neatline render`: one picture of a style.
enum RenderCommand {
  static let entry = CommandEntry(
    name: "render", summary: "one picture of a style", forms: ["STYLE -o OUT"],
    options: [
      OptionEntry("--output", "OUT", "the file: .png, .jpg, .jpeg or .webp; - is standard output"),
      OptionEntry(
        "--format", "NAME", "\(PictureFormat.names), for names that do not say it", standard: "png"),
      OptionEntry(
        "--quality", "Q", "of JPEG and WebP, 1 to 100; WebP of 100 is lossless", standard: "JPEG 85, WebP 80"),
      OptionEntry("--small", "PNG as small as it gets, which takes longer"),
      OptionEntry("--center", "LON,LAT", "degrees", standard: "the style's"),
      OptionEntry("--zoom", "Z", "-2 to 25.5", standard: "the style's"),
      OptionEntry("--bbox", "W,S,E,N", "show this box of degrees, in place of --center and --zoom"),
      OptionEntry("--fit", "FILE", "show all of this GeoJSON, in place of --center and --zoom"),
      OptionEntry("--bearing", "B", "degrees clockwise from north", standard: "the style's"),
      OptionEntry("--pitch", "P", "degrees from straight down, 0 to 85", standard: "the style's"),
      OptionEntry("--roll", "R", "degrees about the line of sight", standard: "the style's"),
      OptionEntry("--overlay", "FILE", "GeoJSON, or sources and layers as a style has them, over the map"),
      OptionEntry("--fit-overlay", "show all of the overlay, in place of --center and --zoom"),
      OptionEntry(
        "--padding", "PX", "kept free around what --bbox, --fit or --fit-overlay show", standard: "0"),
      OptionEntry("--max-zoom", "Z", "the deepest of --bbox, --fit and --fit-overlay", standard: "22"),
      OptionEntry(
        "--constrain", ViewHold.names.joined(separator: "|"),
        "keep the view within the world: its edges in the north and south, all four, or as maxBounds does",
        standard: "none"),
      OptionEntry("--attribution", "that of the sources, at the bottom right"),
      OptionEntry("--scale-bar", "metric|imperial|nautical", "at the bottom left"),
      OptionEntry("--compass", "where north is, at the top right"),
      OptionEntry("--logo", "FILE", "a picture at the bottom left: PNG, JPEG or WebP, 2048 pixels an edge"),
      OptionEntry("--logo-ratio", "R", "pixels of the logo a logical pixel, up to 16", standard: "1"),
      OptionEntry(
        "--debug", "NAMES",
        "show how it is made: any of \(debugNames.map(\.name).joined(separator: ", ")), with commas between"),
      OptionEntry("--size", "WxH", "logical pixels", standard: "512x512"),
      OptionEntry("--ratio", "R", "device pixels a logical pixel, 0.1 to 16", standard: "1"),
      OptionEntry(
        "--timeout", "MS", "for the style and all that the picture needs; 0: without end", standard: "0"),
      OptionEntry("--strict", "exit status 3 where the picture lacks something that failed"),
    ] + StyleOptions.entries(cache: StyleOptions.pictureCache),
    example: "neatline render style.json -o innsbruck.png --center 11.39,47.27 --zoom 14 --size 800x600",
    notes:
      "STYLE is a file or an address. JPEG has no alpha: what lets something through is laid over white.",
    run: run)

  private static func run(_ options: Arguments) throws {
    let style = try options.only("STYLE")
    let output = try Output(options)
    let (width, height) = try options.size("--size") ?? (512, 512)
    let ratio = try options.number("--ratio") ?? 1
    guard ratio >= 0.1, ratio <= 16 else {
      throw UsageError(message: "--ratio: \(ratio) is not within 0.1...16")
    }
    let overlay = try options.text("--overlay").map {
      try Overlay(json: String(decoding: try Platform.readFile($0), as: UTF8.self))
    }
    var bounds = try options.box("--bbox")
    if options.has("--fit-overlay") {
      guard let overlay else { throw UsageError(message: "--fit-overlay goes with --overlay") }
      guard bounds == nil else { throw UsageError(message: "--fit-overlay stands in the place of --bbox") }
      bounds = try overlay.bounds
    }
    let shape = try shape(options)
    guard shape == nil || bounds == nil else {
      throw UsageError(message: "--fit stands in the place of --bbox and --fit-overlay")
    }
    let isFitted = shape != nil || bounds != nil
    if isFitted, options.has("--center") || options.has("--zoom") {
      throw UsageError(message: "--bbox, --fit and --fit-overlay stand in the place of --center and --zoom")
    }
    let maxZoom = try options.number("--max-zoom")
    guard maxZoom == nil || isFitted else {
      throw UsageError(message: "--max-zoom goes with --bbox, --fit or --fit-overlay")
    }
    let padding = try options.number("--padding") ?? 0
    let corners = try corners(options)
    let debug = try debugOptions(options)
    let hold = try options.choice("--constrain", ViewHold.names).flatMap { ViewHold(rawValue: $0) } ?? .none
    try StyleOptions.check(style)
    Console.progress("drawing \(style) …")
    defer { Console.endProgress() }
    let timeout = try options.integer("--timeout", in: 0...86_400_000) ?? 0
    var settings = try StyleOptions.read(options, cache: StyleOptions.pictureCache)
    if timeout > 0 {
      settings.timeoutMilliseconds = min(
        timeout, settings.timeoutMilliseconds == 0 ? 30_000 : settings.timeoutMilliseconds)
    }
    try StyleOptions.share(&settings, options)
    let start = Platform.milliseconds
    let renderer = try Renderer(styleURL: style, options: settings)
    var camera = try renderer.styleCamera
    try adjust(&camera, options)
    let size = PictureSize(width, height, pixelRatio: ratio)
    if isFitted {
      // The style's own pitch and roll are for its own view.
      if !options.has("--pitch") { camera.pitch = 0 }
      camera.padding = Camera.Padding(top: padding, left: padding, bottom: padding, right: padding)
      if !options.has("--roll") { camera.roll = 0 }
      let room = FitOptions(maxZoom: maxZoom ?? 22)
      if let bounds { camera = try renderer.camera(for: bounds, from: camera, in: size, options: room) }
      if let shape { camera = try renderer.camera(for: shape, from: camera, in: size, options: room) }
    }
    camera = try hold.held(camera, renderer, in: size)
    // What the style took counts too.
    let deadline = timeout == 0 ? 0 : max(1, timeout - (Platform.milliseconds - start))
    let image = try renderer.draw(
      camera: camera, width: width, height: height, pixelRatio: ratio, overlay: overlay,
      ornaments: corners, debugOptions: debug, deadline: deadline)
    try output.write(image)
    Console.endProgress()
    let report = image.report
    warn(report, try renderer.problems, style)
    if options.has("--strict"), !report.isComplete { throw IncompleteError(path: output.path) }
  }

  /// What `--fit` is to show.
  private static func shape(_ options: Arguments) throws -> GeoJSON? {
    guard let path = options.text("--fit") else { return nil }
    let shape: GeoJSON
    do { shape = try GeoJSON(parsing: try Platform.readFile(path)) } catch let error as GeoJSONError {
      throw FileError(path: path, reason: "\(error)")
    }
    guard shape.pointCount > 0 else { throw FileError(path: path, reason: "there is no coordinate in it") }
    return shape
  }

  /// What stands in the picture's corners; read before anything is drawn.
  private static func corners(_ options: Arguments) throws -> OrnamentOptions {
    let logoRatio = try options.number("--logo-ratio")
    var logo: Image?
    if let path = options.text("--logo") {
      let bytes = try Platform.readFile(path)
      do throws(NeatlineError) { logo = try Image(decoding: bytes) } catch {
        throw FileError(path: path, reason: error.message)
      }
      guard let logo, max(logo.width, logo.height) <= 2048 else {
        throw FileError(path: path, reason: "a logo has at most 2048 pixels an edge")
      }
    } else if logoRatio != nil {
      throw UsageError(message: "--logo-ratio goes with --logo")
    }
    if let logoRatio, !(logoRatio > 0 && logoRatio <= 16) {
      throw UsageError(message: "--logo-ratio: \(logoRatio) is not above 0 to 16")
    }
    return .picture(
      attribution: options.has("--attribution") ? .sources : .none, scaleBar: try scaleBar(options),
      hasCompass: options.has("--compass"), logo: logo, logoRatio: logoRatio ?? 1)
  }

  private static let debugNames: [(name: String, option: MapDebugOptions)] = [
    ("tile-borders", .tileBorders), ("parse-status", .parseStatus), ("timestamps", .timestamps),
    ("collision", .collision), ("overdraw", .overdraw), ("padding", .padding),
  ]

  private static func debugOptions(_ options: Arguments) throws -> [MapDebugOptions] {
    guard let text = options.text("--debug") else { return [] }
    return try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let known = debugNames.first(where: { $0.name == name }) else {
        throw UsageError(
          message: "--debug: \"\(name)\" is none of \(debugNames.map(\.name).joined(separator: ", "))")
      }
      return known.option
    }
  }

  private static func scaleBar(_ options: Arguments) throws -> ScaleBar {
    switch try options.choice("--scale-bar", ["metric", "imperial", "nautical"]) {
    case "metric": .metric
    case "imperial": .imperial
    case "nautical": .nautical
    default: .none
    }
  }

  /// What the picture lacks, and what else went wrong on the way to it.
  private static func warn(_ report: PictureReport, _ problems: [Renderer.Problem], _ style: String) {
    for missing in report.missing { Console.warning("\(missing)") }
    if report.omitted > 0 { Console.warning("\(report.omitted) more") }
    let told = Set(report.missing.map(\.message))
    for problem in problems where !told.contains(problem.message) {
      Console.warning("\(problem.resource == "style" ? style : problem.resource): \(problem.message)")
    }
  }

  /// What the options say, in the place of the style's.
  private static func adjust(_ camera: inout Camera, _ options: Arguments) throws {
    if let (lon, lat) = try options.pair("--center", ",") {
      camera.longitude = lon
      camera.latitude = lat
    }
    if let zoom = try options.number("--zoom") { camera.zoom = zoom }
    if let bearing = try options.number("--bearing") { camera.bearing = bearing }
    if let pitch = try options.number("--pitch") { camera.pitch = pitch }
    if let roll = try options.number("--roll") { camera.roll = roll }
  }

  /// The file to write and its format; known before anything is drawn.
  private struct Output {
    let path: String
    let format: Image.Format
    let quality: Int
    let isSmall: Bool

    init(_ options: Arguments) throws {
      guard let path = options.text("--output") else { throw UsageError(message: "-o OUT is missing") }
      self.path = path
      let named = path == "-" ? nil : Image.Format(path: path)
      if let text = options.text("--format") {
        guard let format = PictureFormat.named(text) else {
          throw UsageError(message: "--format: \"\(text)\" is not \(PictureFormat.names)")
        }
        guard named == nil || named == format else {
          throw UsageError(message: "\(path) does not say \(text): rename it or leave out --format")
        }
        self.format = format
      } else if path == "-" {
        format = .png
      } else if let named {
        format = named
      } else {
        throw UsageError(
          message:
            "\(path): the name ends neither in .png nor in .jpg, .jpeg or .webp; --format NAME says what to write"
        )
      }
      isSmall = options.has("--small")
      quality = try options.integer("--quality", in: 1...100) ?? 0
      if format == .png, quality != 0 { throw UsageError(message: "--quality: PNG has none") }
      if format != .png, isSmall {
        throw UsageError(message: "--small is for PNG; for others there is --quality")
      }
    }

    func write(_ image: Image) throws {
      try OutputFile.write(path, isSmall ? try image.png(.small) : try image.encode(format, quality: quality))
    }
  }
}

/// A picture that lacks what it needs, where that is asked to count: exit status 3.
struct IncompleteError: Error, CustomStringConvertible {
  let path: String
  var description: String { "\(path): the picture is not complete" }
}
