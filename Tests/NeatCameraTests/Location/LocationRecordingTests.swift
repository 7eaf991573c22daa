import NeatBase
import Testing

@testable import NeatCamera

@Suite struct LocationRecordingTests {
  private func read(_ text: String, _ format: LocationRecording.Format? = nil) throws(NeatError)
    -> LocationRecording
  {
    try LocationRecording(Array(text.utf8), format: format)
  }

  private func fault(_ text: String) -> NeatError? {
    do throws(NeatError) {
      _ = try read(text)
      return nil
    } catch { return error }
  }

  private static let gpx = """
    \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE gpx [ <!ENTITY a "b"> ]>
    <!-- a walk -->
    <gpx version="1.1" creator="hand" xmlns:g="http://example.org/g">
      <wpt lat="1" lon="2"><name>not a track</name></wpt>
      <trk><name><![CDATA[up & down <gpx>]]></name><trkseg>
        <trkpt lat="47.26" lon="11.39"><ele>580.5</ele><time>2024-05-01T12:00:00Z</time><hdop>1.2</hdop></trkpt>
        <trkpt lon='11.40' lat='47.26'><time>2024-05-01T14:00:10+02:00</time>
          <extensions><g:speed>1.5</g:speed><g:course>88</g:course></extensions></trkpt>
        <trkpt lat="47.27" lon="11.40"><time>2024-05-01T12:00:20.25Z</time></trkpt>
      </trkseg></trk>
    </gpx>
    """

  @Test func aTrackOfGPXIsRead() throws {
    let track = try read(LocationRecordingTests.gpx)
    #expect(track.format == .gpx && track.entries.count == 3 && track.problemCount == 0)
    #expect(track.entries.map(\.atMS) == [0, 10_000, 20_250] && track.durationMS == 20_250)
    let first = track.entries[0].location
    #expect(first.place == LonLat(11.39, 47.26) && first.altitude == 580.5)
    #expect(first.horizontalAccuracy == 6, "five metres a unit of dilution")
    #expect(first.timeUS == 1_714_564_800_000_000)
    #expect(track.entries[1].location.speed == 1.5 && track.entries[1].location.course == 88)
    // What the recording does not have: where it goes, and how fast.
    #expect(first.course == 88)
    #expect(abs((track.entries[2].location.course ?? 9) - 0) < 1e-9)
    #expect(abs((track.entries[2].location.speed ?? 0) - 1113.2 / 10.25) < 0.1)
  }

