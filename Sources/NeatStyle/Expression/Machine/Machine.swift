import NeatBase
import NeatTile

// The virtual machine. Registers always hold tagged values; instructions whose operand types the type checker
// proved do not look at tags. Nothing here allocates or counts references, but for the slow operations and
// failures, which are calls out of the loop.
enum Machine {
  /// Runs a program; gives the register of its value, or nil where it failed (the evaluator then knows why).
  /// The frame is the program's, resolved against the layer of the point.
  @inline(__always)
  static func run(
    _ program: Program, _ evaluator: Evaluator, _ frame: UnsafeMutablePointer<Frame>, _ point: MachinePoint
  ) -> Int? {
    let hot = evaluator.hot
    if hot.pointee.isDirty { evaluator.clean() }
    if program.keptCount != 0, frame.pointee.stamp != hot.pointee.stamp || frame.pointee.zoom != point.zoom {
      frame.pointee.renewKept(program, hot.pointee.stamp, point.zoom)
    }
    let result = execute(program, evaluator, frame, point)
    return result < 0 ? nil : result
  }

  /// Index of the feature's value under a key, or -1.
  @inline(__always)
  private static func valueIndex(
    _ key: UnsafeMutablePointer<Frame.Key>, _ feature: Int, _ hot: UnsafeMutablePointer<HotState>,
    _ evaluator: Evaluator
  ) -> Int {
    if let column = key.pointee.column {
      return feature >= 0 && feature < hot.pointee.featureCount ? Int(column[feature]) : -1
    }
    return key.pointee.number < 0 ? -1 : evaluator.lookUp(key, feature)
  }

  /// The branch of the feature's value under a key.
  @inline(__always)
  private static func branch(
    _ instruction: Instruction, _ program: Program, _ frame: UnsafeMutablePointer<Frame>,
    _ feature: Int, _ hot: UnsafeMutablePointer<HotState>, _ evaluator: Evaluator
  ) -> Int {
    let index = valueIndex(frame.pointee.keys + Int(instruction.x), feature, hot, evaluator)
    let table = Int(instruction.z)
    if index >= 0, let memo = frame.pointee.memos[table] {
      let known = memo[index]
      if known != 0 { return Int(known) - 1 }
    }
    return findBranch(index, table, program, frame, hot, evaluator)
  }

  @inline(never)
  private static func findBranch(
    _ index: Int, _ number: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>,
    _ hot: UnsafeMutablePointer<HotState>,
    _ evaluator: Evaluator
  ) -> Int {
    program.tables[number]._withUnsafeGuaranteedRef { table in
      guard index >= 0, let values = hot.pointee.values else { return table.branchAbsent }
      let branch = table.branch(values[index].value)
      if table.isMemoizable {
        let memo = frame.pointee.memos[number] ?? evaluator.makeMemo(frame, number)
        memo[index] = UInt16(truncatingIfNeeded: branch + 1)
      }
      return branch
    }
  }

