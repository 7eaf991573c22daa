import CMicroHTTPD

/// What clients of HTTPS are greeted with: a certificate and its key, of two files. Where these change they are
/// read anew: who comes from then on is greeted with the new, connections that are there go on as they began.
final class Certificate: @unchecked Sendable {  // everything that changes is under `lock`
  private let chainPath: String
  private let keyPath: String
  private let lock = Lock()
  private var current: Pair
  private var credentials: UnsafeMutableRawPointer
  private var watch: FileWatch

  /// PEM.
  struct Pair: Equatable {
    var chain: String
    var key: String
  }

  /// Throws for files that cannot be read, are no PEM, or do not fit each other.
  init(chain: String, key: String) throws {
    (chainPath, keyPath) = (chain, key)
    watch = FileWatch(FileWatch.stamps([chain, key]))
    current = try Certificate.read(chain, key)
    credentials = try Certificate.credentials(current, chain)
  }

  var pair: Pair { lock.locked { current } }

  /// To be called as a connection begins.
  func greet(_ connection: OpaquePointer) { neat_tls_greet(connection, lock.locked { credentials }) }

  /// Reads the files again where they changed and have come to rest. Returns whether there is something new.
  /// Throws where it cannot be used: the old stays.
  func refresh() throws -> Bool { try lock.locked { watch.isDue() } && reload() }

  /// The same, whether they changed or not.
  func reload() throws -> Bool {
    try lock.locked {
      // Not again until something changes once more.
      watch = FileWatch(FileWatch.stamps([chainPath, keyPath]))
      let new = try Certificate.read(chainPath, keyPath)
      guard new != current else { return false }
      // The old are not freed: greetings with them may be under way. They are some kilobytes.
      credentials = try Certificate.credentials(new, chainPath)
      current = new
      return true
    }
  }

  private static func read(_ chain: String, _ key: String) throws -> Pair {
    Pair(
      chain: String(decoding: try Platform.readFile(chain), as: UTF8.self),
      key: String(decoding: try Platform.readFile(key), as: UTF8.self))
  }

  private static func credentials(_ pair: Pair, _ path: String) throws -> UnsafeMutableRawPointer {
    guard
      let credentials = neat_tls_credentials(
        pair.chain, UInt32(pair.chain.utf8.count), pair.key, UInt32(pair.key.utf8.count))
    else {
      throw FileError(path: path, reason: "the certificate and its key do not fit, or are no PEM")
    }
    return credentials
  }
}
