import NeatBase
import Testing

@testable import NeatMap

/// What is read of attributions: text, and links that may be followed.
@Suite struct AttributionHTMLTests {
  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("  much \n space ", "much space"),
    ("© <a href='https://example.org'>OpenStreetMap</a> contributors", "© OpenStreetMap contributors"),
    ("&copy; a &amp; b &#169; &#xA9; &middot; &unknown; &", "© a & b © © · &unknown; &"),
    ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"), ("<b>bold</b><!-- not --> on", "bold on"),
    ("one<br>two", "one two"), ("open <a href=\"x", "open <a href=\"x"),
    ("&#0;&#x110000;&#-1;", "\0&#x110000;&#-1;"),
  ])
  func textIsWhatIsLeftWithoutTags(_ html: String, _ text: String) {
    #expect(AttributionHTML(html).text == text)
  }

  @Test func linksHaveTheirWordsAndAddress() {
    let html =
      "© <a target=_blank href = 'https://a.example/x?y=1&amp;z=2'>A &amp; <b>more</b></a> | by <A HREF=http://b.example>B</A>"
    #expect(
      AttributionHTML(html).links == [
        AttributionLink(text: "A & more", href: "https://a.example/x?y=1&z=2"),
        AttributionLink(text: "by", href: nil), AttributionLink(text: "B", href: "http://b.example"),
      ])
    #expect(AttributionHTML("Natural Earth").links == [AttributionLink(text: "Natural Earth", href: nil)])
    #expect(AttributionHTML(" © | ").links.isEmpty)
  }

  @Test(arguments: [
    "javascript:alert(1)", "JaVaScRiPt:x", "data:text/html,x", "/local", "https://a\nb", "file:///etc/passwd",
    "",
  ])
  func addressesThatNobodyShouldFollowAreLeftOut(_ address: String) {
    #expect(
      AttributionHTML("<a href=\"\(address)\">words</a>").links == [AttributionLink(text: "words", href: nil)]
    )
    #expect(AttributionHTML("<a data-href=\"https://x.example\">words</a>").links.first?.href == nil)
  }

  @Test func nothingIsSaidTwice() {
    let all = [
      "<a href='https://o.example'>© OpenStreetMap</a>", "© OpenStreetMap", "us",
      "<i>© OpenStreetMap</i> contributors", "us", "",
    ]
    #expect(AttributionHTML.line(all) == "us | © OpenStreetMap contributors")
    #expect(
      AttributionHTML.links(all) == [
        AttributionLink(text: "© OpenStreetMap", href: "https://o.example"),
        AttributionLink(text: "us", href: nil),
        AttributionLink(text: "© OpenStreetMap contributors", href: nil),
      ])
  }

  @Test func hostileTextIsReadInOnePassAndOnlySoMuchOfIt() {
    for piece in ["<", "<a", "&", "&#", "<a href=", "<a href='", "</", "<!--", "é<"] {
      let html = String(repeating: piece, count: 2_000_000 / piece.utf8.count)
      #expect(AttributionHTML(html).text.utf8.count <= 3 * AttributionHTML.byteLimit)
    }
  }

  @Test func onlySoManyAreRead() {
    let many = (0..<1000).map { "<a href='https://a.example/\($0)'>source <\($0)></a>" }
    #expect(AttributionHTML.line(many).split(separator: "|").count == AttributionHTML.countLimit)
    #expect(AttributionHTML.links(many).count == AttributionHTML.countLimit)
    let one = (0..<2000).map { "<a href=https://a.example/\($0)>\($0)</a>" }.joined()
    #expect(AttributionHTML.links([one]).count == AttributionHTML.linkLimit)
  }

  @Test func anyBytesAreRead() {
    var seed: UInt64 = 1
    func next(_ count: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % count
    }
    let alphabet = Array("<>a/&;#x=\"' hrefHREF©é!-123".unicodeScalars)
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<next(60) { text.append(alphabet[next(alphabet.count)]) }
      let read = AttributionHTML(String(text))
      #expect(
        read.links.allSatisfy { $0.href.map { $0.hasPrefix("http") || $0.hasPrefix("mailto:") } ?? true })
    }
  }
}
