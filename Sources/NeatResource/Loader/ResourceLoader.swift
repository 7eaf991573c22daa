import NeatBase
import NeatLoop
import NeatNetwork
import NeatStore
import NeatTile
import Synchronization

/// Finds the bytes of addresses: files, `data:`, http(s), MBTiles and PMTiles archives (files or on servers).
/// Archives stay open, their directories in memory. The blocking calls may be made from any thread; a thread
/// of its own is started with the first request that needs a server.
package final class ResourceLoader: Sendable {
  package struct Options: Sendable {
    package var http = HTTPOptions()
    /// Headers sent with every request.
    package var headers: [(name: String, value: String)] = []
    /// Whether files may be read (also as archives), and servers asked.
    package var allowsFiles = true
    package var allowsNetwork = true
    /// Milliseconds for one server request with all its tries.
    package var timeoutMS: UInt64 = HTTPRequest.defaultTimeoutMS
    /// Bytes at most of an answer that came packed, as unpacked.
    package var unpackedLimit = 256 << 20
    /// What servers answered before; nil: nothing is kept.
    package var cache: ResourceCache?
    /// Archives kept open.
    package var archiveLimit = 64
    /// Providers by the scheme of their addresses.
    package var providers: [String: Provider] = [:]
    package var credentials: [Credentials] = []
    /// The folder of `asset://` addresses.
    package var assetPath: String?
    /// Sees each address before it is asked for.
    package let transform = TransformSlot()

    package init() {}
  }

  package let options: Options

  private let online = Atomic(true)
  private let archives = Locked(OpenArchives())
  private let thread = Locked<HTTPThread?>(nil)

  private let watch = Locked<Watch?>(nil)

  package init(options: Options = .init()) {
    self.options = options
    Address.hide(
      members: options.credentials.flatMap { $0.query.map(\.name) }
        + options.providers.values.map(\.tokenName))
    let watch = NetworkSwitch.watch { [weak self] in self?.networkChanged() }
    self.watch.withLock { $0 = watch }
  }

  /// Whether servers are asked; else every request for one fails, unless the cache can answer.
  package var isOnline: Bool { online.load(ordering: .relaxed) && NetworkSwitch.isConnected }

  /// Where they are not asked any more, what is under way fails as a connection does; patient requests wait.
  /// Where they are (said again, too: the network is back), these are tried at once.
  package func setOnline(_ isOnline: Bool) {
    online.store(isOnline, ordering: .relaxed)
    networkChanged()
  }

  private func networkChanged() {
    guard let loop = thread.withLock({ $0?.loop }) else { return }
    loop.post { [weak self, weak loop] in
      // As it is by then: of two that change it the later one counts.
      guard let isOnline = self?.isOnline else { return }
      loop?.attached(HTTPClient.self)?.setOnline(isOnline)
    }
  }

  /// Bytes of one resource at most.
  package static func byteLimit(_ kind: ResourceKind) -> Int {
    switch kind {
    case .style, .source, .spriteJSON: 64 << 20
    case .tile, .image, .spriteImage: 64 << 20
    case .glyphs: 16 << 20
    case .font: 128 << 20
    case .geojson: 1 << 30
    }
  }

  // MARK: Blocking

  func backgroundThread() throws(NeatError) -> HTTPThread {
    let options = options.http
    let result = thread.withLock { thread -> Result<HTTPThread, NeatError> in
      if let thread { return .success(thread) }
      do throws(NeatError) {
        let made = try HTTPThread(options: options)
        thread = made
        return .success(made)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// TileJSON of an archive: `tiles` (the archive's own address), zooms, bounds, format, encoding, vector
  /// layers.
  package func tileJSON(forArchive url: String, deadline: Deadline = .never) throws(NeatError) -> [UInt8] {
    switch load(ResourceRequest(kind: .source, url: url), deadline: deadline) {
    case .data(let bytes): return bytes
    case .missing, .empty: throw NeatError(.notFound, "no such archive", resource: url)
    case .failed(let error): throw error
    }
  }

  // MARK: What an address means

  enum Place {
    case inline
    case file(String)
    case mbtiles(String)
    case pmtilesFile(String)
    case pmtilesServer(String)
    case server
    case unknown(String)
  }

  static func place(_ url: String) -> Place {
    guard let scheme = Address.scheme(url) else { return .file(url) }
    switch scheme {
    case "data": return .inline
    case "http", "https": return .server
    case "file": return .file(path(url))
    case "mbtiles": return .mbtiles(path(inner(url)))
    case "pmtiles":
      let inner = inner(url)
      switch Address.scheme(inner) {
      case "http", "https": return .pmtilesServer(inner)
      case nil, "file": return .pmtilesFile(path(inner))
      case .some(let other): return .unknown(other)
      }
    default: return .unknown(scheme)
    }
  }

  /// The path of a file of this machine that may be read; nil for any other address.
  func localPath(_ url: String) -> String? {
    guard options.allowsFiles, case .file(let path) = ResourceLoader.place(url) else { return nil }
    return path
  }

  /// An archive's address from whatever names it: files are told apart by content, what is on a server is
  /// PMTiles. Throws `notFound`, `io`.
  package static func archiveURL(_ name: String) throws(NeatError) -> String {
    switch place(name) {
    case .server: return "pmtiles://" + name
    case .file(let path):
      let head = try FileReader(path: path).read(offset: 0, count: 16)
      return (head.starts(with: "SQLite format 3".utf8) ? "mbtiles://" : "pmtiles://") + path
    default: return name
    }
  }

  /// What stands behind `scheme://`.
  private static func inner(_ url: String) -> String {
    let rest = url.drop { $0 != ":" }.dropFirst()
    return String(rest.hasPrefix("//") ? rest.dropFirst(2) : rest)
  }

  /// The path of a `file:` address, or the address itself if it is a path.
  private static func path(_ url: String) -> String {
    guard Address.scheme(url) == "file" else { return url }
    var rest = inner(url)
    if rest.hasPrefix("localhost/") { rest = String(rest.dropFirst(9)) }
    return String(decoding: DataURL.percentDecode(rest.utf8), as: UTF8.self)
  }

  func isRemote(_ url: String) -> Bool {
    switch ResourceLoader.place(url) {
    case .server, .pmtilesServer: true
    default: false
    }
  }

  // MARK: Files and archives

  /// Loads what needs no server, on the calling thread.
  /// - Parameter waits: whether opening an archive waits for one who writes to it; else that fails.
  func loadLocal(_ route: ResourceRoute, waits: Bool = true) -> ResourceResult {
    let request = route.request
    do throws(NeatError) {
      let place = ResourceLoader.place(route.url)
      if case .inline = place { return .data(try DataURL.decode(route.url)) }
      guard request.allowsFiles || route.isAsset else {
        throw NeatError(
          .unsupported, "files of this machine may not be read by what a server sent", resource: request.url)
      }
      guard options.allowsFiles else {
        throw NeatError(.unsupported, "files may not be read", resource: request.url)
      }
      switch place {
      case .file(let path):
        return .data(try FileReader.readAll(path, limit: ResourceLoader.byteLimit(request.kind)))
      case .mbtiles(let path): return try loadMBTiles(path, request, waits: waits)
      case .pmtilesFile(let path): return try loadPMTiles(path, request)
      case .unknown(let scheme):
        throw NeatError(
          .unsupported, "addresses of scheme \"\(scheme)\" are not supported", resource: request.url)
      case .inline, .server, .pmtilesServer: return .missing
      }
    } catch {
      // An archive that is not there is not one without that tile.
      if request.tile != nil, error.code == .notFound, case .some(let scheme) = Address.scheme(request.url),
        scheme.hasSuffix("tiles")
      {
        return .failed(NeatError(.archive, "the archive is not there", resource: request.url))
      }
      return error.code == .notFound ? .missing : .failed(error.naming(request.url))
    }
  }

  /// Opens the archive of this machine that an address names, for requests that come soon. What is wrong with it is
  /// told to them; what would have to wait for a writer is left to them.
  /// - Returns: whether the address is one of an archive of this machine; of those that the host changes nobody
  ///   knows before they are asked for.
  package func openArchive(_ request: ResourceRequest) -> Bool {
    switch ResourceLoader.place(request.url) {
    case .mbtiles, .pmtilesFile: break
    default: return false
    }
    guard options.transform.transform == nil, options.providers.isEmpty else { return false }
    let route = ResourceRoute(request: request, url: request.url, key: ResourceCache.key(request))
    _ = loadLocal(route, waits: false)
    return true
  }

  private func loadMBTiles(_ path: String, _ request: ResourceRequest, waits: Bool) throws(NeatError)
    -> ResourceResult
  {
    let archive = try opened(path, in: \.mbtiles) { () throws(NeatError) in
      try MBTiles(path: path, waits: waits)
    }
    guard let tile = request.tile else { return .data(archiveTileJSON(archive, url: "mbtiles://" + path)) }
    guard let bytes = try archive.tile(tile) else { return .missing }
    if bytes.isEmpty { return .empty }
    return .data(
      archive.compression == .byContent
        ? bytes : try archive.compression.decompress(bytes, limit: MBTiles.maxTileBytes))
  }

  private func loadPMTiles(_ path: String, _ request: ResourceRequest) throws(NeatError) -> ResourceResult {
    let (file, archive) = try opened(path, in: \.pmtiles) { () throws(NeatError) in
      let file = try FileReader(path: path)
      return (file, PMTilesArchive(location: path, byteCount: file.byteCount))
    }
    var lookup = archive.lookup(request.tile.map { .tile($0) } ?? .tileJSON)
    while true {
      switch lookup.next() {
      case .done(let result): return result
      case .read(let range):
        guard range.offset <= UInt64(Int.max / 2), range.count <= UInt64(Int.max / 2) else {
          throw NeatError(.archive, "a place beyond any file")
        }
        try lookup.accept(try file.read(offset: Int(range.offset), count: Int(range.count)))
      }
    }
  }

  /// The archive at a path, which stays open. Of two threads that open it the first one's is taken.
  private func opened<Archive: Sendable>(
    _ path: String, in table: WritableKeyPath<OpenArchives, OpenFiles<Archive>> & Sendable,
    _ open: () throws(NeatError) -> Archive
  ) throws(NeatError) -> Archive {
    if let known = archives.withLock({ $0[keyPath: table][path] }) { return known }
    // Taken before it is opened: a file that comes in between is then noticed.
    let identity = FileIdentity(path)
    let archive = try open()
    return archives.withLock { [limit = options.archiveLimit] in
      $0[keyPath: table].keep(archive, identity, at: path, limit: limit)
    }
  }

  /// The archive at an address of a server; what is known of it is kept. `name`: the address that it has in the
  /// style, which its TileJSON and errors have, where that is one of an archive on a server too.
  func pmtiles(_ url: String, name: String) -> PMTilesArchive {
    archives.withLock { [limit = options.archiveLimit] archives in
      if let known = archives.remote[url] { return known }
      if archives.remote.count >= limit { archives.remote.removeAll() }
      var location = url
      if case .pmtilesServer(let shown) = ResourceLoader.place(name) { location = shown }
      let made = PMTilesArchive(location: location)
      archives.remote[url] = made
      return made
    }
  }

  /// Closes the archives whose files were replaced, changed or taken away since they were opened; they are
  /// opened anew when they are next asked for. Their addresses, with those of archives on servers that turned
  /// out to be others. MBTiles may be written to meanwhile.
  ///
  /// `number`: how many had been found when the caller last asked (`replacedArchiveCount` for one who begins),
  /// which becomes how many there are: each of those who share the loader hears of each once.
  package func replacedArchives(since number: inout UInt64) -> [String] {
    archives.withLock { archives in
      archives.findReplaced()
      return archives.replaced.take(since: &number)
    }
  }

  package var replacedArchiveCount: UInt64 { archives.withLock(\.replaced.count) }
}
