import NeatBase

/// Something that one picture had to do without.
package struct Missing: Sendable, Hashable {
  /// What is missing. The names are those of the C interface's JSON.
  package enum Kind: String, Sendable, CaseIterable {
    /// A sprite's index or sheet.
    case sprite
    /// A source's TileJSON, GeoJSON or picture.
    case source
    case tile
    /// A layer of tiles that none of the view's tiles has.
    case sourceLayer = "source-layer"
    /// A range of 256 glyphs of a glyph server.
    case glyphs
    /// Characters that neither the glyph server nor a font has.
    case characters
    /// An image that a layer names.
    case image
    /// A layer, property or root member of the style that is kept and not drawn.
    case style
    /// An archive that was replaced while it was open.
    case archive
  }

  package var kind: Kind
  /// An address, a name, a property: what is at fault.
  package var resource: String
  package var code: ErrorCode
  package var message: String
  /// Whether the picture lacks something that was meant to be had: such a picture is not complete.
  package var isFailure: Bool
  package var source: String?
  package var tile: TileID?
  package var layer: String?
  /// Of characters: the script's ISO 15924 code and some of them.
  package var script: String?
  package var sample: String?

  package init(_ kind: Kind, _ resource: String, _ code: ErrorCode, _ message: String, isFailure: Bool) {
    self.kind = kind
    self.resource = resource
    self.code = code
    self.message = message
    self.isFailure = isFailure
  }

  init(
    _ kind: Kind, _ problem: MapProblem, source: String? = nil, tile: TileID? = nil, isFailure: Bool = true
  ) {
    self.init(kind, problem.resource, problem.code, problem.message, isFailure: isFailure)
    self.source = source
    self.tile = tile
  }

  /// An image that a layer names.
  init(image name: String, layer: String?) {
    self.init(.image, name, .notFound, "no image is called \"\(name)\"", isFailure: false)
    self.layer = layer
  }

  /// What had not arrived when the picture had to be drawn.
  static func late(_ kind: Kind, _ resource: String, source: String? = nil, tile: TileID? = nil) -> Missing {
    Missing(
      kind, MapProblem(resource: resource, message: "not loaded when the picture was drawn", code: .timeout),
      source: source, tile: tile)
  }
}

extension Missing {
  /// With its texts cut: a style may name things by a megabyte of text, and a thousand of them may be missing.
  fileprivate func clipped(to limit: Int) -> Missing {
    func isLong(_ text: String?) -> Bool { text.map { $0.utf8.count > limit } ?? false }
    guard [resource, message, source, layer, sample].contains(where: isLong) else { return self }
    var result = self
    result.resource = resource.clipped(to: limit)
    result.message = message.clipped(to: limit)
    result.source = source?.clipped(to: limit)
    result.layer = layer?.clipped(to: limit)
    result.sample = sample?.clipped(to: limit)
    return result
  }
}

/// What a picture had to do without, each thing once.
package struct Report: Sendable {
  /// Entries kept; of the others only the number is known.
  package static let limit = 1000
  /// Bytes of a text of an entry; the rest is cut off.
  package static let textLimit = 4096

  package private(set) var entries: [Missing] = []
  /// How many there are past `limit`.
  package private(set) var omitted = 0
  /// Whether nothing failed: what is missing is what the data and the style do not have, what cannot be read within
  /// a tile, or what is not supported.
  package private(set) var isComplete = true
  /// The first entry for which the system had too little memory.
  package private(set) var shortage: Missing?
  private var seen: Set<Missing> = []

  package init() {}

  package var count: Int { entries.count + omitted }

  package mutating func add(_ found: Missing) {
    let missing = found.clipped(to: Report.textLimit)
    guard !seen.contains(missing) else { return }
    if missing.isFailure { isComplete = false }
    if missing.code == .outOfMemory, shortage == nil, !MemoryBudget.isRefusal(missing.message) {
      shortage = missing
    }
    guard entries.count < Report.limit else {
      omitted += 1
      return
    }
    seen.insert(missing)
    entries.append(missing)
  }
}
