import NeatBase
import NeatImage
import NeatStore
import NeatTile

/// Looks whether tiles are what their archive says they are: unpacks and decodes each. What nobody here
/// decodes (AVIF, unknown types) is only unpacked.
struct TileVerifier {
  let type: PMTilesHeader.TileType
  let compression: Compression

  /// Throws what unpacking and decoding throw.
  func verify(_ contents: [UInt8]) throws(NeatError) {
    // No tile begins as gzip does, so what is packed although the archive denies it is told, too.
    let packing = compression == .none ? Compression.byContent : compression
    let bytes = try packing.decompress(contents, limit: MBTiles.maxTileBytes)
    switch type {
    case .mvt: _ = try decodeMVT(bytes)
    case .mlt: _ = try decodeMLT(bytes)
    case .png, .jpeg, .webp: _ = try decodeImage(bytes)
    default: break
    }
  }
}
