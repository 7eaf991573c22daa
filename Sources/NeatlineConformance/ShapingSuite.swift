import Neatline

enum ShapingSuite {
  private struct Request {
    var name: String
    var text = ""
    var ems = 5.0
    var spacing = 0.0
  }

  private static let requests = [
    Request(name: "default", text: "abcde", ems: 15),
    Request(name: "spacing", text: "abcde", ems: 15, spacing: 3),
    Request(name: "linebreak", text: "abcde abcde", ems: 4),
    Request(name: "newline", text: "abcde\nabcde", ems: 15),
    Request(name: "newlines-in-middle", text: "abcde\n\nabcde", ems: 15),
    Request(name: "null", text: "hi\0", ems: 15),
    Request(name: "break-before-bracket", text: "oooooooo(aaaaaaaaa)"),
    Request(name: "zero-width-space", text: "三三\u{200b}三三\u{200b}三三\u{200b}三三三三三三\u{200b}三三"),
    Request(name: "images-horizontal"), Request(name: "images-vertical"),
  ]

  static func cases(_ setting: Setting) -> [Case] {
    requests.map { request in
      Case(name: "text-shaping-\(request.name)") {
        let expected = try JSONValue(
          parsing: Files.read("\(setting.directory)/text-shaping-\(request.name).json"))
        let fonts = try testFonts(setting.assets + "/glyphs/fontstack-glyphs.json")
        try compare(try fonts.shape(json(request)), expected)
      }
    }
  }

  private static func json(_ request: Request) -> JSONValue {
    var result: JSONValue = [
      "maxWidth": .number(request.ems * 24), "lineHeight": 24, "anchor": "center", "justify": "center",
      "letterSpacing": .number(request.spacing),
      "images": [
        "square": ["width": 14, "height": 14, "pixelRatio": 1],
        "tall": ["width": 14, "height": 30, "pixelRatio": 1],
        "wide": ["width": 30, "height": 14, "pixelRatio": 1],
      ],
    ]
    func text(_ text: String) -> JSONValue { ["text": .string(text), "fontStack": "Test", "scale": 1] }
    func image(_ name: String) -> JSONValue {
      ["text": "", "fontStack": "Test", "scale": 1, "image": .string(name)]
    }
    guard request.text.isEmpty else {
      result["sections"] = [text(request.text)]
      return result
    }
    let isVertical = request.name == "images-vertical"
    if isVertical { result["writingMode"] = "vertical" }
    result["sections"] = [
      text(isVertical ? "三" : "Foo"), image("square"), image("wide"), text(isVertical ? "\u{200b}" : "\n"),
      image("tall"), image("square"),
      text(isVertical ? "三" : " bar"),
    ]
    return result
  }

  private static func compare(_ found: JSONValue, _ expected: JSONValue) throws {
    for key in ["text", "top", "bottom", "left", "right", "iconsInText", "verticalizable"] {
      if let difference = JSONCompare.difference(expected[key] ?? .null, found[key], at: key) {
        throw Failure(difference)
      }
    }
    let lines = expected["positionedLines"]?.array ?? [], foundLines = found["lines"]?.array ?? []
    guard lines.count == foundLines.count else {
      throw Failure("\(foundLines.count) lines, \(lines.count) expected")
    }
    for (number, (line, foundLine)) in zip(lines, foundLines).enumerated() {
      if line["lineOffset"] != foundLine["lineOffset"] {
        throw Failure("line \(number): lineOffset \(foundLine["lineOffset"]?.text ?? "")")
      }
      let glyphs = line["positionedGlyphs"]?.array ?? [], foundGlyphs = foundLine["glyphs"]?.array ?? []
      guard glyphs.count == foundGlyphs.count else {
        throw Failure("line \(number): \(foundGlyphs.count) glyphs, \(glyphs.count) expected")
      }
      for (index, (glyph, foundGlyph)) in zip(glyphs, foundGlyphs).enumerated() {
        let image = glyph["imageName"]?.string
        if foundGlyph["image"]?.string != image { throw Failure("line \(number), glyph \(index): image") }
        for key in ["x", "y", "scale", "vertical", "sectionIndex"] + (image == nil ? ["glyph"] : []) {
          let place = "line \(number), glyph \(index): \(key)"
          if let difference = JSONCompare.difference(glyph[key] ?? .null, foundGlyph[key], at: place) {
            throw Failure(difference)
          }
        }
        let advance = glyph["metrics"]?["advance"] ?? .null
        if advance != foundGlyph["advance"] {
          throw Failure("line \(number), glyph \(index): advance \(foundGlyph["advance"]?.text ?? "")")
        }
      }
    }
  }

  /// The suite's glyphs come as JSON: they are written as glyph ranges with empty pictures.
  private static func testFonts(_ path: String) throws -> Fonts {
    let fonts = try Fonts()
    var ranges: [Int: [UInt8]] = [:]
    for member in try JSONValue(parsing: Files.read(path)).object ?? [] {
      guard let id = member.value["id"]?.number, let metrics = member.value["metrics"] else { continue }
      func metric(_ name: String) -> Int { Int(metrics[name]?.number ?? 0) }
      let (width, height) = (metric("width"), metric("height"))
      var glyph = Protobuf.number(1, Int(id))
      if width > 0, height > 0 {
        glyph += Protobuf.bytes(2, [UInt8](repeating: 0, count: (width + 6) * (height + 6)))
      }
      glyph += Protobuf.number(3, width) + Protobuf.number(4, height)
      glyph +=
        Protobuf.number(5, Protobuf.zigzag(metric("left")))
        + Protobuf.number(6, Protobuf.zigzag(metric("top")))
      glyph += Protobuf.number(7, metric("advance"))
      ranges[Int(id) / 256, default: []] += Protobuf.bytes(3, glyph)
    }
    for (range, glyphs) in ranges {
      let head =
        Protobuf.bytes(1, Array("Test".utf8))
        + Protobuf.bytes(2, Array("\(range * 256)-\(range * 256 + 255)".utf8))
      try fonts.addRange(Protobuf.bytes(1, head + glyphs), stack: "Test")
    }
    return fonts
  }
}

/// Writing protocol buffers.
private enum Protobuf {
  static func varint(_ value: Int) -> [UInt8] {
    var value = UInt64(value)
    var result: [UInt8] = []
    while value > 127 {
      result.append(UInt8(value & 127) | 128)
      value >>= 7
    }
    return result + [UInt8(value)]
  }

  static func number(_ field: Int, _ value: Int) -> [UInt8] { varint(field << 3) + varint(value) }
  static func bytes(_ field: Int, _ value: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(value.count) + value
  }
  static func zigzag(_ value: Int) -> Int { value << 1 ^ value >> 63 }
}
