import CNeatline

/// Rectangles that the host draws over the map, each bound to a place: `Map.viewAnnotations`. Belongs to the map's
/// thread.
///
///     try map.viewAnnotations.add(
///       label, options: ViewAnnotationOptions(geometry: Point(place), width: 120, height: 40, anchor: .bottom))
///
/// There is no view in this: what is added is any object of the host's, which draws it where the map says. The names
/// are those of version 10 of the mobile SDKs.
public final class ViewAnnotationManager {
  private struct Entry {
    let id: String
    let view: AnyObject
    var feature: String?
  }

  private weak var map: Map?
  private var entries: [UInt64: Entry] = [:]
  private var numbers: [String: UInt64] = [:]
  private var numbersByView: [ObjectIdentifier: UInt64] = [:]
  private var observers: [any ViewAnnotationUpdateObserver] = []
  /// The last change that observers have heard of.
  private var heard: UInt64 = 0
  /// Those of the frame that observers hear of, while they do.
  private var told: [UInt64: neat_view_annotation_placement]?

  init(_ map: Map) {
    self.map = map
    map.listeners.add([.viewAnnotationsChanged], for: self) { manager, _ in manager.tell() }
  }

  private var living: Map {
    get throws(NeatlineError) {
      guard let map else { throw NeatlineError(.state, "the map is gone") }
      return map
    }
  }

  // MARK: Adding and changing

  /// Adds an object as a view annotation; it is held until it is removed. `options` must have a geometry. It is hidden
  /// until the next frame. Throws `invalidArgument` for an object, an id or an associated feature that is there
  /// already, a geometry that is no point and values past their range; `limitExceeded` for more than 10,000 of a map.
  public func add(_ view: AnyObject, id: String? = nil, options: ViewAnnotationOptions) throws(NeatlineError)
  {
    guard numbersByView[ObjectIdentifier(view)] == nil else {
      throw NeatlineError(.invalidArgument, "view annotation: the view is there already")
    }
    let (map, id, json) = (try living, id ?? AnnotationID.next(), try options.checkedJSON().text)
    var number: UInt64 = 0
    try check(
      id.withText { id, size in
        json.withText { neat_map_add_view_annotation(map.pointer, id, size, $0, $1, &number) }
      })
    entries[number] = Entry(id: id, view: view, feature: options.associatedFeatureId)
    numbers[id] = number
    numbersByView[ObjectIdentifier(view)] = number
  }

  /// Changes what `options` has, and leaves the rest. Throws `notFound` for an object that was not added, and as `add`;
  /// nothing is changed then.
  public func update(_ view: AnyObject, options: ViewAnnotationOptions) throws(NeatlineError) {
    guard let number = numbersByView[ObjectIdentifier(view)], let id = entries[number]?.id else {
      throw NeatlineError(.notFound, "no such view annotation")
    }
    let (map, json) = (try living, try options.checkedJSON().text)
    try check(
      id.withText { id, size in
        json.withText { neat_map_update_view_annotation(map.pointer, id, size, $0, $1) }
      })
    if let feature = options.associatedFeatureId { entries[number]?.feature = feature }
  }

  /// Removes an object; one that was not added is no matter.
  public func remove(_ view: AnyObject) {
    guard let number = numbersByView.removeValue(forKey: ObjectIdentifier(view)),
      let entry = entries.removeValue(forKey: number)
    else { return }
    numbers[entry.id] = nil
    guard let map else { return }
    _ = entry.id.withText { neat_map_remove_view_annotation(map.pointer, $0, $1) }
  }

  /// Removes all that this manager has.
  public func removeAll() {
    let views = entries.values.map(\.view)
    for view in views { remove(view) }
  }

  // MARK: What is there

  /// The objects, in the order in which they were added.
  public var views: [AnyObject] { entries.keys.sorted().compactMap { entries[$0]?.view } }

  /// The object that was added with an id.
  public func view(forId id: String) -> AnyObject? { numbers[id].flatMap { entries[$0]?.view } }

  /// The object that goes with a feature.
  public func view(forFeatureId identifier: String) -> AnyObject? {
    entries.values.first { $0.feature == identifier }?.view
  }

  /// The options of an object as they are now, all but a feature that it does not have; nil for one that was not added.
  public func options(for view: AnyObject) -> ViewAnnotationOptions? {
    numbersByView[ObjectIdentifier(view)].flatMap { entries[$0]?.id }.flatMap(options(forId:))
  }