  @inline(never)
  private static func execute(
    _ program: Program, _ evaluator: Evaluator, _ frame: UnsafeMutablePointer<Frame>, _ point: MachinePoint
  ) -> Int {
    let (code, f, c) = (program.code, frame.pointee.slots, frame.pointee.colors)
    let (hot, feature) = (evaluator.hot, point.feature)
    var pc = 0
    while true {
      let i = code[pc]
      let dst = Int(i.dst)
      let a = Int(i.a)
      switch i.op {
      case .end: return a
      case .move:
        f[dst] = f[a]
        if f[a].is(.color) { c[dst] = c[a] }
      case .jump:
        pc = Int(i.x)
        continue
      case .jumpIfFalse:
        if f[a].bits == 0 {
          pc = Int(i.x)
          continue
        }
      case .jumpIfTrue:
        if f[a].bits != 0 {
          pc = Int(i.x)
          continue
        }
      case .jumpIfNotNull:
        if !f[a].is(.null) && !f[a].is(.image) {
          pc = Int(i.x)
          continue
        }
      case .callTable:
        f[dst] = Slot(.unset, bits: UInt64(pc + 1))
        pc = Int(program.jumps[Int(i.x) + Int(f[a].bits) + Int(i.y)])
        continue
      case .callReturn:
        pc = Int(f[a].bits)
        continue
      case .ensure:
        if f[a].is(.unset) {
          f[dst] = Slot(.unset, bits: UInt64(pc + 1))
          pc = Int(i.x)
          continue
        }
      case .clear: f[dst] = Slot(.unset)
      case .fail:
        failWithText(evaluator, pc, f[a])
        return -1

      case .get:
        let index = valueIndex(frame.pointee.keys + Int(i.x), feature, hot, evaluator)
        f[dst] = index < 0 ? .null : evaluator.slot(hot.pointee.values![index])
      case .has:
        f[dst] = Slot(valueIndex(frame.pointee.keys + Int(i.x), feature, hot, evaluator) >= 0)
      case .getNumber:
        let index = valueIndex(frame.pointee.keys + Int(i.x), feature, hot, evaluator)
        guard index >= 0, let number = hot.pointee.values![index].number else {
          return failType(evaluator, program, pc, index, i.y)
        }
        f[dst] = Slot(number)
      case .getString:
        let index = valueIndex(frame.pointee.keys + Int(i.x), feature, hot, evaluator)
        guard index >= 0, hot.pointee.values![index].kind == RawTileValue.string else {
          return failType(evaluator, program, pc, index, i.y)
        }
        let value = hot.pointee.values![index]
        f[dst] = Slot(.string, length: value.length, bits: value.bits)
      case .getBool:
        let index = valueIndex(frame.pointee.keys + Int(i.x), feature, hot, evaluator)
        guard index >= 0, hot.pointee.values![index].kind == RawTileValue.bool else {
          return failType(evaluator, program, pc, index, i.y)
        }
        f[dst] = Slot(hot.pointee.values![index].bits != 0)
      case .testKey:
        let outcome = branch(i, program, frame, feature, hot, evaluator)
        if outcome != 1 {
          pc = Int(outcome == 0 ? i.y : i.w)
          continue
        }
      case .switchKey:
        pc = Int(program.jumps[Int(i.y) + branch(i, program, frame, feature, hot, evaluator)])
        continue
      case .switchValue:
        pc = Int(
          program.jumps[Int(i.y) + program.tables[Int(i.z)]._withUnsafeGuaranteedRef { $0.branch(f[a]) }])
        continue
      case .testGeometry:
        let type =
          feature >= 0 && feature < hot.pointee.featureCount ? Int32(hot.pointee.types![feature] & 3) : 4
        if i.x >> type & 1 == 0 {
          pc = Int(i.y)
          continue
        }

      case .zoom: f[dst] = Slot(point.zoom)

      case .add: f[dst] = Slot(f[a].number + f[Int(i.b)].number)
      case .subtract: f[dst] = Slot(f[a].number - f[Int(i.b)].number)
      case .multiply: f[dst] = Slot(f[a].number * f[Int(i.b)].number)
      case .divide: f[dst] = Slot(f[a].number / f[Int(i.b)].number)
      case .negate: f[dst] = Slot(-f[a].number)
      case .minimum: f[dst] = Slot(minimum(f[a].number, f[Int(i.b)].number))
      case .maximum: f[dst] = Slot(-minimum(-f[a].number, -f[Int(i.b)].number))
      case .absolute: f[dst] = Slot(f[a].number.magnitude)

      case .not: f[dst] = Slot(f[a].bits == 0)
      case .equalNumbers: f[dst] = Slot(f[a].number == f[Int(i.b)].number)
      case .equalStrings: f[dst] = Slot(Slot.sameBytes(f[a], f[Int(i.b)]))
      case .equalAny: f[dst] = Slot(isEqual(f[a], f[Int(i.b)]))
      case .lessNumbers: f[dst] = Slot(f[a].number < f[Int(i.b)].number)
      case .lessOrEqualNumbers: f[dst] = Slot(f[a].number <= f[Int(i.b)].number)
      case .compare:
        guard let outcome = compare(Comparison(rawValue: i.x)!, f[a], f[Int(i.b)]) else {
          failComparison(evaluator, frame, pc, i)
          return -1
        }
        f[dst] = Slot(outcome)

      case .requireType:
        if program.typeMasks[Int(i.x)] & f[a].tagBit == 0,
          !f[a].is(.boxed) || !evaluator.isType(a, program, frame, Int(i.x))
        {
          failRequirement(evaluator, program, frame, pc, a, Int(i.x))
          return -1
        }
      case .jumpIfType:
        if program.typeMasks[Int(i.x)] & f[a].tagBit != 0
          || f[a].is(.boxed) && evaluator.isType(a, program, frame, Int(i.x))
        {
          pc = Int(i.y)
          continue
        }
      case .toBoolean: f[dst] = Slot(isTruthy(f[a]))
      case .print:
        if f[a].is(.string), f[a].length > 0 {
          f[dst] = f[a]
          f[dst].tag = UInt32(truncatingIfNeeded: i.z)
        } else if !evaluator.perform(i, pc, program, frame, point) {
          return -1
        }
      case .coerce:
        if evaluator.coerce(CoercionKind(rawValue: i.x)!, a, dst, program, frame) {
          pc = Int(i.y)
          continue
        }
      case .failCoercion:
        failCoercion(evaluator, program, frame, pc, a, CoercionKind(rawValue: i.x)!)
        return -1

      case .curve:
        guard find(f[a].number, Int(i.x), program, frame) else { return failInput(evaluator, pc) }
        let state = frame.pointee.curves[Int(i.x)]
        f[dst + 1] = Slot(.number, bits: UInt64(state.stop))
        if state.isBetween == 0 {
          pc = Int(i.y)
          continue
        }
        f[dst] = Slot(state.factor)
      case .curveNumbers:
        let curve = frame.pointee.curves + Int(i.x)
        if curve.pointee.input != f[a].number, !find(f[a].number, Int(i.x), program, frame) {
          return failInput(evaluator, pc)
        }
        let outputs = program.curveNumbers + Int(i.z) + Int(curve.pointee.stop)
        f[dst] = Slot(
          curve.pointee.isBetween == 0 ? outputs[0] : mix(outputs[0], outputs[1], curve.pointee.factor))
      case .curveColors:
        let curve = frame.pointee.curves + Int(i.x)
        if curve.pointee.input != f[a].number, !find(f[a].number, Int(i.x), program, frame) {
          return failInput(evaluator, pc)
        }
        let outputs = program.curveColors + Int(i.z) + Int(curve.pointee.stop)
        c[dst] =
          curve.pointee.isBetween == 0
          ? outputs[0] : RGBA.mixRGB(outputs[0], outputs[1], curve.pointee.factor)
        f[dst] = Slot(.color)
      case .stepCurve:
        guard find(f[a].number, Int(i.x), program, frame) else { return failInput(evaluator, pc) }
        pc = Int(program.jumps[Int(i.y) + Int(frame.pointee.curves[Int(i.x)].stop)])
        continue
      case .mixNumbers: f[dst] = Slot(mix(f[a].number, f[a + 1].number, f[Int(i.b)].number))
      case .mixColors:
        c[dst] = RGBA.mixRGB(c[a], c[a + 1], f[Int(i.b)].number)
        f[dst] = Slot(.color)
      case .mixAny:
        let space = ColorSpace(rawValue: UInt8(truncatingIfNeeded: i.x))!
        if !evaluator.mixAny(dst, a, f[Int(i.b)].number, space, pc, program, frame) { return -1 }

      case .slow:
        if !evaluator.perform(i, pc, program, frame, point) { return -1 }
      default: secondary(i, evaluator, f, point)
      }
      pc += 1
    }
  }

