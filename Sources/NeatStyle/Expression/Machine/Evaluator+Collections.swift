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
    case .makeArray: return makeArray(call)
    case .makeObject: return makeObject(call)
    case .getMember: set(call, member(call) ?? .null)
    case .hasMember: set(call, .bool(member(call) != nil))
    default: return false
    }
    return true
  }

  private func makeArray(_ call: SlowCall) -> Bool {
    var items: [ExpressionValue] = []
    for index in 0..<call.count {
      guard let item = owned(call, index) else { return false }
      items.append(item)
    }
    set(call, .array(items))
    return true
  }

  private func makeObject(_ call: SlowCall) -> Bool {
    guard case .names(let names) = call.detail else { return false }
    // Of equal names the last one counts.
    var members: [ExpressionValue.Member] = []
    var seen: Set<String> = []
    for (index, name) in names.enumerated().reversed() where seen.insert(name).inserted {
      guard charge(bytes: name.utf8.count), let value = owned(call, index) else { return false }
      members.append(ExpressionValue.Member(name, value))
    }
    set(call, .object(members.reversed()))
    return true
  }

  /// An argument that becomes part of a value: charged with all that is in it, as if nothing were shared.
  private func owned(_ call: SlowCall, _ index: Int) -> ExpressionValue? {
    if call.slot(index).is(.boxed) {
      let value = value(call, index)
      return charge(value) ? value : nil
    }
    guard charge(bytes: EvaluationBudget.itemBytes) else { return nil }
    let value = value(call, index)
    return isOverrun ? nil : value
  }

  private func member(_ call: SlowCall) -> ExpressionValue? {
    let name = value(call, 0)
    guard case .string(let name) = name, case .object(let members) = value(call, 1),
      charge(steps: 1 + members.count)
    else { return nil }
    return members.first { $0.key == name }?.value
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
    // An empty haystack holds nothing, whatever the needle is.
    guard Machine.isTruthy(call.slot(1)) else {
      set(call, .bool(false))
      return true
    }
    guard let needle = needle(call) else { return false }
    if call.slot(1).is(.string) {
      set(call, .bool(find(needle.text, in: call.slot(1).bytes, from: 0) != nil))
      return true
    }
    let haystack = value(call, 1)
    guard case .array(let items) = haystack else {
      return fail(
        call,
        "Expected second argument to be of type array or string, but found \(haystack.type.description) instead."
      )
    }
    set(call, .bool(firstIndex(of: needle.value, in: items[...]) != nil))
    return true
  }

  private static func isSame(_ a: ExpressionValue, _ b: ExpressionValue) -> Bool {
    if case .number(let x) = a, case .number(let y) = b { return x == y }
    switch a {
    case .null, .bool, .string: return a == b
    default: return false
    }
  }

  private func firstIndex(of needle: ExpressionValue, in items: ArraySlice<ExpressionValue>) -> Int? {
    let length = if case .string(let text) = needle { text.utf8.count } else { 0 }
    return items.firstIndex { item in
      var compared = 0
      if length > 0, case .string(let text) = item { compared = min(length, text.utf8.count) }
      return charge(reading: compared) && Evaluator.isSame(item, needle)
    }
  }

  /// Where a text stands among bytes. The work is charged as it is done: texts that nearly repeat make it
  /// quadratic.
  private func find(_ needle: String, in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var needle = needle
    return needle.withUTF8 { needle in
      guard let first = needle.first, let word = needle.baseAddress else { return min(start, text.count) }
      guard charge(reading: text.count - min(start, text.count)) else { return nil }
      var place = start
      while place + needle.count <= text.count {
        if text[place] == first {
          guard needle.count < Evaluator.shortNeedle || charge(reading: needle.count) else { return nil }
          if memcmp(text.baseAddress! + place, word, needle.count) == 0 { return place }
        }
        place += 1
      }
      return nil
    }
  }

  /// Bytes that are compared at a place of a text without being counted.
  private static let shortNeedle = 64

  /// A number as JavaScript takes it for an index: NaN is 0, fractions are cut, and it stays within
  /// -limit...limit.
  private static func integer(_ number: Double, _ limit: Int) -> Int {
    number.isNaN ? 0 : Int(bounded: max(Double(-limit), min(Double(limit), number.rounded(.towardZero))))
  }

  private func indexOf(_ call: SlowCall) -> Bool {
    guard let needle = needle(call) else { return false }
    let start = call.count > 2 ? call.slot(2).number : 0
    if call.slot(1).is(.string) {
      let text = call.slot(1).bytes
      // The start is counted in UTF-16 units, the result in scalars.
      let first = Evaluator.place(ofUnit: max(0, Evaluator.integer(start, text.count)), in: text)
      let found = find(needle.text, in: text, from: first)
      let count = found.map { text[..<$0].count { $0 & 0xC0 != 0x80 } }
      set(call, .number(count.map(Double.init) ?? -1))
      return true
    }
    let haystack = value(call, 1)
    guard case .array(let items) = haystack else {
      return fail(
        call,
        "Expected second argument to be of type array or string, but found \(haystack.type.description) instead."
      )
    }
    let offset = Evaluator.integer(start, items.count)
    let first = offset < 0 ? max(0, items.count + offset) : offset
    set(call, .number(firstIndex(of: needle.value, in: items[first...]).map(Double.init) ?? -1))
    return true
  }

  /// The byte at which a UTF-16 unit begins; that of its character, where it is the second of a pair.
  private static func place(ofUnit unit: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var left = unit
    var place = 0
    while place < text.count {
      let byte = text[place]
      if byte & 0xC0 != 0x80 {
        let units = byte >= 0xF0 ? 2 : 1
        if left < units { return place }
        left -= units
      }
      place += 1
    }
    return place
  }

  private func slice(_ call: SlowCall) -> Bool {
    func range(_ count: Int) -> Range<Int> {
      func place(_ index: Int) -> Int {
        let number = Evaluator.integer(call.slot(index).number, count)
        return number < 0 ? count + number : number
      }
      let start = place(1)
      let end = call.count > 2 ? place(2) : count
      return start..<max(start, end)
    }
    if call.slot(0).is(.string) {
      let text = call.slot(0).bytes
      guard charge(reading: text.count) else { return false }
      let wanted = range(text.count { $0 & 0xC0 != 0x80 })
      let start = Evaluator.place(ofScalar: wanted.lowerBound, in: text)
      let rest = UnsafeBufferPointer(rebasing: text[start...])
      let length = Evaluator.place(ofScalar: wanted.count, in: rest)
      call.frame.pointee.slots[call.dst] = Slot(string: UnsafeBufferPointer(rebasing: rest[..<length]))
      return true
    }
    let input = value(call, 0)
    guard case .array(let items) = input else {
      return fail(
        call,
        "Expected first argument to be of type array or string, but found \(input.type.description) instead.")
    }
    let part = items[range(items.count)]
    for item in part {
      guard charge(item) else { return false }
    }
    set(call, .array(Array(part)))
    return true
  }

  /// The byte at which a character begins; the end, where there are not so many.
  private static func place(ofScalar number: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
    var left = number
    for place in text.indices where text[place] & 0xC0 != 0x80 {
      if left == 0 { return place }
      left -= 1
    }
    return text.count
  }

  private func length(_ call: SlowCall) -> Bool {
    let slot = call.slot(0)
    if slot.is(.string) {
      guard charge(reading: slot.bytes.count) else { return false }
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
