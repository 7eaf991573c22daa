import NeatBase

/// The fixed first 127 bytes of a PMTiles archive, version 3 (github.com/protomaps/PMTiles, spec/v3/spec.md).
package struct PMTilesHeader: Sendable, Equatable {
  package static let byteCount = 127
  /// Readers fetch this much first: the specification keeps header and root directory within it.
  package static let firstFetch = 16384

  package enum Compression: UInt8, Sendable { case unknown = 0, none, gzip, brotli, zstd }
  package enum TileType: UInt8, Sendable { case unknown = 0, mvt, png, jpeg, webp, avif, mlt }

  package var rootOffset: UInt64
  package var rootLength: UInt64
  package var metadataOffset: UInt64
  package var metadataLength: UInt64
  package var leavesOffset: UInt64
  package var leavesLength: UInt64
  package var tilesOffset: UInt64
  package var tilesLength: UInt64
  package var addressedTiles: UInt64
  package var tileEntries: UInt64
  package var tileContents: UInt64
  package var isClustered: Bool
  package var internalCompression: Compression
  package var tileCompression: Compression
  package var tileType: TileType
  package var minZoom: UInt8
  package var maxZoom: UInt8
  /// West, south, east, north in degrees.
  package var bounds: (Double, Double, Double, Double)
  package var centerZoom: UInt8
  package var center: LonLat

  /// Throws `archive` with the byte at fault for bytes that are no PMTiles archive or whose numbers cannot be
  /// right, `unsupported` for another version or packing.
  package init(parsing bytes: [UInt8]) throws(NeatError) {
    guard bytes.count >= PMTilesHeader.byteCount else {
      throw NeatError(
        .archive, "a PMTiles header has 127 bytes, here are \(bytes.count)", offset: bytes.count)
    }
    guard bytes.starts(with: "PMTiles".utf8) else {
      throw NeatError(.archive, "not a PMTiles archive", offset: 0)
    }
    guard bytes[7] == 3 else {
      throw NeatError(.unsupported, "PMTiles version \(bytes[7]) (version 3 is supported)", offset: 7)
    }
    func u64(_ at: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) } }
    func degrees(_ at: Int) -> Double {
      Double(Int32(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }))
        / 1e7
    }
    rootOffset = u64(8)
    rootLength = u64(16)
    metadataOffset = u64(24)
    metadataLength = u64(32)
    leavesOffset = u64(40)
    leavesLength = u64(48)
    tilesOffset = u64(56)
    tilesLength = u64(64)
    addressedTiles = u64(72)
    tileEntries = u64(80)
    tileContents = u64(88)
    isClustered = bytes[96] == 1
    guard let packing = Compression(rawValue: bytes[97]), packing != .unknown else {
      throw NeatError(
        .unsupported, "directories are packed in a way (\(bytes[97])) that the specification does not know",
        offset: 97)
    }
    internalCompression = packing
    guard let tilePacking = Compression(rawValue: bytes[98]) else {
      throw NeatError(
        .unsupported, "tiles are packed in a way (\(bytes[98])) that the specification does not know",
        offset: 98)
    }
    tileCompression = tilePacking
    tileType = TileType(rawValue: bytes[99]) ?? .unknown
    minZoom = bytes[100]
    maxZoom = bytes[101]
    bounds = (degrees(102), degrees(106), degrees(110), degrees(114))
    centerZoom = bytes[118]
    center = LonLat(degrees(119), degrees(123))
    guard minZoom <= maxZoom, maxZoom <= TileID.maxZoom else {
      throw NeatError(
        .archive, "zooms \(minZoom) to \(maxZoom) are no range within 0 to \(TileID.maxZoom)", offset: 100)
    }
    for section in sections
    where section.offset > UInt64(Int64.max) / 2 || section.length > UInt64(Int64.max) / 2 {
      throw NeatError(.archive, "the place of the \(section.name) is out of range", offset: section.byte)
    }
    guard rootLength > 0, rootLength <= UInt64(PMTiles.maxDirectoryBytes) else {
      throw NeatError(.archive, "a root directory of \(rootLength) bytes", offset: 16)
    }
  }

  /// The parts that the header leads to, and the byte of the header that says where each is.
  private var sections: [(name: String, offset: UInt64, length: UInt64, byte: Int)] {
    [
      ("root directory", rootOffset, rootLength, 8), ("metadata", metadataOffset, metadataLength, 24),
      ("leaf directories", leavesOffset, leavesLength, 40), ("tile data", tilesOffset, tilesLength, 56),
    ]
  }

  /// Throws `archive` when a part of the archive lies beyond its end: a copy that was cut short.
  package func check(byteCount: UInt64) throws(NeatError) {
    for section in sections where section.length > 0 && section.offset + section.length > byteCount {
      throw NeatError(
        .archive,
        "the \(section.name) ends at byte \(section.offset + section.length), the archive has \(byteCount) bytes",
        offset: section.byte)
    }
  }

  package static func == (a: PMTilesHeader, b: PMTilesHeader) -> Bool {
    a.rootOffset == b.rootOffset && a.rootLength == b.rootLength && a.metadataOffset == b.metadataOffset
      && a.metadataLength == b.metadataLength && a.leavesOffset == b.leavesOffset
      && a.leavesLength == b.leavesLength
      && a.tilesOffset == b.tilesOffset && a.tilesLength == b.tilesLength && a.tileEntries == b.tileEntries
      && a.tileContents == b.tileContents && a.tileType == b.tileType && a.minZoom == b.minZoom
      && a.maxZoom == b.maxZoom
      && a.bounds == b.bounds
  }

  package init(tileType: TileType, tileCompression: Compression) {
    (rootOffset, rootLength, metadataOffset, metadataLength, leavesOffset, leavesLength) = (0, 0, 0, 0, 0, 0)
    (tilesOffset, tilesLength, addressedTiles, tileEntries, tileContents) = (0, 0, 0, 0, 0)
    isClustered = true
    internalCompression = .gzip
    self.tileCompression = tileCompression
    self.tileType = tileType
    (minZoom, maxZoom, centerZoom) = (0, 0, 0)
    bounds = (-180, -Mercator.maxLatitude, 180, Mercator.maxLatitude)
    center = LonLat(0, 0)
  }

  /// The header's 127 bytes.
  package var encoded: [UInt8] {
    var out = Array("PMTiles".utf8) + [3]
    func put(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { out += $0 } }
    func put(degrees: Double) {
      put(Int32(saturating: (max(-214.0, min(214.0, degrees.isFinite ? degrees : 0)) * 1e7).rounded()))
    }
    for number in [
      rootOffset, rootLength, metadataOffset, metadataLength, leavesOffset, leavesLength, tilesOffset,
      tilesLength, addressedTiles,
      tileEntries,
      tileContents,
    ] {
      put(number)
    }
    out += [
      isClustered ? 1 : 0, internalCompression.rawValue, tileCompression.rawValue, tileType.rawValue, minZoom,
      maxZoom,
    ]
    for number in [bounds.0, bounds.1, bounds.2, bounds.3] { put(degrees: number) }
    out.append(centerZoom)
    put(degrees: center.lon)
    put(degrees: center.lat)
    return out
  }
}

