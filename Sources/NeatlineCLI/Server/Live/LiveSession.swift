// A live map has a thread, a loop and a map of its own: nothing that one page does makes another one wait, but
// for the processors. The thread waits for the socket, the map's loop and the inbox at once, and for none of
// them alone; what it writes and the socket does not take waits, and so do frames.
import Neatline
import NeatlineRemote

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A WebSocket with a live map behind it. Belongs to its thread.
final class LiveSession {
  private let connection: UpgradedConnection
  private let inbox: LiveInbox
  private let limits: LiveLimits
  private let options: Options
  private let figures: LiveFigures
  private var style: StyleSite

  private var reader = WebSocketReader(messageLimit: LiveLimits.messageBytes)
  private var view: LiveView?
  /// What is to be written, of which `sentOfFirst` bytes are.
  private var output: [[UInt8]] = []
  private var sentOfFirst = 0
  private var outputBytes = 0
  /// Since when the socket has taken nothing of it.
  private var stuckSince = 0
  private var sentBytes = 0

  private let began = Platform.milliseconds
  private var inputAt = Platform.milliseconds
  private var heardAt = Platform.milliseconds
  private var pingedAt = Platform.milliseconds
  private var refusals = 0
  /// The close frame is written; until when the client's is waited for.
  private var closesUntil: Int?
  private var hasEndedWriting = false
  private var isOver = false

  init(
    _ connection: UpgradedConnection, _ inbox: LiveInbox, _ style: StyleSite, _ options: Options,
    _ limits: LiveLimits, _ figures: LiveFigures
  ) {
    (self.connection, self.inbox, self.style) = (connection, inbox, style)
    (self.options, self.limits, self.figures) = (options, limits, figures)
  }

  /// Serves until one side has ended it.
  func run() {
    receive(connection.first[...])
    while !isOver {
      wait()
      for word in inbox.take() { take(word) }
      read()
      _ = view?.loop.poll()
      let now = Platform.milliseconds
      showFrame(now)
      write(now)
      checkTimes(now)
    }
    endView()
    connection.end(sent: sentBytes)
    figures.note { [sentBytes] in $0.sentBytes += sentBytes }
  }

