import NeatBase

/// An image that a layer names, by the layer's place in the style.
struct ImageOfLayer: Hashable {
  let layer: Int
  let name: String
}

/// The images that the symbols of a tile name, and which of them nobody has: each picture asks, and images come seldom.
final class NamedImages: Sendable {
  private struct Known {
    /// Of the images that there were.
    let version: UInt64
    let missing: [ImageOfLayer]
  }

  /// By layers and names.
  private let all: [ImageOfLayer]
  private let known = Locked<Known?>(nil)

  init(_ notes: [Int: LayerNotes]) {
    all = notes.filter { !$0.value.images.isEmpty }.sorted { $0.key < $1.key }.flatMap { layer, notes in
      notes.images.sorted().map { ImageOfLayer(layer: layer, name: $0) }
    }
  }

  func missing(in library: ImageLibrary) -> [ImageOfLayer] {
    if all.isEmpty { return [] }
    return known.withLock { known in
      if let known, known.version == library.version { return known.missing }
      let missing = all.filter { library[$0.name] == nil }
      known = Known(version: library.version, missing: missing)
      return missing
    }
  }
}
