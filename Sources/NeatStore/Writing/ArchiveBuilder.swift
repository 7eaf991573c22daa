import NeatBase
import NeatTile

/// An archive that a caller fills tile by tile. Vector tiles are packed by gzip unless they are; pictures
/// stay as they are. For one thread at a time.
package final class ArchiveBuilder {
  package let writer: any ArchiveWriter
  private let tileType: PMTilesHeader.TileType
  private let packer: GzipPacker

  /// `format`: the type of the tiles as MBTiles names it, such as `pbf` or `png`.
  package init(path: String, archive: ArchiveFormat, format: String, options: ArchiveWriterOptions)
    throws(NeatError)
  {
    tileType = .init(format: format)
    guard tileType != .unknown else {
      throw NeatError(.invalidArgument, "\"\(format)\" is no type of tiles: pbf, mlt, png, jpg, webp or avif")
    }
    packer = try GzipPacker(level: 6)
    writer = try openArchiveWriter(path, archive, options)
  }

  package func add(_ tile: TileID, _ bytes: [UInt8]) throws(NeatError) {
    guard let number = PMTiles.tileNumber(tile) else {
      throw NeatError(.invalidArgument, "\(tile) is no tile")
    }
    let isPacked = bytes.withUnsafeBufferPointer { Packing($0) } == .gzip
    try writer.add(
      number, count: 1, tileType.isVector && !isPacked && !bytes.isEmpty ? packer.pack(bytes) : bytes)
  }

  package func finish(_ metadata: ArchiveMetadata) throws(NeatError) {
    var metadata = metadata
    metadata.tileType = tileType
    metadata.tileCompression = tileType.isVector ? .gzip : .none
    try writer.finish(metadata)
  }
}
