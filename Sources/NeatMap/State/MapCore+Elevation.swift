import NeatBase
import NeatStyle

extension MapCore {
  /// Metres above the sea at a place, by what is loaded of the source of the style's terrain, or of its first
  /// elevation source where it has no terrain; nil where nothing is.
  package func elevation(at place: LonLat) -> Double? {
    let latitude = min(max(place.lat, -Mercator.maxLatitude), Mercator.maxLatitude)
    let point = Mercator.project(LonLat(place.lon, latitude))
    let east = point.x - point.x.rounded(.down)
    return state.withLock { (state) -> Double? in
      let style = state.style.document
      let id = style.terrain?.source ?? style.sources.first { $0.isElevation }?.id
      guard let id, let source = state.sources[id] else { return nil }
      for z in (0...TileID.maxZoom).reversed() {
        let count = exp2(Double(z))
        let (x, y) = (east * count, min(point.y * count, count.nextDown))
        let tile = TileID(z: z, x: UInt32(saturating: x), y: UInt32(saturating: y))
        guard case .elevation(let dem)? = source.content(tile) else { continue }
        let size = Double(dem.elevation.size)
        let (u, v) = ((x - x.rounded(.down)) * size, (y - y.rounded(.down)) * size)
        let metres = dem.elevation.elevation(u: Float(u), v: Float(v))
        return Double(metres) * (style.terrain?.exaggeration ?? 1)
      }
      return nil
    }
  }
}

extension SourceSpec {
  fileprivate var isElevation: Bool {
    if case .rasterDEM = kind { true } else { false }
  }
}
