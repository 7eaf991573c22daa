// What libmicrohttpd calls, on its thread.
import CMicroHTTPD

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

private func server(_ context: UnsafeMutableRawPointer?) -> HTTPServer {
  Unmanaged<HTTPServer>.fromOpaque(context!).takeUnretainedValue()
}

/// A connection begins or ends.
let connectionChanged:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    MHD_ConnectionNotificationCode
  ) -> Void = { context, connection, slot, what in
    guard let connection, let slot else { return }
    if what == neat_mhd_started {
      slot.pointee = server(context).begin(connection).map { Unmanaged.passRetained($0).toOpaque() }
    } else if let known = slot.pointee {
      slot.pointee = nil
      server(context).forget(Unmanaged<Client>.fromOpaque(known).takeRetainedValue())
    }
  }

/// The first line of a request is there.
let addressCame:
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?)
    -> UnsafeMutableRawPointer? = { context, address, connection in
      guard let address, let connection, let known = neat_mhd_client(connection) else { return nil }
      let client = Unmanaged<Client>.fromOpaque(known).takeUnretainedValue()
      let exchange = server(context).begin(String(cString: address), connection, client)
      exchange.addressBytes = strlen(address)
      exchange.guards = neat_mhd_guard_length(connection)
      neat_mhd_drop_query(address)
      return Unmanaged.passRetained(exchange).toOpaque()
    }

/// A head is there, or a connection goes on.
let handleRequest:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
    UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafeMutablePointer<Int>?,
    UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result = { context, connection, address, method, version, _, size, slot in
    guard let connection, let known = slot?.pointee else { return neat_mhd_no }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    // What comes as a body of a refused request.
    size?.pointee = 0
    return server(context).go(on: exchange, RequestLine(method: method, address: address, version: version))
  }

/// A request is over, in whatever way.
let requestIsOver:
  @convention(c) (
    UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    MHD_RequestTerminationCode
  ) -> Void = { context, _, slot, how in
    guard let known = slot?.pointee else { return }
    slot?.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
    server(context).end(exchange, isWhole: how == neat_mhd_completed)
  }

extension HTTPServer {
  // MARK: Connections

  fileprivate func begin(_ connection: OpaquePointer) -> Client? {
    let descriptor = neat_mhd_descriptor(connection)
    guard descriptor >= 0, let address = neat_mhd_peer(connection), let peer = PeerAddress(address) else {
      return nil
    }
    certificate?.greet(connection)
    var yes: Int32 = 1
    // unchecked: without it the last bytes of an answer wait a moment.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    let isTrusted =
      NetworkAddress(address).map { one in limits.trustedProxies.contains { $0.contains(one) } } ?? false
    let client = Client(
      descriptor, peer, isEncrypted: isEncrypted, isTrusted: isTrusted,
      deadline: Platform.milliseconds + limits.headTime)
    lock.locked {
      let held = perAddress[peer] ?? 0
      if held >= limits.connectionsPerAddress {
        refuse(client, .later(429, "too many connections of one address\n"))
      } else if clients.count - refusedCount >= limits.connections {
        refuse(client, .later(503, "too many connections\n"))
      } else {
        perAddress[peer] = held + 1
      }
      clients[ObjectIdentifier(client)] = client
    }
    return client
  }

  /// Answers without having read anything, and ends the connection.
  private func refuse(_ client: Client, _ answer: HTTPAnswer) {
    counts.refused += 1
    client.isRefused = true
    refusedCount += 1
    guard refusedCount <= HTTPServer.refusals else { return end(client) }
    tell(client, answer)
    // What the client still says is read, so that it gets to read the answer.
    // unchecked: it fails where the client has gone.
    shutdown(client.descriptor, Int32(SHUT_WR))
    client.deadline = Platform.milliseconds + 1000
  }

  fileprivate func forget(_ client: Client) {
    lock.locked {
      clients[ObjectIdentifier(client)] = nil
      if client.isRefused {
        refusedCount -= 1
      } else {
        let left = (perAddress[client.peer] ?? 1) - 1
        perAddress[client.peer] = left > 0 ? left : nil
      }
    }
  }

  // MARK: Requests

  fileprivate func begin(_ address: String, _ connection: OpaquePointer, _ client: Client) -> Exchange {
    let now = Platform.milliseconds
    lock.locked {
      // From the beginning of the connection, or of the wait for this request, on.
      if client.requests > 0 { client.deadline = now + limits.headTime }
      client.phase = .reading
    }
    return Exchange(address, connection, client, now: now)
  }

