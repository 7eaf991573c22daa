import NeatBase
import NeatJSON
import NeatResource

extension SharedResources.Options {
  /// The options of `neat_resources_create`.
  init(json bytes: [UInt8]) throws(NeatError) {
    let given = try JSONOptions(
      bytes,
      known: [
        "cachePath", "cacheBytes", "headers", "userAgent", "connectionsPerHost", "connections", "timeoutMs",
        "retryCount", "unpackedLimitBytes", "proxy", "caFile", "credentials", "providers",
        "assetPath",
      ])
    self.init()
    cachePath = try given.text("cachePath")
    loading.assetPath = try given.text("assetPath")
    if let limit = try given.whole("cacheBytes", 0...1 << 50) { cacheBytes = Int64(limit) }
    loading.headers = try headers(given.json["headers"], "headers")
    loading.http.userAgent = try given.text("userAgent") ?? loading.http.userAgent
    loading.http.connectionsPerHost =
      try given.whole("connectionsPerHost", 1...256) ?? loading.http.connectionsPerHost
    loading.http.connections = try given.whole("connections", 1...1024) ?? loading.http.connections
    loading.http.proxy = try given.text("proxy")
    loading.http.caFile = try given.text("caFile")
    if let limit = try given.whole("timeoutMs", 1...Int(Int32.max)) { loading.timeoutMS = UInt64(limit) }
    if let count = try given.whole("retryCount", 0...100) { loading.http.attempts = count + 1 }
    loading.unpackedLimit = try given.whole("unpackedLimitBytes", 1...1 << 50) ?? loading.unpackedLimit
    loading.credentials = try credentials(given.json["credentials"])
    loading.providers = try providers(given.json["providers"])
  }
}

private func wrong(_ what: String) -> NeatError { NeatError(.invalidArgument, what) }

/// Names and texts; of headers without line ends, which would be further headers.
private func headers(_ value: JSON?, _ name: String) throws(NeatError) -> [(name: String, value: String)] {
  guard let value, !value.isNull else { return [] }
  guard value.isObject else { throw wrong("\"\(name)\" is not an object") }
  var list: [(name: String, value: String)] = []
  for member in value.members {
    guard let text = member.value.string, !member.key.isEmpty,
      (member.key + text).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }), !member.key.contains(":")
    else {
      throw wrong("\"\(name)\": \"\(member.key)\" is no name and value")
    }
    list.append((member.key, text))
  }
  return list
}

private func credentials(_ value: JSON?) throws(NeatError) -> [Credentials] {
  guard let value, !value.isNull else { return [] }
  guard value.isArray else { throw wrong("\"credentials\" is not an array") }
  var list: [Credentials] = []
  for (index, entry) in value.elements.enumerated() {
    let name = "credentials[\(index)]"
    guard entry.isObject else { throw wrong("\"\(name)\" is not an object") }
    try entry.refuseMembers(besides: ["url", "headers", "query"], of: name)
    guard let url = entry["url"]?.string, Address.isOfServer(url), Address.host(url)?.isEmpty == false else {
      throw wrong("\"\(name).url\" is not the beginning of an address of a server")
    }
    list.append(
      Credentials(
        prefix: url, headers: try headers(entry["headers"], "\(name).headers"),
        query: try headers(entry["query"], "\(name).query")))
  }
  return list
}

private func providers(_ value: JSON?) throws(NeatError) -> [String: Provider] {
  guard let value, !value.isNull else { return [:] }
  guard value.isObject else { throw wrong("\"providers\" is not an object") }
  var table: [String: Provider] = [:]
  for member in value.members {
    guard Address.scheme(member.key + ":") == member.key else {
      throw wrong("\"providers\": \"\(member.key)\" is no scheme of addresses in lower case")
    }
    guard !["http", "https", "file", "data", "mbtiles", "pmtiles", "asset"].contains(member.key) else {
      throw wrong("\"providers\": addresses of scheme \"\(member.key)\" have a meaning of their own")
    }
    table[member.key] = try provider(member.value, member.key)
  }
  return table
}

/// A provider; "mapbox" has what the others must say.
private func provider(_ value: JSON, _ scheme: String) throws(NeatError) -> Provider {
  let name = "providers.\(scheme)"
  guard value.isObject else { throw wrong("\"\(name)\" is not an object") }
  let known = ["base", "token", "tokenName", "source", "style", "sprite", "glyphs", "tile"]
  try value.refuseMembers(besides: known, of: name)
  var texts: [String: String] = [:]
  for member in value.members where !member.value.isNull {
    guard let text = member.value.string else { throw wrong("\"\(name).\(member.key)\" is not a text") }
    texts[member.key] = text
  }
  if let base = texts["base"], !Address.isOfServer(base) {
    throw wrong("\"\(name).base\" is not an address of a server")
  }
  let standard = scheme == "mapbox" ? Provider.mapbox(token: "") : nil
  func text(_ member: String, _ path: KeyPath<Provider, String>) throws(NeatError) -> String {
    guard let text = texts[member] ?? standard?[keyPath: path] else {
      throw wrong("\"\(name)\" has no \"\(member)\"")
    }
    return text
  }
  return Provider(
    base: try text("base", \.base), tokenName: texts["tokenName"] ?? standard?.tokenName ?? "key",
    token: texts["token"] ?? "", source: try text("source", \.source), style: try text("style", \.style),
    sprite: try text("sprite", \.sprite), glyphs: try text("glyphs", \.glyphs),
    tile: try text("tile", \.tile))
}
