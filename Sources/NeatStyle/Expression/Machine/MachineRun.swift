import NeatBase
import NeatTile

/// One run of a program: where its registers are, and the instructions that take more than a line. Plain
/// memory: objects are passed to the functions that need them, so that nothing counts references.
struct MachineRun: BitwiseCopyable {
  let frame: UnsafeMutablePointer<Frame>
  let slots: UnsafeMutablePointer<Slot>
  let colors: UnsafeMutablePointer<RGBA>
  let hot: UnsafeMutablePointer<HotState>
  let point: UnsafePointer<MachinePoint>

  @inline(__always)
  init(
    _ program: Program, _ evaluator: Evaluator, _ frame: UnsafeMutablePointer<Frame>,
    _ point: UnsafePointer<MachinePoint>
  ) {
    assert(frame.pointee.programID == program.id, "a frame is that of one program")
    self.frame = frame
    self.point = point
    slots = frame.pointee.slots
    colors = frame.pointee.colors
    hot = evaluator.hot
  }

  /// Index of the value of the instruction's key, or -1.
  @inline(__always)
  func valueIndex(_ i: Instruction, _ evaluator: Evaluator) -> Int {
    Machine.valueIndex(frame.pointee.keys + Int(i.x), point.pointee.feature, hot, evaluator)
  }

  @inline(__always)
  func branch(_ i: Instruction, _ program: Program, _ evaluator: Evaluator) -> Int {
    Machine.branch(i, program, frame, point.pointee.feature, hot, evaluator)
  }

  // MARK: control

  /// Calls a routine of the jump table: where it begins.
  @inline(__always)
  func call(_ i: Instruction, _ pc: Int, _ program: Program) -> Int {
    slots[i.target] = Slot(.unset, bits: UInt64(pc + 1))
    return Int(program.jumps[Int(i.x) + Int(slots[i.left].bits) + Int(i.y)])
  }

  /// Where to go on by the value of a register.
  @inline(__always)
  func choose(_ i: Instruction, _ program: Program) -> Int {
    let slot = slots[i.left]
    return Int(
      program.jumps[Int(i.y) + program.tables[Int(i.z)]._withUnsafeGuaranteedRef { $0.branch(slot) }])
  }

  /// The feature's simple geometry type; 4 without a feature.
  @inline(__always)
  func geometryType() -> Int32 {
    let feature = point.pointee.feature
    return feature >= 0 && feature < hot.pointee.featureCount ? Int32(hot.pointee.types![feature] & 3) : 4
  }

  // MARK: values of features; false where they are not of the type

  @inline(__always)
  func get(_ i: Instruction, _ evaluator: Evaluator) {
    let index = valueIndex(i, evaluator)
    slots[i.target] = index < 0 ? .null : evaluator.slot(hot.pointee.values![index])
  }

  @inline(__always)
  func getNumber(_ i: Instruction, _ pc: Int, _ program: Program, _ evaluator: Evaluator) -> Bool {
    let index = valueIndex(i, evaluator)
    guard index >= 0, let number = hot.pointee.values![index].number else {
      return Machine.failType(evaluator, program, pc, index, i.y)
    }
    slots[i.target] = Slot(number)
    return true
  }

  @inline(__always)
  func getString(_ i: Instruction, _ pc: Int, _ program: Program, _ evaluator: Evaluator) -> Bool {
    let index = valueIndex(i, evaluator)
    guard index >= 0, hot.pointee.values![index].kind == RawTileValue.string else {
      return Machine.failType(evaluator, program, pc, index, i.y)
    }
    let value = hot.pointee.values![index]
    slots[i.target] = Slot(.string, length: value.length, bits: value.bits)
    return true
  }

  @inline(__always)
  func getBool(_ i: Instruction, _ pc: Int, _ program: Program, _ evaluator: Evaluator) -> Bool {
    let index = valueIndex(i, evaluator)
    guard index >= 0, hot.pointee.values![index].kind == RawTileValue.bool else {
      return Machine.failType(evaluator, program, pc, index, i.y)
    }
    slots[i.target] = Slot(hot.pointee.values![index].bits != 0)
    return true
  }

  // MARK: values and types

  @inline(__always)
  func move(_ i: Instruction) {
    slots[i.target] = slots[i.left]
    if slots[i.left].is(.color) { colors[i.target] = colors[i.left] }
  }

