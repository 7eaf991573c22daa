import NeatBase
import NeatTestSupport

/// Public data beside the package; nothing where it is not there.
enum Shared {
  private static func read(_ name: String) -> [UInt8]? { SharedFiles.path(name).flatMap(SharedFiles.read) }

  /// Latin letters as a glyph server sends them.
  static let glyphs = read("data/glyphs/Noto Sans Regular/0-255.pbf")

  /// Small tiles of real data, and the public decoders' fixtures, whose layers do not matter here: their
  /// bytes are taken apart.
  static let tiles: [[UInt8]] = ["001", "002", "017", "032", "038", "049"].compactMap {
    read("conformance/mvt/\($0)/tile.mvt")
  }

  /// The fixture of a tile whose extent is 1.
  static let extentOne = read("conformance/mvt/049/tile.mvt")
}
