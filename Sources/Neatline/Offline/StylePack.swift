/// Which glyphs a map draws from font files, and a style pack leaves out.
public enum GlyphsRasterizationMode: Int, Hashable, Sendable {
  /// None: packs have all that the style's font stacks have.
  case noGlyphsRasterizedLocally
  /// The ideographs of Chinese, Japanese and Korean.
  case ideographsRasterizedLocally
  /// All: packs have none.
  case allGlyphsRasterizedLocally
}

/// How a style pack is loaded.
public struct StylePackLoadOptions: Hashable, Sendable {
  /// nil: that of the pack where it is there already, else ideographs.
  public var glyphsRasterizationMode: GlyphsRasterizationMode?
  /// Kept with the pack; nil: that which is kept stays.
  public var metadata: JSONValue?
  /// Whether what has expired is taken as it is.
  public var acceptExpired: Bool

  /// All of it.
  public init(
    glyphsRasterizationMode: GlyphsRasterizationMode? = nil, metadata: JSONValue? = nil,
    acceptExpired: Bool = false
  ) {
    self.glyphsRasterizationMode = glyphsRasterizationMode
    self.metadata = metadata
    self.acceptExpired = acceptExpired
  }
}

/// A style with its sprites and glyphs, kept for use without a network.
public struct StylePack: Hashable, Sendable {
  /// The style's address.
  public var styleURI: StyleURI
  /// Which glyphs it leaves out.
  public var glyphsRasterizationMode: GlyphsRasterizationMode
  /// Resources that it needs.
  public var requiredResourceCount: UInt64
  /// Resources that are there.
  public var completedResourceCount: UInt64
  /// Bytes of those, as they are stored.
  public var completedResourceSize: UInt64
}

/// How far the load of a style pack is.
public struct StylePackLoadProgress: Hashable, Sendable {
  /// Resources that are there.
  public var completedResourceCount: UInt64
  /// Bytes of those, as they are stored.
  public var completedResourceSize: UInt64
  /// Resources that are not to be had.
  public var erroredResourceCount: UInt64
  /// Resources that are needed, as far as is known.
  public var requiredResourceCount: UInt64
  /// Bytes that servers sent in this load.
  public var loadedResourceSize: UInt64

  init(_ progress: OfflineProgress) {
    completedResourceCount = progress.completedCount
    completedResourceSize = progress.byteCount
    erroredResourceCount = progress.failedCount
    requiredResourceCount = progress.requiredCount
    loadedResourceSize = progress.receivedByteCount
  }
}

/// Why a style pack is not to be had.
public enum StylePackError: Error, Hashable, Sendable {
  /// The load was cancelled.
  case canceled(String)
  /// There is no such style pack.
  case doesNotExist(String)
  /// The disk has no room for it.
  case diskFull(String)
  /// What else went wrong.
  case other(String)

  init(_ fault: PackFault) {
    switch fault {
    case .canceled: self = .canceled("the load was cancelled")
    case .diskFull(let text): self = .diskFull(text)
    case .tileCountExceeded(let text), .other(let text): self = .other(text)
    }
  }
}
