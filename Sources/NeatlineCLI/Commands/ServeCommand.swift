import Neatline

/// `neatline serve`: raster tiles, static pictures and a viewer page of a style, over HTTP.
enum ServeCommand {
  private static let standard = ServerLimits()

  static let entry = CommandEntry(
    name: "serve", summary: "tiles, static pictures and a viewer of a style, over HTTP", forms: ["STYLE"],
    options: [
      OptionEntry("--host", "ADDRESS", "IPv4 or IPv6; 0.0.0.0 or :: for all", standard: "127.0.0.1"),
      OptionEntry("--port", "N", "0: one that is free", standard: "8080"),
      OptionEntry("--max-pixels", "N", "device pixels of a picture", standard: "\(standard.pixels)"),
      OptionEntry("--max-edge", "N", "device pixels of an edge of a picture", standard: "\(standard.edge)"),
      OptionEntry("--max-ratio", "R", "device pixels a logical pixel", standard: "\(Int(standard.ratio))"),
      OptionEntry("--workers", "N", "pictures drawn at once", standard: "two a processor, at least 8"),
      OptionEntry("--queue", "N", "pictures that wait to be drawn", standard: "\(standard.queue)"),
      OptionEntry(
        "--max-answer-bytes", "N", "of all answers that clients have not taken yet",
        standard: "\(standard.answerBytes)"),
      OptionEntry("--max-connections", "N", "in all", standard: "\(standard.connections)"),
      OptionEntry(
        "--max-per-address", "N", "connections of one client; raise it behind a proxy",
        standard: "\(standard.connectionsPerAddress)"),
      OptionEntry(
        "--head-timeout", "MS", "for the whole head of a request", standard: "\(standard.headTime)"),
      OptionEntry(
        "--answer-timeout", "MS", "for a client to take a whole answer", standard: "\(standard.answerTime)"),
      OptionEntry(
        "--idle-timeout", "MS", "between two requests of a connection", standard: "\(standard.idleTime)"),
      OptionEntry("--require-complete", "503 for pictures that lack what they need, unless ?complete=0"),
      OptionEntry(
        "--timeout", "MS", "for a picture: its turn, and all that it needs",
        standard: "\(standard.pictureTime)"),
      OptionEntry(
        "--stop-timeout", "MS", "that SIGTERM leaves for what is under way", standard: "\(standard.drainTime)"
      ),
    ] + StyleOptions.entries,
    example: "neatline serve style.json --port 8080",
    notes: """
      /                                       a viewer
      /{z}/{x}/{y}[@2x].png                   tiles of 256 pixels; /512/{z}/{x}/{y}.png of 512
      /static/LON,LAT,ZOOM/WxH[@2x].png       a picture; [@BEARING[,PITCH]] behind the zoom
      /static/W,S,E,N/WxH[@2x].png            a picture of a box of degrees
      /info.json, /health                     the style, and how the server is doing
      .jpg and .webp in the place of .png; ?quality=1..100 for these;
      ?complete=1: 503 rather than a picture that lacks what it needs. Past a limit the answer is 413, 429 or 503.
      """, run: run)

  private static func run(_ options: Arguments) throws {
    let style = try options.only("STYLE")
    try StyleOptions.check(style)
    let limits = try limits(options)
    let listener = try Listener(
      host: options.text("--host") ?? "127.0.0.1",
      port: UInt16(try options.integer("--port", in: 0...65535) ?? 8080))
    let site = try MapSite(
      try Renderer(styleURL: style, options: try StyleOptions.read(options)), limits,
      requiresComplete: options.has("--require-complete"))
    let address = listener.address
    let server = try HTTPServer(listener, limits) { site.plan($0, $1) }
    Console.out("serving \(style) at http://\(address)/")
    server.run()
  }

  private static func limits(_ options: Arguments) throws -> ServerLimits {
    var limits = ServerLimits()
    func read(_ name: String, _ range: ClosedRange<Int>, _ member: WritableKeyPath<ServerLimits, Int>) throws
    {
      if let number = try options.integer(name, in: range) { limits[keyPath: member] = number }
    }
    try read("--max-pixels", 1...16384 * 16384, \.pixels)
    try read("--max-edge", 1...16384, \.edge)
    try read("--workers", 1...1024, \.workers)
    try read("--queue", 1...1_000_000, \.queue)
    try read("--max-answer-bytes", 1...1 << 50, \.answerBytes)
    try read("--max-connections", 1...1_000_000, \.connections)
    try read("--max-per-address", 1...1_000_000, \.connectionsPerAddress)
    for (name, member) in [
      ("--head-timeout", \ServerLimits.headTime), ("--answer-timeout", \.answerTime),
      ("--idle-timeout", \.idleTime),
      ("--timeout", \.pictureTime), ("--stop-timeout", \.drainTime),
    ] {
      try read(name, 1...86_400_000, member)
    }
    if let ratio = try options.number("--max-ratio") {
      guard ratio >= 0.1, ratio <= 16 else {
        throw UsageError(message: "--max-ratio: \(ratio) is not within 0.1...16")
      }
      limits.ratio = ratio
    }
    return limits
  }
}
