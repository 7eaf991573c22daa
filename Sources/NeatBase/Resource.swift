/// What a resource is for; loaders may treat the kinds differently (an archive's `source` is its TileJSON).
package enum ResourceKind: UInt8, Sendable, Hashable, CaseIterable {
  case style = 1, source, tile, glyphs, spriteImage, spriteJSON, image, geojson, font

  package var name: String {
    switch self {
    case .style: "style"
    case .source: "source"
    case .tile: "tile"
    case .glyphs: "glyphs"
    case .spriteImage: "sprite image"
    case .spriteJSON: "sprite index"
    case .image: "image"
    case .geojson: "GeoJSON"
    case .font: "font"
    }
  }
}

/// Bytes that a map asks for. The address is absolute: a file path, `file://`, `http(s)://`,
/// `mbtiles://PATH`, `pmtiles://PATH-OR-URL`, `data:`.
package struct ResourceRequest: Sendable, Hashable {
  package var kind: ResourceKind
  package var url: String
  /// The tile wanted: what archives are asked for.
  package var tile: TileID?
  /// Whether a file of this machine, or an archive in one, may answer.
  package var allowsFiles = true
  /// What a tile's address was made of; nil for others.
  package var template: TileTemplate?

  /// What it is known by: an archive's address does not say which tile.
  package var words: String {
    guard template == nil, let tile else { return url }
    return "\(url) \(tile)"
  }

  package init(kind: ResourceKind, url: String, tile: TileID? = nil) {
    self.kind = kind
    self.url = url
    self.tile = tile
  }
}

/// What a tile's address was made of: what caches know it by, whatever order servers stand in.
package struct TileTemplate: Sendable, Hashable {
  package var text: String
  /// 2 where the address has `{ratio}` and tiles of more than one pixel a unit are asked for, else 1.
  package var pixelRatio: UInt8
  /// The row that stands in the address: of the scheme `tms` it counts from the south.
  package var row: UInt32

  package init(text: String, pixelRatio: UInt8, row: UInt32) {
    self.text = text
    self.pixelRatio = pixelRatio
    self.row = row
  }
}

/// What of this machine's files a style may read.
package enum FileAccess: Sendable {
  case all
  /// What the style itself names, but nothing that a document from a server (a TileJSON) names.
  case unlessNamedByServer
  case none
}

package enum ResourceResult: Sendable {
  case data([UInt8])
  /// There is none: 404, or a tile that an archive does not hold.
  case missing
  /// There is one, and it is empty: 204.
  case empty
  case failed(NeatError)
}
