import NeatBase
import NeatPlacement
import NeatRaster

extension Projection {
  /// The map that a matrix to device pixels makes of the plane at height 0; affine where nothing is tilted.
  init(_ m: Matrix4) {
    let (a, b, d) = (m.columns.0, m.columns.1, m.columns.3)
    if abs(a.w) < 1e-12 * abs(d.w), abs(b.w) < 1e-12 * abs(d.w) {
      let k = 1 / d.w
      self.init(xx: a.x * k, xy: b.x * k, x0: d.x * k, yx: a.y * k, yy: b.y * k, y0: d.y * k)
    } else {
      self.init(xx: a.x, xy: b.x, x0: d.x, yx: a.y, yy: b.y, y0: d.y)
      (wx, wy, w0) = (a.w, b.w, d.w)
    }
  }

  /// The same map of units that are `scale` times as long.
  func scaled(_ scale: Double) -> Projection {
    var copy = self
    (copy.xx, copy.xy, copy.yx, copy.yy) = (xx * scale, xy * scale, yx * scale, yy * scale)
    (copy.wx, copy.wy) = (wx * scale, wy * scale)
    return copy
  }
}

extension Transform {
  /// Layout units of a tile to device pixels.
  func rasterProjection(_ id: OverscaledTileID) -> Projection { Projection(matrix(for: id)) }

  /// A translation in logical pixels as a move in layout units of the tile; `viewport` anchors turn with the screen.
  func tileTranslation(_ translate: SIMD2<Double>, isViewport: Bool, tile: OverscaledTileID) -> SIMD2<Double> {
    guard translate != .zero else { return .zero }
    let units = Transform.tileExtent / tileEdge(tile.canonical.z)
    guard isViewport else { return translate * units }
    let angle = camera.bearing * .pi / 180
    let (s, c) = (sin(angle), cos(angle))
    return SIMD2(translate.x * c - translate.y * s, translate.x * s + translate.y * c) * units
  }

  /// The camera as label placement wants it.
  var placementView: PlacementView {
    PlacementView(
      width: Double(size.deviceWidth) / size.pixelRatio, height: Double(size.deviceHeight) / size.pixelRatio, zoom: camera.zoom,
      bearing: camera.bearing * .pi / 180, pitch: camera.pitch * .pi / 180, roll: camera.roll * .pi / 180,
      cameraToCenterDistance: cameraToCenterDistance,
      pixelRatio: size.pixelRatio)
  }

  func placementTile(_ id: OverscaledTileID) -> PlacementTile {
    PlacementTile(id: id, matrix: TileMatrix(device: matrix(for: id).columns, pixelRatio: size.pixelRatio))
  }
}
