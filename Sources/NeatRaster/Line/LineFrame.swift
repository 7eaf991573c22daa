// Lines in frame pixels, made once a frame; those of all tiles and layers stand in the same memory.
//
// The mesh's vertices are extruded by the line's outset and mapped to pixels; runs of triangles become chunks
// with bounds, by which bands find what they draw. Chunks that reach far outside the frame or are seen in
// perspective turn into triangles of their own, clipped in homogeneous coordinates, with all that is
// interpolated over them (`LineSoup.swift`).
import NeatBase

/// A vertex in pixels, where nothing is in perspective.
struct LinePoint: BitwiseCopyable {
  var x: Float
  var y: Float
  /// Tile units along the line.
  var distance: Float
  /// As in `LineVertex`.
  var flags: UInt32

  @inline(__always) var isRound: Bool { flags & 1 != 0 }
  @inline(__always) var ny: Float { flags & 2 != 0 ? 1 : -1 }
  @inline(__always) var nx: Float { flags & 1 != 0 ? 1 : 0 }
}

/// A run of triangles with its bounds in pixels.
struct LineChunk: BitwiseCopyable {
  var minX, minY, maxX, maxY: Float
  var shade: Int32
  /// Into the mesh's indices, counted from `base` into the frame's points; or, where `base` is `soup`,
  /// triangles of the soup.
  var first: Int32
  var end: Int32
  /// Below 0 where features before it in the mesh are not drawn and have no points.
  var base: Int32

  static let soup = Int32.min
}

/// Lines in frame pixels: part of what the shapes of a frame are. Any number of threads may draw from it, once all
/// of the frame's shapes are made.
package struct LineFrame: Sendable {
  let shapes: LineShapes
  /// Of the shapes' chunks.
  let chunks: Range<Int>
  let style: LineStyle
  let mesh: LineMesh
  /// The first and the last row that they may touch.
  package let rows: FrameRows

  /// The mesh seen through `projection`, for a frame of `width` by `height` pixels. Keeps the mesh.
  /// - Parameter shapes: those of the frame, which it is added to.
  package init(
    _ mesh: LineMesh, _ projection: Projection, _ style: LineStyle, width: Int, height: Int,
    in shapes: LineShapes = LineShapes(), globe: LineGlobe? = nil
  ) {
    self.shapes = shapes
    let first = shapes.contents.chunks.count
    shapes.contents.rows = .none
    let (points, shades) = (shapes.contents.points.count, shapes.contents.shades.count)
    shapes.contents.add(
      mesh, style,
      LineView(projection: projection, width: width, height: height, style: style),
      globe)
    if shapes.contents.chunks.count == first {
      // Nothing of it is in the frame.
      shapes.contents.points.truncate(points)
      shapes.contents.shades.truncate(shades)
    }
    chunks = first..<shapes.contents.chunks.count
    rows = shapes.contents.rows
    self.style = style
    self.mesh = mesh
  }

  package var isEmpty: Bool { chunks.isEmpty }
}

/// The lines of all layers and tiles of a frame, in one place, which serves for one frame after the other. One
/// thread adds; when all is there, any number may draw.
package final class LineShapes: @unchecked Sendable {
  @exclusivity(unchecked) fileprivate(set) var contents = LineContents()

  package init() {}

  /// Empties it, and keeps its memory. Nothing that was made in it may be drawn any more.
  package func removeAll() {
    contents.points.removeAll()
    contents.chunks.removeAll()
    contents.shades.removeAll()
    contents.soup.removeAll()
    contents.costs.removeAll()
  }

  /// Adds what they cost to draw, by steps of rows.
  package func addCosts(to sums: inout [Float]) { contents.costs.add(to: &sums) }

  /// Bytes that it holds.
  package var byteCount: Int {
    contents.points.heldBytes
      + contents.chunks.heldBytes
      + contents.shades.heldBytes
      + contents.soup.heldBytes
      + contents.costs.heldBytes
  }
}

