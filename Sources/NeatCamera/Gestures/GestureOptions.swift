import NeatBase

/// What gestures do: each can be switched off. The names down to `focalPoint` are those of version 10 of the
/// mobile SDKs.
package struct GestureOptions: Sendable, Hashable {
  /// Where a pan goes.
  package enum PanMode: String, Sendable, Hashable, CaseIterable {
    case horizontal, vertical, horizontalAndVertical
  }

  package var panEnabled = true
  package var pinchEnabled = true
  package var rotateEnabled = true
  /// Whether two fingers zoom and rotate at once; else what begins first keeps the other from it.
  package var simultaneousRotateAndPinchZoomEnabled = true
  package var pinchZoomEnabled = true
  package var pinchPanEnabled = true
  package var pitchEnabled = true
  package var doubleTapToZoomInEnabled = true
  package var doubleTouchToZoomOutEnabled = true
  package var quickZoomEnabled = true
  package var panMode = PanMode.horizontalAndVertical
  /// What is left of a glide's velocity after each millisecond; 0: there is no glide.
  package var panDecelerationFactor = 0.998
  /// What zooming and rotating goes around, in logical pixels; nil: each gesture's own point.
  package var focalPoint: SIMD2<Double>?

  package var wheelZoomEnabled = true
  /// Drag with the second button, or with Control held: rotates and pitches, as far as these are switched on.
  package var dragRotateEnabled = true
  package var boxZoomEnabled = true
  package var keyboardEnabled = true
  /// Levels of a double tap, a double touch, and a key.
  package var zoomAnimationAmount = 1.0
  /// How much of a level a pixel of the wheel is, of a trackpad.
  package var wheelZoomRate = 1.0 / 450
  package var trackpadZoomRate = 1.0 / 100

  /// A glide that takes longer to slow down would hardly end.
  package static let decelerationFactors = 0.0...0.9999
  package static let zoomAmounts = 0.0...25.0
  package static let zoomRates = 0.0...1.0

  package init() {}

  /// The options, or an error that names the one out of its range.
  package func checked() throws(NeatError) -> GestureOptions {
    func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws(NeatError) {
      try CameraRange.check("gesture options: \(name)", value, range)
    }
    try check("panDecelerationFactor", panDecelerationFactor, GestureOptions.decelerationFactors)
    try check("zoomAnimationAmount", zoomAnimationAmount, GestureOptions.zoomAmounts)
    try check("wheelZoomRate", wheelZoomRate, GestureOptions.zoomRates)
    try check("trackpadZoomRate", trackpadZoomRate, GestureOptions.zoomRates)
    if let focalPoint {
      try check("focalPoint", focalPoint.x, GestureInput.positions)
      try check("focalPoint", focalPoint.y, GestureInput.positions)
    }
    return self
  }
}
