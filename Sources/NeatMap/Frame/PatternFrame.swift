import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster

extension FrameBuilder {
  mutating func pattern(_ name: String, _ tile: TileInFrame, opacity: Float, step: Double = 0)
    -> PatternPaint?
  {
    pattern(
      name, tile.projection, z: tile.id.canonical.z, x: tile.id.canonical.x, y: tile.id.canonical.y,
      wrap: tile.id.wrap, opacity: opacity, step: step)
  }

  /// A pattern as paint. Patterns hang on the world: one image pixel is a logical pixel at the whole zoom
  /// below the camera's, and the grid starts at the world's corner, so that neighbouring tiles agree. Nil
  /// where the style has no such image.
  /// - Parameter step: from the whole zoom below the camera's to the one that it is drawn as at.
  mutating func pattern(
    _ name: String, _ projection: Projection, z: UInt8, x: UInt32 = 0, y: UInt32 = 0, wrap: Int32 = 0,
    opacity: Float, step: Double = 0
  ) -> PatternPaint? {
    guard !name.isEmpty, let image = patternImage(name), let style = images[name] else { return nil }
    guard let inverse = Inverse3(projection) else { return nil }
    let zoom = transform.camera.zoom.rounded(.down) + step
    let edge = TileUnits.pixels * exp2(zoom - Double(z)) * style.pixelRatio
    let scale = edge / TileUnits.extent
    let column = Double(x) + Double(wrap) * Double(UInt64(1) << UInt64(z))
    let originX = (column * edge).truncatingRemainder(dividingBy: Double(image.width))
    let originY = (Double(y) * edge).truncatingRemainder(dividingBy: Double(image.height))
    var paint = PatternPaint(
      image, map: inverse.projection(scale: scale, offset: SIMD2(originX, originY)), opacity: opacity)
    if let globe = transform.globe {
      let size = edge * Double(UInt64(1) << UInt64(z))
      paint.globe = PatternOnGlobe(offset: globe.center * size, scale: size)
    }
    return paint
  }

  mutating func patternImage(_ name: String) -> PatternImage? {
    if let known = patternImages[name] { return known }
    guard let texture = patternTexture(name) else { return nil }
    do throws(NeatError) {
      let made = try PatternImage(texture)
      patternImages[name] = made
      return made
    } catch {
      refusePattern(name, error)
      return nil
    }
  }

  /// The texels of a pattern; nil where the style has no such image, or there is no memory for it, which is
  /// reported.
  mutating func patternTexture(_ name: String) -> Texture? {
    guard let image = images[name], !refusedPatterns.contains(name) else { return nil }
    do throws(NeatError) { return try image.texture() } catch {
      refusePattern(name, error)
      return nil
    }
  }

  private mutating func refusePattern(_ name: String, _ error: NeatError) {
    refusedPatterns.insert(name)
    report(error, image: name)
  }
}

/// The inverse of a projection: pixels to its plane, homogeneous.
struct Inverse3 {
  private let x: SIMD3<Double>, y: SIMD3<Double>, w: SIMD3<Double>

  init?(_ p: Projection) {
    let (a, b, c) = (p.xx, p.xy, p.x0)
    let (d, e, f) = (p.yx, p.yy, p.y0)
    let (g, h, i) = (p.wx, p.wy, p.w0)
    let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    guard determinant != 0, determinant.isFinite else { return nil }
    x = SIMD3(e * i - f * h, c * h - b * i, b * f - c * e) / determinant
    y = SIMD3(f * g - d * i, a * i - c * g, c * d - a * f) / determinant
    w = SIMD3(d * h - e * g, b * g - a * h, a * e - b * d) / determinant
  }

  /// Pixels to (plane · scale + offset).
  func projection(scale: Double, offset: SIMD2<Double>) -> Projection {
    let u = x * scale + w * offset.x
    let v = y * scale + w * offset.y
    if w.x == 0, w.y == 0 {
      return Projection(
        xx: u.x / w.z, xy: u.y / w.z, x0: u.z / w.z, yx: v.x / w.z, yy: v.y / w.z, y0: v.z / w.z)
    }
    var result = Projection(xx: u.x, xy: u.y, x0: u.z, yx: v.x, yy: v.y, y0: v.z)
    (result.wx, result.wy, result.w0) = (w.x, w.y, w.z)
    return result
  }
}
