import NeatBase

// Conditions as jumps. What only asks one property, and compares it with constants, becomes one instruction
// over a lookup table.
extension CodeGenerator {
  /// A condition as a value.
  mutating func materialize(_ node: Node, _ dst: Register) {
    let isFalse = label()
    let end = label()
    branch(node, to: isFalse, when: false)
    add(Instruction(.move), dst: dst, a: constant(.bool(true)))
    jump(end)
    bind(isFalse)
    add(Instruction(.move), dst: dst, a: constant(.bool(false)))
    bind(end)
  }

  /// Goes to the label where the node's value is `when`, and falls through otherwise.
  mutating func branch(_ node: Node, to target: Label, when wanted: Bool) {
    let outerPlace = place
    let mark = top
    place = number(ofPlace: node.path)
    defer {
      place = outerPlace
      top = mark
    }
    if let register = emitKept(node) {
      add(Instruction(wanted ? .jumpIfTrue : .jumpIfFalse), a: register)
      return aim(.x, target)
    }
    switch node.op {
    case .literal:
      if case .bool(wanted)? = node.literalValue { jump(target) }
      return
    case .not: return branch(node.children[0], to: target, when: !wanted)
    case .all: return branchJunction(node.children, to: target, when: wanted, isAll: true)
    case .any: return branchJunction(node.children, to: target, when: wanted, isAll: false)
    default: break
    }
    if let test = propertyTest(node) { return emitTest(test, node, to: target, when: wanted) }
    if let mask = geometryMask(node) {
      // The instruction goes on where the mask fits.
      add(Instruction(.testGeometry, x: wanted ? ~mask & 15 : mask))
      return aim(.y, target)
    }
    if node.op == .filterHasID {
      let register = push()
      add(Instruction(.id), dst: register)
      return branchNull(register, to: target, whenNull: !wanted)
    }
    let register = emit(node)
    add(Instruction(wanted ? .jumpIfTrue : .jumpIfFalse), a: register)
    aim(.x, target)
  }

  private mutating func branchNull(_ register: Register, to target: Label, whenNull: Bool) {
    let over = label()
    add(Instruction(.jumpIfNotNull), a: register)
    aim(.x, whenNull ? over : target)
    if whenNull { jump(target) }
    bind(over)
  }

  private mutating func branchJunction(_ nodes: [Node], to target: Label, when wanted: Bool, isAll: Bool) {
    // `all` is false at the first that is false; `any` is true at the first that is true.
    let decisive = !isAll
    if wanted == decisive {
      for node in nodes { branch(node, to: target, when: wanted) }
      return
    }
    let over = label()
    for node in nodes { branch(node, to: over, when: decisive) }
    jump(target)
    bind(over)
  }

  /// A test of one property: the rule gives 1 for true, 0 for false, 2 for "look closer".
  struct PropertyTest {
    var key: String
    var rule: LookupTable.Rule
    var needsCloserLook = false
  }

  private mutating func emitTest(_ test: PropertyTest, _ node: Node, to target: Label, when wanted: Bool) {
    let number = table(wanted ? CodeGenerator.flipped(test.rule) : test.rule)
    add(Instruction(.testKey, x: key(test.key), z: number))
    aim(.y, target)
    guard test.needsCloserLook else { return }
    let closer = label()
    let end = label()
    aim(.w, closer)
    jump(end)
    bind(closer)
    let register = push()
    generate(node, register)
    add(Instruction(wanted ? .jumpIfTrue : .jumpIfFalse), a: register)
    aim(.x, target)
    bind(end)
  }

  /// The rule with true and false exchanged.
  private static func flipped(_ rule: LookupTable.Rule) -> LookupTable.Rule {
    func flip(_ branch: Int) -> Int { branch < 2 ? 1 - branch : branch }
    switch rule {
    case .labels(var table, let otherwise, let absent, let composite):
      table.strings = table.strings.mapValues(flip)
      table.numbers = table.numbers.mapValues(flip)
      table.isTrue = table.isTrue.map(flip)
      table.isFalse = table.isFalse.map(flip)
      table.isNull = table.isNull.map(flip)
      return .labels(table, otherwise: flip(otherwise), absent: flip(absent), composite: flip(composite))
    case .compare(let comparison, let value, let mismatch, let isNegated):
      return .compare(comparison, value, mismatch: flip(mismatch), isNegated: !isNegated)
    }
  }

  private static func isScalar(_ value: ExpressionValue) -> Bool {
    switch value {
    case .null, .bool, .string, .number: true
    default: false
    }
  }

  /// The test, where the node asks nothing but one property.
  private func propertyTest(_ node: Node) -> PropertyTest? {
    switch node.op {
    case .equal, .notEqual:
      guard node.children.count == 2 else { return nil }
      for (side, other) in [(0, 1), (1, 0)] {
        guard let name = propertyName(node.children[side]), let value = node.children[other].literalValue,
          CodeGenerator.isScalar(value)
        else {
          continue
        }
        let hit = node.op == .equal ? 1 : 0
        var table = MatchTable()
        table.add(value, branch: hit)
        return PropertyTest(
          key: name,
          rule: .labels(table, otherwise: 1 - hit, absent: value == .null ? hit : 1 - hit, composite: 1 - hit)
        )
      }
      return nil
    case .less, .greater, .lessOrEqual, .greaterOrEqual: return orderTest(node)
    case .has:
      guard node.children.count == 1, case .string(let name)? = node.children[0].literalValue else {
        return nil
      }
      return PropertyTest(key: name, rule: .labels(MatchTable(), otherwise: 1, absent: 0, composite: 1))
    case .in:
      guard let name = propertyName(node.children[0]),
        case .array(let values)? = node.children[1].literalValue
      else { return nil }
      var table = MatchTable()
      for value in values where CodeGenerator.isScalar(value) { table.add(value, branch: 1) }
      return PropertyTest(
        key: name, rule: .labels(table, otherwise: 0, absent: table.isNull ?? 0, composite: 2),
        needsCloserLook: true)
    default: return filterTest(node)
    }
  }

