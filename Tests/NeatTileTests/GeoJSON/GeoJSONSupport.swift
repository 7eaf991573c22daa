import Foundation
import NeatBase
import NeatJSON
import NeatTestSupport
import Testing

@testable import NeatTile

/// The folder of suites and data beside the checkout, or nil where there is none.
let sharedFolder: URL? = SharedFiles.root.map { URL(fileURLWithPath: $0) }

func sharedBytes(_ path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: sharedFolder!.appendingPathComponent(path)))
}

/// Whether two JSON values are the same, members in any order.
func sameJSON(_ a: JSON, _ b: JSON, _ path: String = "$") -> String? {
  guard a.kind == b.kind else { return "\(path): \(a.text.prefix(80)) against \(b.text.prefix(80))" }
  switch a.kind {
  case .object:
    guard a.count == b.count else { return "\(path): \(a.count) members against \(b.count)" }
    for (key, value) in a.members {
      guard let other = b[key] else { return "\(path).\(key) is missing" }
      if let difference = sameJSON(value, other, path + "." + key) { return difference }
    }
    return nil
  case .array:
    guard a.count == b.count else {
      return "\(path): \(a.count) elements against \(b.count): \(a.text.prefix(200)) | \(b.text.prefix(200))"
    }
    for (index, pair) in zip(a.elements, b.elements).enumerated() {
      if let difference = sameJSON(pair.0, pair.1, "\(path)[\(index)]") { return difference }
    }
    return nil
  case .number:
    return abs(a.number! - b.number!) <= 1e-12 * max(1, abs(a.number!))
      ? nil : "\(path): \(a.text) against \(b.text)"
  default: return a.text == b.text ? nil : "\(path): \(a.text) against \(b.text)"
  }
}

func parse(_ text: String, limits: GeoJSONLimits = .init()) throws -> GeoJSONData {
  try GeoJSONData(parsing: Array(text.utf8), limits: limits)
}
