import NeatJSON
import NeatStyle

// Interpolation and steps, and their stops.
extension FormatConverter {
  /// The input stands first among the operands.
  mutating func curve(_ call: FormatCall) throws(FormatStringError) -> ExpressionTree {
    let isStep = call.name == "mgl_step:from:stops"
    try call.expect(isStep ? 3 : 4)
    let input = try value(call.operands[0], .number, for: call.title)
    var parts: [ExpressionTree]
    if isStep {
      parts = [.string("step"), input, try value(call.operands[1])]
    } else {
      parts = [.string("interpolate"), try shape(of: call.operands[1], call.operands[2]), input]
    }
    for (stop, output) in try stops(call.operands[call.operands.count - 1]) {
      parts.append(.number(stop))
      parts.append(output)
    }
    return .array(parts)
  }

  /// The curve type with its parameters.
  private func shape(of type: FormatNode, _ parameters: FormatNode) throws(FormatStringError)
    -> ExpressionTree
  {
    switch type.string {
    case "linear":
      guard parameters.isNil else {
        throw FormatStringError(.operand, "a linear curve takes nil for its parameters", parameters.offset)
      }
      return .call("linear")
    case "exponential":
      guard let base = parameters.number else {
        throw FormatStringError(
          .operand, "an exponential curve takes a constant number, its base", parameters.offset)
      }
      return .call("exponential", .number(base))
    case "cubic-bezier":
      let numbers = try (items(parameters) ?? []).compactMap(\.number)
      guard numbers.count == 4, numbers.allSatisfy({ $0 >= 0 && $0 <= 1 }) else {
        throw FormatStringError(
          .operand, "a cubic Bézier curve takes a list of four constant numbers in 0...1", parameters.offset)
      }
      return .call("cubic-bezier", numbers.map(ExpressionTree.number))
    default:
      throw FormatStringError(
        .operand, "the curve type is 'linear', 'exponential' or 'cubic-bezier'", type.offset)
    }
  }

  /// Stops in ascending order: a dictionary whose keys are numbers, an array of pairs, or such a list written
  /// out.
  private mutating func stops(_ node: FormatNode) throws(FormatStringError) -> [(Double, ExpressionTree)] {
    var stops: [(Double, ExpressionTree)] = []
    if case .data(let json, _) = node.form, json.isObject {
      guard json.count <= FormatStringLimits.operands else {
        throw FormatStringError(.limit, "more than \(FormatStringLimits.operands) stops", node.offset)
      }
      for (key, element) in json.members {
        guard let number = FormatConverter.number(key) else {
          throw FormatStringError(.argument, "the stops' key \"\(key)\" is no number", node.offset)
        }
        stops.append(
          (number, try value(FormatNode(try FormatNode.form(of: element, node.offset), node.offset))))
      }
    } else if let items = try items(node) {
      for item in items {
        guard let pair = try self.items(item), pair.count == 2, let number = pair[0].number else {
          throw FormatStringError(.operand, "a stop is a pair of a constant number and a value", item.offset)
        }
        stops.append((number, try value(pair[1])))
      }
    } else {
      throw FormatStringError(
        .operand, "stops are %@ with a dictionary or an array of pairs, or a list {{0, a}, {10, b}}",
        node.offset)
    }
    guard !stops.isEmpty else { throw FormatStringError(.operand, "there are no stops", node.offset) }
    stops.sort { $0.0 < $1.0 }
    for (a, b) in zip(stops, stops.dropFirst()) where a.0 == b.0 {
      throw FormatStringError(.operand, "two stops are at \(formatNumber(a.0))", node.offset)
    }
    return stops
  }

  /// A dictionary's key as a number, in decimal notation.
  private static func number(_ key: String) -> Double? {
    guard !key.isEmpty, key.utf8.allSatisfy({ FormatLexer.isDigit($0) || "+-.eE".utf8.contains($0) }),
      let number = Double(key)
    else {
      return nil
    }
    return number.isFinite ? number : nil
  }
}
