// The camera that shows rectangles of the screen, each bound to a place: callouts, say.
//
// A rectangle narrows the room for its place: the place has to stay as far from each edge of the room as the rectangle
// reaches past it. So each place has slopes of its own of the rays through the edges of its room, and `Camera.fitting`
// is the case where they are the same for all. How far to the left of the rays each place lets the eye be falls in a
// line with the eye's distance, and so does how far to the right it has to be at least: their difference, of the
// nearest of one and the furthest of the other, is concave in the distance, and Newton's method from nearby finds the
// least distance at which it is not negative, in as many steps as there are corners on its way.
import NeatBase

/// A place, and what around it is to be seen too.
package struct FitRectangle: Sendable {
  package var place: LonLat
  /// The corners of the rectangle from where the place is seen: logical pixels right and down.
  package var low: SIMD2<Double>
  package var high: SIMD2<Double>

  package init(_ place: LonLat, low: SIMD2<Double>, high: SIMD2<Double>) {
    (self.place, self.low, self.high) = (place, low, high)
  }
}

extension Camera {
  /// This view moved so that it shows rectangles, each bound to a place and as large on the screen whatever the zoom,
  /// as close as they fit between the paddings, at its bearing, pitch and roll. Else as `fitting` places. Throws
  /// `invalidArgument` also where a rectangle has no room, or two have none that reach past each other.
  package func fitting(
    rectangles: [FitRectangle], size: ViewSize, options: FitOptions = FitOptions()
  ) throws(NeatError) -> Camera {
    let (camera, size, options) = (try checked(), try size.checked(), try options.checked())
    guard !rectangles.isEmpty else {
      throw NeatError(.invalidArgument, "there are no places to fit")
    }
    let frame = ViewFrame(camera, size)
    let (low, high) = try camera.room(options, frame)
    func room(_ number: Int) -> (low: SIMD2<Double>, high: SIMD2<Double>) {
      let rectangle = rectangles[number]
      return (low - pointwiseMin(rectangle.low, .zero), high - pointwiseMax(rectangle.high, .zero))
    }
    var slopes: [(SIMD2<Double>, SIMD2<Double>)] = []
    slopes.reserveCapacity(rectangles.count)
    for number in rectangles.indices {
      let (from, to) = room(number)
      guard to.x - from.x >= 1, to.y - from.y >= 1 else {
        throw NeatError(.invalidArgument, "the padding leaves no room for a rectangle")
      }
      slopes.append(((from - frame.middle) / frame.distance, (to - frame.middle) / frame.distance))
    }
    return try camera.seeing(rectangles.map(\.place), frame, size, options, room: room) {
      points, least throws(NeatError) in
      var bounds = EyeBounds()
      bounds.reserve(points.count)
      for (point, slopes) in zip(points, slopes) {
        bounds.add(
          across: SIMD2((frame.right * point).sum(), (frame.down * point).sum()),
          depth: -(frame.toEye * point).sum(), slopes.0, slopes.1)
      }
      guard var back = bounds.leastDistance() else { throw Camera.noRoom }
      func eye(_ back: Double) -> SIMD3<Double> {
        let across = bounds.middle(back)
        return frame.right * across.x + frame.down * across.y + frame.toEye * back
      }
      if eye(back).z < least {
        var (near, far) = (back, max(abs(back), least))
        for _ in 0..<64 where eye(far).z < least { far *= 2 }
        for _ in 0..<80 {
          let middle = (near + far) / 2
          if eye(middle).z < least { near = middle } else { far = middle }
        }
        back = far
        guard bounds.fits(back) else { throw Camera.noRoom }
      }
      return eye(back)
    }
  }

  private static var noRoom: NeatError {
    NeatError(.invalidArgument, "the padding leaves no room for the rectangles beside each other")
  }
}

/// Where the eye may be across the line of sight, by its distance: both axes of the screen at once.
private struct EyeBounds {
  private struct Line {
    var start: SIMD2<Double>
    var slope: SIMD2<Double>
  }

  /// Of each place: the eye is at most at `start - slope * back`.
  private var most: [Line] = []
  /// At least there.
  private var least: [Line] = []
  private var nearest = -Double.infinity

  mutating func reserve(_ count: Int) {
    most.reserveCapacity(count)
    least.reserveCapacity(count)
  }

  mutating func add(across: SIMD2<Double>, depth: Double, _ first: SIMD2<Double>, _ last: SIMD2<Double>) {
    most.append(Line(start: across - first * depth, slope: first))
    least.append(Line(start: across - last * depth, slope: last))
    // The eye is before all places.
    nearest = max(nearest, -depth)
  }

  private func most(_ back: Double, _ axis: Int) -> (value: Double, slope: Double) {
    var best = (value: Double.infinity, slope: 0.0)
    for line in most {
      let value = line.start[axis] - line.slope[axis] * back
      if value < best.value { best = (value, line.slope[axis]) }
    }
    return best
  }

  private func least(_ back: Double, _ axis: Int) -> (value: Double, slope: Double) {
    var best = (value: -Double.infinity, slope: 0.0)
    for line in least {
      let value = line.start[axis] - line.slope[axis] * back
      if value > best.value { best = (value, line.slope[axis]) }
    }
    return best
  }

  func middle(_ back: Double) -> SIMD2<Double> {
    SIMD2(
      (most(back, 0).value + least(back, 0).value) / 2, (most(back, 1).value + least(back, 1).value) / 2)
  }

  /// Whether there is room at a distance, but for what rounding takes.
  func fits(_ back: Double) -> Bool {
    (0..<2).allSatisfy { most(back, $0).value - least(back, $0).value >= -1e-9 * max(abs(back), 1e-9) }
  }

  /// The least distance at which there is room; nil where there is none at any.
  func leastDistance() -> Double? {
    var result = nearest
    for axis in 0..<2 {
      var back = nearest
      // Each step passes a corner of what bounds it, or is the last.
      for _ in 0...(2 * most.count) {
        let (high, low) = (most(back, axis), least(back, axis))
        let gap = high.value - low.value
        guard gap < 0 else { break }
        let rise = low.slope - high.slope
        guard rise > 0 else { return nil }
        let next = back - gap / rise
        guard next > back else { break }
        back = next
      }
      result = max(result, back)
    }
    return fits(result) ? result : nil
  }
}