  private func orderTest(_ node: Node) -> PropertyTest? {
    guard node.children.count == 2 else { return nil }
    for (side, other) in [(0, 1), (1, 0)] {
      let asserted = node.children[side]
      guard asserted.op == .assertion, asserted.children.count == 1,
        let name = propertyName(asserted.children[0]),
        let value = node.children[other].literalValue, asserted.type == value.type
      else { continue }
      guard let comparison = CodeGenerator.comparison(node.op, isFlipped: side == 1) else { return nil }
      return PropertyTest(
        key: name, rule: .compare(comparison, value, mismatch: 2, isNegated: false), needsCloserLook: true)
    }
    return nil
  }

  static func comparison(_ op: Operator, isFlipped: Bool) -> Comparison? {
    switch op {
    case .less, .filterLess: isFlipped ? .greater : .less
    case .greater, .filterGreater: isFlipped ? .less : .greater
    case .lessOrEqual, .filterLessOrEqual: isFlipped ? .greaterOrEqual : .lessOrEqual
    case .greaterOrEqual, .filterGreaterOrEqual: isFlipped ? .lessOrEqual : .greaterOrEqual
    default: nil
    }
  }

  private func filterTest(_ node: Node) -> PropertyTest? {
    guard case .property(let name, let value) = node.detail else { return nil }
    switch node.op {
    case .filterEqual:
      var table = MatchTable()
      table.add(value, branch: 1)
      return PropertyTest(key: name, rule: .labels(table, otherwise: 0, absent: 0, composite: 0))
    case .filterIn:
      guard case .array(let values) = value else { return nil }
      var table = MatchTable()
      for value in values where CodeGenerator.isScalar(value) { table.add(value, branch: 1) }
      return PropertyTest(key: name, rule: .labels(table, otherwise: 0, absent: 0, composite: 0))
    case .filterHas:
      return PropertyTest(key: name, rule: .labels(MatchTable(), otherwise: 1, absent: 0, composite: 1))
    default:
      guard let comparison = CodeGenerator.comparison(node.op, isFlipped: false) else { return nil }
      return PropertyTest(key: name, rule: .compare(comparison, value, mismatch: 0, isNegated: false))
    }
  }

  /// Bits of the geometry types that a node accepts, where it asks nothing else.
  private func geometryMask(_ node: Node) -> Int? {
    func bit(_ value: ExpressionValue) -> Int {
      switch value {
      case .string("Unknown"): 1
      case .string("Point"): 2
      case .string("LineString"): 4
      case .string("Polygon"): 8
      default: 0
      }
    }
    switch node.op {
    case .equal, .notEqual:
      guard node.children.count == 2 else { return nil }
      for (side, other) in [(0, 1), (1, 0)] where node.children[side].op == .geometryType {
        guard let value = node.children[other].literalValue else { return nil }
        return node.op == .equal ? bit(value) : ~bit(value) & 15
      }
      return nil
    case .filterTypeIn:
      guard case .property(_, .array(let values)) = node.detail else { return nil }
      return values.reduce(0) { $0 | bit($1) }
    default: return nil
    }
  }

  mutating func generateComparison(_ node: Node, _ dst: Register) {
    let children = node.children
    if children.count == 3 {
      guard case .collation(let isUntyped) = node.detail else { return }
      return slow(.collate, children, dst, z: detail(.names([node.op.rawValue])), w: isUntyped ? 1 : 0)
    }
    let left = emit(children[0])
    let right = emit(children[1])
    let types = (children[0].type, children[1].type)
    switch node.op {
    case .equal, .notEqual:
      switch types {
      case (.number, .number): add(Instruction(.equalNumbers), dst: dst, a: left, b: right)
      case (.string, .string): add(Instruction(.equalStrings), dst: dst, a: left, b: right)
      default: add(Instruction(.equalAny), dst: dst, a: left, b: right)
      }
      if node.op == .notEqual { add(Instruction(.not), dst: dst, a: dst) }
    default:
      guard let comparison = CodeGenerator.comparison(node.op, isFlipped: false) else { return }
      guard types == (.number, .number) else {
        return add(Instruction(.compare, x: Int(comparison.rawValue)), dst: dst, a: left, b: right)
      }
      switch comparison {
      case .less: add(Instruction(.lessNumbers), dst: dst, a: left, b: right)
      case .greater: add(Instruction(.lessNumbers), dst: dst, a: right, b: left)
      case .lessOrEqual: add(Instruction(.lessOrEqualNumbers), dst: dst, a: left, b: right)
      case .greaterOrEqual: add(Instruction(.lessOrEqualNumbers), dst: dst, a: right, b: left)
      }
    }
  }
}