  /// What is rarer, kept apart so that the loop above stays small.
  @inline(never)
  private static func secondary(
    _ i: Instruction, _ evaluator: Evaluator, _ f: UnsafeMutablePointer<Slot>, _ point: MachinePoint
  ) {
    let dst = Int(i.dst)
    let a = Int(i.a)
    switch i.op {
    case .geometryType: f[dst] = evaluator.geometryTypeSlot(point)
    case .id: f[dst] = evaluator.idSlot(point)
    case .heatmapDensity: f[dst] = Slot(point.ramp.heatmapDensity)
    case .elevation: f[dst] = Slot(point.ramp.elevation)
    case .lineProgress: f[dst] = Slot(point.ramp.lineProgress)
    case .skyRadialProgress: f[dst] = Slot(point.ramp.skyRadialProgress)
    case .modulo: f[dst] = Slot(fmod(f[a].number, f[Int(i.b)].number))
    case .power: f[dst] = Slot(power(f[a].number, f[Int(i.b)].number))
    case .squareRoot: f[dst] = Slot(f[a].number.squareRoot())
    case .log10: f[dst] = Slot(log(f[a].number) / 2.302585092994046)
    case .ln: f[dst] = Slot(log(f[a].number))
    case .log2: f[dst] = Slot(log(f[a].number) / 0.6931471805599453)
    case .sine: f[dst] = Slot(sin(f[a].number))
    case .cosine: f[dst] = Slot(cos(f[a].number))
    case .tangent: f[dst] = Slot(tan(f[a].number))
    case .arcSine: f[dst] = Slot(asin(f[a].number))
    case .arcCosine: f[dst] = Slot(acos(f[a].number))
    case .arcTangent: f[dst] = Slot(atan(f[a].number))
    case .round: f[dst] = Slot(f[a].number < 0 ? -jsRound(-f[a].number) : jsRound(f[a].number))
    case .floor: f[dst] = Slot(f[a].number.rounded(.down))
    case .ceiling: f[dst] = Slot(f[a].number.rounded(.up))
    default: preconditionFailure("no such operation")
    }
  }

