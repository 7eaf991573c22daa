// A label along a line collides as a chain of circles over its projected path. After MapLibre's
// placeCollisionCircles.
import NeatBase

/// The outcome of a test of circles: x, y and radius in grid pixels. No circles where the label does not fit
/// or lies outside.
package struct PlacedCircles: Sendable {
  package var circles: [SIMD3<Float>] = []
  package var isCollided = false
  package var isOffscreen = true
}

/// A label along a line, as its circles need it.
package struct LineLabel {
  package var symbol: PlacedSymbol
  /// The line, tile units.
  package var vertices: UnsafeBufferPointer<SIMD2<Float>>
  /// Of the label's first and last glyph along the line, 24ths of an em.
  package var firstOffset, lastOffset: Float
  /// Pixels.
  package var fontSize: Double
  /// Of the circles, pixels before perspective.
  package var diameter: Double
  /// Pixels around each circle.
  package var padding: Double
}

extension CollisionIndex {
  /// Tests whether a label along a line has room.
  /// - Parameters:
  ///   - translation: of the line, tile units.
  ///   - origin: of the tile, which the plane leaves out.
  ///   - group: below 0 to collide with all groups.
  ///   - keepsAll: gives the circles also of a label that meets something.
  package func placeCircles(
    _ label: LineLabel, plane: LabelPlane, translation: SIMD2<Double>, origin: SIMD2<Double> = .zero,
    mode: OverlapMode, group: Int32, keepsAll: Bool = false
  ) -> PlacedCircles {
    let w = plane.matrix.clip(widen(label.symbol.anchor)).w
    guard w > 0,
      let walk = LineWalk(
        plane: plane, vertices: label.vertices, symbol: label.symbol, translation: translation)
    else {
      return PlacedCircles()
    }
    let ratio = view.perspectiveRatio(w)
    guard ratio >= CollisionIndex.perspectiveCutoff else { return PlacedCircles() }
    let size =
      plane.pitchWithMap
      ? label.fontSize * plane.matrix.stretch(widen(label.symbol.anchor)) / ratio : label.fontSize * ratio
    let scale = size / oneEm
    walk.findPath(
      firstOffset: Double(label.firstOffset) * scale, lastOffset: Double(label.lastOffset) * scale,
      lineOffset: widen(label.symbol.lineOffset) * scale, in: scratch)
    if plane.pitchWithMap, plane.matrix.globe != nil {
      keepLongestSeen(plane)
    } else if plane.pitchWithMap {
      for index in scratch.path.indices {
        guard let point = plane.screen(scratch.path[index]) else { return PlacedCircles() }
        scratch.path[index] = point
      }
    }
    let radius = label.diameter * 0.5 * ratio + label.padding
    var test = CircleTest(radius: radius, origin: origin, mode: mode, group: group, keepsAll: keepsAll)
    testVisibleParts(&test)
    if !test.isInside, keepsAll || !test.result.isCollided { test.result.circles = [] }
    return test.result
  }

  /// Brings a path to the screen, bent as the globe is, and leaves the longest part of it that the globe does not hide.
  private func keepLongestSeen(_ plane: LabelPlane) {
    guard let globe = plane.matrix.globe else { return }
    // As fine as MapLibre GL JS divides lines: 512 parts of the world, and no less than a tile.
    let step = TileUnits.extent / Double(max(1, globe.id.z < 9 ? 512 >> Int(globe.id.z) : 1))
    var best: [SIMD2<Double>] = [], current: [SIMD2<Double>] = []
    func keep() {
      if current.count > best.count { swap(&best, &current) }
      current.removeAll()
    }
    func add(_ place: SIMD2<Double>) {
      let clip = plane.matrix.clip(place)
      if clip.w > 0, !plane.matrix.isHidden(clip) {
        current.append(view.screen(clip))
      } else {
        keep()
      }
    }
    var before: SIMD2<Double>?
    for point in scratch.path {
      let place = plane.tilePoint(point)
      if let before {
        let parts = Int(bounded: min((length(place - before) / step).rounded(.up), 512))
        for part in 1..<max(parts, 1) { add(before + (place - before) * (Double(part) / Double(parts))) }
      }
      add(place)
      before = place
    }
    keep()
    scratch.path = best
  }

