import NeatBase
import NeatStyle

extension MapCore {
  /// This map with an overlay, for one picture: what is loaded and laid out now is shared with it, what it loads
  /// is its own. Throws what is wrong with the overlay; an id that the style has already is.
  package func laying(_ overlay: Overlay) throws(NeatError) -> MapCore {
    var state = state.withLock { $0 }
    let old = state.style.document
    let new = try overlay.styled(old)
    for source in new.sources[old.sources.count...] { state.begin(source) }
    for image in overlay.images {
      state.style.addImage(image)
      state.staleLayers(naming: image.name)
    }
    state.style.document = new
    if overlay.isOnTop {
      // What is laid out stays as it is; layers over the style's own sources come to it.
      for (index, layer) in new.layers.enumerated().dropFirst(old.layers.count) {
        guard let source = layer.source, old.source(source) != nil else { continue }
        state.staleLayer(index, of: source)
      }
    } else {
      state.changeLayers(from: old, to: new)
    }
    return MapCore(state, self)
  }
}
