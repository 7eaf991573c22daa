/// `HOST[:PORT]` as `Host` and addresses have it (RFC 9110, 7.2): a name, an IPv4 address, or an IPv6 address in
/// brackets.
struct HTTPHost: Equatable, Sendable {
  /// In small letters, without the dot that may end a name, and without brackets.
  let name: String
  /// Where the name is an address.
  let address: NetworkAddress?
  let port: Int?

  /// Nil for what is no host: an empty one, a user before `@`, a list.
  init?(_ text: some StringProtocol) {
    guard text.utf8.count <= 300 else { return nil }
    let text = text.lowercased()
    let rest: Substring
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      name = String(text[text.index(after: text.startIndex)..<end])
      // inet_pton takes an IPv4 address too.
      guard name.contains(":"), let address = NetworkAddress(name) else { return nil }
      self.address = address
      rest = text[text.index(after: end)...]
    } else {
      let end = text.firstIndex(of: ":") ?? text.endIndex
      let name = text[..<end]
      guard !name.isEmpty, name.utf8.allSatisfy(HTTPHost.isNameByte), name != "." else { return nil }
      self.name = String(name.hasSuffix(".") ? name.dropLast() : name)
      address = NetworkAddress(self.name)
      rest = text[end...]
    }
    // A port may be empty (RFC 3986, 3.2.3).
    guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
    guard rest.count > 1 else {
      port = nil
      return
    }
    guard let port = PictureRequest.whole(rest.dropFirst()), port <= 65535 else { return nil }
    self.port = port
  }

  /// Whether two mean one place in addresses of a scheme.
  func isSame(as other: HTTPHost, scheme: String) -> Bool {
    let usual = scheme == "https" ? 443 : 80
    return name == other.name && (port ?? usual) == (other.port ?? usual)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

/// The hosts that live maps are opened by. A page whose own name was made to lead to this machine (DNS rebinding)
/// asks by that name, and `Origin` has it too: so both agree, and the name alone tells it from a page of this
/// server. Ports do not count, since a name that leads here leads here with any port.
struct AllowedHosts: Sendable {
  /// Names and addresses, as `HTTPHost` has them.
  private var names: Set<String> = []
  private var addresses: [NetworkAddress] = []
  private var allowsAll = false

  /// Nil for what is neither `HOST` nor `*`.
  mutating func add(_ text: String) -> Bool {
    if text == "*" {
      allowsAll = true
      return true
    }
    guard let host = HTTPHost(text), host.port == nil, !text.hasSuffix(":") else { return false }
    if let address = host.address { addresses.append(address) } else { names.insert(host.name) }
    return true
  }

  /// `local`: this machine's end of the connection, which is the address that the server listens at, or one of
  /// them where it listens at all. `publicURL`: where clients find the server.
  func contain(_ host: HTTPHost, local: NetworkAddress?, publicURL: String?) -> Bool {
    if allowsAll || names.contains(host.name) { return true }
    if let address = host.address, address.isLoopback || address == local || addresses.contains(address) {
      return true
    }
    if host.name == "localhost" || host.name.hasSuffix(".localhost") { return true }
    return publicURL.flatMap { HTTPHost(URLParts.authority($0)) }?.name == host.name
  }
}

/// Parts of addresses such as `https://maps.example.org/tiles`.
enum URLParts {
  /// What stands between `://` and the path; empty where there is no scheme.
  static func authority(_ url: some StringProtocol) -> Substring {
    let url = Substring(url)
    guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
    return url[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
  }
}
