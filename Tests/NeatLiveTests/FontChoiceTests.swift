import NeatBase
import NeatCamera
import NeatJSON
import NeatLive
import NeatMap
import NeatResource
import NeatStyle
import NeatTestSupport
import NeatText
import Testing

/// Given fonts, the system's, and what their names find.
@Suite struct FontChoiceTests {
  /// A font of bitmaps with one letter.
  private static let bitmapFont = """
    STARTFONT 2.1
    FONT -test-Dots-Medium-R-Normal--8-80-75-75-C-80-ISO10646-1
    SIZE 8 75 75
    FONTBOUNDINGBOX 8 8 0 0
    STARTPROPERTIES 2
    FONT_ASCENT 8
    FONT_DESCENT 0
    ENDPROPERTIES
    CHARS 1
    STARTCHAR A
    ENCODING 65
    SWIDTH 500 0
    DWIDTH 8 0
    BBX 8 8 0 0
    BITMAP
    18
    24
    42
    42
    7E
    42
    42
    42
    ENDCHAR
    ENDFONT

    """

  private static let shared = SharedFiles.path("data/ttf").map { $0 + "/" }

  private func renderer(
    _ font: String, text: String = "Aaéه", _ change: (inout MapEnvironment.Options) -> Void
  )
    throws -> Renderer
  {
    let json = #"""
      {"version": 8, "sources": {"g": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
       "layers": [{"id": "n", "type": "symbol", "source": "g", "layout": {"text-field": "\#(text)", "text-font": ["\#(font)"]}}]}
      """#
    var options = MapEnvironment.Options()
    options.threadCount = 1
    change(&options)
    return try Renderer(
      style: try Style(json: try JSON.parse(Array(json.utf8))), base: "", options: options)
  }

  private func draw(_ renderer: Renderer) throws -> (pixels: [UInt32], report: Report) {
    let picture = try renderer.draw(Camera(), ViewSize(width: 96, height: 32))
    return (Array(UnsafeBufferPointer(start: picture.bitmap.pixels, count: 96 * 32)), picture.report)
  }

  @Test func aFontOfBitmapsIsAProblemAndNoFailure() throws {
    let folder = WorkFolder()
    try #require(FileManagerless.write(folder.file("dots.bdf"), Array(Self.bitmapFont.utf8)))
    let renderer = try renderer("Dots", text: "A") {
      $0.fontPaths = [folder.file("dots.bdf")]
      $0.usesSystemFonts = false
    }
    let drawn = try draw(renderer)
    #expect(
      renderer.problems.contains {
        $0.resource == folder.file("dots.bdf") && $0.message.contains("no outlines")
      })
    #expect(drawn.report.entries.map(\.kind) == [.characters])
    #expect(throws: NeatError.self) { try self.renderer("Dots") { $0.fontPaths = [folder.file("none.ttf")] } }
    try #require(FileManagerless.write(folder.file("noise.ttf"), Array("noise".utf8)))
    #expect(throws: NeatError.self) {
      try self.renderer("Dots") { $0.fontPaths = [folder.file("noise.ttf")] }
    }
  }

  @Test func withoutFontsCharactersAreToldByScript() throws {
    let report = try draw(try renderer("Noto Sans Regular") { $0.usesSystemFonts = false }).report
    #expect(report.entries.map(\.script) == ["Arab", "Latn"])
    #expect(report.entries.map(\.sample) == ["ه", "Aaé"])
  }

  @Test func givenFontsAddToTheSystems() throws {
    guard let shared = Self.shared else { return print("no shared data beside the package: skipped") }
    guard let system = SystemFonts.fallbacks().first(where: { $0.glyphIndex(0x2603) != 0 }) else {
      return print("no font of the system with U+2603: skipped")
    }
    _ = system
    let given = [shared + "Roboto-Regular.ttf"]
    let alone = try draw(
      try renderer("Roboto Regular", text: "a\\u2603") { ($0.fontPaths, $0.usesSystemFonts) = (given, false) }
    )
    #expect(alone.report.entries.first?.sample == "\u{2603}")
    let both = try draw(try renderer("Roboto Regular", text: "a\\u2603") { $0.fontPaths = given })
    #expect(both.report.count == 0)
  }

  @Test func aBoldNameFindsTheBoldFace() throws {
    guard let shared = Self.shared else { return print("no shared data beside the package: skipped") }
    func pixels(_ font: String, _ files: [String]) throws -> [UInt32] {
      try draw(
        try renderer(font, text: "Aa") {
          ($0.fontPaths, $0.usesSystemFonts) = (files.map { shared + $0 }, false)
        }
      ).pixels
    }
    let both = ["NotoSans-Regular.ttf", "NotoSans-Bold.ttf"]
    let regular = try pixels("Noto Sans Regular", ["NotoSans-Regular.ttf"])
    let bold = try pixels("Noto Sans Bold", ["NotoSans-Bold.ttf"])
    #expect(regular != bold)
    #expect(try pixels("Noto Sans Bold", both) == bold)
    #expect(try pixels("Noto Sans Semibold", both) == bold)
    #expect(try pixels("Noto Sans Medium", both) == regular)
    #expect(try pixels("NotoSans-Bold", both) == bold)
    // A family that nobody has is drawn by the fallback's own bold face.
    #expect(try pixels("Open Sans Bold Italic", both) == bold)
    #expect(try pixels("Open Sans", both) == regular)
    #expect(try pixels("Open Sans Bold", ["NotoSans-Regular.ttf"]) == regular)
  }

  @Test func aCharacterThatNoListedFontHasIsLookedForAmongTheSystems() throws {
    // Mathematical bold capitals: of some fonts only, none of them among those that serve every text.
    let wanted = (UInt32(0x1D400)...0x1D7FF).first { code in
      !SystemFonts.fallbacks().contains { $0.glyphIndex(code) != 0 }
        && SystemFonts.find(character: code) != nil
    }
    guard let wanted, let scalar = Unicode.Scalar(wanted) else {
      return print("no such font of the system: skipped")
    }
    #expect(try draw(try renderer("Noto Sans Regular", text: String(scalar)) { _ in }).report.count == 0)
    let without = try draw(
      try renderer("Noto Sans Regular", text: String(scalar)) { $0.usesSystemFonts = false })
    #expect(without.report.entries.map(\.kind) == [.characters])
    #expect(SystemFonts.find(character: 0x10FFFD) == nil)
  }

  @Test func theSystemsFacesAreFoundByFamilyAndStyle() throws {
    guard let plain = SystemFonts.find(FontName("DejaVu Sans")),
      let bold = SystemFonts.find(FontName("DejaVu Sans Bold"))
    else {
      return print("DejaVu Sans is not installed: skipped")
    }
    #expect(plain.fullName.style.weight == 400)
    #expect(bold.fullName.style.weight == 700 && bold.fullName.family == plain.fullName.family)
    #expect(SystemFonts.find(FontName("No Such Family Bold")) == nil)
  }
}