/// Brings lines to frame pixels.
struct LineContents: ~Copyable {
  /// Indices of a chunk, or three more.
  static let chunkIndices = 96
  /// Coordinates up to here are drawn as they are: single precision leaves 1/1024 pixel there.
  private static let farPixels: Float = 16384

  var points = GrowingBuffer<LinePoint>()
  var chunks = GrowingBuffer<LineChunk>()
  var shades = GrowingBuffer<LineShade>()
  var soup = GrowingBuffer<SoupVertex>()
  var costs = RowCosts()
  /// Of what was added since it was emptied.
  var rows = FrameRows.none

  /// Nanoseconds, about: of a corner of a triangle, of a row that a run of triangles lies in.
  private static let indexCost: Float = 12
  private static let rowCost: Float = 15

  @inline(__always) mutating func add(_ chunk: LineChunk, _ view: LineView) {
    chunks.append(chunk)
    rows.add(chunk.minY, chunk.maxY)
    let (top, bottom) = (max(0, chunk.minY), min(view.height, chunk.maxY))
    costs.add(
      top: top, bottom: bottom, height: view.rows,
      LineContents.indexCost * Float(chunk.end - chunk.first) + LineContents.rowCost * max(0, bottom - top))
  }

  fileprivate mutating func add(_ mesh: LineMesh, _ style: LineStyle, _ view: LineView, _ globe: LineGlobe?) {
    let isFlat = globe == nil && view.projection.isAffine
    for (piece, box) in zip(mesh.pieces, mesh.boxes) {
      assert(piece.feature >= 0, "a piece of no feature")
      let paint = style.paint[Int(piece.feature)]
      if let pattern = style.pattern, pattern[Int(piece.feature)] == nil { continue }
      let reach = box.reach * (paint.outset(softness: style.softness) + 1.5 * abs(paint.offset))
      if isFlat, view.misses(box, reach: reach) { continue }
      let clips = piece.totalDistance > 0
      let info = LinePieceInfo(
        feature: piece.feature, line: piece.line, progressStart: clips ? piece.clipStart : 0,
        progressScale: clips ? (piece.clipEnd - piece.clipStart) / piece.totalDistance : 0,
        partScale: clips ? 1 / piece.totalDistance : 0)
      guard let shade = LineShade(paint, info, pixelRatio: style.pixelRatio, softness: style.softness)
      else { continue }
      shades.append(shade)
      if let globe {
        addGlobe(mesh, piece, view, shade, offset: paint.offset, reach: reach, globe)
      } else if view.projection.isAffine {
        addPoints(mesh, piece, view, shade, offset: paint.offset)
      } else {
        addSoup(mesh, piece, view, shade, offset: paint.offset, Int(piece.firstIndex)..<Int(piece.endIndex))
      }
    }
  }

  private mutating func addPoints(
    _ mesh: LineMesh, _ piece: LinePiece, _ view: LineView, _ shade: LineShade, offset: Float
  ) {
    let projection = view.projection
    let first = Int(piece.firstVertex)
    let count = Int(piece.endVertex) - first
    let firstPoint = points.count
    let out = points.extend(count)
    Tally.add(.linePoints, count)
    let column0 = SIMD2(projection.xx, projection.yx)
    let column1 = SIMD2(projection.xy, projection.yy)
    let origin = SIMD2(projection.x0, projection.y0)
    let outset = Double(shade.outset) * view.unitsPerPixel
    let extrude0 = column0 * outset
    let extrude1 = column1 * outset
    let vertices = mesh.vertices + first
    for index in 0..<count {
      // Values are read where they lie: a vertex copied as a whole is read back before it has been written.
      let vertex = vertices + index
      let (position, extrude) = (vertex.pointee.position, vertex.pointee.extrude)
      var pixel = column0 * Double(position.x) + column1 * Double(position.y) + origin
      pixel += extrude0 * Double(extrude.x) + extrude1 * Double(extrude.y)
      if offset != 0 {
        let move = view.offset(vertex.pointee, offset)
        pixel += column0 * move.x + column1 * move.y
      }
      out[index] = LinePoint(
        x: Float(pixel.x), y: Float(pixel.y), distance: vertex.pointee.distance,
        flags: UInt32(vertex.pointee.flags))
    }
    addChunks(mesh, piece, view, shade, offset: offset, base: firstPoint - (first - Int(piece.vertexOffset)))
  }

