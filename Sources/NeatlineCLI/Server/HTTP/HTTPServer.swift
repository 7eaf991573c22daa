// libmicrohttpd's thread has all connections: it reads heads and sends answers without waiting for anyone.
// Whatever takes time goes through `DrawQueue` to threads that never touch a socket, while the connection is
// suspended. This side keeps the books: who is connected, since when, with how many bytes under way; and it
// ends what takes too long. So a client that is slow costs a descriptor and the bytes of its answer.
import CMicroHTTPD

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server of HTTP/1.1 for GET and HEAD, made to hold out against clients that are many, slow or malicious.
final class HTTPServer: @unchecked Sendable {  // everything that changes is under `lock`
  let limits: ServerLimits
  let handler: any HTTPHandler
  let queue: DrawQueue
  let lock = Lock()
  private let listener: Int32
  let certificate: Certificate?
  private let wakeUp: Int32
  /// Whether signals and the service manager are its own. Another server of the process ends with it.
  private let isMain: Bool
  private var daemon: OpaquePointer?
  var isEncrypted: Bool { certificate != nil }

  var clients: [ObjectIdentifier: Client] = [:]
  var perAddress: [PeerAddress: Int] = [:]
  var heldBytes = 0
  var heldPerAddress: [PeerAddress: Int] = [:]
  /// Exchanges that wait for a drawing, by its ticket; and the tickets of keys.
  var waiting: [Int: [Exchange]] = [:]
  var ticketOfKey: [String: Int] = [:]
  var keyOfTicket: [Int: String] = [:]
  var nextTicket = 0
  var counts = ServerState()
  /// Connections that were refused and are not closed yet.
  var refusedCount = 0

  /// Connections that are told that there is no room, at once; what is beyond is closed without a word.
  static let refusals = 128
  /// Milliseconds between two looks at clients that wait.
  private static let tick = 100

  /// The listener goes over to the server.
  init(
    _ listener: Int32, _ limits: ServerLimits, certificate: Certificate? = nil, isMain: Bool = true,
    handler: any HTTPHandler
  ) throws {
    // unchecked: the signal may be ignored, and the result is what caught it before.
    signal(SIGPIPE, SIG_IGN)
    var limits = limits
    // Files of archives and sockets to other servers need descriptors too.
    limits.connections = min(
      limits.connections, max(16, Platform.raiseDescriptorLimit(limits.connections + 512) - 256))
    self.listener = listener
    self.limits = limits
    self.handler = handler
    self.certificate = certificate
    self.isMain = isMain
    let pipe = try Platform.makePipe()
    wakeUp = pipe.read
    queue = try DrawQueue(limits)
    if isMain {
      Platform.catchInterrupts(poking: pipe.write)
      Platform.catchReloads()
    }
    try start()
  }

  private func start() throws {
    var settings = neat_mhd_settings()
    // For good: the library's thread runs until the process ends.
    settings.context = Unmanaged.passRetained(self).toOpaque()
    settings.handle = handleRequest
    settings.completed = requestIsOver
    settings.connection = connectionChanged
    settings.address = addressCame
    settings.listener = listener
    settings.connection_limit = UInt32(clamping: limits.connections + HTTPServer.refusals)
    settings.connection_bytes = 2 * HTTPRequest.headLimit
    settings.allows_upgrades = limits.allowsUpgrades ? 1 : 0
    let pair = certificate?.pair
    let daemon = withTexts(pair?.chain, pair?.key) { chain, key in
      settings.certificate = chain
      settings.key = key
      return neat_mhd_start(&settings)
    }
    guard let daemon else {
      throw FileError(path: "server", reason: String(cString: strerror(errno)))
    }
    self.daemon = daemon
  }

  private func withTexts<R>(
    _ a: String?, _ b: String?, _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> R
  ) -> R {
    guard let a, let b else { return body(nil, nil) }
    return a.withCString { a in b.withCString { b in body(a, b) } }
  }

