// The ground under each pixel of a band, where the map is a globe: the place of the Mercator square that is seen
// there. Made once a band for all that consists of texels (rasters, relief, patterns, the background), which then
// only takes the places that lie in its tile. So every pixel belongs to exactly one tile of a zoom.

import NeatBase

/// Places of the pixels of a band, relative to the camera's centre.
package final class GlobeGround: @unchecked Sendable {  // one thread makes it, and one draws from it
  package let surface: GlobeSurface
  /// Whether pixels meet the mesh of low zooms, and not the sphere.
  package let isMesh: Bool
  package let y0: Int
  package let y1: Int
  private let width: Int
  /// A column and a row more on each side than the band has, by which distances to the next pixels are known.
  /// Not-a-number where no ground is seen. x is within half a world of the centre's.
  private var places: [SIMD2<Float>]
  /// Of the mesh: how the place moves to the next pixel right (x, y) and down (z, w), for the pixels of the band.
  private var moves: [SIMD4<Float>] = []
  /// Boxes around the places of runs of pixels, by row.
  private var boxes: [(low: SIMD2<Float>, high: SIMD2<Float>)] = []
  private let runs: Int
  static let runLength = 32
  /// Around all of them.
  private var low = SIMD2<Float>(repeating: .infinity)
  private var high = SIMD2<Float>(repeating: -.infinity)

  package init(_ surface: GlobeSurface, _ band: Band, isMesh: Bool) {
    self.surface = surface
    self.isMesh = isMesh
    (y0, y1) = (band.y0, band.y1)
    width = band.width + 2
    runs = (band.width + GlobeGround.runLength - 1) / GlobeGround.runLength
    places = [SIMD2<Float>](
      repeating: SIMD2(.nan, .nan), count: width * (max(0, band.y1 - band.y0) + 2))
    if isMesh {
      findMesh(band)
    } else {
      findPlaces()
    }
    findBoxes(band.width)
  }

  private func findMesh(_ band: Band) {
    moves = [SIMD4<Float>](repeating: .zero, count: band.width * max(0, y1 - y0))
    let (width, y0, center) = (self.width, self.y0, surface.center)
    var (low, high) = (self.low, self.high)
    places.withUnsafeMutableBufferPointer { places in
      moves.withUnsafeMutableBufferPointer { moves in
        GlobeMeshScan(columns: band.width, rows: y0..<max(y0, y1)).draw(surface) { x, y, place, move in
          var away = place - center
          away.x -= away.x.rounded()
          let near = SIMD2<Float>(away)
          places[(y - y0 + 1) * width + x + 1] = near
          moves[(y - y0) * (width - 2) + x] = SIMD4<Float>(move)
          low = pointwiseMin(low, near)
          high = pointwiseMax(high, near)
        }
      }
    }
    (self.low, self.high) = (low, high)
  }

  private func findPlaces() {
    guard let view = GlobeRays(surface) else { return }
    let width = width
    var (low, high) = (self.low, self.high)
    places.withUnsafeMutableBufferPointer { places in
      for y in y0 - 1...y1 {
        let row = (y - y0 + 1) * width
        for x in 0..<width {
          guard let place = view.place(Double(x) - 0.5, Double(y) + 0.5) else { continue }
          let near = SIMD2<Float>(place)
          places[row + x] = near
          low = pointwiseMin(low, near)
          high = pointwiseMax(high, near)
        }
      }
    }
    (self.low, self.high) = (low, high)
  }

  private func findBoxes(_ columns: Int) {
    boxes.reserveCapacity(runs * (y1 - y0))
    for y in y0..<y1 {
      let row = (y - y0 + 1) * width + 1
      for run in 0..<runs {
        var low = SIMD2<Float>(repeating: .infinity), high = -low
        for x in run * Self.runLength..<min((run + 1) * Self.runLength, columns) {
          let place = places[row + x]
          guard place.x == place.x else { continue }
          low = pointwiseMin(low, place)
          high = pointwiseMax(high, place)
        }
        boxes.append((low, high))
      }
    }
  }

  /// Calls `body` with the runs of pixels of a row some of which may lie where `mayMeet` says.
  @inline(__always) func eachRun(
    _ y: Int, _ columns: Int, _ mayMeet: (SIMD2<Float>, SIMD2<Float>) -> Bool, _ body: (Range<Int>) -> Void
  ) {
    for run in 0..<runs {
      let box = boxes[(y - y0) * runs + run]
      guard box.low.x <= box.high.x, mayMeet(box.low, box.high) else { continue }
      body(run * Self.runLength..<min((run + 1) * Self.runLength, columns))
    }
  }

  /// Whether a pixel of the band may lie in a tile.
  func mayMeet(_ view: GlobeTileView) -> Bool { view.mayMeet(low, high) }

  /// How the place moves to the next pixel right and down, as within blocks of two by two pixels.
  @inline(__always) func steps(_ places: UnsafePointer<SIMD2<Float>>, _ x: Int, _ y: Int)
    -> (right: SIMD2<Float>, down: SIMD2<Float>)
  {
    if isMesh {
      let move = moves[(y - y0) * (width - 2) + x]
      return (SIMD2(move.x, move.y), SIMD2(move.z, move.w))
    }
    let here = places[x]
    func way(_ number: Int, _ stride: Int) -> SIMD2<Float> {
      let partner = number & 1 == 0 ? stride : -stride
      var (next, sign) = (places[x + partner], number & 1 == 0 ? Float(1) : -1)
      // Where that one shows no ground, the other side does.
      if next.x != next.x { (next, sign) = (places[x - partner], -sign) }
      guard next.x == next.x else { return .zero }
      var way = next - here
      way.x -= way.x.rounded()
      return way * sign
    }
    return (way(x, 1), way(y, width))
  }

  /// The places of a row, from the band's first column on; there is one before it, and rows above and below.
  @inline(__always) func row<R>(_ y: Int, _ body: (UnsafePointer<SIMD2<Float>>, _ stride: Int) -> R) -> R {
    places.withUnsafeBufferPointer { body($0.baseAddress! + (y - y0 + 1) * width + 1, width) }
  }

  /// The place of a pixel of the band; nil where no ground is.
  @inline(__always) package func place(_ x: Int, _ y: Int) -> SIMD2<Float>? {
    guard y >= y0, y < y1, x >= 0, x < width - 2 else { return nil }
    let place = places[(y - y0 + 1) * width + x + 1]
    return place.x == place.x ? place : nil
  }

  package var byteCount: Int { places.capacity * MemoryLayout<SIMD2<Float>>.stride }
}

