import Neatline

/// A door for whoever runs the server, apart from those of its clients: a socket of this machine that only the
/// server's user may open. A connection is a line of words there and a line of JSON back:
///
///     status
///     reload
///     purge style=ID zooms=3-7 bbox=W,S,E,N drop=1
///
/// Values are percent-decoded. What failed has a member `error`.
final class ControlSocket: Sendable {
  private let path: String

  /// `answer` has as long as it takes; one after another.
  init(_ path: String, _ site: Site, _ state: @escaping @Sendable () -> ServerState) throws {
    self.path = path
    let listener = try UnixSocket.listen(path)
    try Platform.startThread {
      while let connection = UnixSocket.accept(listener, milliseconds: 2000) {
        if let line = UnixSocket.readLine(connection) {
          UnixSocket.write(connection, line: Control.answer(line, site, state()).text)
        }
        Platform.close(connection)
      }
    }
  }

  /// Takes the path away.
  func end() { _ = Platform.removeFile(path) }
}

/// What the control socket answers.
enum Control {
  static func answer(_ line: String, _ site: Site, _ state: ServerState) -> JSONValue {
    let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map(String.init)
    do {
      var settings = try settings(words.dropFirst())
      func take(_ name: String) -> String? { settings.removeValue(forKey: name) }
      let result: JSONValue
      switch words.first {
      case "status": result = status(site, state)
      case "reload":
        guard settings.isEmpty else { throw unknown(settings) }
        let new = try site.reload().get()
        result = ["styles": .number(Double(new.styles.count)), "data": .number(Double(new.data.count))]
      case "purge":
        let purge = try purge(&settings, site)
        guard settings.isEmpty else { throw unknown(settings) }
        let count = site.cache.purge(purge)
        result = ["memory": .number(Double(count.memory)), "disk": .number(Double(count.disk))]
      case let word: throw UsageError(message: "\"\(word ?? "")\" is none of status, reload, purge")
      }
      guard settings.isEmpty else { throw unknown(settings) }
      return result
    } catch {
      return ["error": .string((error as? UsageError)?.message ?? "\(error)")]
    }
  }

  private static func settings(_ words: ArraySlice<String>) throws -> [String: String] {
    var result: [String: String] = [:]
    for word in words {
      let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, let value = HTTPRequest.decoded(ArraySlice(sides[1].utf8), plusIsSpace: false)
      else { throw UsageError(message: "\"\(word)\" is no NAME=VALUE") }
      guard result.updateValue(value, forKey: String(sides[0])) == nil else {
        throw UsageError(message: "\(sides[0]) is there twice")
      }
    }
    return result
  }

  private static func unknown(_ settings: [String: String]) -> UsageError {
    UsageError(message: "\(settings.keys.sorted()[0]) is not known here")
  }

  private static func purge(_ settings: inout [String: String], _ site: Site) throws -> Purge {
    var purge = Purge()
    if let id = settings.removeValue(forKey: "style") {
      guard site.catalog.style(Substring(id)) != nil else {
        throw UsageError(message: "style: there is no style \"\(id)\"")
      }
      purge.owner = "styles/\(id)"
    }
    if let text = settings.removeValue(forKey: "zooms") {
      let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { PictureRequest.whole($0) }
      guard (1...2).contains(ends.count), let low = ends[0], let high = ends[ends.count - 1], low <= high,
        high <= 30
      else { throw UsageError(message: "zooms: \"\(text)\" is no zoom such as 7, and no range such as 3-7") }
      purge.zooms = low...high
    }
    if let text = settings.removeValue(forKey: "bbox") {
      guard let box = TileBox(text) else {
        throw UsageError(message: "bbox: \"\(text)\" is not WEST,SOUTH,EAST,NORTH in degrees")
      }
      purge.within = box
    }
    if let text = settings.removeValue(forKey: "drop") {
      guard text == "0" || text == "1" else {
        throw UsageError(message: "drop: \"\(text)\" is neither 0 nor 1")
      }
      purge.drops = text == "1"
    }
    return purge
  }

  private static func status(_ site: Site, _ state: ServerState) -> JSONValue {
    let catalog = site.catalog
    let cache = site.cache.state
    func numbers(_ list: [(String, Int)]) -> JSONValue {
      .object(list.map { JSONValue.Member($0, .number(Double($1))) })
    }
    return [
      "version": .string(engineVersion), "status": .string(state.isStopping ? "stopping" : "ok"),
      "styles": .array(catalog.styles.map { .string($0.id) }),
      "data": .array(catalog.data.map { .string($0.id) }),
      "server": numbers([
        ("connections", state.connections), ("waiting", state.waiting), ("drawing", state.drawing),
        ("answerBytes", state.answerBytes), ("answered", state.answered), ("refused", state.refused),
      ]),
      "cache": numbers([
        ("entries", cache.entries), ("bytes", cache.bytes), ("hits", cache.hits),
        ("staleHits", cache.staleHits), ("misses", cache.misses), ("evictions", cache.evictions),
        ("diskHits", cache.diskHits), ("diskBytes", cache.diskBytes), ("diskFaults", cache.diskFaults),
      ]),
    ]
  }
}
