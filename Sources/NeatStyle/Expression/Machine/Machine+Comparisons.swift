import NeatBase

// Values compared as JavaScript does.
extension Machine {
  @inline(__always)
  static func minimum(_ a: Double, _ b: Double) -> Double {
    if a.isNaN || b.isNaN { return .nan }
    return a < b || a == b && a.sign == .minus ? a : b
  }

  /// JavaScript's `===`: objects are equal to nothing but themselves.
  @inline(__always)
  static func isEqual(_ a: Slot, _ b: Slot, _ evaluator: Evaluator) -> Bool {
    guard a.tag == b.tag else { return false }
    if a.is(.string) { return evaluator.isSameText(a, b) }
    if a.is(.number) { return a.number == b.number }
    if a.is(.null) { return true }
    return (a.is(.bool) || a.is(.boxed)) && a.bits == b.bits && a.length == b.length
  }

  static func isTruthy(_ slot: Slot) -> Bool {
    switch Slot.Tag(rawValue: slot.tag) {
    case .null: false
    case .bool: slot.bool
    case .number: slot.number != 0 && !slot.number.isNaN
    case .string: slot.length > 0
    default: true
    }
  }

  /// The comparison of two strings or two numbers; nil for anything else.
  static func compare(_ comparison: Comparison, _ a: Slot, _ b: Slot, _ evaluator: Evaluator) -> Bool? {
    guard a.tag == b.tag else { return nil }
    if a.is(.number) { return comparison.holds(a.number, b.number) }
    guard a.is(.string) else { return nil }
    let length = Int(min(a.length, b.length))
    guard length < Slot.longText || evaluator.charge(reading: length) else { return false }
    return comparison.holds(Double(Slot.order(a.bytes, b.bytes)), 0)
  }
}

extension Evaluator {
  /// Whether two strings have the same bytes. Long ones are charged for.
  @inline(__always)
  func isSameText(_ a: Slot, _ b: Slot) -> Bool {
    guard a.length == b.length else { return false }
    if a.bits == b.bits || a.length == 0 { return true }
    guard a.length < Slot.longText else { return isSameLongText(a, b) }
    return Slot.sameBytes(a, b)
  }

  @inline(never)
  private func isSameLongText(_ a: Slot, _ b: Slot) -> Bool {
    charge(reading: Int(a.length)) && Slot.sameBytes(a, b)
  }
}
