import NeatBase
import NeatCamera
import NeatJSON
import NeatMap

/// What a map knows of its view annotations.
struct MapViews: ~Copyable {
  /// What decides where they stand.
  struct Placed: Equatable {
    var camera: Camera
    var size: ViewSize
    var version: UInt64
    /// Of the map, where some go with features.
    var change: UInt64?
    var labels: Int?
  }

  var store = ViewAnnotationStore()
  var finder = FeatureFinder()
  /// As of the last frame that they were placed in.
  var placed: Placed?
  /// Of what labels make room for by then.
  var obstacleNumber = 0
}

// View annotations are no part of the picture: the host draws them over it. Each frame places them with its camera, that
// of a turn before it is told to be finished, that which a host draws itself at the end of its call.
extension LiveMap {
  /// Adds one; gives its number.
  package func addViewAnnotation(id: String, _ json: JSON) throws(NeatError) -> UInt64 {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed") }
    let number = try views.store.add(id: id, json)
    viewsChanged()
    return number
  }

  package func updateViewAnnotation(id: String, _ json: JSON) throws(NeatError) {
    try views.store.update(id: id, json)
    viewsChanged()
  }

  package func removeViewAnnotation(id: String) throws(NeatError) {
    try views.store.remove(id: id)
    viewsChanged()
  }

  package func removeAllViewAnnotations() {
    guard !views.store.isEmpty else { return }
    views.store.removeAll()
    viewsChanged()
  }

  private func viewsChanged() { if core != nil { invalidate() } }

  package func viewAnnotation(_ id: String) throws(NeatError) -> ViewAnnotation {
    guard let found = views.store[id] else {
      throw NeatError(.notFound, "no such view annotation", resource: id)
    }
    return found
  }

  /// All, in the order of adding.
  package var viewAnnotations: [ViewAnnotation] { views.store.all }

  package var viewAnnotationCount: Int { views.store.count }

  /// The number of the last change of what is seen of them.
  package var viewAnnotationChange: UInt64 { views.store.change }

  /// Calls with each as of the last frame, those that are drawn above others later.
  package func forEachViewPlacement(_ body: (ViewPlacement) -> Void) { views.store.forEachPlacement(body) }

  /// The camera from which view annotations are seen as a whole, as close as they fit, at the bearing and pitch of
  /// another; without ids all that are visible but for what is in their way. Throws `notFound`, `invalidArgument`
  /// for none and where there is no room.
  package func camera(
    forViewAnnotations ids: [String]?, from camera: Camera, options: FitOptions
  ) throws(NeatError) -> Camera {
    var asked: [ViewAnnotation] = []
    if let ids {
      for id in ids { asked.append(try viewAnnotation(id)) }
    } else {
      asked = views.store.all.filter(\.isVisible)
    }
    let rectangles = asked.map(\.fit)
    return try fitted(options) { options throws(NeatError) in
      try camera.fitting(rectangles: rectangles, size: size, options: options)
    }
  }

  // MARK: Frames

  /// Finds out where they stand in a frame, and tells what has changed. False where a handler ended the style or the
  /// map.
  @discardableResult func placeViews(in view: Transform?, _ history: FrameHistory?) -> Bool {
    guard !views.store.isEmpty, !isDestroyed, let core, let view else { return true }
    views.store.prepare()
    let hasFeatures = !views.store.featureNames.isEmpty
    let placed = MapViews.Placed(
      camera: view.camera, size: view.size, version: views.store.version,
      change: hasFeatures ? changeNumber : nil, labels: hasFeatures ? placementNumber : nil)
    guard placed != views.placed else { return true }
    views.placed = placed
    var shown: [Bool] = []
    if hasFeatures {
      shown = core.shown(
        viewFeatureNames, in: view, labels: (history ?? frames.history).labels, &views.finder)
    }
    let hasChanged = views.store.place(in: view, shown: shown)
    let obstacles = views.store.obstacles(in: view).number
    // Labels make room in the next frame.
    if obstacles != views.obstacleNumber {
      views.obstacleNumber = obstacles
      invalidate()
    }
    guard hasChanged else { return true }
    return send(.viewAnnotationsChanged(views.store.change))
  }

  /// The features that some go with; those of annotations are known by their ids in their managers.
  private var viewFeatureNames: FeatureNames {
    var names = FeatureNames(views.store.featureNames)
    for manager in annotations.managers {
      guard let layers = annotations.shown[manager.id] else { continue }
      var numbers: [UInt64: Int] = [:]
      for (place, name) in names.names.enumerated() {
        if let number = manager.number(of: name) { numbers[UInt64(number)] = place }
      }
      for layer in layers.layerIDs { names.ofLayers[layer] = layers.isOfClusters(layer) ? [:] : numbers }
    }
    return names
  }
}
