// Pictures that show how a map is made. What they look like follows MapLibre GL JS: the shaders of its collision
// boxes and circles, its tile boundaries and its padding.
import NeatBase
import NeatCamera
import NeatPlacement
import NeatRaster
import NeatStyle

/// A tile whose edges are shown.
struct DebugTile: Sendable {
  let id: OverscaledTileID
  /// Logical pixels that a tile of its source counts for.
  let size: Double
  /// Bytes as they came.
  let byteCount: Int
  /// Seconds since 1970 of its coming; nil where it was made here.
  let cameAt: Int64?
}

/// Shapes over the map.
package struct DebugDraw: Sendable {
  let shapes: [ScreenShape]

  func draw(_ band: Band) { for shape in shapes { shape.draw(band) } }
}

extension FrameBuilder {
  private static let red = SIMD4<Float>(1, 0, 0, 1)

  /// Adds what lies over all layers.
  mutating func addDebug() {
    let shapes = debugShapes()
    if !shapes.isEmpty { commands.append(.debug(DebugDraw(shapes: shapes))) }
  }

  /// Tiles and padding.
  func debugShapes() -> [ScreenShape] {
    var shapes: [ScreenShape] = []
    for tile in debugTiles { add(tile, to: &shapes) }
    if debug.contains(.padding) { addPadding(to: &shapes) }
    return shapes
  }

  // MARK: Labels

  /// Shows what the labels of a layer were placed by: texts first, then icons.
  mutating func addCollisions(_ layer: LayerInFrame) {
    let shapes = collisionShapes(layer)
    if !shapes.isEmpty { commands.append(.debug(DebugDraw(shapes: shapes))) }
  }

  func collisionShapes(_ layer: LayerInFrame) -> [ScreenShape] {
    guard debug.contains(.collision), let found = collisions[layer.index] else { return [] }
    var shapes: [ScreenShape] = []
    for shape in found where shape.kind == .textBox { addBox(shape, to: &shapes) }
    for shape in found where shape.kind == .circle { addCircle(shape, to: &shapes) }
    for shape in found where shape.kind == .iconBox { addBox(shape, to: &shapes) }
    return shapes
  }

  /// Red for what gives way, blue for what stands, faint for what does not count.
  private static func color(_ shape: CollisionShape) -> SIMD4<Float> {
    let color = shape.isPlaced ? SIMD4<Float>(0, 0, 0.5, 0.25) : SIMD4<Float>(0.5, 0, 0, 0.5)
    return shape.isUnused ? color * 0.1 : color
  }

  private func addBox(_ shape: CollisionShape, to shapes: inout [ScreenShape]) {
    let margin = Double(transform.labelMargin), ratio = transform.size.pixelRatio
    // Whole logical pixels, through their middles.
    func place(_ x: Float, _ y: Float) -> SIMD2<Double> {
      (SIMD2(Double(x).rounded(.towardZero), Double(y).rounded(.towardZero)) + 0.5 - margin) * ratio
    }
    let (rect, color) = (shape.rect, FrameBuilder.color(shape))
    let corners = [
      place(rect.x1, rect.y1), place(rect.x2, rect.y1), place(rect.x2, rect.y2), place(rect.x1, rect.y2),
    ]
    for (number, corner) in corners.enumerated() {
      shapes.append(.line(corner, corners[(number + 1) % 4], color))
    }
  }

  private func addCircle(_ shape: CollisionShape, to shapes: inout [ScreenShape]) {
    let margin = Double(transform.labelMargin), ratio = transform.size.pixelRatio
    let (rect, softness) = (shape.rect, 0.9)
    let centre = SIMD2(Double(rect.x1 + rect.x2), Double(rect.y1 + rect.y2)) / 2 - margin
    shapes.append(
      .rim(
        centre * ratio, radius: Double(rect.x2 - rect.x1) / 2 * ratio, softness: softness * ratio,
        FrameBuilder.color(shape)))
  }

  // MARK: Tiles

  private func add(_ tile: DebugTile, to shapes: inout [ScreenShape]) {
    let matrix = transform.matrix(for: tile.id)
    func point(_ x: Double, _ y: Double) -> SIMD4<Double> { matrix * SIMD4(x, y, 0, 1) }
    if !debug.isDisjoint(with: [.parseStatus, .timestamps]) { addWords(tile, point, to: &shapes) }
    guard debug.contains(.tileBorders) else { return }
    let edge = TileUnits.extent
    let corners = [point(0, 0), point(edge, 0), point(edge, edge), point(0, edge)]
    for (number, corner) in corners.enumerated() {
      guard let (a, b) = FrameBuilder.visible(corner, corners[(number + 1) % 4]) else { continue }
      shapes.append(.line(a, b, FrameBuilder.red))
    }
  }

