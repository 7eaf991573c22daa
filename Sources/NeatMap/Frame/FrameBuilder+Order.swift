import NeatStyle

extension FrameBuilder {
  /// Heatmaps that are drawn later than their place in the style says, and after which layers.
  ///
  /// MapLibre GL JS draws opaque fills and backgrounds first, from the top down, and the rest over them with the
  /// depths that these have left. Heatmaps come as pictures of the whole view and know of no depth: they lie over all
  /// opaque layers below the first layer of solids.
  func lateHeatmaps() -> (moved: Set<Int>, after: [Int: [Int]]) {
    var (moved, after) = (Set<Int>(), [Int: [Int]]())
    guard facts.hasHeatmaps else { return (moved, after) }
    let zoom = transform.camera.zoom
    let end = style.layers.firstIndex { $0.type == .fillExtrusion } ?? style.layers.count
    let opaque = style.layers[..<end].lastIndex { $0.isVisible(zoom: zoom, evaluator) && isOpaque($0) }
    guard let opaque else { return (moved, after) }
    for (index, layer) in style.layers[..<opaque].enumerated()
    where layer.type == .heatmap && layer.isVisible(zoom: zoom, evaluator) {
      moved.insert(index)
      after[opaque, default: []].append(index)
    }
    return (moved, after)
  }

  /// The outlines of an opaque fill, over what was drawn since the fill itself.
  mutating func addEdge(_ layer: LayerInFrame) {
    let first = commands.count
    addTiles(layer)
    for number in first..<commands.count {
      if case .fill(let fill) = commands[number] { commands[number] = .fillEdge(fill) }
    }
  }

  /// Whether a layer hides all that lies below it, wherever it draws.
  private func isOpaque(_ layer: StyleLayer) -> Bool {
    let (color, opacity, pattern): (Property, Property, Property)
    switch layer.type {
    case .background: (color, opacity, pattern) = (.backgroundColor, .backgroundOpacity, .backgroundPattern)
    case .fill:
      guard !layer.isSet(.fillLayerOpacity) else { return false }
      (color, opacity, pattern) = (.fillColor, .fillOpacity, .fillPattern)
    default: return false
    }
    guard !layer.isSet(pattern), !layer[color].isDataDriven, !layer[opacity].isDataDriven else {
      return false
    }
    return layer[opacity].number(evaluator, at: camera) >= 1
      && layer[color].color(evaluator, at: camera).a >= 1
  }
}
