import NeatBase
import NeatJSON
import NeatTile

// Between registers, values of the tile, and values that own what they hold.
extension Evaluator {
  /// A property's value as a register holds it.
  @inline(__always)
  func slot(_ value: RawTileValue) -> Slot {
    if value.kind == RawTileValue.string { return Slot(.string, length: value.length, bits: value.bits) }
    if let number = value.number { return Slot(number) }
    return otherSlot(value)
  }

  @inline(never)
  private func otherSlot(_ value: RawTileValue) -> Slot {
    switch value.kind {
    case TileValueKind.bool.rawValue: Slot(value.bits != 0)
    case TileValueKind.json.rawValue: box(charged(value.value))
    default: .null
    }
  }

  @inline(never)
  func value(_ value: TileValue) -> ExpressionValue {
    switch value.kind {
    case .null: return .null
    case .bool: return .bool(value.boolValue)
    case .int, .uint, .double: return .number(value.number ?? .nan)
    case .string: return .string(value.text)
    case .json: return (try? JSON.parse(Array(value.bytes))).map { ExpressionValue($0) } ?? .null
    }
  }

  /// The same for an evaluation, which it is charged to. Null where that is past the budget.
  @inline(never)
  private func charged(_ value: TileValue) -> ExpressionValue {
    var count = 0
    switch value.kind {
    case .string: count = value.bytes.count
    case .json:
      // Each item but the first of its array or object stands after a comma.
      let items = value.bytes.count { $0 == 0x2C || $0 == 0x5B || $0 == 0x7B } + 1
      count = value.bytes.count + items * EvaluationBudget.itemBytes
    default: break
    }
    return charge(bytes: count) && charge(reading: count) ? self.value(value) : .null
  }

  /// Puts a value into the heap, and gives the register that leads to it.
  @inline(never)
  func box(_ value: ExpressionValue) -> Slot {
    hot.pointee.isDirty = true
    heap.append(value)
    return Slot(.boxed, bits: UInt64(heap.count - 1))
  }

  /// Writes a value into a register.
  func put(_ value: ExpressionValue, _ dst: Int, _ frame: UnsafeMutablePointer<Frame>) {
    let slot: Slot
    switch value {
    case .null: slot = .null
    case .bool(let flag): slot = Slot(flag)
    case .number(let number): slot = Slot(number)
    case .string(let text): slot = Slot(string: copy(text))
    case .color(let color):
      frame.pointee.colors[dst] = color
      slot = Slot(.color)
    case .image(let image):
      slot = Slot(string: copy(image.name), image.isAvailable ? .availableImage : .image)
    default: slot = box(value)
    }
    frame.pointee.slots[dst] = slot
  }

  /// A register's value for an evaluation, which the copy of a string is charged to. Null where that is past
  /// the budget.
  func charged(_ register: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>) -> ExpressionValue {
    let length = frame.pointee.slots[register].bytes.count
    guard length == 0 || charge(bytes: length) && charge(reading: length) else { return .null }
    return value(register, program, frame)
  }

  /// A register's value, owning what it holds.
  func value(_ register: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>) -> ExpressionValue {
    let slot = frame.pointee.slots[register]
    switch Slot.Tag(rawValue: slot.tag) {
    case .bool: return .bool(slot.bool)
    case .number: return .number(slot.number)
    case .string: return .string(String(decoding: slot.bytes, as: UTF8.self))
    case .color: return .color(frame.pointee.colors[register])
    case .image: return .image(ResolvedImage(name: String(decoding: slot.bytes, as: UTF8.self)))
    case .availableImage:
      return .image(ResolvedImage(name: String(decoding: slot.bytes, as: UTF8.self), isAvailable: true))
    case .text: return .formatted(FormattedText(String(decoding: slot.bytes, as: UTF8.self)))
    case .boxed: return boxed(slot, program)
    default: return .null
    }
  }

  private func boxed(_ slot: Slot, _ program: Program) -> ExpressionValue {
    let index = Int(slot.bits)
    assert(index < (slot.length == 1 ? program.constants.count : heap.count), "what is boxed is there")
    if slot.length == 1 { return index < program.constants.count ? program.constants[index] : .null }
    return index < heap.count ? heap[index] : .null
  }

  /// Whether a register's value is of a type, where the tag alone does not tell.
  @inline(never)
  func isType(_ register: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>, _ type: Int) -> Bool
  {
    let value = boxed(frame.pointee.slots[register], program)
    let count = if case .array(let items) = value { items.count } else { 1 }
    // An item's own type may take a look at all that is in it.
    guard charge(steps: count), charge(reading: value.weight(limit: max(0, hot.pointee.stepsLeft))) else {
      return false
    }
    return program.types[type].accepts(value.type)
  }

  /// The feature's simple geometry type, as text.
  func geometryTypeSlot(_ point: MachinePoint) -> Slot {
    let feature = point.feature
    guard feature >= 0, feature < hot.pointee.featureCount, let types = hot.pointee.types else {
      return .null
    }
    let name: StaticString =
      switch types[feature] {
      case 1: "Point"
      case 2: "LineString"
      case 3: "Polygon"
      default: "Unknown"
      }
    return Slot(string: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  func idSlot(_ point: MachinePoint) -> Slot {
    if let id = point.featureID {
      switch id {
      case .number(let number): return Slot(number)
      case .string(let text): return Slot(string: copy(text))
      case .bool(let flag): return Slot(flag)
      case .null: return .null
      default: return box(id)
      }
    }
    let feature = point.feature
    guard let layer = point.layer, feature >= 0, feature < layer.featureCount, let id = layer.id(feature)
    else { return .null }
    return Slot(Double(id))
  }

  /// All properties of the feature; nil where they are past the budget.
  func properties(_ point: MachinePoint) -> ExpressionValue? {
    let feature = point.feature
    guard let layer = point.layer, feature >= 0, feature < layer.featureCount else { return .object([]) }
    var members: [ExpressionValue.Member] = []
    var places: [UInt32: Int] = [:]
    for index in layer.tagStarts[feature]..<layer.tagStarts[feature + 1] {
      let tag = layer.tags[Int(index)]
      guard charge(bytes: 2 * EvaluationBudget.itemBytes + layer.keys[Int(tag.x)].utf8.count) else {
        return nil
      }
      let value = charged(layer.values[Int(tag.y)])
      if isOverrun { return nil }
      if let place = places[tag.x] {
        members[place].value = value
      } else {
        places[tag.x] = members.count
        members.append(ExpressionValue.Member(layer.keys[Int(tag.x)], value))
      }
    }
    return .object(members)
  }

  /// A property by a name that is known only now.
  func property(_ name: UnsafeBufferPointer<UInt8>, _ point: MachinePoint) -> RawTileValue? {
    let feature = point.feature
    guard let layer = point.layer, feature >= 0, feature < layer.featureCount else { return nil }
    return layer.value(feature: feature, named: String(decoding: name, as: UTF8.self)).map {
      unsafeBitCast($0, to: RawTileValue.self)
    }
  }
}
