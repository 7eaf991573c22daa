import NeatBase

extension CodeGenerator {
  /// Code that leaves the node's value in `dst`.
  mutating func generate(_ node: Node, _ dst: Register) {
    let children = node.children
    switch node.op {
    case .literal: add(Instruction(.move), dst: dst, a: emit(node))
    case .variable: add(Instruction(.move), dst: dst, a: emit(node))
    case .let: generateLet(node, dst)
    case .assertion: generateAssertion(node, dst)
    case .coercion: generateCoercion(node, dst)
    case .case: generateCase(node, dst)
    case .match: generateMatch(node, dst)
    case .coalesce: generateCoalesce(node, dst)
    case .step: generateStep(node, dst)
    case .interpolate, .interpolateHCL, .interpolateLAB: generateInterpolate(node, dst)
    case .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual: generateComparison(node, dst)
    case .all, .any, .filterEqual, .filterLess, .filterGreater, .filterLessOrEqual, .filterGreaterOrEqual,
      .filterHas, .filterIn,
      .filterTypeIn,
      .filterHasID:
      materialize(node, dst)
    case .not: unary(.not, node, dst)
    case .get, .has: generateProperty(node, dst)
    case .at: slow(.at, children, dst)
    case .in: slow(.contains, children, dst)
    case .indexOf: slow(.indexOf, children, dst)
    case .slice: slow(.slice, children, dst)
    case .length: slow(.length, children, dst)
    case .format: slow(.format, children, dst, z: detail(node.detail))
    case .image: slow(.image, children, dst)
    case .numberFormat: slow(.numberFormat, children, dst, z: detail(node.detail))
    case .collator: slow(.collator, children, dst, z: detail(node.detail))
    case .globalState: slow(.globalState, children, dst, z: detail(node.detail))
    case .within, .distance: generateGeometry(node, dst)
    case .arrayLiteral: slow(.makeArray, children, dst)
    case .objectLiteral: slow(.makeObject, children, dst, z: detail(node.detail))
    case .error: add(Instruction(.fail), a: emit(children[0]))
    case .typeof: slow(.typeof, children, dst)
    case .toRGBA: slow(.toRGBA, children, dst)
    case .rgb, .rgba: slow(.rgba, children, dst)
    case .featureState: slow(.featureState, children, dst)
    case .properties: slow(.properties, children, dst)
    case .accumulated: slow(.accumulated, children, dst)
    case .upcase: slow(.upcase, children, dst)
    case .downcase: slow(.downcase, children, dst)
    case .concat: slow(.concat, children, dst)
    case .resolvedLocale: slow(.resolvedLocale, children, dst)
    case .split: slow(.split, children, dst)
    case .join: slow(.join, children, dst)
    case .filterIDCompare: slow(.filterIDCompare, children, dst, z: detail(node.detail))
    case .filterIDIn: slow(.filterIDIn, children, dst)
    case .isSupportedScript:
      _ = emit(children[0])
      add(Instruction(.move), dst: dst, a: constant(.bool(true)))
    case .geometryType: add(Instruction(.geometryType), dst: dst)
    case .id: add(Instruction(.id), dst: dst)
    default: generateNumber(node, dst)
    }
  }

  private mutating func generateNumber(_ node: Node, _ dst: Register) {
    switch node.op {
    case .zoom: add(Instruction(.zoom), dst: dst)
    case .heatmapDensity: add(Instruction(.heatmapDensity), dst: dst)
    case .elevation: add(Instruction(.elevation), dst: dst)
    case .lineProgress: add(Instruction(.lineProgress), dst: dst)
    case .skyRadialProgress: add(Instruction(.skyRadialProgress), dst: dst)
    case .add: fold(.add, node, dst, empty: 0)
    case .multiply: fold(.multiply, node, dst, empty: 1)
    case .min: fold(.minimum, node, dst, empty: .infinity)
    case .max: fold(.maximum, node, dst, empty: -.infinity)
    case .subtract:
      if node.children.count == 1 { unary(.negate, node, dst) } else { fold(.subtract, node, dst, empty: 0) }
    case .divide: fold(.divide, node, dst, empty: 0)
    case .modulo: fold(.modulo, node, dst, empty: 0)
    case .power: fold(.power, node, dst, empty: 0)
    case .ln2: add(Instruction(.move), dst: dst, a: constant(.number(0.6931471805599453)))
    case .pi: add(Instruction(.move), dst: dst, a: constant(.number(.pi)))
    case .e: add(Instruction(.move), dst: dst, a: constant(.number(2.718281828459045)))
    case .sqrt: unary(.squareRoot, node, dst)
    case .log10: unary(.log10, node, dst)
    case .ln: unary(.ln, node, dst)
    case .log2: unary(.log2, node, dst)
    case .sin: unary(.sine, node, dst)
    case .cos: unary(.cosine, node, dst)
    case .tan: unary(.tangent, node, dst)
    case .asin: unary(.arcSine, node, dst)
    case .acos: unary(.arcCosine, node, dst)
    case .atan: unary(.arcTangent, node, dst)
    case .abs: unary(.absolute, node, dst)
    case .round: unary(.round, node, dst)
    case .floor: unary(.floor, node, dst)
    case .ceil: unary(.ceiling, node, dst)
    default: preconditionFailure("operator without code: \(node.op.rawValue)")
    }
  }

