import NeatBase

/// How large a globe is that turns and stays as large: the zoom follows the latitude of its camera's centre. What the
/// limits of zooms take of it is remembered, so that a way back ends where it began.
struct GlobeSize: Sendable {
  private struct Kept: Sendable {
    /// The zoom at the equator of a globe as large.
    let atEquator: Double
    /// Of the camera as it was left; one that something else has moved since counts as it is.
    let latitude: Double
    let zoom: Double
  }

  private var kept: Kept?

  /// The zoom at the equator of a globe that is as large as the camera's.
  private func atEquator(_ camera: Camera) -> Double {
    if let kept, kept.zoom == camera.zoom, kept.latitude == camera.center.lat { return kept.atEquator }
    return GlobeWay.atEquator(camera.zoom, Mercator.heldLatitude(camera.center.lat))
  }

  /// The zoom of a camera's globe, whatever limits have made of it.
  func zoom(_ camera: Camera) -> Double {
    atEquator(camera) + GlobeView.zoomChange(from: 0, to: Mercator.heldLatitude(camera.center.lat))
  }

  /// The camera with its centre elsewhere, or as near to it as limits have it.
  mutating func camera(
    _ camera: Camera, at center: LonLat, _ limits: CameraLimits, _ size: ViewSize
  ) -> Camera {
    let atEquator = atEquator(camera)
    let limits = limits.on(.globe)
    var moved = camera
    moved.center = limits.place(center, camera.zoom, size).0
    let zoom = atEquator + GlobeView.zoomChange(from: 0, to: moved.center.lat)
    moved.zoom = limits.place(moved.center, CameraRange.hold(zoom, CameraRange.zoom), size).1
    kept = Kept(atEquator: atEquator, latitude: moved.center.lat, zoom: moved.zoom)
    return moved
  }
}
