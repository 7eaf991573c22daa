import Neatline

/// What is served at a time: styles, data and fonts. A reload makes a new one.
final class Catalog: Sendable {
  let config: ServerConfig
  let styles: [StyleSite]
  let data: [DataSite]
  let fonts: FontSite
  private let styleOfID: [String: StyleSite]
  private let dataOfID: [String: DataSite]

  /// Throws where something of the configuration cannot be had.
  init(_ config: ServerConfig, _ options: Options) throws {
    var config = config
    for name in config.allStylesFolder.flatMap({ Platform.names(in: $0) }) ?? [] where name.hasSuffix(".json")
    {
      let id = ServerConfig.styleID(name)
      guard !config.styles.contains(where: { $0.id == id }) else { continue }
      config.styles.append(
        ServerConfig.Style(id: id, address: FilePath.join(config.allStylesFolder ?? "", name)))
    }
    self.config = config
    var catalog = config.data.map { DataSite($0) }
    for site in catalog {
      do { _ = try site.open() } catch {
        throw FileError(path: "data \"\(site.id)\"", reason: "\(error)")
      }
    }
    styles = try config.styles.map { try StyleSite($0, config, options, &catalog) }
    data = catalog
    fonts = FontSite(config.fontFolders)
    styleOfID = Dictionary(styles.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    dataOfID = Dictionary(catalog.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
  }

  func style(_ id: Substring) -> StyleSite? { styleOfID[String(id)] }
  func data(_ id: Substring) -> DataSite? { dataOfID[String(id)] }
}

/// What the server answers: addresses as tileserver-gl has them, under `/` those of the first style besides.
final class Site: HTTPHandler, @unchecked Sendable {  // everything that changes is under `lock`
  let limits: ServerLimits
  let cache: TileCache
  let metrics = Metrics()
  private let log: AccessLog
  private let options: Options
  /// Reads the configuration again.
  private let configure: @Sendable () throws -> ServerConfig
  /// Whether a picture that lacks what it needs is refused unless the client says otherwise.
  let requiresComplete: Bool
  private let lock = Lock()
  private var current: Catalog
  private var configStamp: [Int]?
  private var isReloading = false
  private let disk: DiskCache?

  init(
    _ configure: @escaping @Sendable () throws -> ServerConfig, _ options: Options, _ limits: ServerLimits,
    cache: TileCache, disk: DiskCache?, log: AccessLog, requiresComplete: Bool
  ) throws {
    (self.configure, self.options, self.limits) = (configure, options, limits)
    (self.cache, self.disk, self.log, self.requiresComplete) = (cache, disk, log, requiresComplete)
    let config = try configure()
    configStamp = config.path.flatMap { Platform.stamp($0) }
    current = try Catalog(config, options)
    markDisk(current)
    for note in config.notes { Console.warning("\(config.path ?? ""): \(note)") }
  }

  var catalog: Catalog { lock.locked { current } }

  func note(_ record: RequestRecord) {
    metrics.note(record)
    log.note(record)
  }

  // MARK: Reloading

  /// Loads anew what changed; where that fails the old stays and standard error says why.
  func refresh(isAsked: Bool) {
    let catalog = catalog
    let isDue = lock.locked { () -> Bool in
      guard !isReloading else { return false }
      guard
        isAsked || catalog.config.path.flatMap({ Platform.stamp($0) }) != configStamp
          || catalog.styles.contains(where: \.hasChanged)
      else { return false }
      isReloading = true
      return true
    }
    guard isDue else { return }
    // A thread of its own: styles of other servers take their time.
    do { try Platform.startThread { [self] in reload() } } catch {
      lock.locked { isReloading = false }
      Console.warning("reload: \(error)")
    }
  }

  private func reload() {
    let old = catalog
    // Noted first: what changes meanwhile is seen the next time. Of a configuration that is wrong too, so
    // that it is not read again until it changes.
    let stamp = old.config.path.flatMap { Platform.stamp($0) }
    do {
      let new = try Catalog(try configure(), options)
      markDisk(new)
      lock.locked { current = new }
      for style in old.styles where new.style(Substring(style.id))?.mark != style.mark {
        cache.purge(owner: "styles/\(style.id)")
      }
      metrics.noteReload(failed: false)
      Console.notice("loaded anew: \(new.styles.count) styles, \(new.data.count) archives")
    } catch {
      metrics.noteReload(failed: true)
      Console.warning("not loaded anew, the old stays: \((error as? UsageError)?.message ?? "\(error)")")
      // Not again until something changes once more.
      for style in old.styles { style.refuse() }
    }
    lock.locked {
      configStamp = stamp
      isReloading = false
    }
  }

  private func markDisk(_ catalog: Catalog) {
    guard let disk else { return }
    for style in catalog.styles {
      let marks =
        [style.mark] + style.dataOfSource.values.sorted().compactMap { catalog.data(Substring($0))?.mark }
      disk.mark("styles/\(style.id)", "\(engineVersion) \(marks.joined(separator: " "))")
    }
  }

  // MARK: Routes

  func plan(_ request: HTTPRequest, _ state: ServerState) -> HTTPPlan {
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let catalog = catalog
    guard let first = parts.first else { return .answer(Site.nothing(request.path)) }
    let rest = parts.dropFirst()
    switch (first, rest.count) {
    case ("", 0): return page(request, "front") { Pages.front(catalog, request) }
    case ("health", 0): return plain(request, Site.health(state).on("health"))
    case ("metrics", 0):
      return plain(
        request,
        HTTPAnswer(
          status: 200, type: "text/plain; version=0.0.4; charset=utf-8",
          body: Array(metrics.text(state, cache.state).utf8), headers: [("Cache-Control", "no-store")]
        ).on("metrics"))
    case ("info.json", 0):
      return catalog.styles.first.map { info(request, $0) } ?? .answer(Site.nothing(request.path))
    case ("styles.json", 0), ("rendered.json", 0), ("data.json", 0), ("index.json", 0), ("fonts.json", 0):
      return list(request, String(first), catalog)
    case ("styles", _): return style(request, rest, catalog)
    case ("data", _): return data(request, rest, catalog)
    case ("fonts", 2): return font(request, rest, catalog)
    case ("viewer", 1): return plain(request, Pages.asset(String(rest.first!)))
    case ("viewer", 2) where rest.first == "images":
      return plain(request, Pages.asset("images/\(rest.last!)"))
    default: break
    }
    // The addresses of a server of one style.
    guard let style = catalog.styles.first, let picture = PictureRequest(parts, path: request.path) else {
      return .answer(Site.nothing(request.path))
    }
    return draw(request, style, picture)
  }

  static func nothing(_ path: String) -> HTTPAnswer {
    .text(
      404,
      """
      nothing here. Styles are listed at /styles.json, their tiles are at
      /styles/ID/{z}/{x}/{y}[@2x].png, pictures at /styles/ID/static/LON,LAT,ZOOM[@BEARING[,PITCH]]/WxH[@2x].png
      and /styles/ID/static/W,S,E,N/WxH[@2x].png, also as .jpg and .webp; archives at /data.json

      """)
  }

  func plain(_ request: HTTPRequest, _ answer: HTTPAnswer) -> HTTPPlan {
    .answer(request.refusal(known: []) ?? answer)
  }

  func page(_ request: HTTPRequest, _ route: String, _ make: () -> HTTPAnswer) -> HTTPPlan {
    .answer(request.refusal(known: []) ?? make().on(route))
  }

  /// Where this server is, as the client knows it.
  func origins(_ request: HTTPRequest, _ catalog: Catalog) -> [String] {
    if let url = catalog.config.publicURL { return [url] }
    let scheme = request.origin.hasPrefix("https:") ? "https" : "http"
    if !catalog.config.domains.isEmpty {
      return catalog.config.domains.map { $0.contains("://") ? $0 : "\(scheme)://\($0)" }
    }
    return [request.origin]
  }

  private static func health(_ state: ServerState) -> HTTPAnswer {
    let numbers = [
      ("connections", state.connections), ("waiting", state.waiting), ("drawing", state.drawing),
      ("answerBytes", state.answerBytes),
      ("answered", state.answered), ("refused", state.refused),
    ]
    let members =
      [("status", JSONValue.string(state.isStopping ? "stopping" : "ok"))]
      + numbers.map { ($0, .number(Double($1))) }
    var answer = HTTPAnswer.json(.object(members.map { JSONValue.Member($0.0, $0.1) }))
    answer.etag = nil
    answer.status = state.isStopping ? 503 : 200
    if !state.isStopping { answer.headers.append(("Cache-Control", "no-store")) }
    return answer
  }
}
