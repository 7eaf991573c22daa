// What events, errors and logs may show of an address: user names, passwords and tokens are taken out.
extension Address {
  /// Members of a query that are credentials, in lower case.
  private static let secrets: Set<String> = [
    "access_token", "accesstoken", "key", "api_key", "api-key", "apikey", "subscription-key", "token", "sig",
    "signature",
  ]

  /// What the host's own credentials are called, in lower case; for the whole process, since errors and logs are.
  private final class OwnSecrets: Sendable {
    let names: Set<String>
    init(_ names: Set<String>) { self.names = names }
  }
  private static let ownSecrets = SharedReference<OwnSecrets>()

  /// Has members of a query with these names taken out too, from now on: a server may write the address that it
  /// was asked by into its answers.
  package static func hide(members names: [String]) {
    let names = names.lazy.filter { !$0.isEmpty }.map { $0.lowercased() }
    ownSecrets.update { known in
      let all = (known?.names ?? []).union(names)
      return known?.names.count == all.count || all.isEmpty ? known : OwnSecrets(all)
    }
  }

  /// The address without user and password, and without members of its query (or fragment) that are
  /// credentials. What has none is given back as it is.
  package static func withoutCredentials(_ address: String) -> String {
    guard let start = authority(address) else { return address }
    let scheme = address[..<start]
    let rest = address[start...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
    // The last one: a password may have others in it.
    let host = rest[..<end].lastIndex(of: "@").map { rest[rest.index(after: $0)..<end] } ?? rest[..<end]
    var tail = String(rest[end...])
    if tail.contains(where: { $0 == "?" || $0 == "#" }) { tail = withoutSecrets(tail) }
    return scheme + host + tail
  }

  /// Where a user, password and host stand: behind the last of `pmtiles://https://`.
  private static func authority(_ address: String) -> String.Index? {
    let head = address.utf8.firstIndex { $0 == 63 || $0 == 35 } ?? address.endIndex
    var start: String.Index?
    var place = address.startIndex
    while place < head, let slashes = address[place..<head].utf8.firstIndex(of: 47) {
      let next = address.utf8.index(after: slashes)
      guard slashes > address.startIndex, next < head, address.utf8[next] == 47,
        address.utf8[address.utf8.index(before: slashes)] == 58
      else {
        // Schemes stand before the first other slash.
        break
      }
      let after = address.utf8.index(after: next)
      start = after
      place = after
    }
    return start
  }

  /// A path with its query and fragment, of which members go.
  private static func withoutSecrets(_ tail: String) -> String {
    var result = ""
    var rest = tail[...]
    let own = ownSecrets.value?.names ?? []
    let path = rest.prefix { $0 != "?" && $0 != "#" }
    result += path
    rest = rest.dropFirst(path.count)
    while let mark = rest.first {
      let part = rest.dropFirst().prefix { $0 != "#" }
      rest = rest.dropFirst(1 + part.count)
      let kept = part.split(separator: "&", omittingEmptySubsequences: false).filter { member in
        let name = decoded(member.prefix { $0 != "=" }).lowercased()
        return !secrets.contains(name) && !own.contains(name)
      }
      if !kept.isEmpty { result += String(mark) + kept.joined(separator: "&") }
    }
    return result
  }

  private static func decoded(_ name: Substring) -> String {
    guard name.utf8.contains(37) else { return String(name) }
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 37, rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A text with every address in it without its credentials.
  package static func withoutCredentials(inText text: String) -> String {
    guard text.utf8.contains(58), text.contains("://") else { return text }
    func ends(_ character: Character) -> Bool {
      character.isWhitespace || "\"'<>()[]{}`,;".contains(character)
    }
    var result = ""
    var rest = text[...]
    while !rest.isEmpty {
      let word = rest.prefix { !ends($0) }
      result += word.contains("://") ? withoutCredentials(String(word)) : String(word)
      rest = rest.dropFirst(word.count)
      if let mark = rest.popFirst() { result.append(mark) }
    }
    return result
  }
}

extension NeatError {
  /// The same without credentials in its words.
  package var withoutCredentials: NeatError {
    var copy = self
    copy.message = Address.withoutCredentials(inText: message)
    copy.resource = resource.map { Address.withoutCredentials(inText: $0) }
    return copy
  }
}
