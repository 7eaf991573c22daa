/// A box of degrees, and the tiles that meet it.
struct TileBox: Sendable {
  var west: Double
  var south: Double
  var east: Double
  var north: Double

  /// `west,south,east,north`; west above east: across the 180th meridian.
  init?(_ text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard numbers.count == 4, let west = numbers[0], let south = numbers[1], let east = numbers[2],
      let north = numbers[3], abs(west) <= 180, abs(east) <= 180, abs(south) <= 90, abs(north) <= 90,
      south <= north
    else { return nil }
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  func meets(_ z: Int, _ x: Int, _ y: Int) -> Bool {
    let count = Double(1 << min(max(z, 0), 30))
    let left = Double(x) / count * 360 - 180
    let right = Double(x + 1) / count * 360 - 180
    // The outermost rows go on to the poles.
    let top = y == 0 ? 90 : TileBox.latitude(Double(y) / count)
    let bottom = Double(y) == count - 1 ? -90 : TileBox.latitude(Double(y + 1) / count)
    guard bottom <= north, top >= south else { return false }
    return west <= east ? left <= east && right >= west : left <= east || right >= west
  }

  /// Of a place in the Mercator square, 0 at the top.
  private static func latitude(_ y: Double) -> Double {
    Platform.gudermannian(.pi * (1 - 2 * y)) * 180 / .pi
  }
}

/// What is to be made old.
struct Purge: Sendable {
  /// `styles/ID`; nil: of all.
  var owner: String?
  var zooms: ClosedRange<Int>?
  var within: TileBox?
  /// Gone at once, rather than given out until it is drawn anew.
  var drops = false

  /// Pictures that are no tiles may show any place at any zoom: they are never left out.
  func covers(_ key: TileCache.Key) -> Bool {
    guard owner == nil || key.owner == owner else { return false }
    guard key.z >= 0 else { return true }
    return zooms?.contains(key.z) ?? true && within?.meets(key.z, key.x, key.y) ?? true
  }
}
