// Faces with smooth edges. Pixels that a face covers whole are drawn at once, by their centres; those that
// its edges run through wait until the layer has all its faces, and are then drawn sample by sample. By then
// most of what others hide is known to be hidden, and gets no samples.
import NeatBase

/// A face whose rim is still to be drawn.
struct FaceRim: BitwiseCopyable {
  let outline: FaceOutline
  /// The place of its first row; -1 where the rows are not kept.
  let place: Int
  let laterWins: Bool
  /// Place of the pattern in those that the layer holds; -1 for none.
  let pattern: Int
}

/// A pixel that an edge runs through: what its samples have.
struct DividedPixel: BitwiseCopyable {
  var depths: SIMD4<Float>
  var colors: SIMD4<UInt32>

  /// The samples that show what is so far away.
  @inline(__always) func shows(_ z: SIMD4<Float>, _ laterWins: Bool) -> SIMD4<UInt32> {
    laterWins ? bits(z .<= depths) : bits(z .< depths) | (bits(z .== depths) & bits(colors .== 0))
  }

  @inline(__always) mutating func put(_ z: SIMD4<Float>, _ color: UInt32, where shown: SIMD4<UInt32>) {
    depths = chosen(z, depths, shown)
    colors = chosen(SIMD4(repeating: color), colors, shown)
  }
}

extension DepthLayer {
  /// Rows that are kept at most, some megabytes. Those of other faces are found once more.
  private static let rowLimit = 1 << 16

  /// Bytes that threads take together, at most about, for the rims of a layer's faces until they are drawn. A face is
  /// kept by each thread whose rows it touches: most lie in the rows of one, and some in those of two.
  package static func rimBytes(faces: Int, threads: Int) -> Int {
    let face = MemoryLayout<FaceRim>.stride + MemoryLayout<FaceSurface>.stride
    let rows = min(faces * 16, threads * rowLimit) * MemoryLayout<SampleRow>.stride
    // Runs grow by half.
    return (faces * face * (threads > 1 ? 2 : 1) + rows) * 3 / 2
  }

  /// Draws the pixels that a face covers whole, and keeps its rim for later.
  func drawSmooth(_ outline: FaceOutline, _ surface: FaceSurface, _ style: FaceStyle) {
    let count = outline.rowCount
    let place = rimRows.count
    let rows = rimRows.extend(count)
    outline.fill(rows)
    var hasRim = false
    for index in 0..<count {
      let (first, last, whole, wholeEnd) = rows[index].columns
      if whole <= wholeEnd {
        surface.drawSmoothRow(outline.box.top + index, whole, wholeEnd, style, self)
        if first < whole || wholeEnd < last { hasRim = true }
      } else if first <= last {
        hasRim = true
      }
    }
    let keepsRows = hasRim && rimRows.count <= DepthLayer.rowLimit
    if !keepsRows { rimRows.removeLast(count) }
    guard hasRim else { return }
    var pattern = -1
    if let image = style.pattern {
      if rimPatterns.last !== image { rimPatterns.append(image) }
      pattern = rimPatterns.count - 1
    }
    rimSurfaces.append(surface)
    rims.append(
      FaceRim(
        outline: outline, place: keepsRows ? place : -1, laterWins: style.laterWins, pattern: pattern))
  }

  /// Draws the rims of all faces of the layer.
  func drawRims() {
    for index in 0..<rims.count { draw(rims.base + index, rimSurfaces.base + index) }
    dropRims()
  }

  func dropRims() {
    rims.removeAll()
    rimSurfaces.removeAll()
    rimRows.removeAll()
    rimPatterns.removeAll(keepingCapacity: true)
  }

  private func draw(_ rim: UnsafePointer<FaceRim>, _ surface: UnsafePointer<FaceSurface>) {
    let pattern = rim.pointee.pattern < 0 ? nil : rimPatterns[rim.pointee.pattern]
    let (count, top) = (rim.pointee.outline.rowCount, rim.pointee.outline.box.top)
    let isKept = rim.pointee.place >= 0
    if !isKept { rim.pointee.outline.fill(rimRows.extend(count)) }
    let rows = rimRows.base + (isKept ? rim.pointee.place : rimRows.count - count)
    for index in 0..<count {
      let (first, last, whole, wholeEnd) = rows[index].columns
      if first > last { continue }
      reserveDivided(last - first + 1)
      let pen = RimRow(surface, rows[index], top + index, rim.pointee.laterWins, self)
      if whole <= wholeEnd {
        pen.draw(first, whole, pattern, self)
        pen.draw(wholeEnd + 1, last + 1, pattern, self)
      } else {
        pen.draw(first, last + 1, pattern, self)
      }
    }
    if !isKept { rimRows.removeLast(count) }
  }
}

/// Pixels of a row that a face covers in part.
private struct RimRow {
  private let surface: UnsafePointer<FaceSurface>
  private let row: SampleRow
  private let laterWins: Bool
  private let first: Int
  private let depths: UnsafePointer<Float>
  private let colors: UnsafePointer<UInt32>
  private let slots: UnsafePointer<UInt32>
  private let divided: UnsafeMutablePointer<DividedPixel>
  /// From the surface's origin to the row's middle.
  private let dy: Float
  /// What the row adds to the samples' depths.
  private let down: SIMD4<Float>

  @inline(__always) init(
    _ surface: UnsafePointer<FaceSurface>, _ row: SampleRow, _ y: Int, _ laterWins: Bool, _ layer: DepthLayer
  ) {
    (self.surface, self.row, self.laterWins) = (surface, row, laterWins)
    first = (y &- layer.y0) &* layer.width
    depths = UnsafePointer(layer.depth.base + first)
    colors = UnsafePointer(layer.color.base + first)
    slots = UnsafePointer(layer.slots.base + first)
    divided = layer.divided.base
    let top = Float(y) - surface.pointee.y
    dy = top + 0.5
    down = (SampleGrid.y + top) * surface.pointee.depth.dy.x
  }

  @inline(__always)
  func draw(_ from: Int, _ to: Int, _ pattern: PatternImage?, _ layer: DepthLayer) {
    var column = from
    while column < to {
      draw(column, pattern, layer)
      column &+= 1
    }
  }

  /// Draws those samples of a pixel that are covered.
  @inline(__always) private func draw(_ column: Int, _ pattern: PatternImage?, _ layer: DepthLayer) {
    // No sample of the pixel is farther, also where it has its own. Not even the nearest of the face shows.
    let depth = depths[column]
    if surface.pointee.nearest > depth { return }
    let here = Int32(truncatingIfNeeded: column)
    let left = Float(here) - surface.pointee.x
    let across = (SampleGrid.x + left) * surface.pointee.depth.dx.x
    let z = surface.pointee.held(across + down + surface.pointee.depth.value.x)
    let slot = slots[column]
    if slot != 0 {
      let known = divided + Int(slot &- 1)
      let shown = known.pointee.shows(z, laterWins) & row.covered(here)
      guard isAny(shown) else { return }
      known.pointee.put(z, FaceSurface.shade(surface, left + 0.5, dy, pattern), where: shown)
      return
    }
    var new = DividedPixel(depths: SIMD4(repeating: depth), colors: SIMD4(repeating: colors[column]))
    let shown = new.shows(z, laterWins) & row.covered(here)
    guard isAny(shown) else { return }
    new.put(z, FaceSurface.shade(surface, left + 0.5, dy, pattern), where: shown)
    layer.divide(first &+ column, new)
  }
}
