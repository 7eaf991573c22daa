import NeatBase
import NeatCamera
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

  /// The map that a matrix to device pixels makes of what `plane` maps to the plane at height 0.
  init(_ m: Matrix4, after plane: Projection) {
    func row(_ x: Double, _ y: Double, _ w: Double) -> SIMD4<Double> {
      m.columns.0 * x + m.columns.1 * y + m.columns.3 * w
    }
    self.init(
      Matrix4(
        columns: (
          row(plane.xx, plane.yx, plane.wx), row(plane.xy, plane.yy, plane.wy), .zero,
          row(plane.x0, plane.y0, plane.w0)
        )))
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

  /// The way in world coordinates, at most half a pixel in x and in y, that brings the texels of a raster at
  /// its own scale onto the pixels of the view, so that they stay sharp; as in MapLibre GL JS, for bearings
  /// of whole quarters, and zero while the camera moves.
  var pixelGridShift: SIMD2<Double> {
    guard !isMoving else { return .zero }
    let width = (Double(size.deviceWidth) / size.pixelRatio).rounded(),
      height = (Double(size.deviceHeight) / size.pixelRatio).rounded()
    let odd = SIMD2(
      width.truncatingRemainder(dividingBy: 2) / 2, height.truncatingRemainder(dividingBy: 2) / 2)
    let angle = camera.heading * .pi / 180
    let (s, c) = (sin(angle), cos(angle))
    let shift =
      center - SIMD2((center.x + 0.5).rounded(.down), (center.y + 0.5).rounded(.down))
      + SIMD2(c * odd.x + s * odd.y, c * odd.y + s * odd.x)
    return SIMD2(shift.x > 0.5 ? shift.x - 1 : shift.x, shift.y > 0.5 ? shift.y - 1 : shift.y)
  }

  /// `rasterProjection` of the tile, shifted onto the grid of pixels.
  func onPixelGrid(_ projection: Projection, _ id: OverscaledTileID) -> Projection {
    let shift = pixelGridShift * (TileUnits.extent / tileEdge(id.canonical.z))
    return projection.movingTile(u: shift.x, v: shift.y)
  }

  /// A translation in logical pixels as a move in layout units of the tile; `viewport` anchors turn with the
  /// screen.
  func tileTranslation(_ translate: SIMD2<Double>, isViewport: Bool, tile: OverscaledTileID) -> SIMD2<Double>
  {
    guard translate != .zero else { return .zero }
    let units = TileUnits.extent / tileEdge(tile.canonical.z)
    guard isViewport else { return translate * units }
    let angle = camera.heading * .pi / 180
    let (s, c) = (sin(angle), cos(angle))
    return SIMD2(translate.x * c - translate.y * s, translate.x * s + translate.y * c) * units
  }

  /// The camera as label placement wants it.
  var placementView: PlacementView {
    var view = PlacementView(
      width: Double(size.deviceWidth) / size.pixelRatio, height: Double(size.deviceHeight) / size.pixelRatio,
      zoom: camera.zoom,
      bearing: camera.heading * .pi / 180, pitch: camera.pitch * .pi / 180, roll: camera.roll * .pi / 180,
      cameraToCenterDistance: cameraToCenterDistance,
      pixelRatio: size.pixelRatio)
    if labelGrid != nil {
      // As level tiles have it. All labels that are known may be seen.
      (view.cameraToCenterDistance, view.lineMargin) = (1, 1024)
    }
    return view
  }

  func placementTile(_ id: OverscaledTileID) -> PlacementTile {
    var matrix = TileMatrix(device: metricMatrix(for: id).columns, pixelRatio: size.pixelRatio)
    if labelGrid != nil {
      // Tiles of a picture are seen from straight above, and have the same numbers in pictures that are whole pixels
      // apart.
      let corner = matrix.clip(.zero)
      return PlacementTile(
        level: id, corner: CollisionIndex.snap(SIMD2(corner.x, corner.y) / corner.w), zoom: camera.zoom)
    }
    matrix.ground = ground?.heights(id).map { TileGround(height: $0) }
    return PlacementTile(id: id, matrix: matrix.on(globeTile(id), pixelRatio: size.pixelRatio))
  }
}
