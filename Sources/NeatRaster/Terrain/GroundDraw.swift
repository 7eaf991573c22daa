// Draws the ground of a tile: triangles with depth, each pixel taken in perspective from the picture that was
// draped over the tile, between its four nearest texels. Corners are rounded to 1/256 pixel and edges
// tested exactly in integers (`PixelEdge`), so that neighbours neither overlap nor gape, in any band.
import NeatBase

/// - Parameters:
///   - picture: nil draws no colours, depth only.
///   - fog: nil for none.
package func drawGround(
  _ mesh: GroundMesh, picture: Texture?, fog: GroundFog?, layer: DepthLayer, band: Band
) {
  let pen = GroundPen(view: picture?.level(0), fog: fog, layer: layer, band: band)
  let corners = mesh.corners
  mesh.forEachTriangle(band.y0, band.y1) { i, j, k in
    if corners[i].isOutside || corners[j].isOutside || corners[k].isOutside {
      drawCut(mesh, i, j, k, pen)
    } else {
      pen.draw(corners[i], corners[j], corners[k])
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
  let view: TextureView?
  let fog: GroundFog?
  let layer: DepthLayer
  let band: Band

  /// Triangles that run clockwise are seen from behind, and left out.
  func draw(_ a: GroundCorner, _ b: GroundCorner, _ c: GroundCorner) {
    let p = SIMD2(Int64(a.x), Int64(a.y)), q = SIMD2(Int64(b.x), Int64(b.y))
    let r = SIMD2(Int64(c.x), Int64(c.y))
    guard
      let triangle = PixelTriangle(p, q, r, bits: 8, columns: band.width, rows: band.y0..<band.y1)
    else { return }
    let surface = GroundSurface(a, b, c)
    triangle.eachRow { y, low, high in drawRow(surface, y, low, high) }
  }

  private func drawRow(_ surface: GroundSurface, _ y: Int, _ low: Int, _ high: Int) {
    let depths = layer.depth.base + (y - layer.y0) * layer.width
    let row = band.row(y)
    let dy = Float(y) + 0.5 - surface.y
    let start = surface.linear + surface.linearY * dy
    let across = view.map { SIMD2(Float($0.width), Float($0.height)) } ?? .zero
    var (footprint, block) = (Footprint.one, -1)
    for x in low...high {
      let dx = Float(x) + 0.5 - surface.x
      let here = start + surface.linearX * dx
      // Nothing nearer than the near plane or beyond the far one.
      guard here.x <= depths[x], here.x >= -1, here.x <= 1 else { continue }
      depths[x] = here.x
      guard let view else { continue }
      let w = 1 / here.y
      if x >> 1 != block {
        block = x >> 1
        footprint = surface.footprint(x, y, across)
      }
      let place = SIMD2(here.z, here.w) * w * across
      var color = footprint.count == 1 ? bilinear(view, place) : mean(view, place, footprint)
      if let fog { color = fog(color, (surface.fog.x + surface.fog.y * dx + surface.fog.z * dy) * w) }
      let bytes = SIMD4<UInt32>(saturating: (color + 0.5).rounded(.down))
      row[x] = Blend.over(row[x], bytes.x | bytes.y << 8 | bytes.z << 16 | bytes.w << 24)
    }
  }
}

/// What is linear on the screen over a triangle, from its first corner.
private struct GroundSurface {
  let x: Float
  let y: Float
  let linear: SIMD4<Float>
  let linearX: SIMD4<Float>
  let linearY: SIMD4<Float>
  /// Value, and change a pixel right and down.
  let fog: SIMD3<Float>

  init(_ a: GroundCorner, _ b: GroundCorner, _ c: GroundCorner) {
    (x, y) = (Float(a.x) / 256, Float(a.y) / 256)
    let (qx, qy) = (Float(b.x - a.x) / 256, Float(b.y - a.y) / 256)
    let (rx, ry) = (Float(c.x - a.x) / 256, Float(c.y - a.y) / 256)
    let scale = 1 / (qx * ry - qy * rx)
    let (d1, d2) = (b.linear - a.linear, c.linear - a.linear)
    linear = a.linear
    linearX = (d1 * ry - d2 * qy) * scale
    linearY = (d2 * qx - d1 * rx) * scale
    let (f1, f2) = (b.fog - a.fog, c.fog - a.fog)
    fog = SIMD3(a.fog, (f1 * ry - f2 * qy) * scale, (f2 * qx - f1 * rx) * scale)
  }

  /// What the block of pixels that a pixel is of covers of a picture.
  func footprint(_ x: Int, _ y: Int, _ across: SIMD2<Float>) -> Footprint {
    let (left, first) = (Float(x & ~1) + 0.5 - self.x, Float(y | 1) + 0.5 - self.y)
    func texel(_ at: SIMD4<Float>) -> SIMD2<Float> { SIMD2(at.z, at.w) / at.y * across }
    let base = linear + linearX * left + linearY * first
    let place = texel(base)
    return Footprint(
      right: texel(base + linearX) - place, down: texel(base - linearY) - place, limit: Footprint.limit)
  }
}

/// The mean of the samples around a place.
@inline(__always)
private func mean(_ view: TextureView, _ place: SIMD2<Float>, _ footprint: Footprint) -> SIMD4<Float> {
  let step = footprint.major / Float(footprint.count)
  var at = place - step * (0.5 * Float(footprint.count - 1))
  var sum = SIMD4<Float>.zero
  for _ in 0..<footprint.count {
    sum += bilinear(view, at)
    at += step
  }
  return sum / Float(footprint.count)
}

/// What one sample of a picture is: all four channels as numbers. A word's bytes are masked, not shifted, and the
/// whole powers of two by which they are then too large are taken back at the end: numbers stay what they are.
@inline(__always) private func bilinear(_ view: TextureView, _ place: SIMD2<Float>) -> SIMD4<Float> {
  // Beyond the edge there is the edge's own texel; not a number is the first.
  let last = SIMD2(Float(view.width &- 1), Float(view.height &- 1))
  var at = place - 0.5
  at.replace(with: 0, where: .!(at .> 0))
  at = last.replacing(with: at, where: at .< last)
  let (x, y) = (Int(bounded: at.x), Int(bounded: at.y))
  let share = at - SIMD2(Float(x), Float(y))
  let across = x &+ 1 < view.width ? 1 : 0, down = y &+ 1 < view.height ? view.stride : 0
  let texels = view.pixels + (y &* view.stride &+ x)
  let above = channels(texels[0]) * (1 - share.x) + channels(texels[across]) * share.x
  let below = channels(texels[down]) * (1 - share.x) + channels(texels[down &+ across]) * share.x
  return (above * (1 - share.y) + below * share.y) * SIMD4(1, 0x1p-8, 0x1p-16, 0x1p-23)
}

@inline(__always) private func channels(_ bits: UInt32) -> SIMD4<Float> {
  // The last byte by half, below the sign.
  let masks = SIMD4<UInt32>(0xFF, 0xFF00, 0xFF_0000, 0x7F80_0000)
  let words = SIMD4<UInt32>(bits, bits, bits, bits &>> 1) & masks
  return SIMD4<Float>(unsafeBitCast(words, to: SIMD4<Int32>.self))
}
