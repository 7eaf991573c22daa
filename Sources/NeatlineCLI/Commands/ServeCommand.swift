import Neatline

/// `neatline serve`: tiles and pictures of styles, tiles of archives, and what maps need of both, over HTTP.
enum ServeCommand {
  private static let standard = ServerLimits()

  static let entry = CommandEntry(
    name: "serve", summary: "tiles and pictures of styles, and tiles of archives, over HTTP",
    forms: ["STYLE|ARCHIVE ...", "--config FILE"],
    options: [
      OptionEntry("--config", "FILE", "what to serve, as tileserver-gl has it"),
      OptionEntry(
        "--fonts", "FOLDER", "with glyph ranges, NAME/0-255.pbf, or font files (TTF, OTF)", repeats: true),
      OptionEntry("--public-url", "URL", "where clients find this server", standard: "as they ask for it"),
      OptionEntry("--tile-cache", "MIB", "of answers kept in memory; 0: none", standard: "64"),
      OptionEntry("--tile-cache-folder", "FOLDER", "where answers are kept as files"),
      OptionEntry("--tile-cache-disk", "MIB", "of these files", standard: "1024"),
      OptionEntry(
        "--tile-cache-lifetime", "S", "after which an answer is drawn anew behind the old one",
        standard: "until style or data change"),
      OptionEntry(
        "--metatile", "N", "tiles an edge that are drawn as one, 1, 2, 4 or 8; needs a tile cache",
        standard: "\(standard.metatile)"),
      OptionEntry("--control", "SOCKET", "where `neatline control` reaches this server"),
      OptionEntry("--access-log", "off|text|json", "a line a request on standard output", standard: "off"),
      OptionEntry(
        "--tls-certificate", "FILE", "PEM, with what leads to its authority; with --tls-key: HTTPS"),
      OptionEntry("--tls-key", "FILE", "PEM"),
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
      OptionEntry(
        "--live", "live maps in pages, at /styles/ID/live: the page sends pointers, frames come back"),
      OptionEntry(
        "--live-sessions", "N", "live maps at once; each has a thread, a map and its caches",
        standard: "\(ServerLimits.standardLiveSessions)"),
      OptionEntry(
        "--live-per-address", "N", "live maps of one client; raise it behind a proxy",
        standard: "\(standard.liveSessionsPerAddress)"),
      OptionEntry(
        "--live-idle-timeout", "MS", "without any input, after which a live map ends",
        standard: "\(standard.liveIdleTime)"),
      OptionEntry(
        "--live-origin", "ORIGIN",
        "whose pages may open live maps, besides this host's: https://HOST[:PORT], or * for all",
        repeats: true
      ),
      OptionEntry(
        "--allow-host", "HOST",
        "by which live maps are opened, besides this machine's, --host and --public-url; * for all",
        repeats: true),
      OptionEntry(
        "--trusted-proxy", "CIDR", "whose X-Forwarded-Host and X-Forwarded-Proto count; none: nobody's",
        standard: "127.0.0.0/8 and ::1", repeats: true),
      OptionEntry(
        "--metrics-listen", "ADDRESS:PORT", "where /metrics is, and /health too, rather than beside the rest"),
      OptionEntry("--require-complete", "503 for pictures that lack what they need, unless ?complete=0"),
      OptionEntry(
        "--timeout", "MS", "for a picture: its turn, and all that it needs",
        standard: "\(standard.pictureTime)"),
      OptionEntry(
        "--stop-timeout", "MS", "that SIGTERM leaves for what is under way", standard: "\(standard.drainTime)"
      ),
    ] + StyleOptions.entries(cache: StyleOptions.serverCache),
    example: "neatline serve style.json --port 8080",
    notes: """
      /                                                  what is served, with previews; a viewer of each style
      /styles.json, /data.json, /fonts.json              lists
      /styles/ID/style.json, /styles/ID.json             the style, and TileJSON of its pictures
      /styles/ID/[256/|512/]{z}/{x}/{y}[@2x].png         tiles
      /styles/ID/static/LON,LAT,ZOOM/WxH[@2x].png        a picture; [@BEARING[,PITCH]] behind the zoom
      /styles/ID/static/W,S,E,N/WxH[@2x].png             a picture of a box of degrees
      /styles/ID/static/auto/WxH[@2x].png                around ?path=, ?marker=, ?geojson= (docs/server.md)
      /styles/ID/wmts.xml                                for GIS programs
      /styles/ID/live                                    a live map in a page, with --live
      /data/ID.json, /data/ID/{z}/{x}/{y}.pbf, .geojson  an archive and its tiles
      /fonts/STACK/RANGE.pbf, /styles/ID/sprite.png      what styles need
      /health, /metrics                                  how the server is doing
      .jpg and .webp in the place of .png; ?quality=1..100 for these;
      ?complete=1: 503 rather than a picture that lacks what it needs. Past a limit the answer is 413, 429 or 503.
      SIGHUP loads styles, configuration and certificate anew; changed files are noticed by themselves.
      """, run: run)