  /// The options of what goes with a feature.
  public func options(forFeatureId identifier: String) -> ViewAnnotationOptions? {
    view(forFeatureId: identifier).flatMap { options(for: $0) }
  }

  private func options(forId id: String) -> ViewAnnotationOptions? {
    guard let map else { return nil }
    let json = try? jsonValue { out in
      id.withText { neat_map_view_annotation(map.pointer, $0, $1, out) }
    }
    return json.map { ViewAnnotationOptions(json: $0) }
  }

  // MARK: Frames

  /// Where they stand in the last frame, those that are to be drawn above others later.
  public var placements: [ViewAnnotationPlacement] {
    pull().compactMap { placement in
      entries[placement.number].map { ViewAnnotationPlacement($0.id, $0.view, placement) }
    }
  }

  /// Where an object stands in the last frame; nil for one that was not added. Within what an observer is told, in the
  /// frame that it is told of, and at no cost; else `placements` has all of them at the same cost.
  public func placement(for view: AnyObject) -> ViewAnnotationPlacement? {
    guard let number = numbersByView[ObjectIdentifier(view)], let entry = entries[number] else { return nil }
    if let placement = told?[number] { return ViewAnnotationPlacement(entry.id, entry.view, placement) }
    return pull().first { $0.number == number }.map { ViewAnnotationPlacement(entry.id, entry.view, $0) }
  }

  private func pull() -> [neat_view_annotation_placement] { pull(nil) }

  private func pull(_ change: UnsafeMutablePointer<UInt64>?) -> [neat_view_annotation_placement] {
    guard let map else { return [] }
    // Others may have added some through the C functions.
    var count = 0
    guard neat_map_view_annotation_placements(map.pointer, nil, 0, &count, nil) == NEAT_STATUS_OK, count > 0
    else { return [] }
    return [neat_view_annotation_placement](unsafeUninitializedCapacity: count) { buffer, filled in
      var found = 0
      let status = neat_map_view_annotation_placements(
        map.pointer, buffer.baseAddress, buffer.count, &found, change)
      filled = status == NEAT_STATUS_OK ? min(found, buffer.count) : 0
    }
  }

  /// Has an observer hear of frames; it is held until it is removed.
  public func addViewAnnotationUpdateObserver(_ observer: any ViewAnnotationUpdateObserver) {
    guard !observers.contains(where: { $0 === observer }) else { return }
    observers.append(observer)
  }

  /// The observer hears nothing more.
  public func removeViewAnnotationUpdateObserver(_ observer: any ViewAnnotationUpdateObserver) {
    observers.removeAll { $0 === observer }
  }

  private func tell() {
    guard !observers.isEmpty else { return }
    let since = heard
    let found = pull(&heard)
    var (framed, flipped) = ([AnyObject](), [AnyObject]())
    for placement in found {
      guard let view = entries[placement.number]?.view else { continue }
      if placement.visibility_change > since { flipped.append(view) }
      if placement.frame_change > since, placement.state == NEAT_VIEW_ANNOTATION_STATE_SHOWN {
        framed.append(view)
      }
    }
    let before = told
    told = Dictionary(found.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    defer { told = before }
    // One that another has removed hears nothing more.
    for observer in observers where observers.contains(where: { $0 === observer }) {
      if !flipped.isEmpty { observer.visibilityDidChange(for: flipped) }
      guard !framed.isEmpty, observers.contains(where: { $0 === observer }) else { continue }
      observer.framesDidChange(for: framed)
    }
  }

  // MARK: Framing

  /// The camera from which view annotations are seen as a whole, as close as they fit; what is nil is as it is now.
  /// Throws `notFound` for an id that was not added, `invalidArgument` for none and where there is no room.
  public func camera(
    forAnnotations identifiers: [String], padding: Camera.Padding = Camera.Padding(), bearing: Double? = nil,
    pitch: Double? = nil
  ) throws(NeatlineError) -> Camera {
    let map = try living
    var camera = try map.camera
    camera.bearing = bearing ?? camera.bearing
    camera.pitch = pitch ?? camera.pitch
    var (given, options) = (Camera.c(camera), FitOptions(padding: padding).c)
    let ids = JSONValue.array(identifiers.map { .string($0) }).text
    try check(ids.withText { neat_map_fit_view_annotations(map.pointer, $0, $1, &options, &given) })
    return Camera(given)
  }
}
