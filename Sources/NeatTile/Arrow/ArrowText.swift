import NeatBase

/// Dates, times and decimals as text (ISO 8601).
struct ArrowText: ~Copyable {
  var bytes = GrowingBuffer<UInt8>()

  mutating func clear() { bytes.removeAll() }

  mutating func append(_ text: String) {
    for byte in text.utf8 { bytes.append(byte) }
  }

  mutating func append(_ text: UnsafeRawBufferPointer) {
    guard let start = text.baseAddress else { return }
    bytes.append(start.assumingMemoryBound(to: UInt8.self), count: text.count)
  }

  @inline(__always) mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// A number that is not negative, with zeros before it.
  mutating func digits(_ value: Int64, _ count: Int) {
    let text = String(value)
    for _ in 0..<max(0, count - text.utf8.count) { bytes.append(0x30) }
    append(text)
  }

  // MARK: Dates and times

  /// Days since 1970 as a date of the Gregorian calendar, carried back before its beginning; years beyond
  /// four digits have a sign and six digits at least. After "chrono-compatible low-level date algorithms"
  /// by H. Hinnant.
  mutating func date(days: Int64) {
    // All days of a 64-bit count of seconds are within 2^47.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    if year < 0 || year > 9999 {
      bytes.append(year < 0 ? 0x2d : 0x2b)
      digits(abs(year), 6)
    } else {
      digits(year, 4)
    }
    bytes.append(0x2d)
    digits(month, 2)
    bytes.append(0x2d)
    digits(day, 2)
  }

  /// A time of the day; `fraction` in units of 10 to the minus `unit`, told with 3, 6 or 9 digits where it is
  /// not 0.
  mutating func time(seconds: Int64, fraction: Int64, _ unit: ArrowFormat.Unit) {
    assert(seconds >= 0 && seconds < 86_400 && fraction >= 0, "not within a day")
    digits(seconds / 3600, 2)
    bytes.append(0x3a)
    digits(seconds / 60 % 60, 2)
    bytes.append(0x3a)
    digits(seconds % 60, 2)
    guard fraction > 0 else { return }
    var value = fraction
    var count = Int(unit.rawValue)
    while count > 3 && value % 1000 == 0 {
      value /= 1000
      count -= 3
    }
    bytes.append(0x2e)
    digits(value, count)
  }

  /// An instant, or with no zone a date and time of somewhere.
  mutating func timestamp(_ value: Int64, _ unit: ArrowFormat.Unit, zoneMinutes: Int?) {
    let perSecond = unit.perSecond
    let (whole, fraction) = value.dividedDown(by: perSecond)
    // Past the range only for seconds near its ends, millions of ages away.
    let local = whole.addingReportingOverflow(Int64(zoneMinutes ?? 0) * 60)
    let (days, seconds) = (local.overflow ? whole : local.partialValue).dividedDown(by: 86_400)
    date(days: days)
    bytes.append(0x54)
    time(seconds: seconds, fraction: fraction, unit)
    guard let zoneMinutes else { return }
    guard zoneMinutes != 0, !local.overflow else { return bytes.append(0x5a) }
    bytes.append(zoneMinutes < 0 ? 0x2d : 0x2b)
    digits(Int64(abs(zoneMinutes) / 60), 2)
    bytes.append(0x3a)
    digits(Int64(abs(zoneMinutes) % 60), 2)
  }

  // MARK: Decimals

  /// A whole number of so many bytes in two's complement, lowest byte first, over 10 to the power of `scale`.
  mutating func decimal(_ source: UnsafeRawBufferPointer, scale: Int) {
    var words = stride(from: 0, to: source.count, by: 4).map {
      UInt32(littleEndian: source.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
    }
    let isNegative = words.last! >> 31 == 1
    if isNegative {
      var carry = true
      for index in words.indices {
        let (value, overflows) = (~words[index]).addingReportingOverflow(carry ? 1 : 0)
        words[index] = value
        carry = overflows
      }
    }
    // Digits, the lowest first.
    var digits: [UInt8] = []
    while words.contains(where: { $0 != 0 }) {
      var rest: UInt64 = 0
      for index in words.indices.reversed() {
        let value = rest << 32 | UInt64(words[index])
        words[index] = UInt32(value / 1_000_000_000)
        rest = value % 1_000_000_000
      }
      for _ in 0..<9 {
        digits.append(0x30 + UInt8(rest % 10))
        rest /= 10
      }
    }
    while digits.last == 0x30 { digits.removeLast() }
    if digits.isEmpty { return bytes.append(0x30) }
    if isNegative { bytes.append(0x2d) }
    if scale > 0 {
      while digits.count <= scale { digits.append(0x30) }
    }
    for index in digits.indices.reversed() {
      bytes.append(digits[index])
      if index == scale && scale > 0 { bytes.append(0x2e) }
    }
    if scale < 0 { for _ in 0..<(-scale) { bytes.append(0x30) } }
  }
}

extension ArrowFormat.Unit {
  var perSecond: Int64 {
    switch self {
    case .second: 1
    case .milli: 1000
    case .micro: 1_000_000
    case .nano: 1_000_000_000
    }
  }
}

extension Int64 {
  /// Quotient and rest, the rest never negative.
  func dividedDown(by divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
