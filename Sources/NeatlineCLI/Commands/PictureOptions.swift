import Neatline

/// The options by which a style is loaded, of `render` and `serve`.
enum StyleOptions {
  /// MiB of decoded tiles and layouts: of one picture's, and of a server that draws neighbours of what it drew.
  static let pictureCache = 64
  static let serverCache = 128

  /// `cache`: MiB where `--cache` does not say.
  static func entries(cache: Int) -> [OptionEntry] {
    [
      OptionEntry(
        "--font", "FILE", "font file for text without a glyph server, besides those of the system",
        repeats: true),
      OptionEntry("--no-system-fonts", "only those of --font"),
      OptionEntry("--no-smooth-edges", "of extrusions: a pixel belongs to what is in its middle"),
      OptionEntry(
        "--no-spread-letters",
        "leave letters of labels along lines where a sharp bend lays them on each other"),
      OptionEntry("--language", "LANGUAGE", "of labels, where the data has it: ja, pt_BR, zh-Hant"),
      OptionEntry(
        "--threads", "N", "threads that one picture may use; 0: one a processor, shared by those under way",
        standard: "0"),
      OptionEntry("--cache", "MIB", "decoded tiles and layouts kept", standard: "\(cache)"),
      OptionEntry(
        "--memory", "MIB", "that pictures under way and all that is kept may take",
        standard: "3/4 of what the process may have"),
      OptionEntry(
        "--evaluation-memory", "MIB", "that one evaluation of an expression may take", standard: "16"),
      OptionEntry("--evaluation-steps", "N", "of one evaluation of an expression", standard: "4000000"),
      OptionEntry(
        "--expression-memory", "MIB", "that the values of one image's expressions may take",
        standard: "256"),
      OptionEntry(
        "--expression-steps", "N", "of the expressions of one image together", standard: "500000000"),
      OptionEntry(
        "--local-files", "allow|deny", "whether the style may read files of this machine",
        standard: "allow, but for styles of a server"),
      OptionEntry(
        "--request-timeout", "MS", "for one request of a resource, with all its tries", standard: "30000"),
      OptionEntry("--retries", "N", "attempts after a failure that may pass, 0 to 100", standard: "3"),
      OptionEntry("--header", "HEADER", "NAME: VALUE, sent with each request to a server", repeats: true),
      OptionEntry(
        "--access-token", "TOKEN", "for mapbox:// addresses; else the variable MAPBOX_ACCESS_TOKEN"),
      OptionEntry("--proxy", "ADDRESS", "else what https_proxy and no_proxy say"),
      OptionEntry("--ca-file", "FILE", "certificates of servers that are trusted, PEM; else the system's"),
      OptionEntry("--resource-cache", "FILE", "keep what servers answer; made where it is not there"),
      OptionEntry("--resource-cache-size", "MIB", "of it at most", standard: "50"),
      OptionEntry("--no-network", "ask no server: what --resource-cache and files hold has to do"),
      OptionEntry(
        "--offline", "DB", "what `neatline offline` and --resource-cache have kept, and no network"),
      OptionEntry(
        "--log-level", "debug|info|warning|error",
        "tell what is loaded and what is not, from this level on, to standard error"),
      OptionEntry("--trace", "FILE", "where time goes, in Chrome's trace format"),
    ]
  }

  static func read(_ options: Arguments, cache: Int) throws -> Options {
    var result = Options()
    if let name = options.text("--log-level") { try tellLog(from: name) }
    if let path = options.text("--trace") { try beginTrace(path) }
    result.fontPaths = options.texts("--font")
    result.threadCount = try options.integer("--threads", in: 0...256) ?? result.threadCount
    result.cacheBytes = (try options.integer("--cache", in: 1...1 << 20) ?? cache) << 20
    result.usesSystemFonts = !options.has("--no-system-fonts")
    result.language = options.text("--language")
    result.smoothEdges = !options.has("--no-smooth-edges")
    result.spreadLetters = !options.has("--no-spread-letters")
    if let size = try options.integer("--memory", in: 1...1 << 30) { result.memoryLimitBytes = size << 20 }
    if let size = try options.integer("--evaluation-memory", in: 1...1 << 20) {
      result.evaluationBytes = size << 20
    }
    if let size = try options.integer("--expression-memory", in: 1...1 << 20) {
      result.expressionBytes = size << 20
    }
    let steps = 1...1 << 50
    if let count = try options.integer("--evaluation-steps", in: steps) { result.evaluationSteps = count }
    if let count = try options.integer("--expression-steps", in: steps) { result.expressionSteps = count }
    switch options.text("--local-files") {
    case nil: break
    case "allow": result.allowsLocalFiles = true
    case "deny": result.allowsLocalFiles = false
    case .some(let text): throw UsageError(message: "--local-files: \"\(text)\" is neither allow nor deny")
    }
    if let time = try options.integer("--request-timeout", in: 1...86_400_000) {
      result.timeoutMilliseconds = time
    }
    if let count = try options.integer("--retries", in: 0...100) {
      result.retryCount = count == 0 ? Options.noRetries : count
    }
    return result
  }

