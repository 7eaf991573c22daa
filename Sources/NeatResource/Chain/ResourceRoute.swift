import NeatBase
import NeatStore

/// Where a request goes: what stands before the chain's first link. The cache knows it by its own name, which
/// has no credentials; the rest is only for whoever sends it.
struct ResourceRoute: Sendable {
  let request: ResourceRequest
  /// The address that is asked.
  var url: String
  var headers: [(name: String, value: String)] = []
  let key: DatabaseKey
  /// Whether it is a file of the host's own folder of assets, which every style may read.
  var isAsset = false
  /// Not nil: nobody is asked.
  var refusal: NeatError?
}

extension ResourceLoader {
  /// The host's transform, which sees the address as the style names it; then the provider's scheme; then
  /// credentials.
  func route(_ request: ResourceRequest) -> ResourceRoute {
    var route = ResourceRoute(request: request, url: request.url, key: ResourceCache.key(request))
    if let transform = options.transform.transform {
      let change = transform.change(request.kind, route.url)
      route.url = change.url
      route.headers = change.headers
      route.refusal = change.refusal?.naming(Address.withoutCredentials(request.url))
    }
    if let folder = options.assetPath, Address.scheme(route.url) == "asset" { route.goToAsset(in: folder) }
    if let scheme = Address.scheme(route.url), let provider = options.providers[scheme] {
      route.url = provider.address(request.kind, route.url)
    }
    // Of an archive on a server, the server's.
    let asked = route.url.hasPrefix("pmtiles://") ? String(route.url.dropFirst(10)) : route.url
    for credentials in options.credentials where credentials.applies(to: asked) {
      route.url = credentials.adding(to: route.url)
      route.headers += credentials.headers
    }
    return route
  }
}

extension ResourceRoute {
  /// From an address of the scheme `asset` to the file of a folder that it names; none leads out of it.
  fileprivate mutating func goToAsset(in folder: String) {
    let rest = url.range(ofFirst: "://").map { url[$0...] } ?? url.dropFirst(6)
    let name = String(
      decoding: DataURL.percentDecode(rest.prefix { $0 != "?" && $0 != "#" }.utf8), as: UTF8.self)
    guard !name.split(separator: "/").contains("..") else {
      refusal = NeatError(
        .unsupported, "the address leads out of the folder of assets", resource: request.url)
      return
    }
    url = folder + (folder.hasSuffix("/") || name.hasPrefix("/") ? "" : "/") + name
    isAsset = true
  }
}
