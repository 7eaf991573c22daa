// One thread has all connections: it accepts, reads heads and sends answers without ever waiting for one
// client. Whatever takes time goes through `DrawQueue` to threads that never touch a socket. So a client that
// is slow costs a descriptor and the bytes of its answer, and both are counted.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a request is to be answered: at once, or by work.
enum HTTPPlan {
  case answer(HTTPAnswer)
  /// The work is told how many milliseconds it has.
  case draw(pixels: Int, work: @Sendable (Int) -> HTTPAnswer)
}

/// What the server is doing.
struct ServerState {
  var connections = 0
  var waiting = 0
  var drawing = 0
  var answerBytes = 0
  /// Requests answered, and refused for want of room, since the start.
  var answered = 0
  var refused = 0
  var isStopping = false
}

/// A server of HTTP/1.1 for GET and HEAD, made to hold out against clients that are many, slow or malicious.
/// Belongs to the thread that runs it.
final class HTTPServer {
  private let listener: Listener
  private let limits: ServerLimits
  private let handler: (HTTPRequest, ServerState) -> HTTPPlan
  private let queue: DrawQueue
  private let wakeUp: Int32

  private var connections: [Connection] = []
  private var perAddress: [PeerAddress: Int] = [:]
  private var waiting: [Int: Connection] = [:]
  private var nextTicket = 0
  private var state = ServerState()
  /// Until when no connections are accepted, for want of descriptors.
  private var pausedUntil = 0
  private var stopsAt: Int?
  /// Connections that were refused and are not closed yet.
  private var refusedCount = 0

  /// Connections that are told that there is no room, at once; what is beyond is closed without a word.
  private static let refusals = 128

  init(
    _ listener: consuming Listener, _ limits: ServerLimits,
    handler: @escaping (HTTPRequest, ServerState) -> HTTPPlan
  ) throws {
    signal(SIGPIPE, SIG_IGN)
    var limits = limits
    // Files of archives and sockets to other servers need descriptors too.
    limits.connections = min(
      limits.connections, max(16, Platform.raiseDescriptorLimit(limits.connections + 512) - 256))
    self.listener = listener
    self.limits = limits
    self.handler = handler
    let pipe = try Platform.makePipe()
    wakeUp = pipe.read
    queue = try DrawQueue(limits) { Platform.poke(pipe.write) }
    Platform.catchInterrupts(poking: pipe.write)
  }

  /// Serves until SIGINT or SIGTERM; then what is under way is finished, as far as the time for that allows.
  func run() {
    while true {
      let now = Platform.milliseconds
      if Platform.isInterrupted, stopsAt == nil { beginStop(now) }
      if let stopsAt, now >= stopsAt || !connections.contains(where: \.isBusy) { return }
      var descriptors = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
      let isAccepting = stopsAt == nil && now >= pausedUntil
      descriptors.append(
        pollfd(fd: isAccepting ? listener.descriptor : -1, events: Int16(POLLIN), revents: 0))
      for connection in connections {
        descriptors.append(pollfd(fd: connection.descriptor, events: connection.events, revents: 0))
      }
      let count = poll(&descriptors, nfds_t(descriptors.count), timeout(now))
      turn(count > 0 ? descriptors : [])
    }
  }

  /// Milliseconds until something has to be done without anything happening.
  private func timeout(_ now: Int) -> Int32 {
    var next = connections.reduce(now + 60_000) { min($0, $1.deadline) }
    if pausedUntil > now { next = min(next, pausedUntil) }
    if let stopsAt { next = min(next, stopsAt) }
    return Int32(max(0, min(60_000, next - now)))
  }

  private func turn(_ descriptors: [pollfd]) {
    let now = Platform.milliseconds
    if let wake = descriptors.first, wake.revents != 0 { Platform.drain(wakeUp) }
    takeFinished(now)
    for (connection, polled) in zip(connections, descriptors.dropFirst(2)) where polled.revents != 0 {
      handle(connection, polled, now)
    }
    for connection in connections where connection.deadline <= now { expire(connection, now) }
    if descriptors.count > 1, descriptors[1].revents != 0 { acceptAll(now) }
    sweep()
  }

  /// Forgets connections that ended.
  private func sweep() {
    guard connections.contains(where: \.isClosed) else { return }
    for connection in connections where connection.isClosed {
      if connection.isRefused {
        refusedCount -= 1
        continue
      }
      let left = (perAddress[connection.peer] ?? 1) - 1
      perAddress[connection.peer] = left > 0 ? left : nil
    }
    connections.removeAll(where: \.isClosed)
  }

  private func close(_ connection: Connection) {
    if let ticket = connection.ticket {
      queue.cancel(ticket)
      waiting[ticket] = nil
    }
    connection.end()
  }

  // MARK: Connections

  private func acceptAll(_ now: Int) {
    for _ in 0..<128 {
      var descriptor: Int32 = -1
      let peer = PeerAddress.withStorage { storage, length in
        descriptor = accept(listener.descriptor, storage, length)
        return descriptor >= 0
      }
      guard let peer else {
        if errno == EINTR || errno == ECONNABORTED { continue }
        // Out of descriptors or memory: others have to end first.
        if errno != EAGAIN && errno != EWOULDBLOCK { pausedUntil = now + 100 }
        return
      }
      Platform.makeNonBlocking(descriptor)
      var yes: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
      let connection = Connection(descriptor, peer, limits, now: now)
      let held = perAddress[peer] ?? 0
      if held >= limits.connectionsPerAddress {
        refuse(connection, .later(429, "too many connections of one address\n"), now)
      } else if connections.count - refusedCount >= limits.connections {
        refuse(connection, .later(503, "too many connections\n"), now)
      } else {
        connections.append(connection)
        perAddress[peer] = held + 1
      }
    }
  }

