import Neatline

/// What is served at a time: styles, data and fonts. A reload makes a new one.
final class Catalog: Sendable {
  let config: ServerConfig
  let styles: [StyleSite]
  let data: [DataSite]
  let fonts: FontSite
  private let styleOfID: [String: StyleSite]
  private let dataOfID: [String: DataSite]
  /// Files that all this is of, as they were.
  let stamps: [String: [Int]?]

  /// Throws where something of the configuration cannot be had.
  init(_ config: ServerConfig, _ options: Options) throws {
    var config = config
    var stamps = FileWatch.stamps([config.allStylesFolder].compactMap(\.self))
    if let path = config.path { stamps[path] = .some(config.stamp) }
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
        // Not every error names its file.
        let words = "\(error)"
        let isNamed = site.file.map { words.contains($0) } ?? words.contains(site.address)
        throw FileError(
          path: "data \"\(site.id)\"", reason: isNamed ? words : "\(site.file ?? site.address): \(words)")
      }
    }
    let fonts = FontSite(config.fontFolders)
    styles = try config.styles.map { try StyleSite($0, config, options, fonts.paths, &catalog) }
    data = catalog
    self.fonts = fonts
    styleOfID = Dictionary(styles.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    dataOfID = Dictionary(catalog.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
    for style in styles { stamps.merge(style.files) { a, _ in a } }
    for site in catalog { if let file = site.file { stamps[file] = .some(site.stamp) } }
    self.stamps = stamps
    let start = Platform.milliseconds
    for style in styles {
      let left = ServerLimits.warmUpTime - (Platform.milliseconds - start)
      if left <= 0 { break }
      style.warmUp(deadline: left)
    }
  }

  /// Changes with whatever a style is drawn from, as far as files tell.
  func mark(_ style: StyleSite) -> String {
    ([style.mark] + style.dataOfSource.values.sorted().compactMap { dataOfID[$0]?.mark }).joined(
      separator: " ")
  }

  func style(_ id: Substring) -> StyleSite? { styleOfID[String(id)] }
  func data(_ id: Substring) -> DataSite? { dataOfID[String(id)] }
}

/// What the server answers: addresses as tileserver-gl has them, under `/` those of the first style besides.
final class Site: HTTPHandler, @unchecked Sendable {  // everything that changes is under `lock`
  let limits: ServerLimits
  let cache: TileCache
  let figures = ServerFigures()
  var metrics: Metrics { figures.metrics }
  /// Whether they have an address of their own.
  let hasMetricsElsewhere: Bool
  private let log: AccessLog
  private let options: Options
  /// Reads the configuration again.
  private let configure: @Sendable () throws -> ServerConfig
  /// Whether a picture that lacks what it needs is refused unless the client says otherwise.
  let requiresComplete: Bool
  private let lock = Lock()
  private var current: Catalog
  private var watch: FileWatch
  /// Of `watch`, which asks the disk.
  private let watching = Lock()
  private var isReloading = false
  /// SIGHUP came while styles were being loaded.
  private var isAskedAgain = false
  /// Held while styles are loaded: one after another.
  private let reloading = Lock()
  private let disk: DiskCache?
  private let certificate: Certificate?
  /// nil: there are no live maps.
  let live: LiveService?

  init(
    _ configure: @escaping @Sendable () throws -> ServerConfig, _ options: Options, _ limits: ServerLimits,
    cache: TileCache, disk: DiskCache?, log: AccessLog, certificate: Certificate?, live: LiveService?,
    requiresComplete: Bool, hasMetricsElsewhere: Bool
  ) throws {
    (self.configure, self.options, self.limits) = (configure, options, limits)
    (self.cache, self.disk, self.log, self.requiresComplete) = (cache, disk, log, requiresComplete)
    (self.certificate, self.live, self.hasMetricsElsewhere) = (certificate, live, hasMetricsElsewhere)
    let config = try configure()
    current = try Catalog(config, options)
    watch = FileWatch(current.stamps)
    markDisk(current)
    var notes = config.notes
    if current.styles.isEmpty, current.data.isEmpty { notes.append("no style and no archive is served") }
    for note in notes { Console.warning((config.path.map { "\($0): " } ?? "") + note) }
  }

  var catalog: Catalog { lock.locked { current } }

