/// What one section of a `format` expression may change.
public struct FormatOptions: StyleConvertible {
  /// The size of the text, as a factor of the layer's.
  public var fontScale: Value<Double>?
  /// The font stack.
  public var textFont: Value<[String]>?
  /// The colour of the text.
  public var textColor: Value<StyleColor>?

  /// Options; nil leaves what the layer has.
  public init(
    fontScale: Value<Double>? = nil, textFont: Value<[String]>? = nil, textColor: Value<StyleColor>? = nil
  ) {
    self.fontScale = fontScale
    self.textFont = textFont
    self.textColor = textColor
  }

  /// The options that JSON describes; nil where it is not an object.
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

  /// The options as style JSON.
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
