// Draws the ground of a tile: triangles with depth, each pixel taken in perspective from the picture that was
// draped over the tile (`GroundSampler`). Corners are rounded to 1/256 pixel and edges tested exactly in integers
// (`PixelEdge`), so that neighbours neither overlap nor gape, in any band.
import NeatBase

/// - Parameters:
///   - picture: nil draws no colours, depth only.
///   - cells: where the picture has something. Given, the ground's depth is there, there is no fog, and what shows
///     nothing is left out.
///   - fog: nil for none.
package func drawGround(
  _ mesh: GroundMesh, picture: GroundPicture?, cells: GroundCells? = nil, fog: GroundFog?, layer: DepthLayer,
  band: Band
) {
  let pen = GroundPen(picture, fog, layer, band)
  let corners = mesh.corners
  mesh.forEachTriangle(band.y0, band.y1, columns: band.width) { i, j, k, cell in
    let isBare = cell >= 0 && cells?.isBare(cell) == true
    if corners[i].isOutside || corners[j].isOutside || corners[k].isOutside {
      drawCut(mesh, i, j, k, pen)
    } else {
      pen.draw(corners[i], corners[j], corners[k], bareTexels: isBare ? cells?.texels : nil)
    }
  }
}

/// A corner that may still be cut: its place on the frame, in the tile, and its fog.
private struct CutCorner {
  var position: SIMD4<Float>
  var place: SIMD2<Float>
  var fog: Float

  func distance(_ plane: Int) -> Float {
    let limit = GroundMesh.guardPixels * 0.99
    switch plane {
    case 0: return position.w - GroundMesh.nearW * 1.01
    case 1: return limit * position.w - position.x
    case 2: return limit * position.w + position.x
    case 3: return limit * position.w - position.y
    default: return limit * position.w + position.y
    }
  }
}

/// A triangle that reaches behind the eye or far aside (Sutherland and Hodgman).
private func drawCut(_ mesh: GroundMesh, _ i: Int, _ j: Int, _ k: Int, _ pen: GroundPen) {
  // Most are beyond one plane as a whole.
  for plane in 0..<5 {
    func isBeyond(_ index: Int) -> Bool {
      CutCorner(position: mesh.point(index).position, place: .zero, fog: 0).distance(plane) < 0
    }
    if isBeyond(i), isBeyond(j), isBeyond(k) { return }
  }
  var current = [i, j, k].map {
    CutCorner(position: mesh.point($0).position, place: GroundMesh.place($0), fog: mesh.point($0).fog)
  }
  guard current.allSatisfy({ ($0.position * 0) == .zero && $0.fog.isFinite }) else { return }
  for plane in 0..<5 where !current.isEmpty {
    current = current.convexPart {
      $0.distance(plane)
    } between: { a, b, t in
      CutCorner(
        position: a.position + (b.position - a.position) * t, place: a.place + (b.place - a.place) * t,
        fog: a.fog + (b.fog - a.fog) * t)
    }
  }
  let ready = current.map {
    GroundMesh.corner(GroundPoint(position: $0.position, fog: $0.fog), $0.place)
  }
  guard ready.count > 2, ready.allSatisfy({ !$0.isOutside }) else { return }
  for number in 2..<ready.count { pen.draw(ready[0], ready[number - 1], ready[number]) }
}

private struct GroundPen {
  private let sampler: GroundSampler?
  /// Texels of the picture.
  private let across: SIMD2<Float>
  private let fog: GroundFog?
  private let layer: DepthLayer
  private let band: Band

  init(_ picture: GroundPicture?, _ fog: GroundFog?, _ layer: DepthLayer, _ band: Band) {
    sampler = picture.map { GroundSampler($0) }
    across = picture.map { SIMD2(repeating: Float($0.edge)) } ?? .one
    (self.fog, self.layer, self.band) = (fog, layer, band)
  }

