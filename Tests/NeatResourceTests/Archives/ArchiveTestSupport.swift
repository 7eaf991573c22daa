import NeatBase
import NeatJSON
import NeatResource
import NeatStore
import NeatTestSupport
import NeatTile

/// The shared data beside the checkout; tests that need it are skipped without it.
enum SharedArchives {
  static let root = SharedFiles.path("data") == nil ? nil : SharedFiles.root

  static var isPresent: Bool { root != nil }
  static let absent = "needs the shared data beside the checkout"
}

/// All tiles of an archive by their names, through the loader that maps use.
func allTiles(_ path: String, zooms: ClosedRange<UInt8> = 0...14, of candidates: [TileID]) -> [String:
  [UInt8]]
{
  let loader = ResourceLoader()
  let url = (path.hasSuffix(".mbtiles") ? "mbtiles://" : "pmtiles://") + path
  var result: [String: [UInt8]] = [:]
  for tile in candidates where zooms.contains(tile.z) {
    if case .data(let bytes) = loader.load(ResourceRequest(kind: .tile, url: url, tile: tile)) {
      result["\(tile)"] = bytes
    }
  }
  return result
}

/// The tiles that an MBTiles file holds.
func listedTiles(_ path: String) throws -> [TileID] {
  let region = try TileRegion(bounds: nil, zooms: 0...30)
  return try MBTiles(path: path).tileNumbers(in: region, limit: 1 << 20).numbers.compactMap {
    PMTiles.tile(number: $0)
  }
}

/// A PMTiles archive of `count` tiles with leaf directories; tile n holds `content(n)`.
func madeArchive(_ path: String, count: UInt64) throws {
  var options = ArchiveWriterOptions()
  options.tileLimit = 1 << 20
  let writer = try PMTilesWriter(path: path, options: options)
  for number in 0..<count { try writer.add(number, count: 1, madeContent(number)) }
  var metadata = ArchiveMetadata()
  metadata.tileType = .png
  metadata.others = try JSON.parse(#"{"name":"made"}"#)
  try writer.finish(metadata)
}

func madeContent(_ number: UInt64) -> [UInt8] {
  [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1 + Int(number &* 7919 % 97))
    + withUnsafeBytes(of: number) { Array($0) }
}