/// From pixels to places.
struct GlobeRays {
  private let surface: GlobeSurface
  private let dx: SIMD3<Double>, dy: SIMD3<Double>, d0: SIMD3<Double>
  private let eyeSquare: Double
  private let planeInverse: Projection?

  init?(_ surface: GlobeSurface) {
    self.surface = surface
    let (a, b, c, _) = surface.sphere
    var map = Projection(xx: a.x, xy: b.x, x0: c.x, yx: a.y, yy: b.y, y0: c.y)
    (map.wx, map.wy, map.w0) = (a.w, b.w, c.w)
    guard let inverse = map.inverse else { return nil }
    // The inverse of the three columns takes a pixel to its ray, up to a positive factor.
    let sign: Double
    let test = SIMD3(inverse.xx, inverse.yx, inverse.wx)
    let (tx, ty) = (SIMD3(inverse.xy, inverse.yy, inverse.wy), SIMD3(inverse.x0, inverse.y0, inverse.w0))
    // `inverse` may come with its sign turned; w of a step along the ray tells.
    let step = test * 0.5 + tx * 0.5 + ty
    sign = a.w * step.x + b.w * step.y + c.w * step.z >= 0 ? 1 : -1
    (dx, dy, d0) = (test * sign, tx * sign, ty * sign)
    eyeSquare = (surface.eye * surface.eye).sum()
    if surface.isWhole {
      planeInverse = nil
    } else {
      let (p, q, s) = (surface.plane.0, surface.plane.1, surface.plane.3)
      var plane = Projection(xx: p.x, xy: q.x, x0: s.x, yx: p.y, yy: q.y, y0: s.y)
      (plane.wx, plane.wy, plane.w0) = (p.w, q.w, s.w)
      planeInverse = plane.inverse
    }
  }

  /// The place seen at a pixel, relative to the camera's centre; nil where no ground is.
  func place(_ x: Double, _ y: Double) -> SIMD2<Double>? {
    guard let planeInverse else {
      guard let hit = hit(ray(x, y)) else { return nil }
      return relative(GlobeSurface.place(hit))
    }
    let flat = planeInverse(x, y)
    let round = hit(ray(x, y)).map(GlobeSurface.place)
    var guess = flat
    if let round {
      let near = relative(round)
      guess = flat + (surface.center + near - flat) * surface.globeness
    }
    return solved(SIMD2(x, y), guess).map { $0 - surface.center }
  }

