/// The kinds of gestures. Those down to `singleTap` have the names of version 10 of the mobile SDKs.
public enum GestureType: String, Hashable, Sendable, CaseIterable {
  /// One finger, or the mouse, holds the ground.
  case pan
  /// Two fingers zoom and pan.
  case pinch
  /// Two fingers, or the second button, rotate.
  case rotation
  /// Two level fingers, or the second button, pitch.
  case pitch
  /// Two taps of one finger.
  case doubleTapToZoomIn
  /// One tap of two fingers.
  case doubleTouchToZoomOut
  /// A tap, after which the finger is held and drawn up or down.
  case quickZoom
  /// A tap of one finger, which leaves the camera alone; a double tap begins with one.
  case singleTap
  /// A wheel or a trackpad.
  case wheel
  /// Keys.
  case keyboard
  /// A box that is drawn with Shift held.
  case boxZoom
}

/// Where a gesture began.
public struct GestureBegin: Hashable, Sendable {
  /// The kind.
  public var type: GestureType
  /// Where the pointer came down, or the middle of two.
  public var location: ScreenPoint
}

/// How a gesture ended.
public struct GestureEnd: Hashable, Sendable {
  /// The kind.
  public var type: GestureType
  /// Whether the camera goes on by itself: `gestureEndedAnimating` follows.
  public var willAnimate: Bool
}
