import NeatBase
import NeatCamera
import NeatMap

extension Renderer {
  /// Lays ornaments over a picture; what they lack is in its report.
  func addOrnaments(
    _ ornaments: Ornaments, to picture: inout Picture, _ camera: Camera, _ size: ViewSize, _ core: MapCore,
    _ client: ResourceClient, _ executor: Executor
  ) throws(NeatError) {
    if ornaments.attribution.place.visibility != .hidden, ornaments.attribution.text == nil {
      _ = try core.load(client: client, executor: executor) { core.attributionNeeds }
    }
    let words = core.ornamentWords(ornaments)
    _ = try core.load(client: client, executor: executor) { core.ornamentNeeds(ornaments, words) }
    let opacity = CompassFade.isWanted(bearing: camera.bearing) ? 1.0 : 0
    picture.draw(
      OrnamentPainter(core.glyphs).pictures(ornaments, words, camera, size, compassOpacity: opacity))
    var report = picture.report
    core.reportOrnaments(ornaments, words, in: &report)
    picture = Picture(bitmap: picture.bitmap, report: report)
  }
}
