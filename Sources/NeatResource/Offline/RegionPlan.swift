// What a region needs, as it becomes known: the style first, then what it names, then the tiles of its sources.
// Nothing is asked for here. Addresses and keys are those that a map would use, so that it finds them.
import NeatBase
import NeatJSON
import NeatStore
import NeatStyle
import NeatTile

struct RegionPlan {
  let definition: OfflineRegionDefinition
  let area: RegionArea
  let style: ResourceRequest
  /// TileJSON documents by the key that they are stored under, with the sources that they describe; and the styles
  /// that the style takes in, which describe none.
  private(set) var tileJSON: [(request: ResourceRequest, sources: [SourceSpec])] = []
  /// Sprites, GeoJSON, images of image sources.
  private(set) var others: [ResourceRequest] = []
  private(set) var tiles: [RegionTiles] = []
  private(set) var fontStacks: [String] = []
  /// What the style names and no region can have; each with the reason.
  private(set) var faults: [NeatError] = []
  private(set) var hasStyle = false
  /// Such documents that are still to come.
  private var awaited = 0
  /// The styles that the style takes in, while some are to come.
  private var imports: StyleImports?
  private var base: String { definition.styleURL }
  private var glyphs: String?
  private var ranges: [Int] = []

  init(_ definition: OfflineRegionDefinition) throws(NeatError) {
    self.definition = definition
    switch definition.area {
    case .bounds(let south, let west, let north, let east):
      area = try RegionArea(south: south, west: west, north: north, east: east)
    case .geometry(let text): area = .shape(try RegionShape(geometry: Array(text.utf8)))
    }
    style = ResourceRequest(kind: .style, url: definition.styleURL)
  }

  /// Whether something that is at an address has to be asked for: what is on this machine is there.
  static func isRemote(_ url: String) -> Bool {
    switch ResourceLoader.place(url) {
    case .server, .pmtilesServer, .unknown: true
    case .inline, .file, .mbtiles, .pmtilesFile: false
    }
  }

  // MARK: The style

  /// Throws what is wrong with it.
  mutating func takeStyle(_ bytes: [UInt8]) throws(NeatError) {
    guard !hasStyle else { return }
    do throws(NeatError) {
      let json = try JSONDocument(parsing: bytes).root
      guard StyleImports.concerns(json) else {
        let style = try Style(json: json)
        hasStyle = true
        return take(style)
      }
      let imports = StyleImports(json, base: base)
      _ = try imports.read()
      self.imports = imports
      hasStyle = true
      takeImports()
    } catch { throw error.naming(base) }
  }

  /// Asks for the styles that are taken in; where all are there, or not to be had, they are one.
  private mutating func takeImports() {
    // That its root is a style was seen before.
    guard let imports, let (style, lacking) = try? imports.read() else { return }
    for url in lacking {
      let request = ResourceRequest(kind: .style, url: url)
      guard !tileJSON.contains(where: { $0.request == request }) else { continue }
      tileJSON.append((request, []))
      awaited += 1
    }
    guard lacking.isEmpty else { return }
    self.imports = nil
    take(style)
  }

  private mutating func take(_ style: Style) {
    var seen: Set<DatabaseKey> = [ResourceCache.key(self.style)]
    func add(_ request: ResourceRequest) {
      if RegionPlan.isRemote(request.url), seen.insert(ResourceCache.key(request)).inserted {
        others.append(request)
      }
    }
    if definition.contents.contains(.sprites) {
      for sprite in style.sprites {
        let url = Address.resolve(sprite.url, base: base)
        for ratio in [1.0, 2.0] {
          add(.init(kind: .spriteJSON, url: ResourceAddress.sprite(url, pixelRatio: ratio, suffix: ".json")))
          add(.init(kind: .spriteImage, url: ResourceAddress.sprite(url, pixelRatio: ratio, suffix: ".png")))
        }
      }
    }
    for source in style.sources {
      switch source.kind {
      case .vector(let tiled), .raster(let tiled), .rasterDEM(let tiled):
        if let url = tiled.url {
          addTileJSON(Address.resolve(url, base: base), source)
        } else {
          var tileSet = TileSet()
          tileSet.read(source.json, base: base)
          addTiles(tileSet, source)
        }
      case .geojson(let geojson):
        guard let url = geojson.data.string, definition.contents.contains(.tiles) else { continue }
        add(ResourceRequest(kind: .geojson, url: Address.resolve(url, base: base)))
      case .image(let image):
        guard definition.contents.contains(.tiles) else { continue }
        add(ResourceRequest(kind: .image, url: Address.resolve(image.url, base: base)))
      // The application has them.
      case .video, .custom: continue
      }
    }
    takeGlyphs(style)
  }

