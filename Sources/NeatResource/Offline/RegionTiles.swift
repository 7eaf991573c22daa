import NeatBase
import NeatStore
import NeatStyle
import NeatTile

/// The tiles of one source that a region needs. They are counted without being listed, and listed one by one.
struct RegionTiles: Sendable {
  private(set) var tileSet: TileSet
  private(set) var zooms: ClosedRange<UInt8>?
  let area: RegionArea
  let pixelRatio: Double

  /// Boxes that counting looks at for one zoom.
  private static let boxLimit = 1 << 20

  init(_ tileSet: TileSet, _ source: SourceSpec, _ definition: OfflineRegionDefinition, _ area: RegionArea) {
    self.tileSet = tileSet
    self.area = area
    pixelRatio = definition.pixelRatio
    zooms = RegionTiles.zooms(tileSet, source, definition)
  }

  /// Past a source's deepest zoom maps draw from its deepest tiles: these are needed then.
  private static func zooms(
    _ tileSet: TileSet, _ source: SourceSpec, _ definition: OfflineRegionDefinition
  ) -> ClosedRange<UInt8>? {
    func level(_ zoom: Double) -> UInt8 {
      var zoom = min(zoom, Double(TileID.maxZoom))
      // As maps choose: pictures by the nearest zoom and the size of their tiles, all else by the one below.
      switch source.kind {
      case .raster, .rasterDEM:
        zoom = (zoom + log2(TileUnits.pixels / tileSet.tileSize)).rounded(.toNearestOrAwayFromZero)
      default: zoom.round(.down)
      }
      return UInt8(saturating: min(max(zoom, 0), Double(TileID.maxZoom)))
    }
    let high = min(level(definition.maxZoom), tileSet.maxZoom)
    let low = min(max(level(definition.minZoom), tileSet.minZoom), tileSet.maxZoom)
    return low <= high ? low...high : nil
  }

  /// What tells these tiles from others in the database.
  var identity: [String] {
    [tileSet.templates.first ?? "", tileSet.isTMS ? "tms" : "xyz"]
  }

  /// Takes over what another source of the same tiles needs.
  mutating func unite(_ other: RegionTiles) {
    if let mine = zooms, let others = other.zooms {
      zooms = min(mine.lowerBound, others.lowerBound)...max(mine.upperBound, others.upperBound)
    } else {
      zooms = zooms ?? other.zooms
    }
    guard let mine = tileSet.bounds, let others = other.tileSet.bounds, mine == others else {
      tileSet.bounds = nil
      return
    }
  }

  /// The tiles that the source has by its bounds; nil where it says nothing that is a box.
  private func limits(_ zoom: UInt8) -> [TileBox]? {
    guard let bounds = tileSet.bounds else { return nil }
    let held: TileBox.Bounds = (
      max(bounds.west, -180), max(bounds.south, -90), min(bounds.east, 180), min(bounds.north, 90)
    )
    guard (try? TileBox.check(held)) != nil else { return nil }
    return TileBox.covering(held, zoom)
  }

  func cover(_ zoom: UInt8) -> RegionCover { area.cover(zoom, within: limits(zoom)) }

  /// `isWanted` is asked between boxes; where it is false the count ends, and says nothing.
  func count(while isWanted: () -> Bool = { true }) -> (tiles: Int64, isPrecise: Bool) {
    guard let zooms else { return (0, true) }
    var sum: Int64 = 0
    var isPrecise = true
    for zoom in zooms {
      let (tiles, isWhole) = RegionCover.count(cover(zoom), limit: RegionTiles.boxLimit, while: isWanted)
      let (next, isOver) = sum.addingReportingOverflow(Int64(clamping: tiles))
      sum = isOver ? .max : next
      isPrecise = isPrecise && isWhole
    }
    return (sum, isPrecise)
  }

  func request(_ tile: TileID) -> ResourceRequest? { tileSet.request(tile, pixelRatio: pixelRatio) }
}

/// The requests of a source's tiles, lower zooms first.
struct RegionTileRequests: IteratorProtocol {
  private let tiles: RegionTiles
  private var zoom: UInt8
  private let last: UInt8
  private var cover: RegionCover
  private var box: TileBox?
  private var x: UInt32 = 0
  private var y: UInt32 = 0

  init?(_ tiles: RegionTiles) {
    guard let zooms = tiles.zooms else { return nil }
    self.tiles = tiles
    zoom = zooms.lowerBound
    last = zooms.upperBound
    cover = tiles.cover(zoom)
  }

  mutating func next() -> ResourceRequest? {
    while true {
      if let box {
        let tile = TileID(z: zoom, x: x, y: y)
        if x < box.maxX {
          x += 1
        } else if y < box.maxY {
          (x, y) = (box.minX, y + 1)
        } else {
          self.box = nil
        }
        return tiles.request(tile)
      }
      if let next = cover.next() {
        box = next
        (x, y) = (next.minX, next.minY)
      } else if zoom < last {
        zoom += 1
        cover = tiles.cover(zoom)
      } else {
        return nil
      }
    }
  }
}
