import NeatBase
import NeatCamera
import NeatRaster
import NeatStyle

/// Where the parts of a puck lie in a view: flat on the ground, at the copy of the place that is nearest to the
/// camera's centre. It is made for each frame and asks for no tile.
struct PuckGeometry {
  struct Picture {
    let texture: Texture
    /// Texels to device pixels.
    let map: Projection
    /// It is as small as a puck is, and drawn with care.
    let isFine: Bool
  }

  struct Disc {
    /// Units of the radius to device pixels.
    let map: Projection
    var fill: Color
    var border: Color?
  }

  /// From below.
  private(set) var discs: [Disc] = []
  private(set) var pictures: [Picture] = []
  let opacity: Float
  /// World pixels of this zoom, with the puck at their origin, to device pixels.
  private let ground: Projection
  private let pixelRatio: Double

  /// Device pixels along an edge up to which a picture is drawn with care.
  private static let fineEdge = 320.0

  /// What is not made smaller with the distance: a puck far off stays one that is seen. As the location indicator
  /// of the family has it.
  static let perspectiveCompensation = 0.85
  /// Device pixels to a logical one.
  static let borderWidth: Float = 1

  init(_ scene: PuckScene, _ transform: Transform, _ evaluator: Evaluator) {
    let puck = scene.puck
    pixelRatio = transform.size.pixelRatio
    opacity = Float(CameraRange.hold(puck.opacity, 0...1))
    let zoom = transform.camera.zoom
    let latitude = min(max(scene.location.place.lat, -Mercator.maxLatitude), Mercator.maxLatitude)
    let place = PuckGeometry.place(scene.location.place, transform)
    let (depth, unit) = (place.depth, place.unit)
    ground = Projection(place.matrix)
    guard opacity > 0 else { return }

    if scene.isReduced {
      let radius = ReducedRing.radius(
        accuracy: scene.location.horizontalAccuracy, latitude: latitude, zoom: zoom)
      let isLeast = radius <= ReducedRing.leastPixels
      add(radius * (isLeast ? unit : 1), puck.ringColor, border: puck.ringBorderColor)
      return
    }
    let metres = scene.location.horizontalAccuracy ?? 0
    let accuracy = metres / Ground.metresPerPixel(latitude: latitude, zoom: zoom)
    if puck.showsAccuracyRing { add(accuracy, puck.ringColor, border: puck.ringBorderColor) }
    // A circle that has hardly begun is not seen.
    if let pulsing = puck.pulsing, let pulse = scene.pulse, pulse > 0.1 {
      var color = pulsing.color
      color.a *= Float(1 - pulse)
      let radius: Double =
        switch pulsing.radius {
        case .constant(let pixels): pixels * unit
        case .accuracy: accuracy
        }
      add(radius * pulse, color, border: nil)
    }
    // A model stands in the place of the pictures.
    guard depth > 0, scene.model == nil else { return }
    let scale = puck.scale.value(zoom: zoom, evaluator)
    guard scale > 0 else { return }
    for kind in PuckImageKind.allCases {
      guard
        let image = puck.images[kind]
          ?? (kind == .bearing && !puck.showsBearing
            ? nil : scene.artwork.image(kind, pixels: scale * transform.size.pixelRatio))
      else { continue }
      add(image, scale * unit, scene.bearing)
    }
  }

  /// Where a place of the ground is: world pixels of this zoom, with the place at their origin, to device pixels; how far
  /// that is from the eye, above 0 before it; and how many world pixels a logical pixel of a puck there has.
  static func place(_ place: LonLat, _ transform: Transform) -> (matrix: Matrix4, depth: Double, unit: Double)
  {
    let latitude = min(max(place.lat, -Mercator.maxLatitude), Mercator.maxLatitude)
    var world = Mercator.project(LonLat(place.lon, latitude)) * transform.worldSize
    world.x += ((transform.center.x - world.x) / transform.worldSize).rounded() * transform.worldSize
    let away = world - transform.center
    var matrix = transform.toScreen.translated(transform.center.x, transform.center.y, 0)
      .translated(away.x, away.y, 0)
    var isHidden = false
    if let globe = transform.globe {
      let square = world / transform.worldSize
      matrix = globe.tangent(square, plane: matrix)
      isHidden = globe.project(GlobeSurface.sphere(square), plane: square).z < 0
    }
    let depth = isHidden ? -1 : (matrix * SIMD4(0, 0, 0, 1)).w
    let far = depth > 0 ? depth / transform.cameraToCenterDistance : 1
    return (matrix, depth, 1 - perspectiveCompensation + perspectiveCompensation * far)
  }

  /// `radius`: world pixels.
  private mutating func add(_ radius: Double, _ fill: Color, border: Color?) {
    guard radius > 0, radius < 1e9, fill.a > 0 || (border?.a ?? 0) > 0 else { return }
    discs.append(Disc(map: ground.scaled(radius), fill: fill, border: border))
  }

  private mutating func add(_ image: PuckImage, _ size: Double, _ bearing: Double) {
    let (s, c) = (sin(bearing * .pi / 180), cos(bearing * .pi / 180))
    let texel = size / image.pixelRatio
    let middle = SIMD2(Double(image.texture.width), Double(image.texture.height)) / 2
    // The picture's up is north, turned clockwise.
    let right = SIMD2(c, s) * texel, down = SIMD2(-s, c) * texel
    let start = -right * middle.x - down * middle.y
    var map = ground
    map.xx = ground.xx * right.x + ground.xy * right.y
    map.xy = ground.xx * down.x + ground.xy * down.y
    map.x0 = ground.xx * start.x + ground.xy * start.y + ground.x0
    map.yx = ground.yx * right.x + ground.yy * right.y
    map.yy = ground.yx * down.x + ground.yy * down.y
    map.y0 = ground.yx * start.x + ground.yy * start.y + ground.y0
    map.wx = ground.wx * right.x + ground.wy * right.y
    map.wy = ground.wx * down.x + ground.wy * down.y
    map.w0 = ground.wx * start.x + ground.wy * start.y + ground.w0
    let edge = Double(max(image.texture.width, image.texture.height)) * texel * pixelRatio
    pictures.append(
      Picture(texture: image.texture, map: map, isFine: edge <= PuckGeometry.fineEdge))
  }
}
