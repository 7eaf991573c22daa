import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster

/// The puck of a frame.
package final class PuckDraw: Sendable {
  private let discs: [GroundDisc]
  private let pictures: [PuckGeometry.Picture]
  private let paint: RasterPaint

  init(_ geometry: PuckGeometry, pixelRatio: Double) {
    let opacity = geometry.opacity
    discs = geometry.discs.map { disc in
      GroundDisc(
        map: disc.map, radius: 1,
        borderWidth: disc.border == nil ? 0 : PuckGeometry.borderWidth * Float(pixelRatio),
        fill: Premultiplied(premultiplied: disc.fill.premultiplied, opacity: opacity),
        border: disc.border.map { Premultiplied(premultiplied: $0.premultiplied, opacity: opacity) }
          ?? .transparent)
    }
    pictures = geometry.pictures
    var paint = RasterPaint()
    paint.opacity = opacity
    self.paint = paint
  }

  func draw(_ band: Band) {
    for disc in discs { disc.draw(band) }
    for picture in pictures {
      if picture.isFine {
        drawFineQuad(picture.texture, map: picture.map, opacity: paint.opacity, band: band)
        continue
      }
      let clip = imageClip(picture.texture, map: picture.map, band: band)
      if !clip.isEmpty { drawImage(picture.texture, map: picture.map, paint: paint, clip: clip, band: band) }
    }
  }
}

extension FrameBuilder {
  /// The puck, above all layers.
  mutating func addPuck() {
    guard let puck else { return }
    let geometry = PuckGeometry(puck, transform, evaluator)
    if !geometry.discs.isEmpty || !geometry.pictures.isEmpty {
      commands.append(.puck(PuckDraw(geometry, pixelRatio: transform.size.pixelRatio)))
    }
    if let model = puck.model?.model, !puck.isReduced { addPuckModel(puck, model) }
  }
}
