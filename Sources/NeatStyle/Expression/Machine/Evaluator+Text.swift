import NeatBase
import NeatJSON

extension Evaluator {
  func performText(_ call: SlowCall) -> Bool {
    let slots = call.frame.pointee.slots
    switch SlowOperation(rawValue: call.instruction.x)! {
    case .toString: slots[call.dst] = Slot(string: printed(call, 0))
    case .toText: slots[call.dst] = Slot(string: printed(call, 0), .text)
    case .toImage:
      let name = printed(call, 0)
      // Unlike `image`, the coercion does not ask which images there are.
      slots[call.dst] = name.isEmpty ? .null : Slot(string: name, .image)
    case .image: slots[call.dst] = image(call.slot(0))
    case .concat:
      guard let text = concatenated(call) else { return false }
      slots[call.dst] = Slot(string: text)
    case .upcase: slots[call.dst] = recased(call.slot(0), isUpper: true)
    case .downcase: slots[call.dst] = recased(call.slot(0), isUpper: false)
    case .split: return split(call)
    case .join: return join(call)
    case .numberFormat: return formatNumber(call)
    case .format: return format(call)
    case .keepImage:
      // `call.slot(0)` is the last result; the destination keeps the first missing image.
      if call.slot(0).is(.image) && slots[call.dst].is(.null) { slots[call.dst] = call.slot(0) }
    case .lastImage:
      if call.slot(0).is(.image) { slots[call.dst] = Slot(string: call.slot(1).bytes) }
    default: return false
    }
    return true
  }

  /// The bytes of an argument as `to-string` prints it.
  private func printed(_ call: SlowCall, _ index: Int) -> UnsafeBufferPointer<UInt8> {
    let slot = call.slot(index)
    switch Slot.Tag(rawValue: slot.tag) {
    case .string, .image, .availableImage, .text: return slot.bytes
    case .null: return UnsafeBufferPointer(start: nil, count: 0)
    case .bool:
      let word: StaticString = slot.bool ? "true" : "false"
      return UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    case .number: return copy(jsNumber(slot.number))
    default:
      let value = value(call, index)
      // Printing takes time and memory by what it weighs, whatever the length of the text.
      let weight = value.weight(limit: 2 * max(0, hot.pointee.bytesLeft))
      return charge(reading: weight) && weight <= 2 * hot.pointee.bytesLeft
        ? copy(value.text) : UnsafeBufferPointer(start: nil, count: 0)
    }
  }

  /// Nil where it is past the budget.
  private func concatenated(_ call: SlowCall) -> UnsafeBufferPointer<UInt8>? {
    if call.count == 1 { return printed(call, 0) }
    return withUnsafeTemporaryAllocation(of: UnsafeBufferPointer<UInt8>.self, capacity: max(1, call.count)) {
      parts in
      var total = 0
      for index in 0..<call.count {
        parts[index] = printed(call, index)
        total += parts[index].count
      }
      if total == 0 { return UnsafeBufferPointer(start: nil, count: 0) }
      let target = allocate(total)
      guard let start = target.baseAddress else { return nil }
      var place = 0
      for index in 0..<call.count {
        if let base = parts[index].baseAddress {
          memcpy(start + place, base, parts[index].count)
        }
        place += parts[index].count
      }
      return UnsafeBufferPointer(target)
    }
  }

  private func image(_ name: Slot) -> Slot {
    guard name.length > 0, charge(reading: Int(name.length)) else { return .null }
    let isAvailable = availableImages?.contains(String(decoding: name.bytes, as: UTF8.self)) ?? false
    return Slot(string: name.bytes, isAvailable ? .availableImage : .image)
  }

  private func recased(_ slot: Slot, isUpper: Bool) -> Slot {
    let source = slot.bytes
    if source.contains(where: { $0 >= 0x80 }) {
      return recased(unicode: source, isUpper: isUpper)
    }
    let target = allocate(source.count)
    for index in 0..<target.count {
      let byte = source[index]
      let isChanged = isUpper ? byte >= 0x61 && byte <= 0x7A : byte >= 0x41 && byte <= 0x5A
      target[index] = isChanged ? byte ^ 0x20 : byte
    }
    return Slot(string: UnsafeBufferPointer(target))
  }

  /// In portions, since the standard library takes a letter at a time: a step and more.
  private func recased(unicode source: UnsafeBufferPointer<UInt8>, isUpper: Bool) -> Slot {
    var result: [UInt8] = []
    var start = 0
    while start < source.count {
      var end = min(source.count, start + Evaluator.recasedBytes)
      while end < source.count, source[end] & 0xC0 == 0x80 { end += 1 }
      guard charge(bytes: end - start), charge(steps: 2 * (end - start)) else { return .null }
      let text = String(decoding: source[start..<end], as: UTF8.self)
      result += (isUpper ? text.uppercased() : text.lowercased()).utf8
      start = end
    }
    return Slot(string: result.withUnsafeBufferPointer { copy($0) })
  }

