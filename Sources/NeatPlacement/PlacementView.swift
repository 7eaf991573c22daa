import NeatBase

/// A 4×4 matrix, column by column, that takes tile units on the map plane (z = 0) to CSS pixels: x / w and y
/// / w, from the top left corner of the screen, y down. `w` is the distance from the camera in CSS pixels.
package struct TileMatrix: Sendable, Equatable {
  package var c0: SIMD4<Double>, c1: SIMD4<Double>, c2: SIMD4<Double>, c3: SIMD4<Double>
  /// The tile on a globe, which no matrix describes, and the CSS pixels of a device pixel.
  package private(set) var globe: GlobeTile?
  private var globeScale = 1.0

  /// The matrix of the plane, and the globe that the tile lies on.
  package func on(_ globe: GlobeTile?, pixelRatio: Double) -> TileMatrix {
    var copy = self
    copy.globe = globe
    copy.globeScale = 1 / pixelRatio
    return copy
  }
  /// The ground that the plane lies on; nil: it is flat.
  package var ground: TileGround?

  package init(_ c0: SIMD4<Double>, _ c1: SIMD4<Double>, _ c2: SIMD4<Double>, _ c3: SIMD4<Double>) {
    self.c0 = c0
    self.c1 = c1
    self.c2 = c2
    self.c3 = c3
  }

  /// From columns that lead to device pixels.
  package init(device c: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>), pixelRatio: Double) {
    let scale = SIMD4(1 / pixelRatio, 1 / pixelRatio, 1, 1)
    self.init(c.0 * scale, c.1 * scale, c.2 * scale, c.3 * scale)
  }

  /// Homogeneous coordinates of a point of the plane; on a globe, z is the side of the horizon.
  @inline(__always) package func clip(_ p: SIMD2<Double>) -> SIMD4<Double> {
    if let globe {
      let height = ground?.height(p) ?? 0
      return globe.project(p.x, p.y, height: height) * SIMD4(globeScale, globeScale, 1, 1)
    }
    let flat = c0 * p.x + c1 * p.y + c3
    guard let ground else { return flat }
    return flat + c2 * ground.height(p)
  }

  /// Whether a point lies behind the globe's horizon.
  @inline(__always) package func isHidden(_ clip: SIMD4<Double>) -> Bool { globe != nil && clip.z < 0 }

  /// How much longer what lies on the ground is in tile units at a place than at the camera's centre.
  package func stretch(_ p: SIMD2<Double>) -> Double {
    guard let globe else { return 1 }
    let surface = globe.surface
    let ratio = surface.centerCosine / GlobeSurface.circumference(globe.place(p.x, p.y).y)
    return 1 + (ratio - 1) * surface.globeness
  }
}

/// The heights of a tile's ground, in the units of its matrix's third column.
package final class TileGround: Sendable, Equatable {
  package let height: @Sendable (SIMD2<Double>) -> Double
  /// How much shows of what stands at homogeneous coordinates: 1 all of it, 0 nothing, behind other ground.
  package let visibility: @Sendable (SIMD4<Double>) -> Float

  package init(
    height: @escaping @Sendable (SIMD2<Double>) -> Double,
    visibility: @escaping @Sendable (SIMD4<Double>) -> Float = { _ in 1 }
  ) {
    self.height = height
    self.visibility = visibility
  }

  package static func == (a: TileGround, b: TileGround) -> Bool { a === b }
}

/// The camera as placement needs it. Angles in radians, lengths in CSS pixels.
package struct PlacementView: Sendable, Equatable {
  package var width: Double
  package var height: Double
  package var zoom: Double
  /// Clockwise from north to the direction that is up on the screen.
  package var bearing: Double
  package var pitch: Double
  /// Of the camera about its own axis.
  package var roll: Double
  /// Distance of the camera from the point at the middle of the screen; `w` of that point in a tile's matrix.
  package var cameraToCenterDistance: Double
  /// Device pixels a CSS pixel. Placement works in CSS pixels; `SymbolFrame` gives device pixels.
  package var pixelRatio: Double
  /// CSS pixels outside of the view beyond which labels along lines are not drawn.
  package var lineMargin = 256.0

  package init(
    width: Double, height: Double, zoom: Double, bearing: Double = 0, pitch: Double = 0, roll: Double = 0,
    cameraToCenterDistance: Double,
    pixelRatio: Double = 1
  ) {
    self.width = width
    self.height = height
    self.zoom = zoom
    self.bearing = bearing
    self.pitch = pitch
    self.roll = roll
    self.cameraToCenterDistance = cameraToCenterDistance
    self.pixelRatio = pixelRatio
  }

  /// Screen pixels of homogeneous coordinates with positive `w`.
  @inline(__always) package func screen(_ clip: SIMD4<Double>) -> SIMD2<Double> {
    SIMD2(clip.x, clip.y) / clip.w
  }

  /// The directions on the map (x east, y south) that are right and down on the screen, for symbols that lie
  /// on a tilted map and face the viewer.
  package var screenAxesOnMap: (right: SIMD2<Double>, down: SIMD2<Double>) {
    if roll == 0 { return (SIMD2(cos(bearing), sin(bearing)), SIMD2(-sin(bearing), cos(bearing))) }
    let cr = cos(roll), sr = sin(roll), cp = cos(pitch), cb = cos(bearing), sb = sin(bearing)
    func unit(_ v: SIMD2<Double>) -> SIMD2<Double> {
      let size = length(v)
      return size < 1e-9 ? .zero : v / size
    }
    return (
      unit(SIMD2(cb * cp * cr - sb * sr, sb * cp * cr + cb * sr)),
      unit(SIMD2(-cb * cp * sr - sb * cr, -sb * cp * sr + cb * cr))
    )
  }

  /// How much smaller than at the middle of the screen a viewport-aligned symbol is drawn: half of the
  /// perspective.
  @inline(__always) package func perspectiveRatio(_ w: Double) -> Double {
    0.5 + 0.5 * (cameraToCenterDistance / w)
  }
}

