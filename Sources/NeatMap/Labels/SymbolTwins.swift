import NeatStyle

/// Symbol layers that show the same labels: they differ in their paint only. As in MapLibre GL JS their labels are
/// placed once, with the lowest of them, and drawn by each.
struct SymbolTwins {
  /// By place in the style: the layers above that follow one.
  private(set) var followers: [Int: [Int]] = [:]
  private var leaders: [Int: Int] = [:]

  init(_ layers: [StyleLayer]) {
    let symbols = layers.indices.filter { layers[$0].type == .symbol }
    for (number, index) in symbols.enumerated() {
      let twin = symbols[..<number].first { leaders[$0] == nil && layers[index].isTwin(of: layers[$0]) }
      guard let twin else { continue }
      leaders[index] = twin
      followers[twin, default: []].append(index)
    }
  }

  func isFollower(_ index: Int) -> Bool { leaders[index] != nil }
}

extension StyleLayer {
  fileprivate func isTwin(of other: StyleLayer) -> Bool {
    guard source == other.source, sourceLayer == other.sourceLayer, minZoom == other.minZoom,
      maxZoom == other.maxZoom, filterJSON == other.filterJSON
    else { return false }
    return properties.changes(from: other.properties).allSatisfy { $0.spec.group == .paint }
  }
}

extension FrameBuilder {
  /// Hands the labels of layers to those that follow them.
  mutating func shareLabels() {
    for (leader, followers) in twins.followers {
      for follower in followers {
        placed[follower] = placed[leader].map { tiles in
          tiles.map { tile in
            var tile = tile
            tile.layer = style.layers[follower]
            return tile
          }
        }
        collisions[follower] = collisions[leader]
      }
    }
  }
}
