// How far a view reaches, after the published behaviour of MapLibre's Mercator transform: the far plane lies
// just behind the farthest ground in view, which ends below the true horizon.
import NeatBase

/// Heights of the ground, in metres above the sea, as far as they are known.
package struct GroundHeights: Sendable {
  /// The source that they come from.
  package let source: String
  /// The lowest ground of the tile under the camera's centre.
  package let lowest: Double
  /// Heights within a tile; nil where nothing is known.
  package let range: @Sendable (TileID) -> ClosedRange<Double>?
  /// The height at a place of a tile, in its layout units; nil where nothing is known.
  package let heights: @Sendable (OverscaledTileID) -> HeightOfPlace?

  /// The tile of elevations that says whether the eye is above the ground; nil where it is above all mountains.
  package var eyeTile: TileID?

  package typealias HeightOfPlace = @Sendable (SIMD2<Double>) -> Double

  package init(
    source: String, lowest: Double, range: @escaping @Sendable (TileID) -> ClosedRange<Double>?,
    heights: @escaping @Sendable (OverscaledTileID) -> HeightOfPlace?
  ) {
    self.source = source
    self.lowest = lowest
    self.range = range
    self.heights = heights
  }
}

/// Logical pixels from the eye to the sea, along the middle of the view, and to the farthest that is drawn.
struct ViewDepths {
  let sea: Double
  let far: Double

  /// The steepest that a view counts as, in degrees: at 90 the ground would reach infinitely far.
  static let steepest = 89.25

  /// - Parameters:
  ///   - size: of the view, in logical pixels.
  ///   - offset: how far below the middle of the view the camera's centre is seen.
  ///   - distance: from the eye to the camera's centre.
  ///   - elevation: of that centre, in metres.
  ///   - lowest: the lowest ground under it.
  init(
    _ camera: Camera, _ size: SIMD2<Double>, offset: Double, distance: Double, elevation: Double,
    lowest: Double, pixelsPerMetre: Double
  ) {
    let pitch = camera.pitch * .pi / 180
    let held = min(camera.pitch, ViewDepths.steepest) * .pi / 180
    sea = max(distance / 2, distance + elevation * pixelsPerMetre / cos(held))
    // Ground below the sea is farther away; so is what is looked at from a few metres above it.
    let altitude = cos(pitch) * distance / pixelsPerMetre + elevation
    let low = min(elevation, lowest, altitude - 100)
    let plane = low < 0 ? sea - low * pixelsPerMetre / cos(held) : sea

    let roll = camera.roll * .pi / 180
    let fov = camera.fieldOfView * .pi / 180 * (abs(cos(roll)) * size.y + abs(sin(roll)) * size.x) / size.y
    func surface(_ angle: Double) -> Double {
      sin(angle) * plane / sin(min(max(.pi / 2 - pitch - angle, 0.01), .pi - 0.01))
    }
    let horizon = ViewDepths.horizon(pitch: camera.pitch, distance: distance)
    let angle = atan(horizon / distance)
    let least = (90 - ViewDepths.steepest) * .pi / 180
    let toHorizon = angle > least ? 2 * angle * (0.5 + offset / (2 * horizon)) : least
    let reach = min(surface(fov * (0.5 + offset / size.y)), surface(toHorizon))
    far = (cos(.pi / 2 - held) * reach + plane) * 1.01
  }

  /// How far above the camera's centre the ground ends, in logical pixels: a little below the true horizon.
  static func horizon(pitch: Double, distance: Double) -> Double {
    distance * min(tan((90 - pitch) * .pi / 180) * 0.85, tan((steepest - pitch) * .pi / 180))
  }
}

extension Transform {
  /// The directions in which the pixels of the view look (x east, y south, z up): through the top left corner, and
  /// their change a device pixel right and down.
  package var rays: (corner: SIMD3<Double>, right: SIMD3<Double>, down: SIMD3<Double>) {
    let frame = ViewFrame(camera, size)
    return (frame.ray(.zero), frame.right / size.pixelRatio, frame.down / size.pixelRatio)
  }

  /// Where the eye is, in logical pixels from the camera's centre: x east, y south, z up.
  package var eye: SIMD3<Double> { ViewFrame(camera, size).eye }

  /// How far above the middle of the view the ground ends, in logical pixels.
  package var horizon: Double {
    ViewDepths.horizon(pitch: camera.pitch, distance: cameraToCenterDistance)
  }

  /// Where the plane of the sea is nearer than the far plane: what is not negative at a device pixel
  /// (a·x + b·y + c). Nil where that is all of the view.
  package var nearGround: SIMD3<Double>? {
    guard !isFlat, let plane = groundDepth else { return nil }
    let (width, height) = (Double(size.deviceWidth), Double(size.deviceHeight))
    let edge = SIMD3(plane.x, plane.y, plane.z - 1 / farDistance)
    let corners = [(0, 0), (width, 0), (width, height), (0, height)]
    if corners.allSatisfy({ edge.x * $0.0 + edge.y * $0.1 + edge.z >= 0 }) { return nil }
    return edge
  }

  /// 1 / w of the plane of the sea, linear in device pixels.
  private var groundDepth: SIMD3<Double>? {
    let (a, b, d) = (toScreen.columns.0, toScreen.columns.1, toScreen.columns.3)
    // The last row of the inverse of the plane's homography.
    let determinant =
      a.x * (b.y * d.w - d.y * b.w) - b.x * (a.y * d.w - d.y * a.w) + d.x * (a.y * b.w - b.y * a.w)
    guard determinant != 0, determinant.isFinite else { return nil }
    return SIMD3(a.y * b.w - b.y * a.w, b.x * a.w - a.x * b.w, a.x * b.y - b.x * a.y) / determinant
  }
}
