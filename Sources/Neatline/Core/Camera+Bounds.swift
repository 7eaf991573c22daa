#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension Camera {
  /// The view that shows a box of degrees as large as it fits into a picture of logical pixels, north up. `west` greater than `east` crosses the 180th
  /// meridian. Latitudes are held within those of the Mercator map; a box without width and height is shown at zoom 22, the deepest that a fit gives.
  public init(fitting bounds: GeographicBounds, width: Int, height: Int) {
    func y(_ latitude: Double) -> Double {
      let radians = max(-85.051129, min(85.051129, latitude)) * .pi / 180
      return 0.5 - log(tan(.pi / 4 + radians / 2)) / (2 * .pi)
    }
    let span = bounds.east - bounds.west
    let across = (span < 0 ? span + 360 : span) / 360
    let (top, bottom) = (y(bounds.north), y(bounds.south))
    // Logical pixels for the whole world: 512 at zoom 0.
    let world = min(Double(max(1, width)) / max(across, 1e-12), Double(max(1, height)) / max(bottom - top, 1e-12))
    var middle = bounds.west + across * 180
    if middle > 180 { middle -= 360 }
    self.init(
      longitude: middle, latitude: atan(sinh(.pi * (1 - (top + bottom)))) * 180 / .pi, zoom: max(-2, min(22, log2(world / 512))))
  }
}
