/// Style packs: what styles need beside tiles, kept in the cache of resources. Any thread. Completions are called
/// once, on a thread of the engine's own.
public final class OfflineManager: Sendable {
  /// Where the packs are.
  public let resources: Resources

  /// The packs of a cache.
  public init(resources: Resources) { self.resources = resources }

  /// Tries of each resource before a load gives up.
  static let attempts = 4

  // MARK: Style packs

  /// Loads a style pack, or brings the one that is there up to date: what is there and has not changed is not
  /// sent again. Cancelling it calls the completion with `canceled`.
  @discardableResult
  public func loadStylePack(
    for styleURI: StyleURI, loadOptions: StylePackLoadOptions = .init(),
    progress: @escaping @Sendable (StylePackLoadProgress) -> Void = { _ in },
    completion: @escaping @Sendable (Result<StylePack, any Error>) -> Void
  ) -> any Cancelable {
    let prepared: (regions: [Int64], old: [Int64])
    do throws(NeatlineError) {
      prepared = try StylePackRegion.prepare(styleURI, loadOptions, in: resources)
    } catch {
      return EndedLoad { completion(.failure(StylePackError.other(error.message))) }
    }
    var options = OfflineDownload.Options()
    options.attempts = OfflineManager.attempts
    options.acceptsExpired = loadOptions.acceptExpired
    let load = PackLoad(
      prepared.regions, resources, options, progress: { progress(StylePackLoadProgress($0)) },
      completion: { [resources] result in
        switch result {
        case .failure(let error): completion(.failure(StylePackError(error.fault)))
        case .success:
          // What it had with other options is not needed any more.
          for id in prepared.old { try? resources.deleteRegion(id) }
          completion(Result { try StylePackRegion.find(styleURI, in: resources).pack(in: resources) })
        }
      })
    load.next()
    return load
  }

  /// All style packs.
  public func allStylePacks() throws(NeatlineError) -> [StylePack] {
    try PackRegion.all(.stylePack, in: resources).map { (region) throws(NeatlineError) in
      try region.pack(in: resources)
    }
  }

  /// A style's pack. Throws `StylePackError`.
  public func stylePack(for styleURI: StyleURI) throws -> StylePack {
    try StylePackRegion.find(styleURI, in: resources).pack(in: resources)
  }

  /// What was given as a pack's metadata; null where nothing was. Throws `StylePackError`.
  public func stylePackMetadata(for styleURI: StyleURI) throws -> JSONValue {
    try StylePackRegion.find(styleURI, in: resources).metadata ?? .null
  }

  /// Deletes a style's pack, if it is there, and ends its load. What tile regions need of it stays.
  public func removeStylePack(for styleURI: StyleURI) throws(NeatlineError) {
    for pack in try PackRegion.all(.stylePack, in: resources) where pack.name == styleURI.rawValue {
      try resources.deleteRegion(pack.id)
    }
  }

  /// Tells later, on another thread: all style packs.
  public func allStylePacks(completion: @escaping @Sendable (Result<[StylePack], any Error>) -> Void) {
    Task.detached { [self] in completion(Result { try allStylePacks() }) }
  }

  /// Tells later, on another thread: a style's pack.
  public func stylePack(
    for styleURI: StyleURI, completion: @escaping @Sendable (Result<StylePack, any Error>) -> Void
  ) {
    Task.detached { [self] in completion(Result { try stylePack(for: styleURI) }) }
  }

  /// Tells later, on another thread: a pack's metadata.
  public func stylePackMetadata(
    for styleURI: StyleURI, completion: @escaping @Sendable (Result<JSONValue, any Error>) -> Void
  ) {
    Task.detached { [self] in completion(Result { try stylePackMetadata(for: styleURI) }) }
  }

  // MARK: Tilesets

  /// What a tile region has of a style.
  public func createTilesetDescriptor(for options: TilesetDescriptorOptions) -> TilesetDescriptor {
    TilesetDescriptor(options)
  }
}

/// A load that could not begin.
final class EndedLoad: Cancelable {
  init(_ tell: @escaping @Sendable () -> Void) { Task.detached { tell() } }
  func cancel() {}
}

/// Style packs as regions.
enum StylePackRegion {
  /// The region to be loaded, made where there is none with these options, and those that it replaces.
  static func prepare(_ style: StyleURI, _ options: StylePackLoadOptions, in resources: Resources)
    throws(NeatlineError) -> (regions: [Int64], old: [Int64])
  {
    let known = try PackRegion.all(.stylePack, in: resources).filter { $0.name == style.rawValue }
    let mode =
      options.glyphsRasterizationMode ?? known.last?.glyphsRasterizationMode ?? .ideographsRasterizedLocally
    let metadata = PackRegion.metadata(
      .stylePack, style.rawValue, notes: .number(Double(mode.rawValue)),
      options.metadata ?? known.last?.metadata)
    if let same = known.last(where: { $0.glyphsRasterizationMode == mode }) {
      try resources.setMetadata(metadata, ofRegion: same.id)
      return ([same.id], known.map(\.id).filter { $0 != same.id })
    }
    let made = try resources.createRegion(definition(style, mode), metadata: metadata)
    return ([made], known.map(\.id))
  }

  private static func definition(_ style: StyleURI, _ mode: GlyphsRasterizationMode) -> JSONValue {
    .members([
      "style_url": .string(style.rawValue), "min_zoom": .number(0), "max_zoom": .number(0),
      "pixel_ratio": .number(1), "include_ideographs": .bool(mode == .noGlyphsRasterizedLocally),
      "bounds": [-90, -180, 90, 180],
      "neatline_contents": mode == .allGlyphsRasterizedLocally ? ["sprites"] : ["sprites", "glyphs"],
    ])
  }

  static func find(_ style: StyleURI, in resources: Resources) throws -> PackRegion {
    let all = try PackRegion.all(.stylePack, in: resources)
    guard let found = all.last(where: { $0.name == style.rawValue }) else {
      throw StylePackError.doesNotExist("there is no style pack of \(style.rawValue)")
    }
    return found
  }
}

extension PackRegion {
  var glyphsRasterizationMode: GlyphsRasterizationMode {
    notes.number.flatMap { Int(exactly: $0) }.flatMap(GlyphsRasterizationMode.init)
      ?? .noGlyphsRasterizedLocally
  }

  func pack(in resources: Resources) throws(NeatlineError) -> StylePack {
    let progress = try resources.progress(ofRegion: id)
    return StylePack(
      styleURI: StyleURI(rawValue: name), glyphsRasterizationMode: glyphsRasterizationMode,
      requiredResourceCount: progress.requiredCount, completedResourceCount: progress.completedCount,
      completedResourceSize: progress.byteCount)
  }
}
