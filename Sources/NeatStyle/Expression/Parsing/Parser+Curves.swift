import NeatJSON

extension Parser {
  mutating func parseStep(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count >= 5 else {
      return fail("Expected at least 4 arguments, but found only \(args.count - 1).", place)
    }
    guard args.count % 2 == 1 else { return fail("Expected an even number of arguments.", place) }
    guard let input = parse(args[1], place.child(1, .number)) else { return nil }
    var type = place.outputType
    var stops: [Double] = []
    var children = [input]
    for index in stride(from: 1, to: args.count, by: 2) {
      let label = index == 1 ? -Double.infinity : args[index].number
      guard let output = parseStop("step", label, args[index + 1], index, &stops, type, place) else {
        return nil
      }
      type = type ?? output.type
      children.append(output)
    }
    return Node(.step, type!, place.path, children, .curve(Curve(shape: .step, stops: stops)))
  }

  private mutating func parseStop(
    _ name: String, _ label: Double?, _ value: JSON, _ index: Int, _ stops: inout [Double],
    _ type: ExpressionType?, _ place: Place
  ) -> Node? {
    guard let label else {
      return fail(
        "Input/output pairs for \"\(name)\" expressions must be defined using literal numeric values (not computed expressions) for the input values.",
        place, index)
    }
    if let last = stops.last, last >= label {
      return fail(
        "Input/output pairs for \"\(name)\" expressions must be arranged with input values in strictly ascending order.",
        place, index)
    }
    stops.append(label)
    return parse(value, place.child(index + 1, type))
  }

  mutating func parseInterpolate(_ op: Operator, _ args: [JSON], _ place: Place) -> Node? {
    guard args.count > 1, args[1].isArray, args[1].count > 0 else {
      return fail("Expected an interpolation type expression.", place, 1)
    }
    let shape: Curve.Shape
    let options = Array(args[1].elements)
    switch options[0].string {
    case "linear": shape = .exponential(base: 1)
    case "exponential":
      guard options.count > 1, let base = options[1].number else {
        return fail("Exponential interpolation requires a numeric base.", place, 1, 1)
      }
      shape = .exponential(base: base)
    case "cubic-bezier":
      let numbers = options.dropFirst().compactMap(\.number).filter { $0 >= 0 && $0 <= 1 }
      guard options.count == 5, numbers.count == 4 else {
        return fail(
          "Cubic bezier interpolation requires four numeric arguments with values between 0 and 1.", place, 1)
      }
      shape = .cubicBezier(numbers[0], numbers[1], numbers[2], numbers[3])
    default:
      return fail("Unknown interpolation type \(ExpressionValue(options[0]).javaScriptString)", place, 1, 0)
    }
    guard args.count >= 5 else {
      return fail("Expected at least 4 arguments, but found only \(args.count - 1).", place)
    }
    guard args.count % 2 == 1 else { return fail("Expected an even number of arguments.", place) }
    guard let input = parse(args[2], place.child(2, .number)) else { return nil }
    var type = place.outputType
    if op != .interpolate && place.expected != .colorArray { type = .color }
    var stops: [Double] = []
    var children = [input]
    for index in stride(from: 3, to: args.count, by: 2) {
      guard
        let output = parseStop("interpolate", args[index].number, args[index + 1], index, &stops, type, place)
      else { return nil }
      type = type ?? output.type
      children.append(output)
    }
    guard let type, Parser.isInterpolable(type) else {
      return fail("Type \(type?.description ?? "value") is not interpolatable.", place)
    }
    return Node(op, type, place.path, children, .curve(Curve(shape: shape, stops: stops)))
  }

  private static func isInterpolable(_ type: ExpressionType) -> Bool {
    switch type {
    case .number, .color, .projectionDefinition, .padding, .numberArray, .colorArray,
      .variableAnchorOffsetCollection:
      true
    case .array(.number, let length): length != nil
    default: false
    }
  }
}

extension ExpressionValue {
  /// JavaScript's `String(value)`.
  var javaScriptString: String {
    switch self {
    case .null: "null"
    case .array(let items): items.map { $0 == .null ? "" : $0.javaScriptString }.joined(separator: ",")
    case .object: "[object Object]"
    default: text
    }
  }
}
