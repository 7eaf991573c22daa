import NeatBase

/// A quantity that is linear on the screen: its value at a point, and its change a pixel right and down.
struct Plane<T: SIMD & BitwiseCopyable>: BitwiseCopyable where T.Scalar == Float {
  let value: T
  let dx: T
  let dy: T
}

/// Depth, colour and place in the pattern over a face.
struct FaceSurface: BitwiseCopyable {
  let x: Float
  let y: Float
  /// Depth, and 1 / w.
  let depth: Plane<SIMD2<Float>>
  /// Of the corners: what rounding adds to a sliver goes no further.
  let nearest: Float
  let farthest: Float
  /// Colour over w.
  let color: Plane<SIMD4<Float>>
  /// The one colour of a face whose corners agree.
  let flat: UInt32?
  /// Place in the pattern over w.
  let texture: Plane<SIMD2<Float>>

  /// - Parameter area: twice the face's, in 1/65536 pixel, as its diagonals make it.
  init(_ a: DepthVertex, _ b: DepthVertex, _ c: DepthVertex, _ d: DepthVertex, area: Int64) {
    // A face of four corners is flat but for roundings: its planes are those through the middle along its
    // diagonals. A triangle's third corner counts twice.
    func pixels(_ v: DepthVertex) -> SIMD2<Float> { SIMD2<Float>(v.place) / 256 }
    let (p, q, r, s) = (pixels(a), pixels(b), pixels(c), pixels(d))
    let origin = (p + q + r + s) / 4
    (x, y) = (origin.x, origin.y)
    let (u, v) = (r - p, s - q)
    let scale = Float(65536 / Double(area))
    func plane<T: SIMD & BitwiseCopyable>(_ v0: T, _ v1: T, _ v2: T, _ v3: T) -> Plane<T>
    where T.Scalar == Float {
      let along = v2 - v0
      let across = v3 - v1
      return Plane(
        value: (v0 + v1 + v2 + v3) * 0.25, dx: (along * v.y - across * u.y) * scale,
        dy: (across * u.x - along * v.x) * scale)
    }
    func over(_ v: DepthVertex) -> SIMD2<Float> { SIMD2(v.position.z, 1) / v.position.w }
    let (da, db, dc, dd) = (over(a), over(b), over(c), over(d))
    depth = plane(da, db, dc, dd)
    nearest = min(min(da.x, db.x), min(dc.x, dd.x))
    farthest = max(max(da.x, db.x), max(dc.x, dd.x))
    color = plane(a.color * da.y, b.color * db.y, c.color * dc.y, d.color * dd.y)
    flat = a.color == b.color && b.color == c.color && c.color == d.color ? packed(a.color) : nil
    texture = plane(a.texture * da.y, b.texture * db.y, c.texture * dc.y, d.texture * dd.y)
  }

  /// Draws pixels of a row by their centres.
  func drawRow(_ row: Int, _ low: Int, _ high: Int, _ style: FaceStyle, _ layer: DepthLayer) {
    let offset = (row - layer.y0) * layer.width
    let depths = layer.depth.base + offset
    let colors = layer.color.base + offset
    let dy = Float(row) + 0.5 - y
    let start = depth.value.x + depth.dy.x * dy
    let isPlain = flat != nil && style.pattern == nil && style.laterWins
    let plain = flat ?? 0
    for column in low...high {
      let dx = Float(column) + 0.5 - x
      let z = min(max(start + depth.dx.x * dx, nearest), farthest)
      guard z <= depths[column], isPlain || z < depths[column] || style.laterWins || colors[column] == 0
      else { continue }
      depths[column] = z
      colors[column] = isPlain ? plain : shade(dx, dy, style.pattern)
    }
  }

  /// Draws pixels of a row that the face covers whole, where edges are smooth.
  func drawSmoothRow(_ row: Int, _ low: Int, _ high: Int, _ style: FaceStyle, _ layer: DepthLayer) {
    assert(low >= 0 && low <= high && high < layer.width && row >= layer.y0 && row < layer.y1)
    let offset = (row &- layer.y0) &* layer.width
    let depths = layer.depth.base + offset
    let colors = layer.color.base + offset
    let slots = layer.slots.base + offset
    let hasDivided = layer.hasDivided
    let dy = Float(row) + 0.5 - y
    let start = depth.value.x + depth.dy.x * dy
    let lanes = SIMD4<Int32>(0, 1, 2, 3)
    var column = low
    while column <= high {
      var taken = SIMD4<UInt32>(
        truncatingIfNeeded: ~((Int32(truncatingIfNeeded: high &- column) &- lanes) &>> 31))
      let dx = SIMD4<Float>(0.5, 1.5, 2.5, 3.5) + Float(column) - x
      let z = held(dx * depth.dx.x + start)
      if hasDivided {
        let places = UnsafeRawPointer(slots + column).loadUnaligned(as: SIMD4<UInt32>.self)
        let own = ~bits(places .== 0) & taken
        if isAny(own) {
          taken &= ~own
          for lane in 0..<4 where own[lane] != 0 {
            let pixel = layer.divided.base + Int(places[lane] &- 1)
            drawDivided(z[lane], dx[lane], dy, depths + (column &+ lane), pixel, style)
          }
        }
      }
      drawFour(z, dx, dy, depths + column, colors + column, taken, style)
      column &+= 4
    }
  }

