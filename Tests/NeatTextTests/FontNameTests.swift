import NeatText
import Testing

@Suite struct FontNameTests {
  @Test(arguments: [
    ("Noto Sans Regular", "notosans", 400, false), ("Noto Sans", "notosans", 400, false),
    ("Open Sans Semibold Italic", "opensans", 600, true),
    ("Open Sans Semi Bold", "opensans", 600, false), ("OpenSans-BoldItalic", "opensans", 700, true),
    ("Arial Unicode MS Bold", "arialunicodems", 700, false),
    ("Roboto Extra Light Oblique", "roboto", 200, true), ("Bold", "bold", 400, false),
    ("Black Ops One", "blackopsone", 400, false),
    ("", "", 400, false),
  ])
  func wordsOfStyleAreToldFromTheFamily(_ name: String, _ family: String, _ weight: Int, _ isItalic: Bool) {
    let read = FontName(name)
    #expect(read.family == family)
    #expect(read.style == FontStyle(weight: weight, isItalic: isItalic))
  }

  @Test func widthIsAStyleToo() {
    #expect(
      FontName("DejaVu Sans Condensed Bold")
        == FontName(family: "DejaVu Sans", style: FontStyle(weight: 700, width: 3)))
  }

  @Test func slantCountsMoreThanWeight() {
    let wanted = FontStyle(weight: 700, isItalic: true)
    #expect(
      FontStyle(weight: 400, isItalic: true).distance(to: wanted)
        < FontStyle(weight: 700).distance(to: wanted))
    #expect(wanted.distance(to: wanted) == 0)
  }
}
