/// Addresses of resources: absolute URLs of any scheme, or paths of files.
package enum Address {
  /// The scheme before `:`, in lower case, or nil for a path.
  package static func scheme(_ address: String) -> String? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let scheme = address[..<colon]
    guard let first = scheme.utf8.first, first | 0x20 >= 97, first | 0x20 <= 122,
      scheme.utf8.allSatisfy({
        $0 | 0x20 >= 97 && $0 | 0x20 <= 122 || $0 >= 48 && $0 <= 57 || $0 == 43 || $0 == 45 || $0 == 46
      })
    else { return nil }
    return scheme.lowercased()
  }

  /// Whether an address leads to a server, directly or as an archive's.
  package static func isOfServer(_ address: String) -> Bool {
    switch scheme(address) {
    case "http", "https": return true
    case "pmtiles", "mbtiles":
      let rest = address.drop { $0 != ":" }.dropFirst()
      return isOfServer(String(rest.hasPrefix("//") ? rest.dropFirst(2) : rest))
    default: return false
    }
  }

  /// `address` as seen from the document at `base`. Archives (`mbtiles://../x`, `pmtiles://../x`) are
  /// resolved inside their scheme; templates (`{z}`, `{fontstack}`) pass through.
  package static func resolve(_ address: String, base: String) -> String {
    if let archive = scheme(base), archive == "mbtiles" || archive == "pmtiles",
      base.hasPrefix("\(archive)://")
    {
      // A document that came out of an archive: relative addresses start at the archive's own place.
      return resolve(address, base: String(base.dropFirst(archive.count + 3)))
    }
    if let scheme = scheme(address) {
      guard scheme == "mbtiles" || scheme == "pmtiles" || scheme == "file" else { return address }
      let prefix = "\(scheme)://"
      guard address.count >= prefix.count, address.lowercased().hasPrefix(prefix) else { return address }
      let inner = String(address.dropFirst(prefix.count))
      if scheme == "file" {
        return inner.hasPrefix("/") || inner.hasPrefix("localhost/") || base.isEmpty
          ? address : resolve(inner, base: base)
      }
      return prefix + (Self.scheme(inner) == nil ? resolve(inner, base: base) : inner)
    }
    guard !base.isEmpty else { return address }
    if let scheme = scheme(base), scheme != "file" {
      guard let start = base.range(ofFirst: "://") else { return address }
      if address.hasPrefix("//") { return "\(scheme):\(address)" }
      let rest = base[start...]
      let host = rest.prefix { $0 != "/" }
      let path = String(rest.dropFirst(host.count).prefix { $0 != "?" && $0 != "#" })
      return "\(scheme)://\(host)"
        + (address.hasPrefix("/") ? address : normalize(directory(path.isEmpty ? "/" : path) + address))
    }
    let basePath = base.hasPrefix("file://") ? String(base.dropFirst(7)) : base
    return address.hasPrefix("/") ? address : normalize(directory(basePath) + address)
  }

  private static func directory(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }

  /// The path without `.` and `..` steps.
  package static func normalize(_ path: String) -> String {
    var parts: [Substring] = []
    let absolute = path.hasPrefix("/")
    for part in path.split(separator: "/", omittingEmptySubsequences: true) {
      if part == "." { continue }
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else if part != ".." || !absolute {
        parts.append(part)
      }
    }
    return (absolute ? "/" : "") + parts.joined(separator: "/")
      + (path.hasSuffix("/") && !parts.isEmpty ? "/" : "")
  }
}

extension String {
  /// The index after the first occurrence of a piece of text.
  package func range(ofFirst piece: String) -> String.Index? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(piece) { return index(start, offsetBy: piece.count) }
      start = index(after: start)
    }
    return nil
  }

  /// Every occurrence of `piece` replaced.
  package func replacing(_ piece: String, by text: String) -> String {
    guard !piece.isEmpty else { return self }
    var result = ""
    var rest = self[...]
    while let start = rest.firstIndex(of: piece.first!) {
      result += rest[..<start]
      if rest[start...].hasPrefix(piece) {
        result += text
        rest = rest[start...].dropFirst(piece.count)
      } else {
        result.append(rest[start])
        rest = rest[start...].dropFirst()
      }
    }
    return result + rest
  }
}

extension Address {
  /// Host and port of an address of a server, in lower case, without user and password.
  package static func host(_ address: String) -> String? {
    guard let start = address.range(ofFirst: "://") else { return nil }
    let authority = address[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return (authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
      .lowercased()
  }
}