  /// Compares any two strings, or two numbers; false where the values are neither.
  @inline(__always)
  func compare(_ i: Instruction, _ pc: Int, _ evaluator: Evaluator) -> Bool {
    guard let outcome = Machine.compare(Comparison(rawValue: i.x)!, slots[i.left], slots[i.right], evaluator)
    else {
      Machine.failComparison(evaluator, frame, pc, i)
      return false
    }
    slots[i.target] = Slot(outcome)
    return true
  }

  /// Whether a register's value is of a type of the program: by its tag, or by a look at what is boxed.
  @inline(__always)
  func isType(_ i: Instruction, _ program: Program, _ evaluator: Evaluator) -> Bool {
    program.typeMasks[Int(i.x)] & slots[i.left].tagBit != 0
      || slots[i.left].is(.boxed) && evaluator.isType(i.left, program, frame, Int(i.x))
  }

  @inline(__always)
  func requireType(_ i: Instruction, _ pc: Int, _ program: Program, _ evaluator: Evaluator) -> Bool {
    if isType(i, program, evaluator) { return true }
    Machine.failRequirement(evaluator, program, frame, pc, i.left, Int(i.x))
    return false
  }

  @inline(__always)
  func print(_ i: Instruction, _ pc: Int, _ program: Program, _ evaluator: Evaluator) -> Bool {
    guard slots[i.left].is(.string), slots[i.left].length > 0 else {
      return evaluator.perform(i, pc, program, frame, point.pointee)
    }
    slots[i.target] = slots[i.left]
    slots[i.target].tag = UInt32(truncatingIfNeeded: i.z)
    return true
  }

  /// Says why the program fails here; the result of one that does.
  func fail(_ i: Instruction, _ pc: Int, _ program: Program, _ evaluator: Evaluator) -> Int {
    if i.op == .fail {
      Machine.failWithText(evaluator, pc, slots[i.left])
    } else {
      Machine.failCoercion(evaluator, program, frame, pc, i.left, CoercionKind(rawValue: i.x)!)
    }
    return -1
  }

  // MARK: curves

  /// Writes the place on the curve that was found; false where one stop alone counts.
  @inline(__always)
  func enterCurve(_ i: Instruction) -> Bool {
    let state = frame.pointee.curves[Int(i.x)]
    slots[i.target + 1] = Slot(.number, bits: UInt64(state.stop))
    if state.isBetween == 0 { return false }
    slots[i.target] = Slot(state.factor)
    return true
  }

  @inline(__always)
  func mixNumbers(_ i: Instruction) {
    slots[i.target] = Slot(mix(slots[i.left].number, slots[i.left + 1].number, slots[i.right].number))
  }

  @inline(__always)
  func mixColors(_ i: Instruction) {
    colors[i.target] = RGBA.mixRGB(colors[i.left], colors[i.left + 1], slots[i.right].number)
    slots[i.target] = Slot(.color)
  }

  @inline(__always)
  func mixAny(_ i: Instruction, _ pc: Int, _ program: Program, _ evaluator: Evaluator) -> Bool {
    let space = ColorSpace(rawValue: UInt8(truncatingIfNeeded: i.x))!
    return evaluator.mixAny(i.target, i.left, slots[i.right].number, space, pc, program, frame)
  }

  /// A curve of constant numbers, in one step.
  @inline(__always)
  func interpolateNumbers(_ i: Instruction, _ program: Program) -> Bool {
    let curve = frame.pointee.curves + Int(i.x)
    guard isFound(curve, i, program) else { return false }
    let outputs = program.curveNumbers + Int(i.z) + Int(curve.pointee.stop)
    slots[i.target] = Slot(
      curve.pointee.isBetween == 0 ? outputs[0] : mix(outputs[0], outputs[1], curve.pointee.factor))
    return true
  }

  /// The same of colours.
  @inline(__always)
  func interpolateColors(_ i: Instruction, _ program: Program) -> Bool {
    let curve = frame.pointee.curves + Int(i.x)
    guard isFound(curve, i, program) else { return false }
    let outputs = program.curveColors + Int(i.z) + Int(curve.pointee.stop)
    colors[i.target] =
      curve.pointee.isBetween == 0
      ? outputs[0] : RGBA.mixRGB(outputs[0], outputs[1], curve.pointee.factor)
    slots[i.target] = Slot(.color)
    return true
  }

  @inline(__always)
  private func isFound(
    _ curve: UnsafeMutablePointer<Frame.CurveState>, _ i: Instruction, _ program: Program
  ) -> Bool {
    curve.pointee.input == slots[i.left].number
      || Machine.find(slots[i.left].number, Int(i.x), program, frame)
  }
}
