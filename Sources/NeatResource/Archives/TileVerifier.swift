import NeatBase
import NeatImage
import NeatStore
import NeatTile

/// Looks whether tiles are what their archive says they are: unpacks and decodes each. What nobody here
/// decodes (AVIF, unknown types) is only unpacked.
struct TileVerifier {
  let type: PMTilesHeader.TileType
  let compression: Compression

  /// Throws what unpacking and decoding throw. Gives the first of what cannot be read of a tile that can be.
  func verify(_ contents: [UInt8]) throws(NeatError) -> NeatError? {
    // No tile begins as gzip does, so what is packed although the archive denies it is told, too.
    let packing = compression == .none ? Compression.byContent : compression
    let bytes = try packing.decompress(contents, limit: MBTiles.maxTileBytes)
    switch type {
    case .mvt: return try decodeMVT(bytes).faults?.found.first?.first
    case .mlt: _ = try decodeMLT(bytes)
    case .png, .jpeg, .webp: _ = try decodeImage(bytes)
    default: break
    }
    return nil
  }
}
