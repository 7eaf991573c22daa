import NeatBase

extension Program {
  /// The program as text, one instruction a line: its number, operation, registers and what it refers to,
  /// then the place in the source that it comes from. Registers are r0, r1 …; those that hold constants are
  /// written as their values. For people: the form is not stable.
  var disassembly: String {
    var lines = ["registers \(constantStart), constants \(constants.count), instructions \(codeCount)"]
    for pc in 0..<codeCount {
      var line = String(pc)
      line = String(repeating: " ", count: max(0, 4 - line.utf8.count)) + line + "  " + text(of: code[pc])
      let place = key(at: pc)
      if !place.isEmpty { line += String(repeating: " ", count: max(1, 56 - line.utf8.count)) + "; \(place)" }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  private func text(of step: Instruction) -> String {
    let name = "\(step.op)"
    func r(_ register: UInt16) -> String { self.register(Int(register)) }
    func key(_ index: Int32) -> String {
      keys.indices.contains(Int(index)) ? "\"\(keys[Int(index)])\"" : "key \(index)"
    }
    func type(_ index: Int32) -> String {
      types.indices.contains(Int(index)) ? "\(types[Int(index)])" : "type \(index)"
    }
    func way(_ first: Int32, _ count: Int) -> String {
      let ways = (0..<count).map { "\(jumps[Int(first) + $0])" }
      return "[\(ways.joined(separator: " "))]"
    }
    switch step.op {
    case .end: return "\(name) \(r(step.a))"
    case .move, .negate, .squareRoot, .log10, .ln, .log2, .sine, .cosine, .tangent, .arcSine, .arcCosine,
      .arcTangent, .absolute, .round,
      .floor, .ceiling, .not, .toBoolean:
      return "\(r(step.dst)) = \(name) \(r(step.a))"
    case .jump: return "\(name) \(step.x)"
    case .jumpIfFalse, .jumpIfTrue, .jumpIfNotNull: return "\(name) \(r(step.a)) \(step.x)"
    case .callTable: return "\(name) \(r(step.a)) \(way(step.x + step.y, 1))"
    case .callReturn: return "\(name) \(r(step.a))"
    case .ensure: return "\(name) \(r(step.a)) \(step.x)"
    case .clear: return "\(name) \(r(step.dst))"
    case .fail: return "\(name) \(r(step.a))"
    case .get, .has, .getNumber, .getString, .getBool: return "\(r(step.dst)) = \(name) \(key(step.x))"
    case .testKey:
      return "\(name) \(key(step.x)) table \(step.z) else \(step.y)\(step.w > 0 ? " or \(step.w)" : "")"
    case .switchKey: return "\(name) \(key(step.x)) table \(step.z) jumps \(step.y)"
    case .switchValue: return "\(name) \(r(step.a)) table \(step.z) jumps \(step.y)"
    case .testGeometry: return "\(name) mask \(step.x) else \(step.y)"
    case .geometryType, .id, .zoom, .heatmapDensity, .elevation, .lineProgress, .skyRadialProgress:
      return "\(r(step.dst)) = \(name)"
    case .add, .subtract, .multiply, .divide, .modulo, .power, .minimum, .maximum, .equalNumbers,
      .equalStrings, .equalAny, .lessNumbers,
      .lessOrEqualNumbers:
      return "\(r(step.dst)) = \(name) \(r(step.a)) \(r(step.b))"
    case .compare:
      return "\(r(step.dst)) = \(r(step.a)) \(Comparison(rawValue: step.x)?.symbol ?? "?") \(r(step.b))"
    case .requireType: return "\(name) \(r(step.a)) \(type(step.x))"
    case .jumpIfType: return "\(name) \(r(step.a)) \(type(step.x)) \(step.y)"
    case .print: return "\(r(step.dst)) = \(name) \(r(step.a))"
    case .coerce:
      return
        "\(r(step.dst)) = \(name) \(r(step.a)) \(CoercionKind(rawValue: step.x).map { "\($0)" } ?? "?") then \(step.y)"
    case .failCoercion: return "\(name) \(r(step.a)) \(CoercionKind(rawValue: step.x).map { "\($0)" } ?? "?")"
    case .curve, .curveNumbers, .curveColors: return "\(r(step.dst)) = \(name) \(step.x) at \(r(step.a))"
    case .stepCurve: return "\(name) \(step.x) at \(r(step.a)) jumps \(step.y)"
    case .mixNumbers, .mixColors, .mixAny:
      return "\(r(step.dst)) = \(name) \(r(step.a)) \(r(step.a + 1)) by \(r(step.b))"
    case .slow:
      let operation = SlowOperation(rawValue: step.x).map { "\($0)" } ?? "?"
      let arguments = (0..<Int(step.y)).map { register(Int(step.a) + $0) }
      return "\(r(step.dst)) = \(operation)(\(arguments.joined(separator: ", ")))"
    }
  }

  private func register(_ index: Int) -> String {
    guard index >= constantStart, index - constantStart < constants.count else { return "r\(index)" }
    let text = ExpressionCase.text(constants[index - constantStart])
    return text.utf8.count <= 40 ? text : String(text.prefix(37)) + "..."
  }
}

extension CompiledExpression {
  /// What the machine runs, as text; a literal is its value.
  package var disassembly: String {
    program?.disassembly ?? "constant \(constant.map(ExpressionCase.text) ?? "null")"
  }
}

extension CompiledFilter {
  package var disassembly: String { program.disassembly }
}
