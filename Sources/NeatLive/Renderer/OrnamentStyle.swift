import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatStyle

/// The style that draws ornaments: a plane whose logical pixels are known in degrees.
enum OrnamentStyle {
  /// Deep enough that degrees are straight within a picture.
  static let zoom = 14.0
  /// Logical pixels of the strip that ornaments have at most.
  static let stripHeight = 128
  private static let degreesPerPixel = 360 / (512 * 16384.0)
  private static let boxName = "ornament-box"

  /// A white pixel that stretches behind text.
  static var box: StyleImage {
    StyleImage(
      name: boxName, width: 1, height: 1, pixelRatio: 1, isSDF: false, pixels: [204, 204, 204, 204])
  }

  /// A place of the picture, from its bottom left corner, in degrees of the strip's map.
  private static func place(_ x: Double, _ up: Double, _ size: ViewSize) -> JSON {
    let height = Double(min(size.height, stripHeight))
    return .array([
      .number((x - Double(size.width) / 2) * degreesPerPixel),
      .number(Mercator.lat(y: 0.5 + (height / 2 - up) * degreesPerPixel / 360)),
    ])
  }

  private static func feature(_ kind: String, _ type: String, _ coordinates: JSON, _ text: String = "")
    -> JSON
  {
    .object([
      ("type", .string("Feature")),
      ("properties", .object([("kind", .string(kind)), ("text", .string(text))])),
      ("geometry", .object([("type", .string(type)), ("coordinates", coordinates)])),
    ])
  }

  static func attribution(_ text: String, _ size: ViewSize) -> JSON {
    feature("attribution", "Point", place(Double(size.width) - 4, 3, size), text)
  }

  /// The bar with its ends turned up, and its length above.
  static func scaleBar(_ bar: ScaleBar, _ size: ViewSize) -> [JSON] {
    let (left, right, bottom, top) = (10.0, 10 + bar.width, 8.0, 14.0)
    let ring = [(left - 4, 4.0), (right + 4, 4), (right + 4, 28), (left - 4, 28), (left - 4, 4)].map {
      place($0.0, $0.1, size)
    }
    return [
      feature("bar-box", "Polygon", .array([.array(ring)])),
      feature(
        "bar", "LineString",
        .array([
          place(left, top, size), place(left, bottom, size), place(right, bottom, size),
          place(right, top, size),
        ])),
      feature("bar-text", "Point", place((left + right) / 2, 12, size), bar.text),
    ]
  }

  static func style(_ features: [JSON], for style: Style, _ strip: ViewSize) -> JSON {
    var members: [(String, JSON)] = [
      ("version", .number(8)),
      (
        "sources",
        .object([
          (
            "ornaments",
            .object([
              ("type", .string("geojson")), ("maxzoom", .number(14)), ("tolerance", .number(0)),
              ("data", .object([("type", .string("FeatureCollection")), ("features", .array(features))])),
            ])
          )
        ])
      ),
      ("layers", layers(fonts: fonts(of: style), width: Double(strip.width))),
    ]
    if let glyphs = style.glyphs { members.append(("glyphs", .string(glyphs))) }
    return .object(members)
  }

  /// The font that the style's labels begin with: a glyph server need not have any other.
  private static func fonts(of style: Style) -> JSON? {
    guard let layers = style.original["layers"] else { return nil }
    for layer in layers.elements where layer["type"]?.string == "symbol" {
      guard let fonts = layer["layout"]?["text-font"], fonts.isArray else { continue }
      let names = fonts.elements.map(\.string)
      guard let first = names.first, first != "literal", names.allSatisfy({ $0 != nil }) else { continue }
      return fonts
    }
    return nil
  }