  /// The circles of one label, as far as they are tested.
  private struct CircleTest {
    let radius: Double
    let origin: SIMD2<Double>
    let mode: OverlapMode
    let group: Int32
    let keepsAll: Bool
    var result = PlacedCircles()
    var isInside = false
  }

  /// Tests the path on the screen, cut to the padded viewport.
  private func testVisibleParts(_ test: inout CircleTest) {
    if snaps { return add(scratch.path, &test) }
    guard var low = scratch.path.first else { return }
    var high = low
    for point in scratch.path {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let p = Double(CollisionIndex.padding)
    let from = SIMD2(-p, -p), to = SIMD2(view.width + p, view.height + p)
    if low.x >= from.x, low.y >= from.y, high.x <= to.x, high.y <= to.y {
      add(scratch.path, &test)
    } else if high.x >= from.x, high.y >= from.y, low.x <= to.x, low.y <= to.y {
      for part in clipLine(scratch.path, min: from, max: to) where test.keepsAll || !test.result.isCollided {
        add(part, &test)
      }
    }
  }

  /// Tests the circles of a part of a path, up to the first that meets something.
  private func add(_ part: [SIMD2<Double>], _ test: inout CircleTest) {
    assert(!(test.radius < 0), "a circle of less than no size")
    findCentres(part, radius: test.radius)
    test.result.circles.reserveCapacity(test.result.circles.count + scratch.centres.count)
    for found in scratch.centres {
      let centre = snaps ? CollisionIndex.snap(found) + test.origin : found
      let circle = SIMD3(
        Float(centre.x) + CollisionIndex.padding, Float(centre.y) + CollisionIndex.padding,
        Float(snaps ? CollisionIndex.snap(SIMD2(test.radius, 0)).x : test.radius))
      let rect = CollisionRect(
        circle.x - circle.z, circle.y - circle.z, circle.x + circle.z, circle.y + circle.z)
      test.result.circles.append(circle)
      if !isOffscreen(rect) { test.result.isOffscreen = false }
      if isInsideGrid(rect) { test.isInside = true }
      guard hitTestCircle(circle, mode: test.mode, group: test.group) else { continue }
      if test.keepsAll {
        test.result.isCollided = true
      } else {
        test.result = PlacedCircles(circles: [], isCollided: true, isOffscreen: false)
        return
      }
    }
  }

  /// Finds circle centres spread evenly over a path, a little in from its ends.
  private func findCentres(_ path: [SIMD2<Double>], radius: Double) {
    scratch.centres.removeAll(keepingCapacity: true)
    scratch.distances.removeAll(keepingCapacity: true)
    guard var previous = path.first else { return }
    var total = 0.0
    scratch.distances.append(0)
    for point in path.dropFirst() {
      total += length(point - previous)
      scratch.distances.append(total)
      previous = point
    }
    assert(scratch.distances.count == path.count, "a distance for each corner")
    let inset = min(radius * 0.25, total * 0.5)
    let padded = total - 2 * inset
    // Most circles of one label: far more than a label on a screen has.
    // The noise of a path that is moved by whole pixels makes none more.
    let wanted = total <= 0.5 * radius || radius <= 0 ? 1 : (padded / (radius * 2.5) - 1e-6).rounded(.up) + 1
    let count = Int(bounded: min(wanted, 4096))
    guard path.count > 1 else { return scratch.centres.append(path[0]) }
    var index = 1
    for i in 0..<count {
      let target = Double(i) / Double(max(count - 1, 1)) * padded + inset
      while index < path.count - 1, scratch.distances[index] < target { index += 1 }
      assert(index >= 1 && index < path.count, "a segment of the path")
      let from = scratch.distances[index - 1], segment = scratch.distances[index] - from
      let t = segment > 0 ? min(max((target - from) / segment, 0), 1) : 0
      scratch.centres.append(path[index - 1] + (path[index] - path[index - 1]) * t)
    }
  }
}
