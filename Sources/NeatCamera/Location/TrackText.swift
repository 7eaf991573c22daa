import NeatBase

// Numbers and times as recordings write them. All take any bytes, and give nil for what is none.

/// A decimal number without spaces around it: digits, a point, an exponent of two digits.
func trackNumber(_ bytes: ArraySlice<UInt8>) -> Double? {
  guard !bytes.isEmpty, bytes.count <= 40 else { return nil }
  for byte in bytes {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      continue
    default: return nil
    }
  }
  guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
  return value
}

/// Days since 1970 of a date of the Gregorian calendar (Howard Hinnant, "chrono-compatible low-level date
/// algorithms").
func trackDays(year: Int, month: Int, day: Int) -> Int? {
  guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
  let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  guard day <= lengths[month - 1] else { return nil }
  let shifted = month <= 2 ? year - 1 : year
  let era = shifted / 400
  let ofEra = shifted - era * 400
  let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
  return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
}

/// Microseconds since 1970 of an ISO 8601 time: `2024-05-01T12:00:00.25Z`, with an offset, or with neither, which
/// is Greenwich's.
func trackTime(_ text: ArraySlice<UInt8>) -> Int64? {
  let bytes = Array(text)
  guard bytes.count >= 19, bytes.count <= 40 else { return nil }
  func digits(_ start: Int, _ count: Int) -> Int? {
    var value = 0
    guard start + count <= bytes.count else { return nil }
    for byte in bytes[start..<start + count] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }
  guard let year = digits(0, 4), bytes[4] == UInt8(ascii: "-"), let month = digits(5, 2),
    bytes[7] == UInt8(ascii: "-"), let day = digits(8, 2),
    bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "), let hour = digits(11, 2),
    bytes[13] == UInt8(ascii: ":"), let minute = digits(14, 2), bytes[16] == UInt8(ascii: ":"),
    let second = digits(17, 2), hour < 24, minute < 60, second <= 60,
    let days = trackDays(year: year, month: month, day: day)
  else { return nil }
  var micros = 0, place = 100_000
  var at = 19
  if at < bytes.count, bytes[at] == UInt8(ascii: ".") || bytes[at] == UInt8(ascii: ",") {
    at += 1
    let first = at
    while at < bytes.count, let digit = digits(at, 1) {
      micros += digit * place
      place /= 10
      at += 1
    }
    guard at > first else { return nil }
  }
  var offset = 0
  if at < bytes.count {
    switch bytes[at] {
    case UInt8(ascii: "Z"), UInt8(ascii: "z"): at += 1
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let sign = bytes[at] == UInt8(ascii: "-") ? -1 : 1
      guard let hours = digits(at + 1, 2) else { return nil }
      at += 3
      if at < bytes.count, bytes[at] == UInt8(ascii: ":") { at += 1 }
      var minutes = 0
      if at < bytes.count {
        guard let more = digits(at, 2) else { return nil }
        (minutes, at) = (more, at + 2)
      }
      guard hours < 24, minutes < 60 else { return nil }
      offset = sign * (hours * 3600 + minutes * 60)
    default: return nil
    }
  }
  guard at == bytes.count else { return nil }
  let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
  return Int64(seconds) * 1_000_000 + Int64(micros)
}
