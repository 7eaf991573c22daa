import NeatBase

/// What holds of all input: positions in logical pixels from the view's top left corner, times in
/// milliseconds of a clock of the host's that does not stop.
package enum GestureInput {
  /// Also beside the view: a pointer that is held down may leave it.
  package static let positions = -100_000.0...100_000
  package static let times = -1e15...1e15

  package struct Modifiers: OptionSet, Sendable, Hashable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let shift = Modifiers(rawValue: 1)
    package static let control = Modifiers(rawValue: 2)
    package static let alt = Modifiers(rawValue: 4)
    package static let meta = Modifiers(rawValue: 8)
  }

  /// A finger, or a mouse with a button held down.
  package struct Pointer: Sendable, Hashable {
    package enum Phase: UInt32, Sendable, Hashable { case down, move, up, cancel }
    package enum Kind: UInt32, Sendable, Hashable { case touch, mouse }
    package enum Button: UInt32, Sendable, Hashable { case primary, secondary, middle }

    package var id: Int64
    package var phase: Phase
    package var position: SIMD2<Double>
    package var timeMS: Double
    package var kind = Kind.touch
    /// Of `down`.
    package var button = Button.primary
    /// Of `down`.
    package var modifiers: Modifiers = []

    /// Throws `invalidArgument` for a place or a time out of its range.
    package func check() throws(NeatError) {
      try GestureInput.check(position: position)
      try GestureInput.check(time: timeMS)
    }

    package init(id: Int64 = 0, _ phase: Phase, _ position: SIMD2<Double>, atMS time: Double) {
      self.id = id
      self.phase = phase
      self.position = position
      timeMS = time
    }
  }

  package struct Wheel: Sendable, Hashable {
    package var position: SIMD2<Double>
    /// Pixels, as browsers count them (a notch of a wheel has about 100); less than 0 zooms in.
    package var delta: Double
    package var timeMS: Double
    /// A trackpad goes on by itself, and is followed at once.
    package var isTrackpad = false

    package init(_ position: SIMD2<Double>, delta: Double, atMS time: Double, isTrackpad: Bool = false) {
      self.position = position
      self.delta = delta
      timeMS = time
      self.isTrackpad = isTrackpad
    }
  }

  package enum Key: UInt32, Sendable, Hashable, CaseIterable { case plus, minus, left, right, up, down }

  package static func check(time: Double) throws(NeatError) {
    try check("time", time, times)
  }

  package static func check(position: SIMD2<Double>) throws(NeatError) {
    try check("x", position.x, positions)
    try check("y", position.y, positions)
  }

  static func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws(NeatError) {
    try CameraRange.check("gesture: \(name)", value, range)
  }
}

/// The kinds of gestures: the names down to `singleTap` are those of version 10 of the mobile SDKs.
package enum GestureKind: String, Sendable, Hashable, CaseIterable {
  case pan, pinch, rotation, pitch, doubleTapToZoomIn, doubleTouchToZoomOut, quickZoom, singleTap
  case wheel, keyboard, boxZoom
}

/// What comes of input, in the order in which it happens.
package enum GestureOutput: Sendable, Hashable {
  /// - Parameter position: where the pointer, or the middle of two, was put down.
  case began(GestureKind, position: SIMD2<Double>)
  case camera(Camera)
  /// - Parameter willAnimate: whether the camera goes on by itself.
  case ended(GestureKind, willAnimate: Bool)
  case endedAnimating(GestureKind)
}
