import NeatBase

/// Fog that hides what is far away, as the root `fog` of Mapbox styles has it: by the distance from the eye, which is
/// counted in heights of the view.
package struct Fog: Sendable {
  /// A globe that the ground lies on, around a middle that is told from the eye.
  package struct Globe: Sendable {
    let middle: SIMD3<Float>
    let radius: Float
    /// How far the eye is from the ground, squared along the way past it.
    let tangent: Float
    /// Radii within which a direction passes the middle where it shows a pixel of the globe, of its edge too.
    let edge: Float
    /// 0: the plane, 1: the globe.
    let globeness: Float

    /// - Parameter pixel: how large one is where the camera's centre lies, as the radius.
    package init(middle: SIMD3<Double>, radius: Double, pixel: Double, globeness: Double) {
      self.middle = SIMD3<Float>(middle)
      self.radius = Float(radius)
      edge = Float(1 + pixel / radius)
      tangent = Float(max((middle * middle).sum() - radius * radius, 0))
      self.globeness = Float(globeness)
    }

    /// How far along a direction the ground is; of what passes it by a little, where it is nearest.
    func depth(_ way: SIMD3<Float>) -> Float? {
      let along = (middle * way).sum()
      guard along > 0 else { return nil }
      let square = along * along - tangent
      if square >= 0 { return along - square.squareRoot() }
      return passes(way) < edge ? along : nil
    }

    /// How far from the middle a direction passes by, in radii.
    func passes(_ way: SIMD3<Float>) -> Float {
      let away = way * (middle * way).sum() - middle
      return (away * away).sum().squareRoot() / radius
    }
  }

  /// How pixels of the view look (x east, y south, z up): through its top left corner, and their change a device pixel
  /// right and down; what lies straight ahead is 1 away.
  package struct View: Sendable {
    let corner: SIMD3<Float>
    let right: SIMD3<Float>
    let down: SIMD3<Float>
    /// The upward part of a direction where the ground ends.
    let end: Float
    /// Of the eye above the plane that flat ground is drawn on, in heights of the view.
    let eye: Float
    /// Heights of the view in a unit of w.
    let scale: Float
    /// Metres in a height of the view, and of that plane above the sea.
    let metres: Float
    let sea: Float

    package init(
      corner: SIMD3<Double>, right: SIMD3<Double>, down: SIMD3<Double>, end: Double, eye: Double,
      scale: Double,
      metres: Double, sea: Double
    ) {
      self.corner = SIMD3<Float>(corner)
      self.right = SIMD3<Float>(right)
      self.down = SIMD3<Float>(down)
      self.end = Float(end)
      (self.eye, self.scale) = (Float(eye), Float(scale))
      (self.metres, self.sea) = (Float(metres), Float(sea))
    }
  }

  /// 0...1, not premultiplied.
  package let color: SIMD3<Float>
  /// 0...1, of all of it.
  let opacity: Float
  let view: View
  let globe: Globe?
  /// How much of it goes by distance, and not by how near the globe's edge a place is seen: 1 on the plane.
  let closeness: Float
  /// Where it begins, and one over how much farther it hides all; of no way at all, infinite.
  private let start: Float
  private let rise: Float
  /// The upward part of a direction above which it is thin.
  private let horizonBlend: Float
  /// Metres above which it thins out, and above which there is none; nil: at all heights.
  private let heights: SIMD2<Float>?

  /// - Parameter range: from the eye.
  package init(
    color: SIMD3<Float>, opacity: Float, range: SIMD2<Float>, horizonBlend: Float, heights: SIMD2<Float>?,
    view: View, globe: Globe?, closeness: Float
  ) {
    (self.color, self.opacity, self.horizonBlend, self.heights) = (color, opacity, horizonBlend, heights)
    (self.view, self.globe, self.closeness) = (view, globe, closeness)
    start = range.x
    rise = 1 / (range.y - range.x)
  }

  // MARK: How much of it there is

  private static let steps = 1024

  /// How dense it is on the way from its beginning to its end: exponential, cubed so that it comes in softly.
  private static let ramp: [Float] = (0...steps).map { step in
    let falloff = 1 - expf(-6 * Float(step) / Float(steps))
    return min(1, 1.00747 * falloff * falloff * falloff)
  }

  private func density(_ distance: Float) -> Float {
    let way = distance - start
    guard rise.isFinite else { return way > 0 ? 1 : 0 }
    let t = way * rise
    guard t > 0 else { return 0 }
    guard t < 1 else { return 1 }
    let place = t * Float(Fog.steps)
    let step = Int(bounded: place)
    let low = Fog.ramp[step]
    return low + (Fog.ramp[step + 1] - low) * (place - Float(step))
  }

  /// How much of the air's colour a direction above the horizon has.
  func horizon(_ up: Float) -> Float {
    guard up > 0 else { return opacity }
    guard horizonBlend > 0 else { return 0 }
    let t = up / horizonBlend
    return opacity * expf(-3 * t * t)
  }

  /// How much it hides of what is so far away in a direction.
  private func share(_ way: SIMD3<Float>, _ depth: Float) -> Float {
    guard closeness < 1, let globe else { return opacity * density(depth) * horizon(way.z) }
    let glow = globe.passes(way) + .pi / 2
    let round = opacity * density(glow + (depth - glow) * closeness)
    return round + (round * horizon(way.z) - round) * closeness
  }

  /// How much it hides of a place, 0...1.
  /// - Parameter seen: device pixels times w, anything, w.
  package func share(_ seen: SIMD4<Double>) -> Float {
    seen.w > 0 ? share(seen.x / seen.w, seen.y / seen.w, w: seen.w) : 0
  }

  private func share(_ x: Double, _ y: Double, w: Double) -> Float {
    let ray = view.corner + view.right * Float(x) + view.down * Float(y)
    let length = (ray * ray).sum().squareRoot()
    let way = ray / length
    let depth = length * Float(w) * view.scale
    let share = share(way, depth)
    guard share > 0 else { return 0 }
    guard let heights else { return min(share, 1) }
    let metres = height(way * depth)
    let span = heights.y - heights.x
    let t = span > 0 ? min(max((metres - heights.x) / span, 0), 1) : metres > heights.x ? 1 : 0
    return min(share, 1) * (1 - t * t * (3 - 2 * t))
  }

  /// Metres above the sea of a place that is so far from the eye.
  private func height(_ place: SIMD3<Float>) -> Float {
    let flat = (view.eye + place.z) * view.metres + view.sea
    guard let globe else { return flat }
    let away = place - globe.middle
    let round = ((away * away).sum().squareRoot() - globe.radius) * view.metres
    return flat + (round - flat) * globe.globeness
  }

  /// A premultiplied colour with a share of it hidden.
  package func over(_ color: SIMD4<Float>, _ share: Float) -> SIMD4<Float> {
    let mist = SIMD4(self.color * color.w, color.w)
    return color + (mist - color) * share
  }

  package func over(_ color: Premultiplied, _ share: Float) -> Premultiplied {
    Premultiplied(bits: over(color.bits, share))
  }

  /// A pixel that shows what is so far away.
  func over(_ pixel: UInt32, _ x: Double, _ y: Double, w: Double) -> UInt32 {
    let share = share(x, y, w: w)
    return share > 0 ? over(pixel, share) : pixel
  }

  @inline(__always) private func over(_ pixel: UInt32, _ share: Float) -> UInt32 {
    packed(over(unpacked(pixel), share))
  }

  // MARK: The ground

  /// Lays it over what is drawn of flat ground.
  package func draw(_ band: Band) {
    for y in band.y0..<band.y1 {
      let row = band.row(y)
      let left = view.corner + view.down * (Float(y) + 0.5)
      for x in 0..<band.width where row[x] != 0 {
        let ray = left + view.right * (Float(x) + 0.5)
        let length = (ray * ray).sum().squareRoot()
        let way = ray / length
        guard let depth = ground(way, isSeen: ray.z < view.end) else { continue }
        let share = share(way, depth)
        if share > 0 { row[x] = over(row[x], min(share, 1)) }
      }
    }
  }

  /// How far away the ground is in a direction; nil where there is none.
  /// - Parameter isSeen: whether the plane is drawn there.
  @inline(__always) private func ground(_ way: SIMD3<Float>, isSeen: Bool) -> Float? {
    guard let globe else { return isSeen ? view.eye / -way.z : nil }
    guard let round = globe.depth(way) else { return nil }
    guard globe.globeness < 1, way.z < 0 else { return round }
    let flat = view.eye / -way.z
    return flat + (round - flat) * globe.globeness
  }
}