  private static func layers(fonts: JSON?, width: Double) -> JSON {
    func filter(_ kind: String) -> JSON {
      .array([.string("=="), .array([.string("get"), .string("kind")]), .string(kind)])
    }
    func layer(_ kind: String, _ type: String, _ layout: [(String, JSON)], _ paint: [(String, JSON)]) -> JSON
    {
      .object([
        ("id", .string(kind)), ("type", .string(type)), ("source", .string("ornaments")),
        ("filter", filter(kind)), ("layout", .object(layout)), ("paint", .object(paint)),
      ])
    }
    func text(_ anchor: String, _ size: Int) -> [(String, JSON)] {
      var result: [(String, JSON)] = [
        ("text-field", .array([.string("get"), .string("text")])), ("text-size", .number(Double(size))),
        ("text-anchor", .string(anchor)), ("text-allow-overlap", .bool(true)),
        ("text-ignore-placement", .bool(true)), ("text-padding", .number(0)),
      ]
      if let fonts { result.append(("text-font", fonts)) }
      return result
    }
    let dark = JSON.string("#333333")
    return .array([
      layer("bar-box", "fill", [], [("fill-color", .string("rgba(255, 255, 255, 0.8)"))]),
      layer("bar", "line", [], [("line-color", dark), ("line-width", .number(1.5))]),
      layer("bar-text", "symbol", text("bottom", 11), [("text-color", dark)]),
      layer(
        "attribution", "symbol",
        text("bottom-right", 11) + [
          ("text-max-width", .number(max(4, (width - 16) / 11))), ("text-justify", .string("right")),
          ("icon-image", .string(boxName)), ("icon-text-fit", .string("both")),
          ("icon-text-fit-padding", .array([.number(2), .number(4), .number(3), .number(4)])),
          ("icon-allow-overlap", .bool(true)), ("icon-ignore-placement", .bool(true)),
        ], [("text-color", dark)]),
    ])
  }
}

/// A length that is a round number, and how many logical pixels it has.
struct ScaleBar {
  let width: Double
  let text: String

  /// Logical pixels at most.
  private static let widthLimit = 100.0

  /// Of the middle of a view; nil where none is wanted.
  init?(_ kind: Ornaments.ScaleBar, _ camera: Camera) {
    let circumference = 40_075_016.685578488
    let metres =
      circumference * cos(camera.center.lat * .pi / 180) / (512 * exp2(camera.zoom)) * ScaleBar.widthLimit
    switch kind {
    case .none: return nil
    case .metric: self.init(metres, metres >= 1000 ? (1000, "km") : (1, "m"))
    case .imperial: self.init(metres, metres >= 1609.344 ? (1609.344, "mi") : (0.3048, "ft"))
    case .nautical: self.init(metres, (1852, "nm"))
    }
  }

  private init(_ metres: Double, _ unit: (metres: Double, name: String)) {
    let most = max(metres / unit.metres, 1e-9)
    let power = pow(10, floor(log10(most)))
    let first = most / power
    let length = (first >= 10 ? 10 : first >= 5 ? 5 : first >= 3 ? 3 : first >= 2 ? 2 : 1) * power
    width = ScaleBar.widthLimit * length / most
    text = "\(formatNumber(length)) \(unit.name)"
  }
}

/// HTML as attributions have it, without its tags.
enum PlainText {
  private static let entities = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "\u{A9}",
    "reg": "\u{AE}",
    "middot": "\u{B7}", "ndash": "\u{2013}", "mdash": "\u{2014}", "hellip": "\u{2026}", "trade": "\u{2122}",
  ]

  static func of(html: String) -> String {
    var result = ""
    var rest = Substring(html)
    while let character = rest.first {
      rest.removeFirst()
      switch character {
      case "<":
        // A sign that begins no tag stays.
        guard let next = rest.first, next.isLetter || next == "/" || next == "!",
          let end = rest.firstIndex(of: ">")
        else {
          result.append(character)
          continue
        }
        rest = rest[rest.index(after: end)...]
      case "&":
        guard let end = rest.prefix(10).firstIndex(of: ";"), let text = entity(rest[..<end]) else {
          result.append(character)
          continue
        }
        result += text
        rest = rest[rest.index(after: end)...]
      default: result.append(character)
      }
    }
    return result.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" }).joined(separator: " ")
  }

  private static func entity(_ name: Substring) -> String? {
    if let known = entities[String(name)] { return known }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { Unicode.Scalar($0) }.map { String($0) }
  }
}
