import Neatline

/// What a request is answered with.
struct HTTPAnswer: Sendable {
  var status: Int
  var type: String
  var body: [UInt8]
  /// In the place of `body`: a body that is written while it is sent.
  var stream: StreamedBody?
  /// Besides those that every answer has.
  var headers: [(name: String, value: String)] = []
  /// Names the content; nil: nobody is to keep it.
  var etag: String?
  /// Whether the connection ends with it: where what the client sends next cannot be told from a body.
  var endsConnection = false
  /// The bytes that the answer would have, of one that is sent without them.
  var lengthOfWhole: Int?
  /// Whether pages of other origins may read it.
  var isOpen = true
  /// What the log and the figures know the address by.
  var route = "other"

  /// Bytes that the server holds while the answer is sent.
  var heldBytes: Int { stream?.heldBytes ?? body.count }

  static func text(_ status: Int, _ text: String) -> HTTPAnswer {
    HTTPAnswer(status: status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
  }

  static func json(_ value: JSONValue) -> HTTPAnswer {
    HTTPAnswer(status: 200, type: "application/json", body: Array(value.text.utf8)).named()
  }

  /// A refusal that passes: the client may come again.
  static func later(_ status: Int, _ text: String, seconds: Int = 1) -> HTTPAnswer {
    var answer = HTTPAnswer.text(status, text)
    answer.headers.append(("Retry-After", "\(seconds)"))
    return answer
  }

  /// With a tag made of its bytes: the same content has the same, whoever makes it and whenever.
  func named() -> HTTPAnswer {
    var answer = self
    answer.etag = "\"\(body.withUnsafeBytes { Fingerprint($0).text })\""
    return answer
  }

  func ending() -> HTTPAnswer {
    var answer = self
    answer.endsConnection = true
    return answer
  }

  /// Of the server itself: what pages of other origins have no business with.
  func closed() -> HTTPAnswer {
    var answer = self
    answer.isOpen = false
    return answer
  }

  func on(_ route: String) -> HTTPAnswer {
    var answer = self
    answer.route = route
    return answer
  }

  /// Says how long it may be kept, unless it says already that it may not.
  func keeping(_ cacheControl: String) -> HTTPAnswer {
    guard status < 400 || status == 410 else { return self }
    var answer = self
    if !headers.contains(where: { $0.name == "Cache-Control" }) {
      answer.headers.append(("Cache-Control", cacheControl))
    }
    return answer
  }

  /// How the cache had part in an answer, as RFC 9211 has it.
  enum CacheStatus: String {
    case memory = "neatline; hit"
    case disk = "neatline; hit; detail=disk"
    /// Old, while the new is made.
    case stale = "neatline; hit; detail=stale"
    case made = "neatline; fwd=uri-miss"
  }

  /// Says where the answer comes from.
  func from(_ status: CacheStatus) -> HTTPAnswer {
    var answer = self
    answer.headers.append(("Cache-Status", status.rawValue))
    return answer
  }

  /// Says that the answer has addresses in it which are as the client asked for them, unless it is known where
  /// clients find the server.
  func varying(unless publicURL: String? = nil) -> HTTPAnswer {
    guard publicURL == nil else { return self }
    var answer = self
    answer.headers.append(("Vary", "Host, X-Forwarded-Host, X-Forwarded-Proto"))
    return answer
  }

  /// What is sent for a request: nothing where the client has it, a part where it asks for one.
  func conditional(on request: HTTPRequest) -> HTTPAnswer {
    guard status == 200, let etag else { return self }
    if let known = request.fields["if-none-match"], HTTPAnswer.list(known, holds: etag) {
      var answer = self
      answer.status = 304
      answer.lengthOfWhole = stream == nil ? body.count : nil
      answer.body = []
      answer.stream = nil
      return answer
    }
    // Parts are for GET alone, and of a body whose length is known.
    if request.isHead || stream != nil { return self }
    if let condition = request.fields["if-range"], condition != etag { return self }
    guard let text = request.fields["range"], let range = HTTPAnswer.range(text, of: body.count) else {
      return self
    }
    var answer = self
    guard let range else {
      answer = .text(416, "no such part of \(body.count) bytes\n").on(route)
      answer.headers.append(("Content-Range", "bytes */\(body.count)"))
      return answer
    }
    answer.status = 206
    answer.headers.append(
      ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)"))
    answer.body = Array(body[range])
    return answer
  }

  private static func list(_ text: String, holds etag: String) -> Bool {
    if text.trimmed == "*" { return true }
    // Weak names of what is told apart by its bytes are as good.
    return text.split(separator: ",").contains {
      let word = String($0).trimmed
      return word == etag || word == "W/" + etag
    }
  }

  /// The bytes that `Range` asks for: nil where it is not to be heeded (several ranges, other units), `.some(nil)`
  /// where there are none.
  private static func range(_ text: String, of count: Int) -> Range<Int>?? {
    guard text.hasPrefix("bytes="), !text.contains(",") else { return nil }
    let sides = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      return nil
    }
    guard sides[0].count <= 18, sides[1].count <= 18 else { return .some(nil) }
    switch (Int(sides[0]), Int(sides[1])) {
    case (let first?, let last):
      guard first < count, last ?? first >= first else { return .some(nil) }
      return first..<min(count, (last ?? count - 1) + 1)
    case (nil, let last?):
      guard last > 0, count > 0 else { return .some(nil) }
      return max(0, count - last)..<count
    case (nil, nil): return nil
    }
  }
}

extension String {
  var trimmed: String {
    var text = Substring(self)
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
