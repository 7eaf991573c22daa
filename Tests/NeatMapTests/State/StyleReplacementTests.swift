import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatStyle
import Synchronization
import Testing

@testable import NeatMap

/// A style's glyph server and sprites replaced by others: what came from the old ones goes with them.
@Suite struct StyleReplacementTests {
  private static let size = ViewSize(width: 64, height: 64)

  private func map(_ layer: String, root: String = "") throws -> MapCore {
    let style = """
      {"version": 8, \(root) "sources": {"p": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
       "layers": [{"id": "l", "type": "symbol", "source": "p", "layout": {\(layer)}}]}
      """
    return MapCore(style: try Style(parsing: Array(style.utf8)), base: "http://base/style.json")
  }

  private func edit(_ core: MapCore, _ body: (inout StyleEditor) throws -> Void) rethrows {
    var editor = StyleEditor(core.style)
    try body(&editor)
    _ = core.replaceStyle(editor.style)
  }

  private var view: Transform { get throws { try Transform(camera: Camera(), size: Self.size) } }

  // MARK: Glyphs

  private static let text = #""text-field": "A", "text-font": ["F"]"#

  /// A glyph range with the letter A: a block of some pixels width.
  private static func range(width: UInt8) -> [UInt8] {
    func message(_ bytes: [UInt8]) -> [UInt8] {
      [UInt8(bytes.count & 127) | 128, UInt8(bytes.count >> 7)] + bytes
    }
    let bitmap = [UInt8](repeating: 255, count: (Int(width) + 6) * 16)
    let glyph = [0x08, 65, 0x12] + message(bitmap) + [0x18, width, 0x20, 10, 0x28, 0, 0x30, 15, 0x38, 20]
    let stack = [0x0A, 1, UInt8(ascii: "F"), 0x1A] + message(glyph)
    return [0x0A] + message(stack)
  }

  /// The pixels of a picture that are not empty, and the addresses that were asked for.
  private func draw(_ core: MapCore, _ answer: @escaping @Sendable (String) -> ResourceResult) throws
    -> (count: Int, asked: [String])
  {
    let asked = Mutex<[String]>([])
    let client = ResourceClient { requests in
      requests.map { request in
        asked.withLock { $0.append(request.url) }
        return answer(request.url)
      }
    }
    let bitmap = try core.render(camera: Camera(), size: Self.size, client: client, executor: .inline)
    let count = withExtendedLifetime(bitmap) { (0..<64 * 64).count { bitmap.pixels[$0] != 0 } }
    return (count, asked.withLock { $0 })
  }

  @Test func anotherGlyphServerGivesItsOwnGlyphs() throws {
    let core = try map(Self.text)
    let answer: @Sendable (String) -> ResourceResult = { url in
      if url.contains("//wide/") { return .data(Self.range(width: 40)) }
      return url.contains("//thin/") ? .data(Self.range(width: 4)) : .missing
    }
    let none = try draw(core, answer)
    #expect(none.count == 0 && none.asked == [])
    edit(core) { $0.setGlyphs("http://thin/{fontstack}/{range}") }
    let thin = try draw(core, answer)
    #expect(thin.count > 0 && thin.asked == ["http://thin/F/0-255"])
    edit(core) { $0.setGlyphs("http://wide/{fontstack}/{range}") }
    let wide = try draw(core, answer)
    #expect(wide.count > 2 * thin.count && wide.asked == ["http://wide/F/0-255"])
    // What is known of a server is not asked for again.
    edit(core) { $0.setGlyphs("http://thin/{fontstack}/{range}") }
    let again = try draw(core, answer)
    #expect(again.count == thin.count && again.asked == [])
    edit(core) { $0.setGlyphs(nil) }
    #expect(try draw(core, answer).count == 0)
  }

