import NeatBase
import NeatImage
import NeatJSON
import NeatStyle
import NeatTile

extension MapCore {
  /// Takes a changed style. Sources that are the same keep their data, layers that are laid out alike what is
  /// laid out of them. Returns the sources that came and went.
  /// - Parameters:
  ///   - isGradual: whether paint properties take the time of their transitions, by `advanceTransitions`;
  ///     else they change at once.
  package func replaceStyle(_ style: Style, isGradual: Bool = false) -> (added: [String], removed: [String]) {
    state.withLock { state in
      let old = state.style.document
      let server = glyphs.server(style.glyphs.map { Address.resolve($0, base: state.style.base) })
      if isGradual {
        state.style.transitions.change(from: old, to: style)
      } else {
        state.style.transitions.removeAll()
      }
      var added: [String] = []
      var removed: [String] = []
      for source in old.sources where style.source(source.id)?.json != source.json {
        // A picture that only moves is not asked for again.
        if let new = style.source(source.id), state.sources[source.id]?.move(to: new) == true { continue }
        state.sources[source.id] = nil
        state.dropLayouts(of: source.id)
        removed.append(source.id)
      }
      for source in style.sources where state.sources[source.id] == nil {
        state.begin(source)
        added.append(source.id)
      }
      state.style.document = style
      state.changeLayers(from: old, to: style)
      if server != state.style.glyphServer {
        state.style.glyphServer = server
        state.staleLayers { $0.type == .symbol }
      }
      let kept = state.style.globalState.filter { name, value in GlobalState.defaults(of: old)[name] != value
      }
      state.changeGlobalState(to: GlobalState.defaults(of: style).merging(kept) { $1 })
      if state.style.beginSprites() { state.staleLayersOfImages() }
      return (added, removed)
    }
  }

  /// Replaces the data of a GeoJSON source.
  /// - Parameter number: of the source that is meant, where another one of its name is not.
  package func setGeoJSON(source id: String, _ bytes: [UInt8], number: UInt64? = nil) throws(NeatError) {
    let source = try geojsonSource(id, number: number)
    let tiles = try geojsonTiles(bytes, source)
    setGeoJSON(tiles, source: id, number: number, isFirst: false)
  }

  /// A source of GeoJSON. Throws `notFound`, `invalidArgument`.
  /// - Parameter number: of the source that is meant, where another one of its name is not.
  package func geojsonSource(_ id: String, number: UInt64? = nil) throws(NeatError)
    -> SourceSpec.GeoJSONSource
  {
    let found = state.withLock { state in state.sources[id].map { ($0.spec, $0.number) } }
    guard let (spec, known) = found, number ?? known == known else {
      throw NeatError(.notFound, "no such source", resource: id)
    }
    guard let source = spec.geojson else {
      throw NeatError(.invalidArgument, "the source is not of type geojson", resource: id)
    }
    return source
  }

  /// Changes the data of a GeoJSON source by the ids of its features; tiles that this does not touch stay as
  /// they are. Throws `notFound`, `invalidArgument` (no GeoJSON source, features without ids), `state` where
  /// the source's data is not there yet, and what reading `diff` throws.
  package func updateGeoJSON(source id: String, _ diff: [UInt8], number: UInt64? = nil) throws(NeatError) {
    let source = try geojsonSource(id, number: number)
    let change = try GeoJSONDiff(parsing: diff)
    while true {
      var (tiles, known) = state.withLock { ($0.sources[id]?.geojson, $0.sources[id]?.number) }
      // Another one of its name may have come while the change was read.
      guard number == nil || known == number else {
        throw NeatError(.notFound, "no such source", resource: id)
      }
      if tiles == nil, source.data.string == nil, let known {
        setGeoJSON(
          try geojsonTiles(Array(source.data.text.utf8), source), source: id, number: known)
        tiles = state.withLock { $0.sources[id]?.geojson }
      }
      guard let tiles else { throw NeatError(.state, "the source's data is not there yet", resource: id) }
      let (changed, touched): (GeoJSONTiles, GeoJSONTiles.Touched)
      do throws(NeatError) {
        (changed, touched) = try tiles.updating(change, source: source, memory: options.memory)
      } catch {
        throw error.naming(id)
      }
      // Another thread may have changed the data meanwhile: then the change is made to what that came to.
      let isDone = state.withLock { state in
        guard state.sources[id]?.geojson === tiles else { return false }
        state.sources[id]?.geojson = changed
        state.sources[id]?.tiles.drop { tile, _ in touched.contains(tile) }
        state.dropLayouts(of: id) { touched.contains($0) }
        return true
      }
      if isDone { return }
    }
  }

  /// Gives an image source another picture, also before its own has come. Throws `notFound`,
  /// `invalidArgument` for other sources, `outOfMemory`.
  package func updateImageSource(_ id: String, _ image: PixelImage) throws(NeatError) {
    let picture = try RasterTile(image, memory: options.memory)
    let isImage = state.withLock { state -> Bool? in
      guard let source = state.sources[id] else { return nil }
      guard case .image = source.spec.kind else { return false }
      state.sources[id]?.image = picture
      state.sources[id]?.phase = .ready
      return true
    }
    guard let isImage else { throw NeatError(.notFound, "no such source", resource: id) }
    guard isImage else { throw NeatError(.invalidArgument, "the source is not of type image", resource: id) }
  }

  /// An image by its name. Throws `notFound`.
  package func image(_ name: String) throws(NeatError) -> StyleImage {
    guard let image = state.withLock({ $0.style.images[name] }) else {
      throw NeatError(.notFound, "no image is called \"\(name)\"")
    }
    return image
  }

  /// The images that layers can name now, by name.
  package var images: [StyleImage] {
    state.withLock { state in state.style.images.names.sorted().compactMap { state.style.images[$0] } }
  }

  /// Adds an image that layers can name, in place of one of that name.
  package func addImage(_ image: StyleImage) {
    state.withLock { state in
      state.style.addImage(image)
      state.staleLayers(naming: image.name)
    }
  }

  package func removeImage(_ name: String) throws(NeatError) {
    let wasThere = state.withLock { state -> Bool in
      guard state.style.removeImage(name) else { return false }
      state.staleLayers(naming: name)
      return true
    }
    guard wasThere else { throw NeatError(.notFound, "no image is called \"\(name)\"") }
  }
}
