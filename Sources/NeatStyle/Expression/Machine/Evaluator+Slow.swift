import NeatBase

// The operations outside the hot paths: what they need to know, and the way to each of them.
struct SlowCall {
  let instruction: Instruction
  let pc: Int
  let program: Program
  let frame: UnsafeMutablePointer<Frame>

  var dst: Int { Int(instruction.dst) }
  var count: Int { Int(instruction.y) }
  func register(_ index: Int) -> Int { Int(instruction.a) + index }
  func slot(_ index: Int) -> Slot { frame.pointee.slots[register(index)] }
  var detail: Node.Detail { program.details[Int(instruction.z)] }
}

extension Evaluator {
  /// Runs a slow operation; false where it fails.
  @inline(never)
  func perform(
    _ instruction: Instruction, _ pc: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>,
    _ point: MachinePoint
  ) -> Bool {
    let call = SlowCall(instruction: instruction, pc: pc, program: program, frame: frame)
    if charge(steps: 1), perform(call, point), !isOverrun { return true }
    if isOverrun { fail(pc) { "" } }
    return false
  }

  private func perform(_ call: SlowCall, _ point: MachinePoint) -> Bool {
    let (program, frame, instruction) = (call.program, call.frame, call.instruction)
    switch SlowOperation(rawValue: instruction.x)! {
    case .toString, .toImage, .toText, .concat, .upcase, .downcase, .split, .join, .numberFormat, .format,
      .image, .keepImage, .lastImage:
      return performText(call)
    case .at, .contains, .indexOf, .slice, .length, .makeArray, .makeObject, .getMember, .hasMember:
      return performCollection(call)
    case .properties:
      guard let object = properties(point) else { return false }
      set(call, object)
    case .featureState:
      guard charge(reading: call.slot(0).bytes.count) else { return false }
      let name = String(decoding: call.slot(0).bytes, as: UTF8.self)
      set(call, point.state?[name] ?? .null)
    case .globalState:
      guard case .names(let names) = call.detail else { return false }
      set(call, globalState?[names[0]] ?? .null)
    case .accumulated: set(call, point.accumulated ?? .null)
    case .typeof:
      let value = value(call, 0)
      guard charge(reading: value.weight(limit: max(0, hot.pointee.bytesLeft))) else { return false }
      set(call, .string(value.type.description))
    case .rgba: return makeColor(call)
    case .toRGBA:
      let color = frame.pointee.colors[call.register(0)]
      set(
        call,
        .array([.number(color.r * 255), .number(color.g * 255), .number(color.b * 255), .number(color.a)]))
    case .collator: makeCollator(call)
    case .collate: return collate(call)
    case .resolvedLocale:
      guard case .collator(let collator) = value(call, 0),
        charge(steps: Evaluator.librarySteps + (collator.locale?.utf8.count ?? 0))
      else { return false }
      set(call, .string(collator.resolvedLocale))
    case .within: set(call, .bool(program.shapes[Int(instruction.z)].contains(self, point)))
    case .distance: set(call, .number(program.shapes[Int(instruction.z)].distance(self, point)))
    case .getComputed:
      guard charge(reading: call.slot(0).bytes.count) else { return false }
      frame.pointee.slots[call.dst] = property(call.slot(0).bytes, point).map { slot($0) } ?? .null
    case .hasComputed:
      guard charge(reading: call.slot(0).bytes.count) else { return false }
      frame.pointee.slots[call.dst] = Slot(property(call.slot(0).bytes, point) != nil)
    case .filterIDCompare: compareID(call, point)
    case .filterIDIn: frame.pointee.slots[call.dst] = Slot(isAmong(call, point))
    }
    return true
  }

  /// An argument; the copy of a string is charged for. Null where that is past the budget.
  func value(_ call: SlowCall, _ index: Int) -> ExpressionValue {
    charged(call.register(index), call.program, call.frame)
  }

  func set(_ call: SlowCall, _ value: ExpressionValue) { put(value, call.dst, call.frame) }

  func fail(_ call: SlowCall, _ message: @autoclosure () -> String) -> Bool {
    fail(call.pc, message)
    return false
  }

  private func makeColor(_ call: SlowCall) -> Bool {
    let parts = (0..<call.count).map { call.slot($0).number }
    if let message = Machine.rgbaFault(parts.map { .number($0) }) { return fail(call, message) }
    call.frame.pointee.colors[call.dst] = RGBA(
      parts[0] / 255, parts[1] / 255, parts[2] / 255, parts.count == 4 ? parts[3] : 1)
    call.frame.pointee.slots[call.dst] = Slot(.color)
    return true
  }

  private func makeCollator(_ call: SlowCall) {
    guard call.count < 3 || charge(bytes: call.slot(2).bytes.count) else { return }
    let locale = call.count > 2 ? String(decoding: call.slot(2).bytes, as: UTF8.self) : nil
    set(
      call,
      .collator(
        Collator(isCaseSensitive: call.slot(0).bool, isDiacriticSensitive: call.slot(1).bool, locale: locale))
    )
  }

  /// left, right, collator; `w`: whether the types of the two are known only now.
  private func collate(_ call: SlowCall) -> Bool {
    guard case .names(let names) = call.detail, let op = Operator(rawValue: names[0]),
      case .collator(let collator) = value(call, 2)
    else {
      return false
    }
    let left = call.slot(0)
    let right = call.slot(1)
    let comparison = CodeGenerator.comparison(op, isFlipped: false)
    guard left.is(.string) && right.is(.string) else {
      guard let comparison else {
        call.frame.pointee.slots[call.dst] = Slot(Machine.isEqual(left, right, self) == (op == .equal))
        return true
      }
      let types = (value(call, 0).type.kind, value(call, 1).type.kind)
      guard left.is(.number) && right.is(.number) else {
        return fail(
          call,
          "Expected arguments for \"\(names[0])\" to be (string, string) or (number, number), but found (\(types.0), \(types.1)) instead."
        )
      }
      call.frame.pointee.slots[call.dst] = Slot(comparison.holds(left.number, right.number))
      return true
    }
    guard
      charge(
        steps: Evaluator.librarySteps + left.bytes.count + right.bytes.count
          + (collator.locale?.utf8.count ?? 0))
    else { return false }
    let order = Double(
      collator.compare(
        String(decoding: left.bytes, as: UTF8.self), String(decoding: right.bytes, as: UTF8.self)))
    let outcome = comparison.map { $0.holds(order, 0) } ?? ((order == 0) == (op == .equal))
    call.frame.pointee.slots[call.dst] = Slot(outcome)
    return true
  }

  /// Legacy `$id`: the comparison's operator and the constant are in the detail.
  private func compareID(_ call: SlowCall, _ point: MachinePoint) {
    guard case .property(let op, let constant) = call.detail else { return }
    let id = idSlot(point)
    let table = LookupTable(
      op == "=="
        ? .labels(
          {
            var table = MatchTable()
            table.add(constant, branch: 1)
            return table
          }(), otherwise: 0, absent: 0, composite: 0)
        : .compare(
          CodeGenerator.comparison(Operator(rawValue: op) ?? .less, isFlipped: false) ?? .less, constant,
          mismatch: 0, isNegated: false))
    call.frame.pointee.slots[call.dst] = Slot(table.branch(id) == 1)
  }

  private func isAmong(_ call: SlowCall, _ point: MachinePoint) -> Bool {
    guard case .array(let values) = value(call, 0), charge(steps: values.count) else { return false }
    let id = idSlot(point)
    call.frame.pointee.slots[call.dst] = id
    let found = value(call.dst, call.program, call.frame)
    return values.contains(found)
  }
}
