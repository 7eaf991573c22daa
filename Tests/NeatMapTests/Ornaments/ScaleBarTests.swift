import NeatBase
import Testing

@testable import NeatMap

/// Which length a scale bar has, how wide it is, and what it says.
@Suite struct ScaleBarTests {
  private func bar(
    _ units: OrnamentScaleBar.Units = .metric, lat: Double = 0, zoom: Double, width: Double = 400,
    isAdaptive: Bool = true
  ) -> ScaleBar? {
    ScaleBar(units, latitude: lat, zoom: zoom, mapWidth: width, isAdaptive: isAdaptive)
  }

  /// The zoom at which half of 400 pixels at the equator are so many metres.
  private func zoom(halfWidth metres: Double) -> Double {
    log2(Mercator.earthCircumference / (512 * metres / 200))
  }

  private static let metres: [(Double, Int)] = [
    (1, 2), (2, 2), (4, 2), (10, 2), (20, 2), (50, 2), (75, 3), (100, 2), (150, 2), (200, 2), (300, 3),
    (500, 2), (1000, 2), (1500, 2), (3000, 3), (5000, 2), (10_000, 2), (20_000, 2), (30_000, 3),
    (50_000, 2), (100_000, 2), (200_000, 2), (300_000, 3), (400_000, 2), (500_000, 2), (600_000, 3),
    (800_000, 2), (1_000_000, 2), (2_000_000, 2), (3_000_000, 3), (4_000_000, 2), (5_000_000, 2),
    (6_000_000, 3), (8_000_000, 2), (10_000_000, 2), (12_000_000, 2),
  ]

  private static let feet: [(Double, Int)] =
    [
      (4, 2), (6, 2), (10, 2), (20, 2), (30, 2), (50, 2), (75, 3), (100, 2), (200, 2), (300, 3), (400, 2),
      (600, 3), (800, 2), (1000, 2),
    ]
    + [
      (0.25, 2), (0.5, 2), (1, 2), (2, 2), (3, 3), (4, 2), (8, 2), (12, 2), (15, 3), (20, 2), (30, 3),
      (40, 2), (80, 2), (120, 2), (200, 2), (300, 3), (400, 2), (600, 3), (1000, 2), (1500, 3), (2000, 2),
      (3000, 2), (4000, 2), (5000, 2), (6000, 3), (8000, 2),
    ].map { ($0.0 * 5280, $0.1) }

  @Test func rowsAreThoseOfVersionTen() throws {
    for (length, bars) in ScaleBarTests.metres {
      let made = try #require(bar(zoom: zoom(halfWidth: length * 1.0001)))
      #expect(abs(made.metres - length) < 1e-6 && made.bars == bars, "\(length) m: \(made)")
    }
    for (length, bars) in ScaleBarTests.feet {
      let made = try #require(bar(.imperial, zoom: zoom(halfWidth: length * 0.3048 * 1.0001)))
      #expect(abs(made.metres / 0.3048 - length) < 1e-6 && made.bars == bars, "\(length) ft: \(made)")
    }
  }

  @Test func aRowIsTakenFromItsLengthOn() throws {
    #expect(bar(zoom: zoom(halfWidth: 300.001))?.metres == 300)
    #expect(bar(zoom: zoom(halfWidth: 299.999))?.metres == 200)
  }

  @Test(arguments: OrnamentScaleBar.Units.allCases)
  func itIsNeverWiderThanHalfTheMapAndAsLongAsItSays(_ units: OrnamentScaleBar.Units) throws {
    var count = 0
    for width in stride(from: 20.0, through: 3000, by: 211) {
      for lat in stride(from: -90.0, through: 90, by: 15) {
        for zoom in stride(from: -2.0, through: 25.5, by: 0.83) {
          for isAdaptive in [true, false] {
            guard let made = bar(units, lat: lat, zoom: zoom, width: width, isAdaptive: isAdaptive) else {
              continue
            }
            count += 1
            #expect(made.width <= (width / 2).rounded(.down) && made.width >= ScaleBar.leastWidth)
            let perPixel = ScaleBar.metresPerPixel(latitude: lat, zoom: zoom)
            #expect(abs(made.width * perPixel - made.metres) <= made.metres * 1e-9)
            #expect(made.labels.count == made.bars + 1 && made.labels[0] == "0")
            for (index, label) in made.labels.enumerated().dropFirst() {
              let said = try #require(metres(label), "\(label)")
              let part = made.metres * Double(index) / Double(made.bars)
              // Labels have three places behind the point at most.
              #expect(abs(said - part) <= part * 1e-3, "\(label) is not \(part) m of \(made)")
            }
          }
        }
      }
    }
    #expect(count > 1000)
  }

  private func metres(_ label: String) -> Double? {
    let parts = label.split(separator: " ")
    let units = ["m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.344, "nm": 1852]
    guard parts.count == 2, let number = Double(parts[0]), let unit = units[String(parts[1])] else {
      return nil
    }
    return number * unit
  }

  @Test func labelsAreRound() {
    #expect(bar(zoom: zoom(halfWidth: 80))?.labels == ["0", "25 m", "50 m", "75 m"])
    #expect(bar(zoom: zoom(halfWidth: 1600))?.labels == ["0", "750 m", "1.5 km"])
    #expect(bar(zoom: zoom(halfWidth: 3100))?.labels == ["0", "1 km", "2 km", "3 km"])
    #expect(bar(.imperial, zoom: zoom(halfWidth: 410))?.labels == ["0", "660 ft", "0.25 mi"])
    #expect(bar(.imperial, zoom: zoom(halfWidth: 25_000))?.labels == ["0", "5 mi", "10 mi", "15 mi"])
    #expect(bar(.nautical, zoom: zoom(halfWidth: 1900))?.labels == ["0", "0.5 nm", "1 nm"])
  }

  @Test func whatNoRowFitsHasNone() {
    // Deeper than a metre, narrower than can be read, and all of the world.
    #expect(bar(zoom: 25.5) == nil)
    #expect(bar(zoom: 10, width: 50) == nil)
    #expect(bar(zoom: zoom(halfWidth: 15_000_001)) == nil)
    #expect(bar(zoom: zoom(halfWidth: 15_000_001), isAdaptive: false)?.metres == 15_000_000)
  }

  @Test func itHoldsForTheLatitudeOfTheCentre() throws {
    // Where the ground is twice as large, a zoom above shows the same of it.
    #expect(bar(lat: 60, zoom: 10)?.labels == bar(lat: 0, zoom: 11)?.labels)
    #expect(bar(lat: 60, zoom: 10)?.metres != bar(lat: 0, zoom: 10)?.metres)
    #expect(bar(lat: 90, zoom: 3) == bar(lat: Mercator.maxLatitude, zoom: 3))
  }
}
