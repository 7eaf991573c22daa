import NeatBase

/// What is sent to servers beyond what is asked for. It reaches no cache, event, error or log.
package struct Credentials: Sendable {
  /// Addresses that begin so get it.
  package var prefix: String
  package var headers: [(name: String, value: String)]
  /// Members of the query.
  package var query: [(name: String, value: String)]

  /// `prefix`: of whole parts of an address: `https://tiles.example.com` is none of
  /// `https://tiles.example.community`.
  package init(
    prefix: String, headers: [(name: String, value: String)] = [], query: [(name: String, value: String)] = []
  ) {
    self.prefix = prefix
    self.headers = headers
    self.query = query
  }

  func applies(to url: String) -> Bool {
    guard url.hasPrefix(prefix) else { return false }
    guard let last = prefix.last, last != "/", let next = url.dropFirst(prefix.count).first else {
      return true
    }
    return "/?#".contains(next)
  }

  func adding(to url: String) -> String {
    guard !query.isEmpty else { return url }
    let members = query.map { "\(Credentials.escape($0.name))=\(Credentials.escape($0.value))" }
    let head = url.prefix { $0 != "#" }
    return head + (head.contains("?") ? "&" : "?") + members.joined(separator: "&") + url[head.endIndex...]
  }

  private static func escape(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var out: [UInt8] = []
    for byte in text.utf8 {
      let isPlain =
        byte >= 48 && byte <= 57 || byte | 32 >= 97 && byte | 32 <= 122 || "-._~".utf8.contains(byte)
      if isPlain { out.append(byte) } else { out += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
