import NeatBase

/// The fixed first 127 bytes of a PMTiles archive, version 3 (github.com/protomaps/PMTiles, spec/v3/spec.md).
package struct PMTilesHeader: Sendable, Equatable {
  package static let byteCount = 127
  /// Readers fetch this much first: the specification keeps header and root directory within it.
  package static let firstFetch = 16384

  package enum Compression: UInt8, Sendable { case unknown = 0, none, gzip, brotli, zstd }
  package enum TileType: UInt8, Sendable { case unknown = 0, mvt, png, jpeg, webp, avif, mlt }

  package var rootOffset: UInt64
  package var rootLength: UInt64
  package var metadataOffset: UInt64
  package var metadataLength: UInt64
  package var leavesOffset: UInt64
  package var leavesLength: UInt64
  package var tilesOffset: UInt64
  package var tilesLength: UInt64
  package var addressedTiles: UInt64
  package var tileEntries: UInt64
  package var tileContents: UInt64
  package var isClustered: Bool
  package var internalCompression: Compression
  package var tileCompression: Compression
  package var tileType: TileType
  package var minZoom: UInt8
  package var maxZoom: UInt8
  /// West, south, east, north in degrees.
  package var bounds: (Double, Double, Double, Double)
  package var centerZoom: UInt8
  package var center: LonLat

  /// Throws `archive` for bytes that are no PMTiles archive or whose numbers cannot be right, `unsupported` for another version or packing.
  package init(parsing bytes: [UInt8]) throws(NeatError) {
    guard bytes.count >= PMTilesHeader.byteCount else {
      throw NeatError(.archive, "a PMTiles header has 127 bytes, here are \(bytes.count)", offset: bytes.count)
    }
    guard bytes.starts(with: "PMTiles".utf8) else { throw NeatError(.archive, "not a PMTiles archive", offset: 0) }
    guard bytes[7] == 3 else { throw NeatError(.unsupported, "PMTiles version \(bytes[7]) (version 3 is supported)", offset: 7) }
    func u64(_ at: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) } }
    func degrees(_ at: Int) -> Double {
      Double(Int32(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) })) / 1e7
    }
    rootOffset = u64(8)
    rootLength = u64(16)
    metadataOffset = u64(24)
    metadataLength = u64(32)
    leavesOffset = u64(40)
    leavesLength = u64(48)
    tilesOffset = u64(56)
    tilesLength = u64(64)
    addressedTiles = u64(72)
    tileEntries = u64(80)
    tileContents = u64(88)
    isClustered = bytes[96] == 1
    guard let packing = Compression(rawValue: bytes[97]), packing == .none || packing == .gzip else {
      throw NeatError(.unsupported, "directories are packed in a way (\(bytes[97])) that is not supported: none and gzip are", offset: 97)
    }
    internalCompression = packing
    tileCompression = Compression(rawValue: bytes[98]) ?? .unknown
    tileType = TileType(rawValue: bytes[99]) ?? .unknown
    minZoom = bytes[100]
    maxZoom = bytes[101]
    bounds = (degrees(102), degrees(106), degrees(110), degrees(114))
    centerZoom = bytes[118]
    center = LonLat(degrees(119), degrees(123))
    guard minZoom <= maxZoom, maxZoom <= TileID.maxZoom else {
      throw NeatError(.archive, "zooms \(minZoom) to \(maxZoom) are no range within 0 to \(TileID.maxZoom)", offset: 100)
    }
    for (offset, length, name) in [
      (rootOffset, rootLength, "root directory"), (metadataOffset, metadataLength, "metadata"),
      (leavesOffset, leavesLength, "leaf directories"),
      (tilesOffset, tilesLength, "tile data"),
    ] where offset > UInt64(Int64.max) / 2 || length > UInt64(Int64.max) / 2 {
      throw NeatError(.archive, "the place of the \(name) is out of range", offset: 8)
    }
    guard rootLength > 0, rootLength <= UInt64(PMTiles.maxDirectoryBytes) else {
      throw NeatError(.archive, "a root directory of \(rootLength) bytes", offset: 16)
    }
  }

  package static func == (a: PMTilesHeader, b: PMTilesHeader) -> Bool {
    a.rootOffset == b.rootOffset && a.rootLength == b.rootLength && a.metadataOffset == b.metadataOffset
      && a.metadataLength == b.metadataLength && a.leavesOffset == b.leavesOffset && a.leavesLength == b.leavesLength
      && a.tilesOffset == b.tilesOffset && a.tilesLength == b.tilesLength && a.tileEntries == b.tileEntries
      && a.tileContents == b.tileContents && a.tileType == b.tileType && a.minZoom == b.minZoom && a.maxZoom == b.maxZoom
      && a.bounds == b.bounds
  }
}
