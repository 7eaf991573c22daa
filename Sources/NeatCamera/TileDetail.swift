import NeatBase

/// How detailed tiles are by their distance: their pixels are to cover about as much of the screen as those of the
/// centre, and a view to the horizon has no more than about three times the tiles of one from above. The formula and its
/// constants are those of MapLibre GL JS.
struct TileDetail {
  /// The zoom that the centre asks for, without rounding.
  private let requested: Double
  /// From the eye to the centre, in worlds: downwards, and altogether.
  private let fall: Double
  private let reach: Double
  /// How fast detail falls off towards the horizon.
  private let behaviour: Double
  private let half: Double
  /// By how much all zooms are lower, so that there are not too many tiles.
  private let saved: Double

  /// Zooms in a view to the horizon, and how many times the tiles of a view from above it may have.
  private static let zoomsOnScreen = 9.314
  private static let tileRatio = 3.0

  init(requested: Double, fall: Double, reach: Double, fieldOfView: Double) {
    (self.requested, self.fall, self.reach) = (requested, fall, reach)
    let degree = Double.pi / 180, steepest = ViewDepths.steepest * degree, fov = fieldOfView * degree
    half = max(0.5, cos(fov / 2))
    behaviour = 2 * ((TileDetail.zoomsOnScreen - 1) / log2(cos(steepest - fov) / cos(steepest)) - 1)
    let pitch = acos(min(max(fall / reach, -1), 1))
    let highest = min(steepest, pitch + fov / 2), lowest = min(highest, pitch - fov / 2)
    let above = 2 * TileDetail.integral(behaviour - 1, 0, fov / 2)
    let count = TileDetail.integral(behaviour - 1, lowest, highest)
    saved = log2(max(1, count / above / TileDetail.tileRatio)) / 2
  }

  /// Of cos(x)^power, by the midpoints of ten parts.
  private static func integral(_ power: Double, _ from: Double, _ to: Double) -> Double {
    let step = (to - from) / 10
    return (0..<10).reduce(0) { $0 + step * pow(cos(from + (Double($1) + 0.5) * step), power) }
  }

  /// The zoom, not rounded, of a tile that is so far from the eye over the ground, in worlds.
  func zoom(along: Double) -> Double {
    let away = max((along * along + fall * fall).squareRoot(), 1e-12)
    let zoom =
      requested + log2(reach / away / half) + behaviour * log2(max(fall / away, 1e-12)) / 2 - saved
    return zoom.isFinite ? zoom : requested
  }

  /// Metres that what stands on a tile is taken to reach above it where the lower edge of the view comes near to the
  /// horizon: a tall building is seen from below the place that it stands on.
  static func assumedHeight(_ camera: Camera) -> Double {
    let (height, onset) = (500.0, 15.0)
    let above = ViewDepths.steepest - camera.pitch - camera.fieldOfView / 2
    return height * min(max((onset - above) / onset, 0), 1)
  }
}
