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
  let scratch = PathScratch()
  private let right: Float
  private let bottom: Float

  package init(view: PlacementView) {
    self.view = view
    let width = Float(view.width), height = Float(view.height)
    grid = CollisionGrid(
      width: width + 2 * CollisionIndex.padding, height: height + 2 * CollisionIndex.padding)
    ignored = CollisionGrid(
      width: width + 2 * CollisionIndex.padding, height: height + 2 * CollisionIndex.padding)
    right = width + CollisionIndex.padding
    bottom = height + CollisionIndex.padding
  }

  @inline(__always) func isOffscreen(_ r: CollisionRect) -> Bool {
    r.x2 < CollisionIndex.padding || r.x1 >= right || r.y2 < CollisionIndex.padding || r.y1 > bottom
  }

  @inline(__always) func isInsideGrid(_ r: CollisionRect) -> Bool {
    r.x2 >= 0 && r.x1 < grid.width && r.y2 >= 0 && r.y1 < grid.height
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
    let rect =
      frame.pitchWithMap || frame.rotateWithMap
      ? turnedRect(box, place, clip, ratio, frame, shift)
      : upright(box, view.screen(clip), ratio, shift ?? .zero)
    guard ratio >= CollisionIndex.perspectiveCutoff, isInsideGrid(rect),
      !grid.hitTest(rect, mode: mode, group: group)
    else {
      return PlacedBox(rect: rect, isPlaceable: false, isOffscreen: false)
    }
    return PlacedBox(rect: rect, isPlaceable: true, isOffscreen: isOffscreen(rect))
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
  private func turnedRect(
    _ box: CollisionRect, _ place: SIMD2<Double>, _ clip: SIMD4<Double>, _ ratio: Double, _ frame: BoxFrame,
    _ shift: SIMD2<Float>?
  ) -> CollisionRect {
    var east = SIMD2(1.0, 0.0), south = SIMD2(0.0, 1.0)
    let origin = view.screen(clip)
    var base = origin
    var scale = ratio
    if frame.pitchWithMap {
      if !frame.rotateWithMap { (east, south) = view.screenAxesOnMap }
      base = place
      scale = frame.tile.tileUnitsPerPixel(zoom: view.zoom)
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
    let p = Double(CollisionIndex.padding)
    return CollisionRect(Float(low.x + p), Float(low.y + p), Float(high.x + p), Float(high.y + p))
  }
}
