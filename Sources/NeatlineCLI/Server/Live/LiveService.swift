import CMicroHTTPD
import Neatline
import NeatlineRemote

/// The live maps of a server: who may open one, which there are, and how they end. Any thread.
final class LiveService: @unchecked Sendable {  // everything that changes is under `lock`
  let limits: LiveLimits
  let figures = LiveFigures()
  private let options: Options
  private let lock = Lock()
  private var sessions: [Int: Entry] = [:]
  private var nextID = 0
  private var isStopping = false
  /// Sockets that were refused, and until when they may say goodbye.
  private var leaving: [(connection: UpgradedConnection, sent: Int, until: Int)] = []
  /// As many get a word; past it they are closed without one.
  private static let leavingLimit = 64

  private struct Entry {
    var inbox: LiveInbox
    var peer: String
    var style: String
    var mark: String
  }

  /// `options`: of the server's renderers, whose decoded tiles are many views'; a live map's are of one.
  init(_ limits: LiveLimits, _ options: Options) {
    self.limits = limits
    var options = options
    options.cacheBytes = max(8 << 20, options.cacheBytes / 4)
    self.options = options
  }

  // MARK: Beginning

  /// Why a live map is not opened by the name that was asked for; nil: it is. A page of elsewhere may have made its
  /// own name lead here.
  func refusal(_ request: HTTPRequest, publicURL: String?) -> HTTPAnswer? {
    if let host = request.host, limits.hosts.contain(host, local: request.local, publicURL: publicURL) {
      return nil
    }
    let name = request.host?.name ?? ""
    return HTTPAnswer.text(
      403,
      "live maps are not opened by the host \"\(name)\"; --public-url and --allow-host name those that may\n"
    ).on("live")
  }

  /// What a request for a live map's socket is answered with.
  func plan(_ request: HTTPRequest, _ style: StyleSite, mark: String, publicURL: String?) -> HTTPPlan {
    if let refusal = refusal(request, publicURL: publicURL) { return .answer(refusal.ending()) }
    let handshake = WebSocketHandshake(
      fields: request.fields, isGet: !request.isHead, version: request.version)
    let host = String(URLParts.authority(request.origin))
    let text: String
    do throws(WebSocketHandshake.Refusal) {
      text = try handshake.check(host: host, allowed: limits.origins)
    } catch {
      var answer = HTTPAnswer.text(error.status, "\(error)\n").ending().on("live")
      if error.status == 426 {
        answer.headers += [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]
      }
      return .answer(answer)
    }
    var digest = [UInt8](repeating: 0, count: 20)
    guard neat_sha1(text, text.utf8.count, &digest) != 0 else {
      return .answer(.text(500, "this machine's library has no SHA-1\n").on("live"))
    }
    let accept = WebSocketHandshake.base64(digest)
    return .upgrade(
      HTTPUpgrade(
        route: "live", fields: [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", accept)]
      ) { [self] in begin($0, style, mark) })
  }

  /// On the thread of all connections: nothing here waits.
  private func begin(_ connection: UpgradedConnection, _ style: StyleSite, _ mark: String) {
    let id: Int
    let inbox: LiveInbox
    do throws(LiveFault) {
      guard let made = try? LiveInbox() else {
        throw LiveFault(.full, "too many files are open; try again later")
      }
      inbox = made
      id = try lock.locked { () throws(LiveFault) in
        if let fault = refusal(connection.request.peer) { throw fault }
        nextID += 1
        sessions[nextID] = Entry(inbox: made, peer: connection.request.peer, style: style.id, mark: mark)
        return nextID
      }
    } catch {
      return refuse(connection, error)
    }
    do {
      try Platform.startThread { [self] in
        LiveSession(connection, inbox, style, options, limits, figures).run()
        lock.locked { sessions[id] = nil }
        figures.note { $0.sessions -= 1 }
      }
      figures.note {
        $0.begun += 1
        $0.sessions += 1
      }
    } catch {
      lock.locked { sessions[id] = nil }
      refuse(connection, LiveFault(.full, "\(error); try again later"))
    }
  }

  /// Why there is no room for one more. Under the lock.
  private func refusal(_ peer: String) -> LiveFault? {
    if isStopping { return LiveFault(.stopping, "the server stops") }
    if sessions.count >= limits.sessions {
      return LiveFault(.full, "there are \(limits.sessions) live maps already; try again later")
    }
    guard sessions.values.count(where: { $0.peer == peer }) >= limits.sessionsPerAddress else { return nil }
    return LiveFault(
      .full, "there are \(limits.sessionsPerAddress) live maps of this address already; try again later")
  }

  /// A browser tells its page nothing of an answer that is no 101, so the socket begins and ends at once.
  private func refuse(_ connection: UpgradedConnection, _ fault: LiveFault) {
    let code = fault.code == .stopping ? WebSocketCloseCode.goingAway : .tryAgainLater
    let bytes =
      WebSocketWriter.text(fault.json(isLast: true).text) + WebSocketWriter.close(code, fault.message)
    let sent = bytes.withUnsafeBytes { connection.write($0) } ?? 0
    connection.endWriting()
    figures.note {
      $0.refused += 1
      $0.sentBytes += sent
      $0.closings[Int(code.rawValue), default: 0] += 1
    }
    let isKept = lock.locked { () -> Bool in
      guard leaving.count < LiveService.leavingLimit else { return false }
      leaving.append((connection, sent, Platform.milliseconds + LiveLimits.closingTime))
      return true
    }
    if !isKept { connection.end(sent: sent) }
  }

  // MARK: Going on and ending

  /// Ten times a second: those that were refused go when they have said goodbye.
  func tick(_ now: Int) {
    let gone = lock.locked { () -> [(connection: UpgradedConnection, sent: Int, until: Int)] in
      guard !leaving.isEmpty else { return [] }
      let all = leaving
      leaving = all.filter { $0.until > now && !LiveService.isAtEnd($0.connection) }
      return all.filter { one in !leaving.contains { $0.connection === one.connection } }
    }
    for one in gone { one.connection.end(sent: one.sent) }
  }

  /// Reads what is there and drops it; whether the other side has ended. Some bytes at a time.
  private static func isAtEnd(_ connection: UpgradedConnection) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { buffer in
      for _ in 0..<16 {
        switch connection.read(buffer) {
        case .bytes: continue
        case .nothing: return false
        case .end: return true
        }
      }
      return false
    }
  }

  /// Styles were loaded anew: those that changed are shown so, those that went end their maps.
  func take(_ catalog: Catalog) {
    lock.locked {
      for (id, entry) in sessions {
        guard let style = catalog.style(Substring(entry.style)), style.config.drawsTiles else {
          entry.inbox.post(.style(nil))
          continue
        }
        let mark = catalog.mark(style)
        // What a style of another server is by now is not known here.
        guard mark != entry.mark || style.document == nil else { continue }
        sessions[id]?.mark = mark
        entry.inbox.post(.style(style))
      }
    }
  }

  /// No new ones; those that are there are told to go.
  func beginStop() {
    lock.locked {
      isStopping = true
      for entry in sessions.values { entry.inbox.post(.stop) }
    }
  }
}