  @Test func routesAndWaypointsServeWhereThereIsNoTrack() throws {
    let route = try read(
      #"<gpx><wpt lat="1" lon="1"/><rte><rtept lat="2" lon="3"/><rtept lat="2" lon="4"/></rte></gpx>"#)
    #expect(route.entries.map(\.location.place) == [LonLat(3, 2), LonLat(4, 2)])
    #expect(route.entries.map(\.atMS) == [0, 1000], "a second apart where nobody says")
    let points = try read(#"<gpx><wpt lat="1" lon="1"/></gpx>"#)
    #expect(points.entries.count == 1 && points.entries[0].location.course == nil)
  }

  @Test func timesThatGoBackStandStill() throws {
    func point(_ time: String) -> String { "<trkpt lat='0' lon='0'><time>\(time)</time></trkpt>" }
    let track = try read(
      "<gpx><trk><trkseg>" + point("2024-05-01T12:00:10Z") + point("2024-05-01T12:00:00Z")
        + point("2024-05-01T12:00:05Z") + "</trkseg></trk></gpx>")
    #expect(track.entries.map(\.atMS) == [0, 0, 5000])
  }

  @Test(arguments: [
    ("<gpx><trk><trkseg>\n<trkpt lat=\"91\" lon=\"0\"/></trkseg></trk></gpx>", "line 2", "\"lat\" is \"91\""),
    ("<gpx><trkpt lat=\"1\"/></gpx>", "line 1", "without \"lon\""),
    ("<gpx><trkpt lat=\"NaN\" lon=\"0\"/></gpx>", "line 1", "\"NaN\""),
    ("<gpx>\n\n<trk></gpx>", "line 3", "\"gpx\" ends, and is not open"),
    ("<gpx><trk>", "line 1", "\"trk\" does not end"),
    ("<html></html>", "line 1", "the element \"gpx\" is due"),
    ("<gpx><!-- ", "line 1", "comment that does not end"),
    ("<gpx attribute=\"", "line 1", "tag that does not end"),
    ("<gpx><trkpt lat='0' lon='0'><trkpt lat='0' lon='0'/></trkpt></gpx>", "line 1", "point within a point"),
    ("<gpx></gpx>", "GPX", "without a location"),
    ("<", "line 1", "tag without a name"),
    ("hello", "", "neither GPX nor NMEA"),
    ("  \n ", "", "without any text"),
    ("", "", "without any text"),
  ])
  func brokenGPXNamesItsLine(_ text: String, _ place: String, _ words: String) {
    let error = fault(text)
    #expect(error?.code == .invalidArgument)
    #expect(
      error?.message.contains(words) == true && error?.message.contains(place) == true, "\(error as Any)")
  }

  @Test func depthAndCountHaveLimits() {
    #expect(fault("<gpx>" + String(repeating: "<a>", count: 100))?.code == .limitExceeded)
    #expect(
      fault("<gpx>" + String(repeating: "<a>", count: 63) + String(repeating: "</a>", count: 63) + "</gpx>")?
        .code == .invalidArgument)
    let points = Array(("<gpx>" + String(repeating: "<wpt lat='0' lon='0'/>", count: 11) + "</gpx>").utf8)
    #expect((try? LocationRecording(points, limit: 11))?.entries.count == 11)
    do throws(NeatError) {
      _ = try LocationRecording(points, limit: 10)
      Issue.record("more locations than there may be")
    } catch { #expect(error.code == .limitExceeded && error.message.contains("more than 10 locations")) }
    do throws(NeatError) {
      _ = try LocationRecording([UInt8](repeating: 32, count: LocationRecording.byteLimit + 1))
      Issue.record("too many bytes were read")
    } catch { #expect(error.code == .limitExceeded) }
  }

  @Test func damagedValuesAreLeftOutAndNoted() throws {
    let track = try read(
      "<gpx><wpt lat='0' lon='0'>\n<ele>high</ele><time>yesterday</time><hdop>-3</hdop></wpt></gpx>")
    #expect(track.problemCount == 3 && track.problems.map(\.line) == [2, 2, 2])
    #expect(track.problems[0].message == "\"ele\" is \"high\", left out")
    #expect(track.entries[0].location.altitude == nil && track.entries[0].location.timeUS == nil)
  }

  /// Entities are never looked up: what would grow to gigabytes stays as short as it is.
  @Test func entitiesDoNotGrow() {
    let bomb =
      "<!DOCTYPE gpx [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><gpx><wpt lat=\"&b;\" lon=\"0\"/></gpx>"
    #expect(fault(bomb)?.message.contains("\"lat\" is \"&b;\"") == true)
  }

  @Test(arguments: [
    ("2024-02-29T23:59:60Z", 1_709_251_200), ("2024-05-01T12:00:00", 1_714_564_800),
    ("2024-05-01 12:00:00+0130", 1_714_559_400), ("1969-12-31T23:59:59Z", -1),
    ("0001-01-01T00:00:00Z", -62_135_596_800),
  ])
  func timesAreRead(_ text: String, _ seconds: Int) {
    #expect(trackTime(Array(text.utf8)[...]) == Int64(seconds) * 1_000_000)
  }

  @Test(arguments: [
    "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-05-01T24:00:00Z", "2024-05-01T12:00Z", "2024-05-01",
    "2024-05-01T12:00:00.Z", "2024-05-01T12:00:00+", "0000-01-01T00:00:00Z", "2024-05-01T12:00:00Zz", "",
  ])
  func whatIsNoTimeIsNone(_ text: String) { #expect(trackTime(Array(text.utf8)[...]) == nil) }

  // MARK: NMEA

  private func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0) { $0 ^ $1 }
    return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
  }

  @Test func sentencesOfOneTimeAreOneLocation() throws {
    let text =
      sentence("GPGGA,120000.00,4715.600,N,01123.400,E,1,08,0.9,580.5,M,46.9,M,,")
      + sentence("GNRMC,120000.00,A,4715.600,N,01123.400,E,010.0,084.4,010524,003.1,W")
      + sentence("GPGST,120000.00,,,,,3.0,4.0,5.0") + sentence("GPHDT,274.07,T")
      + sentence("GPGSV,3,1,11,03,03,111,00") + "# a note\n!AIVDM,1,1,,B,x,0*00\n\n"
      + sentence("GPGGA,120001.50,4715.660,N,01123.400,W,1,08,0.9,581,M,46.9,M,,")
    let track = try read(text)
    #expect(track.format == .nmea && track.entries.count == 2 && track.problemCount == 0)
    let first = track.entries[0]
    #expect(abs(first.location.place.lat - 47.26) < 1e-9 && abs(first.location.place.lon - 11.39) < 1e-9)
    #expect(first.location.altitude == 580.5 && first.location.horizontalAccuracy == 5)
    #expect(first.location.course == 84.4 && abs((first.location.speed ?? 0) - 5.1444) < 1e-3)
    #expect(first.heading?.direction == 274.07 && first.location.timeUS == 1_714_564_800_000_000)
    #expect(track.entries[1].atMS == 1500 && abs(track.entries[1].location.place.lon + 11.39) < 1e-9)
    #expect(track.entries[1].location.horizontalAccuracy == 4.5)
  }

  @Test func midnightIsTheNextDay() throws {
    let track = try read(
      sentence("GPGGA,235959,0000.0,N,00000.0,E,1,08,1,0,M,0,M,,")
        + sentence("GPRMC,235959,A,0000.0,N,00000.0,E,0,0,311223,,")
        + sentence("GPGGA,000001,0000.0,N,00000.0,E,1,08,1,0,M,0,M,,")
        + sentence("GPRMC,000001,A,0000.0,N,00000.0,E,0,0,010124,,"))
    #expect(track.entries.map(\.atMS) == [0, 2000])
    #expect(track.entries.map(\.location.timeUS) == [1_704_067_199_000_000, 1_704_067_201_000_000])
  }

  /// The date comes with the third second: nobody waits for fifty years.
  @Test func whatComesBeforeTheDateIsOfThatDay() throws {
    let track = try read(
      sentence("GPGGA,120000,0000.0,N,00000.0,E,1,08,1,0,M,0,M,,")
        + sentence("GPGGA,120001,0000.0,N,00000.0,E,1,08,1,0,M,0,M,,")
        + sentence("GPRMC,120002,A,0000.0,N,00000.0,E,0,0,010524,,"))
    #expect(track.entries.map(\.atMS) == [0, 1000, 2000])
    #expect(track.entries[0].location.timeUS == 1_714_564_800_000_000)
  }

  @Test func damagedLinesAreLeftOutAndNoted() throws {
    let text =
      "garbage\n" + "$GPGGA,120000,0000.0,N,00000.0,E,1,08,1,0,M,0,M,,*00\n"
      + sentence("GPGGA,129900,0000.0,N,00000.0,E,1,08,1,0,M,0,M,,")
      + sentence("GPGGA,120000,9100.0,N,00000.0,E,1,08,1,0,M,0,M,,")
      + sentence("GPGGA,120000,0000.0,N,00000.0,E,1,08,1,high,M,0,M,,")
      + "$" + String(repeating: "x", count: 2000) + "\n"
      + sentence("GPRMC,120003,V,,,,,,,010524,,") + sentence("GPGGA,120004,,,,,0,,,,M,,M,,")
      + sentence("GPGGA,120005,0000.0,N,00000.0,E,1,08,1,0,M,0,M,,")
    let track = try read(text, .nmea)
    // The place counts where only a value is damaged.
    #expect(track.entries.count == 2 && track.problemCount == 6)
    #expect(track.problems.map(\.line) == [1, 2, 3, 4, 5, 6])
    #expect(track.problems[1].message == "the checksum is wrong")
    #expect(track.problems[2].message == "GGA: no time of day")
  }

  @Test func nmeaWithoutALocationSaysWhatWasWrongFirst() {
    let error = fault("$GPGGA,120000,0000.0,N,00000.0,E,1,08,1,0,M,0,M,,*00\n")
    #expect(error?.message == "NMEA without a location: line 1: the checksum is wrong")
  }

  /// Bytes of every kind, and damaged recordings, are read or refused, and never more.
  @Test func damagedRecordingsDoNoHarm() throws {
    var random = SystemRandomNumberGenerator.fixed(7)
    let seeds = [
      Array(LocationRecordingTests.gpx.utf8),
      Array(
        (sentence("GPGGA,120000.00,4715.600,N,01123.400,E,1,08,0.9,580.5,M,46.9,M,,")
          + sentence("GNRMC,120001.00,A,4715.600,N,01123.400,E,010.0,084.4,010524,003.1,W")).utf8),
    ]
    for round in 0..<600 {
      var bytes = seeds[round % 2]
      for _ in 0..<(1 + Int(random.next() % 6)) {
        let at = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 4 {
        case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(UInt8(ascii: "<"), at: at)
        default: bytes.append(contentsOf: bytes[at...].prefix(40))
        }
      }
      for format in [nil, .gpx, .nmea] as [LocationRecording.Format?] {
        do throws(NeatError) {
          for entry in try LocationRecording(bytes, format: format).entries {
            _ = try entry.location.checked()
          }
        } catch { #expect(error.code == .invalidArgument || error.code == .limitExceeded) }
      }
    }
  }
}

/// Numbers that are the same in every run.
struct FixedRandom: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }
}

extension SystemRandomNumberGenerator {
  fileprivate static func fixed(_ seed: UInt64) -> FixedRandom { FixedRandom(state: seed) }
}