extension PMTilesHeader.Compression {
  /// How such data are unpacked.
  package var unpacking: NeatTile.Compression {
    switch self {
    case .none: .none
    case .unknown, .gzip: .byContent
    case .brotli: .brotli
    case .zstd: .zstd
    }
  }
}

extension PMTilesHeader.TileType {
  /// The name that MBTiles and TileJSON have for it, which is the usual end of a file's name.
  package var format: String {
    switch self {
    case .mvt: "pbf"
    case .png: "png"
    case .jpeg: "jpg"
    case .webp: "webp"
    case .avif: "avif"
    case .mlt: "mlt"
    case .unknown: "unknown"
    }
  }

  /// The type of a `format` of MBTiles metadata.
  package init(format: String) {
    switch format.lowercased() {
    case "pbf", "mvt", "application/vnd.mapbox-vector-tile", "application/x-protobuf": self = .mvt
    case "png", "image/png": self = .png
    case "jpg", "jpeg", "image/jpeg": self = .jpeg
    case "webp", "image/webp": self = .webp
    case "avif", "image/avif": self = .avif
    case "mlt", "application/vnd.maplibre-vector-tile": self = .mlt
    default: self = .unknown
    }
  }

  /// Vector tiles are kept packed by gzip, pictures as they are.
  package var isVector: Bool { self == .mvt || self == .mlt }
}
