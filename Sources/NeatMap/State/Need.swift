import NeatBase

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
  /// The number of the source or sprite that it is for, which no later one of that name has: what comes too
  /// late does not reach another one.
  let owner: UInt64

  init(_ target: Target, _ request: ResourceRequest, owner: UInt64 = 0) {
    self.target = target
    self.request = request
    self.owner = owner
  }
}

/// Something that went wrong without failing the map.
package struct MapProblem: Sendable, Hashable {
  package var resource: String
  package var message: String
  package var code: ErrorCode

  package init(resource: String, message: String, code: ErrorCode) {
    self.resource = resource
    self.message = message
    self.code = code
  }

  package init(_ error: NeatError, resource: String) {
    self.resource = error.resource ?? resource
    message = error.offset.map { "\(error.message) (byte \($0))" } ?? error.message
    code = error.code
  }

  /// Whether asking again later may help.
  var isPassing: Bool { code == .network || code == .timeout }
}

extension Need {
  package var isSprite: Bool {
    switch target {
    case .spriteIndex, .spriteSheet: true
    default: false
    }
  }

  /// What must be known of a source before its tiles.
  package var isMetadata: Bool {
    switch target {
    case .tileJSON, .geojson, .image: true
    default: false
    }
  }

  /// The source that it is for.
  package var source: String? {
    switch target {
    case .tileJSON(let id), .geojson(let id), .image(let id), .tile(source: let id, _): id
    case .spriteIndex, .spriteSheet, .glyphs: nil
    }
  }

  package var tile: TileID? {
    if case .tile(_, let tile) = target { tile } else { nil }
  }
}
