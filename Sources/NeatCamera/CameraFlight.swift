import NeatBase

/// A camera's way to another along an arc: out, over, and in, so that what is seen goes by at the same speed all
/// the time.
///
/// After Jarke J. van Wijk and Wim A. A. Nuij, "Smooth and efficient zooming and panning", INFOVIS 2003, with
/// the names of that paper: w is the width that is seen and u the way along the ground, both in pixels of the
/// start; s is the length of the arc so far, in screens, and ρ (`curve`) how far out it goes. Behaviour after
/// MapLibre GL JS's `flyTo`.
package struct CameraFlight: Sendable {
  package struct Options: Sendable, Hashable {
    /// How far out the arc goes, above 0; 1.42 is what people like best.
    package var curve = 1.42
    /// The zoom of the arc's top, in the place of the curve.
    package var minZoom: Double?
    /// Screens along the arc in a second, where nobody says how long the flight takes.
    package var speed = 1.2
    /// The same, in screens of the view as they go by; counts before `speed`.
    package var screenSpeed: Double?
    /// Milliseconds; a flight that would take longer takes none. Nil: no limit.
    package var maxDuration: Double?

    package init() {}

    func checked() throws(NeatError) -> Options {
      func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>) throws(NeatError) {
        if let value { try CameraRange.check("flight: \(name)", value, range) }
      }
      try check("curve", curve, 0.01...100)
      try check("zoom", minZoom, CameraRange.zoom)
      try check("speed", speed, 0.001...10000)
      try check("screen speed", screenSpeed, 0.001...10000)
      try check("duration", maxDuration, 0...1e9)
      return self
    }
  }

  private enum Path {
    /// Nothing but angles and paddings changes.
    case none(CameraEase)
    /// Straight in or out, the sign of the change of w.
    case straight(sign: Double)
    case arc(r0: Double, w0: Double, u1: Double)
  }

  private let course: CameraCourse
  private let path: Path
  private let curve: Double
  /// S, in screens.
  private let length: Double
  private enum Ground {
    case plane(from: SIMD2<Double>, way: SIMD2<Double>)
    case globe(GlobeWay)
  }

  private let ground: Ground
  private let center: LonLat
  private let zoom: Double
  /// How long the flight takes when nobody says: milliseconds.
  package let durationMS: Double

  /// Throws `invalidArgument` for what no camera may be, for options out of their range and for an offset above
  /// the horizon.
  package init(
    from camera: Camera, to change: CameraChange, size: ViewSize, limits: CameraLimits = .none,
    options: Options = Options()
  ) throws(NeatError) {
    guard change.around == nil, change.anchor == nil || change.center != nil else {
      throw NeatError(.invalidArgument, "flight: a place that stays is an easing's")
    }
    course = try CameraCourse(from: camera, change, size, limits)
    let options = try options.checked()
    let start = course.start
    let view = size.logical
    let w0 = max(view.x, view.y)
    // Zooms in and out, from the start's.
    let rise, u1: Double
    let top: (Double) -> Double
    if limits.projection == .globe {
      let way = try GlobeWay(course, change)
      ground = .globe(way)
      let (end, first) = (way.end, way.zooms.start)
      (center, zoom) = (end, way.endZoom)
      rise = way.zooms.end - first
      u1 = way.angle * GlobeView(start, size).radius
      top = {
        let lowest = min(GlobeWay.atEquator($0, end.lat), first, way.zooms.end)
        let held = limits.place(end, way.zoom(lowest, at: end.lat), size).1
        return GlobeWay.atEquator(held, end.lat) - first
      }
    } else {
      let place = try CameraFlight.startPlace(course)
      let target = limits.place(change.center ?? place, course.end.zoom, size)
      let (center, zoom) = (course.nearStart(target.0), target.1)
      (self.center, self.zoom) = (center, zoom)
      let world = TileUnits.pixels * exp2(start.zoom)
      let from = Mercator.held(place)
      ground = .plane(from: from, way: Mercator.held(center) - from)
      rise = zoom - start.zoom
      let along = Mercator.held(center) * world - from * world
      u1 = (along * along).sum().squareRoot()
      top = { limits.place(center, min($0, start.zoom, zoom), size).1 - start.zoom }
    }
    let w1 = w0 / exp2(rise)
    var rho = options.curve
    if let minZoom = options.minZoom, u1 > 0 {
      // The widest view of an arc is u1 · ρ² / 2 where it begins and ends as deep: that gives ρ for the top.
      rho = (w0 / exp2(top(minZoom)) / u1 * 2).squareRoot()
    }
    curve = rho
    let rho2 = rho * rho
    // b is large for long flights, and log(√(b² + 1) - b) then loses up to ten digits, which moves the zoom by
    // some millionths. So does GL JS, and the same operations in the same order give the same path.
    func zoomOut(isDescent: Bool) -> Double {
      let b =
        (w1 * w1 - w0 * w0 + (isDescent ? -1 : 1) * rho2 * rho2 * u1 * u1)
        / (2 * (isDescent ? w1 : w0) * rho2 * u1)
      return log((b * b + 1).squareRoot() - b)
    }
    let r0 = zoomOut(isDescent: false)
    let arc = (zoomOut(isDescent: true) - r0) / rho
    if u1 >= 2e-6, arc.isFinite {
      length = arc
      path = .arc(r0: r0, w0: w0, u1: u1)
    } else if abs(w0 - w1) < 1e-6 {
      length = 0
      path = .none(try CameraEase(from: camera, to: change, size: size, limits: limits))
      // An easing's own.
      durationMS = CameraFlight.held(500, options.maxDuration)
      return
    } else {
      length = abs(log(w1 / w0)) / rho
      path = .straight(sign: w1 < w0 ? -1 : 1)
    }
    let speed = options.screenSpeed.map { $0 / rho } ?? options.speed
    durationMS = CameraFlight.held(1000 * length / speed, options.maxDuration)
  }

  /// The place at the offset from the start's middle, by the matrices that draw: see `zoomOut`.
  private static func startPlace(_ course: CameraCourse) throws(NeatError) -> LonLat {
    let exact = try course.startPlace()
    let transform = try Transform(camera: course.start, size: course.size)
    let point =
      (course.start.padding.middle(of: course.size.logical) + course.offset) * course.size.pixelRatio
    guard let world = transform.world(screen: point) else { return exact }
    return Mercator.unproject(world / transform.worldSize)
  }

  /// A duration, or none where it is longer than the limit.
  private static func held(_ duration: Double, _ limit: Double?) -> Double {
    guard let limit, limit > 0, duration > limit else { return duration }
    return 0
  }

  /// The camera where a part of the way is done: 0 at the start, 1 at the end.
  package func camera(at k: Double) -> Camera {
    let s = k * length
    let scale: Double
    let along: Double
    switch path {
    case .none(let ease): return ease.camera(at: k)
    case .straight(let sign): (scale, along) = (exp(-sign * curve * s), 0)
    case .arc(let r0, let w0, let u1):
      let r = r0 + curve * s
      scale = 1 / (cosh(r0) / cosh(r))
      along = w0 * ((cosh(r0) * tanh(r) - sinh(r0)) / (curve * curve)) / u1
    }
    var camera = course.camera(at: k)
    switch ground {
    case .plane(let from, let way):
      camera.zoom = k == 1 ? zoom : course.start.zoom + log2(scale)
      camera.zoom = CameraRange.hold(camera.zoom, CameraRange.zoom)
      camera.zoom = course.limits.place(course.start.center, camera.zoom, course.size).1
      let point = camera.padding.middle(of: course.size.logical) + course.offset
      let place = k == 1 ? center : Mercator.unproject(from + way * along)
      return course.camera(camera, showing: place, at: point)
    case .globe(let way):
      let place = k == 1 ? center : way.center(at: along)
      camera.zoom = k == 1 ? zoom : way.zoom(way.zooms.start + log2(scale), at: place.lat)
      return course.finished(camera, at: place)
    }
  }
}

// The paper's functions by `exp`, as GL JS has them: see `zoomOut`.
private func sinh(_ n: Double) -> Double { (exp(n) - exp(-n)) / 2 }
private func cosh(_ n: Double) -> Double { (exp(n) + exp(-n)) / 2 }
private func tanh(_ n: Double) -> Double { sinh(n) / cosh(n) }
