import NeatJSON

// format, image, number-format, collator, and what reads the state of the map.
extension Parser {
  /// An option that JavaScript takes for given: present, and neither null, false, 0 nor "".
  private static func option(_ name: String, of object: JSON) -> JSON? {
    guard let value = object[name] else { return nil }
    switch value.kind {
    case .null: return nil
    case .bool: return value.bool == true ? value : nil
    case .number: return value.number == 0 ? nil : value
    case .string: return value.string == "" ? nil : value
    case .array, .object: return value
    }
  }

  mutating func parseFormat(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count >= 2 else { return fail("Expected at least one argument.", place) }
    if args[1].isObject || args[1].isNull {
      return fail("First argument must be an image or text section.", place)
    }
    var children: [Node] = []
    var sections: [Node.FormatSection] = []
    var mayBeOptions = false
    for arg in args.dropFirst() {
      if mayBeOptions && (arg.isObject || arg.isNull) {
        mayBeOptions = false
        guard parseOptions(arg, &sections[sections.count - 1], &children, place) else { return nil }
        continue
      }
      guard let content = parse(arg, place.child(1, .value)) else { return nil }
      switch content.type {
      case .string, .value, .null, .resolvedImage: break
      default: return fail("Formatted text type must be 'string', 'value', 'image' or 'null'.", place)
      }
      mayBeOptions = true
      sections.append(Node.FormatSection())
      children.append(content)
    }
    return Node(.format, .formatted, place.path, children, .format(sections))
  }

  private mutating func parseOptions(
    _ options: JSON, _ section: inout Node.FormatSection, _ children: inout [Node], _ place: Place
  ) -> Bool {
    if let value = Parser.option("font-scale", of: options) {
      guard let node = parse(value, place.child(1, .number)) else { return false }
      children.append(node)
      section.scale = true
    }
    if let value = Parser.option("text-font", of: options) {
      guard let node = parse(value, place.child(1, .array(.string, length: nil))) else { return false }
      children.append(node)
      section.font = true
    }
    if let value = Parser.option("text-color", of: options) {
      guard let node = parse(value, place.child(1, .color)) else { return false }
      children.append(node)
      section.color = true
    }
    if let value = Parser.option("vertical-align", of: options) {
      if let name = value.string, FormattedText.VerticalAlign(rawValue: name) == nil {
        _ = fail(
          "'vertical-align' must be one of: 'bottom', 'center', 'top' but found '\(name)' instead.", place)
        return false
      }
      guard let node = parse(value, place.child(1, .string)) else { return false }
      children.append(node)
      section.align = true
    }
    return true
  }

  mutating func parseImage(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 2 else { return fail("Expected two arguments.", place) }
    guard let name = parse(args[1], place.child(1, .string)) else {
      return fail("No image name provided.", place)
    }
    return Node(.image, .resolvedImage, place.path, [name])
  }

  mutating func parseNumberFormat(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 3 else { return fail("Expected two arguments.", place) }
    guard let number = parse(args[1], place.child(1, .number)) else { return nil }
    guard args[2].isObject else { return fail("NumberFormat options argument must be an object.", place) }
    var children = [number]
    var names: [String] = []
    if Parser.option("currency", of: args[2]) != nil && Parser.option("unit", of: args[2]) != nil {
      return fail("NumberFormat options `currency` and `unit` are mutually exclusive", place)
    }
    for (name, type) in [
      ("locale", ExpressionType.string), ("currency", .string), ("unit", .string),
      ("min-fraction-digits", .number),
      ("max-fraction-digits", .number),
    ] {
      guard let value = Parser.option(name, of: args[2]) else { continue }
      guard let node = parse(value, place.child(1, type)) else { return nil }
      children.append(node)
      names.append(name)
    }
    return Node(.numberFormat, .string, place.path, children, .options(names))
  }

  mutating func parseCollator(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 2 else { return fail("Expected one argument.", place) }
    guard args[1].isObject else { return fail("Collator options argument must be an object.", place) }
    var children: [Node] = []
    var names: [String] = []
    for name in ["case-sensitive", "diacritic-sensitive"] {
      guard let node = parse(args[1][name] ?? .bool(false), place.child(1, .boolean)) else { return nil }
      children.append(node)
      names.append(name)
    }
    if let value = Parser.option("locale", of: args[1]) {
      guard let node = parse(value, place.child(1, .string)) else { return nil }
      children.append(node)
      names.append("locale")
    }
    return Node(.collator, .collator, place.path, children, .options(names))
  }

  mutating func parseGlobalState(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 2 else {
      return fail("Expected 1 argument, but found \(args.count - 1) instead.", place)
    }
    if args[1].isNull { return fail("Global state property must be defined.", place) }
    guard let name = args[1].string else {
      return fail(
        "Global state property must be string, but found \(Parser.javaScriptType(args[1])) instead.", place)
    }
    return Node(.globalState, .value, place.path, [], .names([name]))
  }

  mutating func parseWithin(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 2 else {
      return fail(
        "'within' expression requires exactly one argument, but found \(args.count - 1) instead.", place)
    }
    guard let shape = GeoShape(polygonsOf: args[1]) else {
      return fail(
        "'within' expression requires valid geojson object that contains polygon geometry type.", place)
    }
    guard charge(reading: shape.pointCount * EvaluationBudget.itemBytes, place) else { return nil }
    return Node(.within, .boolean, place.path, [], .shape(shape))
  }

  mutating func parseDistance(_ args: [JSON], _ place: Place) -> Node? {
    guard args.count == 2 else {
      return fail(
        "'distance' expression requires exactly one argument, but found \(args.count - 1) instead.", place)
    }
    guard let shape = GeoShape(args[1]) else {
      return fail(
        "'distance' expression requires valid geojson object that contains polygon geometry type.", place)
    }
    guard charge(reading: shape.pointCount * EvaluationBudget.itemBytes, place) else { return nil }
    return Node(.distance, .number, place.path, [], .shape(shape))
  }
}
