// Answers that tests of what goes wrong with servers have in common.
extension TestServer.Reply {
  /// An answer that says what it is a version of, and 304 to whoever has that version.
  package static func versioned(
    _ tag: String, _ body: [UInt8], to request: TestServer.Request, headers: [String: String] = [:]
  ) -> Self {
    var all = headers
    all["ETag"] = "\"\(tag)\""
    if request.headers["if-none-match"] == "\"\(tag)\"" { return .status(304, all) }
    return .status(200, all, body)
  }

  /// The same by the time of the last change, as `Last-Modified` has it.
  package static func dated(
    _ date: String, _ body: [UInt8], to request: TestServer.Request, headers: [String: String] = [:]
  ) -> Self {
    var all = headers
    all["Last-Modified"] = date
    if request.headers["if-modified-since"] == date { return .status(304, all) }
    return .status(200, all, body)
  }

  package static func redirect(_ place: String, status: Int = 302) -> Self {
    .status(status, ["Location": place])
  }

  /// Too many requests; `retryAfter`: seconds, or a date, or nothing.
  package static func tooMany(retryAfter: String? = nil) -> Self {
    .status(429, retryAfter.map { ["Retry-After": $0] } ?? [:])
  }

  /// 200 with headers of `byteCount` bytes together, 1000 in each.
  package static func headers(byteCount: Int, _ body: [UInt8] = []) -> Self {
    var lines: [String: String] = [:]
    for index in 0..<(byteCount + 999) / 1000 {
      let name = "X-Filler-\(index)"
      lines[name] = String(repeating: "x", count: 1000 - name.utf8.count)
    }
    return .status(200, lines, body)
  }

  /// 200 with a body that is far larger once it is unpacked.
  package static func gzipBomb(unpackedByteCount: Int) -> Self {
    .status(200, ["Content-Encoding": "gzip"], gzippedZeros(unpackedByteCount))
  }
}

/// A gzip member of zeros, about a hundred and sixty times as small: one block of fixed codes, a literal zero
/// and then matches of 258 bytes at distance 1 (RFC 1951, 3.2.6).
package func gzippedZeros(_ count: Int) -> [UInt8] {
  var out: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
  var bits: UInt64 = 0
  var bitCount: UInt64 = 0
  // Huffman codes go in from their highest bit, all else from its lowest.
  func put(_ value: UInt64, _ count: UInt64, isCode: Bool) {
    for index in 0..<count {
      let bit = isCode ? value >> (count - 1 - index) & 1 : value >> index & 1
      bits |= bit << bitCount
      bitCount += 1
    }
    while bitCount >= 8 {
      out.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
  }
  put(1, 1, isCode: false)
  put(1, 2, isCode: false)
  var left = count
  func literal() {
    put(0x30, 8, isCode: true)
    left -= 1
  }
  if left > 0 { literal() }
  while left >= 258 {
    // Length 258 is code 285 with no further bits, distance 1 code 0.
    put(0b1100_0101, 8, isCode: true)
    put(0, 5, isCode: true)
    left -= 258
  }
  while left > 0 { literal() }
  put(0, 7, isCode: true)
  if bitCount > 0 { put(0, 8 - bitCount, isCode: false) }
  let checksum = crc32OfZeros(count)
  for value in [checksum, UInt32(truncatingIfNeeded: count)] {
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      out.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
  return out
}

/// The checksum of `count` zeros, in as many steps as the count has bits: a zero byte is a linear map of the
/// register, and maps of twice as many bytes are squares.
private func crc32OfZeros(_ count: Int) -> UInt32 {
  func apply(_ map: [UInt32], _ value: UInt32) -> UInt32 {
    (0..<32).reduce(0) { value >> $1 & 1 == 1 ? $0 ^ map[$1] : $0 }
  }
  var map = (0..<32).map { index in
    (0..<8).reduce(UInt32(1) << UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1
    }
  }
  var register = UInt32.max
  var left = count
  while left > 0 {
    if left & 1 == 1 { register = apply(map, register) }
    map = map.map { apply(map, $0) }
    left >>= 1
  }
  return ~register
}

extension TestServer {
  /// A server whose answers to a path come in the order given, the last again and again; 404 for other paths.
  package convenience init(script: [String: [Reply]]) {
    self.init { request in
      guard let replies = script[request.path], let last = replies.last else { return .status(404) }
      return request.earlier < replies.count ? replies[request.earlier] : last
    }
  }
}
