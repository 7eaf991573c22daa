import NeatBase

// What is said where an evaluation fails.
extension Machine {
  @inline(never)
  static func failWithText(_ evaluator: Evaluator, _ pc: Int, _ slot: Slot) {
    guard evaluator.wantsMessages else { return }
    let text = String(decoding: slot.bytes, as: UTF8.self)
    evaluator.fail(pc) { text }
  }

  @inline(never)
  static func failType(
    _ evaluator: Evaluator, _ program: Program, _ pc: Int, _ index: Int, _ type: Int32
  ) -> Bool {
    guard evaluator.wantsMessages else { return false }
    let value = index < 0 ? ExpressionValue.null : evaluator.value(evaluator.hot.pointee.values![index].value)
    evaluator.fail(pc) { expected(program.types[Int(type)], value.type) }
    return false
  }

  private static func expected(_ type: ExpressionType, _ found: ExpressionType) -> String {
    "Expected value to be of type \(type.description), but found \(found.description) instead."
  }

  @inline(never)
  static func failRequirement(
    _ evaluator: Evaluator, _ program: Program, _ frame: UnsafeMutablePointer<Frame>, _ pc: Int,
    _ register: Int, _ type: Int
  ) {
    guard evaluator.wantsMessages else { return }
    let found = evaluator.value(register, program, frame).type
    evaluator.fail(pc) { expected(program.types[type], found) }
  }

  @inline(never)
  static func failInput(_ evaluator: Evaluator, _ pc: Int) -> Int {
    evaluator.fail(pc) { "Input is not a number." }
    return -1
  }

  @inline(never)
  static func failComparison(
    _ evaluator: Evaluator, _ frame: UnsafeMutablePointer<Frame>, _ pc: Int, _ i: Instruction
  ) {
    guard evaluator.wantsMessages else { return }
    let kinds = (kind(frame.pointee.slots[Int(i.a)]), kind(frame.pointee.slots[Int(i.b)]))
    let symbol = Comparison(rawValue: i.x)!.symbol
    evaluator.fail(pc) {
      "Expected arguments for \"\(symbol)\" to be (string, string) or (number, number), but found (\(kinds.0), \(kinds.1)) instead."
    }
  }

  /// The kind of a value as comparisons name it.
  private static func kind(_ slot: Slot) -> String {
    switch Slot.Tag(rawValue: slot.tag) {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .color: "color"
    case .image, .availableImage: "resolvedImage"
    case .text: "formatted"
    default: "object"
    }
  }

  @inline(never)
  static func failCoercion(
    _ evaluator: Evaluator, _ program: Program, _ frame: UnsafeMutablePointer<Frame>, _ pc: Int,
    _ register: Int, _ kind: CoercionKind
  ) {
    guard evaluator.wantsMessages else { return }
    let value = evaluator.value(register, program, frame)
    // What prints as more than a message shows is not printed.
    let isLong = value.weight(limit: longestQuoted) > longestQuoted
    evaluator.fail(pc) { coercionMessage(isLong ? .string("…") : value, kind) }
  }

  /// Bytes of values that a message quotes.
  private static let longestQuoted = 1 << 16

  private static func coercionMessage(_ value: ExpressionValue, _ kind: CoercionKind) -> String {
    switch kind {
    case .number: return "Could not convert \(value.jsonText) to number."
    case .color:
      if case .array(let items) = value {
        guard items.count == 3 || items.count == 4 else {
          return
            "Invalid rgba value \(value.jsonText): expected an array containing either three or four numeric values."
        }
        if let message = rgbaFault(items) { return message }
      }
      return "Could not parse color from value '\(value.quoted)'"
    case .padding: return "Could not parse padding from value '\(value.quoted)'"
    case .numberArray: return "Could not parse numberArray from value '\(value.quoted)'"
    case .colorArray: return "Could not parse colorArray from value '\(value.quoted)'"
    case .anchorOffsets: return "Could not parse variableAnchorOffsetCollection from value '\(value.quoted)'"
    case .projection: return "Could not parse projectionDefinition from value '\(value.quoted)'"
    }
  }

  /// What is wrong with the components of a colour, in 0...255 and the alpha in 0...1.
  static func rgbaFault(_ items: [ExpressionValue]) -> String? {
    func isWithin(_ index: Int, _ limit: Double) -> Bool {
      if case .number(let value) = items[index] { return value >= 0 && value <= limit }
      return false
    }
    guard isWithin(0, 255), isWithin(1, 255), isWithin(2, 255) else {
      let hasAlpha = if items.count == 4, case .number = items[3] { true } else { false }
      let shown = items.prefix(hasAlpha ? 4 : 3).map(\.javaScriptString).joined(separator: ", ")
      return "Invalid rgba value [\(shown)]: 'r', 'g', and 'b' must be between 0 and 255."
    }
    guard items.count < 4 || isWithin(3, 1) else {
      return
        "Invalid rgba value [\(items.map(\.javaScriptString).joined(separator: ", "))]: 'a' must be between 0 and 1."
    }
    return nil
  }
}
