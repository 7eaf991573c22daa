import NeatBase
import NeatLoop
import NeatNetwork
import NeatStore
import NeatTile
import Synchronization

/// A request that may need a server, and who waits for it.
struct ChainRequest: Sendable {
  /// What somebody who could wait found in the cache already.
  enum Look: Sendable {
    case none
    case done(DatabaseResponse?)
  }

  let id: UInt64
  let route: ResourceRoute
  let options: LoadOptions
  var look = Look.none
  /// Called on the thread of the chain; with a last answer once, unless it is cancelled.
  let deliver: @Sendable (ResourceAnswer) -> Void
}

/// What is under way of all the requests of a loader; equal ones are one. Kept with the loader's own loop, only
/// for its thread.
final class RequestChain {
  /// What requests must have in common to be one.
  private struct Key: Hashable {
    var kind: ResourceKind
    var url: String
    var tile: TileID?
    var headers: String
    var isPatient: Bool

    init?(_ request: ChainRequest) {
      let options = request.options
      guard options.usage == .cacheAndNetwork, options.isStored, options.copy == nil else { return nil }
      kind = request.route.request.kind
      url = request.route.url
      tile = request.route.request.tile
      headers = request.route.headers.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
      isPatient = options.isPatient
    }
  }

  unowned let loop: RunLoop
  private var joinable: [Key: ResourceFetch] = [:]
  private var fetches: [UInt64: ResourceFetch] = [:]

  private static let lastID = Atomic<UInt64>(0)

  /// A number that no other request has.
  static func nextID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

  private init(_ loop: RunLoop) { self.loop = loop }

  static func of(_ loop: RunLoop) -> RequestChain {
    if let known = loop.attached(RequestChain.self) { return known }
    let made = RequestChain(loop)
    loop.attach(made) { [unowned made] in made.close() }
    return made
  }

  func begin(_ request: ChainRequest, _ loader: ResourceLoader) {
    let key = Key(request)
    if let key, let known = joinable[key] {
      fetches[request.id] = known
      known.join(request)
      return
    }
    let fetch = ResourceFetch(request, loader, self)
    fetches[request.id] = fetch
    if let key {
      joinable[key] = fetch
      fetch.onLeaving = { [weak self, weak fetch] in
        if let self, let fetch, self.joinable[key] === fetch { self.joinable[key] = nil }
      }
    }
    fetch.start()
  }

  func cancel(_ id: UInt64) { fetches.removeValue(forKey: id)?.leave(id) }

  /// A waiter has its last answer.
  func forget(_ id: UInt64) { fetches[id] = nil }

  private func close() {
    let open = fetches
    fetches = [:]
    for (id, fetch) in open { fetch.end(id) }
  }
}
