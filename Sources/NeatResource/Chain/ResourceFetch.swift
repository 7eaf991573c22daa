import NeatBase
import NeatLoop
import NeatNetwork
import NeatStore
import NeatTile

/// One request on its way through cache and network, and all who wait for it. Only for the chain's thread.
///
/// A copy that is fresh is the answer. One that has expired is asked about with its validators: those who are
/// patient have it at once, unless the server forbade that, the others where nobody answers.
final class ResourceFetch {
  private struct Waiter {
    let id: UInt64
    let options: LoadOptions
    let facts: ResourceFacts
    let deliver: @Sendable (ResourceAnswer) -> Void

    init(_ request: ChainRequest) {
      id = request.id
      options = request.options
      facts = ResourceFacts(request.options)
      deliver = request.deliver
    }
  }

  private let loader: ResourceLoader
  private let route: ResourceRoute
  private let options: LoadOptions
  private unowned let chain: RequestChain
  private var waiters: [Waiter]
  private let look: ChainRequest.Look
  /// The copy that is asked about; without its body once that was given.
  private var copy: DatabaseResponse?
  private var hasGivenData = false
  /// What whoever joins has missed.
  private var missed: (result: ResourceResult, origin: ResourceFacts.Origin)?
  private var call: HTTPCall?
  private var lookup: RemoteLookup?
  private var timer: LoopTimer?
  private var renewal = Renewal()
  private var isOver = false
  /// Nobody can join any more.
  var onLeaving: (() -> Void)?

  init(_ request: ChainRequest, _ loader: ResourceLoader, _ chain: RequestChain) {
    self.loader = loader
    self.chain = chain
    route = request.route
    options = request.options
    look = request.look
    waiters = [Waiter(request)]
    copy = request.options.copy
  }

  private var loop: RunLoop { chain.loop }

  // MARK: Who waits

  func join(_ request: ChainRequest) {
    let waiter = Waiter(request)
    waiters.append(waiter)
    if let missed { give(missed.result, missed.origin, isFinal: false, to: [waiter]) }
    let time = loader.httpRequest(route.url, route.request.kind, request.options.deadline).timeoutMS
    call?.join(
      priority: ResourceFetch.level(request.options.priority), deadline: time == 0 ? .never : .after(ms: time)
    )
  }

  func leave(_ id: UInt64) {
    waiters.removeAll { $0.id == id }
    if waiters.isEmpty { stop() }
  }

  /// The chain ends.
  func end(_ id: UInt64) {
    guard let waiter = waiters.first(where: { $0.id == id }) else { return }
    leave(id)
    let error = NeatError(.cancelled, "cancelled", resource: shownURL)
    give(.failed(error), .none, isFinal: true, to: [waiter])
  }

  private func stop() {
    isOver = true
    onLeaving?()
    onLeaving = nil
    timer?.cancel()
    call?.cancel()
    lookup?.cancel()
  }

  private var shownURL: String { Address.withoutCredentials(route.request.url) }

  // MARK: The way

  func start() {
    switch ResourceLoader.place(route.url) {
    case .pmtilesServer(let url): readArchive(url)
    default:
      guard options.usage != .networkOnly, let cache = loader.options.cache else { return ask() }
      if case .done(let copy) = look { return take(copy: copy, cache) }
      cache.find(route.key, on: loop) { [weak self] in self?.take(copy: $0, cache) }
    }
  }

  private func take(copy found: DatabaseResponse?, _ cache: ResourceCache) {
    guard !isOver else { return }
    guard let found else {
      guard options.usage == .cacheOnly else { return ask() }
      return fail(NeatError(.notFound, "not in the cache", resource: shownURL))
    }
    copy = found
    if found.isFresh(cache.now()) || options.usage == .cacheOnly {
      return settle(found.result, .cache, expires: found.expires)
    }
    if options.isPatient, !found.mustRevalidate {
      missed = (found.result, .cache)
      giveCopy()
    }
    ask()
  }

  private func giveCopy() {
    guard let copy else { return }
    give(copy.result, .cache, isFinal: false, expires: copy.expires)
    hasGivenData = true
  }

  private static func level(_ priority: RequestPriority) -> UInt8 {
    switch priority {
    case .view: 0
    case .margin: 1
    case .prefetch: 2
    case .offline: 4
    }
  }
  /// That of copies that are shown already.
  private static let renewalLevel: UInt8 = 3

  /// The latest of those who wait; patient ones have none.
  private var lastDeadline: Deadline {
    guard !options.isPatient else { return .never }
    let times = waiters.map(\.options.deadline)
    if times.contains(where: { $0.nanoseconds == nil }) { return .never }
    return times.max { $0.nanoseconds ?? 0 < $1.nanoseconds ?? 0 } ?? .never
  }

  private var highestLevel: UInt8 { waiters.map { ResourceFetch.level($0.options.priority) }.min() ?? 0 }

  private func ask() {
    guard options.usage != .cacheOnly else {
      return fail(NeatError(.notFound, "not in the cache", resource: shownURL))
    }
    do throws(NeatError) {
      var request = loader.httpRequest(route.url, route.request.kind, lastDeadline)
      request.headers.replace(by: route.headers)
      request.headers += copy?.conditions ?? []
      request.isPatient = options.isPatient
      request.priority =
        hasGivenData
        ? ResourceFetch.renewalLevel
        : highestLevel
      let call = try loader.client(loop).fetch(request) { [weak self] in self?.take($0) }
      call.onFailure = { [weak self] in self?.tell($0) }
      self.call = call
    } catch {
      fail(error)
    }
  }

  /// A failure after which the request goes on.
  private func tell(_ error: NeatError) {
    guard !isOver, !hasGivenData else { return }
    missed = (.failed(shown(error)), .network)
    give(.failed(shown(error)), .network, isFinal: false)
  }

