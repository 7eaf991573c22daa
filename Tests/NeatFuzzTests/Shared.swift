import NeatBase

/// Public data beside the package; nothing where it is not there.
enum Shared {
  private static let root: String? = {
    var parts = #filePath.split(separator: "/").map(String.init)
    while !parts.isEmpty {
      parts.removeLast()
      if access("/" + parts.joined(separator: "/") + "/Package.swift", F_OK) == 0 {
        return "/" + parts.dropLast().joined(separator: "/") + "/shared"
      }
    }
    return nil
  }()

  private static func read(_ path: String) -> [UInt8]? {
    guard let root, let file = fopen(root + "/" + path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count <= 0 { return bytes }
      bytes.append(contentsOf: buffer[0..<count])
    }
  }

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
