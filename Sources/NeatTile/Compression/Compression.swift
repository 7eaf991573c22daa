import NeatBase

/// How an archive says that its tiles are packed. gzip and zlib show in the first bytes, so these are
/// believed over the word of the archive; zstd and brotli are taken only where the archive says so.
package enum Compression: Sendable, Equatable, CustomStringConvertible {
  /// Whatever the content shows: gzip, zlib or nothing.
  case byContent
  /// Not packed, whatever the first bytes look like.
  case none
  case brotli, zstd

  /// What the `compression` member of metadata means; unknown words leave it to the content.
  package init(name: String) {
    switch name.lowercased() {
    case "br", "brotli": self = .brotli
    case "zstd", "zstandard": self = .zstd
    default: self = .byContent
    }
  }

  package var description: String {
    switch self {
    case .byContent: "gzip, zlib or none"
    case .none: "none"
    case .brotli: "brotli"
    case .zstd: "zstd"
    }
  }

  /// Unpacked bytes. Throws `limitExceeded` when the result is longer than `limit` bytes, `tile` with the
  /// byte when the data are damaged.
  package func decompress(_ bytes: [UInt8], limit: Int = Inflate.defaultLimit) throws(NeatError) -> [UInt8] {
    switch self {
    case .byContent: return try Inflate.decompress(bytes, limit: limit)
    case .none:
      guard bytes.count <= limit else { throw Inflate.tooLarge(limit) }
      return bytes
    case .brotli: return try Brotli.decompress(bytes, limit: limit)
    case .zstd: return try Zstd.decompress(bytes, limit: limit)
    }
  }
}
