import NeatBase
import NeatTile

// The virtual machine. Registers always hold tagged values; instructions whose operand types the type checker
// proved do not look at tags. Nothing here allocates or counts references, but for the slow operations and
// failures, which are calls out of the loop.
//
// The loop is one switch over all of the frequent instructions: a second one, for kinds of them, would cost a
// jump more each. What takes more than a line is a function of `MachineRun`, inlined.
enum Machine {
  /// Runs a program; gives the register of its value, or nil where it failed (the evaluator then knows why).
  /// The frame is the program's, resolved against the layer of the point.
  @inline(__always)
  static func run(
    _ program: Program, _ evaluator: Evaluator, _ frame: UnsafeMutablePointer<Frame>,
    _ point: UnsafePointer<MachinePoint>
  ) -> Int? {
    let hot = evaluator.hot
    if hot.pointee.isDirty { evaluator.clean() }
    if program.keptCount != 0,
      frame.pointee.stamp != hot.pointee.stamp || frame.pointee.zoom != point.pointee.zoom
    {
      frame.pointee.renewKept(program, hot.pointee.stamp, point.pointee.zoom)
    }
    let result = execute(program, evaluator, frame, point)
    if hot.pointee.isDirty { return evaluator.settle(result, program) }
    return result < 0 ? nil : result
  }

  @inline(never)
  private static func execute(
    _ program: Program, _ evaluator: Evaluator, _ frame: UnsafeMutablePointer<Frame>,
    _ point: UnsafePointer<MachinePoint>
  ) -> Int {
    let run = MachineRun(program, evaluator, frame, point)
    let (code, f) = (program.code, run.slots)
    var pc = 0
    while true {
      assert(pc >= 0 && pc < program.codeCount, "programs end, and jump within themselves")
      let i = code[pc]
      switch i.op {
      case .end: return i.left
      case .move: run.move(i)
      case .clear: f[i.target] = Slot(.unset)

      case .jump:
        pc = Int(i.x)
        continue
      case .jumpIfFalse:
        if f[i.left].bits == 0 {
          pc = Int(i.x)
          continue
        }
      case .jumpIfTrue:
        if f[i.left].bits != 0 {
          pc = Int(i.x)
          continue
        }
      case .jumpIfNotNull:
        if !f[i.left].is(.null) && !f[i.left].is(.image) {
          pc = Int(i.x)
          continue
        }
      case .jumpIfType:
        if run.isType(i, program, evaluator) {
          pc = Int(i.y)
          continue
        }
      case .coerce:
        if evaluator.coerce(CoercionKind(rawValue: i.x)!, i.left, i.target, program, frame) {
          pc = Int(i.y)
          continue
        }
      case .callTable:
        pc = run.call(i, pc, program)
        continue
      case .callReturn:
        assert(f[i.left].bits > 0 && f[i.left].bits <= program.codeCount, "a way back that was kept")
        pc = Int(f[i.left].bits)
        continue
      case .ensure:
        if f[i.left].is(.unset) {
          f[i.target] = Slot(.unset, bits: UInt64(pc + 1))
          pc = Int(i.x)
          continue
        }

      case .testKey:
        let outcome = run.branch(i, program, evaluator)
        if outcome != 1 {
          pc = Int(outcome == 0 ? i.y : i.w)
          continue
        }
      case .switchKey:
        pc = Int(program.jumps[Int(i.y) + run.branch(i, program, evaluator)])
        continue
      case .switchValue:
        pc = run.choose(i, program)
        continue
      case .testGeometry:
        if i.x >> run.geometryType() & 1 == 0 {
          pc = Int(i.y)
          continue
        }

      case .get: run.get(i, evaluator)
      case .has: f[i.target] = Slot(run.valueIndex(i, evaluator) >= 0)
      case .getNumber: if !run.getNumber(i, pc, program, evaluator) { return -1 }
      case .getString: if !run.getString(i, pc, program, evaluator) { return -1 }
      case .getBool: if !run.getBool(i, pc, program, evaluator) { return -1 }
      case .zoom: f[i.target] = Slot(point.pointee.zoom)

      case .add: f[i.target] = Slot(f[i.left].number + f[i.right].number)
      case .subtract: f[i.target] = Slot(f[i.left].number - f[i.right].number)
      case .multiply: f[i.target] = Slot(f[i.left].number * f[i.right].number)
      case .divide: f[i.target] = Slot(f[i.left].number / f[i.right].number)
      case .negate: f[i.target] = Slot(-f[i.left].number)
      case .minimum: f[i.target] = Slot(minimum(f[i.left].number, f[i.right].number))
      case .maximum: f[i.target] = Slot(-minimum(-f[i.left].number, -f[i.right].number))
      case .absolute: f[i.target] = Slot(f[i.left].number.magnitude)

      case .not: f[i.target] = Slot(f[i.left].bits == 0)
      case .toBoolean: f[i.target] = Slot(isTruthy(f[i.left]))
      case .equalNumbers: f[i.target] = Slot(f[i.left].number == f[i.right].number)
      case .equalStrings: f[i.target] = Slot(evaluator.isSameText(f[i.left], f[i.right]))
      case .equalAny: f[i.target] = Slot(isEqual(f[i.left], f[i.right], evaluator))
      case .lessNumbers: f[i.target] = Slot(f[i.left].number < f[i.right].number)
      case .lessOrEqualNumbers: f[i.target] = Slot(f[i.left].number <= f[i.right].number)
      case .compare: if !run.compare(i, pc, evaluator) { return -1 }

      case .curve:
        guard find(f[i.left].number, Int(i.x), program, frame) else { return failInput(evaluator, pc) }
        if !run.enterCurve(i) {
          pc = Int(i.y)
          continue
        }
      case .stepCurve:
        guard find(f[i.left].number, Int(i.x), program, frame) else { return failInput(evaluator, pc) }
        pc = Int(program.jumps[Int(i.y) + Int(frame.pointee.curves[Int(i.x)].stop)])
        continue
      case .curveNumbers: if !run.interpolateNumbers(i, program) { return failInput(evaluator, pc) }
      case .curveColors: if !run.interpolateColors(i, program) { return failInput(evaluator, pc) }
      case .mixNumbers: run.mixNumbers(i)
      case .mixColors: run.mixColors(i)
      case .mixAny: if !run.mixAny(i, pc, program, evaluator) { return -1 }

      case .requireType: if !run.requireType(i, pc, program, evaluator) { return -1 }
      case .print: if !run.print(i, pc, program, evaluator) { return -1 }
      case .slow: if !evaluator.perform(i, pc, program, frame, point.pointee) { return -1 }
      case .fail, .failCoercion: return run.fail(i, pc, program, evaluator)
      default: secondary(i, evaluator, f, point.pointee)
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

  /// JavaScript's `Math.pow`: 1 to the power of NaN or infinity is NaN.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    if exponent.isNaN || exponent.isInfinite && base.magnitude == 1 { return .nan }
    return pow(base, exponent)
  }
}