  /// Answers without having read anything, and ends the connection.
  private func refuse(_ connection: Connection, _ answer: HTTPAnswer, _ now: Int) {
    state.refused += 1
    // Without a word where too many are being told: the connection closes with its last reference.
    guard refusedCount < HTTPServer.refusals else { return }
    refusedCount += 1
    connection.isRefused = true
    connection.answer(answer, ends: true, now: now)
    connections.append(connection)
  }

  private func handle(_ connection: Connection, _ polled: pollfd, _ now: Int) {
    if connection.isClosed { return }
    if polled.revents & Int16(POLLERR | POLLNVAL) != 0 { return close(connection) }
    if polled.revents & Int16(POLLIN | POLLHUP) != 0, !connection.isWriting {
      guard connection.receive(now: now) else {
        // The last request may have come with the end.
        answerRequests(connection, now)
        return connection.isWriting ? () : close(connection)
      }
    }
    if connection.isWriting { connection.send(now: now) }
    answerRequests(connection, now)
  }

  /// Time is up.
  private func expire(_ connection: Connection, _ now: Int) {
    if case .reading = connection.phase {
      connection.request = HTTPRequest(keepsAlive: false)
      return connection.answer(
        .text(408, "the request did not come within \(limits.headTime) ms\n"), ends: true, now: now)
    }
    guard let ticket = connection.ticket else { return close(connection) }
    // What is being drawn has a deadline of its own and always ends.
    guard queue.withdraw(ticket) else { return connection.wait(for: ticket, deadline: .max) }
    waiting[ticket] = nil
    state.refused += 1
    connection.answer(DrawQueue.lateAnswer, ends: stopsAt != nil, now: now)
    answerRequests(connection, now)
  }

  // MARK: Requests

  /// Answers the requests that are there, one after the other.
  private func answerRequests(_ connection: Connection, _ now: Int) {
    while let reading = connection.nextRequest() {
      switch reading {
      case .unfinished: return
      case .refused(let answer): connection.answer(answer, ends: true, now: now)
      case .request(let request, _):
        state.connections = connections.count
        (state.waiting, state.drawing) = queue.load
        state.answerBytes = heldBytes
        switch handler(request, state) {
        case .answer(let answer): reply(connection, answer, now)
        case .draw(let pixels, let work): draw(connection, pixels, work, now)
        }
      }
    }
  }

  private func draw(
    _ connection: Connection, _ pixels: Int, _ work: @escaping @Sendable (Int) -> HTTPAnswer, _ now: Int
  ) {
    nextTicket += 1
    let job = DrawJob(
      ticket: nextTicket, pixels: pixels, arrival: now, deadline: now + limits.pictureTime, work: work)
    // At least a byte: where there is no room for any answer nothing is drawn.
    if let refusal = refusal(connection.peer, bytes: 1, isSmall: !job.isLarge) {
      state.refused += 1
      return connection.answer(refusal, ends: false, now: now)
    }
    guard queue.add(job) else {
      state.refused += 1
      return connection.answer(.later(503, "too many pictures at once\n"), ends: false, now: now)
    }
    connection.wait(for: nextTicket, deadline: job.deadline)
    waiting[nextTicket] = connection
  }

  private func takeFinished(_ now: Int) {
    for (ticket, answer) in queue.takeFinished() {
      guard let connection = waiting.removeValue(forKey: ticket), connection.ticket == ticket else {
        continue
      }
      reply(connection, answer, now)
      answerRequests(connection, now)
    }
  }

  private func reply(_ connection: Connection, _ answer: HTTPAnswer, _ now: Int) {
    let bytes = answer.body.count
    if let refusal = refusal(connection.peer, bytes: bytes, isSmall: bytes <= ServerLimits.smallBytes) {
      state.refused += 1
      return connection.answer(refusal, ends: stopsAt != nil, now: now)
    }
    state.answered += 1
    connection.answer(answer, ends: stopsAt != nil, now: now)
  }

  /// Why a client cannot have an answer of so many bytes now; nil where it can. One that holds nothing may
  /// have an answer of any size that there is room for.
  private func refusal(_ peer: PeerAddress, bytes: Int, isSmall: Bool) -> HTTPAnswer? {
    let limit = limits.answerBytes(isSmall: isSmall)
    if bytes > limit.all - heldBytes { return .later(503, "too many bytes of answers under way\n") }
    let own = connections.reduce(0) { $0 + ($1.peer == peer ? $1.heldBytes : 0) }
    return own == 0 || bytes <= limit.own - own
      ? nil : .later(429, "too many bytes of answers that this address has not taken\n")
  }

  /// Bytes of answers that clients have not taken yet.
  private var heldBytes: Int { connections.reduce(0) { $0 + $1.heldBytes } }

  // MARK: The end

  private func beginStop(_ now: Int) {
    stopsAt = now + limits.drainTime
    state.isStopping = true
    for connection in connections where !connection.isBusy { close(connection) }
    sweep()
  }
}

extension Connection {
  var isWriting: Bool { if case .writing = phase { true } else { false } }
}
