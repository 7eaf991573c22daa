import NeatBase
import NeatNetwork
import NeatStore

/// How long an answer may be used, by what the server says (RFC 9111): `max-age` before `Expires`.
struct Freshness: Equatable {
  /// Seconds since 1970; nil where the server says nothing, which counts as for ever.
  var expires: Int64?
  /// Whether a copy that has expired may not be used, whatever happens.
  var mustRevalidate = false
  /// `no-store`.
  var isNeverStored = false

  /// A server's seconds are not added past this many.
  private static let longest: Int64 = 100 * 365 * 86_400

  init(cacheControl: String?, expires text: String?, now: Int64) {
    var maxAge: Int64?
    for directive in (cacheControl ?? "").lowercased().split(separator: ",") {
      let words = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\"" } }
      switch words.first {
      case "max-age":
        maxAge = words.count > 1 ? Int64(words[1]).map { min(max($0, 0), Freshness.longest) } ?? 0 : 0
      case "no-store": isNeverStored = true
      case "no-cache":
        maxAge = 0
        mustRevalidate = true
      case "must-revalidate": mustRevalidate = true
      default: break
      }
    }
    if let maxAge {
      expires = now + maxAge
    } else if let text {
      // What is no date has expired.
      expires = HTTPDate.parse(text) ?? 0
    }
  }
}

extension DatabaseResponse {
  /// What is stored of an answer; nil where nothing is.
  init?(_ response: HTTPResponse, _ kind: ResourceKind, now: Int64) {
    let freshness = Freshness(cacheControl: response.cacheControl, expires: response.expires, now: now)
    guard !freshness.isNeverStored else { return nil }
    let content: Content
    switch response.status {
    case 304: content = .notModified
    // Nothing is not the same as none: pictures are to be equal with the cache and without.
    case 204: content = .data([])
    case 404, 410:
      guard kind == .tile else { return nil }
      content = .empty
    default: content = .data(response.bytes)
    }
    self.init(
      content, etag: response.etag, modified: response.lastModified.flatMap(HTTPDate.parse),
      expires: freshness.expires, mustRevalidate: freshness.mustRevalidate)
  }

  func isFresh(_ now: Int64) -> Bool { expires.map { $0 > now } ?? true }

  /// What asks a server whether the copy still holds.
  var conditions: [(name: String, value: String)] {
    if let etag { return [("If-None-Match", etag)] }
    if let modified { return [("If-Modified-Since", HTTPDate.text(modified))] }
    return []
  }

  var result: ResourceResult {
    switch content {
    case .data(let bytes): bytes.isEmpty ? .empty : .data(bytes)
    case .empty, .notModified: .missing
    }
  }
}
