// Polygons, brought to frame pixels once a frame, as 24.8 fixed point, and then drawn band by band. Those of
// all tiles and layers stand in the same memory. Rings whose coordinates leave the guard square, or pass behind
// the camera, are clipped in homogeneous coordinates; all others only map and round.

import NeatBase

/// Polygons in tile units, as a bucket keeps them. Ring `r` owns the points `ringStarts[r]..<ringStarts[r +
/// 1]` (no closing point needed), feature `f` the rings `featureRings[f]..<featureRings[f + 1]`. The memory
/// stays the caller's, and must live while the value is used.
package struct FillGeometry: @unchecked Sendable {  // what it points to is not written to
  package enum Points {
    case integer(UnsafePointer<SIMD2<Int32>>)
    case float(UnsafePointer<SIMD2<Float>>)
    /// Pixels already: (x·w, y·w, w).
    case homogeneous(UnsafePointer<SIMD4<Double>>)
  }

  package let points: Points
  package let ringStarts: UnsafePointer<UInt32>
  package let featureRings: UnsafePointer<UInt32>
  package let featureCount: Int
  /// Which features to draw, in order; nil: the first `featureCount`.
  package let selection: UnsafePointer<UInt32>?
  /// The boxes of the features to draw, x0, y0, x1, y1, by which those far outside of the frame are known; nil:
  /// their points are looked at.
  package let boxes: UnsafePointer<SIMD4<Int32>>?

  package init(
    points: Points, ringStarts: UnsafePointer<UInt32>, featureRings: UnsafePointer<UInt32>, featureCount: Int,
    selection: UnsafePointer<UInt32>? = nil, boxes: UnsafePointer<SIMD4<Int32>>? = nil
  ) {
    self.selection = selection
    self.boxes = boxes
    self.points = points
    self.ringStarts = ringStarts
    self.featureRings = featureRings
    assert(featureCount >= 0, "fewer than no features")
    self.featureCount = featureCount
  }
}

/// A feature as it lies in the frame.
package struct FillItem: BitwiseCopyable {
  /// Rings of the frame.
  var firstRing: Int32
  var endRing: Int32
  /// Runs of the frame; none of a shape that has none.
  var firstRun: Int32 = 0
  var endRun: Int32 = 0
  /// Bounds in 1/256 pixel.
  var minX, minY, maxX, maxY: Int32
  /// The feature of the geometry, which picks its paint.
  var feature: Int32
}

/// Polygons in frame pixels: part of what the shapes of a frame are. Any number of threads may draw from it, once
/// all of the frame's shapes are made.
package struct FillFrame: Sendable {
  let shapes: FillShapes
  /// Of the shapes' items.
  let items: Range<Int>
  /// Whether its rings are open lines, of which outlines alone are drawn.
  let isOpen: Bool
  /// Of the plane that they lie in, where the view is tilted; nil also on a globe, where edges are short.
  let depth: ScreenDepth?
  /// The first and the last row that they may touch.
  package let rows: FrameRows

  /// The geometry seen through `projection`, without the features that do not come within a pixel of columns
  /// `0..<width`, rows `0..<height`.
  /// - Parameter shapes: those of the frame, which it is added to.
  package init(
    _ geometry: FillGeometry, _ projection: Projection, width: Int, height: Int,
    in shapes: FillShapes = FillShapes(), isOpen: Bool = false
  ) {
    self.shapes = shapes
    self.isOpen = isOpen
    if case .homogeneous = geometry.points { depth = nil } else { depth = ScreenDepth(projection) }
    let first = shapes.contents.items.count
    shapes.contents.rows = .none
    switch geometry.points {
    case .integer(let points):
      shapes.contents.add(geometry, projection, width, height) { SIMD2<Double>(points[$0]) }
    case .float(let points):
      shapes.contents.add(geometry, projection, width, height) {
        SIMD2<Double>(Double(points[$0].x), Double(points[$0].y))
      }
    case .homogeneous(let points):
      shapes.contents.add(homogeneous: points, geometry, width, height, isOpen: isOpen)
    }
    items = first..<shapes.contents.items.count
    rows = shapes.contents.rows
  }

  /// Features that reach the frame.
  package var featureCount: Int { items.count }
}

