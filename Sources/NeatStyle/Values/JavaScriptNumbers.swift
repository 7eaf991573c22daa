import NeatBase
import NeatJSON

/// A number as JavaScript's `String(x)` prints it.
func jsNumber(_ value: Double) -> String {
  if value.isNaN { return "NaN" }
  if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
  return formatNumber(value)
}

/// JavaScript's `Math.round`: halves go up.
@inline(__always)
func jsRound(_ value: Double) -> Double {
  let floor = value.rounded(.down)
  return value - floor >= 0.5 ? floor + 1 : floor
}

/// Longest text that is read as a number, in bytes.
let maxNumberLength = 1024

/// JavaScript's `Number(text)`; nil where that is NaN.
func jsNumber(parsing bytes: UnsafeBufferPointer<UInt8>) -> Double? {
  var first = 0
  var last = bytes.count
  while first < last, bytes[first] == 0x20 || bytes[first] >= 9 && bytes[first] <= 13 { first += 1 }
  while last > first, bytes[last - 1] == 0x20 || bytes[last - 1] >= 9 && bytes[last - 1] <= 13 { last -= 1 }
  guard first < last else { return 0 }
  guard last - first <= maxNumberLength else { return nil }
  let text = UnsafeBufferPointer(rebasing: bytes[first..<last])
  if text.count > 2, text[0] == 0x30, let radix = [0x78: 16, 0x6F: 8, 0x62: 2][Int(text[1] | 0x20)] {
    return integer(UnsafeBufferPointer(rebasing: text[2...]), radix: radix)
  }
  var digits = 0
  var place = text[0] == 0x2B || text[0] == 0x2D ? 1 : 0
  func skipDigits() {
    while place < text.count, text[place] >= 0x30, text[place] <= 0x39 {
      place += 1
      digits += 1
    }
  }
  skipDigits()
  if place < text.count, text[place] == 0x2E {
    place += 1
    skipDigits()
  }
  guard digits > 0 else { return infinity(text) }
  if place < text.count, text[place] | 0x20 == 0x65 {
    place += 1
    if place < text.count, text[place] == 0x2B || text[place] == 0x2D { place += 1 }
    digits = 0
    skipDigits()
    if digits == 0 { return nil }
  }
  guard place == text.count else { return nil }
  return withUnsafeTemporaryAllocation(of: CChar.self, capacity: text.count + 1) { room in
    for index in 0..<text.count { room[index] = CChar(bitPattern: text[index]) }
    room[text.count] = 0
    return strtod(room.baseAddress!, nil)
  }
}

private func integer(_ text: UnsafeBufferPointer<UInt8>, radix: Int) -> Double? {
  var value = 0.0
  for byte in text {
    let digit: Int
    switch byte {
    case 0x30...0x39: digit = Int(byte) - 0x30
    case 0x41...0x46: digit = Int(byte) - 0x41 + 10
    case 0x61...0x66: digit = Int(byte) - 0x61 + 10
    default: return nil
    }
    guard digit < radix else { return nil }
    value = value * Double(radix) + Double(digit)
  }
  return value
}

private func infinity(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
  switch String(decoding: text, as: UTF8.self) {
  case "Infinity", "+Infinity": .infinity
  case "-Infinity": -.infinity
  default: nil
  }
}
