import NeatBase

/// The air and the space around a map with fog, as Mapbox styles have them: the fog's colour at the horizon, over it
/// that of the high air, and space beyond.
package struct FogSky: Sendable {
  /// Where the sky begins.
  package enum Horizon: Sendable {
    /// So many device pixels above the middle.
    case straight(Float)
    /// Around a globe, whose middle is told in radii of it: x right, y up, z towards the eye.
    case round(SIMD3<Float>)
    /// On the way from the one (0) to the other (1).
    case mixed(Float, SIMD3<Float>, share: Float)
  }

  /// 0...1, not premultiplied.
  package var color: SIMD4<Float>
  package var highColor: SIMD4<Float>
  package var spaceColor: SIMD4<Float>
  /// The share of half a turn within which the air thins out: above 0.
  package var reach: Float
  package var horizon: Horizon
  /// Where the camera's centre is seen, and how far the picture is from the eye, in device pixels.
  package var middle: SIMD2<Float>
  package var focal: Float
  /// What is up in the picture: right and down, of length 1.
  package var up: SIMD2<Float>
  /// Radii of a globe that the sky reaches behind it.
  package var overlap: Float

  package init(
    color: SIMD4<Float>, highColor: SIMD4<Float>, spaceColor: SIMD4<Float>, reach: Float, horizon: Horizon,
    middle: SIMD2<Float>, focal: Float, up: SIMD2<Float>, overlap: Float = 0
  ) {
    (self.color, self.highColor, self.spaceColor) = (color, highColor, spaceColor)
    (self.reach, self.horizon) = (reach, horizon)
    (self.middle, self.focal, self.up, self.overlap) = (middle, focal, up, overlap)
  }

  /// Draws space, which stars are drawn over.
  package func drawSpace(_ band: Band) {
    let space = packed(
      SIMD4(SIMD3(spaceColor.x, spaceColor.y, spaceColor.z) * spaceColor.w, spaceColor.w))
    each(band) { pixel, _ in pixel.pointee = Blend.over(pixel.pointee, space) }
  }

  /// Draws the air over space and stars.
  package func drawAir(_ band: Band) {
    let space = SIMD3(spaceColor.x, spaceColor.y, spaceColor.z)
    let high = SIMD3(highColor.x, highColor.y, highColor.z)
    let far = space + (high - space) * highColor.w
    let near = far + (SIMD3(color.x, color.y, color.z) - far) * color.w
    let farAlpha = spaceColor.w + (1 - spaceColor.w) * highColor.w
    let nearAlpha = farAlpha + (1 - farAlpha) * color.w
    let scale = -1 / (Float.pi * reach)
    each(band) { pixel, angle in
      let t = expf(max(angle, 0) * scale)
      let air = far + (near - far) * t
      let alpha = spaceColor.w + (farAlpha + (nearAlpha - farAlpha) * t - spaceColor.w) * t
      let below = unpacked(pixel.pointee)
      let shown = air * t + SIMD3(below.x, below.y, below.z) * (1 - t)
      pixel.pointee = packed(SIMD4(shown, max(alpha, shown.max())))
    }
  }

  /// Whether a point of the picture is part of the sky.
  package func shows(_ point: SIMD2<Float>) -> Bool {
    angle(point).map { $0 > 0 } ?? false
  }

  /// Calls `body` for each pixel of the sky with the angle that it lies above the horizon, in radians. The sky begins a
  /// little below: edges of the ground are soft.
  private func each(_ band: Band, _ body: (UnsafeMutablePointer<UInt32>, Float) -> Void) {
    for y in band.y0..<band.y1 {
      let row = band.row(y)
      for x in 0..<band.width {
        if let angle = angle(SIMD2(Float(x) + 0.5, Float(y) + 0.5)) { body(row + x, angle) }
      }
    }
  }

  private func angle(_ point: SIMD2<Float>) -> Float? {
    let away = point - middle
    switch horizon {
    case .straight(let height): return straight(away, height)
    case .round(let globe): return round(away, globe)
    case .mixed(let height, let globe, let share):
      let round = round(away, globe), straight = straight(away, height)
      guard let round, let straight else { return share > 0.5 ? round : straight }
      return straight + (round - straight) * share
    }
  }

  private func straight(_ away: SIMD2<Float>, _ height: Float) -> Float? {
    let above = (away * up).sum()
    guard above > height - 1 else { return nil }
    guard above > height else { return 0 }
    let across = away.x * up.y - away.y * up.x
    let flat = across * across + focal * focal
    return atan2f((above - height) * flat.squareRoot(), flat + above * height)
  }

  private func round(_ away: SIMD2<Float>, _ globe: SIMD3<Float>) -> Float? {
    let ray = SIMD3(away.x, -away.y, -focal)
    let way = ray / (ray * ray).sum().squareRoot()
    let along = (globe * way).sum()
    let distance = (globe * globe).sum().squareRoot()
    let off = way * along - globe
    let passes = (off * off).sum().squareRoot()
    if along > 0, passes < 1 - overlap { return nil }
    let from = asinf(min(passes / distance, 1)), edge = asinf(min(1 / distance, 1))
    return (along < 0 ? .pi - from : from) - edge
  }
}