/// The polygons of all layers and tiles of a frame, in one place, which serves for one frame after the other.
/// One thread adds; when all is there, any number may draw.
package final class FillShapes: @unchecked Sendable {
  @exclusivity(unchecked) fileprivate(set) var contents = FillContents()

  package init() {}

  /// Empties it, and keeps its memory. Nothing that was made in it may be drawn any more.
  package func removeAll() {
    contents.points.removeAll()
    contents.ringStarts.removeAll()
    contents.items.removeAll()
    contents.runs.removeAll()
    contents.costs.removeAll()
  }

  /// Adds what they cost to draw, by steps of rows.
  package func addCosts(to sums: inout [Float]) { contents.costs.add(to: &sums) }

  /// Bytes that it holds.
  package var byteCount: Int {
    contents.points.heldBytes
      + contents.ringStarts.heldBytes
      + contents.items.heldBytes
      + contents.runs.heldBytes
      + contents.costs.heldBytes
  }
}

/// Brings polygons to frame pixels.
struct FillContents: ~Copyable {
  var points = GrowingBuffer<SIMD2<Int32>>()
  var ringStarts = GrowingBuffer<Int32>()
  var items = GrowingBuffer<FillItem>()
  var runs = GrowingBuffer<FillRun>()
  var costs = RowCosts()
  /// Of what was added since it was emptied.
  var rows = FrameRows.none

  /// Nanoseconds, about: of an edge filled and outlined, of a row between two of them.
  private static let pointCost: Float = 50
  private static let rowCost: Float = 30

  @inline(__always)
  fileprivate mutating func add(
    _ geometry: FillGeometry, _ projection: Projection, _ width: Int, _ height: Int,
    _ load: (Int) -> SIMD2<Double>
  ) {
    let isAffine = projection.isAffine
    let limit = SIMD2<Double>(SIMD2(width, height)) + 1
    let column0 = SIMD2(projection.xx, projection.yx)
    let column1 = SIMD2(projection.xy, projection.yy)
    let origin = SIMD2(projection.x0, projection.y0)
    let view = FrameView(projection, width: width, height: height)
    for feature in 0..<geometry.featureCount {
      if isAffine, let box = geometry.boxes?[feature], view.misses(box) { continue }
      let source = geometry.selection.map { Int($0[feature]) } ?? feature
      let rings = Int(geometry.featureRings[source])..<Int(geometry.featureRings[source + 1])
      if rings.isEmpty { continue }
      assert(
        geometry.ringStarts[rings.lowerBound] <= geometry.ringStarts[rings.upperBound], "rings that fall")
      let all = Int(geometry.ringStarts[rings.lowerBound])..<Int(geometry.ringStarts[rings.upperBound])
      if all.count < 3 { continue }
      var low = SIMD2<Double>(repeating: .infinity)
      var high = SIMD2<Double>(repeating: -.infinity)
      if isAffine {
        // Becomes not-a-number with the first coordinate that is not finite.
        var poison = SIMD2<Double>.zero
        let out = points.extend(all.count)
        Tally.add(.fillPoints, all.count)
        for index in all {
          let tile = load(index)
          let pixel = column0 * tile.x + column1 * tile.y + origin
          // What is no number changes neither, and poisons.
          low.replace(with: pixel, where: pixel .< low)
          high.replace(with: pixel, where: pixel .> high)
          poison += pixel * 0
          out[index &- all.lowerBound] = fixed256(pixel)
        }
        let bound = HomogeneousClip.guardPixels
        let fits = low.x >= -bound && low.y >= -bound && high.x <= bound && high.y <= bound
        let visible = poison == .zero && high.x >= -1 && high.y >= -1 && low.x <= limit.x && low.y <= limit.y
        if fits && visible {
          let base = points.count - all.count - all.lowerBound
          append(feature: feature, rings: rings, base: base, starts: geometry.ringStarts, low, high, height)
          continue
        }
        points.removeLast(all.count)
        // Not visible, or not a number.
        if !visible { continue }
      }
      appendClipped(
        feature: feature, rings: rings, starts: geometry.ringStarts, limit: limit, height: height
      ) { index in
        let tile = load(index)
        return projection.homogeneous(tile.x, tile.y)
      }
    }
    closeRings()
    assert(
      items.count == 0 || items[items.count - 1].endRing < ringStarts.count, "rings of no feature")
  }

  /// What is in pixels already, as the globe's shapes are.
  fileprivate mutating func add(
    homogeneous points: UnsafePointer<SIMD4<Double>>, _ geometry: FillGeometry, _ width: Int, _ height: Int,
    isOpen: Bool
  ) {
    let limit = SIMD2<Double>(SIMD2(width, height)) + 1
    for feature in 0..<geometry.featureCount {
      let rings = Int(geometry.featureRings[feature])..<Int(geometry.featureRings[feature + 1])
      if rings.isEmpty { continue }
      appendClipped(
        feature: feature, rings: rings, starts: geometry.ringStarts, limit: limit, height: height,
        isOpen: isOpen
      ) { points[$0] }
    }
    closeRings()
  }

