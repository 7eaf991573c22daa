import NeatJSON

// Legacy functions: `{"type", "property", "base", "stops", "default"}`.

/// What the stops of one function have shown so far.
private struct FunctionState {
  let spec: ReferenceSpec
  let context: PropertyContext?
  let type: String?
  let isZoomAndProperty: Bool
  var keyKind: JSON.Kind?
  var keyName = ""
  var lastZoom: Double?
  var lastNumber: Double?
  var seen: Set<String> = []
}

extension StyleValidator {
  mutating func function(_ value: JSON, _ spec: ReferenceSpec, _ key: String, _ context: PropertyContext?) {
    let type = value["type"]?.string
    let stops = value["stops"]
    let hasProperty = value["property"] != nil
    let isZoomFunction = type != "categorical" && !hasProperty
    var state = FunctionState(
      spec: spec, context: context, type: type,
      isZoomAndProperty: stops?.isArray == true && stops?[0]?.isArray == true
        && stops?[0]?[0]?.isObject == true)
    members(value, Reference.function, key, customNames: ["stops", "default"]) {
      validator, name, member, memberKey in
      if name == "stops" {
        validator.stops(member, memberKey, &state)
      } else {
        validator.value(member, spec, memberKey, context: context)
      }
    }
    if type == "identity", isZoomFunction { report(key, value, "missing required property \"property\"") }
    if type != "identity", stops == nil || stops?.isNull == true {
      report(key, value, "missing required property \"stops\"")
    }
    if type == "exponential", !spec.isInterpolated {
      report(key, value, "exponential functions not supported")
    }
    if !isZoomFunction, !spec.allowsData {
      report(key, value, "property functions not supported")
    } else if isZoomFunction, spec.parameters?.contains(.zoom) != true {
      report(key, value, "zoom functions not supported")
    }
    if type == "categorical" || state.isZoomAndProperty, !hasProperty {
      report(key, value, "\"property\" property is required")
    }
  }

  private mutating func stops(_ value: JSON, _ key: String, _ state: inout FunctionState) {
    if state.type == "identity" {
      return report(key, value, "identity function may not have a \"stops\" property")
    }
    guard value.isArray else { return report(key, value, "array expected, \(value.typeName) found") }
    for (index, stop) in value.elements.enumerated() { self.stop(stop, "\(key)[\(index)]", &state) }
    if value.count == 0 { report(key, value, "array must have at least one stop") }
  }

  private mutating func stop(_ value: JSON, _ key: String, _ state: inout FunctionState) {
    guard value.isArray else { return report(key, value, "array expected, \(value.typeName) found") }
    guard value.count == 2, let input = value[0], let output = value[1] else {
      return report(key, value, "array length 2 expected, length \(value.count) found")
    }
    if state.isZoomAndProperty {
      guard zoomAndValue(input, value, key, &state) else { return }
    } else {
      domainValue(input, stop: value, "\(key)[0]", &state)
    }
    if Self.isExpression(output) {
      return report("\(key)[1]", output, "expressions are not allowed in function stops.")
    }
    self.value(output, state.spec, "\(key)[1]", context: state.context)
  }

  /// Checks `{"zoom", "value"}`; false where the stop is not worth a further look.
  private mutating func zoomAndValue(_ input: JSON, _ stop: JSON, _ key: String, _ state: inout FunctionState)
    -> Bool
  {
    guard input.isObject else {
      report(key, stop, "object expected, \(input.typeName) found")
      return false
    }
    guard let zoom = input["zoom"] else {
      report(key, stop, "object stop key must have zoom")
      return false
    }
    guard let value = input["value"] else {
      report(key, stop, "object stop key must have value")
      return false
    }
    if let last = state.lastZoom, last != 0, let number = zoom.number, last > number {
      report(key, zoom, "stop zoom values must appear in ascending order")
      return false
    }
    if zoom.number != state.lastZoom {
      state.lastZoom = zoom.number
      state.lastNumber = nil
      state.seen = []
    }
    for (name, member) in input.members {
      switch name {
      case "zoom": number(member, ReferenceSpec(.number), "\(key)[0].zoom")
      case "value": domainValue(value, stop: stop, "\(key)[0].value", &state)
      default: report("\(key)[0]", member, "unknown property \"\(name)\"")
      }
    }
    return true
  }

  private mutating func domainValue(_ value: JSON, stop: JSON, _ key: String, _ state: inout FunctionState) {
    let reported = value.isNull ? stop : value
    let isCategorical = state.type == "categorical"
    if state.keyKind == nil {
      state.keyKind = value.kind
      state.keyName = value.typeName
    } else if state.keyKind != value.kind {
      return report(
        key, reported,
        "\(value.typeName) stop domain type must match previous stop domain type \(state.keyName)")
    }
    guard value.number != nil || value.string != nil || value.bool != nil else {
      return report(key, reported, "stop domain value must be a number, string, or boolean")
    }
    if value.number == nil, !isCategorical {
      var message = "number expected, \(value.typeName) found"
      if state.spec.allowsData, state.type == nil {
        message += "\nIf you intended to use a categorical function, specify `\"type\": \"categorical\"`."
      }
      return report(key, reported, message)
    }
    if isCategorical, let number = value.number, number.rounded(.down) != number {
      return report(key, reported, "integer expected, found \(formatNumber(number))")
    }
    if !isCategorical, let number = value.number, let last = state.lastNumber, number < last {
      return report(key, reported, "stop domain values must appear in ascending order")
    }
    state.lastNumber = value.number
    if isCategorical, !state.seen.insert(value.text).inserted {
      report(key, reported, "stop domain values must be unique")
    }
  }
}
