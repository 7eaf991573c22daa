import Foundation
import NeatTestSupport

/// Files of the data folder that stands beside the package; tests that need it say so and pass where it is
/// not there.
enum SharedFolder {
  static let url = SharedFiles.root.map { URL(fileURLWithPath: $0) }

  /// JSON files in a folder, by name; nil, with a message, where the folder is missing.
  static func jsonFiles(_ path: String) -> [URL]? {
    let files = url.flatMap {
      try? FileManager.default.contentsOfDirectory(
        at: $0.appendingPathComponent(path), includingPropertiesForKeys: nil)
    }
    guard let files else {
      print("skipped: no \(path) beside the package")
      return nil
    }
    return files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
  }
}