  private static let recasedBytes = 1 << 14

  private func split(_ call: SlowCall) -> Bool {
    let text = call.slot(0).bytes
    let separator = call.slot(1).bytes
    var parts: [ExpressionValue] = []
    func add(_ part: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
      guard charge(bytes: EvaluationBudget.itemBytes + part.count), charge(reading: part.count) else {
        return false
      }
      parts.append(.string(String(decoding: part, as: UTF8.self)))
      return true
    }
    guard charge(reading: text.count) else { return false }
    var start = 0
    var place = 0
    if let first = separator.first {
      while place + separator.count <= text.count {
        guard text[place] == first else {
          place += 1
          continue
        }
        guard charge(reading: separator.count) else { return false }
        guard memcmp(text.baseAddress! + place, separator.baseAddress!, separator.count) == 0 else {
          place += 1
          continue
        }
        guard add(text[start..<place]) else { return false }
        place += separator.count
        start = place
      }
      guard add(text[start...]) else { return false }
    } else {
      // JavaScript splits into UTF-16 units; halves of a surrogate pair cannot be held here, so that pairs
      // stay together.
      while start < text.count {
        place = start + 1
        while place < text.count, text[place] & 0xC0 == 0x80 { place += 1 }
        guard add(text[start..<place]) else { return false }
        start = place
      }
    }
    set(call, .array(parts))
    return true
  }

  private func join(_ call: SlowCall) -> Bool {
    guard case .array(let items) = value(call, 0), charge(steps: 1 + items.count) else { return false }
    let separator = call.slot(1).bytes
    var total = separator.count * max(0, items.count - 1)
    for item in items {
      if case .string(let text) = item {
        total += text.utf8.count
      } else {
        total += item.weight(limit: max(0, hot.pointee.bytesLeft))
      }
    }
    guard charge(bytes: total), charge(reading: total) else { return false }
    set(
      call,
      .string(items.map(\.text).joined(separator: String(decoding: separator, as: UTF8.self))))
    return true
  }

  /// Steps of a call of the library of languages: some microseconds.
  static let librarySteps = 64

  private func formatNumber(_ call: SlowCall) -> Bool {
    guard case .options(let names) = call.detail, charge(steps: Evaluator.librarySteps) else { return false }
    var style = NumberStyle()
    for (index, name) in names.enumerated() {
      let slot = call.slot(index + 1)
      guard charge(steps: slot.bytes.count) else { return false }
      let text = String(decoding: slot.bytes, as: UTF8.self)
      switch name {
      case "locale": style.locale = text
      case "currency": style.currency = text
      case "unit": style.unit = text
      case "min-fraction-digits": style.minimumFractionDigits = slot.number
      default: style.maximumFractionDigits = slot.number
      }
    }
    switch style.format(call.slot(0).number) {
    case .success(let text): set(call, .string(text))
    case .failure(let error): return fail(call, error.message)
    }
    return true
  }

  private func format(_ call: SlowCall) -> Bool {
    guard case .format(let options) = call.detail else { return false }
    var sections: [FormattedText.Section] = []
    var next = 0
    func argument() -> Int {
      next += 1
      return next - 1
    }
    for option in options {
      let content = argument()
      let scale = option.scale ? argument() : nil
      let font = option.font ? argument() : nil
      let color = option.color ? argument() : nil
      let align = option.align ? argument() : nil
      guard charge(bytes: 2 * EvaluationBudget.itemBytes) else { return false }
      var section = FormattedText.Section(text: "")
      if case .image(let image) = value(call, content) {
        section.image = image
      } else {
        let text = printed(call, content)
        guard charge(bytes: text.count), charge(reading: text.count) else { return false }
        section.text = String(decoding: text, as: UTF8.self)
        section.scale = scale.map { call.slot($0).number }
        if let font, case .array(let names) = value(call, font) {
          guard names.allSatisfy({ charge($0) }) else { return false }
          section.fontStack = names.map(\.text).joined(separator: ",")
        }
        section.textColor = color.map { call.frame.pointee.colors[call.register($0)] }
      }
      section.verticalAlignName = align.map { String(decoding: call.slot($0).bytes, as: UTF8.self) }
      sections.append(section)
    }
    set(call, .formatted(FormattedText(sections: sections)))
    return true
  }
}
