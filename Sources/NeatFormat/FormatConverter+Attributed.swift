import NeatJSON
import NeatStyle

// Formatted text from attributed expressions.
extension FormatConverter {
  /// The options of a section by the names of their constants.
  private static let options: [String: String] = [
    "MGLFontNamesAttribute": "text-font", "MGLFontScaleAttribute": "font-scale",
    "MGLFontColorAttribute": "text-color",
    "text-font": "text-font", "font-scale": "font-scale", "text-color": "text-color",
    "vertical-align": "vertical-align",
  ]

  /// A `format` of sections: operands, or dictionaries of `expression` and `attributes`.
  mutating func attributed(_ items: [FormatNode]) throws(FormatStringError) -> ExpressionTree {
    var parts: [ExpressionTree] = [.string("format")]
    for item in items {
      guard case .data(let json, _) = item.form, json.isObject else {
        parts.append(try value(item))
        continue
      }
      guard let content = json["expression"] else {
        throw FormatStringError(
          .argument,
          "an attributed expression is a dictionary of \"expression\" and, where it has some, \"attributes\"",
          item.offset)
      }
      parts.append(try value(FormatNode(try FormatNode.form(of: content, item.offset), item.offset)))
      if let attributes = json["attributes"], !attributes.isNull {
        parts.append(try textOptions(attributes, item.offset))
      }
    }
    return .array(parts)
  }

  private mutating func textOptions(_ json: JSON, _ offset: Int) throws(FormatStringError) -> ExpressionTree {
    guard json.isObject else {
      throw FormatStringError(.argument, "the attributes are no dictionary", offset)
    }
    var members: [(String, ExpressionTree)] = []
    for (name, element) in json.members {
      guard let option = FormatConverter.options[name] else {
        let known = "MGLFontNamesAttribute, MGLFontScaleAttribute and MGLFontColorAttribute are known"
        throw FormatStringError(.argument, "text has no attribute \"\(name)\"; \(known)", offset)
      }
      members.append((option, try value(FormatNode(try FormatNode.form(of: element, offset), offset))))
    }
    return .object(members)
  }
}
