import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatStyle
import NeatTile

/// What a map knows of its annotations.
struct MapAnnotations {
  /// In the order in which they were made.
  var managers: [AnnotationStore] = []
  /// What of each was brought into the style.
  var shown: [String: AnnotationLayers] = [:]
  var press: AnnotationPress?

  func index(_ id: String) throws(NeatError) -> Int {
    guard let index = managers.firstIndex(where: { $0.id == id }) else {
      throw NeatError(.notFound, "no such manager of annotations", resource: id)
    }
    return index
  }

  var isEmpty: Bool { managers.isEmpty }
}

// Annotations live in sources and layers of their own, which another style takes over. What changes of them is carried
// over once a frame.
extension LiveMap {
  /// Makes a manager; one of that id goes, with what it had. Throws what is wrong with its options.
  package func makeAnnotations(id: String, _ kind: AnnotationKind, _ options: AnnotationOptions)
    throws(NeatError)
  {
    var store = try AnnotationStore(id: id, kind, options)
    let old = annotations.managers.first { $0.id == id }
    guard old != nil || annotations.managers.count < AnnotationStore.managerLimit else {
      throw NeatError(.limitExceeded, "more than \(AnnotationStore.managerLimit) managers of annotations")
    }
    if let old { store.count(on: old) }
    let (made, layers, shown) = (store, store.layers, annotations.shown[id])
    try editWhereThereIsAStyle { editor throws(NeatError) in
      try shown?.remove(from: &editor)
      try layers.add(to: &editor)
    } taken: { map in
      map.annotations.managers.removeAll { $0.id == id }
      map.annotations.managers.append(made)
      map.annotations.shown[id] = map.core == nil ? nil : layers
    }
  }

  package func removeAnnotations(id: String) throws(NeatError) {
    _ = try annotations.index(id)
    let shown = annotations.shown[id]
    try editWhereThereIsAStyle { editor throws(NeatError) in
      try shown?.remove(from: &editor)
    } taken: { map in
      map.annotations.managers.removeAll { $0.id == id }
      map.annotations.shown[id] = nil
    }
  }

  /// Edits the style, and takes over what goes with that when nothing can fail any more and before anything is told: a
  /// handler may do the same again.
  private func editWhereThereIsAStyle(
    _ body: (inout StyleEditor) throws(NeatError) -> Void, taken: (LiveMap) -> Void
  ) throws(NeatError) {
    guard core != nil else { return taken(self) }
    try edit { editor throws(NeatError) in
      try body(&editor)
      taken(self)
    }
  }

  package var annotationManagers: [AnnotationStore] { annotations.managers }

  package func annotationManager(_ id: String) throws(NeatError) -> AnnotationStore {
    annotations.managers[try annotations.index(id)]
  }

  /// Changes a manager or its annotations. Throws what the change throws, and what is wrong with its layers then; it
  /// is as before.
  package func changeAnnotations(
    _ id: String, _ body: (inout AnnotationStore) throws(NeatError) -> Void
  ) throws(NeatError) {
    let index = try annotations.index(id)
    var store = annotations.managers[index]
    try body(&store)
    let layers = store.layers
    guard core != nil, let shown = annotations.shown[id], shown != layers else {
      annotations.managers[index] = store
      return annotationsChanged()
    }
    // What sources came anew have no data and no states yet.
    if shown.sourceText != layers.sourceText { store.beginAnew() }
    if shown.sourceIDs != layers.sourceIDs { store.showSelectionsAgain() }
    let changed = store
    do throws(NeatError) {
      try edit { editor throws(NeatError) in
        try layers.replace(shown, in: &editor)
        // Past all that can fail, and before anything is told.
        annotations.managers[index] = changed
        annotations.shown[id] = layers
      }
    } catch {
      throw error.naming(id)
    }
  }

  private func annotationsChanged() { if core != nil { invalidate() } }

  /// Whether the style has a manager's source and layers.
  package func isShown(annotations id: String) -> Bool { core != nil && annotations.shown[id] != nil }

  /// What annotations add to a style that comes.
  func annotationsForStyle() -> [StyleAddition] {
    annotations.shown = [:]
    // What is dragged stays where it is, which the pointer's next event tells.
    if annotations.press?.isDragging != true {
      annotations.press?.timer?.cancel()
      annotations.press = nil
    }
    return annotations.managers.indices.map { index in
      annotations.managers[index].endDrag()
      annotations.managers[index].beginAnew()
      let layers = annotations.managers[index].layers
      return StyleAddition(id: layers.id, part: .source) { editor, isOnTop throws(NeatError) in
        try (isOnTop ? layers.onTop : layers).add(to: &editor)
      } added: { [weak self] in
        self?.annotations.shown[layers.id] = layers
      }
    }
  }

  /// Hands what has changed to whoever prepares the next frame.
  func carryAnnotations(_ core: MapCore) {
    for index in annotations.managers.indices where annotations.managers[index].hasChanges {
      guard annotations.shown[annotations.managers[index].id] != nil else { continue }
      core.edit(annotations.managers[index].takeEdits())
      let sources = annotations.shown[annotations.managers[index].id]?.sourceIDs ?? []
      for (number, isSelected) in annotations.managers[index].takeSelections() {
        for source in sources { showSelection(core, source, number, isSelected) }
      }
    }
  }

  // MARK: What is where