  /// Whether a trace is under way.
  private(set) nonisolated(unsafe) static var isTracing = false

  private static func beginTrace(_ path: String) throws {
    guard !isTracing else { return }
    try Trace.start(path: path)
    isTracing = true
  }

  private static func tellLog(from name: String) throws {
    guard let level = LogMessage.Level.allCases.first(where: { "\($0)" == name }) else {
      throw UsageError(message: "--log-level: \"\(name)\" is none of debug, info, warning and error")
    }
    setLogHandler(from: level) { Console.notice("\($0)") }
  }

  /// Has what is loaded shared and kept, where the options ask for it; after all others are settled. `always`:
  /// shared in any case.
  static func share(_ settings: inout Options, _ options: Arguments, always: Bool = false) throws {
    let offline = options.text("--offline")
    if let offline {
      if options.has("--resource-cache") {
        throw UsageError(message: "--offline DB is --resource-cache DB --no-network: one of them, please")
      }
      // A name that was mistyped makes no file.
      _ = try Platform.readHead(offline, 1)
    }
    let path = offline ?? options.text("--resource-cache")
    let size = try options.integer("--resource-cache-size", in: 0...1 << 30)
    if path == nil && size != nil {
      throw UsageError(message: "--resource-cache-size is for --resource-cache FILE")
    }
    let isOffline = offline != nil || options.has("--no-network")
    let token = options.text("--access-token") ?? Platform.environment("MAPBOX_ACCESS_TOKEN")
    let headers = try headers(options.texts("--header"))
    guard
      always || path != nil || isOffline || token != nil || !headers.isEmpty || options.text("--proxy") != nil
        || options.text("--ca-file") != nil
    else { return }
    var shared = Resources.Options()
    shared.headers = headers
    shared.accessToken = token
    shared.proxy = options.text("--proxy")
    shared.caFile = options.text("--ca-file")
    shared.cachePath = path
    shared.cacheBytes = size.map { $0 << 20 }
    if settings.timeoutMilliseconds > 0 { shared.timeoutMilliseconds = settings.timeoutMilliseconds }
    if settings.retryCount != 0 {
      shared.retryCount = settings.retryCount == Options.noRetries ? 0 : settings.retryCount
    }
    let resources = try Resources(shared)
    if isOffline { try resources.setOnline(false) }
    settings.resources = resources
  }

  private static func headers(_ texts: [String]) throws -> [String: String] {
    var headers: [String: String] = [:]
    for text in texts {
      guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
        throw UsageError(message: "--header: \"\(text)\" is not NAME: VALUE")
      }
      headers[String(text[..<colon])] = String(text[text.index(after: colon)...].drop { $0 == " " })
    }
    return headers
  }

  /// Says what a file is that was given in the place of a style, and what to do with it.
  static func check(_ style: String) throws {
    let path = style.hasPrefix("file://") ? String(style.dropFirst(7)) : style
    guard !path.contains("://") || path.hasPrefix("mbtiles://") || path.hasPrefix("pmtiles://") else {
      return
    }
    if path.hasPrefix("mbtiles://") || path.hasPrefix("pmtiles://") {
      throw UsageError(message: advice(style, style))
    }
    guard let head = try? Platform.readHead(path, 16) else { return }
    if head.starts(with: Array("SQLite format 3".utf8)) {
      throw UsageError(message: advice(style, "mbtiles://" + path))
    }
    if head.starts(with: Array("PMTiles".utf8)) {
      throw UsageError(message: advice(style, "pmtiles://" + path))
    }
  }

  /// Whether an address is that of an archive of tiles.
  static func isArchive(_ address: String) throws -> Bool {
    if address.hasPrefix("mbtiles://") || address.hasPrefix("pmtiles://") { return true }
    let path = address.hasPrefix("file://") ? String(address.dropFirst(7)) : address
    if path.contains("://") { return path.hasSuffix(".pmtiles") }
    let head = (try? Platform.readHead(path, 16)) ?? []
    return head.starts(with: Array("SQLite format 3".utf8)) || head.starts(with: Array("PMTiles".utf8))
  }

  private static func advice(_ name: String, _ address: String) -> String {
    """
    \(name) is an archive of tiles, not a style: it says where things are, not how they look. Name it in a style's sources, as
      "tiles": {"type": "vector", "url": "\(address)"}
    (or "raster" for pictures), and give that style. "neatline inspect \(name)" shows what is inside.
    """
  }
}

/// The kinds of picture files, by name.
enum PictureFormat {
  static let names = "png, jpeg or webp"

  static func named(_ name: String) -> Image.Format? { Image.Format(path: "." + name) }

  static func mediaType(_ format: Image.Format) -> String {
    switch format {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    }
  }
}