  func note(_ record: RequestRecord) {
    metrics.note(record)
    log.note(record)
  }

  // MARK: Reloading

  /// Loads all anew where something changed; where that fails the old stays and standard error says why.
  func refresh(isAsked: Bool) {
    if !isAsked { renewCertificate { try $0.refresh() } }
    let isChanged = watching.locked { watch.isDue() }
    let isDue = lock.locked { () -> Bool in
      guard !isReloading else {
        isAskedAgain = isAskedAgain || isAsked
        return false
      }
      isReloading = isAsked || isChanged
      return isReloading
    }
    guard isDue else { return }
    // A thread of its own: styles of other servers take their time.
    do {
      try Platform.startThread { [self] in
        repeat {
          reload()
        } while lock.locked { () -> Bool in
          defer { isAskedAgain = false }
          isReloading = isAskedAgain
          return isReloading
        }
      }
    } catch {
      lock.locked { isReloading = false }
      Console.warning("reload: \(error)")
    }
  }

  /// Takes up another certificate; says why the old stays.
  @discardableResult private func renewCertificate(_ renew: (Certificate) throws -> Bool) -> UsageError? {
    guard let certificate else { return nil }
    do {
      if try renew(certificate) {
        metrics.noteReload(failed: false)
        Console.notice("loaded anew: the certificate")
      }
      return nil
    } catch {
      metrics.noteReload(failed: true)
      Console.warning("the certificate is not loaded anew, the old stays: \(error)")
      return UsageError(message: "\(error)")
    }
  }

  /// Loads all anew, or says why the old stays.
  @discardableResult func reload() -> Result<Catalog, UsageError> {
    reloading.locked { () -> Result<Catalog, UsageError> in
      Platform.notifyManager("RELOADING=1\nMONOTONIC_USEC=\(Platform.milliseconds * 1000)")
      defer { Platform.notifyManager("READY=1") }
      let fault = renewCertificate { try $0.reload() }
      let old = catalog
      // Not again until something changes once more, of the old or of what could not be loaded.
      var stamps = FileWatch.stamps(old.stamps.keys)
      do {
        let config = try configure()
        stamps.merge(FileWatch.stamps(config.files)) { a, _ in a }
        let new = try Catalog(config, options)
        take(new, insteadOf: old)
        metrics.noteReload(failed: false)
        Console.notice("loaded anew: \(new.styles.count) styles, \(new.data.count) archives")
        return fault.map { .failure($0) } ?? .success(new)
      } catch {
        watching.locked { watch = FileWatch(stamps) }
        metrics.noteReload(failed: true)
        let words = (error as? UsageError)?.message ?? "\(error)"
        Console.warning("not loaded anew, the old stays: \(words)")
        return .failure(UsageError(message: words))
      }
    }
  }

  private func take(_ new: Catalog, insteadOf old: Catalog) {
    markDisk(new)
    lock.locked { current = new }
    watching.locked { watch = FileWatch(new.stamps) }
    for style in old.styles {
      let same = new.style(Substring(style.id))
      if same.map({ new.mark($0) }) != old.mark(style) {
        cache.purge(Purge(owner: "styles/\(style.id)", drops: same == nil))
      }
    }
    live?.take(new)
  }

  func tick(_ now: Int) { live?.tick(now) }

  func beginStop() { live?.beginStop() }

  private func markDisk(_ catalog: Catalog) {
    guard let disk else { return }
    for style in catalog.styles {
      disk.mark("styles/\(style.id)", "\(engineVersion) \(catalog.mark(style))")
    }
  }

  // MARK: Routes

  func plan(_ request: HTTPRequest, _ state: ServerState) -> HTTPPlan {
    if request.method == "OPTIONS" {
      return .answer(ServerFigures.paths.contains(request.path) ? .closedOptions : .options)
    }
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let catalog = catalog
    guard let first = parts.first else { return .answer(Site.nothing(request.path)) }
    let rest = parts.dropFirst()
    switch (first, rest.count) {
    case ("", 0):
      return page(request, "front") {
        Pages.front(catalog, request, hasLive: live != nil, hasMetrics: !hasMetricsElsewhere)
      }
    case ("health", 0): return figures.health(request, state)
    case ("metrics", 0) where !hasMetricsElsewhere:
      return figures.metrics(request, state, cache.state, live?.figures.now)
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
}
