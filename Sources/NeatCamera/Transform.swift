import NeatBase

/// The projection of one frame: from the world and from tiles to device pixels, and back. Web Mercator;
/// ground at height 0, or that of a terrain.
///
/// World coordinates are logical pixels at the camera's zoom (512 · 2^zoom wide). Screen coordinates are
/// device pixels, (0, 0) the top left corner. The matrices follow the published behaviour of MapLibre's
/// Mercator transform, so that pitch, roll, padding and field of view look the same.
package struct Transform: Sendable {
  package let camera: Camera
  package let size: ViewSize
  package let worldSize: Double
  /// The camera's centre in world coordinates.
  package let center: SIMD2<Double>
  /// Logical pixels from the eye to the centre of the map.
  package let cameraToCenterDistance: Double
  /// Logical pixels of a metre of height, at the latitude of the camera's centre.
  package let pixelsPerMetre: Double
  /// The camera's centre above the sea, in metres.
  package let elevation: Double
  /// The heights that the ground has; nil: it is flat.
  package let ground: GroundHeights?
  /// Logical pixels from the eye to the sea along the middle of the view, and to the farthest that is drawn.
  package let seaDistance: Double
  package let farDistance: Double
  /// World to clip space.
  package let projection: Matrix4
  /// World to device pixels (x, y, depth, w).
  package let toScreen: Matrix4
  private let fromScreen: Matrix4
  package let isFlat: Bool
  /// Whether the camera moves: rasters then lie where the camera is, to the fraction of a pixel, and do not
  /// jump from pixel to pixel.
  package let isMoving: Bool
  /// Logical pixels around the view whose labels take part in placement though they are not drawn.
  package let labelMargin: Int
  /// For a picture of tiles their edge in logical pixels: labels that cross it are decided on alike in all of them.
  package let labelGrid: Double?
  /// The globe that the plane is laid onto; nil where the plane is what is seen.
  package let globe: GlobeSurface?
  /// 0: the plane, 1: the globe, between: on the way from one to the other.
  package let globeness: Double

  /// The one door for cameras: throws where a member of the camera or the size is out of its range, naming
  /// it.
  /// - Parameter elevation: of the camera's centre above the sea, in metres.
  package init(
    camera: Camera, size: ViewSize, isMoving: Bool = false, labelMargin: Int = 0, labelGrid: Double? = nil,
    globeness: Double = 0, elevation: Double = 0
  ) throws(NeatError) {
    self.init(
      checked: try camera.checked(), try size.checked(), isMoving: isMoving, labelMargin: labelMargin,
      labelGrid: labelGrid, globeness: globeness, elevation: elevation)
  }

  init(
    checked camera: Camera, _ size: ViewSize, isMoving: Bool = false, labelMargin: Int = 0,
    labelGrid: Double? = nil, globeness: Double, elevation: Double = 0, ground: GroundHeights? = nil
  ) {
    self.isMoving = isMoving
    self.labelMargin = labelMargin
    self.labelGrid = labelGrid
    self.camera = camera
    self.size = size
    self.elevation = elevation
    self.ground = ground
    worldSize = TileUnits.pixels * exp2(camera.zoom)
    let width = Double(size.deviceWidth) / size.pixelRatio
    let height = Double(size.deviceHeight) / size.pixelRatio
    let latitude = min(max(camera.center.lat, -Mercator.maxLatitude), Mercator.maxLatitude)
    center = Mercator.project(LonLat(camera.center.lon, latitude)) * worldSize
    pixelsPerMetre = worldSize / (Mercator.meanCircumference * cos(latitude * .pi / 180))
    let fov = camera.fieldOfView * .pi / 180
    let pitch = camera.pitch * .pi / 180
    let offset = camera.padding.middle(of: SIMD2(width, height)) - SIMD2(width, height) / 2
    cameraToCenterDistance = 0.5 / tan(fov / 2) * height
    let depths = ViewDepths(
      camera, SIMD2(width, height), offset: offset.y, distance: cameraToCenterDistance,
      elevation: elevation, lowest: ground?.lowest ?? 0, pixelsPerMetre: pixelsPerMetre)
    (seaDistance, farDistance) = (depths.sea, depths.far)

    let distance = cameraToCenterDistance
    func view(_ near: Double, _ far: Double) -> Matrix4 {
      var matrix = Matrix4.perspective(fovY: fov, aspect: width / height, near: near, far: far)
      matrix.columns.2.x = -offset.x * 2 / width
      matrix.columns.2.y = offset.y * 2 / height
      matrix = matrix.scaled(1, -1, 1).translated(0, 0, -distance)
      return matrix.rotatedZ(-camera.roll * .pi / 180).rotatedX(pitch).rotatedZ(-camera.heading * .pi / 180)
    }
    projection = view(Transform.nearPlane(height), farDistance).translated(
      -center.x, -center.y, -elevation * pixelsPerMetre)
    let viewport = Matrix4.identity
      .scaled(Double(size.deviceWidth) / 2, -Double(size.deviceHeight) / 2, 1).translated(1, -1, 0)
    toScreen = viewport * projection
    fromScreen = toScreen.inverted() ?? .identity
    isFlat = camera.pitch == 0 && ground == nil
    self.globeness = globeness > 0 ? min(globeness, 1) : 0
    if globeness > 0 {
      globe = Transform.globe(
        { viewport * view($0, $1) }, plane: toScreen.scaled(worldSize, worldSize, worldSize), camera,
        latitude,
        globeness: self.globeness, worldSize: worldSize, distance: cameraToCenterDistance)
    } else {
      globe = nil
    }
  }

  /// Logical pixels from the eye within which nothing on the plane is drawn, in a view of a height.
  static func nearPlane(_ height: Double) -> Double { height / 50 }

  /// The view whose centre lies so many metres above the sea, over a terrain or flat ground.
  /// - Parameter camera: the one it is seen by, where it is not its own; checked.
  package func over(_ ground: GroundHeights?, elevation: Double, camera: Camera? = nil) -> Transform {
    Transform(
      checked: camera ?? self.camera, size, isMoving: isMoving, labelMargin: labelMargin,
      labelGrid: labelGrid, globeness: globeness, elevation: elevation, ground: ground)
  }

  /// A tile's square from straight above, `edge` device pixels wide, with what this view draws on the ground.
  package func square(of tile: TileID, edge: Int) -> Transform { Transform(self, tile, edge) }

  private init(_ view: Transform, _ tile: TileID, _ edge: Int) {
    camera = view.camera
    worldSize = view.worldSize
    cameraToCenterDistance = view.cameraToCenterDistance
    pixelsPerMetre = view.pixelsPerMetre
    (elevation, ground, isFlat, isMoving, labelMargin) = (0, nil, true, true, 0)
    (labelGrid, globe, globeness) = (nil, nil, 0)
    (seaDistance, farDistance) = (view.seaDistance, view.farDistance)
    let length = worldSize / Double(UInt64(1) << UInt64(tile.z))
    let scale = Double(edge) / length
    size = ViewSize(square: edge, pixelRatio: scale)
    let corner = SIMD2(Double(tile.x), Double(tile.y)) * length
    center = corner + length / 2
    toScreen = Matrix4.identity.scaled(scale, scale, 1).translated(-corner.x, -corner.y, 0)
    fromScreen = toScreen.inverted() ?? .identity
    projection = Matrix4.identity.scaled(2 / length, -2 / length, 1).translated(-center.x, -center.y, 0)
  }

  /// The view in which labels are placed: this one with its margin all around.
  package var labelView: Transform {
    guard labelMargin > 0 else { return self }
    let wide = ViewSize(
      width: size.width + 2 * labelMargin, height: size.height + 2 * labelMargin, pixelRatio: size.pixelRatio)
    return Transform(
      checked: camera, wide, labelGrid: labelGrid, globeness: globeness, elevation: elevation, ground: ground)
  }

  /// Device pixels of a world point, or nil behind the eye.
  package func screen(world: SIMD2<Double>) -> SIMD2<Double>? {
    let p = toScreen * SIMD4(world.x, world.y, 0, 1)
    guard p.w > 0 else { return nil }
    return SIMD2(p.x / p.w, p.y / p.w)
  }

  /// The ground under a device pixel, or nil at or above the horizon.
  package func world(screen: SIMD2<Double>) -> SIMD2<Double>? {
    let near = fromScreen * SIMD4(screen.x, screen.y, 0, 1)
    let far = fromScreen * SIMD4(screen.x, screen.y, 1, 1)
    let (z0, z1) = (near.z / near.w, far.z / far.w)
    let a = SIMD2(near.x / near.w, near.y / near.w)
    let b = SIMD2(far.x / far.w, far.y / far.w)
    guard z0 != z1 else { return a }
    let t = -z0 / (z1 - z0)
    // Behind the eye: the ray meets the ground only backwards. Clip w of the hit tells.
    let hit = a + (b - a) * t
    guard hit.x.isFinite, hit.y.isFinite, (toScreen * SIMD4(hit.x, hit.y, 0, 1)).w > 0 else { return nil }
    return hit
  }

  /// World pixels along the edge of a tile at this zoom.
  package func tileEdge(_ z: UInt8) -> Double { worldSize / Double(UInt64(1) << UInt64(z)) }

  /// A place in world coordinates, in the layout units of a tile.
  package func tileUnits(_ world: SIMD2<Double>, in id: OverscaledTileID) -> SIMD2<Double> {
    let edge = tileEdge(id.canonical.z)
    let corner = SIMD2(id.column, Double(id.canonical.y)) * edge
    return (world - corner) * (TileUnits.extent / edge)
  }

  /// The view's corners in device pixels, one after the other around it.
  package var corners: [SIMD2<Double>] {
    let (width, height) = (Double(size.deviceWidth), Double(size.deviceHeight))
    return [SIMD2(0, 0), SIMD2(width, 0), SIMD2(width, height), SIMD2(0, height)]
  }

  /// The box of the ground that is seen from straight above, in world coordinates; nil of other views, and on
  /// terrain or a globe.
  package var groundFromAbove: (low: SIMD2<Double>, high: SIMD2<Double>)? {
    guard isFlat, globe == nil else { return nil }
    var low = SIMD2(repeating: Double.infinity), high = -low
    for corner in corners {
      guard let place = world(screen: corner) else { return nil }
      (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
    }
    return (low, high)
  }

  /// Tile units (`TileUnits.extent` along the canonical tile) to device pixels.
  package func matrix(for id: OverscaledTileID) -> Matrix4 {
    let edge = tileEdge(id.canonical.z)
    return toScreen.translated(id.column * edge, Double(id.canonical.y) * edge, 0).scaled(
      edge / TileUnits.extent, edge / TileUnits.extent, 1)
  }

  /// The corners of the tile on the screen, clockwise from its north-west, or nil where one lies behind the
  /// eye.
  package func corners(_ id: OverscaledTileID) -> [SIMD2<Double>]? {
    let m = matrix(for: id)
    var result: [SIMD2<Double>] = []
    for (x, y) in [(0.0, 0.0), (1, 0), (1, 1), (0, 1)] {
      let p = m * SIMD4(x * TileUnits.extent, y * TileUnits.extent, 0, 1)
      guard p.w > 0 else { return nil }
      result.append(SIMD2(p.x / p.w, p.y / p.w))
    }
    return result
  }
}