  /// Serves until SIGINT or SIGTERM; then what is under way is finished, as far as the time for that allows.
  func run() {
    var stopsAt: Int?
    var nextRefresh = Platform.milliseconds + 1000
    while true {
      var now = Platform.milliseconds
      if Platform.isInterrupted, stopsAt == nil {
        stopsAt = now + limits.drainTime
        beginStop()
      }
      if let stopsAt, now >= stopsAt || lock.locked({ !clients.values.contains(where: \.isBusy) }) { return }
      var descriptors = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
      if poll(&descriptors, 1, Int32(HTTPServer.tick)) > 0 { Platform.drain(wakeUp) }
      now = Platform.milliseconds
      dropGone(now)
      expire(now)
      handler.tick(now)
      let isAsked = isMain && Platform.takeReload()
      if isAsked || now >= nextRefresh {
        handler.refresh(isAsked: isAsked)
        nextRefresh = now + 1000
      }
    }
  }

  /// No new connections; those that are idle end.
  private func beginStop() {
    _ = MHD_quiesce_daemon(daemon)
    Platform.close(listener)
    if isMain { Platform.notifyManager("STOPPING=1") }
    lock.locked {
      counts.isStopping = true
      for client in clients.values where !client.isBusy { end(client) }
    }
    handler.beginStop()
  }

  /// The library sees the end and closes the connection. Under the lock: so the descriptor is still its own.
  func end(_ client: Client) {
    guard !client.isOver else { return }
    client.isOver = true
    // unchecked: it fails where the client has gone.
    shutdown(client.descriptor, Int32(SHUT_RDWR))
  }

  var state: ServerState {
    let load = queue.load
    return lock.locked {
      var state = counts
      (state.waiting, state.drawing) = load
      state.connections = clients.count
      state.answerBytes = heldBytes
      return state
    }
  }

  // MARK: Drawing

  /// Has an exchange wait for a drawing, its own or one of its key that is under way. The connection is
  /// suspended already. Returns what to answer where there is no room.
  func wait(_ exchange: Exchange, for drawing: Drawing) -> HTTPAnswer? {
    let now = Platform.milliseconds
    let (ticket, joins) = lock.locked {
      exchange.part = drawing.part
      if let key = drawing.key, let ticket = ticketOfKey[key] {
        waiting[ticket]?.append(exchange)
        exchange.ticket = ticket
        counts.joined += 1
        return (ticket, true)
      }
      let ticket = newTicket(drawing.key)
      waiting[ticket] = [exchange]
      exchange.ticket = ticket
      return (ticket, false)
    }
    if joins || add(drawing, ticket, now) { return nil }
    _ = lock.locked { forget(ticket) }
    return .later(503, "too many pictures at once\n")
  }

  /// Draws what nobody waits for, unless it is under way or there is much to do.
  func refresh(_ drawing: Drawing) {
    let load = queue.load
    guard load.waiting < limits.queue / 4 else { return }
    let ticket = lock.locked { () -> Int? in
      if let key = drawing.key, ticketOfKey[key] != nil { return nil }
      let ticket = newTicket(drawing.key)
      waiting[ticket] = []
      return ticket
    }
    if let ticket, !add(drawing, ticket, Platform.milliseconds) { _ = lock.locked { forget(ticket) } }
  }

  private func newTicket(_ key: String?) -> Int {
    nextTicket += 1
    if let key {
      ticketOfKey[key] = nextTicket
      keyOfTicket[nextTicket] = key
    }
    return nextTicket
  }

  private func add(_ drawing: Drawing, _ ticket: Int, _ now: Int) -> Bool {
    queue.add(
      DrawJob(ticket: ticket, pixels: drawing.pixels, arrival: now, deadline: now + limits.pictureTime) {
        [self] left in
        if left > 0 { lock.locked { counts.drawn += 1 } }
        finish(
          ticket,
          left > 0
            ? drawing.work(left).map { $0.on(drawing.route) } : [HTTPServer.lateAnswer.on(drawing.route)])
      })
  }

