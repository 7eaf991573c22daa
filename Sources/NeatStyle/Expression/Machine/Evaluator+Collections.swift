import NeatBase

// at, in, index-of, slice, length, arrays and objects. Places in strings are counted in Unicode scalars.
extension Evaluator {
  func performCollection(_ call: SlowCall) -> Bool {
    switch SlowOperation(rawValue: call.instruction.x)! {
    case .at: return element(call)
    case .contains: return contains(call)
    case .indexOf: return indexOf(call)
    case .slice: return slice(call)
    case .length: return length(call)
    case .makeArray: set(call, .array((0..<call.count).map { value(call, $0) }))
    case .makeObject:
      guard case .names(let names) = call.detail else { return false }
      // Of equal names the last one counts.
      var members: [ExpressionValue.Member] = []
      var seen: Set<String> = []
      for (index, name) in names.enumerated().reversed() where seen.insert(name).inserted {
        members.append(ExpressionValue.Member(name, value(call, index)))
      }
      set(call, .object(members.reversed()))
    case .getMember: set(call, value(call, 1)[String(decoding: call.slot(0).bytes, as: UTF8.self)] ?? .null)
    case .hasMember:
      set(call, .bool(value(call, 1)[String(decoding: call.slot(0).bytes, as: UTF8.self)] != nil))
    default: return false
    }
    return true
  }

  private func element(_ call: SlowCall) -> Bool {
    let index = call.slot(0).number
    guard case .array(let items) = value(call, 1) else {
      return fail(call, "Expected value to be of type array.")
    }
    if index < 0 { return fail(call, "Array index out of bounds: \(jsNumber(index)) < 0.") }
    if index >= Double(items.count) {
      return fail(call, "Array index out of bounds: \(jsNumber(index)) > \(items.count - 1).")
    }
    guard let whole = Int(exactly: index) else {
      return fail(call, "Array index must be an integer, but found \(jsNumber(index)) instead.")
    }
    set(call, items[whole])
    return true
  }

  /// What a string is searched for: strings as they are, the rest as JavaScript prints it. Nil for arrays and
  /// objects.
  private func needle(_ call: SlowCall) -> (value: ExpressionValue, text: String)? {
    let needle = value(call, 0)
    switch needle {
    case .null, .bool, .number, .string: return (needle, needle.javaScriptString)
    default:
      _ = fail(
        call,
        "Expected first argument to be of type boolean, string, number or null, but found \(needle.type.description) instead."
      )
      return nil
    }
  }

  private func contains(_ call: SlowCall) -> Bool {
    let haystack = value(call, 1)
    // An empty haystack holds nothing, whatever the needle is.
    guard haystack.isTruthy else {
      set(call, .bool(false))
      return true
    }
    guard let needle = needle(call) else { return false }
    switch haystack {
    case .string(let text):
      set(call, .bool(Evaluator.find(Array(needle.text.utf8), in: Array(text.utf8), from: 0) != nil))
    case .array(let items): set(call, .bool(items.contains { Evaluator.isSame($0, needle.value) }))
    default:
      return fail(
        call,
        "Expected second argument to be of type array or string, but found \(haystack.type.description) instead."
      )
    }
    return true
  }

  private static func isSame(_ a: ExpressionValue, _ b: ExpressionValue) -> Bool {
    if case .number(let x) = a, case .number(let y) = b { return x == y }
    switch a {
    case .null, .bool, .string: return a == b
    default: return false
    }
  }

  private static func find(_ needle: [UInt8], in text: [UInt8], from start: Int) -> Int? {
    if needle.isEmpty { return min(start, text.count) }
    var place = start
    while place + needle.count <= text.count {
      if text[place] == needle[0] && text[place..<place + needle.count].elementsEqual(needle) { return place }
      place += 1
    }
    return nil
  }

  /// A number as JavaScript takes it for an index: NaN is 0, fractions are cut, and it stays within
  /// -limit...limit.
  private static func integer(_ number: Double, _ limit: Int) -> Int {
    number.isNaN ? 0 : Int(bounded: max(Double(-limit), min(Double(limit), number.rounded(.towardZero))))
  }

  private func indexOf(_ call: SlowCall) -> Bool {
    guard let needle = needle(call) else { return false }
    let haystack = value(call, 1)
    let start = call.count > 2 ? call.slot(2).number : 0
    switch haystack {
    case .string(let text):
      let bytes = Array(text.utf8)
      // The start is counted in UTF-16 units, the result in scalars.
      let offset = max(0, Evaluator.integer(start, bytes.count))
      let first = text.utf16.index(text.startIndex, offsetBy: min(offset, text.utf16.count))
      let found = Evaluator.find(
        Array(needle.text.utf8), in: bytes,
        from: first.utf16Offset(in: text) == 0 ? 0 : text[..<first].utf8.count)
      let count = found.map { bytes[..<$0].count { $0 & 0xC0 != 0x80 } }
      set(call, .number(count.map(Double.init) ?? -1))
    case .array(let items):
      let offset = Evaluator.integer(start, items.count)
      let first = offset < 0 ? max(0, items.count + offset) : offset
      set(
        call,
        .number(items[first...].firstIndex { Evaluator.isSame($0, needle.value) }.map(Double.init) ?? -1))
    default:
      return fail(
        call,
        "Expected second argument to be of type array or string, but found \(haystack.type.description) instead."
      )
    }
    return true
  }

  private func slice(_ call: SlowCall) -> Bool {
    let input = value(call, 0)
    func range(_ count: Int) -> Range<Int> {
      func place(_ index: Int) -> Int {
        let number = Evaluator.integer(call.slot(index).number, count)
        return number < 0 ? count + number : number
      }
      let start = place(1)
      let end = call.count > 2 ? place(2) : count
      return start..<max(start, end)
    }
    switch input {
    case .string(let text):
      let scalars = Array(text.unicodeScalars)
      var result = String.UnicodeScalarView()
      result.append(contentsOf: scalars[range(scalars.count)])
      set(call, .string(String(result)))
    case .array(let items): set(call, .array(Array(items[range(items.count)])))
    default:
      return fail(
        call,
        "Expected first argument to be of type array or string, but found \(input.type.description) instead.")
    }
    return true
  }

  private func length(_ call: SlowCall) -> Bool {
    let slot = call.slot(0)
    if slot.is(.string) {
      set(call, .number(Double(slot.bytes.count { $0 & 0xC0 != 0x80 })))
      return true
    }
    let input = value(call, 0)
    guard case .array(let items) = input else {
      return fail(
        call, "Expected value to be of type string or array, but found \(input.type.description) instead.")
    }
    set(call, .number(Double(items.count)))
    return true
  }
}
