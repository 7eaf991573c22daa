import NeatBase
import NeatStore
import Synchronization

/// What maps and renderers load by together when they are given the same one: connections, headers, archives
/// that stay open, the cache, and whether servers are asked at all. Any thread. A child of a fork has loaders
/// and a connection to the cache of its own.
package final class SharedResources: Sendable {
  package struct Options: Sendable {
    package var loading = ResourceLoader.Options()
    /// The file of the cache; nil: none.
    package var cachePath: String?
    package var cacheBytes: Int64 = 50 << 20

    package init() {}
  }

  let options: Options
  private let current: PerProcess<ResourceLoader>
  private let online = Atomic(true)

  /// Throws what opening the cache throws.
  package init(_ options: Options) throws(NeatError) {
    self.options = options
    current = PerProcess(try SharedResources.make(options))
  }

  /// Whoever was given it has gone: the file is closed when this returns, and may be moved. (In a child of a
  /// fork the parent's is left alone.)
  deinit { current.get { $0 }.options.cache?.close() }

  private static func make(_ options: Options) throws(NeatError) -> ResourceLoader {
    var loading = options.loading
    if let path = options.cachePath {
      loading.cache = try ResourceCache(path: path, bytes: options.cacheBytes)
    }
    return ResourceLoader(options: loading)
  }

  package var loader: ResourceLoader {
    get throws(NeatError) {
      try current.get { [options, online = isOnline] _ throws(NeatError) in
        let loader = try SharedResources.make(options)
        loader.setOnline(online)
        return loader
      }
    }
  }

  package var isOnline: Bool { online.load(ordering: .relaxed) }

  /// Whether servers are asked; else requests that the cache cannot answer fail.
  package func setOnline(_ isOnline: Bool) throws(NeatError) {
    online.store(isOnline, ordering: .relaxed)
    try loader.setOnline(isOnline)
  }

  /// The cache. Throws `state` where there is none.
  package var cache: ResourceCache {
    get throws(NeatError) {
      guard let cache = try loader.options.cache else { throw NeatError(.state, "there is no cache") }
      return cache
    }
  }
}
