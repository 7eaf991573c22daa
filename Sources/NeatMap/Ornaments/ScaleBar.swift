import NeatBase
import NeatJSON

/// How long a scale bar is on the ground, and on the screen: of the rows below the longest that takes half of
/// the map's width at most.
package struct ScaleBar: Sendable, Equatable {
  /// A length and how many bars stand for it.
  struct Row: Sendable, Equatable {
    var distance: Double
    var bars: Int

    init(_ distance: Double, _ bars: Int = 2) { (self.distance, self.bars) = (distance, bars) }
  }

  /// Of the row, in metres.
  package let metres: Double
  /// Of the bars, in logical pixels.
  package let width: Double
  package let bars: Int
  /// What stands where the bars begin and end, from 0 on.
  package let labels: [String]

  /// Logical pixels below which nothing could be read off a bar.
  static let leastWidth = 30.0

  /// - Parameters:
  ///   - latitude: of the view's centre, for which the bar holds.
  ///   - mapWidth: logical pixels.
  ///   - isAdaptive: nothing where a map shows more than the longest row of it in half of its width.
  /// - Returns: nil where no row fits, or where it would be too narrow to read.
  package init?(
    _ units: OrnamentScaleBar.Units, latitude: Double, zoom: Double, mapWidth: Double, isAdaptive: Bool
  ) {
    let metresPerPixel = ScaleBar.metresPerPixel(latitude: latitude, zoom: zoom)
    let unit = units.rowUnit
    let most = (mapWidth / 2).rounded(.down) * metresPerPixel / unit
    let rows = units.rows
    guard let row = rows.last(where: { $0.distance <= most }) else { return nil }
    if isAdaptive, let last = rows.last, most >= last.distance { return nil }
    let width = row.distance * unit / metresPerPixel
    guard width >= ScaleBar.leastWidth else { return nil }
    metres = row.distance * unit
    self.width = width
    bars = row.bars
    let step = row.distance / Double(row.bars)
    labels = (0...row.bars).map { units.text(step * Double($0)) }
  }

  /// On the sphere of the Mercator projection.
  package static func metresPerPixel(latitude: Double, zoom: Double) -> Double {
    let lat = min(max(latitude, -Mercator.maxLatitude), Mercator.maxLatitude)
    return Mercator.earthCircumference * cos(lat * .pi / 180) / (512 * exp2(zoom))
  }
}

extension OrnamentScaleBar.Units {
  private static let feetPerMile = 5280.0

  /// Metres of what the rows count.
  fileprivate var rowUnit: Double {
    switch self {
    case .metric: 1
    case .imperial: 0.3048
    case .nautical: 1852
    }
  }

  fileprivate var rows: [ScaleBar.Row] {
    switch self {
    case .metric: Self.metricRows
    case .imperial: Self.imperialRows
    case .nautical: Self.nauticalRows
    }
  }

  /// As the scale bar of version 10 of the mobile SDKs has them, in metres.
  private static let metricRows: [ScaleBar.Row] = rows(
    halves: [
      1, 2, 4, 10, 20, 50, 100, 150, 200, 500, 1000, 1500, 5000, 10_000, 20_000, 50_000, 100_000, 200_000,
      400_000, 500_000, 800_000, 1_000_000, 2_000_000, 4_000_000, 5_000_000, 8_000_000, 10_000_000,
      12_000_000, 15_000_000,
    ],
    thirds: [75, 300, 3000, 30_000, 300_000, 600_000, 3_000_000, 6_000_000])

  /// The same in feet.
  private static let imperialRows: [ScaleBar.Row] =
    rows(halves: [4, 6, 10, 20, 30, 50, 100, 200, 400, 800, 1000], thirds: [75, 300, 600])
    + rows(
      halves: [
        0.25, 0.5, 1, 2, 4, 8, 12, 20, 40, 80, 120, 200, 400, 1000, 2000, 3000, 4000, 5000, 8000, 10_000,
      ],
      thirds: [3, 15, 30, 300, 600, 1500, 6000]
    ).map { ScaleBar.Row($0.distance * feetPerMile, $0.bars) }

  /// In nautical miles.
  private static let nauticalRows: [ScaleBar.Row] = rows(
    halves: [
      0.02, 0.04, 0.1, 0.2, 0.5, 1, 2, 4, 10, 20, 50, 100, 200, 400, 500, 1000, 2000, 4000, 5000, 8000,
    ],
    thirds: [0.3, 3, 6, 15, 30, 75, 150, 300, 600, 1500, 3000, 6000])

  private static func rows(halves: [Double], thirds: [Double]) -> [ScaleBar.Row] {
    (halves.map { ScaleBar.Row($0, 2) } + thirds.map { ScaleBar.Row($0, 3) }).sorted {
      $0.distance < $1.distance
    }
  }

  /// A length of the rows' unit in words.
  fileprivate func text(_ length: Double) -> String {
    guard length > 0 else { return "0" }
    switch self {
    case .metric: return length < 1000 ? number(length) + " m" : number(length / 1000) + " km"
    case .imperial:
      // Below a fifth of a mile feet are rounder.
      let miles = length / Self.feetPerMile
      return miles <= 0.2 ? number(length) + " ft" : number(miles) + " mi"
    case .nautical: return number(length) + " nm"
    }
  }

  /// Without what division leaves in the last places.
  private func number(_ value: Double) -> String { formatNumber((value * 1000).rounded() / 1000) }
}
