import NeatBase
import NeatMap

/// What a map knows of the layers that its application draws, and of the sources whose tiles that gives.
struct MapCustom {
  /// In the order in which they were added.
  var layers: [CustomLayer] = []
  var sources: [String: CustomSource] = [:]
  /// Calls that the application is still to get.
  var calls = HostCalls()
  /// Whether the application draws a layer at the moment.
  var isDrawing = false
  /// What the layers of a picture could not do.
  var faults: [(layer: String, error: NeatError)] = []

  func layer(_ id: String) -> CustomLayer? { layers.first { $0.id == id } }
}

/// Calls in their order. They are made when the map is whole: each may do anything with it.
struct HostCalls {
  private var items: [() -> Void] = []
  private var next = 0

  mutating func add(_ call: @escaping () -> Void) { items.append(call) }

  mutating func take() -> (() -> Void)? {
    guard next < items.count else {
      items.removeAll()
      next = 0
      return nil
    }
    next += 1
    return items[next - 1]
  }
}

extension LiveMap {
  /// Makes the calls that are due. False where one of them ended the style or the map.
  @discardableResult func tellHosts() -> Bool {
    let generation = generation
    while let call = custom.calls.take() { call() }
    return generation == self.generation && !isDestroyed
  }

  /// Ends what a changed style has no more.
  func endCustom(notIn core: MapCore) {
    guard !custom.layers.isEmpty || !custom.sources.isEmpty else { return }
    let style = core.style
    for layer in custom.layers where layer.isShown && style.layer(layer.id)?.type != .custom { end(layer) }
    for (id, source) in custom.sources where style.source(id)?.custom == nil { end(source) }
  }

  /// Ends what belongs to the style that goes, or, with the map, all.
  func endCustom(withMap: Bool) {
    for layer in custom.layers {
      layer.isShown = false
      if withMap || !layer.isPersistent { end(layer) }
    }
    for source in Array(custom.sources.values) { end(source) }
  }
}
