import NeatBase
import NeatCamera
import NeatMap
import NeatRaster
import NeatStyle
import Synchronization

/// What pictures take while they are drawn, and what they may. Swift ends the process where memory is
/// refused: a picture that will not fit is refused before it begins.
package enum PictureMemory {
  /// Bytes for any picture: bands, commands, glyphs.
  private static let base = 4 << 20
  /// Bytes for a tile of one source in view, decoded and laid out.
  private static let tile = 512 << 10

  /// What of a style says how much its pictures take.
  package struct Needs: Sendable {
    fileprivate let heatmapCount: Int
    fileprivate let hasExtrusions: Bool
    fileprivate let sourceCount: Int

    package init(_ style: Style) {
      heatmapCount = style.layers.count { $0.type == .heatmap }
      hasExtrusions = style.layers.contains { $0.type == .fillExtrusion }
      sourceCount = max(1, style.sources.count { $0.hasTiles || $0.geojson != nil })
    }
  }

  /// Bytes that a picture needs, roughly: the bitmap, depths of extrusions for the bands under way, fields of
  /// heatmaps, tiles in view.
  package static func estimate(
    _ needs: Needs, _ size: ViewSize, labelMargin: Int, width: Int, hasPixels: Bool
  ) -> Int {
    let (columns, rows) = (size.deviceWidth, size.deviceHeight)
    var bytes = base
    if hasPixels {
      bytes += 4 * columns * rows
      let side = HeatField.cellSize
      bytes += needs.heatmapCount * 4 * (columns / side + 1) * (rows / side + 1)
      if needs.hasExtrusions {
        // A depth, a colour and a place of samples for each pixel of a band, and samples for half of them.
        bytes += 32 * columns * (width == 1 ? rows : min(rows, width * FrameBands.mostRows))
      }
    }
    // As if none stood on an edge.
    let margin = 2 * labelMargin
    let edge = Int(bounded: TileUnits.pixels)
    let tiles = ((size.width + margin) / edge + 1) * ((size.height + margin) / edge + 1)
    return bytes + tiles * tile * needs.sourceCount
  }

  /// What a renderer has set aside for its pictures under way.
  package final class Ledger: Sendable {
    private let bytes = Atomic(0)
    package init() {}

    /// Sets bytes aside; or the bytes that are left, fewer than asked for.
    fileprivate func take(_ count: Int, limit: Int) -> Int? {
      var taken = bytes.load(ordering: .relaxed)
      while true {
        let left = max(0, limit - taken)
        guard count <= left else { return left }
        let (isDone, now) = bytes.compareExchange(expected: taken, desired: taken + count, ordering: .relaxed)
        if isDone { return nil }
        taken = now
      }
    }

    fileprivate func giveBack(_ count: Int) { bytes.subtract(count, ordering: .relaxed) }
  }

  /// Of all renderers and maps of the process. A child of a fork begins with none under way.
  private static let ledgers = PerProcess(Ledger())

  /// Three quarters of what the process may have.
  package static var standardLimit: Int { ProcessMemory.allowed / 4 * 3 }

  /// Draws with the memory set aside.
  ///
  /// - Parameter limit: bytes that the pictures of the ledger may take together; 0: the standard limit, which
  ///   holds for all ledgers of the process too.
  /// - Throws: `outOfMemory` before the body begins.
  package static func reserving<T>(
    _ count: Int, _ ledger: Ledger, limit: UInt64, for what: @autoclosure () -> String,
    _ body: () throws(NeatError) -> T
  ) throws(NeatError) -> T {
    let standard = standardLimit
    let own = limit == 0 ? standard : Int(clamping: limit)
    if let left = ledger.take(count, limit: own) { throw refusal(what(), count, left, own) }
    defer { ledger.giveBack(count) }
    let shared = ledgers.get { _ in Ledger() }
    let all = max(own, standard)
    if let left = shared.take(count, limit: all) { throw refusal(what(), count, left, all) }
    defer { shared.giveBack(count) }
    try ProcessMemory.require(count, for: what())
    return try body()
  }

  /// Does a part of a picture with more memory set aside, where there is as much: the body gets whether.
  ///
  /// - Parameter drawn: bytes that are set aside for the picture.
  package static func sparing<T>(
    _ count: Int, besides drawn: Int, _ ledger: Ledger, limit: UInt64,
    _ body: (Bool) throws(NeatError) -> T
  ) throws(NeatError) -> T {
    let standard = standardLimit
    let own = limit == 0 ? standard : Int(clamping: limit)
    guard count > 0, ProcessMemory.has(drawn + count), ledger.take(count, limit: own) == nil else {
      return try body(false)
    }
    defer { ledger.giveBack(count) }
    let shared = ledgers.get { _ in Ledger() }
    guard shared.take(count, limit: max(own, standard)) == nil else { return try body(false) }
    defer { shared.giveBack(count) }
    return try body(true)
  }

  private static func refusal(_ what: String, _ count: Int, _ left: Int, _ limit: Int) -> NeatError {
    NeatError(
      .outOfMemory,
      "\(what) needs \(count) bytes, and \(left) are left of the limit of \(limit) for pictures under way")
  }
}
