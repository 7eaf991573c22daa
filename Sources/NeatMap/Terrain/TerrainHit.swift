import NeatBase
import NeatCamera

extension TerrainScene {
  /// Steps along a ray until it meets the ground, and halvings of the one in which it does.
  private static let steps = 256
  private static let halvings = 24

  /// The ground under a device pixel, in world coordinates; nil where no ground is seen.
  func world(screen: SIMD2<Double>) -> SIMD2<Double>? {
    guard let back = transform.toScreen.inverted() else { return nil }
    func point(_ depth: Double) -> SIMD3<Double>? {
      let p = back * SIMD4(screen.x, screen.y, depth, 1)
      let at = SIMD3(p.x, p.y, p.z) / p.w
      return at.x.isFinite && at.y.isFinite && at.z.isFinite ? at : nil
    }
    guard let near = point(-1), let far = point(1) else { return nil }
    /// How far above the ground, in logical pixels.
    func height(_ t: Double) -> Double {
      let at = near + (far - near) * t
      return at.z - metres(SIMD2(at.x, at.y) / transform.worldSize) * transform.pixelsPerMetre
    }
    var low = 0.0
    for step in 1...TerrainScene.steps {
      // Denser near the eye, where the ground is seen from close by.
      let share = Double(step) / Double(TerrainScene.steps)
      var high = share * share
      guard height(high) <= 0 else {
        low = high
        continue
      }
      for _ in 0..<TerrainScene.halvings {
        let middle = (low + high) / 2
        if height(middle) <= 0 { high = middle } else { low = middle }
      }
      let hit = near + (far - near) * high
      return SIMD2(hit.x, hit.y)
    }
    return nil
  }

  /// The height of the ground that is drawn, in metres; 0 where nothing is known.
  private func metres(_ place: SIMD2<Double>) -> Double {
    let zoom = UInt8(clamping: Int(bounded: max(0, transform.camera.zoom.rounded(.down))))
    return heights.metres(at: place, zoom: min(zoom, TileID.maxZoom)) ?? 0
  }
}
