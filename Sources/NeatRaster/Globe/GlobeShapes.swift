// Polygons of a tile on the globe.
//
// A ring is cut to the tile's square, so that neighbours neither overlap nor leave a seam; where the square ends at
// the edge of Mercator, the ring goes on to the pole. Its edges are then divided, at places of a fixed grid, and each
// point is projected. What lies behind the horizon is moved onto the horizon's circle, along the great circle away
// from the middle of what is seen: seen from there the ring keeps its winding around every place that is seen, so that
// filling it as it lies on the screen fills the right side. That holds for rings that do not go around the antipode of
// that middle; a ring of a tile that holds it is cut along its meridian.

import NeatBase

/// Rings on their way to the screen.
package struct GlobeShapes {
  private let tile: GlobeTile
  private let surface: GlobeSurface
  /// The part of the tile that is drawn on, in its units.
  private let low: SIMD2<Double>
  private let high: SIMD2<Double>
  private let reachesNorth: Bool
  private let reachesSouth: Bool
  /// Units between points of an edge.
  private let cell: Double
  /// The antipode's column, where rings are to be cut there.
  private let cut: Double?
  private let axisX: SIMD3<Double>
  private let axisY: SIMD3<Double>
  private let middle: SIMD3<Double>
  /// Homogeneous pixels (x·w, y·w, w).
  package private(set) var points: [SIMD4<Double>] = []
  package private(set) var ringStarts: [UInt32] = [0]
  package private(set) var featureRings: [UInt32] = [0]

  /// - Parameters:
  ///   - tile: in whose units rings are.
  ///   - wanted: the square that may be drawn on: the same, or a descendant.
  package init(_ tile: GlobeTile, wanted: GlobeTile) {
    self.tile = tile
    surface = tile.surface
    let shift = (tile.origin.x - wanted.origin.x).rounded()
    low = (wanted.origin + SIMD2(shift, 0) - tile.origin) / tile.unit
    let edge = wanted.unit / tile.unit * TileUnits.extent
    high = low + edge
    reachesNorth = wanted.isNorthmost
    reachesSouth = wanted.isSouthmost
    cell = max(TileUnits.extent / max(4, exp2(8 - Double(tile.id.z))), 1)
    let h = surface.horizon
    middle = SIMD3(h.x, h.y, h.z)
    let other = abs(middle.y) < 0.9 ? SIMD3(0.0, 1, 0) : SIMD3(1.0, 0, 0)
    let x = GlobeShapes.cross(other, middle)
    axisX = x / (x * x).sum().squareRoot()
    axisY = GlobeShapes.cross(middle, axisX)
    let antipode = surface.antipode
    var column = antipode.x - (tile.origin.x + low.x * tile.unit)
    column = (column - column.rounded(.down)) / tile.unit + low.x
    let row = (antipode.y - tile.origin.y) / tile.unit
    let margin = GlobeShapes.gap
    let isIn =
      (row >= low.y - margin || reachesNorth) && (row <= high.y + margin || reachesSouth)
    if h.w >= 1 || !isIn {
      cut = nil
    } else if column <= high.x + margin {
      cut = column
    } else if column - 1 / tile.unit >= low.x - margin {
      cut = column - 1 / tile.unit
    } else {
      cut = nil
    }
  }

  /// Half the width, in tile units, of the slit in which the antipode lies.
  private static let gap = 0.5

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// Ends a feature; those without rings keep their place.
  package mutating func endFeature() { featureRings.append(UInt32(ringStarts.count - 1)) }

  // MARK: Filled rings

  /// Adds a ring (no closing point needed).
  package mutating func addRing(_ ring: [SIMD2<Double>]) {
    var ring = Self.clipped(ring, axis: 0, low.x, keepsAbove: true)
    ring = Self.clipped(ring, axis: 0, high.x, keepsAbove: false)
    ring = Self.clipped(ring, axis: 1, low.y, keepsAbove: true)
    ring = Self.clipped(ring, axis: 1, high.y, keepsAbove: false)
    guard ring.count >= 3 else { return }
    guard let cut else { return addWhole(ring) }
    addWhole(Self.clipped(ring, axis: 0, cut - Self.gap, keepsAbove: false))
    addWhole(Self.clipped(ring, axis: 0, cut + Self.gap, keepsAbove: true))
  }

  private mutating func addWhole(_ ring: [SIMD2<Double>]) {
    guard ring.count >= 3 else { return }
    let first = points.count
    var walk = RingWalk()
    for index in ring.indices {
      let (a, b) = (ring[index], ring[index + 1 == ring.count ? 0 : index + 1])
      add(a, &walk)
      if surface.hasPoles, reachesNorth, a.y == low.y, b.y == low.y {
        addPole(north: true, &walk)
      } else if surface.hasPoles, reachesSouth, a.y == high.y, b.y == high.y {
        addPole(north: false, &walk)
      } else {
        divide(a, b) { place in add(place, &walk) }
      }
    }
    close(&walk)
    if points.count - first < 3 { points.removeLast(points.count - first) }
    if points.count > first { ringStarts.append(UInt32(points.count)) }
  }

  /// Calls `body` for the places between two points at which grid lines are crossed.
  private func divide(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ body: (SIMD2<Double>) -> Void) {
    let way = b - a
    // By the longer axis: edges along a border of tiles are divided at the same places from both sides.
    let axis = abs(way.x) >= abs(way.y) ? 0 : 1
    let size = way[axis]
    guard abs(size) > cell else { return }
    let other = abs(way[1 - axis])
    let step = other > 0.5 * abs(size) ? cell / 2 : cell
    if size > 0 {
      var at = ((a[axis] / step).rounded(.down) + 1) * step
      while at < b[axis] {
        body(a + way * ((at - a[axis]) / size))
        at += step
      }
    } else {
      var at = ((a[axis] / step).rounded(.up) - 1) * step
      while at > b[axis] {
        body(a + way * ((at - a[axis]) / size))
        at -= step
      }
    }
  }

  /// The point before, on the way around a ring.
  private struct RingWalk {
    var firstPixel: SIMD4<Double>?
    var firstSphere = SIMD3<Double>.zero
    var pixel: SIMD4<Double>?
    var sphere = SIMD3<Double>.zero
  }

  private mutating func add(_ place: SIMD2<Double>, _ walk: inout RingWalk) {
    let square = tile.place(place.x, place.y)
    let p = GlobeSurface.sphere(square)
    add(surface.project(p, plane: square), p, &walk)
  }

  private mutating func addPole(north: Bool, _ walk: inout RingWalk) {
    add(surface.pole(north: north), SIMD3(0, north ? 1 : -1, 0), &walk)
  }

  private mutating func add(_ pixel: SIMD4<Double>, _ sphere: SIMD3<Double>, _ walk: inout RingWalk) {
    if let before = walk.pixel {
      join(before, walk.sphere, pixel, sphere)
    } else {
      (walk.firstPixel, walk.firstSphere) = (pixel, sphere)
    }
    if pixel.z >= 0 {
      points.append(SIMD4(pixel.x, pixel.y, pixel.w, 0))
    } else {
      points.append(onHorizon(azimuth(sphere)))
    }
    (walk.pixel, walk.sphere) = (pixel, sphere)
  }

  private mutating func close(_ walk: inout RingWalk) {
    guard let last = walk.pixel, let first = walk.firstPixel else { return }
    join(last, walk.sphere, first, walk.firstSphere)
  }

  /// What lies between two points of a ring: where it goes through the horizon, and the way along it.
  private mutating func join(
    _ a: SIMD4<Double>, _ sa: SIMD3<Double>, _ b: SIMD4<Double>, _ sb: SIMD3<Double>
  ) {
    if a.z >= 0, b.z >= 0 { return }
    var (from, to) = (0.0, 0.0)
    var crossing: SIMD4<Double>?
    if a.z >= 0 || b.z >= 0 {
      let t = a.z / (a.z - b.z)
      let p = a + (b - a) * t
      crossing = SIMD4(p.x, p.y, p.w, 0)
      let at = azimuth(sa + (sb - sa) * t)
      (from, to) = a.z >= 0 ? (at, azimuth(sb)) : (azimuth(sa), at)
    } else {
      (from, to) = (azimuth(sa), azimuth(sb))
    }
    if a.z >= 0, let crossing { points.append(crossing) }
    var way = to - from
    way -= (way / (2 * .pi)).rounded() * 2 * .pi
    let count = Int(bounded: (abs(way) / (.pi / 256)).rounded(.up))
    if count > 1 {
      for step in 1..<count { points.append(onHorizon(from + way * Double(step) / Double(count))) }
    }
    if a.z < 0, let crossing { points.append(crossing) }
  }

  private func azimuth(_ p: SIMD3<Double>) -> Double { atan2((p * axisY).sum(), (p * axisX).sum()) }

  /// A point of the horizon's circle.
  private func onHorizon(_ azimuth: Double) -> SIMD4<Double> {
    let depth = -surface.horizon.w
    let p = GlobeMesh.edge(middle, depth, axisX * cos(azimuth) + axisY * sin(azimuth))
    var place = GlobeSurface.place(p)
    place.x -= (place.x - surface.center.x).rounded()
    let pixel = surface.project(p, plane: place)
    return SIMD4(pixel.x, pixel.y, pixel.w, 0)
  }

  /// Sutherland and Hodgman against one side of the square. Points on it are on it exactly.
  private static func clipped(
    _ ring: [SIMD2<Double>], axis: Int, _ limit: Double, keepsAbove: Bool
  ) -> [SIMD2<Double>] {
    func isIn(_ p: SIMD2<Double>) -> Bool { keepsAbove ? p[axis] >= limit : p[axis] <= limit }
    if ring.allSatisfy(isIn) { return ring }
    var result: [SIMD2<Double>] = []
    guard var before = ring.last else { return [] }
    for point in ring {
      let (wasIn, isIn) = (isIn(before), isIn(point))
      if wasIn != isIn {
        // From the same end, whichever way the ring runs.
        let (a, b) = before[axis] < point[axis] ? (before, point) : (point, before)
        var p = a + (b - a) * ((limit - a[axis]) / (b[axis] - a[axis]))
        p[axis] = limit
        result.append(p)
      }
      if isIn { result.append(point) }
      before = point
    }
    return result
  }

  // MARK: Outlines

  /// Adds what is seen of a ring's edges, as open lines.
  package mutating func addOutline(_ ring: [SIMD2<Double>]) {
    guard var before = ring.last else { return }
    var line = OpenLine()
    for point in ring {
      if let (a, b) = segment(before, point) {
        outline(a, &line)
        divide(a, b) { outline($0, &line) }
        outline(b, &line)
        if b != point { endLine(&line) }
      } else {
        endLine(&line)
      }
      before = point
    }
    endLine(&line)
  }

  private struct OpenLine {
    var place: SIMD2<Double>?
    var pixel: SIMD4<Double>?
    var first = 0
    var isOpen = false
  }

  private mutating func outline(_ place: SIMD2<Double>, _ line: inout OpenLine) {
    if line.place == place { return }
    let square = tile.place(place.x, place.y)
    let pixel = surface.project(GlobeSurface.sphere(square), plane: square)
    if let before = line.pixel, (before.z >= 0) != (pixel.z >= 0) {
      let p = before + (pixel - before) * (before.z / (before.z - pixel.z))
      if !line.isOpen { (line.first, line.isOpen) = (points.count, true) }
      points.append(SIMD4(p.x, p.y, p.w, 0))
    }
    if pixel.z >= 0 {
      if !line.isOpen { (line.first, line.isOpen) = (points.count, true) }
      points.append(SIMD4(pixel.x, pixel.y, pixel.w, 0))
    } else {
      finish(&line)
    }
    (line.place, line.pixel) = (place, pixel)
  }

  private mutating func finish(_ line: inout OpenLine) {
    guard line.isOpen else { return }
    if points.count - line.first < 2 {
      points.removeLast(points.count - line.first)
    } else {
      ringStarts.append(UInt32(points.count))
    }
    line.isOpen = false
  }

  private mutating func endLine(_ line: inout OpenLine) {
    finish(&line)
    (line.place, line.pixel) = (nil, nil)
  }

  /// The part of an edge within the square.
  private func segment(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> (SIMD2<Double>, SIMD2<Double>)? {
    var (t0, t1) = (0.0, 1.0)
    let way = b - a
    for axis in 0..<2 {
      let isOpenBelow = axis == 1 && reachesNorth, isOpenAbove = axis == 1 && reachesSouth
      let bottom = isOpenBelow ? -.infinity : low[axis], top = isOpenAbove ? .infinity : high[axis]
      if way[axis] == 0 {
        guard a[axis] >= bottom, a[axis] <= top else { return nil }
        continue
      }
      let (x, y) = ((bottom - a[axis]) / way[axis], (top - a[axis]) / way[axis])
      t0 = max(t0, min(x, y))
      t1 = min(t1, max(x, y))
    }
    guard t0 < t1 else { return nil }
    return (t0 == 0 ? a : a + way * t0, t1 == 1 ? b : a + way * t1)
  }
}