  /// Draws pixels that are taken of four.
  @inline(__always) private func drawFour(
    _ z: SIMD4<Float>, _ dx: SIMD4<Float>, _ dy: Float, _ depths: UnsafeMutablePointer<Float>,
    _ colors: UnsafeMutablePointer<UInt32>, _ taken: SIMD4<UInt32>, _ style: FaceStyle
  ) {
    // The layer has room for four pixels past its last one.
    let (depthPlace, colorPlace) = (UnsafeMutableRawPointer(depths), UnsafeMutableRawPointer(colors))
    let known = DividedPixel(
      depths: depthPlace.loadUnaligned(as: SIMD4<Float>.self),
      colors: colorPlace.loadUnaligned(as: SIMD4<UInt32>.self))
    let shown = known.shows(z, style.laterWins) & taken
    guard isAny(shown) else { return }
    var new = SIMD4(repeating: flat ?? 0)
    if let pattern = style.pattern {
      for lane in 0..<4 where shown[lane] != 0 { new[lane] = shade(dx[lane], dy, pattern) }
    } else if flat == nil {
      new = shadeFour(dx, dy)
    }
    depthPlace.storeBytes(of: chosen(z, known.depths, shown), as: SIMD4<Float>.self)
    colorPlace.storeBytes(of: chosen(new, known.colors, shown), as: SIMD4<UInt32>.self)
  }

  /// Draws all samples of a pixel that has its own, at the depth of its middle.
  private func drawDivided(
    _ z: Float, _ dx: Float, _ dy: Float, _ depth: UnsafeMutablePointer<Float>,
    _ pixel: UnsafeMutablePointer<DividedPixel>, _ style: FaceStyle
  ) {
    let depths = SIMD4(repeating: z)
    let shown = pixel.pointee.shows(depths, style.laterWins)
    guard isAny(shown) else { return }
    pixel.pointee.put(depths, shade(dx, dy, style.pattern), where: shown)
    depth.pointee = min(depth.pointee, z)
  }

  /// Depths held between those of the corners.
  @inline(__always) func held(_ z: SIMD4<Float>) -> SIMD4<Float> {
    // Lane by lane: the compiler makes instructions for four of it.
    SIMD4(
      min(max(z.x, nearest), farthest), min(max(z.y, nearest), farthest), min(max(z.z, nearest), farthest),
      min(max(z.w, nearest), farthest))
  }

  /// The colours of four pixels side by side, as `shade` has them one by one.
  @inline(__always) private func shadeFour(_ dx: SIMD4<Float>, _ dy: Float) -> SIMD4<UInt32> {
    let plane = dx * depth.dx.y + depth.value.y + depth.dy.y * dy
    let inverse = SIMD4(max(plane.x, 1e-12), max(plane.y, 1e-12), max(plane.z, 1e-12), max(plane.w, 1e-12))
    func bytes(_ value: Float, _ across: Float, _ down: Float) -> SIMD4<UInt32> {
      let color = (dx * across + value + down * dy) / inverse
      // Lane by lane: the compiler makes instructions for four of it.
      return roundedBytes(
        SIMD4(
          min(max(color.x, 0), 1), min(max(color.y, 0), 1), min(max(color.z, 0), 1), min(max(color.w, 0), 1))
          * 255)
    }
    let (value, across, down) = (color.value, color.dx, color.dy)
    return bytes(value.x, across.x, down.x) | bytes(value.y, across.y, down.y) &<< 8
      | bytes(value.z, across.z, down.z) &<< 16 | bytes(value.w, across.w, down.w) &<< 24
  }

  /// The colour so far from the origin.
  @inline(__always) func shade(_ dx: Float, _ dy: Float, _ pattern: PatternImage?) -> UInt32 {
    withUnsafePointer(to: self) { FaceSurface.shade($0, dx, dy, pattern) }
  }

  @inline(__always)
  static func shade(
    _ surface: UnsafePointer<FaceSurface>, _ dx: Float, _ dy: Float, _ pattern: PatternImage?
  ) -> UInt32 {
    if let pattern { return surface.pointee.texel(dx, dy, pattern) }
    return surface.pointee.flat ?? packed(surface.pointee.light(dx, dy))
  }

  @inline(__always) private func light(_ dx: Float, _ dy: Float) -> SIMD4<Float> {
    (color.value + color.dx * dx + color.dy * dy) / inverse(dx, dy)
  }

  /// The distance: beyond the face, where the middle of a pixel can lie, w may come out as none.
  @inline(__always) private func inverse(_ dx: Float, _ dy: Float) -> Float {
    max(depth.value.y + depth.dx.y * dx + depth.dy.y * dy, 1e-12)
  }

  @inline(never) private func texel(_ dx: Float, _ dy: Float, _ pattern: PatternImage) -> UInt32 {
    let place = (texture.value + texture.dx * dx + texture.dy * dy) / inverse(dx, dy)
    let texel = PatternPaint.texel(SIMD2<Double>(place), of: pattern)
    let bytes = SIMD4<UInt32>(texel & 255, texel >> 8 & 255, texel >> 16 & 255, texel >> 24)
    let lit = packed(SIMD4<Float>(bytes) * (1 / 255) * light(dx, dy))
    return lit == 0 ? DepthLayer.nothing : lit
  }
}
