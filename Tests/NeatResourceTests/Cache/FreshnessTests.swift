import NeatNetwork
import NeatBase
import NeatStore
import Testing

@testable import NeatResource

@Suite struct FreshnessTests {
  private let now: Int64 = 1_700_000_000

  private func expires(_ control: String?, _ date: String? = nil) -> Int64? {
    Freshness(cacheControl: control, expires: date, now: now).expires
  }

  @Test func maxAgeComesBeforeExpires() {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(expires("max-age=60") == now + 60 && expires("public, MAX-AGE = \"60\"") == now + 60)
    #expect(expires("max-age=60", date) == now + 60 && expires(nil, date) == 784_111_777)
    #expect(expires(nil) == nil && expires("public") == nil)
    // What is no number or no date has expired.
    #expect(expires("max-age=soon") == now && expires("max-age") == now && expires("max-age=-5") == now)
    #expect(expires(nil, "0") == 0 && expires(nil, "tomorrow") == 0)
    #expect(expires("max-age=9223372036854775807")! < Int64.max / 2)
  }

  @Test func whatMayNotBeKeptOrUsedIsTold() {
    func freshness(_ control: String) -> Freshness {
      Freshness(cacheControl: control, expires: nil, now: now)
    }
    #expect(freshness("no-store").isNeverStored && !freshness("private").isNeverStored)
    #expect(freshness("max-age=5, must-revalidate").mustRevalidate && !freshness("max-age=5").mustRevalidate)
    #expect(freshness("no-cache").mustRevalidate && freshness("no-cache").expires == now)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
  ]) func datesAreRead(text: String, time: Int64) {
    #expect(HTTPDate.parse(text) == time)
    #expect(HTTPDate.parse(HTTPDate.text(time)) == time)
  }

  @Test(arguments: [
    "", "0", "-1", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994",
    "a b c d e",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
  ]) func whatIsNoDateIsNone(text: String) {
    #expect(HTTPDate.parse(text) == nil)
  }

  @Test func datesOfAllDaysComeBack() {
    for day in stride(from: Int64(-200_000), to: 200_000, by: 97) {
      // Years of two digits would be read as those of this century.
      let time = day * 86_400 + 3661
      let text = HTTPDate.text(time)
      if HTTPDate.parse(text) != time { #expect(Bool(false), "\(text)") }
    }
    #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
  }
}