  private mutating func unary(_ op: Opcode, _ node: Node, _ dst: Register) {
    add(Instruction(op), dst: dst, a: emit(node.children[0]))
  }

  private mutating func fold(_ op: Opcode, _ node: Node, _ dst: Register, empty: Double) {
    guard let first = node.children.first else {
      return add(Instruction(.move), dst: dst, a: constant(.number(empty)))
    }
    guard node.children.count > 1 else { return emit(first, into: dst) }
    var left = emit(first)
    let mark = top
    for child in node.children.dropFirst() {
      add(Instruction(op), dst: dst, a: left, b: emit(child))
      left = dst
      top = mark
    }
  }

  private mutating func generateProperty(_ node: Node, _ dst: Register) {
    if node.children.count == 2 { return slow(node.op == .get ? .getMember : .hasMember, node.children, dst) }
    guard case .string(let name)? = node.children[0].literalValue else {
      return slow(node.op == .get ? .getComputed : .hasComputed, node.children, dst)
    }
    add(Instruction(node.op == .get ? .get : .has, x: key(name)), dst: dst)
  }

  private mutating func generateGeometry(_ node: Node, _ dst: Register) {
    guard case .shape(let shape) = node.detail else { return }
    draft.shapes.append(shape)
    slow(node.op == .within ? .within : .distance, [], dst, z: draft.shapes.count - 1)
  }

  private mutating func generateAssertion(_ node: Node, _ dst: Register) {
    let children = node.children
    if children.count == 1, let name = propertyName(children[0]) {
      switch node.type {
      case .number: return add(Instruction(.getNumber, x: key(name), y: type(.number)), dst: dst)
      case .string: return add(Instruction(.getString, x: key(name), y: type(.string)), dst: dst)
      case .boolean: return add(Instruction(.getBool, x: key(name), y: type(.boolean)), dst: dst)
      default: break
      }
    }
    let wanted = type(node.type)
    let done = label()
    for (index, child) in children.enumerated() {
      emit(child, into: dst)
      if index < children.count - 1 {
        add(Instruction(.jumpIfType, x: wanted), a: dst)
        aim(.y, done)
      } else {
        add(Instruction(.requireType, x: wanted), a: dst)
      }
    }
    bind(done)
    // `["array"]` with nothing to assert is an error when it is reached, as an assertion that no argument
    // fulfils.
    if children.isEmpty {
      add(Instruction(.move), dst: dst, a: constant(.null))
      add(Instruction(.requireType, x: wanted), a: dst)
    }
  }

  /// The name, where the node reads a property of the feature by a constant name.
  func propertyName(_ node: Node) -> String? {
    guard node.op == .get, node.children.count == 1, case .string(let name)? = node.children[0].literalValue
    else { return nil }
    return name
  }

  private mutating func generateCoercion(_ node: Node, _ dst: Register) {
    let children = node.children
    let kind: CoercionKind
    switch node.type {
    case .boolean: return unary(.toBoolean, node, dst)
    case .string:
      return children[0].type == .string
        ? emit(children[0], into: dst) : generatePrint(.toString, .string, node, dst)
    case .formatted: return generatePrint(.toText, .text, node, dst)
    case .resolvedImage: return generatePrint(.toImage, .image, node, dst)
    case .color: kind = .color
    case .padding: kind = .padding
    case .numberArray: kind = .numberArray
    case .colorArray: kind = .colorArray
    case .variableAnchorOffsetCollection: kind = .anchorOffsets
    case .projectionDefinition: kind = .projection
    default: kind = .number
    }
    let done = label()
    var last = 0
    for child in children {
      scoped { $0.coerce(child, kind, done, dst, &last) }
    }
    add(Instruction(.failCoercion, x: Int(kind.rawValue)), a: last)
    bind(done)
  }

  private mutating func generatePrint(
    _ operation: SlowOperation, _ tag: Slot.Tag, _ node: Node, _ dst: Register
  ) {
    let register = emit(node.children[0])
    add(Instruction(.print, x: Int(operation.rawValue), y: 1, z: Int(tag.rawValue)), dst: dst, a: register)
  }

  private mutating func coerce(
    _ child: Node, _ kind: CoercionKind, _ done: Label, _ dst: Register, _ last: inout Register
  ) {
    last = emit(child)
    add(Instruction(.coerce, x: Int(kind.rawValue)), dst: dst, a: last)
    aim(.y, done)
  }
}
