// What stands on the screen: two grids over the viewport and 100 px around it. Symbols are tested against the
// first one; those with *-ignore-placement go to the second, which only queries read. After MapLibre's
// CollisionIndex.
import NeatBase

/// The outcome of a test. The rectangle is in grid pixels: screen pixels plus the padding.
package struct PlacedBox: Sendable {
  package var rect: CollisionRect
  package var isPlaceable: Bool
  /// Lies in the padding around the screen only.
  package var isOffscreen: Bool
  /// Lies behind a globe's horizon.
  package var isHidden = false
}

package struct CollisionIndex: ~Copyable {
  /// Pixels around the viewport in which symbols are placed too, so that most of the changes on panning
  /// happen out of sight.
  package static let padding: Float = 100
  /// Symbols further away than this share of the perspective are not drawn.
  package static let perspectiveCutoff = 0.6

  package let view: PlacementView
  private var grid: CollisionGrid
  private var ignored: CollisionGrid
  /// Whether shapes lie on a grid of 32nds of a pixel, and no edge of the view counts: what becomes of labels is then
  /// the same in all views that know them.
  let snaps: Bool
  let scratch = PathScratch()
  private let right: Float
  private let bottom: Float

  package init(view: PlacementView, snaps: Bool = false) {
    (self.view, self.snaps) = (view, snaps)
    let width = Float(view.width), height = Float(view.height)
    grid = CollisionGrid(
      width: width + 2 * CollisionIndex.padding, height: height + 2 * CollisionIndex.padding,
      isBounded: !snaps)
    ignored = CollisionGrid(
      width: width + 2 * CollisionIndex.padding, height: height + 2 * CollisionIndex.padding,
      isBounded: !snaps)
    right = width + CollisionIndex.padding
    bottom = height + CollisionIndex.padding
  }

  /// Forgets what stands.
  mutating func removeAll() {
    grid.removeAll()
    ignored.removeAll()
  }

  /// The nearest 32nd of a pixel. What lies in the middle between two, give or take the noise of views that are whole
  /// pixels apart, goes the same way in all of them.
  @inline(__always) package static func snap(_ value: SIMD2<Double>) -> SIMD2<Double> {
    (value * 32 + (0.5 + 1e-6)).rounded(.down) / 32
  }

  @inline(__always) func isOffscreen(_ r: CollisionRect) -> Bool {
    r.x2 < CollisionIndex.padding || r.x1 >= right || r.y2 < CollisionIndex.padding || r.y1 > bottom
  }

  @inline(__always) func isInsideGrid(_ r: CollisionRect) -> Bool {
    snaps || (r.x2 >= 0 && r.x1 < grid.width && r.y2 >= 0 && r.y1 < grid.height)
  }

  package mutating func insert(_ rect: CollisionRect, ignored isIgnored: Bool, key: CollisionKey) {
    if isIgnored { ignored.insert(rect, key: key) } else { grid.insert(rect, key: key) }
  }

  package mutating func insertCircle(_ circle: SIMD3<Float>, ignored isIgnored: Bool, key: CollisionKey) {
    if isIgnored {
      ignored.insertCircle(x: circle.x, y: circle.y, radius: circle.z, key: key)
    } else {
      grid.insertCircle(x: circle.x, y: circle.y, radius: circle.z, key: key)
    }
  }

  @inline(__always) func hitTestCircle(_ circle: SIMD3<Float>, mode: OverlapMode, group: Int32) -> Bool {
    grid.hitTestCircle(x: circle.x, y: circle.y, radius: circle.z, mode: mode, group: group)
  }

  /// The symbols whose shapes meet a rectangle of the screen (pixels), those that ignore placement included.
  package func query(_ rect: CollisionRect, within outline: [SIMD2<Float>]? = nil) -> [CollisionKey] {
    let p = CollisionIndex.padding
    let shifted = CollisionRect(rect.x1 + p, rect.y1 + p, rect.x2 + p, rect.y2 + p)
    let polygon = outline.map { CollisionPolygon($0.map { $0 + SIMD2(p, p) }) }
    return grid.query(shifted, within: polygon) + ignored.query(shifted, within: polygon)
  }

  /// How a box around an anchor is turned into the screen.
  package struct BoxFrame: Sendable {
    package var tile: PlacementTile
    package var translation: SIMD2<Double>
    package var pitchWithMap: Bool
    package var rotateWithMap: Bool

    package init(
      tile: PlacementTile, translation: SIMD2<Double> = .zero, pitchWithMap: Bool, rotateWithMap: Bool
    ) {
      self.tile = tile
      self.translation = translation
      self.pitchWithMap = pitchWithMap
      self.rotateWithMap = rotateWithMap
    }
  }

  /// Tests whether a box has room.
  /// - Parameters:
  ///   - box: pixels around the anchor.
  ///   - anchor: tile units.
  ///   - shift: of a variable anchor, in the box's axes and pixels; nil where there is none.
  ///   - group: below 0 to collide with all groups.
  package func place(
    _ box: CollisionRect, anchor: SIMD2<Float>, frame: BoxFrame, shift: SIMD2<Float>? = nil,
    mode: OverlapMode, group: Int32
  ) -> PlacedBox {
    let place = widen(anchor) + frame.translation
    let clip = frame.tile.matrix.clip(place)
    guard clip.w > 0 else { return PlacedBox(rect: box, isPlaceable: false, isOffscreen: false) }
    let ratio = view.perspectiveRatio(clip.w)
    let rect = rect(box, place, clip, ratio, frame, shift)
    if frame.tile.matrix.globe != nil, isHidden(box, place, clip, frame, shift ?? .zero) {
      return PlacedBox(rect: rect, isPlaceable: false, isOffscreen: false, isHidden: true)
    }
    guard ratio >= CollisionIndex.perspectiveCutoff, isInsideGrid(rect),
      !grid.hitTest(rect, mode: mode, group: group)
    else {
      return PlacedBox(rect: rect, isPlaceable: false, isOffscreen: false)
    }
    return PlacedBox(rect: rect, isPlaceable: true, isOffscreen: isOffscreen(rect))
  }

  /// Where a box lies on the screen; nil behind the eye.
  func rect(_ box: CollisionRect, anchor: SIMD2<Float>, frame: BoxFrame, shift: SIMD2<Float>?)
    -> CollisionRect?
  {
    let place = widen(anchor) + frame.translation
    let clip = frame.tile.matrix.clip(place)
    guard clip.w > 0 else { return nil }
    return rect(box, place, clip, view.perspectiveRatio(clip.w), frame, shift)
  }

  /// Whether shapes have room where they are.
  func hasRoom(_ rect: CollisionRect, mode: OverlapMode, group: Int32) -> Bool {
    !grid.hitTest(rect, mode: mode, group: group)
  }

  @inline(__always)
  private func rect(
    _ box: CollisionRect, _ place: SIMD2<Double>, _ clip: SIMD4<Double>, _ ratio: Double, _ frame: BoxFrame,
    _ shift: SIMD2<Float>?
  ) -> CollisionRect {
    let isTurned = frame.pitchWithMap || frame.rotateWithMap
    let p = Double(CollisionIndex.padding)
    if snaps {
      // Around the corner of its tile all views have the same numbers; and that lies on a grid that all of them have.
      let anchor = view.screen(clip)
      var (low, high) = (SIMD2(Double(box.x1), Double(box.y1)), SIMD2(Double(box.x2), Double(box.y2)))
      if isTurned {
        let turned = turnedBounds(box, place, clip, ratio, frame, shift)
        (low, high) = (turned.low - anchor, turned.high - anchor)
      } else {
        (low, high) = ((low + widen(shift ?? .zero)) * ratio, (high + widen(shift ?? .zero)) * ratio)
      }
      let point = CollisionIndex.snap(anchor) + frame.tile.origin + p
      (low, high) = (point + CollisionIndex.snap(low), point + CollisionIndex.snap(high))
      return CollisionRect(Float(low.x), Float(low.y), Float(high.x), Float(high.y))
    }
    guard isTurned else { return upright(box, view.screen(clip), ratio, shift ?? .zero) }
    let (low, high) = turnedBounds(box, place, clip, ratio, frame, shift)
    return CollisionRect(Float(low.x + p), Float(low.y + p), Float(high.x + p), Float(high.y + p))
  }

  /// Whether a globe hides a box: all of it where it lies on the ground, else its anchor.
  private func isHidden(
    _ box: CollisionRect, _ place: SIMD2<Double>, _ clip: SIMD4<Double>, _ frame: BoxFrame,
    _ shift: SIMD2<Float>
  ) -> Bool {
    let matrix = frame.tile.matrix
    guard matrix.isHidden(clip), frame.pitchWithMap else { return matrix.isHidden(clip) }
    var east = SIMD2(1.0, 0.0), south = SIMD2(0.0, 1.0)
    if !frame.rotateWithMap { (east, south) = view.screenAxesOnMap }
    let scale = frame.tile.tileUnitsPerPixel(zoom: view.zoom) * matrix.stretch(place)
    for x in [box.x1, (box.x1 + box.x2) / 2, box.x2] {
      for y in [box.y1, (box.y1 + box.y2) / 2, box.y2] {
        let corner = place + (east * Double(x + shift.x) + south * Double(y + shift.y)) * scale
        if !matrix.isHidden(matrix.clip(corner)) { return false }
      }
    }
    return true
  }

  @inline(__always)
  private func upright(_ box: CollisionRect, _ point: SIMD2<Double>, _ ratio: Double, _ shift: SIMD2<Float>)
    -> CollisionRect
  {
    let scale = Float(ratio)
    let x = Float(point.x) + CollisionIndex.padding + shift.x * scale,
      y = Float(point.y) + CollisionIndex.padding + shift.y * scale
    return CollisionRect(x + box.x1 * scale, y + box.y1 * scale, x + box.x2 * scale, y + box.y2 * scale)
  }

  /// The bounds on the screen of a box that turns or tilts with the map.
  private func turnedBounds(
    _ box: CollisionRect, _ place: SIMD2<Double>, _ clip: SIMD4<Double>, _ ratio: Double, _ frame: BoxFrame,
    _ shift: SIMD2<Float>?
  ) -> (low: SIMD2<Double>, high: SIMD2<Double>) {
    var east = SIMD2(1.0, 0.0), south = SIMD2(0.0, 1.0)
    let origin = view.screen(clip)
    var base = origin
    var scale = ratio
    if frame.pitchWithMap {
      if !frame.rotateWithMap { (east, south) = view.screenAxesOnMap }
      base = place
      scale = frame.tile.tileUnitsPerPixel(zoom: view.zoom) * frame.tile.matrix.stretch(place)
      // Texts that lie on the map are drawn larger in the distance than it shows them; those with variable anchors
      // are placed as if they were not.
      if shift == nil { scale *= min(max(0.5 + 0.5 * (clip.w / view.cameraToCenterDistance), 0), 4) }
    } else {
      let other = frame.tile.matrix.clip(place + SIMD2(1, 0))
      let direction = other.w > 0 ? view.screen(other) - origin : east
      let size = length(direction)
      if size > 0 { east = direction / size }
      south = perpendicular(east)
    }
    let shift = shift ?? .zero
    base += (east * Double(shift.x) + south * Double(shift.y)) * scale
    var low = SIMD2(Double.infinity, .infinity), high = -low
    let middleX = (box.x1 + box.x2) / 2, middleY = (box.y1 + box.y2) / 2
    /// A corner, or the middle of a side.
    func add(_ x: Float, _ y: Float) {
      var point = base + (east * Double(x) + south * Double(y)) * scale
      if frame.pitchWithMap {
        let corner = frame.tile.matrix.clip(point)
        guard corner.w > 0 else { return }
        point = view.screen(corner)
      }
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    add(box.x1, box.y1)
    add(middleX, box.y1)
    add(box.x2, box.y1)
    add(box.x2, middleY)
    add(box.x2, box.y2)
    add(middleX, box.y2)
    add(box.x1, box.y2)
    add(box.x1, middleY)
    return (low, high)
  }
}