  /// A line as far as it lies before the eye.
  private static func visible(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> (SIMD2<Double>, SIMD2<Double>)? {
    let near = HomogeneousClip.nearW
    guard max(a.w, b.w) > near else { return nil }
    func end(_ p: SIMD4<Double>, _ other: SIMD4<Double>) -> SIMD2<Double> {
      let q = p.w >= near ? p : p + (other - p) * ((near - p.w) / (other.w - p.w))
      return SIMD2(q.x, q.y) / q.w
    }
    return (end(a, b), end(b, a))
  }

  /// Words in the tile's corner, which lie on it.
  private func addWords(
    _ tile: DebugTile, _ point: (Double, Double) -> SIMD4<Double>, to shapes: inout [ScreenShape]
  ) {
    var lines: [String] = []
    if debug.contains(.parseStatus) {
      let id = tile.id.canonical
      let overscaled = tile.id.overscaledZ == id.z ? "" : " => \(tile.id.overscaledZ)"
      lines.append("\(id.z)/\(id.x)/\(id.y)\(overscaled) \(tile.byteCount / 1024)kB")
    }
    if debug.contains(.timestamps), let time = tile.cameAt { lines.append(FrameBuilder.words(time)) }
    let zoom = transform.camera.zoom
    // Letters keep their size on the screen, about.
    let growth = zoom > 0 ? Double(tile.id.overscaledZ) / zoom : 1
    let unit = TileUnits.extent / 1024 * min(max(growth, 0.25), 4) * (512 / min(max(tile.size, 1), 512))
    let height = 26.2
    var strokes: [SIMD4<Double>] = []
    for (number, line) in lines.enumerated() {
      let top = 4.7 + Double(number) * 1.5 * height
      for stroke in DebugLabel.strokes(line) {
        let a = point((5 + stroke.x * height) * unit, (top + stroke.y * height) * unit)
        let b = point((5 + stroke.z * height) * unit, (top + stroke.w * height) * unit)
        guard a.w > HomogeneousClip.nearW, b.w > HomogeneousClip.nearW else { continue }
        strokes.append(SIMD4(lowHalf: SIMD2(a.x, a.y) / a.w, highHalf: SIMD2(b.x, b.y) / b.w))
      }
    }
    let (corner, below) = (point(0, 0), point(0, unit))
    guard !strokes.isEmpty, corner.w > HomogeneousClip.nearW, below.w > HomogeneousClip.nearW else { return }
    let way = SIMD2(below.x, below.y) / below.w - SIMD2(corner.x, corner.y) / corner.w
    let scale = min((way * way).sum().squareRoot(), 64)
    shapes.append(
      .strokes(
        strokes, halfWidth: 1.8 * scale, rim: 2.4 * scale, SIMD4(0, 0, 0, 1), rimColor: SIMD4(1, 1, 1, 1)))
  }

  /// A time as a date, in UTC.
  static func words(_ seconds: Int64) -> String {
    // No time of this planet lies further away.
    let seconds = Int(min(max(seconds, -1 << 40), 1 << 40))
    let day = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let rest = seconds - day * 86_400
    // Days to dates, by eras of 400 years that begin in March (Howard Hinnant, "chrono-Compatible Low-Level Date
    // Algorithms").
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * month + 2) / 5 + 1
    let calendarMonth = month < 10 ? month + 3 : month - 9
    let calendarYear = year + era * 400 + (calendarMonth <= 2 ? 1 : 0)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(calendarYear)-\(two(calendarMonth))-\(two(date)) "
      + "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
  }

  // MARK: Padding

  private func addPadding(to shapes: inout [ScreenShape]) {
    let ratio = transform.size.pixelRatio
    let width = Double(transform.size.deviceWidth) / ratio,
      height = Double(transform.size.deviceHeight) / ratio
    let padding = transform.camera.padding
    /// A box in logical pixels, y up; whole device pixels.
    func add(_ x: Double, _ y: Double, _ w: Double, _ h: Double, _ color: SIMD4<Float>) {
      func whole(_ value: Double) -> Int { Int(bounded: (value * ratio).rounded(.towardZero)) }
      let top = transform.size.deviceHeight - whole(y) - whole(h)
      shapes.append(.box(x0: whole(x), y0: top, x1: whole(x) + whole(w), y1: top + whole(h), color))
    }
    let line = 3.0
    add(0, height - padding.top + line / 2, width, line, SIMD4(1, 0, 0, 1))
    add(0, padding.bottom + line / 2, width, line, SIMD4(0, 1, 0, 1))
    add(padding.left - line / 2, 0, line, height, SIMD4(0, 0, 1, 1))
    add(width - padding.right - line / 2, 0, line, height, SIMD4(1, 0, 1, 1))
    let middle = padding.middle(of: SIMD2(width, height))
    let (x, y, size, thin) = (middle.x, height - middle.y, 20.0, 2.0)
    let cyan = SIMD4<Float>(0, 1, 1, 1)
    add(x - thin / 2, y - size / 2, thin, size, cyan)
    add(x - size / 2, y - thin / 2, size, thin, cyan)
  }
}