  private static func run(_ options: Arguments) throws {
    Platform.shareHeapWhereAddressesAreFew()
    // What the configuration says about the server itself counts once, at the start.
    var options = options
    let first = try configuration(options)
    try options.fill(from: first.server, of: first.path ?? "", entry)
    let frozen = options
    let limits = try limits(options)
    let log = try AccessLog(
      try options.choice("--access-log", AccessLog.Kind.allCases.map(\.rawValue)).flatMap {
        AccessLog.Kind(rawValue: $0)
      } ?? .off)
    let disk = try options.text("--tile-cache-folder").map {
      try DiskCache(
        folder: $0, limit: (try options.integer("--tile-cache-disk", in: 1...1 << 30) ?? 1024) << 20)
    }
    let cache = TileCache(
      bytes: (try options.integer("--tile-cache", in: 0...1 << 20) ?? 64) << 20,
      lifetime: try options.integer("--tile-cache-lifetime", in: 1...1 << 30).map { $0 * 1000 }, disk: disk)
    let certificate = try certificate(options)
    var settings = try StyleOptions.read(options, cache: StyleOptions.serverCache)
    try StyleOptions.share(&settings, options, always: limits.allowsUpgrades)
    let live = limits.allowsUpgrades ? LiveService(try liveLimits(options, limits), settings) : nil
    let site = try Site(
      { try configuration(frozen) }, settings, limits,
      cache: cache, disk: disk,
      log: log, certificate: certificate, live: live,
      requiresComplete: options.has("--require-complete"),
      hasMetricsElsewhere: options.has("--metrics-listen"))
    let listener: Listener
    if let inherited = try Listener(inherited: ()) {
      listener = inherited
    } else {
      listener = try Listener(
        host: options.text("--host") ?? "127.0.0.1",
        port: UInt16(try options.integer("--port", in: 0...65535) ?? 8080))
    }
    let address = listener.address
    let metricsListener = try options.text("--metrics-listen").map {
      try Listener(address: $0, option: "--metrics-listen")
    }
    let server = try HTTPServer(listener.descriptor, limits, certificate: certificate, handler: site)
    let control = try options.text("--control").map { [server] in try ControlSocket($0, site) { server.state }
    }
    defer { control?.end() }
    let what = first.path ?? (first.styles.map(\.address) + first.data.map(\.address)).joined(separator: ", ")
    Console.out("serving \(what) at \(certificate == nil ? "http" : "https")://\(address)/")
    if let metricsListener {
      let other = try HTTPServer(
        metricsListener.descriptor, .ofMetrics(limits), isMain: false,
        handler: MetricsSite(site) { [server] in server.state })
      try Platform.startThread { other.run() }
      Console.out("metrics at http://\(metricsListener.address)/metrics")
    }
    Platform.notifyManager("READY=1")
    server.run()
    log.flush()
  }