  /// Called once for the head, and once more for the answer: an answer to the first call ends the connection. After a
  /// first call without an answer the library sends `100 Continue` to a client that expects it, though there is no body
  /// to wait for; so such a client gets its answer with the first call.
  fileprivate func go(on exchange: Exchange, _ line: RequestLine) -> MHD_Result {
    if exchange.client.isRefused || exchange.isGone { return neat_mhd_no }
    if let answer = exchange.answer { return reply(exchange, answer) }
    if !exchange.hasHead {
      exchange.hasHead = true
      if let refusal = read(exchange, line) { return reply(exchange, refusal.ending()) }
      if neat_mhd_field(exchange.connection, "expect") == nil { return neat_mhd_yes }
    }
    switch handler.plan(exchange.request, state) {
    case .answer(let answer): return reply(exchange, answer)
    case .upgrade(let upgrade): return self.upgrade(exchange, to: upgrade)
    case .stale(let answer, let drawing):
      refresh(drawing)
      return reply(exchange, answer)
    case .draw(let drawing):
      exchange.route = drawing.route
      let isSmall = drawing.pixels <= ServerLimits.largePixels
      // At least a byte: where there is no room for any answer nothing is drawn.
      if let refusal = lock.locked({ refusal(exchange.client.peer, bytes: 1, isSmall: isSmall) }) {
        lock.locked { counts.refused += 1 }
        return reply(exchange, refusal)
      }
      lock.locked {
        exchange.client.phase = .waiting
        exchange.client.deadline = .max
      }
      MHD_suspend_connection(exchange.connection)
      if let refusal = wait(exchange, for: drawing) {
        lock.locked { counts.refused += 1 }
        exchange.answer = refusal
        MHD_resume_connection(exchange.connection)
      }
      return neat_mhd_yes
    }
  }

  // MARK: Answers

  /// Hands an answer to the library.
  private func reply(_ exchange: Exchange, _ given: HTTPAnswer) -> MHD_Result {
    let conditional = given.conditional(on: exchange.request)
    let client = exchange.client
    let (answer, isStopping) = lock.locked {
      var answer = conditional
      let bytes = answer.heldBytes
      if let refusal = refusal(client.peer, bytes: bytes, isSmall: bytes <= ServerLimits.smallBytes) {
        counts.refused += 1
        answer = refusal.on(given.route)
      }
      exchange.heldBytes = answer.heldBytes
      heldBytes += exchange.heldBytes
      if exchange.heldBytes > 0 { heldPerAddress[client.peer, default: 0] += exchange.heldBytes }
      client.phase = .answering
      client.deadline = Platform.milliseconds + limits.answerTime
      counts.answered += 1
      return (answer, counts.isStopping)
    }
    exchange.status = answer.status
    exchange.route = answer.route
    exchange.sentBytes = exchange.request.isHead ? 0 : answer.body.count
    let response =
      if let stream = answer.stream {
        exchange.request.isHead ? neat_mhd_head(neat_mhd_unknown_length) : stream.response(for: exchange)
      } else if let length = answer.lengthOfWhole ?? (exchange.request.isHead ? answer.body.count : nil) {
        neat_mhd_head(UInt64(length))
      } else {
        answer.body.withUnsafeBytes { neat_mhd_response($0.count, $0.baseAddress) }
      }
    guard let response else { return neat_mhd_no }
    defer { MHD_destroy_response(response) }
    for (name, value) in answer.fields(isLast: isStopping || answer.endsConnection) {
      guard MHD_add_response_header(response, name, value) == neat_mhd_yes else { return neat_mhd_no }
    }
    return MHD_queue_response(exchange.connection, UInt32(answer.status), response)
  }

  /// Whether there is room for an answer; if not, what to say instead. Under the lock.
  private func refusal(_ peer: PeerAddress, bytes: Int, isSmall: Bool) -> HTTPAnswer? {
    let room = limits.answerBytes(isSmall: isSmall)
    let own = heldPerAddress[peer] ?? 0
    if bytes > 0, heldBytes + bytes > room.all {
      return .later(503, "too many bytes of answers under way\n")
    }
    if bytes > 0, own > 0, own + bytes > room.own {
      return .later(429, "too many bytes of answers under way to one address\n")
    }
    return nil
  }

  fileprivate func end(_ exchange: Exchange, isWhole: Bool) {
    let now = Platform.milliseconds
    let client = exchange.client
    lock.locked {
      heldBytes -= exchange.heldBytes
      if exchange.heldBytes > 0 {
        let left = (heldPerAddress[client.peer] ?? 0) - exchange.heldBytes
        heldPerAddress[client.peer] = left > 0 ? left : nil
      }
      client.requests += 1
      client.phase = .idle
      client.received = neat_bytes_received(client.descriptor)
      client.deadline = now + limits.idleTime
      if counts.isStopping { end(client) }
    }
    guard exchange.hasHead, !client.isRefused else { return }
    handler.note(
      RequestRecord(
        request: exchange.request, route: exchange.route, status: isWhole ? exchange.status : 0,
        bytes: exchange.sentBytes, milliseconds: now - exchange.arrival))
  }
}
