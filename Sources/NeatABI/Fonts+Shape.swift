import CNeatline
import NeatBase
import NeatJSON
import NeatText

@c @implementation
public func neat_fonts_shape(
  _ fonts: OpaquePointer!, _ request: UnsafePointer<CChar>!, _ request_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(out_json) { () throws(NeatError) in
    let handle: FontsHandle = Handle.object(try required(fonts, "fonts"))
    let request = try ShapingRequest(
      try JSON.parse(try bytes(request, request_size, "request")), handle.store)
    let shaping = shapeText(
      request.sections, store: handle.store, images: { request.images[$0] }, options: request.options)
    return Buffer(ShapingRequest.json(shaping, request.sections, handle.store))
  }
}

/// The JSON door of text shaping.
private struct ShapingRequest {
  var sections: [TextSection] = []
  var images: [String: ImagePosition] = [:]
  var options = ShapingOptions()

  init(_ json: JSON, _ store: GlyphStore) throws(NeatError) {
    let known = [
      "sections", "images", "maxWidth", "lineHeight", "letterSpacing", "writingMode",
      "allowVerticalPlacement", "anchor", "justify",
      "translate",
    ]
    try json.refuseMembers(besides: known, of: "requests for shaping")
    for section in json["sections"].map({ Array($0.elements) }) ?? [] {
      try section.refuseMembers(besides: ["text", "scale", "fontStack", "image"], of: "sections")
      sections.append(
        TextSection(
          text: section["text"]?.string ?? "", scale: section["scale"]?.number ?? 1,
          fontStack: store.fontStack(section["fontStack"]?.string ?? ""), imageName: section["image"]?.string)
      )
    }
    for (name, image) in json["images"].map({ Array($0.members) }) ?? [] {
      try image.refuseMembers(besides: ["width", "height", "pixelRatio"], of: "images")
      images[name] = ImagePosition(
        id: Int32(images.count), paddedWidth: Float(image["width"]?.number ?? 0) + 2,
        paddedHeight: Float(image["height"]?.number ?? 0) + 2,
        pixelRatio: image["pixelRatio"]?.number ?? 1)
    }
    options.maxWidth = json["maxWidth"]?.number ?? .infinity
    options.lineHeight = json["lineHeight"]?.number ?? 24
    options.letterSpacing = json["letterSpacing"]?.number ?? 0
    options.writingMode =
      try ShapingRequest.choice("writingMode", json, ["horizontal": .horizontal, "vertical": .vertical])
      ?? .horizontal
    options.allowVerticalPlacement =
      json["allowVerticalPlacement"]?.bool ?? (options.writingMode == .vertical)
    options.anchor = try ShapingRequest.choice("anchor", json, ShapingRequest.anchors) ?? .center
    options.justify =
      try ShapingRequest.choice(
        "justify", json, ["left": .left, "right": .right, "center": .center, "auto": options.anchor.justify])
      ?? .center
    if let translate = json["translate"], let x = translate[0]?.number, let y = translate[1]?.number {
      options.translate = SIMD2(x, y)
    }
  }

  private static let anchors: [String: TextAnchor] = {
    let names = [
      "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right",
    ]
    return Dictionary(
      uniqueKeysWithValues: names.enumerated().compactMap { index, name in
        TextAnchor(rawValue: UInt8(index)).map { (name, $0) }
      })
  }()

  /// What a member's name stands for; nil where there is none.
  private static func choice<T>(_ member: String, _ json: JSON, _ choices: [String: T]) throws(NeatError)
    -> T?
  {
    guard let value = json[member], !value.isNull else { return nil }
    guard let choice = value.string.flatMap({ choices[$0] }) else {
      throw NeatError(
        .invalidArgument, "\"\(member)\" is none of \(choices.keys.sorted().joined(separator: ", "))",
        offset: value.offset)
    }
    return choice
  }

  static func json(_ shaping: Shaping?, _ sections: [TextSection], _ store: GlyphStore) -> [UInt8] {
    guard let shaping else { return Array("null".utf8) }
    var writer = JSONWriter()
    writer.beginObject()
    for (key, value) in [
      ("top", shaping.top), ("bottom", shaping.bottom), ("left", shaping.left), ("right", shaping.right),
    ] {
      writer.key(key)
      writer.number(Double(value))
    }
    writer.key("text")
    writer.string(shaping.text)
    writer.key("iconsInText")
    writer.bool(shaping.iconsInText)
    writer.key("verticalizable")
    writer.bool(shaping.verticalizable)
    writer.key("lines")
    writer.beginArray()
    for line in shaping.lines {
      writer.beginObject()
      writer.key("lineOffset")
      writer.number(Double(line.lineOffset))
      writer.key("glyphs")
      writer.beginArray()
      for glyph in shaping.glyphs[line.range] { write(glyph, sections, store, &writer) }
      writer.endArray()
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private static func write(
    _ glyph: PositionedGlyph, _ sections: [TextSection], _ store: GlyphStore,
    _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("glyph")
    writer.int(glyph.glyph < 0 ? 0 : store.glyph(glyph.glyph).codepoint)
    if glyph.image >= 0 {
      writer.key("image")
      writer.string(
        sections.indices.contains(Int(glyph.sectionIndex))
          ? sections[Int(glyph.sectionIndex)].imageName ?? "" : "")
    }
    for (key, value) in [
      ("x", glyph.x), ("y", glyph.y), ("scale", glyph.scale), ("advance", glyph.metrics.advance),
    ] {
      writer.key(key)
      writer.number(Double(value))
    }
    writer.key("vertical")
    writer.bool(glyph.vertical)
    writer.key("sectionIndex")
    writer.int(glyph.sectionIndex)
    writer.endObject()
  }
}