  /// Waits for the socket, the inbox, the loop, or the next time that something is due.
  private func wait() {
    let now = Platform.milliseconds
    var times = [nextDeadline]
    if let view, closesUntil == nil {
      let left = view.loop.backendTimeout
      if left >= 0 { times.append(now + left) }
      if outputBytes == 0, let time = view.nextFrameTime { times.append(time) }
    }
    var polled = [
      pollfd(
        fd: connection.descriptor, events: Int16(POLLIN) | (outputBytes > 0 ? Int16(POLLOUT) : 0), revents: 0),
      pollfd(fd: inbox.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    if let view { polled.append(pollfd(fd: view.loop.backendDescriptor, events: Int16(POLLIN), revents: 0)) }
    // unchecked: an early return, or an error, has the loop look again.
    poll(&polled, nfds_t(polled.count), Int32(clamping: max(0, (times.min() ?? now) - now)))
  }

  private func take(_ word: LiveInbox.Word) {
    switch word {
    case .stop: end(.goingAway, LiveFault(.stopping, "the server stops"))
    case .style(nil): end(.goingAway, LiveFault(.gone, "the style is not served any more"))
    case .style(let new?):
      style = new
      guard closesUntil == nil else { return }
      do throws(NeatlineError) { try view?.take(new, now: Platform.milliseconds) } catch {
        tell(LiveFault(.style, error.message))
      }
    }
  }

  // MARK: Reading

  /// Reads some of what is there; the rest has its turn after a frame.
  private func read() {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      switch connection.read(buffer) {
      case .bytes(let count): receive(buffer[..<count])
      case .nothing: break
      case .end: isOver = true
      }
    }
  }

  private func receive(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty else { return }
    let now = Platform.milliseconds
    heardAt = now
    figures.note { $0.receivedBytes += bytes.count }
    reader.append(bytes)
    do throws(WebSocketFault) {
      while let event = try reader.next() { take(event, now) }
    } catch {
      end(error.code, LiveFault(.malformed, error.message))
    }
  }

  private func take(_ event: WebSocketEvent, _ now: Int) {
    switch event {
    case .close:
      // Its own code is what the client goes with; it is answered once.
      if closesUntil == nil { end(.normal, nil) }
      if outputBytes == 0 { isOver = true } else { closesUntil = min(closesUntil ?? now, now) }
    case _ where closesUntil != nil: break
    case .ping(let payload): put(WebSocketWriter.pong(payload))
    case .pong: break
    case .binary: end(.unsupportedData, LiveFault(.malformed, "messages are text"))
    case .text(let text):
      do throws(LiveFault) {
        for message in try LiveMessage.read(text) where closesUntil == nil { try take(message, now) }
      } catch {
        refuse(error)
      }
    }
  }

  private func take(_ message: LiveMessage, _ now: Int) throws(LiveFault) {
    if case .shown = message {} else { inputAt = now }
    if let view {
      // What the map refuses is told, and what comes behind it is heeded all the same.
      do throws(LiveFault) { try view.take(message, now: now) } catch {
        if error.code == .malformed { throw error }
        refuse(error)
      }
      return
    }
    guard case .hello(let size, let formats, let camera) = message else {
      throw LiveFault(.malformed, "the first message is hello")
    }
    if let refusal = limits.refusal(size) {
      return end(.policyViolation, LiveFault(.size, "hello: \(refusal)"))
    }
    do throws(NeatlineError) {
      var options = options
      options.fontPaths += style.fontPaths
      let view = try LiveView(size, formats: formats, camera: camera, of: style, options, limits)
      self.view = view
      put(
        .members([
          "type": "ready", "version": .number(Double(LiveMessage.version)), "style": .string(style.id),
          "name": .string(style.name),
        ]))
    } catch {
      // A camera that cannot be is the client's; the rest is not.
      let isOurs = error.status != .invalidArgument
      end(isOurs ? .internalError : .policyViolation, LiveFault(isOurs ? .style : .refused, error.message))
    }
  }

  /// Tells what was not heeded. What is no message, and the hundredth that is refused, ends the socket.
  private func refuse(_ fault: LiveFault) {
    refusals += 1
    guard fault.code != .malformed, refusals < LiveLimits.refusals else {
      return end(.policyViolation, fault)
    }
    tell(fault)
  }

  // MARK: Writing

  private func tell(_ fault: LiveFault) { put(fault.json(isLast: false)) }

  private func put(_ json: JSONValue) { put(WebSocketWriter.text(json.text)) }

  private func put(_ bytes: [UInt8]) {
    guard closesUntil == nil else { return }
    if outputBytes == 0 { stuckSince = Platform.milliseconds }
    output.append(bytes)
    outputBytes += bytes.count
  }

  /// Gives back what the map holds, to the system too, whatever the client does from here on.
  private func endView() {
    view?.map.reduceMemoryUse()
    view = nil
  }

  /// Says why, and closes.
  private func end(_ code: WebSocketCloseCode, _ fault: LiveFault?) {
    guard closesUntil == nil else { return }
    if let fault { put(fault.json(isLast: true)) }
    put(WebSocketWriter.close(code, fault?.message ?? ""))
    closesUntil = Platform.milliseconds + LiveLimits.closingTime
    figures.note { $0.closings[Int(code.rawValue), default: 0] += 1 }
    endView()
  }

  private func showFrame(_ now: Int) {
    guard let view, closesUntil == nil else { return }
    for news in view.takeNews() { put(news) }
    // What waits to be written is older than what would be drawn.
    guard outputBytes == 0 else { return }
    do throws(LiveFault) {
      let frame = try view.frame(now: now)
      for news in view.takeNews() { put(news) }
      if let bytes = frame?.bytes {
        put(WebSocketWriter.binary(bytes))
        figures.note {
          $0.frames += 1
          $0.frameBytes += bytes.count
        }
      }
      if view.takeIdle() { put(.members(["type": "idle"])) }
    } catch {
      tell(error)
    }
  }

  private func write(_ now: Int) {
    while let first = output.first {
      let written = first.withUnsafeBytes {
        connection.write(UnsafeRawBufferPointer(rebasing: $0[sentOfFirst...]))
      }
      guard let written else { return isOver = true }
      guard written > 0 else { return }
      stuckSince = now
      sentBytes += written
      outputBytes -= written
      sentOfFirst += written
      if sentOfFirst == first.count {
        output.removeFirst()
        sentOfFirst = 0
      }
    }
    if closesUntil != nil, !hasEndedWriting {
      hasEndedWriting = true
      connection.endWriting()
    }
  }

  // MARK: Time

  /// When `checkTimes` has something to do, where nothing happens before.
  private var nextDeadline: Int {
    if let closesUntil { return closesUntil }
    var time = min(inputAt + limits.idleTime, max(heardAt, pingedAt) + limits.pingTime)
    if view == nil { time = min(time, began + limits.greetingTime) }
    if outputBytes > 0 { time = min(time, stuckSince + limits.answerTime) }
    if let since = view?.waitsSince { time = min(time, since + limits.answerTime) }
    return time
  }

  private func checkTimes(_ now: Int) {
    if let closesUntil {
      if now >= closesUntil { isOver = true }
      return
    }
    if outputBytes > 0, now - stuckSince >= limits.answerTime { return abandon() }
    if let since = view?.waitsSince, now - since >= limits.answerTime {
      return end(.policyViolation, LiveFault(.slow, "no frame was shown for \(limits.answerTime) ms"))
    }
    // One frame, and messages behind it.
    let frame = output.first?.count ?? 0
    if outputBytes - frame > LiveLimits.messagesWaiting { return abandon() }
    if view == nil, now - began >= limits.greetingTime {
      return end(.policyViolation, LiveFault(.slow, "no hello came within \(limits.greetingTime) ms"))
    }
    if now - inputAt >= limits.idleTime {
      return end(.normal, LiveFault(.idle, "nothing came for \(limits.idleTime) ms"))
    }
    guard now - heardAt >= limits.pingTime, now - pingedAt >= limits.pingTime else { return }
    // Whoever is there answers a ping.
    if now - heardAt >= 2 * limits.pingTime { return abandon() }
    pingedAt = now
    put(WebSocketWriter.ping())
  }

  /// Ends without a word: the client takes none.
  private func abandon() {
    figures.note { $0.closings[1006, default: 0] += 1 }
    isOver = true
  }
}
