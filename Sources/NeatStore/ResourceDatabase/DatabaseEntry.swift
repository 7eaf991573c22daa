import NeatBase

/// What the database knows an entry by. Addresses have no credentials: whoever asks takes them out first.
package enum DatabaseKey: Hashable, Sendable {
  /// A tile by the template of its addresses. `pixelRatio` is 2 where the template has `{ratio}` and tiles of
  /// more than one pixel a unit are asked for, else 1; `y` is that which stands in the address, so that a
  /// source of the scheme `tms` counts from the south.
  case tile(template: String, pixelRatio: UInt8 = 1, z: UInt8, x: UInt32, y: UInt32)
  case resource(DatabaseResourceKind, url: String)

  var table: DatabaseTable {
    switch self {
    case .tile: .tiles
    case .resource: .resources
    }
  }

  /// The part of it that is text.
  package var address: String {
    switch self {
    case .tile(let template, _, _, _, _): template
    case .resource(_, let url): url
    }
  }

  func bind(_ statement: SQLiteStatement) {
    switch self {
    case .tile(let template, let ratio, let z, let x, let y):
      statement.bind(1, text: template)
      statement.bind(2, Int64(ratio))
      statement.bind(3, Int64(z))
      statement.bind(4, Int64(x))
      statement.bind(5, Int64(y))
    case .resource(_, let url):
      statement.bind(1, text: url)
    }
  }
}

/// What is not a tile, by the numbers of the column `kind`.
package enum DatabaseResourceKind: Int64, Sendable {
  case unknown = 0, style, source
  case glyphs = 4
  case spriteImage, spriteJSON, image

  /// GeoJSON stands as a source there and fonts as glyphs; a tile, which has a table of its own, as unknown.
  package init(_ kind: ResourceKind) {
    switch kind {
    case .style: self = .style
    case .source, .geojson: self = .source
    case .tile: self = .unknown
    case .glyphs, .font: self = .glyphs
    case .spriteImage: self = .spriteImage
    case .spriteJSON: self = .spriteJSON
    case .image: self = .image
    }
  }
}

/// What is stored under a key. Times are whole seconds since 1970.
package struct DatabaseResponse: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    case data([UInt8])
    /// A server says that there is none: 204, or 404 of a tile.
    case empty
    /// What is stored still holds (304): only its times are renewed. Never read from the database.
    case notModified
  }

  package var content: Content
  package var etag: String?
  package var modified: Int64?
  package var expires: Int64?
  package var mustRevalidate: Bool

  package init(
    _ content: Content, etag: String? = nil, modified: Int64? = nil, expires: Int64? = nil,
    mustRevalidate: Bool = false
  ) {
    self.content = content
    self.etag = etag
    self.modified = modified
    self.expires = expires
    self.mustRevalidate = mustRevalidate
  }
}

/// What is known of an entry without its body.
package struct DatabaseFacts: Sendable, Equatable {
  /// Bytes of the body as they are stored; 0 for what is empty.
  package var bytes: Int
  package var isEmpty: Bool
  package var etag: String?
  package var modified: Int64?
  package var expires: Int64?
  package var mustRevalidate: Bool
}

/// What became of an answer that was given to be stored.
package enum DatabaseOutcome: Sendable, Equatable {
  /// Bytes of the body as it is stored.
  case stored(bytes: Int)
  case renewed
  /// A 304 for what is not there, or any more.
  case nothingToRenew
  /// Larger than the whole ambient cache may be, or nothing is to be stored ambiently at all.
  case doesNotFit
}

/// Times that come out of a database, held within years that arithmetic has room around.
enum DatabaseTime {
  static let range: ClosedRange<Int64> = 0...253_402_300_799

  static func held(_ time: Int64) -> Int64 { min(max(time, range.lowerBound), range.upperBound) }
}