  private mutating func append(
    feature: Int, rings: Range<Int>, base: Int, starts: UnsafePointer<UInt32>, _ low: SIMD2<Double>,
    _ high: SIMD2<Double>, _ height: Int
  ) {
    let firstRing = ringStarts.count
    let out = ringStarts.extend(rings.count)
    for ring in rings { out[ring - rings.lowerBound] = Int32(truncatingIfNeeded: Int(starts[ring]) + base) }
    append(feature, firstRing: firstRing, low, high, height: height, isOpen: false)
  }

  /// Adds the feature whose rings, from `firstRing` on, and points are there already.
  private mutating func append(
    _ feature: Int, firstRing: Int, _ low: SIMD2<Double>, _ high: SIMD2<Double>, height: Int,
    isOpen: Bool
  ) {
    let (a, b) = (fixed256(low), fixed256(high))
    let firstRun = runs.count
    let pointCount = points.count - Int(ringStarts[firstRing])
    if !isOpen, pointCount >= FillRun.leastPoints, b.y &- a.y >= FillRun.leastHeight {
      let starts = UnsafeBufferPointer(rebasing: ringStarts.buffer[firstRing...])
      runs.add(points.base, starts, end: Int32(points.count))
    }
    items.append(
      FillItem(
        firstRing: Int32(firstRing), endRing: Int32(ringStarts.count), firstRun: Int32(firstRun),
        endRun: Int32(runs.count), minX: a.x, minY: a.y, maxX: b.x, maxY: b.y, feature: Int32(feature)))
    // Hairlines go a row past their edges.
    rows.add(Float(low.y) - 2, Float(high.y) + 2)
    let (top, bottom) = (max(0, Float(low.y)), min(Float(height), Float(high.y)))
    costs.add(
      top: top, bottom: bottom, height: height,
      FillContents.pointCost * Float(pointCount) + FillContents.rowCost * max(0, bottom - top))
  }

  private mutating func appendClipped(
    feature: Int, rings: Range<Int>, starts: UnsafePointer<UInt32>, limit: SIMD2<Double>,
    height: Int, isOpen: Bool = false, _ load: (Int) -> SIMD4<Double>
  ) {
    let firstPoint = points.count
    let firstRing = ringStarts.count
    var low = SIMD2<Double>(repeating: .infinity)
    var high = SIMD2<Double>(repeating: -.infinity)
    for ring in rings {
      let source = (Int(starts[ring])..<Int(starts[ring + 1])).map(load)
      // A coordinate that is not a number fails the clip's tests and leaves the ring out.
      guard source.allSatisfy({ ($0.x + $0.y + $0.z).isFinite }) else { continue }
      // Of an open line that needs clipping nothing is left: it would close along the planes.
      if isOpen, !source.allSatisfy(HomogeneousClip.isInside) { continue }
      let clipped = isOpen ? source : HomogeneousClip.ring(source)
      if clipped.count < (isOpen ? 2 : 3) { continue }
      ringStarts.append(Int32(points.count))
      let out = points.extend(clipped.count)
      for index in clipped.indices {
        let pixel = SIMD2(clipped[index].x, clipped[index].y) / clipped[index].z
        low = pointwiseMin(low, pixel)
        high = pointwiseMax(high, pixel)
        out[index] = fixed256(pixel)
      }
    }
    if ringStarts.count == firstRing
      || !(high.x >= -1 && high.y >= -1 && low.x <= limit.x && low.y <= limit.y)
    {
      points.removeLast(points.count - firstPoint)
      ringStarts.removeLast(ringStarts.count - firstRing)
      return
    }
    append(feature, firstRing: firstRing, low, high, height: height, isOpen: isOpen)
  }

  private mutating func closeRings() { ringStarts.append(Int32(points.count)) }
}

/// Rounds to 1/256, ties to even; exact for magnitudes below 2^22. The low word of a double at 2^52 holds the
/// integer.
@inline(__always) func fixed256(_ pixel: SIMD2<Double>) -> SIMD2<Int32> {
  let bits = unsafeBitCast(pixel * 256 + 6_755_399_441_055_744, to: SIMD2<UInt64>.self)
  return SIMD2(Int32(truncatingIfNeeded: bits.x), Int32(truncatingIfNeeded: bits.y))
}

/// The first pixel column whose centre is at or after a coordinate in 1/256 pixel.
@inline(__always) func firstColumn(_ fixed: Int32) -> Int { (Int(fixed) &+ 127) >> 8 }

/// The first pixel row whose centre is after a coordinate in 1/256 pixel. A centre on an edge belongs to the shape
/// above it, since GL's rows run upwards: what is the first of them for GL is the last one here.
@inline(__always) func firstRow(_ fixed: Int32) -> Int { (Int(fixed) &+ 128) >> 8 }
