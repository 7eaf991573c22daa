import NeatBase
import NeatCamera

/// A resource that a view waits for, and what it is for.
package struct Need: Hashable, Sendable {
  package enum Target: Hashable, Sendable {
    case spriteIndex(Int)
    case spriteSheet(Int)
    case tileJSON(String)
    case geojson(String)
    case image(String)
    case tile(source: String, TileID)
    case glyphs(fontStack: String, range: Int)
  }

  package var target: Target
  package var request: ResourceRequest
  /// The number of the source, sprite or glyph server that it is for, which no later one of that name has:
  /// what comes too late does not reach another one.
  let owner: UInt64

  init(_ target: Target, _ request: ResourceRequest, owner: UInt64 = 0) {
    self.target = target
    self.request = request
    self.owner = owner
  }
}

/// A part of a map, as errors tell them apart.
package enum MapPart: String, Sendable, Hashable {
  case style, sprite, source, tile, glyphs
  /// What is kept of servers' answers; the map goes on without.
  case cache
}

/// Something that went wrong without failing the map.
package struct MapProblem: Sendable, Hashable {
  package var resource: String
  package var message: String
  package var code: ErrorCode
  /// What it belongs to; of sources and tiles which.
  package var part: MapPart
  package var source: String?
  package var tile: TileID?
  /// Of data of a source that came with an id.
  package var dataID: String?

  package init(
    resource: String, message: String, code: ErrorCode, part: MapPart = .style, source: String? = nil
  ) {
    self.resource = Address.withoutCredentials(inText: resource)
    self.message = message
    self.code = code
    self.part = part
    self.source = source
  }

  package init(_ error: NeatError, resource: String, part: MapPart = .style, source: String? = nil) {
    self.init(
      resource: error.resource ?? resource,
      message: error.offset.map { "\(error.message) (byte \($0))" } ?? error.message, code: error.code,
      part: part, source: source)
  }

  /// The same, as of what a need is for.
  func of(_ need: Need) -> MapProblem {
    var copy = self
    copy.part = need.part
    copy.source = need.source
    copy.tile = need.tile
    return copy
  }

  /// A view needs more tiles of a source than it gets.
  static func tooManyTiles(_ source: String) -> MapProblem {
    MapProblem(
      resource: source,
      message:
        "the view needs more than \(TileCover.limit) tiles: those farthest from its centre are left out",
      code: .limitExceeded, part: .source, source: source)
  }

  /// Whether asking again later may help.
  var isPassing: Bool { code.isPassing }
}

extension ErrorCode {
  /// Whether what failed so may be there a little later.
  package var isPassing: Bool { self == .network || self == .timeout || self == .outOfMemory }
}

extension Need {
  package var isSprite: Bool {
    switch target {
    case .spriteIndex, .spriteSheet: true
    default: false
    }
  }

  /// For a trace.
  var words: String {
    switch target {
    case .tile(let id, let tile): "\(id) \(tile)"
    case .tileJSON(let id), .geojson(let id), .image(let id): id
    case .spriteIndex, .spriteSheet: "sprite"
    case .glyphs: "glyphs"
    }
  }

  /// What must be known of a source before its tiles.
  package var isMetadata: Bool {
    switch target {
    case .tileJSON, .geojson, .image: true
    default: false
    }
  }

  /// Whether it says which tiles of a source there are.
  var leadsToTiles: Bool {
    if case .tileJSON = target { true } else { false }
  }

  package var tile: TileID? {
    if case .tile(_, let tile) = target { tile } else { nil }
  }

  /// The source that it is of.
  package var source: String? {
    switch target {
    case .tileJSON(let id), .geojson(let id), .image(let id), .tile(source: let id, _): id
    case .spriteIndex, .spriteSheet, .glyphs: nil
    }
  }

  package var part: MapPart {
    switch target {
    case .spriteIndex, .spriteSheet: .sprite
    case .tileJSON, .geojson, .image: .source
    case .tile: .tile
    case .glyphs: .glyphs
    }
  }
}