  /// The annotations and clusters within some logical pixels of a point, topmost first; those that the point itself
  /// meets come before the others. `tolerance` nil: each manager's own.
  package func annotations(at point: SIMD2<Double>, tolerance: Double? = nil) throws(NeatError)
    -> [AnnotationHit]
  {
    try GestureInput.check(position: point)
    if let tolerance, !(0...1000).contains(tolerance) {
      throw NeatError(.invalidArgument, "tolerance \(tolerance) is not within 0...1000")
    }
    guard core != nil, !annotations.isEmpty else { return [] }
    var groups: [Double: [AnnotationStore]] = [0: annotations.managers]
    for manager in annotations.managers {
      groups[tolerance ?? manager.options.tolerance, default: []].append(manager)
    }
    var found: [AnnotationHit] = []
    var seen: Set<AnnotationHit> = []
    for reach in groups.keys.sorted() {
      for hit in try hits(point, reach, groups[reach] ?? []) where seen.insert(hit).inserted {
        found.append(hit)
      }
    }
    return found
  }

  private func hits(_ point: SIMD2<Double>, _ reach: Double, _ managers: [AnnotationStore])
    throws(NeatError) -> [AnnotationHit]
  {
    var owners: [String: AnnotationStore] = [:]
    for manager in managers {
      for layer in annotations.shown[manager.id]?.layerIDs ?? [] { owners[layer] = manager }
    }
    guard !owners.isEmpty else { return [] }
    var options = QueryOptions()
    options.layers = Set(owners.keys)
    options.limit = 1000
    let (low, high) = ((point - reach) * size.pixelRatio, (point + reach) * size.pixelRatio)
    let answer = try query(reach == 0 ? .point(low) : .box(low, high), options: options)
    return answer.features.compactMap { feature in
      guard let layer = feature.layer, let manager = owners[layer], let id = feature.data.id(feature.feature)
      else { return nil }
      if manager.layers.isOfClusters(layer) {
        return AnnotationHit(manager: manager.id, .cluster(id))
      }
      guard let known = Int(exactly: id).flatMap({ manager.annotation(number: $0) }) else { return nil }
      return AnnotationHit(manager: manager.id, .annotation(known.id))
    }
  }

  /// The annotations of a cluster, by their ids.
  package func annotations(
    ofCluster cluster: UInt64, _ manager: String, limit: Int, offset: Int
  ) throws(NeatError) -> [String] {
    let store = try annotationManager(manager)
    let core = try loadedCore()
    carryAnnotations(core)
    core.makePending()
    let index = try core.clusters(source: manager)
    guard let number = UInt32(exactly: cluster) else {
      throw NeatError(.notFound, "no such cluster", resource: "\(cluster)")
    }
    let leaves = try index.leaves(of: number, limit: limit, offset: offset)
    return leaves.compactMap { leaf in
      index.wholeID(feature: leaf).flatMap { Int(exactly: $0) }.flatMap { store.annotation(number: $0)?.id }
    }
  }

  // MARK: Selection

  /// Selects an annotation, or not any more. `at`: where a tap was.
  package func selectAnnotation(
    _ manager: String, _ id: String, _ isSelected: Bool, at point: SIMD2<Double>? = nil
  ) throws(NeatError) {
    let index = try annotations.index(manager)
    guard annotations.managers[index][id] != nil else {
      throw NeatError(.notFound, "no such annotation", resource: id)
    }
    guard annotations.managers[index].select(id, isSelected) else { return }
    annotationsChanged()
    tell(
      isSelected ? .selected : .deselected, AnnotationHit(manager: manager, .annotation(id)),
      at: point ?? SIMD2(-1, -1))
  }

  private func showSelection(_ core: MapCore, _ source: String, _ number: Int, _ isSelected: Bool) {
    // The source is there: it is shown.
    try? core.setFeatureState(
      .object([("source", .string(source)), ("id", .number(Double(number)))]),
      .object([("selected", .bool(isSelected))]))
  }

  // MARK: Taps

  /// A finger tapped at a point: what is hit is told, and selected.
  func tapAnnotations(at point: SIMD2<Double>) {
    guard !annotations.isEmpty, let hits = try? annotations(at: point) else { return }
    let top = hits.first
    if let top { guard tell(.tapped, top, at: point) else { return } }
    for manager in annotations.managers {
      let isHit = top?.manager == manager.id
      guard let current = try? annotationManager(manager.id) else { continue }
      switch current.options.selection {
      case .none: continue
      case .single:
        for id in current.selected where !(isHit && top?.id == id) {
          try? selectAnnotation(manager.id, id, false, at: point)
        }
        if isHit, let id = top?.id { try? selectAnnotation(manager.id, id, true, at: point) }
      case .multiple:
        guard isHit, let id = top?.id, let annotation = current[id] else { continue }
        try? selectAnnotation(manager.id, id, !annotation.isSelected, at: point)
      }
      guard !isDestroyed else { return }
    }
  }

  /// A finger stayed where it is.
  func pressAnnotations(at point: SIMD2<Double>) {
    guard let top = try? annotations(at: point).first else { return }
    tell(.longPressed, top, at: point)
  }

  /// The place under a point of the view; nil above the horizon.
  func place(under point: SIMD2<Double>) -> LonLat? {
    try? CameraView(camera: camera, size: size).place(at: point).place
  }

  /// Tells what happened to an annotation. False where a handler ended what it was told for.
  @discardableResult func tell(_ kind: AnnotationEvent.Kind, _ hit: AnnotationHit, at point: SIMD2<Double>)
    -> Bool
  {
    let place = kind == .selected || kind == .deselected ? nil : self.place(under: point)
    return send(.annotation(AnnotationEvent(kind, hit, at: point, place)))
  }
}
