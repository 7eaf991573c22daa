import NeatBase
import NeatJSON

// Constants of each type.
extension StyleValidator {
  mutating func number(_ value: JSON, _ spec: ReferenceSpec, _ key: String) {
    guard let number = value.number else {
      return report(key, value, "number expected, \(value.typeName) found")
    }
    if let minimum = spec.minimum, number < minimum {
      report(key, value, "\(formatNumber(number)) is less than the minimum value \(formatNumber(minimum))")
    } else if let maximum = spec.maximum, number > maximum {
      report(key, value, "\(formatNumber(number)) is greater than the maximum value \(formatNumber(maximum))")
    }
  }

  @discardableResult
  mutating func string(_ value: JSON, _ key: String) -> Bool {
    if value.string != nil { return true }
    report(key, value, "string expected, \(value.typeName) found")
    return false
  }

  mutating func color(_ value: JSON, _ key: String) {
    guard let text = value.string else {
      return report(key, value, "color expected, \(value.typeName) found")
    }
    if RGBA(css: text) == nil { report(key, value, "color expected, \"\(text)\" found") }
  }

  mutating func enumeration(_ value: JSON, _ names: [String], _ key: String) {
    let name = value.string ?? value.number.map(formatNumber)
    if let name, names.contains(name) { return }
    report(key, value, "expected one of [\(names.joined(separator: ", "))], \(value.text) found")
  }

  mutating func array(_ value: JSON, _ spec: ReferenceSpec, _ key: String) {
    guard value.isArray else { return report(key, value, "array expected, \(value.typeName) found") }
    if let length = spec.length, length != value.count {
      return report(key, value, "array length \(length) expected, length \(value.count) found")
    }
    guard let element = spec.element else { return }
    for (index, item) in value.elements.enumerated() {
      if element.kind == .layer {
        layer(item, index, "\(key)[\(index)]")
      } else {
        self.value(item, element, "\(key)[\(index)]")
      }
    }
  }

  mutating func textOrImage(_ value: JSON, _ spec: ReferenceSpec, _ key: String, _ context: PropertyContext?)
  {
    if value.string == nil { expression(value, spec, key, context.map(ExpressionUse.property) ?? .other) }
  }

  mutating func padding(_ value: JSON, _ key: String) {
    guard value.isArray else { return number(value, ReferenceSpec(.number), key) }
    guard (1...4).contains(value.count) else {
      return report(key, value, "padding requires 1 to 4 values; \(value.count) values found")
    }
    for (index, item) in value.elements.enumerated() {
      number(item, ReferenceSpec(.number), "\(key)[\(index)]")
    }
  }

  /// A number or colour, or an array of some.
  mutating func oneOrMore(_ value: JSON, _ spec: ReferenceSpec, _ key: String) {
    guard value.isArray else { return one(value, spec, key) }
    if value.count == 0 { return report(key, value, "array length at least 1 expected, length 0 found") }
    for (index, item) in value.elements.enumerated() { one(item, spec, "\(key)[\(index)]") }
  }

  private mutating func one(_ value: JSON, _ spec: ReferenceSpec, _ key: String) {
    if spec.kind == .colorArray { color(value, key) } else { number(value, ReferenceSpec(.number), key) }
  }

  mutating func anchorOffsets(_ value: JSON, _ key: String) {
    guard value.isArray, value.count > 0, value.count.isMultiple(of: 2) else {
      return report(key, value, "variableAnchorOffsetCollection requires a non-empty array of even length")
    }
    let pair = ReferenceSpec(.array, element: ReferenceSpec(.number), length: 2)
    for (index, item) in value.elements.enumerated() {
      if index.isMultiple(of: 2) {
        enumeration(item, Property.textAnchor.spec.reference.values, "\(key)[\(index)]")
      } else {
        array(item, pair, "\(key)[\(index)]")
      }
    }
  }

  mutating func projectionDefinition(_ value: JSON, _ key: String) {
    switch value.kind {
    case .string: break
    case .array:
      guard value.count == 3, value[0]?.string != nil, value[1]?.string != nil, value[2]?.number != nil else {
        return report(key, value, "projection expected, invalid array \(value.text) found")
      }
    default: report(key, value, "projection expected, invalid type \"\(value.typeName)\" found")
    }
  }
}
