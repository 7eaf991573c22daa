/// What one section of a `format` expression may change.
public struct FormatOptions: StyleConvertible {
  public var fontScale: Value<Double>?
  public var textFont: Value<[String]>?
  public var textColor: Value<StyleColor>?

  public init(
    fontScale: Value<Double>? = nil, textFont: Value<[String]>? = nil, textColor: Value<StyleColor>? = nil
  ) {
    self.fontScale = fontScale
    self.textFont = textFont
    self.textColor = textColor
  }

  public init?(json: JSONValue) {
    guard json.object != nil else { return nil }
    fontScale = json["font-scale"].flatMap(Value.init(json:))
    textColor = json["text-color"].flatMap(Value.init(json:))
    let font = json["text-font"]
    if font?[0]?.string == "literal", let names = font?[1].flatMap([String].init(json:)) {
      textFont = .constant(names)
    } else {
      textFont = font.flatMap(Value.init(json:))
    }
  }

  public var json: JSONValue {
    var members: [JSONValue.Member] = []
    if let fontScale { members.append(.init("font-scale", fontScale.json)) }
    switch textFont {
    // Inside an expression an array of names has to be marked as a literal.
    case .constant(let names): members.append(.init("text-font", .array(["literal", names.json])))
    case .expression(let expression): members.append(.init("text-font", expression.json))
    case nil: break
    }
    if let textColor { members.append(.init("text-color", textColor.json)) }
    return .object(members)
  }
}
