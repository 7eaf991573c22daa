import NeatBase

extension CodeGenerator {
  mutating func generateCase(_ node: Node, _ dst: Register) {
    let end = label()
    for index in stride(from: 0, to: node.children.count - 1, by: 2) {
      let next = label()
      branch(node.children[index], to: next, when: false)
      emit(node.children[index + 1], into: dst)
      jump(end)
      bind(next)
    }
    emit(node.children[node.children.count - 1], into: dst)
    bind(end)
  }

  mutating func generateMatch(_ node: Node, _ dst: Register) {
    guard case .match(let labels) = node.detail else { return }
    let outputs = Array(node.children.dropFirst())
    let otherwise = outputs.count - 1
    let table = table(.labels(labels, otherwise: otherwise, absent: otherwise, composite: otherwise))
    let base = reserveJumps(outputs.count)
    if let name = propertyName(node.children[0]) {
      add(Instruction(.switchKey, x: key(name), y: base, z: table))
    } else {
      scoped { $0.switchValue(node.children[0], base, table) }
    }
    emitBranches(outputs, base, dst)
  }

  private mutating func switchValue(_ input: Node, _ base: Int, _ table: Int) {
    let register = emit(input)
    add(Instruction(.switchValue, y: base, z: table), a: register)
  }

  /// One block for each output, reached over the jump table, all ending in `dst`.
  private mutating func emitBranches(_ outputs: [Node], _ base: Int, _ dst: Register) {
    let end = label()
    for (index, output) in outputs.enumerated() {
      let here = label()
      bind(here)
      setJump(base + index, here)
      emit(output, into: dst)
      if index < outputs.count - 1 { jump(end) }
    }
    bind(end)
  }

  mutating func generateCoalesce(_ node: Node, _ dst: Register) {
    let end = label()
    let hasImages = node.type == .resolvedImage || node.dependencies.contains(.images)
    // The result, and the first image that is missing, side by side.
    let pair = top
    if hasImages {
      _ = push()
      add(Instruction(.move), dst: push(), a: constant(.null))
    }
    for (index, child) in node.children.enumerated() {
      emit(child, into: dst)
      if hasImages {
        add(Instruction(.move), dst: pair, a: dst)
        add(Instruction(.slow, x: Int(SlowOperation.keepImage.rawValue), y: 2), dst: pair + 1, a: pair)
      }
      guard index < node.children.count - 1 else { break }
      add(Instruction(.jumpIfNotNull), a: dst)
      aim(.x, end)
    }
    if hasImages {
      add(Instruction(.slow, x: Int(SlowOperation.lastImage.rawValue), y: 2), dst: dst, a: pair)
    }
    bind(end)
  }

  mutating func generateStep(_ node: Node, _ dst: Register) {
    guard case .curve(let curve) = node.detail else { return }
    let outputs = Array(node.children.dropFirst())
    guard outputs.count > 1 else { return emit(outputs[0], into: dst) }
    let number = add(curve)
    let base = reserveJumps(outputs.count)
    scoped { $0.stepCurve(node.children[0], number, base) }
    emitBranches(outputs, base, dst)
  }

  private mutating func add(_ curve: Curve) -> Int {
    draft.curves.append(curve)
    return draft.curves.count - 1
  }

  private mutating func stepCurve(_ input: Node, _ curve: Int, _ base: Int) {
    let register = emit(input)
    add(Instruction(.stepCurve, x: curve, y: base), a: register)
  }

  mutating func generateInterpolate(_ node: Node, _ dst: Register) {
    guard case .curve(let curve) = node.detail else { return }
    let outputs = Array(node.children.dropFirst())
    guard outputs.count > 1 else { return emit(outputs[0], into: dst) }
    let number = add(curve)
    if node.type == .number,
      let values = constants(outputs, { if case .number(let value) = $0 { value } else { nil } })
    {
      let first = draft.curveNumbers.count
      draft.curveNumbers += values
      return add(Instruction(.curveNumbers, x: number, z: first), dst: dst, a: emit(node.children[0]))
    }
    if node.type == .color, node.op == .interpolate,
      let values = constants(outputs, { if case .color(let value) = $0 { value } else { nil } })
    {
      let first = draft.curveColors.count
      draft.curveColors += values
      return add(Instruction(.curveColors, x: number, z: first), dst: dst, a: emit(node.children[0]))
    }
    generateMixing(node, outputs, number, dst)
  }

  private func constants<T>(_ nodes: [Node], _ read: (ExpressionValue) -> T?) -> [T]? {
    var values: [T] = []
    for node in nodes {
      guard let literal = node.literalValue, let value = read(literal) else { return nil }
      values.append(value)
    }
    return values
  }

  private mutating func generateMixing(_ node: Node, _ outputs: [Node], _ curve: Int, _ dst: Register) {
    let place = push()
    let stop = push()
    let low = push()
    let high = push()
    let output = push()
    let link = push()
    let single = label()
    let end = label()
    let base = reserveJumps(outputs.count)
    let input = emit(node.children[0])
    add(Instruction(.curve, x: curve), dst: place, a: input)
    aim(.y, single)
    add(Instruction(.callTable, x: base, y: 0), dst: link, a: stop)
    add(Instruction(.move), dst: low, a: output)
    add(Instruction(.callTable, x: base, y: 1), dst: link, a: stop)
    add(Instruction(.move), dst: high, a: output)
    switch (node.type, node.op) {
    case (.number, _): add(Instruction(.mixNumbers), dst: dst, a: low, b: place)
    case (.color, .interpolate): add(Instruction(.mixColors), dst: dst, a: low, b: place)
    case (_, .interpolateHCL):
      add(Instruction(.mixAny, x: Int(ColorSpace.hcl.rawValue)), dst: dst, a: low, b: place)
    case (_, .interpolateLAB):
      add(Instruction(.mixAny, x: Int(ColorSpace.lab.rawValue)), dst: dst, a: low, b: place)
    default: add(Instruction(.mixAny, x: Int(ColorSpace.rgb.rawValue)), dst: dst, a: low, b: place)
    }
    jump(end)
    bind(single)
    add(Instruction(.callTable, x: base, y: 0), dst: link, a: stop)
    add(Instruction(.move), dst: dst, a: output)
    jump(end)
    for (index, node) in outputs.enumerated() {
      let here = label()
      bind(here)
      setJump(base + index, here)
      emit(node, into: output)
      add(Instruction(.callReturn), a: link)
    }
    bind(end)
  }
}
