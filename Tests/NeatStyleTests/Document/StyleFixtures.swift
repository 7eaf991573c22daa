import NeatBase
import NeatJSON
import NeatStyle
import NeatTestSupport

/// Files of the data folder that stands beside the package; tests that need it say so and pass where it is
/// not there.
enum StyleFixtures {
  /// The folder `shared` beside the package, or nil.
  static var shared: String? { SharedFiles.root }

  static func read(_ path: String) -> [UInt8]? { SharedFiles.read(path) }

  /// Names in a folder that end so, sorted.
  static func list(_ folder: String, suffix: String) -> [String] {
    SharedFiles.list(folder).filter { $0.hasSuffix(suffix) }
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