  /// Triangles that run clockwise are seen from behind, and left out.
  /// - Parameter bareTexels: texels around the triangle in which its picture has nothing; its depth is there already.
  func draw(_ a: GroundCorner, _ b: GroundCorner, _ c: GroundCorner, bareTexels: Int? = nil) {
    let p = SIMD2(Int64(a.x), Int64(a.y)), q = SIMD2(Int64(b.x), Int64(b.y))
    let r = SIMD2(Int64(c.x), Int64(c.y))
    guard
      let triangle = PixelTriangle(p, q, r, bits: 8, columns: band.width, rows: band.y0..<band.y1)
    else { return }
    let surface = GroundSurface(a, b, c, across)
    if let bareTexels, surface.reach(a, b, c, across) < Float(bareTexels) { return }
    if let sampler {
      let steps = fog == nil ? surface.steps(a, b, c) : nil
      triangle.eachRow { y, low, high in drawRow(surface, sampler, steps, y, low, high) }
    } else {
      triangle.eachRow { y, low, high in drawDepth(surface, y, low, high) }
    }
  }

  private func drawDepth(_ surface: GroundSurface, _ y: Int, _ low: Int, _ high: Int) {
    let depths = layer.depth.base + (y - layer.y0) * layer.width
    let start = surface.start(y).x
    for x in low...high {
      let z = start + surface.linearX.x * (Float(x) + 0.5 - surface.x)
      if z <= depths[x], z >= -1, z <= 1 { depths[x] = z }
    }
  }

  /// Four pixels at a time, from the left side of a block of two by two on: what a block covers of the picture is the
  /// same for all four of its pixels, be they of this triangle or not.
  private func drawRow(
    _ surface: GroundSurface, _ sampler: GroundSampler, _ steps: GroundSteps?, _ y: Int, _ low: Int,
    _ high: Int
  ) {
    let depths = layer.depth.base + (y &- layer.y0) &* layer.width
    let row = band.row(y)
    let start = surface.start(y)
    var x = low & ~1
    while x <= high {
      let dx = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + Float(x) - surface.x
      let z = start.x + surface.linearX.x * dx
      let seen = visible(z, depths + x, from: low &- x, through: high &- x)
      if seen != 0 {
        if let steps {
          shade(surface, sampler, start, steps, dx, seen, row + x)
        } else {
          shade(surface, sampler, start, y, x, dx, seen, row + x)
        }
      }
      x &+= 4
    }
  }

  /// Which of four pixels show: a bit each. Nothing nearer than the near plane or beyond the far one does.
  @inline(__always) private func visible(
    _ z: SIMD4<Float>, _ depths: UnsafeMutablePointer<Float>, from first: Int, through last: Int
  ) -> Int {
    var seen = 0
    if first <= 0, last >= 3 {
      let pixels = UnsafeMutableRawPointer(depths)
      let old = pixels.loadUnaligned(as: SIMD4<Float>.self)
      let isSeen = z .<= old .& z .>= -1 .& z .<= 1
      pixels.storeBytes(of: old.replacing(with: z, where: isSeen), as: SIMD4<Float>.self)
      let bits = SIMD4<Int32>.zero.replacing(with: SIMD4(1, 2, 4, 8), where: isSeen)
      return Int(bits.wrappedSum())
    }
    for lane in max(first, 0)...min(last, 3) where z[lane] <= depths[lane] && z[lane] >= -1 && z[lane] <= 1 {
      depths[lane] = z[lane]
      seen |= 1 &<< lane
    }
    return seen
  }