/// A tile as the camera sees it.
package struct PlacementTile: Sendable {
  package var id: OverscaledTileID
  /// Tile units (0..<`TileUnits.extent`) to CSS pixels.
  package var matrix: TileMatrix
  /// CSS pixels of the tile's corner that `matrix` leaves out, where labels are placed around it.
  package var origin = SIMD2<Double>.zero

  package init(id: OverscaledTileID, matrix: TileMatrix) {
    self.id = id
    self.matrix = matrix
  }

  /// The tile seen from straight above, with `corner` on the screen. All of it is one step for each number, so that
  /// views in which the corner lies elsewhere have the same numbers around it; in them the camera is one pixel away.
  package init(level id: OverscaledTileID, corner: SIMD2<Double>, zoom: Double) {
    self.id = id
    matrix = TileMatrix(SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), .zero, SIMD4(corner.x, corner.y, 0, 1))
    let scale = 1 / tileUnitsPerPixel(zoom: zoom)
    (matrix.c0.x, matrix.c1.y) = (scale, scale)
  }

  /// A level tile whose labels are placed around its corner.
  var aroundCorner: PlacementTile {
    assert(matrix.c3.w == 1 && matrix.c0.w == 0 && matrix.c1.w == 0, "the tile is seen from straight above")
    var tile = self
    tile.origin += SIMD2(matrix.c3.x, matrix.c3.y)
    (tile.matrix.c3.x, tile.matrix.c3.y) = (0, 0)
    return tile
  }

  /// Tile units a CSS pixel at the map's zoom.
  package func tileUnitsPerPixel(zoom: Double) -> Double {
    TileUnits.extent / (TileUnits.pixels * id.overscaleFactor * exp2(zoom - Double(id.overscaledZ)))
  }

  /// A translate value in CSS pixels as tile units. An anchor `viewport` means that it is given in screen
  /// axes.
  package func translation(_ translate: SIMD2<Double>, viewportAnchor: Bool, view: PlacementView) -> SIMD2<
    Double
  > {
    guard translate != .zero else { return .zero }
    let scale = tileUnitsPerPixel(zoom: view.zoom)
    guard viewportAnchor, view.bearing != 0 else { return translate * scale }
    let s = sin(view.bearing), c = cos(view.bearing)
    return SIMD2(translate.x * c - translate.y * s, translate.x * s + translate.y * c) * scale
  }
}

/// The plane in which labels are laid out, in pixels: the screen (pitch alignment `viewport`), or the map
/// (pitch alignment `map`), whose axes are the tile's (rotation alignment `map`) or turned with the screen
/// (rotation alignment `viewport`).
package struct LabelPlane: Sendable {
  package let view: PlacementView
  package let matrix: TileMatrix
  package let pitchWithMap: Bool
  /// Plane pixels a tile unit, and the plane's axes on the map, where it is the map's.
  private let scale: Double
  private let right: SIMD2<Double>
  private let down: SIMD2<Double>

  package init(view: PlacementView, tile: PlacementTile, pitchWithMap: Bool, rotateWithMap: Bool) {
    self.view = view
    self.pitchWithMap = pitchWithMap
    matrix = tile.matrix
    scale = 1 / tile.tileUnitsPerPixel(zoom: view.zoom)
    (right, down) = pitchWithMap && !rotateWithMap ? view.screenAxesOnMap : (SIMD2(1, 0), SIMD2(0, 1))
  }

  /// A place of the tile in the plane; nil behind the camera.
  @inline(__always) package func project(_ p: SIMD2<Double>) -> SIMD2<Double>? {
    if pitchWithMap {
      let q = p * scale
      let area = right.x * down.y - right.y * down.x
      guard area != 0 else { return nil }
      return SIMD2((q.x * down.y - q.y * down.x) / area, (q.y * right.x - q.x * right.y) / area)
    }
    let clip = matrix.clip(p)
    return clip.w > 0 ? view.screen(clip) : nil
  }

  /// The place of the tile under a point of the map's plane (for `pitchWithMap` only).
  @inline(__always) package func tilePoint(_ q: SIMD2<Double>) -> SIMD2<Double> {
    (right * q.x + down * q.y) / scale
  }

  /// A point of the plane on the screen; nil behind the camera.
  @inline(__always) package func screen(_ q: SIMD2<Double>) -> SIMD2<Double>? {
    guard pitchWithMap else { return q }
    let clip = matrix.clip(tilePoint(q))
    return clip.w > 0 ? view.screen(clip) : nil
  }

  /// A point of the map's plane on the screen and its distance; nil behind the camera.
  @inline(__always)
  package func deepScreen(_ q: SIMD2<Double>) -> (point: SIMD2<Double>, depth: Double)? {
    let clip = matrix.clip(tilePoint(q))
    return clip.w > 0 ? (view.screen(clip), clip.w) : nil
  }

  /// `w` of a point of the plane: for the distance-field gamma of pitched text.
  @inline(__always) package func depth(_ q: SIMD2<Double>) -> Double { matrix.clip(tilePoint(q)).w }
}
