/// What a tile region has of a style: the tiles of its sources within zooms, with the style and what describes
/// the sources.
public struct TilesetDescriptorOptions: Hashable, Sendable {
  /// The style's address.
  public var styleURI: StyleURI
  /// The zooms of the camera that tiles are for.
  public var zoomRange: ClosedRange<UInt8>
  /// Above 1, tiles with `{ratio}` in their address are those of `@2x`.
  public var pixelRatio: Float
  /// Where it is given, the style pack is loaded too.
  public var stylePackOptions: StylePackLoadOptions?

  /// All of it.
  public init(
    styleURI: StyleURI, zoomRange: ClosedRange<UInt8>, pixelRatio: Float = 1,
    stylePackOptions: StylePackLoadOptions? = nil
  ) {
    self.styleURI = styleURI
    self.zoomRange = zoomRange
    self.pixelRatio = pixelRatio
    self.stylePackOptions = stylePackOptions
  }
}

/// What a tile region has of one style; made by `OfflineManager`.
public struct TilesetDescriptor: Hashable, Sendable {
  /// What it was made of.
  public let options: TilesetDescriptorOptions

  init(_ options: TilesetDescriptorOptions) { self.options = options }

  func definition(_ geometry: JSONValue) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("style_url", .string(options.styleURI.rawValue)),
      .init("min_zoom", .number(Double(options.zoomRange.lowerBound))),
      .init("max_zoom", .number(Double(options.zoomRange.upperBound))),
      .init("pixel_ratio", .number(Double(options.pixelRatio))), .init("geometry", geometry),
    ]
    let mode = options.stylePackOptions.map { $0.glyphsRasterizationMode ?? .ideographsRasterizedLocally }
    members.append(.init("include_ideographs", .bool(mode == .noGlyphsRasterizedLocally)))
    // All of it is what a definition without this member has.
    switch mode {
    case nil: members.append(.init("neatline_contents", ["tiles"]))
    case .allGlyphsRasterizedLocally?: members.append(.init("neatline_contents", ["sprites", "tiles"]))
    default: break
    }
    return .object(members)
  }

  /// What the descriptor is known again by in a stored region.
  var identity: JSONValue {
    .members([
      "style": .string(options.styleURI.rawValue), "low": .number(Double(options.zoomRange.lowerBound)),
      "high": .number(Double(options.zoomRange.upperBound)), "ratio": .number(Double(options.pixelRatio)),
    ])
  }
}

/// Which networks a load may use. The engine cannot tell an expensive one from another.
public enum NetworkRestriction: Hashable, Sendable {
  /// All.
  case none
  /// As `none` here: a host that knows that its network is expensive does not load.
  case disallowExpensive
  /// None: only what is there already is taken.
  case disallowAll
}

/// How a tile region is loaded.
public struct TileRegionLoadOptions: Hashable, Sendable {
  /// The area; nil: that of the region where it is there already.
  public var geometry: Geometry?
  /// What it has; nil: that of the region where it is there already.
  public var descriptors: [TilesetDescriptor]?
  /// Kept with the region; nil: that which is kept stays.
  public var metadata: JSONValue?
  /// Whether what has expired is taken as it is.
  public var acceptExpired: Bool
  /// Which networks may be used.
  public var networkRestriction: NetworkRestriction
  /// A mean that requests are held back for; nil: none.
  public var averageBytesPerSecond: Int?

  /// All of it.
  public init(
    geometry: Geometry? = nil, descriptors: [TilesetDescriptor]? = nil, metadata: JSONValue? = nil,
    acceptExpired: Bool = false, networkRestriction: NetworkRestriction = .none,
    averageBytesPerSecond: Int? = nil
  ) {
    self.geometry = geometry
    self.descriptors = descriptors
    self.metadata = metadata
    self.acceptExpired = acceptExpired
    self.networkRestriction = networkRestriction
    self.averageBytesPerSecond = averageBytesPerSecond
  }
}

/// Tiles of an area, kept for use without a network.
public struct TileRegion: Hashable, Sendable {
  /// Its name.
  public var id: String
  /// Resources that it needs.
  public var requiredResourceCount: UInt64
  /// Resources that are there.
  public var completedResourceCount: UInt64
  /// Bytes of those, as they are stored.
  public var completedResourceSize: UInt64
}

/// How far the load of a tile region is.
public struct TileRegionLoadProgress: Hashable, Sendable {
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

/// Why a tile region is not to be had.
public enum TileRegionError: Error, Hashable, Sendable {
  /// The load was cancelled.
  case canceled(String)
  /// There is no such tile region.
  case doesNotExist(String)
  /// The disk, or the quota, has no room for it.
  case diskFull(String)
  /// What else went wrong.
  case other(String)
  /// A provider's tiles would be more than are allowed.
  case tileCountExceeded(String)

  init(_ fault: PackFault) {
    switch fault {
    case .canceled: self = .canceled("the load was cancelled")
    case .diskFull(let text): self = .diskFull(text)
    case .tileCountExceeded(let text): self = .tileCountExceeded(text)
    case .other(let text): self = .other(text)
    }
  }
}
