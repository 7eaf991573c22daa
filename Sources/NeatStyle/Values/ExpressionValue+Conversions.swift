import NeatBase
import NeatJSON

extension ExpressionValue {
  /// The value's own type: arrays with their length, and with the type of their items where all are of one.
  package var type: ExpressionType {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .number: .number
    case .string: .string
    case .color: .color
    case .array(let items): ExpressionValue.arrayType(items.lazy.map(\.type), count: items.count)
    case .object: .object
    case .formatted: .formatted
    case .image: .resolvedImage
    case .collator: .collator
    case .padding: .padding
    case .numberArray: .numberArray
    case .colorArray: .colorArray
    case .anchorOffsets: .variableAnchorOffsetCollection
    case .projection: .projectionDefinition
    }
  }

  /// Items that are arrays count as being of different types, whatever is in them.
  static func arrayType(_ types: some Sequence<ExpressionType>, count: Int) -> ExpressionType {
    var common: ExpressionType?
    for type in types {
      if common == nil {
        common = type
      } else if common != type || type.isArray {
        common = .value
        break
      }
    }
    return .array(common ?? .value, length: count)
  }

  /// As `to-string` and `concat` print it.
  package var text: String {
    switch self {
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .number(let value): jsNumber(value)
    case .string(let value): value
    case .color(let color): color.description
    case .formatted(let text): text.text
    case .image(let image): image.name
    default: jsonText
    }
  }

  /// As JavaScript's `JSON.stringify` prints it.
  package var jsonText: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null, .collator: writer.null()
    case .bool(let value): writer.bool(value)
    case .number(let value): writer.number(value)
    case .string(let value): writer.string(value)
    case .color(let color): ExpressionValue.write(color, to: &writer)
    case .array(let items): ExpressionValue.write(items, to: &writer) { $1.write(to: &$0) }
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(member.key)
        member.value.write(to: &writer)
      }
      writer.endObject()
    case .formatted(let text): ExpressionValue.write(text, to: &writer)
    case .image(let image): ExpressionValue.write(image, to: &writer)
    case .padding(let values), .numberArray(let values):
      ExpressionValue.write(values, to: &writer) { $0.number($1) }
    case .colorArray(let colors):
      ExpressionValue.write(colors, to: &writer) { ExpressionValue.write($1, to: &$0) }
    case .anchorOffsets(let values):
      writer.beginArray()
      for value in values {
        writer.string(value.anchor)
        ExpressionValue.write([value.x, value.y], to: &writer) { $0.number($1) }
      }
      writer.endArray()
    case .projection(let projection):
      if projection.form == .name { return writer.string(projection.from) }
      writer.beginArray()
      writer.string(projection.from)
      writer.string(projection.to)
      writer.number(projection.transition)
      writer.endArray()
    }
  }

  private static func write<T>(
    _ items: [T], to writer: inout JSONWriter, _ body: (inout JSONWriter, T) -> Void
  ) {
    writer.beginArray()
    for item in items { body(&writer, item) }
    writer.endArray()
  }

  /// An object of premultiplied components.
  static func write(_ color: RGBA, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("r")
    writer.number(color.r * color.a)
    writer.key("g")
    writer.number(color.g * color.a)
    writer.key("b")
    writer.number(color.b * color.a)
    writer.key("a")
    writer.number(color.a)
    writer.endObject()
  }

  private static func write(_ image: ResolvedImage, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(image.name)
    writer.key("available")
    writer.bool(image.isAvailable)
    writer.endObject()
  }

  private static func write(_ text: FormattedText, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("sections")
    writer.beginArray()
    for section in text.sections {
      writer.beginObject()
      writer.key("text")
      writer.string(section.text)
      writer.key("image")
      if let image = section.image { write(image, to: &writer) } else { writer.null() }
      writer.key("scale")
      if let scale = section.scale { writer.number(scale) } else { writer.null() }
      writer.key("fontStack")
      if let font = section.fontStack { writer.string(font) } else { writer.null() }
      writer.key("textColor")
      if let color = section.textColor { write(color, to: &writer) } else { writer.null() }
      writer.key("verticalAlign")
      if let align = section.verticalAlignName { writer.string(align) } else { writer.null() }
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  /// The text a message quotes: strings as they are, the rest as JSON.
  var quoted: String { if case .string(let text) = self { text } else { jsonText } }

  /// What JavaScript takes for true.
  var isTruthy: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    case .number(let value): value != 0 && !value.isNaN
    case .string(let value): !value.isEmpty
    default: true
    }
  }

  /// JavaScript's `Number(value)`; nil for NaN.
  var asNumber: Double? {
    switch self {
    case .null: return 0
    case .bool(let value): return value ? 1 : 0
    case .number(let value): return value.isNaN ? nil : value
    case .string(var value): return value.withUTF8 { jsNumber(parsing: $0) }
    case .array(let items):
      // An array is printed first: [] is "", [5] is "5".
      guard items.count < 2 else { return nil }
      guard let item = items.first else { return 0 }
      if case .bool = item { return nil }
      return item.asNumber
    default: return nil
    }
  }
}

