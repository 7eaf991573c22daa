extension HTTPAnswer {
  static let methods = "GET, HEAD, OPTIONS"

  /// What a page may ask for that is of another origin: browsers want to know before they send fields of the
  /// page's own, such as `Authorization`.
  static let options = HTTPAnswer(
    status: 204, type: "", body: [],
    headers: [
      ("Allow", methods), ("Access-Control-Allow-Methods", methods),
      ("Access-Control-Allow-Headers", "*, Authorization"),
      ("Access-Control-Max-Age", "86400"),
    ], route: "options")

  /// The same of what pages of other origins have no business with.
  static let closedOptions = HTTPAnswer(
    status: 204, type: "", body: [], headers: [("Allow", methods)], route: "options"
  ).closed()

  /// The fields of its head, but for Date and Content-Length.
  func fields(isLast: Bool) -> [(name: String, value: String)] {
    var result = headers
    if status != 304, !type.isEmpty { result.append(("Content-Type", type)) }
    if let etag {
      result.append(("ETag", etag))
      if status != 304, stream == nil { result.append(("Accept-Ranges", "bytes")) }
    }
    // What failed may succeed the next time.
    if status >= 400, !headers.contains(where: { $0.name == "Cache-Control" }) {
      result.append(("Cache-Control", "no-store"))
    }
    if isOpen {
      result.append(("Access-Control-Allow-Origin", "*"))
      result.append(("Access-Control-Expose-Headers", "*"))
    }
    result.append(("X-Content-Type-Options", "nosniff"))
    if isLast { result.append(("Connection", "close")) }
    return result
  }

  /// The answer as it goes over the wire where nobody else writes it; the connection ends with it.
  var wholeText: [UInt8] {
    var text = "HTTP/1.1 \(status) \(HTTPAnswer.reasons[status] ?? "Refused")\r\n"
    text += "Date: \(Platform.httpDate)\r\nContent-Length: \(body.count)\r\n"
    for (name, value) in fields(isLast: true) { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8) + body
  }

  private static let reasons = [408: "Request Timeout", 429: "Too Many Requests", 503: "Service Unavailable"]
}
