import NeatBase
import NeatJSON

/// Any value of the expression language, owning what it holds.
package indirect enum ExpressionValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case color(RGBA)
  case array([ExpressionValue])
  /// Members in their order; keys are unique.
  case object([Member])
  case formatted(FormattedText)
  case image(ResolvedImage)
  case collator(Collator)
  /// Top, right, bottom, left.
  case padding([Double])
  case numberArray([Double])
  case colorArray([RGBA])
  case anchorOffsets([AnchorOffset])
  case projection(ProjectionDefinition)

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: ExpressionValue

    package init(_ key: String, _ value: ExpressionValue) {
      self.key = key
      self.value = value
    }
  }

  package init(_ json: JSON) {
    switch json.kind {
    case .null: self = .null
    case .bool: self = .bool(json.bool!)
    case .number: self = .number(json.number!)
    case .string: self = .string(json.string!)
    case .array: self = .array(json.elements.map(ExpressionValue.init))
    case .object:
      var members: [Member] = []
      var places: [String: Int] = [:]
      for (key, value) in json.members {
        if let place = places[key] {
          members[place].value = ExpressionValue(value)
        } else {
          places[key] = members.count
          members.append(Member(key, ExpressionValue(value)))
        }
      }
      self = .object(members)
    }
  }

  /// A value of outside that expressions will read: `limitExceeded` where it is nested too deeply.
  package init(checking json: JSON, _ name: String) throws(NeatError) {
    guard !json.isNested(deeperThan: ExpressionLimits.depth) else {
      throw NeatError(
        .limitExceeded, "\(name) is nested deeper than \(ExpressionLimits.depth)", offset: json.offset)
    }
    self.init(json)
  }

  /// The member of an object, or nil.
  package subscript(_ key: String) -> ExpressionValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }
}
