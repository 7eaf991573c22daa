import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatRaster
import NeatStyle

// Ornaments are a map of their own: a strip along the bottom, seen from straight above, with a style whose one
// source has them at their pixels. So they are shaped and drawn as all labels are, in the fonts of the style, and
// no tilt of the map moves them.
extension Renderer {
  /// Lays ornaments over a picture; what they lack is in its report.
  func addOrnaments(
    _ ornaments: Ornaments, to picture: inout Picture, _ camera: Camera, _ size: ViewSize,
    _ client: ResourceClient, _ executor: Executor
  ) throws(NeatError) {
    var items: [JSON] = []
    if let text = try attributionText(ornaments.attribution, size, client, executor), !text.isEmpty {
      items.append(OrnamentStyle.attribution(text, size))
    }
    if let bar = ScaleBar(ornaments.scaleBar, camera) { items += OrnamentStyle.scaleBar(bar, size) }
    guard !items.isEmpty else { return }
    let strip = ViewSize(
      width: size.width, height: min(size.height, OrnamentStyle.stripHeight), pixelRatio: size.pixelRatio)
    let style = try Style(parsing: Array(OrnamentStyle.style(items, for: style, strip).text.utf8))
    let core = environment.makeCore(style, base: base, pixelRatio: size.pixelRatio)
    core.addImage(OrnamentStyle.box)
    var view = Camera()
    view.zoom = OrnamentStyle.zoom
    let drawn = try core.draw(camera: view, size: strip, client: client, executor: executor)
    picture.lay(drawn, atRow: picture.bitmap.height - drawn.bitmap.height)
  }

  private func attributionText(
    _ attribution: Ornaments.Attribution, _ size: ViewSize, _ client: ResourceClient, _ executor: Executor
  ) throws(NeatError) -> String? {
    switch attribution {
    case .none: return nil
    case .text(let text): return text
    case .sources:
      let core = core(pixelRatio: size.pixelRatio)
      _ = try core.load(client: client, executor: executor) { core.attributionNeeds }
      return core.attributions.map { PlainText.of(html: $0) }.filter { !$0.isEmpty }.joined(separator: " | ")
    }
  }
}

extension Picture {
  /// Draws another picture of the same width over this one.
  mutating func lay(_ other: Picture, atRow top: Int) {
    let (from, to) = (other.bitmap, bitmap)
    for y in 0..<min(from.height, to.height - top) {
      let source = from.pixels + y * from.width
      let target = to.pixels + (top + y) * to.width
      for x in 0..<min(from.width, to.width) where source[x] != 0 {
        target[x] = Blend.over(target[x], source[x])
      }
    }
    var report = report
    for missing in other.report.entries { report.add(missing) }
    self = Picture(bitmap: bitmap, report: report)
  }
}
