import NeatBase

// CSS colours as the specification takes them: names, hex of 3, 4, 6 and 8 digits, rgb[a]() and hsl[a]() in
// the comma and the space form.
extension RGBA {
  /// Longest text that is looked at, in bytes: no colour is longer.
  static let maxColorLength = 256

  package init?(css text: String) {
    var text = text
    guard let color = text.withUTF8({ RGBA.parse($0) }) else { return nil }
    self = color
  }

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> RGBA? {
    guard bytes.count <= maxColorLength else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, bytes.count)) { room -> RGBA? in
      var first = 0
      var last = bytes.count
      while first < last, isSpace(bytes[first]) { first += 1 }
      while last > first, isSpace(bytes[last - 1]) { last -= 1 }
      guard first < last else { return nil }
      for index in first..<last {
        let byte = bytes[index]
        room[index - first] = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      }
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[0..<last - first])
      if text[0] == 0x23 { return hex(text) }
      if text[text.count - 1] == 0x29 {
        var scanner = Scanner(text: text)
        return scanner.function()
      }
      return named(text)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

  private static func hex(_ text: UnsafeBufferPointer<UInt8>) -> RGBA? {
    func digit(_ index: Int) -> Int? {
      switch text[index] {
      case 0x30...0x39: Int(text[index]) - 0x30
      case 0x61...0x66: Int(text[index]) - 0x61 + 10
      default: nil
      }
    }
    var parts: [Double] = []
    switch text.count {
    case 4, 5:
      for index in 1..<text.count {
        guard let value = digit(index) else { return nil }
        parts.append(Double(value * 17) / 255)
      }
    case 7, 9:
      for index in stride(from: 1, to: text.count, by: 2) {
        guard let high = digit(index), let low = digit(index + 1) else { return nil }
        parts.append(Double(high * 16 + low) / 255)
      }
    default: return nil
    }
    return RGBA(parts[0], parts[1], parts[2], parts.count == 4 ? parts[3] : 1)
  }

  private static func named(_ text: UnsafeBufferPointer<UInt8>) -> RGBA? {
    guard text.count <= 24 else { return nil }
    let name = String(decoding: text, as: UTF8.self)
    if name == "transparent" { return RGBA(0, 0, 0, 0) }
    guard let value = colorNames[name] else { return nil }
    return RGBA(Double(value >> 16) / 255, Double(value >> 8 & 255) / 255, Double(value & 255) / 255, 1)
  }

  /// Degrees, percent, percent.
  static func hsl(_ hue: Double, _ saturation: Double, _ lightness: Double, _ alpha: Double) -> RGBA {
    var h = fmod(hue, 360)
    if h < 0 { h += 360 }
    let s = saturation / 100
    let l = lightness / 100
    func part(_ n: Double) -> Double {
      let k = fmod(n + h / 30, 12)
      return l - s * min(l, 1 - l) * max(-1, min(k - 3, 9 - k, 1))
    }
    return RGBA(part(0), part(8), part(4), alpha)
  }

  private struct Scanner {
    let text: UnsafeBufferPointer<UInt8>
    var at = 0

    mutating func function() -> RGBA? {
      if skip("rgba(") || skip("rgb(") { return arguments(isHSL: false) }
      if skip("hsla(") || skip("hsl(") { return arguments(isHSL: true) }
      return nil
    }

    private mutating func skip(_ word: StaticString) -> Bool {
      guard text.count - at >= word.utf8CodeUnitCount,
        memcmp(text.baseAddress! + at, word.utf8Start, word.utf8CodeUnitCount) == 0
      else {
        return false
      }
      at += word.utf8CodeUnitCount
      return true
    }

    private mutating func skipSpace() -> Bool {
      let start = at
      while at < text.count, RGBA.isSpace(text[at]) { at += 1 }
      return at > start
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
      guard at < text.count, text[at] == byte else { return false }
      at += 1
      return true
    }

    private mutating func number() -> Double? {
      let start = at
      while at < text.count {
        switch text[at] {
        case 0x30...0x39, 0x65, 0x2E, 0x2B, 0x2D: at += 1
        default: return start < at ? value(start) : nil
        }
      }
      return nil
    }

    private mutating func value(_ start: Int) -> Double? {
      // "1deg": the exponent's letter belongs to the number only where a digit follows.
      jsNumber(parsing: UnsafeBufferPointer(rebasing: text[start..<at]))
    }

    /// Between two arguments: true for a comma, false for spaces, nil for neither.
    private mutating func separator() -> Bool? {
      let spaced = skipSpace()
      if skip(0x2C) {
        _ = skipSpace()
        return true
      }
      return spaced ? false : nil
    }

    private mutating func arguments(isHSL: Bool) -> RGBA? {
      _ = skipSpace()
      var values = SIMD4<Double>(0, 0, 0, 1)
      var percents = 0
      var commas = 0
      for index in 0..<3 {
        if index > 0 {
          guard let isComma = separator() else { return nil }
          if isComma { commas += 1 }
        }
        guard let value = number() else { return nil }
        values[index] = value
        if isHSL && index == 0 {
          _ = skip("deg")
        } else if skip(0x25) {
          percents += 1
        } else if isHSL {
          return nil
        }
      }
      guard commas == 0 || commas == 2 else { return nil }
      _ = skipSpace()
      if skip(commas == 2 ? 0x2C : 0x2F) {
        _ = skipSpace()
        guard let alpha = number() else { return nil }
        values[3] = skip(0x25) ? alpha / 100 : alpha
        _ = skipSpace()
      }
      guard skip(0x29), at == text.count else { return nil }
      let alpha = unit(values[3])
      if isHSL { return RGBA.hsl(values[0], unit(values[1] / 100) * 100, unit(values[2] / 100) * 100, alpha) }
      guard percents == 0 || percents == 3 else { return nil }
      let scale = percents == 3 ? 100.0 : 255
      return RGBA(unit(values[0] / scale), unit(values[1] / scale), unit(values[2] / scale), alpha)
    }

    private func unit(_ x: Double) -> Double { min(max(x, 0), 1) }
  }
}
