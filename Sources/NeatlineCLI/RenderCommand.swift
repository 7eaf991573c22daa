import Neatline

/// `neatline render`: one picture of a style.
enum RenderCommand {
  static func run(_ arguments: [String]) throws {
    let options = try Arguments(
      arguments,
      values: [
        "--output", "--center", "--zoom", "--bearing", "--pitch", "--size", "--ratio", "--font", "--threads", "--timeout", "--local-files",
      ],
      flags: ["--small", "--no-system-fonts", "--strict"])
    let style = try options.only("STYLE")
    guard let output = options.text("--output") else { throw UsageError(message: "-o OUT.png is missing") }
    let (width, height) = try options.size("--size") ?? (512, 512)
    let ratio = try options.number("--ratio") ?? 1
    guard ratio >= 0.1, ratio <= 16 else { throw UsageError(message: "--ratio: \(ratio) is not within 0.1...16") }
    Console.progress("drawing \(style) …")
    defer { Console.endProgress() }
    var settings = try rendererOptions(options)
    let timeout = try options.integer("--timeout", in: 0...86_400_000) ?? 0
    if timeout > 0 { settings.timeoutMilliseconds = min(timeout, 30_000) }
    let start = Platform.milliseconds
    let renderer = try Renderer(styleURL: style, options: settings)
    let camera = try camera(options, renderer)
    // What the style took counts too.
    let deadline = timeout == 0 ? 0 : max(1, timeout - (Platform.milliseconds - start))
    let image = try renderer.draw(
      camera: camera, width: width, height: height, pixelRatio: ratio, deadline: deadline)
    try Platform.writeFile(output, try image.png(options.has("--small") ? .small : .fast))
    Console.endProgress()
    let report = image.report
    warn(report, try renderer.problems, style)
    if options.has("--strict"), !report.isComplete { throw IncompleteError(path: output) }
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

  /// What `render` and `serve` have in common.
  static func rendererOptions(_ options: Arguments) throws -> Options {
    var result = Options()
    result.fontPaths = options.texts("--font")
    result.threadCount = try options.integer("--threads", in: 0...256) ?? 0
    result.usesSystemFonts = !options.has("--no-system-fonts")
    switch options.text("--local-files") {
    case nil: break
    case "allow": result.allowsLocalFiles = true
    case "deny": result.allowsLocalFiles = false
    case .some(let other): throw UsageError(message: "--local-files: \"\(other)\" is neither allow nor deny")
    }
    return result
  }

  /// The style's camera with what the options say in its place.
  private static func camera(_ options: Arguments, _ renderer: Renderer) throws -> Camera {
    var camera = try renderer.styleCamera
    if let (lon, lat) = try options.pair("--center", ",") {
      camera.longitude = lon
      camera.latitude = lat
    }
    if let zoom = try options.number("--zoom") { camera.zoom = zoom }
    if let bearing = try options.number("--bearing") { camera.bearing = bearing }
    if let pitch = try options.number("--pitch") { camera.pitch = pitch }
    return camera
  }
}

/// A picture that lacks what it needs, where that is asked to count: exit status 3.
struct IncompleteError: Error, CustomStringConvertible {
  let path: String
  var description: String { "\(path): the picture is not complete" }
}