  /// Finds the stops around an input, and the place between them; false for NaN.
  @inline(__always)
  private static func find(
    _ input: Double, _ number: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    let state = frame.pointee.curves + number
    return state.pointee.input == input ? true : search(input, number, program, state)
  }

  @inline(never)
  private static func search(
    _ input: Double, _ number: Int, _ program: Program, _ state: UnsafeMutablePointer<Frame.CurveState>
  ) -> Bool {
    if input.isNaN { return false }
    let curve = program.curves + number
    let stops = curve.pointee.stops
    let last = curve.pointee.count - 1
    var stop = 0
    var isBetween = false
    if input >= stops[last] {
      stop = last
    } else if input > stops[0] {
      var high = last
      while high - stop > 1 {
        let middle = (stop + high) / 2
        if stops[middle] <= input { stop = middle } else { high = middle }
      }
      isBetween = true
    }
    let factor = isBetween ? curve.pointee.factor(input, stop) : 0
    state.pointee = Frame.CurveState(
      input: input, stop: Int32(stop), isBetween: isBetween ? 1 : 0, factor: factor)
    return true
  }

  /// JavaScript's `Math.pow`: 1 to the power of NaN or infinity is NaN.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    if exponent.isNaN || exponent.isInfinite && base.magnitude == 1 { return .nan }
    return pow(base, exponent)
  }

  @inline(__always)
  private static func minimum(_ a: Double, _ b: Double) -> Double {
    if a.isNaN || b.isNaN { return .nan }
    return a < b || a == b && a.sign == .minus ? a : b
  }

  /// JavaScript's `===`: objects are equal to nothing but themselves.
  @inline(__always)
  static func isEqual(_ a: Slot, _ b: Slot) -> Bool {
    guard a.tag == b.tag else { return false }
    if a.is(.string) { return Slot.sameBytes(a, b) }
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
  private static func compare(_ comparison: Comparison, _ a: Slot, _ b: Slot) -> Bool? {
    guard a.tag == b.tag else { return nil }
    if a.is(.number) { return comparison.holds(a.number, b.number) }
    guard a.is(.string) else { return nil }
    return comparison.holds(Double(Slot.order(a.bytes, b.bytes)), 0)
  }
}