  /// Forgets a drawing. Returns who waited for it. Under the lock.
  @discardableResult private func forget(_ ticket: Int) -> [Exchange] {
    if let key = keyOfTicket.removeValue(forKey: ticket), ticketOfKey[key] == ticket {
      ticketOfKey[key] = nil
    }
    let exchanges = waiting.removeValue(forKey: ticket) ?? []
    for exchange in exchanges { exchange.ticket = nil }
    return exchanges
  }

  /// Hands their answers to all who wait.
  func finish(_ ticket: Int, _ answers: [HTTPAnswer]) {
    let exchanges = lock.locked {
      let exchanges = forget(ticket)
      for exchange in exchanges {
        exchange.answer = answers.count == 1 ? answers[0] : answers[exchange.part]
      }
      return exchanges
    }
    for exchange in exchanges { MHD_resume_connection(exchange.connection) }
  }

  /// Of a picture whose time was over before its turn came.
  static var lateAnswer: HTTPAnswer { .later(503, "the picture had no turn in time\n") }

  // MARK: Time

  /// Those who went away while they waited take their picture with them where nobody else waits for it.
  private func dropGone(_ now: Int) {
    let (gone, orphans) = lock.locked { () -> ([Exchange], [Int]) in
      var gone: [Exchange] = []
      var orphans: [Int] = []
      for (ticket, exchanges) in waiting where !exchanges.isEmpty {
        let left = exchanges.filter { !HTTPServer.isGone($0.client) }
        guard left.count < exchanges.count else { continue }
        for exchange in exchanges where !left.contains(where: { $0 === exchange }) {
          exchange.isGone = true
          exchange.ticket = nil
          gone.append(exchange)
        }
        waiting[ticket] = left
        guard left.isEmpty else { continue }
        orphans.append(ticket)
        // Who asks for the same from here on gets a drawing of its own.
        if let key = keyOfTicket.removeValue(forKey: ticket) { ticketOfKey[key] = nil }
      }
      return (gone, orphans)
    }
    for exchange in gone { MHD_resume_connection(exchange.connection) }
    for ticket in orphans where queue.withdraw(ticket) { _ = lock.locked { forget(ticket) } }
  }

  /// Whether a client has closed its side. One that only says that nothing more will come counts as gone too,
  /// as it does with other servers.
  private static func isGone(_ client: Client) -> Bool {
    var polled = pollfd(fd: client.descriptor, events: Int16(POLLRDHUP), revents: 0)
    return poll(&polled, 1, 0) > 0 && polled.revents != 0
  }

  private static let POLLRDHUP: Int32 = 0x2000

  private func expire(_ now: Int) {
    let late = lock.locked { () -> [Int] in
      var late: Set<Int> = []
      for client in clients.values where client.deadline <= now && !client.isOver { expire(client, now) }
      for (ticket, exchanges) in waiting
      where exchanges.contains(where: { $0.arrival + limits.pictureTime <= now }) {
        late.insert(ticket)
      }
      return Array(late)
    }
    // What is being drawn has a deadline of its own and always ends.
    for ticket in late where queue.withdraw(ticket) {
      lock.locked { counts.refused += 1 }
      finish(ticket, [HTTPServer.lateAnswer])
    }
  }

  private func expire(_ client: Client, _ now: Int) {
    switch client.phase {
    case .idle:
      // A head of which a part has come has its time from here on.
      let received = neat_bytes_received(client.descriptor)
      guard received > client.received else { return end(client) }
      guard client.requests > 0 else { return refuseHead(client) }
      client.phase = .reading
      client.deadline = now + limits.headTime
    case .reading: refuseHead(client)
    case .waiting, .upgraded: client.deadline = .max
    case .answering: end(client)
    }
  }

  private func refuseHead(_ client: Client) {
    tell(client, .text(408, "the request did not come within \(limits.headTime) ms\n"))
    end(client)
  }

  /// Writes an answer past the library, to a client that it is not writing to.
  func tell(_ client: Client, _ answer: HTTPAnswer) {
    guard !client.isEncrypted else { return }
    let bytes = answer.wholeText
    _ = bytes.withUnsafeBytes {
      neat_tell(client.descriptor, $0.baseAddress, $0.count)
    }
  }
}
