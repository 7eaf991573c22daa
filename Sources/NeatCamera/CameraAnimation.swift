import NeatBase

/// An easing in time, along MapLibre's default curve.
package struct CameraAnimation {
  package let to: Camera
  package let startMS: UInt64
  package let durationMS: UInt64
  private let way: CameraEase

  /// Throws `invalidArgument` for what no camera may be.
  package init(from: Camera, to: Camera, size: ViewSize, startMS: UInt64, durationMS: UInt64)
    throws(NeatError)
  {
    self.to = to
    self.startMS = startMS
    self.durationMS = durationMS
    way = try CameraEase(from: from, to: CameraChange(to: to), size: size)
  }

  /// The camera at a time; from the end on it is the one that was asked for.
  package func camera(atMS now: UInt64) -> (Camera, isOver: Bool) {
    let elapsed = Double(now >= startMS ? now - startMS : 0) / Double(durationMS)
    guard elapsed < 1 else { return (to, true) }
    return (way.camera(at: AnimationCurve.ease.value(at: elapsed)), false)
  }
}