  @Test func lateGlyphsOfTheOldServerAreDropped() throws {
    let core = try map(Self.text, root: #""glyphs": "glyphs/{fontstack}/{range}","#)
    let late = try #require(core.prepare(try view, .inline).first)
    #expect(late.request.url == "http://base/glyphs/F/0-255")
    edit(core) { $0.setGlyphs("http://new/{fontstack}/{range}") }
    #expect(!core.isWanted(late) && !core.deliver(late, .failed(NeatError(.network, "refused"))))
    #expect(core.problems == [], "nobody waits for it")
    let need = try #require(core.prepare(try view, .inline).first)
    #expect(need.request.url == "http://new/F/0-255" && core.deliver(need, .data(Self.range(width: 9))))
    #expect(core.prepare(try view, .inline) == [])
  }

  // MARK: Sprites

  private static let icon = #""icon-image": "i", "icon-allow-overlap": true"#

  private func sheet(_ value: UInt8) -> [UInt8] {
    let pixels = [UInt8](repeating: value, count: 4 * 64)
    return encodePNG(PixelImage(width: 8, height: 8, pixels: pixels, isPremultiplied: true))
  }

  private func index(_ names: String...) -> [UInt8] {
    let entries = names.map { "\"\($0)\": {\"x\": 0, \"y\": 0, \"width\": 8, \"height\": 8}" }
    return Array("{\(entries.joined(separator: ","))}".utf8)
  }

  /// Loads the sprites at addresses, draws, and gives the pixel in the middle.
  private func middle(_ core: MapCore, _ sprites: [String: (index: [UInt8], sheet: [UInt8])]) throws
    -> UInt32
  {
    let client = ResourceClient { requests in
      requests.map { request in
        let isIndex = request.kind == .spriteJSON
        guard let sprite = sprites[String(request.url.dropLast(isIndex ? 5 : 4))] else { return .missing }
        return .data(isIndex ? sprite.index : sprite.sheet)
      }
    }
    let bitmap = try core.render(camera: Camera(), size: Self.size, client: client, executor: .inline)
    return withExtendedLifetime(bitmap) { bitmap.pixels[32 * 64 + 32] }
  }

  @Test func imagesOfAReplacedSpriteGo() throws {
    let core = try map(Self.icon, root: #""sprite": "http://h/a","#)
    let sprites = [
      "http://h/a": (index("i", "gone"), sheet(255)), "http://h/b": (index("i"), sheet(128)),
    ]
    func names() -> Set<String> { core.state.withLock { $0.style.images.names } }
    #expect(try middle(core, sprites) == 0xFFFF_FFFF)
    try edit(core) { try $0.setSprite(JSON.parse("\"http://h/b\"")) }
    #expect(names() == ["i", "gone"], "the old ones are drawn until the new ones are there")
    #expect(try middle(core, sprites) == 0x8080_8080)
    #expect(names() == ["i"])
    // One that is not to be had leaves nothing of the one before, nor does none at all.
    try edit(core) { try $0.setSprite(JSON.parse("\"http://h/none\"")) }
    #expect(try middle(core, sprites) == 0 && names() == [])
    try edit(core) { try $0.setSprite(JSON.parse("\"http://h/a\"")) }
    #expect(try middle(core, sprites) == 0xFFFF_FFFF)
    try edit(core) { try $0.setSprite(nil) }
    #expect(try middle(core, sprites) == 0 && names() == [])
  }

  @Test func imagesOfTheApplicationStay() throws {
    let core = try map(Self.icon, root: #""sprite": "http://h/a","#)
    let own = [UInt8](repeating: 64, count: 256)
    core.addImage(StyleImage(name: "i", width: 8, height: 8, pixelRatio: 1, isSDF: false, pixels: own))
    let sprites = ["http://h/a": (index("i"), sheet(255)), "http://h/b": (index("i"), sheet(128))]
    #expect(try middle(core, sprites) == 0x4040_4040)
    try edit(core) { try $0.setSprite(JSON.parse("\"http://h/b\"")) }
    #expect(try middle(core, sprites) == 0x4040_4040)
    try edit(core) { try $0.setSprite(nil) }
    #expect(try middle(core, sprites) == 0x4040_4040)
  }

  /// Of several sprites those that stay are not asked for again.
  @Test func aSpriteThatStaysKeepsItsImages() throws {
    let a = #"{"id": "default", "url": "http://h/a"}"#, b = #"{"id": "b", "url": "http://h/b"}"#
    let core = try map(Self.icon, root: "\"sprite\": [\(b), \(a)],")
    let sprites = ["http://h/a": (index("i"), sheet(255)), "http://h/b": (index("i"), sheet(128))]
    #expect(try middle(core, sprites) == 0xFFFF_FFFF)
    #expect(core.state.withLock { $0.style.images.names } == ["i", "b:i"])
    try edit(core) { try $0.setSprite(JSON.parse("[\(a)]")) }
    #expect(core.needs(for: try view) == [])
    #expect(core.state.withLock { $0.style.images.names } == ["i"])
    #expect(try middle(core, [:]) == 0xFFFF_FFFF)
  }
}
