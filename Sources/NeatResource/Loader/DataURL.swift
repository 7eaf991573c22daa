import NeatBase

/// Addresses that hold their own bytes (RFC 2397): `data:[type][;base64],bytes`.
enum DataURL {
  /// Throws `invalidArgument` when there is no comma or the base64 is broken.
  static func decode(_ url: String) throws(NeatError) -> [UInt8] {
    guard let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")) else {
      throw NeatError(.invalidArgument, "a data address without a comma", resource: String(url.prefix(64)))
    }
    let body = percentDecode(url.utf8[url.utf8.index(after: comma)...])
    guard url[..<comma].lowercased().hasSuffix(";base64") else { return body }
    guard let bytes = base64(body) else {
      throw NeatError(.invalidArgument, "a data address with broken base64", resource: String(url.prefix(64)))
    }
    return bytes
  }

  /// `%XX` as bytes; a percent sign that begins no such code stands for itself.
  static func percentDecode(_ text: some Sequence<UInt8>) -> [UInt8] {
    let source = Array(text)
    var out: [UInt8] = []
    out.reserveCapacity(source.count)
    var at = 0
    while at < source.count {
      if source[at] == UInt8(ascii: "%"), at + 2 < source.count, let high = digit(source[at + 1]),
        let low = digit(source[at + 2])
      {
        out.append(high << 4 | low)
        at += 3
      } else {
        out.append(source[at])
        at += 1
      }
    }
    return out
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }

  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var out: [UInt8] = []
    out.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in text {
      let value: UInt32
      switch byte {
      case 65...90: value = UInt32(byte) - 65
      case 97...122: value = UInt32(byte) - 71
      case 48...57: value = UInt32(byte) + 4
      case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
      case UInt8(ascii: "="), 9, 10, 13, 32: continue
      default: return nil
      }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return count == 6 ? nil : out
  }
}
