import NeatBase
import NeatJSON
import NeatStyle

/// Files of the data folder that stands beside the package; tests that need it say so and pass where it is
/// not there.
enum StyleFixtures {
  /// The folder `shared` beside the package, or nil.
  static let shared: String? = {
    var path = #filePath
    while let slash = path.lastIndex(of: "/") {
      path = String(path[..<slash])
      if access(path + "/Package.swift", F_OK) == 0 {
        let folder = path + "/../shared"
        return access(folder, F_OK) == 0 ? folder : nil
      }
    }
    return nil
  }()

  static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Names in a folder that end so, sorted.
  static func list(_ folder: String, suffix: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // In place: an entry has only the bytes of its name, fewer than d_name is declared with.
      let place = UnsafeRawPointer(entry) + MemoryLayout<dirent>.offset(of: \.d_name)!
      let name = String(cString: place.assumingMemoryBound(to: CChar.self))
      if name.hasSuffix(suffix) { names.append(name) }
    }
    return names.sorted()
  }

  /// A style with one source of each common kind and the given layers.
  static func style(_ layers: String, root: String = "") throws -> Style {
    try Style(
      json: .parse(
        """
        {"version": 8, \(root)
         "sources": {"v": {"type": "vector", "tiles": ["a"]}, "g": {"type": "geojson", "data": {"type": "FeatureCollection", "features": []}}},
         "layers": [\(layers)]}
        """))
  }
}
