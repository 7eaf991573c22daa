import NeatBase
import NeatCamera
import NeatMap
import NeatRaster
import NeatStyle

/// What pictures take while they are drawn. Swift ends the process where memory is refused: a picture that will not
/// fit is refused before it begins. What it is drawn of counts besides, as it comes (`MemoryBudget`).
package enum PictureMemory {
  /// What of a style says how much its pictures take.
  package struct Needs: Sendable {
    fileprivate let heatmapCount: Int
    fileprivate let hasExtrusions: Bool
    /// Bytes a pixel of the pictures beside a band: of layers that are blended as a whole, of what has fog before
    /// it, of the places of a globe's ground.
    fileprivate let besideBytes: Int

    package init(_ style: Style) {
      heatmapCount = style.layers.count { $0.type == .heatmap }
      hasExtrusions = style.layers.contains { $0.type == .fillExtrusion }
      let isApart = style.layers.contains { layer in
        switch layer.type {
        case .fill: layer.isSet(.fillLayerOpacity)
        case .line: layer.isSet(.lineLayerOpacity)
        default: false
        }
      }
      let isGlobe = style.projection.isSet(.projectionType)
      besideBytes = (isApart ? 4 : 0) + (style.fog != nil ? 4 : 0) + (isGlobe ? 32 : 0)
    }
  }

  /// Bytes that a picture needs before anything is loaded for it, roughly: the bitmap, fields of heatmaps, and, for
  /// the bands under way, depths of extrusions and pictures beside them.
  package static func estimate(_ needs: Needs, _ size: ViewSize, width: Int, hasPixels: Bool) -> Int {
    var bytes = Frame.baseBytes
    guard hasPixels else { return bytes }
    let (columns, rows) = (size.deviceWidth, size.deviceHeight)
    bytes += 4 * columns * rows
    let side = HeatField.cellSize
    bytes += needs.heatmapCount * 4 * (columns / side + 1) * (rows / side + 1)
    // Of an extrusion a depth, a colour and a place of samples for each pixel of a band, and samples for half of
    // them.
    let band = (needs.hasExtrusions ? 32 : 0) + needs.besideBytes
    return bytes + band * columns * (width == 1 ? rows : min(rows, width * FrameBands.mostRows))
  }

  /// Draws with the memory set aside. Throws `outOfMemory` before the body begins.
  package static func reserving<T>(
    _ count: Int, _ budget: MemoryBudget, for what: @autoclosure () -> String,
    _ body: () throws(NeatError) -> T
  ) throws(NeatError) -> T {
    let hold = try budget.take(count, for: what())
    defer { withExtendedLifetime(hold) {} }
    return try body()
  }

  /// Does a part of a picture with more memory set aside, where there is as much: the body gets whether.
  ///
  /// - Parameter drawn: bytes that are set aside for the picture.
  package static func sparing<T>(
    _ count: Int, besides drawn: Int, _ budget: MemoryBudget, _ body: (Bool) throws(NeatError) -> T
  ) throws(NeatError) -> T {
    guard count > 0, ProcessMemory.has(drawn + count), let hold = budget.takeSpare(count) else {
      return try body(false)
    }
    defer { withExtendedLifetime(hold) {} }
    return try body(true)
  }
}