  @inline(__always) private func relative(_ place: SIMD2<Double>) -> SIMD2<Double> {
    var away = place - surface.center
    away.x -= away.x.rounded()
    return away
  }

  /// The direction from the eye through a pixel.
  @inline(__always) private func ray(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let ray = dx * x + dy * y + d0
    return ray / (ray * ray).sum().squareRoot()
  }

  /// The point of the unit sphere at a pixel.
  func point(_ x: Double, _ y: Double) -> SIMD3<Double>? { hit(ray(x, y)) }

  /// Where a ray meets the sphere.
  private func hit(_ ray: SIMD3<Double>) -> SIMD3<Double>? {
    let eye = surface.eye
    let along = (eye * ray).sum()
    let inner = eye - ray * along
    let discriminant = 1 - (inner * inner).sum()
    guard discriminant >= 0, along < 0 else { return nil }
    let q = -along + discriminant.squareRoot()
    return eye + ray * ((eyeSquare - 1) / q)
  }

  /// Newton's way from a guess to the place that is seen at a pixel, while the globe flattens.
  private func solved(_ pixel: SIMD2<Double>, _ start: SIMD2<Double>) -> SIMD2<Double>? {
    var place = start
    let delta = 1e-7
    for _ in 0..<8 {
      guard place.x.isFinite, place.y.isFinite, abs(place.y) < 8 else { return nil }
      let p = surface.project(GlobeSurface.sphere(place), plane: place)
      guard p.w > 0 else { return nil }
      let here = SIMD2(p.x, p.y) / p.w
      let error = here - pixel
      if abs(error.x) + abs(error.y) < 1e-4 { return p.z >= 0 ? place : nil }
      func step(_ move: SIMD2<Double>) -> SIMD2<Double> {
        let q = surface.project(GlobeSurface.sphere(place + move), plane: place + move)
        return (SIMD2(q.x, q.y) / q.w - here) / delta
      }
      let (u, v) = (step(SIMD2(delta, 0)), step(SIMD2(0, delta)))
      let determinant = u.x * v.y - u.y * v.x
      guard determinant != 0 else { return nil }
      place -= SIMD2(error.x * v.y - error.y * v.x, error.y * u.x - error.x * u.y) / determinant
    }
    return nil
  }
}

/// The pixels of a band's ground that lie in one tile, and where.
package struct GlobeTileView: Sendable {
  private let offset: SIMD2<Double>
  private let size: Double
  private let low: Double
  private let high: Double
  private let scale: Double
  private let drawnOffset: SIMD2<Double>

  /// - Parameters:
  ///   - drawn: the tile whose units are asked for.
  ///   - wanted: the tile whose pixels are.
  package init(drawn: GlobeTile, wanted: GlobeTile) {
    let center = drawn.surface.center
    offset = wanted.origin - center
    size = wanted.unit * TileUnits.extent
    let reaches = drawn.surface.hasPoles
    low = wanted.isNorthmost && reaches ? -.infinity : 0
    high = wanted.isSouthmost && reaches ? .infinity : size
    scale = 1 / drawn.unit
    // Of the same copy of the world.
    let shift = (wanted.origin.x - drawn.origin.x - 0.5 * size).rounded()
    drawnOffset = wanted.origin - drawn.origin - SIMD2(max(shift, 0), 0)
  }

  /// Whether a box of places may reach into the tile.
  func mayMeet(_ low: SIMD2<Float>, _ high: SIMD2<Float>) -> Bool {
    guard low.x <= high.x else { return false }
    let (top, bottom) = (Double(low.y) - offset.y, Double(high.y) - offset.y)
    guard bottom >= self.low, top < self.high else { return false }
    var start = Double(low.x) - offset.x
    start -= start.rounded(.down)
    return start < size || start + Double(high.x - low.x) >= 1
  }

  /// Units of the drawn tile along the Mercator square.
  package var unitsPerWorld: Double { scale }

  /// Units of the drawn tile at a place of the ground; nil where it is of another tile.
  @inline(__always) package func units(_ place: SIMD2<Float>) -> SIMD2<Double>? {
    var x = Double(place.x) - offset.x
    x -= x.rounded(.down)
    let y = Double(place.y) - offset.y
    guard x < size, y >= low, y < high else { return nil }
    return (SIMD2(x, y) + drawnOffset) * scale
  }
}
