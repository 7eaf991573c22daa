import Neatline

/// `neatline render`: one picture of a style.
enum RenderCommand {
  static func run(_ arguments: [String]) throws {
    let options = try Arguments(
      arguments,
      values: ["--output", "--center", "--zoom", "--bearing", "--pitch", "--size", "--ratio", "--font", "--threads", "--timeout"],
      flags: ["--small"])
    let style = try options.only("STYLE")
    guard let output = options.text("--output") else { throw UsageError(message: "-o OUT.png is missing") }
    let (width, height) = try options.size("--size") ?? (512, 512)
    let ratio = try options.number("--ratio") ?? 1
    guard ratio >= 0.1, ratio <= 16 else { throw UsageError(message: "--ratio: \(ratio) is not within 0.1...16") }
    Console.progress("drawing \(style) …")
    defer { Console.endProgress() }
    let renderer = try Renderer(styleURL: style, options: try rendererOptions(options))
    let camera = try camera(options, renderer)
    let image = try renderer.draw(
      camera: camera, width: width, height: height, pixelRatio: ratio, deadline: try options.integer("--timeout", in: 0...86_400_000) ?? 0)
    try Platform.writeFile(output, try image.png(options.has("--small") ? .small : .fast))
    Console.endProgress()
    for problem in try renderer.problems {
      Console.warning("\(problem.resource == "style" ? style : problem.resource): \(problem.message)")
    }
  }

  /// What `render` and `serve` have in common.
  static func rendererOptions(_ options: Arguments) throws -> Options {
    var result = Options()
    result.fontPaths = options.texts("--font")
    result.threadCount = try options.integer("--threads", in: 0...256) ?? 0
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
