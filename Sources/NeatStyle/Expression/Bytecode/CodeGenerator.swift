import NeatBase

// From nodes to instructions. Values pass through numbered registers: temporaries from 0 up, in stack order;
// constants above them (numbered from `constantBase` up while code is made, moved down at the end).
// Conditions become jumps and are made values only where one is wanted. Outputs of curves and bindings of
// `let` are subroutines, so that no expression is compiled twice.
struct CodeGenerator {
  typealias Register = Int
  static let constantBase = 0x8000
  static let maxRegisters = 0x7000

  struct Label { fileprivate let number: Int }
  enum Field { case x, y, w, jump }

  struct Variable {
    var register: Register
    var link: Register
    var routine: Label
  }

  var draft = ProgramDraft()
  var place: UInt32 = 0
  var top = 0
  private(set) var highWater = 0
  private var labels: [Int] = []
  private var fixups: [(at: Int, field: Field, label: Int)] = []
  private var constants = SmallIndex<Constant>()
  private var keys = SmallIndex<String>()
  private var rules = SmallIndex<LookupTable.Rule>()
  private var types = SmallIndex<ExpressionType>()
  private var variables: [ObjectIdentifier: Variable] = [:]
  private var isTooLarge = false
  /// Parts that do not depend on the feature while the whole does.
  var kept: [ObjectIdentifier: Variable] = [:]

  static func compile(_ node: Node) -> Result<Program, ExpressionError> {
    var generator = CodeGenerator()
    generator.place = generator.number(ofPlace: node.path)
    let parts = generator.reserveKept(node)
    let result = generator.emit(node)
    generator.add(Instruction(.end), a: result)
    generator.emitKept(parts)
    assert(generator.kept.isEmpty, "every kept part has its subroutine")
    guard !generator.isTooLarge, generator.draft.constants.count < maxRegisters else {
      return .failure(
        ExpressionError(
          key: node.path.text, message: "Expression is too large (limit \(maxRegisters) registers)."))
    }
    generator.finish()
    return .success(Program(generator.draft))
  }

  // MARK: registers

  mutating func push() -> Register {
    let register = top
    top += 1
    highWater = max(highWater, top)
    if top >= CodeGenerator.maxRegisters {
      isTooLarge = true
      top = CodeGenerator.maxRegisters - 1
    }
    return register
  }

  /// Runs the body and gives back the temporaries that it took.
  mutating func scoped(_ body: (inout CodeGenerator) -> Void) {
    let mark = top
    body(&self)
    assert(top >= mark, "temporaries come and go in stack order")
    top = mark
  }

  /// What tells constants apart: 0 and -0 are equal but not the same.
  private struct Constant: Hashable {
    let value: ExpressionValue
    let isNegativeZero: Bool

    init(_ value: ExpressionValue) {
      self.value = value
      isNegativeZero =
        if case .number(let number) = value { number == 0 && number.sign == .minus } else { false }
    }
  }

  mutating func constant(_ value: ExpressionValue) -> Register {
    let key = Constant(value)
    let number = constants.find(key) ?? constants.append(key)
    if number == draft.constants.count { draft.constants.append(value) }
    if number >= CodeGenerator.maxRegisters { isTooLarge = true }
    return CodeGenerator.constantBase + min(number, CodeGenerator.maxRegisters)
  }

  mutating func key(_ name: String) -> Int {
    if let number = keys.find(name) { return number }
    draft.keys.append(name)
    return keys.append(name)
  }

  mutating func table(_ rule: LookupTable.Rule) -> Int {
    if let number = rules.find(rule) { return number }
    draft.tables.append(LookupTable(rule))
    return rules.append(rule)
  }

  mutating func type(_ type: ExpressionType) -> Int {
    if let number = types.find(type) { return number }
    draft.types.append(type)
    return types.append(type)
  }

  mutating func number(ofPlace path: SourcePath) -> UInt32 {
    if let last = draft.placePaths.last, last.isSame(path) { return UInt32(draft.placePaths.count - 1) }
    draft.placePaths.append(path)
    return UInt32(draft.placePaths.count - 1)
  }

  // MARK: instructions

  mutating func add(_ instruction: Instruction, dst: Register = 0, a: Register = 0, b: Register = 0) {
    var instruction = instruction
    instruction.dst = UInt16(truncatingIfNeeded: dst)
    instruction.a = UInt16(truncatingIfNeeded: a)
    instruction.b = UInt16(truncatingIfNeeded: b)
    draft.code.append(instruction)
    draft.places.append(place)
    assert(draft.places.count == draft.code.count, "a place for each instruction")
  }