  @inline(__always) private func put(_ bytes: SIMD4<UInt32>, _ pixel: UnsafeMutablePointer<UInt32>) {
    let color = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: bytes), to: UInt32.self)
    pixel.pointee = color &>> 24 == 255 ? color : Blend.over(pixel.pointee, color)
  }

  /// Of a triangle whose pixels all take the same steps.
  @inline(__always) private func shade(
    _ surface: GroundSurface, _ sampler: GroundSampler, _ start: SIMD4<Float>, _ steps: GroundSteps,
    _ dx: SIMD4<Float>, _ seen: Int, _ row: UnsafeMutablePointer<UInt32>
  ) {
    let here = surface.texels(start, dx)
    let u = GroundSampler.places(here.u - steps.back.x), v = GroundSampler.places(here.v - steps.back.y)
    for lane in 0..<4 where seen & (1 &<< lane) != 0 {
      let bytes = sampler.mean(
        u[lane], v[lane], stepX: steps.step.x, stepY: steps.step.y, count: steps.count)
      put(bytes, row + lane)
    }
  }

  @inline(__always) private func shade(
    _ surface: GroundSurface, _ sampler: GroundSampler, _ start: SIMD4<Float>, _ y: Int, _ x: Int,
    _ dx: SIMD4<Float>, _ seen: Int, _ row: UnsafeMutablePointer<UInt32>
  ) {
    let here = surface.texels(start, dx)
    let beside = surface.texels(surface.start(y ^ 1), dx)
    let (lower, upper) = y & 1 == 0 ? (beside, here) : (here, beside)
    let first = Footprint(
      right: SIMD2(lower.u[1] - lower.u[0], lower.v[1] - lower.v[0]),
      down: SIMD2(upper.u[0] - lower.u[0], upper.v[0] - lower.v[0]), limit: Footprint.limit)
    let second =
      seen & 0b1100 == 0
      ? first
      : Footprint(
        right: SIMD2(lower.u[3] - lower.u[2], lower.v[3] - lower.v[2]),
        down: SIMD2(upper.u[2] - lower.u[2], upper.v[2] - lower.v[2]), limit: Footprint.limit)
    let counts = SIMD4(Float(first.count), Float(first.count), Float(second.count), Float(second.count))
    let stepU = SIMD4(first.major.x, first.major.x, second.major.x, second.major.x) / counts
    let stepV = SIMD4(first.major.y, first.major.y, second.major.y, second.major.y) / counts
    let back = (counts - 1) * 0.5
    let u = GroundSampler.places(here.u - stepU * back - 0.5)
    let v = GroundSampler.places(here.v - stepV * back - 0.5)
    let (du, dv) = (GroundSampler.places(stepU), GroundSampler.places(stepV))
    for lane in 0..<4 where seen & (1 &<< lane) != 0 {
      var bytes = sampler.mean(
        u[lane], v[lane], stepX: du[lane], stepY: dv[lane], count: lane < 2 ? first.count : second.count)
      if let fog {
        let color = fog(
          SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: bytes)), surface.fog(x &+ lane, y) * here.w[lane])
        bytes = SIMD4<UInt32>(saturating: color + 0.5)
      }
      put(bytes, row + lane)
    }
  }
}

/// The samples of each pixel of a triangle: how many, where the first lies, in texels before the pixel's place and half
/// a texel, and how far it is to the next.
private struct GroundSteps {
  let count: Int32
  let back: SIMD2<Float>
  let step: SIMD2<Int32>

  @inline(__always) init(_ footprint: Footprint) {
    count = footprint.count
    let step = footprint.major / Float(count)
    back = step * (Float(count - 1) * 0.5) + 0.5
    let places = GroundSampler.places(SIMD4(step.x, step.y, 0, 0))
    self.step = SIMD2(places[0], places[1])
  }
}

/// What is linear on the screen over a triangle, from its first corner.
private struct GroundSurface {
  let x: Float
  let y: Float
  /// z / w, 1 / w, and texels over w.
  let linear: SIMD4<Float>
  let linearX: SIMD4<Float>
  let linearY: SIMD4<Float>
  /// Value, and change a pixel right and down.
  private let fog: SIMD3<Float>