  /// What is to be served: of a file, or of the arguments.
  private static func configuration(_ options: Arguments) throws -> ServerConfig {
    var config: ServerConfig
    if let path = options.text("--config") {
      guard options.positional.isEmpty else {
        throw UsageError(
          message: "--config names all that is served; \"\(options.positional[0])\" is too much")
      }
      config = try ServerConfig(file: path)
    } else {
      guard !options.positional.isEmpty else { throw UsageError(message: "STYLE is missing") }
      config = ServerConfig()
      for address in options.positional { try config.add(address) }
    }
    for folder in options.texts("--fonts") {
      if !Platform.isFolder(folder) { config.notes.append("--fonts: there is no folder \"\(folder)\"") }
      config.fontFolders.append(folder)
    }
    if let url = options.text("--public-url") {
      config.publicURL = try ServerConfig.publicURL(url, UsageError(message: "--public-url: "))
    }
    return config
  }

  private static func certificate(_ options: Arguments) throws -> Certificate? {
    guard let chain = options.text("--tls-certificate") else {
      if options.text("--tls-key") != nil {
        throw UsageError(message: "--tls-key goes with --tls-certificate")
      }
      return nil
    }
    guard let key = options.text("--tls-key") else {
      throw UsageError(message: "--tls-certificate goes with --tls-key")
    }
    return try Certificate(chain: chain, key: key)
  }

  private static func trustedProxies(_ options: Arguments) throws -> [AddressRange] {
    let texts = options.texts("--trusted-proxy")
    if texts.isEmpty { return AddressRange.loopback }
    if texts == ["none"] { return [] }
    return try texts.map { text in
      guard let range = AddressRange(text) else {
        throw UsageError(
          message: "--trusted-proxy: \"\(text)\" is no address and no range such as 10.0.0.0/8 or fd00::/8")
      }
      return range
    }
  }

  private static func allowedHosts(_ options: Arguments) throws -> AllowedHosts {
    var hosts = AllowedHosts()
    for text in options.texts("--allow-host") where !hosts.add(text) {
      throw UsageError(message: "--allow-host: \"\(text)\" is neither a host without a port nor *")
    }
    // A name. An address is compared with the connection's own end: 0.0.0.0 is nobody's.
    if let host = options.text("--host"), let name = HTTPHost(host), name.address == nil {
      _ = hosts.add(host)
    }
    return hosts
  }

  private static func liveLimits(_ options: Arguments, _ limits: ServerLimits) throws -> LiveLimits {
    let origins = options.texts("--live-origin")
    for origin in origins where origin != "*" {
      let parts = origin.lowercased().split(separator: "://", omittingEmptySubsequences: false)
      guard parts.count == 2, ["http", "https"].contains(parts[0]), !parts[1].isEmpty,
        !parts[1].contains(where: { "/?# ".contains($0) })
      else { throw UsageError(message: "--live-origin: \"\(origin)\" is neither https://HOST[:PORT] nor *") }
    }
    return LiveLimits(
      sessions: limits.liveSessions, sessionsPerAddress: limits.liveSessionsPerAddress,
      idleTime: limits.liveIdleTime, greetingTime: limits.headTime,
      pingTime: limits.idleTime,
      answerTime: limits.answerTime, pixels: limits.pixels, edge: limits.edge, ratio: limits.ratio,
      origins: origins, hosts: try allowedHosts(options))
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
    if options.has("--live") {
      limits.liveSessions = ServerLimits.standardLiveSessions
      try read("--live-sessions", 1...1024, \.liveSessions)
      try read("--live-per-address", 1...1024, \.liveSessionsPerAddress)
      try read("--live-idle-timeout", 1...86_400_000, \.liveIdleTime)
    } else if let name = [
      "--live-sessions", "--live-per-address", "--live-idle-timeout", "--live-origin", "--allow-host",
    ].first(where: options.has) {
      throw UsageError(message: "\(name) goes with --live")
    }
    limits.trustedProxies = try trustedProxies(options)
    if let text = try options.choice("--metatile", ["1", "2", "4", "8"]) { limits.metatile = Int(text) ?? 1 }
    if let ratio = try options.number("--max-ratio") {
      guard ratio >= 0.1, ratio <= 16 else {
        throw UsageError(message: "--max-ratio: \(ratio) is not within 0.1...16")
      }
      limits.ratio = ratio
    }
    return limits
  }
}
