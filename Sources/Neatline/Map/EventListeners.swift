/// Who wants to hear of a map's events. A listener may add and cancel listeners while it is told.
final class EventListeners {
  final class Listener: Cancelable {
    /// nil: all kinds.
    let kinds: Set<MapEvent.Kind>?
    let isOnce: Bool
    let body: (Event) -> Void
    let end: () -> Void
    fileprivate(set) var isOver = false
    private weak var owner: EventListeners?

    init(
      _ owner: EventListeners, _ kinds: Set<MapEvent.Kind>?, isOnce: Bool, _ body: @escaping (Event) -> Void,
      end: @escaping () -> Void
    ) {
      self.owner = owner
      self.kinds = kinds
      self.isOnce = isOnce
      self.body = body
      self.end = end
    }

    func cancel() {
      isOver = true
      owner?.list.removeAll { $0 === self }
    }
  }

  private var list: [Listener] = []

  /// - Parameter end: called when the map ends.
  func add(
    _ kinds: Set<MapEvent.Kind>?, isOnce: Bool = false, end: @escaping () -> Void = {},
    _ body: @escaping (Event) -> Void
  ) -> Listener {
    let listener = Listener(self, kinds, isOnce: isOnce, body, end: end)
    list.append(listener)
    return listener
  }

  /// Has an object hear of events for as long as it lives, which this does not prolong.
  func add<Hearer: AnyObject>(
    _ kinds: Set<MapEvent.Kind>, for hearer: Hearer, _ body: @escaping (Hearer, MapEvent) -> Void
  ) {
    let listener = WeakListener()
    listener.listener = add(kinds) { [weak hearer] event in
      guard let hearer else { return listener.listener?.cancel() ?? () }
      body(hearer, event.payload)
    }
  }

  /// Tells those who listened when it happened, but for those who were cancelled since; who listens once is told
  /// once, also where its own body makes the same happen.
  func tell(_ event: Event) {
    for listener in list where listener.kinds?.contains(event.kind) != false {
      guard !listener.isOver else { continue }
      if listener.isOnce { listener.cancel() }
      listener.body(event)
    }
  }

  /// The map ends.
  func end() {
    let ended = list
    list = []
    for listener in ended {
      listener.isOver = true
      listener.end()
    }
  }
}

extension Map {
  /// Calls once, at the next event of a kind, unless it is cancelled before.
  @discardableResult
  public func onNext(_ kind: MapEvent.Kind, handler: @escaping (Event) -> Void) -> any Cancelable {
    listeners.add([kind], isOnce: true, handler)
  }

  /// Calls at every event of a kind, until it is cancelled.
  @discardableResult
  public func onEvery(_ kind: MapEvent.Kind, handler: @escaping (Event) -> Void) -> any Cancelable {
    listeners.add([kind], handler)
  }

  /// Calls at every event, until it is cancelled.
  @discardableResult
  public func onEvery(handler: @escaping (Event) -> Void) -> any Cancelable { listeners.add(nil, handler) }

  /// Calls once, at the next event of a kind, with what such an event carries.
  @discardableResult
  public func onNext<Payload: Sendable>(
    event: EventType<Payload>, handler: @escaping (TypedEvent<Payload>) -> Void
  ) -> any Cancelable {
    listeners.add([event.kind], isOnce: true) { event.call(handler, $0) }
  }

  /// Calls at every event of a kind, with what such an event carries.
  @discardableResult
  public func onEvery<Payload: Sendable>(
    event: EventType<Payload>, handler: @escaping (TypedEvent<Payload>) -> Void
  ) -> any Cancelable {
    listeners.add([event.kind]) { event.call(handler, $0) }
  }

  /// The events of some kinds from now on, without any of all kinds: for `for await`. They wait, in order and
  /// without a limit, until they are asked for; the sequence ends with the map. Something must run the map's
  /// loop meanwhile: `EventLoop.run` in turns, or the main queue (`NeatlineFoundation`).
  public func events(_ kinds: MapEvent.Kind...) -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
    let listener = EventListeners.WeakListener()
    listener.listener = listeners.add(kinds.isEmpty ? nil : Set(kinds), end: { continuation.finish() }) {
      if case .terminated = continuation.yield($0) { listener.listener?.cancel() }
    }
    return stream
  }
}

extension EventListeners {
  final class WeakListener {
    weak var listener: Listener?
  }
}

extension EventType {
  fileprivate func call(_ handler: (TypedEvent<Payload>) -> Void, _ event: Event) {
    guard let payload = payload(event.payload) else { return }
    handler(TypedEvent(payload: payload, begin: event.begin, end: event.end))
  }
}
