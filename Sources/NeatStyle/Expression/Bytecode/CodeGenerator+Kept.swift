// Parts that do not depend on the feature, of an expression that does: comparisons with the zoom, reads of
// the global state. Each is a subroutine that runs when its value is first wanted (what is not reached must
// not fail), and its register is kept from feature to feature until the context changes.
extension CodeGenerator {
  /// Finds the parts, and sets their registers aside: the first ones, so that a frame can renew them.
  mutating func reserveKept(_ node: Node) -> [Node] {
    guard !node.dependencies.isDisjoint(with: .feature) else { return [] }
    var parts: [Node] = []
    CodeGenerator.collectKept(node, &parts)
    let registers = parts.map { _ in push() }
    for (part, register) in zip(parts, registers) {
      kept[ObjectIdentifier(part)] = Variable(register: register, link: push(), routine: label())
    }
    draft.keptCount = parts.count
    return parts
  }

  private static func collectKept(_ node: Node, _ parts: inout [Node]) {
    if isKept(node) { return parts.append(node) }
    for child in node.children { collectKept(child, &parts) }
  }

  /// Whether the value is worth keeping, and fits a register: strings and what is larger live no longer than
  /// an evaluation.
  private static func isKept(_ node: Node) -> Bool {
    switch node.op {
    case .literal, .variable, .zoom: return false
    default: break
    }
    guard node.dependencies.isDisjoint(with: [.feature, .ramp, .variable, .script]) else { return false }
    return node.type == .number || node.type == .boolean || node.type == .color
  }

  /// The register of a kept part, and the call that computes it where it is not yet; nil for any other node.
  mutating func emitKept(_ node: Node) -> Register? {
    guard !kept.isEmpty, let variable = kept[ObjectIdentifier(node)] else { return nil }
    add(Instruction(.ensure), dst: variable.link, a: variable.register)
    aim(.x, variable.routine)
    return variable.register
  }

  /// The subroutines, after the end of the program.
  mutating func emitKept(_ parts: [Node]) {
    for part in parts {
      guard let variable = kept.removeValue(forKey: ObjectIdentifier(part)) else { continue }
      top = highWater
      bind(variable.routine)
      // Not at once into the register that is kept: a part that fails on its way must leave it unset.
      let value = push()
      emit(part, into: value)
      add(Instruction(.move), dst: variable.register, a: value)
      add(Instruction(.callReturn), a: variable.link)
    }
  }
}