  mutating func label() -> Label {
    labels.append(-1)
    return Label(number: labels.count - 1)
  }

  mutating func bind(_ label: Label) {
    assert(labels[label.number] < 0, "a label is bound once")
    labels[label.number] = draft.code.count
  }

  /// Makes a field of the last instruction lead to a label.
  mutating func aim(_ field: Field, _ label: Label) {
    fixups.append((draft.code.count - 1, field, label.number))
  }

  mutating func jump(_ label: Label) {
    add(Instruction(.jump))
    aim(.x, label)
  }

  /// Room in the jump table for so many entries.
  mutating func reserveJumps(_ count: Int) -> Int {
    let base = draft.jumps.count
    draft.jumps += Array(repeating: 0, count: count)
    return base
  }

  mutating func setJump(_ index: Int, _ label: Label) {
    assert(index < draft.jumps.count, "room was reserved")
    fixups.append((index, .jump, label.number))
  }

  private mutating func finish() {
    for fixup in fixups {
      let target = Int32(labels[fixup.label])
      assert(target >= 0 && target < draft.code.count, "what is aimed at is bound, within the program")
      switch fixup.field {
      case .x: draft.code[fixup.at].x = target
      case .y: draft.code[fixup.at].y = target
      case .w: draft.code[fixup.at].w = target
      case .jump: draft.jumps[fixup.at] = target
      }
    }
    // One more, because mixing reads the register after its first argument.
    draft.constantStart = highWater + 1
    assert(draft.keptCount <= highWater, "kept registers are the first ones")
    func settle(_ register: UInt16) -> UInt16 {
      register < CodeGenerator.constantBase
        ? register : UInt16(Int(register) - CodeGenerator.constantBase + draft.constantStart)
    }
    for index in draft.code.indices {
      draft.code[index].dst = settle(draft.code[index].dst)
      draft.code[index].a = settle(draft.code[index].a)
      draft.code[index].b = settle(draft.code[index].b)
    }
  }

  // MARK: expressions

  /// The register that will hold the value: a constant, a variable, or a new temporary.
  mutating func emit(_ node: Node) -> Register {
    if case .literal(let value) = node.detail { return constant(value) }
    if case .variable(let bound) = node.detail {
      guard let variable = variables[ObjectIdentifier(bound)] else { return emit(bound) }
      add(Instruction(.ensure), dst: variable.link, a: variable.register)
      aim(.x, variable.routine)
      return variable.register
    }
    if let register = emitKept(node) { return register }
    let register = push()
    emit(node, into: register)
    top = register + 1
    return register
  }

  mutating func emit(_ node: Node, into dst: Register) {
    if let register = emitKept(node) { return add(Instruction(.move), dst: dst, a: register) }
    let mark = top
    let outerPlace = place
    place = number(ofPlace: node.path)
    generate(node, dst)
    place = outerPlace
    top = mark
  }

  /// Emits the children into consecutive registers, and gives the first.
  mutating func emitConsecutive(_ nodes: some Sequence<Node>) -> Register {
    let base = top
    for node in nodes {
      let register = push()
      emit(node, into: register)
    }
    return base
  }

  mutating func slow(_ operation: SlowOperation, _ nodes: [Node], _ dst: Register, z: Int = 0, w: Int = 0) {
    let base = emitConsecutive(nodes)
    add(Instruction(.slow, x: Int(operation.rawValue), y: nodes.count, z: z, w: w), dst: dst, a: base)
  }

  mutating func detail(_ detail: Node.Detail) -> Int {
    draft.details.append(detail)
    return draft.details.count - 1
  }

  mutating func generateLet(_ node: Node, _ dst: Register) {
    for binding in node.children.dropLast() where binding.op != .literal && binding.op != .variable {
      let variable = Variable(register: push(), link: push(), routine: label())
      let over = label()
      add(Instruction(.clear), dst: variable.register)
      jump(over)
      bind(variable.routine)
      emit(binding, into: variable.register)
      add(Instruction(.callReturn), a: variable.link)
      bind(over)
      variables[ObjectIdentifier(binding)] = variable
      // The routine runs while what follows holds temporaries of its own: they must not share registers.
      top = highWater
    }
    emit(node.children[node.children.count - 1], into: dst)
  }
}
