import NeatBase

extension Camera {
  /// The deepest zoom that a fit gives: what a box without width and height is shown at.
  package static let fitZoomLimit = 22.0

  /// This view moved so that it shows a box of degrees as large as it fits between the paddings, at its
  /// bearing and roll. `west` greater than `east` crosses the 180th meridian. Latitudes are held within those of the
  /// Mercator map. Throws `invalidArgument` for numbers that make no box, for a pitch (what is far away is
  /// smaller then, so that no zoom is the right one) and for paddings that leave no room.
  package func fitting(west: Double, south: Double, east: Double, north: Double, size: ViewSize)
    throws(NeatError) -> Camera
  {
    guard west.isFinite, east.isFinite, (-360...360).contains(west), (-360...360).contains(east) else {
      throw NeatError(.invalidArgument, "longitudes \(west) and \(east) are not within -360...360")
    }
    guard (-90...90).contains(south), (-90...90).contains(north), south <= north else {
      throw NeatError(.invalidArgument, "latitudes \(south) and \(north) are not in order within -90...90")
    }
    guard pitch == 0 else {
      throw NeatError(.invalidArgument, "a pitched view (pitch \(pitch)) is not fitted to bounds")
    }
    let room = SIMD2(
      Double(size.width) - padding.left - padding.right, Double(size.height) - padding.top - padding.bottom)
    guard room.x >= 1, room.y >= 1 else {
      throw NeatError(.invalidArgument, "the padding leaves no room in \(size.width)x\(size.height)")
    }
    func y(_ latitude: Double) -> Double {
      Mercator.y(lat: min(max(latitude, -Mercator.maxLatitude), Mercator.maxLatitude))
    }
    let (top, bottom) = (y(north), y(south))
    let span = east < west ? east - west + 360 : east - west
    let box = SIMD2(span / 360, bottom - top)
    // The upright rectangle around the turned box; from straight above, roll turns as bearing does.
    let turn = (bearing + roll) * .pi / 180
    let (s, c) = (abs(sin(turn)), abs(cos(turn)))
    let around = SIMD2(box.x * c + box.y * s, box.x * s + box.y * c)
    // Logical pixels for the whole world: a tile at zoom 0.
    let world = min(room.x / max(around.x, 1e-12), room.y / max(around.y, 1e-12))
    var middle = west + span / 2
    middle -= 360 * ((middle + 180) / 360).rounded(.down)
    var result = self
    result.center = LonLat(middle, Mercator.lat(y: (top + bottom) / 2))
    result.zoom = max(-2, min(Camera.fitZoomLimit, log2(world / TileUnits.pixels)))
    return result
  }
}
