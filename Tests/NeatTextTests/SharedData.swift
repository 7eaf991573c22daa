import NeatBase
import NeatJSON
import NeatTestSupport
import NeatText

/// Data beside the repository, where it is there.
enum SharedData {
  /// The folder `shared` beside the package, with a slash at its end; nil where there is none.
  static let root = SharedFiles.root.map { $0 + "/" }

  static var isAvailable: Bool { root != nil }

  static func bytes(_ path: String) -> [UInt8]? { SharedFiles.path(path).flatMap(SharedFiles.read) }

  static func json(_ path: String) -> JSON? {
    guard let bytes = bytes(path) else { return nil }
    return try? JSONDocument(parsing: bytes).root
  }

  static func font(_ name: String) -> FontFace? {
    guard let bytes = bytes("data/ttf/" + name) else { return nil }
    return try? FontFace(parsing: bytes, resource: name)
  }

  /// A store with the metrics that the shaping suite was made with, as font stack "Test".
  static func testStore() throws -> (GlyphStore, FontStackID)? {
    guard let glyphs = json("conformance/assets/glyphs/fontstack-glyphs.json") else { return nil }
    let store = GlyphStore()
    let stack = store.fontStack("Test")
    for (_, glyph) in glyphs.members {
      guard let id = glyph["id"]?.number, let metrics = glyph["metrics"] else { continue }
      func value(_ key: String) -> Float { Float(metrics[key]?.number ?? 0) }
      try store.insert(
        codepoint: UInt32(saturating: id), fontStack: stack,
        metrics: GlyphMetrics(
          width: value("width"), height: value("height"), left: value("left"), top: value("top"),
          advance: value("advance")))
    }
    return (store, stack)
  }
}

/// A small store without any file: letters a to z and space, each 10 wide.
func plainStore() throws -> (GlyphStore, FontStackID) {
  let store = GlyphStore()
  let stack = store.fontStack("Plain")
  for codepoint in [UInt32(0x20)] + Array(0x61...0x7A) + [0x4E09] {
    let metrics = GlyphMetrics(width: 8, height: 12, left: 1, top: -8, advance: 10)
    try store.insert(codepoint: codepoint, fontStack: stack, metrics: metrics)
  }
  return (store, stack)
}