  /// `base`: where the vertex of index 0 would stand among the points.
  private mutating func addChunks(
    _ mesh: LineMesh, _ piece: LinePiece, _ view: LineView, _ shade: LineShade, offset: Float, base: Int
  ) {
    let points = UnsafePointer(self.points.base) + base
    var first = Int(piece.firstIndex)
    assert(
      LineContents.chunkIndices % 3 == 0 && (piece.endIndex - piece.firstIndex) % 3 == 0, "half a triangle")
    while first < Int(piece.endIndex) {
      var end = min(first + LineContents.chunkIndices, Int(piece.endIndex))
      // The two triangles of a stretch stay together: they are drawn as one shape.
      if end < Int(piece.endIndex), mesh.indices[end] == mesh.indices[end - 1],
        mesh.indices[end + 1] == mesh.indices[end - 2]
      {
        end += 3
      }
      // A triangle repeats two vertices of the one before it: the first triangle and then each third index
      // see them all.
      var low = SIMD2<Float>(repeating: .infinity)
      var high = SIMD2<Float>(repeating: -.infinity)
      var index = first
      while index < end {
        assert(base + Int(mesh.indices[index]) >= 0, "a point before the first")
        assert(base + Int(mesh.indices[index]) < self.points.count, "a point past the last")
        let point = points[Int(mesh.indices[index])]
        let place = SIMD2(point.x, point.y)
        low = place.replacing(with: low, where: low .< place)
        high = place.replacing(with: high, where: high .> place)
        index += index < first + 2 ? 1 : 3
      }
      let isVisible = high.x >= 0 && high.y >= 0 && low.x <= view.width && low.y <= view.height
      let far = LineContents.farPixels
      if isVisible && low.x >= -far && low.y >= -far && high.x <= far && high.y <= far {
        add(
          LineChunk(
            minX: low.x, minY: low.y, maxX: high.x, maxY: high.y, shade: Int32(shades.count - 1),
            first: Int32(first), end: Int32(end),
            base: Int32(base)), view)
      } else if isVisible {
        addSoup(mesh, piece, view, shade, offset: offset, first..<end)
      }
      first = end
    }
  }
}

/// What `prepare` needs of the camera.
struct LineView {
  let projection: Projection
  let width: Float
  let height: Float
  let rows: Int
  let pixelRatio: Double
  let unitsPerPixel: Double
  private let frame: FrameView

  init(projection: Projection, width: Int, height: Int, style: LineStyle) {
    self.projection = projection
    self.width = Float(width)
    self.height = Float(height)
    rows = height
    frame = FrameView(projection, width: width, height: height)
    pixelRatio = Double(style.pixelRatio)
    unitsPerPixel = style.unitsPerPixel
  }

  /// Whether nothing of a piece is in the frame, where nothing is in perspective.
  /// - Parameter reach: logical pixels that it goes past its points.
  @inline(__always)
  func misses(_ box: LineBox, reach: Float) -> Bool {
    frame.misses(
      middle: SIMD2<Double>(box.middle), half: SIMD2<Double>(box.half) + Double(reach) * unitsPerPixel)
  }

  /// Tile units by which `line-offset` moves a vertex: along its extrusion, turned back where that leans to a
  /// cap's end.
  func offset(_ vertex: LineVertex, _ offset: Float) -> SIMD2<Double> {
    let u = 0.5 * Double(vertex.direction)
    let t = 1 - abs(u)
    let e =
      SIMD2(Double(vertex.extrude.x), Double(vertex.extrude.y))
      * (-Double(offset) * unitsPerPixel * (vertex.isUp ? 1 : -1))
    return SIMD2(e.x * t - e.y * u, e.x * u + e.y * t)
  }
}