// The coercions to the types that only properties have. Nil where the value does not fit.
extension ExpressionValue {
  private static func numbers(_ items: [ExpressionValue]) -> [Double]? {
    var result: [Double] = []
    result.reserveCapacity(items.count)
    for item in items {
      guard case .number(let value) = item else { return nil }
      result.append(value)
    }
    return result
  }

  var asPadding: ExpressionValue? {
    switch self {
    case .padding: return self
    case .number(let value): return .padding([value, value, value, value])
    case .array(let items):
      guard let n = ExpressionValue.numbers(items) else { return nil }
      switch n.count {
      case 1: return .padding([n[0], n[0], n[0], n[0]])
      case 2: return .padding([n[0], n[1], n[0], n[1]])
      case 3: return .padding([n[0], n[1], n[2], n[1]])
      case 4: return .padding(n)
      default: return nil
      }
    default: return nil
    }
  }

  var asNumberArray: ExpressionValue? {
    switch self {
    case .numberArray: self
    case .number(let value): .numberArray([value])
    case .array(let items): ExpressionValue.numbers(items).map { .numberArray($0) }
    default: nil
    }
  }

  var asColorArray: ExpressionValue? {
    switch self {
    case .colorArray: return self
    case .string(let text): return RGBA(css: text).map { .colorArray([$0]) }
    case .array(let items):
      var colors: [RGBA] = []
      for item in items {
        guard case .string(let text) = item, let color = RGBA(css: text) else { return nil }
        colors.append(color)
      }
      return .colorArray(colors)
    default: return nil
    }
  }

  var asAnchorOffsets: ExpressionValue? {
    if case .anchorOffsets = self { return self }
    guard case .array(let items) = self, !items.isEmpty, items.count % 2 == 0 else { return nil }
    var result: [AnchorOffset] = []
    for index in stride(from: 0, to: items.count, by: 2) {
      guard case .string(let anchor) = items[index], AnchorOffset.anchors.contains(anchor),
        case .array(let pair) = items[index + 1],
        pair.count == 2, case .number(let x) = pair[0], case .number(let y) = pair[1]
      else { return nil }
      result.append(AnchorOffset(anchor: anchor, x: x, y: y))
    }
    return .anchorOffsets(result)
  }

  var asProjection: ExpressionValue? {
    switch self {
    case .projection: return self
    case .string(let name): return .projection(ProjectionDefinition(name))
    case .array(let items):
      guard items.count == 3, case .string(let from) = items[0], case .string(let to) = items[1],
        case .number(let t) = items[2]
      else {
        return nil
      }
      return .projection(ProjectionDefinition(from: from, to: to, transition: t, form: .list))
    default: return nil
    }
  }
}