  /// The error without the address that was asked, which has the credentials.
  private func shown(_ error: NeatError) -> NeatError {
    NeatError(error.code, error.message, resource: shownURL)
  }

  private func fail(_ error: NeatError) {
    if let copy, !hasGivenData, !copy.mustRevalidate, error.code != .cancelled {
      return finish(copy.result, .cache, expires: copy.expires)
    }
    finish(.failed(shown(error)), .network)
  }

  private func take(_ result: HTTPResult) {
    guard !isOver else { return }
    call = nil
    switch result {
    case .failure(let error): fail(error)
    case .success(let response): take(response)
    }
  }

  private func take(_ response: HTTPResponse) {
    let cache = loader.options.cache
    let now = cache?.now() ?? SystemClock.microseconds / 1_000_000
    let stored = DatabaseResponse(response, route.request.kind, now: now)
    if options.isStored, let cache, let stored { cache.put(route.key, stored, on: loop) }
    let expires = Freshness(cacheControl: response.cacheControl, expires: response.expires, now: now).expires
    if response.status == 304 {
      guard var known = copy else {
        return fail(NeatError(.network, "HTTP status 304 for what nobody has", resource: shownURL))
      }
      known.expires = expires
      copy = known
      // Whoever has it is not given it again.
      let result = hasGivenData ? .data([]) : known.result
      return settle(
        result, options.usage == .networkOnly ? .network : .cache, stored, isNotModified: true,
        etag: known.etag, expires: expires)
    }
    copy = DatabaseResponse(
      .data([]), etag: response.etag, modified: response.lastModified.flatMap(HTTPDate.parse),
      expires: expires)
    settle(
      response.isMissing ? .missing : response.status == 204 ? .empty : .data(response.bytes), .network,
      stored, etag: response.etag, expires: expires)
  }

  /// Gives the answer. Who is patient has the next one too, when this one has expired.
  private func settle(
    _ result: ResourceResult, _ origin: ResourceFacts.Origin, _ response: DatabaseResponse? = nil,
    isNotModified: Bool = false, etag: String? = nil, expires: Int64? = nil
  ) {
    guard options.isPatient, route.request.kind.isRenewed, options.usage == .cacheAndNetwork, let expires
    else {
      return finish(
        result, origin, response, isNotModified: isNotModified, etag: etag, expires: expires)
    }
    onLeaving?()
    onLeaving = nil
    missed = nil
    hasGivenData = true
    copy?.content = .data([])
    let now = loader.options.cache?.now() ?? SystemClock.microseconds / 1_000_000
    let delay = renewal.delay(expires: expires, now: now)
    timer = loop.timer(afterMS: UInt64(delay) * loader.options.http.patience.unitMS) { [weak self] in
      self?.timer = nil
      self?.ask()
    }
    give(result, origin, isFinal: false, response, isNotModified: isNotModified, etag: etag, expires: expires)
  }

  private func finish(
    _ result: ResourceResult, _ origin: ResourceFacts.Origin, _ response: DatabaseResponse? = nil,
    isNotModified: Bool = false, etag: String? = nil, expires: Int64? = nil
  ) {
    guard !isOver else { return }
    let last = waiters
    stop()
    for waiter in last { chain.forget(waiter.id) }
    give(
      result, origin, isFinal: true, response, isNotModified: isNotModified, etag: etag, expires: expires,
      to: last)
  }

  private func give(
    _ result: ResourceResult, _ origin: ResourceFacts.Origin, isFinal: Bool,
    _ response: DatabaseResponse? = nil, isNotModified: Bool = false, etag: String? = nil,
    expires: Int64? = nil, to list: [Waiter]? = nil
  ) {
    for waiter in list ?? waiters {
      var answer = ResourceAnswer(result, waiter.facts.ended(origin, result))
      Trace.note(
        "request", .request, Log.short(shownURL), began: answer.facts.beganAt, ended: answer.facts.endedAt)
      answer.isFinal = isFinal
      answer.response = response
      answer.facts.isNotModified = isNotModified
      answer.facts.etag = etag ?? copy?.etag
      answer.facts.expires = expires
      waiter.deliver(answer)
    }
  }

  // MARK: Archives on servers

  private func readArchive(_ url: String) {
    guard options.usage != .cacheOnly else {
      return fail(NeatError(.notFound, "not in the cache", resource: shownURL))
    }
    do throws(NeatError) {
      let archive = loader.pmtiles(url, name: route.request.url)
      var lookup = archive.lookup(route.request.tile.map { .tile($0) } ?? .tileJSON)
      switch lookup.next() {
      case .done(let result): finish(result, .archive)
      case .read(let range):
        let read = RemoteLookup(
          lookup, url, PartReader.of(try loader.client(loop), url), wantsTile: route.request.tile != nil,
          makeRequest: { [loader, route, weak self] in
            var request = loader.httpRequest(url, route.request.kind, self?.lastDeadline ?? .never)
            request.headers.replace(by: route.headers)
            request.priority = self?.highestLevel ?? 0
            request.isPatient = self?.options.isPatient ?? false
            return request
          },
          settle: { [weak self] in self?.takeArchive($0) })
        read.onFailure = { [weak self] in self?.tell($0) }
        self.lookup = read
        read.get(range)
      }
    } catch {
      fail(error)
    }
  }

  private func takeArchive(_ result: ResourceResult) {
    guard !isOver else { return }
    lookup = nil
    if case .failed(let error) = result { fail(error) } else { finish(result, .archive) }
  }
}

extension ResourceKind {
  /// Whether a map takes in what replaces it while it is shown.
  fileprivate var isRenewed: Bool { self == .tile || self == .geojson || self == .image }
}