  private mutating func takeGlyphs(_ style: Style) {
    guard definition.contents.contains(.glyphs), let template = style.glyphs else { return }
    let url = Address.resolve(template, base: base)
    guard RegionPlan.isRemote(url) else { return }
    glyphs = url
    fontStacks = style.fontStacks
    // Without a place for the font, all fonts are one.
    if !url.contains("{fontstack}") { fontStacks = Array(fontStacks.prefix(1)) }
    ranges = RegionPlan.glyphRanges.filter { range in
      definition.includesIdeographs || !Ideographs.ranges.contains { $0.contains(range) }
    }
    if !url.contains("{range}") { ranges = [0] }
  }

  private mutating func addTileJSON(_ url: String, _ source: SourceSpec) {
    guard RegionPlan.isRemote(url) else { return }
    if case .pmtilesServer = ResourceLoader.place(url) {
      return faults.append(
        NeatError(
          .unsupported,
          "an archive on a server cannot be part of a region: take a part of it along with `neatline extract`",
          resource: url))
    }
    let request = ResourceRequest(kind: .source, url: url)
    if let known = tileJSON.firstIndex(where: { $0.request == request }) {
      tileJSON[known].sources.append(source)
    } else {
      tileJSON.append((request, [source]))
      awaited += 1
    }
  }

  // MARK: Sources

  /// Throws what is wrong with it; its sources then have no tiles.
  mutating func takeTileJSON(_ request: ResourceRequest, _ bytes: [UInt8]) throws(NeatError) {
    guard let entry = tileJSON.first(where: { $0.request == request }) else { return }
    do throws(NeatError) {
      let json = try JSON.parse(bytes)
      if request.kind == .style {
        imports?.take(request.url, .success(bytes))
        awaited -= 1
        return takeImports()
      }
      try TileSet.check(json)
      awaited -= 1
      for source in entry.sources { addTiles(TileSet(json, base: request.url, source: source), source) }
    } catch {
      throw error.naming(request.url)
    }
  }

  /// A TileJSON, or a style that is taken in, is not to be had.
  mutating func skipTileJSON(_ request: ResourceRequest) {
    awaited -= 1
    guard request.kind == .style else { return }
    imports?.take(request.url, .failure(NeatError(.notFound, "not to be had", resource: request.url)))
    takeImports()
  }

  private mutating func addTiles(_ tileSet: TileSet, _ source: SourceSpec) {
    guard definition.contents.contains(.tiles), let template = tileSet.templates.first,
      RegionPlan.isRemote(template)
    else { return }
    if case .pmtilesServer = ResourceLoader.place(template) {
      return faults.append(
        NeatError(.unsupported, "an archive on a server cannot be part of a region", resource: template))
    }
    let made = RegionTiles(tileSet, source, definition, area)
    if let known = tiles.firstIndex(where: { $0.identity == made.identity }) {
      tiles[known].unite(made)
    } else {
      tiles.append(made)
    }
  }

  mutating func takeFaults() -> [NeatError] {
    defer { faults = [] }
    return faults
  }

  // MARK: Counting

  /// Whether nothing more can become known of what is needed.
  var isKnown: Bool { hasStyle && awaited == 0 }

  /// 256 characters each.
  private static let glyphRanges = 0..<256

  /// Resources without the tiles, as far as they are known.
  var resourceCount: Int64 {
    let own: Int64 = RegionPlan.isRemote(style.url) ? 1 : 0
    let documents = tileJSON.count { RegionPlan.isRemote($0.request.url) }
    return own + Int64(documents + others.count + fontStacks.count * ranges.count)
  }

  /// Glyph ranges, font stack after font stack.
  func glyphRequest(_ index: Int) -> ResourceRequest? {
    guard let glyphs, index < fontStacks.count * ranges.count else { return nil }
    return ResourceRequest(
      kind: .glyphs,
      url: ResourceAddress.glyphs(
        glyphs, fontStack: fontStacks[index / ranges.count], range: ranges[index % ranges.count]))
  }
}
