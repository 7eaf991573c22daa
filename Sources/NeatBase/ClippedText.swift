extension String {
  /// The text, cut off with "…" where it has more than `limit` bytes. Messages quote what they are about, and
  /// what they are about may be a megabyte long.
  package func clipped(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var bytes = Array(utf8.prefix(limit + 1))
    // A character is not cut in two: its bytes behind the first are 10xxxxxx.
    var end = limit
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    bytes.removeLast(bytes.count - end)
    return String(decoding: bytes, as: UTF8.self) + "…"
  }
}
