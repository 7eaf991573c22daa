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
    case .concat: slots[call.dst] = Slot(string: concatenated(call))
    case .upcase: slots[call.dst] = recased(call.slot(0), isUpper: true)
    case .downcase: slots[call.dst] = recased(call.slot(0), isUpper: false)
    case .split: split(call)
    case .join:
      guard case .array(let items) = value(call, 0) else { return false }
      set(
        call,
        .string(items.map(\.text).joined(separator: String(decoding: call.slot(1).bytes, as: UTF8.self))))
    case .numberFormat: return formatNumber(call)
    case .format: format(call)
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
    default: return copy(value(call, index).text)
    }
  }

  private func concatenated(_ call: SlowCall) -> UnsafeBufferPointer<UInt8> {
    if call.count == 1 { return printed(call, 0) }
    return withUnsafeTemporaryAllocation(of: UnsafeBufferPointer<UInt8>.self, capacity: max(1, call.count)) {
      parts in
      var total = 0
      for index in 0..<call.count {
        parts[index] = printed(call, index)
        total += parts[index].count
      }
      let target = allocate(total)
      var place = 0
      for index in 0..<call.count {
        if let base = parts[index].baseAddress {
          memcpy(target.baseAddress! + place, base, parts[index].count)
        }
        place += parts[index].count
      }
      return UnsafeBufferPointer(target)
    }
  }

  private func image(_ name: Slot) -> Slot {
    guard name.length > 0 else { return .null }
    let isAvailable = availableImages?.contains(String(decoding: name.bytes, as: UTF8.self)) ?? false
    return Slot(string: name.bytes, isAvailable ? .availableImage : .image)
  }

  private func recased(_ slot: Slot, isUpper: Bool) -> Slot {
    let source = slot.bytes
    if source.contains(where: { $0 >= 0x80 }) {
      let text = String(decoding: source, as: UTF8.self)
      return Slot(string: copy(isUpper ? text.uppercased() : text.lowercased()))
    }
    let target = allocate(source.count)
    for index in 0..<source.count {
      let byte = source[index]
      let isChanged = isUpper ? byte >= 0x61 && byte <= 0x7A : byte >= 0x41 && byte <= 0x5A
      target[index] = isChanged ? byte ^ 0x20 : byte
    }
    return Slot(string: UnsafeBufferPointer(target))
  }

  private func split(_ call: SlowCall) {
    let text = String(decoding: call.slot(0).bytes, as: UTF8.self)
    let separator = Array(call.slot(1).bytes)
    if separator.isEmpty {
      // JavaScript splits into UTF-16 units; halves of a surrogate pair cannot be held here, so that pairs
      // stay together.
      return set(call, .array(text.unicodeScalars.map { .string(String($0)) }))
    }
    let bytes = Array(call.slot(0).bytes)
    var parts: [ExpressionValue] = []
    var start = 0
    var place = 0
    while place + separator.count <= bytes.count {
      if bytes[place] == separator[0] && bytes[place..<place + separator.count].elementsEqual(separator) {
        parts.append(.string(String(decoding: bytes[start..<place], as: UTF8.self)))
        place += separator.count
        start = place
      } else {
        place += 1
      }
    }
    parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
    set(call, .array(parts))
  }

  private func formatNumber(_ call: SlowCall) -> Bool {
    guard case .options(let names) = call.detail else { return false }
    var style = NumberStyle()
    for (index, name) in names.enumerated() {
      let slot = call.slot(index + 1)
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

  private func format(_ call: SlowCall) {
    guard case .format(let options) = call.detail else { return }
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
      var section = FormattedText.Section(text: "")
      if case .image(let image) = value(call, content) {
        section.image = image
      } else {
        section.text = String(decoding: printed(call, content), as: UTF8.self)
        section.scale = scale.map { call.slot($0).number }
        if let font, case .array(let names) = value(call, font) {
          section.fontStack = names.map(\.text).joined(separator: ",")
        }
        section.textColor = color.map { call.frame.pointee.colors[call.register($0)] }
      }
      section.verticalAlignName = align.map { String(decoding: call.slot($0).bytes, as: UTF8.self) }
      sections.append(section)
    }
    set(call, .formatted(FormattedText(sections: sections)))
  }
}