  @inline(__always)
  init(_ a: GroundCorner, _ b: GroundCorner, _ c: GroundCorner, _ across: SIMD2<Float>) {
    (x, y) = (Float(a.x) / 256, Float(a.y) / 256)
    let (qx, qy) = (Float(b.x - a.x) / 256, Float(b.y - a.y) / 256)
    let (rx, ry) = (Float(c.x - a.x) / 256, Float(c.y - a.y) / 256)
    let scale = 1 / (qx * ry - qy * rx)
    let (d1, d2) = (b.linear - a.linear, c.linear - a.linear)
    let texels = SIMD4(1, 1, across.x, across.y)
    linear = a.linear * texels
    linearX = (d1 * ry - d2 * qy) * scale * texels
    linearY = (d2 * qx - d1 * rx) * scale * texels
    let (f1, f2) = (b.fog - a.fog, c.fog - a.fog)
    fog = SIMD3(a.fog, (f1 * ry - f2 * qy) * scale, (f2 * qx - f1 * rx) * scale)
  }

  /// The values of a row, below or above the first corner.
  @inline(__always) func start(_ row: Int) -> SIMD4<Float> {
    linear + linearY * (Float(row) + 0.5 - y)
  }

  /// Texels of four pixels of a row, and w.
  @inline(__always)
  func texels(_ start: SIMD4<Float>, _ dx: SIMD4<Float>) -> (
    u: SIMD4<Float>, v: SIMD4<Float>, w: SIMD4<Float>
  ) {
    let w = 1 / (start.y + linearX.y * dx)
    return ((start.z + linearX.z * dx) * w, (start.w + linearX.w * dx) * w, w)
  }

  /// Pixels along a triangle within which what a pixel covers changes too little to be seen.
  private static let fewPixels: Int32 = 24

  /// The steps in the middle of a triangle, where it is so small that they serve all of it.
  @inline(__always) func steps(_ a: GroundCorner, _ b: GroundCorner, _ c: GroundCorner) -> GroundSteps? {
    let least = SIMD2(min(a.x, b.x, c.x), min(a.y, b.y, c.y))
    let most = SIMD2(max(a.x, b.x, c.x), max(a.y, b.y, c.y))
    let limit = GroundSurface.fewPixels &<< 8
    guard most.x - least.x <= limit, most.y - least.y <= limit else { return nil }
    let column = Int(least.x + (most.x - least.x) / 2) >> 8 & ~1
    let row = Int(least.y + (most.y - least.y) / 2) >> 8 & ~1
    let dx = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + Float(column) - x
    let (upper, lower) = (texels(start(row), dx), texels(start(row + 1), dx))
    return GroundSteps(
      Footprint(
        right: SIMD2(lower.u[1] - lower.u[0], lower.v[1] - lower.v[0]),
        down: SIMD2(upper.u[0] - lower.u[0], upper.v[0] - lower.v[0]), limit: Footprint.limit))
  }

  /// fog / w.
  func fog(_ x: Int, _ y: Int) -> Float {
    fog.x + fog.y * (Float(x) + 0.5 - self.x) + fog.z * (Float(y) + 0.5 - self.y)
  }

  /// Texels from a pixel's place that its samples lie within, for all pixels of a triangle.
  ///
  /// A pixel to the right moves the place by (ux - u · wx) / w in texels, where u is a place of the triangle or
  /// at most two pixels off, and w (here 1 over the distance) is what it is there. Both are at their extremes at
  /// corners, as long as w changes little in two pixels; where it does not, the result is infinite.
  func reach(_ a: GroundCorner, _ b: GroundCorner, _ c: GroundCorner, _ across: SIMD2<Float>) -> Float {
    let least = min(a.linear.y, b.linear.y, c.linear.y)
    let change = abs(linearX.y) + abs(linearY.y)
    guard least > 8 * change else { return .infinity }
    func move(_ corner: GroundCorner, _ way: SIMD4<Float>) -> Float {
      let place = SIMD2(corner.linear.z, corner.linear.w) / corner.linear.y * across
      let along = SIMD2(way.z, way.w) - place * way.y
      return abs(along.x) + abs(along.y)
    }
    let right = max(move(a, linearX), move(b, linearX), move(c, linearX))
    let down = max(move(a, linearY), move(b, linearY), move(c, linearY))
    // Samples lie within half a move to either side, and one is made of texels up to one away. Doubled for the two
    // pixels off, where both numerator and denominator differ by a quarter at most.
    return max(right, down) / least + 2
  }
}
