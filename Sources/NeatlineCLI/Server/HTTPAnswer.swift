/// What a request is answered with.
struct HTTPAnswer: Sendable {
  var status: Int
  var type: String
  var body: [UInt8]
  /// Besides those that every answer has.
  var headers: [(name: String, value: String)] = []

  static func text(_ status: Int, _ text: String) -> HTTPAnswer {
    HTTPAnswer(status: status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
  }

  /// A refusal that passes: the client may come again.
  static func later(_ status: Int, _ text: String, seconds: Int = 1) -> HTTPAnswer {
    var answer = HTTPAnswer.text(status, text)
    answer.headers.append(("Retry-After", "\(seconds)"))
    return answer
  }

  /// Everything before the body.
  func head(keepsAlive: Bool) -> [UInt8] {
    var text =
      "HTTP/1.1 \(status) \(HTTPAnswer.reasons[status] ?? "Unknown")\r\nDate: \(Platform.httpDate)\r\n"
    text += "Content-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    // What failed may succeed the next time.
    if status >= 400 { text += "Cache-Control: no-store\r\n" }
    text +=
      "Access-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\nConnection: \(keepsAlive ? "keep-alive" : "close")\r\n\r\n"
    return Array(text.utf8)
  }

  private static let reasons = [
    200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout",
    413: "Content Too Large",
    414: "URI Too Long", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
  ]
}
