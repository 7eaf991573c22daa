import NeatJSON

// Before there were expressions, `text-field` and `icon-image` named properties in braces: "{name} ({ref})". This is the one place that knows
// of it: such texts, alone or as outputs of a zoom function, become `concat` expressions when the style is read.
enum LegacyTokens {
  /// The expression that a value with tokens stands for; nil where it holds none.
  static func expression(_ json: JSON) -> JSON? {
    if let text = json.string { return concat(text) }
    guard json.isObject, json["property"] == nil, let stops = json["stops"], stops.isArray else { return nil }
    var steps: [JSON] = [.string("step"), .array([.string("zoom")])]
    var found = false
    for (index, stop) in stops.elements.enumerated() {
      guard let zoom = stop[0], zoom.number != nil, let output = stop[1], let text = output.string else { return nil }
      let replaced = concat(text)
      found = found || replaced != nil
      if index > 0 { steps.append(zoom) }
      steps.append(replaced ?? output)
    }
    return found ? .array(steps.count == 3 ? [.string("coalesce"), steps[2]] : steps) : nil
  }

  /// `["concat", "text", ["to-string", ["get", "name"]], …]`, or nil where the text has no tokens. A missing property reads as nothing.
  private static func concat(_ text: String) -> JSON? {
    var parts: [JSON] = [.string("concat")]
    var rest = Substring(text)
    while let close = rest.firstIndex(of: "}"), let open = rest[..<close].lastIndex(of: "{") {
      let name = rest[rest.index(after: open)..<close]
      guard !name.isEmpty else {
        // "{}" is no token.
        parts.append(.string(String(rest[...close])))
        rest = rest[rest.index(after: close)...]
        continue
      }
      if open > rest.startIndex { parts.append(.string(String(rest[..<open]))) }
      parts.append(.array([.string("to-string"), .array([.string("get"), .string(String(name))])]))
      rest = rest[rest.index(after: close)...]
    }
    guard parts.contains(where: \.isArray) else { return nil }
    if !rest.isEmpty { parts.append(.string(String(rest))) }
    return .array(parts)
  }
}
