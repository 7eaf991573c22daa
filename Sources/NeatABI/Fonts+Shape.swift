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
    let request = ShapingRequest(try JSON.parse(try bytes(request, request_size, "request")), handle.store)
    let shaping = shapeText(request.sections, store: handle.store, images: { request.images[$0] }, options: request.options)
    return Buffer(ShapingRequest.json(shaping, request.sections, handle.store))
  }
}

/// The JSON door of text shaping.
private struct ShapingRequest {
  var sections: [TextSection] = []
  var images: [String: ImagePosition] = [:]
  var options = ShapingOptions()

  init(_ json: JSON, _ store: GlyphStore) {
    for section in json["sections"].map({ Array($0.elements) }) ?? [] {
      sections.append(
        TextSection(
          text: section["text"]?.string ?? "", scale: section["scale"]?.number ?? 1,
          fontStack: store.fontStack(section["fontStack"]?.string ?? ""), imageName: section["image"]?.string))
    }
    for (name, image) in json["images"].map({ Array($0.members) }) ?? [] {
      images[name] = ImagePosition(
        id: Int32(images.count), paddedWidth: Float(image["width"]?.number ?? 0) + 2, paddedHeight: Float(image["height"]?.number ?? 0) + 2,
        pixelRatio: image["pixelRatio"]?.number ?? 1)
    }
    options.maxWidth = json["maxWidth"]?.number ?? .infinity
    options.lineHeight = json["lineHeight"]?.number ?? 24
    options.letterSpacing = json["letterSpacing"]?.number ?? 0
    options.writingMode = json["writingMode"]?.string == "vertical" ? .vertical : .horizontal
    options.allowVerticalPlacement = json["allowVerticalPlacement"]?.bool ?? (options.writingMode == .vertical)
    options.anchor = ShapingRequest.anchor(json["anchor"]?.string)
    switch json["justify"]?.string {
    case "left": options.justify = .left
    case "right": options.justify = .right
    case "auto": options.justify = options.anchor.justify
    default: options.justify = .center
    }
    if let translate = json["translate"], let x = translate[0]?.number, let y = translate[1]?.number { options.translate = SIMD2(x, y) }
  }

  private static func anchor(_ name: String?) -> TextAnchor {
    let names = ["center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right"]
    return name.flatMap { names.firstIndex(of: $0) }.flatMap { TextAnchor(rawValue: UInt8($0)) } ?? .center
  }

  static func json(_ shaping: Shaping?, _ sections: [TextSection], _ store: GlyphStore) -> [UInt8] {
    guard let shaping else { return Array("null".utf8) }
    var writer = JSONWriter()
    writer.beginObject()
    for (key, value) in [("top", shaping.top), ("bottom", shaping.bottom), ("left", shaping.left), ("right", shaping.right)] {
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
      for glyph in shaping.glyphs[line.range] { write(glyph, shaping, sections, store, &writer) }
      writer.endArray()
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  private static func write(
    _ glyph: PositionedGlyph, _ shaping: Shaping, _ sections: [TextSection], _ store: GlyphStore, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("glyph")
    writer.int(glyph.glyph < 0 ? 0 : store.glyph(glyph.glyph).codepoint)
    if glyph.image >= 0 {
      writer.key("image")
      writer.string(sections.indices.contains(Int(glyph.sectionIndex)) ? sections[Int(glyph.sectionIndex)].imageName ?? "" : "")
    }
    for (key, value) in [("x", glyph.x), ("y", glyph.y), ("scale", glyph.scale), ("advance", glyph.metrics.advance)] {
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
