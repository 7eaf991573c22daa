import NeatBase

/// A pointer that is down.
struct GesturePointer: Sendable {
  let id: Int64
  let kind: GestureInput.Pointer.Kind
  let button: GestureInput.Pointer.Button
  let modifiers: GestureInput.Modifiers
  /// Where it came down, or where it was when the number of pointers changed.
  var start: SIMD2<Double>
  /// When it was there.
  var startMS: Double
  var position: SIMD2<Double>

  init(_ input: GestureInput.Pointer, atMS time: Double) {
    startMS = time
    id = input.id
    kind = input.kind
    button = input.button
    modifiers = input.modifiers
    start = input.position
    position = input.position
  }

  var slop: Double { kind == .touch ? GestureRecognizer.touchSlop : GestureRecognizer.mouseSlop }
  var hasMoved: Bool { length(position - start) >= slop }
  /// Another button, or the Control key in its place.
  var turns: Bool { button == .secondary || button == .primary && modifiers.contains(.control) }
}

/// What the pointers that are down do.
enum GesturePhase: Sendable {
  /// Nothing, or nothing that is a gesture.
  case none
  /// One is down and has not moved.
  case pressed(isSecondTap: Bool)
  case panning(Pan)
  case quickZooming(Grip)
  /// Rotates, pitches, or both.
  case turning(Grip, rotates: Bool, pitches: Bool)
  case boxing
  case fingers(Fingers)

  /// What is told where they end without a tap or a glide.
  var ended: [GestureOutput] {
    switch self {
    case .none, .pressed: []
    case .panning: [.ended(.pan, willAnimate: false)]
    case .quickZooming: [.ended(.quickZoom, willAnimate: false)]
    case .turning(_, let rotates, let pitches):
      (rotates ? [.ended(.rotation, willAnimate: false)] : [])
        + (pitches ? [.ended(.pitch, willAnimate: false)] : [])
    case .boxing: [.ended(.boxZoom, willAnimate: false)]
    case .fingers(let fingers): fingers.kinds.map { .ended($0, willAnimate: false) }
    }
  }
}

/// The camera that a gesture began with, and where: what the pointer does since then is done to that camera. When
/// another one is found than it made itself, it begins anew with that.
struct Grip: Sendable {
  private(set) var start: Camera
  private(set) var position: SIMD2<Double>
  /// What this gesture made of it.
  var made: Camera

  init(_ camera: Camera, _ position: SIMD2<Double>) {
    (start, made) = (camera, camera)
    self.position = position
  }

  mutating func renew(_ camera: Camera, _ position: SIMD2<Double>) {
    guard camera != made else { return }
    self = Grip(camera, position)
  }
}

/// A finger that holds the ground.
struct Pan: Sendable {
  var grip: Grip
  /// The last positions with their times, for the velocity at the end.
  private var samples: [(position: SIMD2<Double>, timeMS: Double)]

  /// Milliseconds that the velocity is measured over, and before the end at most for there to be one.
  private static let window = 100.0
  private static let longestRest = 1000.0 / 30
  private static let maxSampleCount = 64

  /// - Parameter time: when the finger was where it holds the ground.
  init(_ grip: Grip, atMS time: Double) {
    self.grip = grip
    samples = [(grip.position, time)]
  }

  mutating func add(_ position: SIMD2<Double>, atMS time: Double) {
    // What happens at one time is one move.
    if let last = samples.last, last.timeMS == time { samples.removeLast() }
    samples.append((position, time))
    if samples.count > Pan.maxSampleCount { samples.removeFirst() }
  }

  var last: SIMD2<Double> { samples.last?.position ?? grip.position }

  /// Logical pixels in a second, where the last move was just now.
  func velocity(atMS end: Double) -> SIMD2<Double> {
    guard let last = samples.last, end - last.timeMS <= Pan.longestRest,
      let first = samples.first(where: { last.timeMS - $0.timeMS <= Pan.window }),
      last.timeMS - first.timeMS >= 1
    else { return SIMD2(0, 0) }
    return (last.position - first.position) / (last.timeMS - first.timeMS) * 1000
  }
}

/// What pointers may still become as long as one is down.
struct TapSequence: Sendable {
  /// The first finger is alone, and has not moved.
  var isTap = true
  /// Two fingers came down and have not moved: where their middle is.
  var doubleTouch: SIMD2<Double>?
  var startMS = 0.0
}

func length(_ v: SIMD2<Double>) -> Double { (v * v).sum().squareRoot() }
