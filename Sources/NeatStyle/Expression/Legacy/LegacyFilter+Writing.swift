import NeatJSON

// Legacy filters written as expressions. A legacy test never fails: a value of another type is merely no
// match. Of the expressions only the comparisons of order fail on such values. A failed filter passes
// nothing, which is right as long as the test stands in a chain of `all`; below `any` and `none` the type is
// asked first.
struct LegacyFilterWriter {
  private var writer = JSONBuilder()

  /// The expression of a filter. What is an expression already comes back as it is; null, which lets
  /// everything pass, as `["all"]`.
  static func convert(_ json: JSON) -> Result<JSON, ExpressionErrors> {
    if !json.isNull, LegacyFilter.isExpression(json) {
      return Parser.parse(json, expected: .boolean).map { _ in json }
    }
    if case .failure(let errors) = LegacyFilter.parse(json) { return .failure(errors) }
    var converter = LegacyFilterWriter()
    do throws(ExpressionError) {
      try converter.write(json, key: "", isGuarded: false)
    } catch {
      return .failure(ExpressionErrors([error]))
    }
    guard let result = converter.writer.finish() else {
      return .failure(ExpressionErrors([ExpressionError(key: "", message: "filter is nested too deeply")]))
    }
    return .success(result)
  }

  private mutating func begin(_ name: String) {
    writer.beginArray()
    writer.string(name)
  }

  private mutating func writeCall(_ name: String) {
    begin(name)
    writer.endArray()
  }

  /// A call without arguments, which every engine takes for a filter, unlike a plain boolean.
  private mutating func write(constant: Bool) { writeCall(constant ? "all" : "any") }

  /// `json` has passed `LegacyFilter.parse`.
  private mutating func write(_ json: JSON, key: String, isGuarded: Bool) throws(ExpressionError) {
    guard let name = json[0]?.string else { return write(constant: true) }
    if json.count == 1, LegacyFilter.operators.contains(name) { return write(constant: name != "any") }
    if LegacyFilter.isExpression(json) { return writer.value(json) }
    switch name {
    case "all", "any", "none":
      let isGuarded = isGuarded || name != "all"
      if name == "none" { begin("!") }
      begin(name == "all" ? "all" : "any")
      for (index, child) in json.elements.enumerated().dropFirst() {
        try write(child, key: "\(key)[\(index)]", isGuarded: isGuarded)
      }
      writer.endArray()
      if name == "none" { writer.endArray() }
    case "has", "!has": writeHas(json[1]?.string ?? "", isNegated: name == "!has")
    case "in", "!in":
      try writeAmong(
        json[1]?.string ?? "", Array(json.elements.dropFirst(2)), key, isNegated: name == "!in")
    default: try writeComparison(name, json[1]?.string ?? "", json[2] ?? .null, key, isGuarded: isGuarded)
    }
  }

  private mutating func writeInput(_ property: String) {
    switch property {
    case "$type": writeCall("geometry-type")
    case "$id": writeCall("id")
    default:
      begin("get")
      writer.string(property)
      writer.endArray()
    }
  }

  private mutating func writeHas(_ property: String, isNegated: Bool) {
    switch property {
    case "$type": write(constant: !isNegated)
    case "$id":
      begin(isNegated ? "==" : "!=")
      writeCall("id")
      writer.null()
      writer.endArray()
    default:
      if isNegated { begin("!") }
      begin("has")
      writer.string(property)
      writer.endArray()
      if isNegated { writer.endArray() }
    }
  }

  private mutating func writeComparison(
    _ name: String, _ property: String, _ value: JSON, _ key: String, isGuarded: Bool
  ) throws(ExpressionError) {
    let isEquality = name == "==" || name == "!="
    if property == "$type", !isEquality || value.string == nil { return write(constant: name == "!=") }
    if isEquality { return writeEquality(property, value, isNegated: name == "!=") }
    guard value.string != nil || value.number != nil else {
      throw ExpressionError(key: key, message: "expressions have no order of \(value.typeName) values")
    }
    if isGuarded {
      begin("case")
      begin("==")
      begin("typeof")
      writeInput(property)
      writer.endArray()
      writer.string(value.typeName)
      writer.endArray()
    }
    begin(name)
    writeInput(property)
    writer.value(value)
    writer.endArray()
    if isGuarded {
      writer.bool(false)
      writer.endArray()
    }
  }

  private mutating func writeEquality(_ property: String, _ value: JSON, isNegated: Bool) {
    if value.isObject || value.isArray { return write(constant: isNegated) }
    // To `get` a property that is not there and one that is null are the same; to legacy filters they were
    // not.
    let needsPresence = value.isNull && !property.hasPrefix("$")
    if needsPresence {
      begin(isNegated ? "any" : "all")
      writeHas(property, isNegated: isNegated)
    }
    begin(isNegated ? "!=" : "==")
    writeInput(property)
    writer.value(value)
    writer.endArray()
    if needsPresence { writer.endArray() }
  }

  private mutating func writeAmong(
    _ property: String, _ values: [JSON], _ key: String, isNegated: Bool
  ) throws(ExpressionError) {
    var seen: Set<String> = []
    // A type is a name: it equals nothing else.
    let values = values.filter { (property != "$type" || $0.string != nil) && seen.insert($0.text).inserted }
    let isUniform = values.allSatisfy { $0.string != nil } || values.allSatisfy { Self.isLabel($0) }
    if values.isEmpty { return write(constant: isNegated) }
    guard isUniform else {
      // The property is written again for each value.
      guard property.utf8.count * values.count <= ExpressionLimits.repeatedBytes else {
        throw ExpressionError(key: key, message: "Expression is too large")
      }
      begin(isNegated ? "all" : "any")
      for value in values { writeEquality(property, value, isNegated: isNegated) }
      return writer.endArray()
    }
    begin("match")
    writeInput(property)
    writer.beginArray()
    for value in values { writer.value(value) }
    writer.endArray()
    writer.bool(!isNegated)
    writer.bool(isNegated)
    writer.endArray()
  }

  /// Labels of `match` are whole numbers that a double holds exactly.
  private static func isLabel(_ json: JSON) -> Bool {
    guard let number = json.number else { return false }
    return number.magnitude <= 9_007_199_254_740_991 && number == number.rounded(.towardZero)
  }
}
