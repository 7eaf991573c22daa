import NeatJSON

// Arrays and strings: at, in, index-of, slice, length; and the comparisons.
extension Parser {
  private static let needles: [ExpressionType] = [.boolean, .string, .number, .null, .value]

  mutating func parseAt(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 3 else {
      return fail("Expected 2 arguments, but found \(args.count - 1) instead.", place)
    }
    let index = parse(args[1], place.child(1, .number))
    let input = parse(args[2], place.child(2, .array(place.expected ?? .value, length: nil)))
    guard let index, let input else { return nil }
    var type = ExpressionType.value
    if case .array(let item, _) = input.type { type = item }
    return Node(.at, type, place.path, [index, input])
  }

  mutating func parseIn(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 3 else {
      return fail("Expected 2 arguments, but found \(args.count - 1) instead.", place)
    }
    guard let (needle, haystack) = parseNeedle(args, place) else { return nil }
    return Node(.in, .boolean, place.path, [needle, haystack])
  }

  private mutating func parseNeedle(_ args: [JSON], _ place: Place) -> (Node, Node)? {
    let needle = parse(args[1], place.child(1, .value))
    let haystack = parse(args[2], place.child(2, .value))
    guard let needle, let haystack else { return nil }
    guard Parser.needles.contains(needle.type) else {
      _ = fail(
        "Expected first argument to be of type boolean, string, number or null, but found \(needle.type.description) instead",
        place)
      return nil
    }
    return (needle, haystack)
  }

  mutating func parseIndexOf(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 3 || args.count == 4 else {
      return fail("Expected 2 or 3 arguments, but found \(args.count - 1) instead.", place)
    }
    guard let (needle, haystack) = parseNeedle(args, place) else { return nil }
    guard args.count == 4 else { return Node(.indexOf, .number, place.path, [needle, haystack]) }
    guard let start = parse(args[3], place.child(3, .number)) else { return nil }
    return Node(.indexOf, .number, place.path, [needle, haystack, start])
  }

  mutating func parseSlice(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 3 || args.count == 4 else {
      return fail("Expected 2 or 3 arguments, but found \(args.count - 1) instead.", place)
    }
    let input = parse(args[1], place.child(1, .value))
    let start = parse(args[2], place.child(2, .number))
    guard let input, let start else { return nil }
    guard input.type.isArray || input.type == .string || input.type == .value else {
      return fail(
        "Expected first argument to be of type array or string, but found \(input.type.description) instead",
        place)
    }
    guard args.count == 4 else { return Node(.slice, input.type, place.path, [input, start]) }
    guard let end = parse(args[3], place.child(3, .number)) else { return nil }
    return Node(.slice, input.type, place.path, [input, start, end])
  }

  mutating func parseLength(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 2 else {
      return fail("Expected 1 argument, but found \(args.count - 1) instead.", place)
    }
    guard let input = parse(args[1], place.child(1)) else { return nil }
    guard input.type.isArray || input.type == .string || input.type == .value else {
      return fail(
        "Expected argument of type string or array, but found \(input.type.description) instead.", place)
    }
    return Node(.length, .number, place.path, [input])
  }

  mutating func parseComparison(_ op: Operator, _ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 3 || args.count == 4 else { return fail("Expected two or three arguments.", place) }
    let isOrder = op != .equal && op != .notEqual
    func isComparable(_ type: ExpressionType) -> Bool {
      switch type {
      case .string, .number, .value: true
      case .boolean, .null: !isOrder
      default: false
      }
    }
    guard var left = parse(args[1], place.child(1, .value)) else { return nil }
    guard isComparable(left.type) else {
      return fail(
        "\"\(op.rawValue)\" comparisons are not supported for type '\(left.type.description)'.", place, 1)
    }
    guard var right = parse(args[2], place.child(2, .value)) else { return nil }
    guard isComparable(right.type) else {
      return fail(
        "\"\(op.rawValue)\" comparisons are not supported for type '\(right.type.description)'.", place, 2)
    }
    if left.type != right.type && left.type != .value && right.type != .value {
      return fail("Cannot compare types '\(left.type.description)' and '\(right.type.description)'.", place)
    }
    let isUntyped = left.type == .value || right.type == .value
    if isOrder {
      if left.type == .value && right.type != .value {
        left = Node(.assertion, right.type, place.path, [left])
      } else if left.type != .value && right.type == .value {
        right = Node(.assertion, left.type, place.path, [right])
      }
    }
    guard args.count == 4 else { return Node(op, .boolean, place.path, [left, right]) }
    if left.type != .string && right.type != .string && left.type != .value && right.type != .value {
      return fail("Cannot use collator to compare non-string types.", place)
    }
    guard let collator = parse(args[3], place.child(3, .collator)) else { return nil }
    return Node(
      op, .boolean, place.path, [left, right, collator], .collation(isOrder ? left.type == .value : isUntyped)
    )
  }
}
