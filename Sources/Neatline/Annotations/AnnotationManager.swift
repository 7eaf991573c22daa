import CNeatline

/// A manager of annotations of any kind.
public protocol AnnotationManager: AnyObject {
  /// What it is known by.
  var id: String { get }
  /// The id of the source that has its annotations.
  var sourceId: String { get }
  /// The id of the layer that draws them.
  var layerId: String { get }
  /// Hears of taps, drags and selection. Not kept alive.
  var delegate: (any AnnotationInteractionDelegate)? { get set }
}

extension AnnotationManager {
  /// `id`, which source and layer have too.
  public var sourceId: String { id }
  /// `id`, which source and layer have too.
  public var layerId: String { id }
}

/// Annotations of one kind, in a source and a layer of their own, which every style of the map has. Made by
/// `Map.annotations`. Belongs to the map's thread.
///
///     let pins = try map.annotations.makePointAnnotationManager()
///     pins.iconAllowOverlap = .constant(false)
///     try pins.setAnnotations([PointAnnotation(coordinate: place)])
///
/// The properties of the layer are members: what annotations have of their own stands over them.
@dynamicMemberLookup
public final class LayerAnnotationManager<Item: LayerAnnotation>: AnnotationManager {
  /// The id of the manager, its source and its layer.
  public let id: String
  private weak var map: Map?
  private var layer: Item.AnnotationLayer
  private var order: [Item] = []
  private var places: [String: Int] = [:]
  private var settings: AnnotationSettings
  private var images: Set<String> = []
  /// Whether it was removed, or another one took its place.
  private var isEnded = false
  /// Hears of taps, drags and selection. Not kept alive.
  public weak var delegate: (any AnnotationInteractionDelegate)?
  /// Hears of what happens to an annotation.
  public var onInteraction: ((AnnotationInteraction, Item) -> Void)?

  init(_ map: Map, _ id: String, _ settings: AnnotationSettings) throws(NeatlineError) {
    (self.map, self.id, self.settings) = (map, id, settings)
    layer = Item.AnnotationLayer(id: id)
    let options = settings.json(layer).text
    try check(
      id.withText { id, size in
        options.withText {
          neat_map_make_annotations(
            map.pointer, id, size, neat_annotation_kind(rawValue: Item.kind.rawValue), $0, $1)
        }
      })
    map.listeners.add(AnnotationInteraction.kinds, for: self) { $0.hear($1) }
  }

  private var living: Map {
    get throws(NeatlineError) {
      guard let map else { throw NeatlineError(.state, "the map is gone") }
      return map
    }
  }

  // MARK: Annotations

  /// All of them, in the order in which they are drawn. Setting them carries over what is not as it was; what is
  /// refused changes nothing: `setAnnotations` says why.
  public var annotations: [Item] {
    get { order }
    set { try? setAnnotations(newValue) }
  }

  /// Sets all annotations. Throws `invalidArgument` or `style`, naming the annotation and what is wrong, and changes
  /// nothing then.
  public func setAnnotations(_ annotations: [Item]) throws(NeatlineError) {
    if annotations.count == order.count, zip(annotations, order).allSatisfy({ $0.id == $1.id }) {
      let changed = zip(annotations, order).filter { $0 != $1 }.map(\.0)
      guard !changed.isEmpty else { return }
      let isMuch = changed.count * 2 > order.count
      try send(isMuch ? annotations : changed, whole: isMuch)
      order = annotations
    } else {
      try send(annotations, whole: true)
      order = annotations
      places = Dictionary(order.enumerated().map { ($1.id, $0) }) { _, last in last }
    }
    dropImages()
  }

  /// Adds annotations; one whose id is there takes its place. Throws as `setAnnotations`.
  public func add(_ annotations: [Item]) throws(NeatlineError) {
    try send(annotations, whole: false)
    for annotation in annotations {
      if let place = places[annotation.id] {
        order[place] = annotation
      } else {
        places[annotation.id] = order.count
        order.append(annotation)
      }
    }
  }

  /// Changes one that is there. Throws `notFound`, and as `setAnnotations`.
  public func update(_ annotation: Item) throws(NeatlineError) {
    guard places[annotation.id] != nil else {
      throw NeatlineError(.notFound, "no such annotation: \(annotation.id)")
    }
    try add([annotation])
    dropImages()
  }

  /// Removes annotations by their ids. Throws `notFound` where one is not there, and removes none then.
  public func remove(_ ids: [String]) throws(NeatlineError) {
    let json = JSONValue.array(ids.map { .string($0) }).text
    try change(NEAT_ANNOTATION_CHANGE_REMOVE, Array(json.utf8))
    let gone = Set(ids)
    order.removeAll { gone.contains($0.id) }
    places = Dictionary(order.enumerated().map { ($1.id, $0) }) { _, last in last }
    dropImages()
  }

  /// The annotation of an id.
  public subscript(id: String) -> Item? { places[id].map { order[$0] } }

  private func send(_ annotations: [Item], whole: Bool) throws(NeatlineError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(annotations.count * 160 + 2)
    bytes.append(UInt8(ascii: "["))
    for (index, annotation) in annotations.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      annotation.write(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
    // Images come first: what is refused then changes nothing.
    try addImages(annotations)
    try change(whole ? NEAT_ANNOTATION_CHANGE_SET : NEAT_ANNOTATION_CHANGE_ADD, bytes)
  }

  private func change(_ change: neat_annotation_change, _ bytes: [UInt8]) throws(NeatlineError) {
    let map = try living
    guard !isEnded else { throw NeatlineError(.notFound, "no such manager of annotations: \(id)") }
    try check(
      id.withText { id, size in
        bytes.withUnsafeBufferPointer { json in
          json.withMemoryRebound(to: CChar.self) {
            neat_map_change_annotations(map.pointer, id, size, change, $0.baseAddress, $0.count)
          }
        }
      })
  }

  // MARK: Images

  private func addImages(_ annotations: [Item]) throws(NeatlineError) {
    for case let point as PointAnnotation in annotations {
      guard let image = point.image, !images.contains(image.name) else { continue }
      try living.addPersistentImage(image.name, image.image, pixelRatio: image.pixelRatio)
      images.insert(image.name)
    }
  }

  private func dropImages() {
    guard !images.isEmpty else { return }
    let used = Set(order.compactMap { ($0 as? PointAnnotation)?.image?.name })
    for name in images.subtracting(used) {
      images.remove(name)
      if map?.annotations.uses(image: name) != true { try? map?.removeImage(name) }
    }
  }

  // MARK: The layer

  /// A property of the layer. Setting it to what the layer cannot have changes nothing: `setLayer` says why.
  public subscript<Value>(dynamicMember member: WritableKeyPath<Item.AnnotationLayer, Value>) -> Value {
    get { layer[keyPath: member] }
    set {
      var changed = layer
      changed[keyPath: member] = newValue
      try? setLayer(changed)
    }
  }

  /// Sets the layout and paint properties of the layer. Throws `style` for values that it cannot have.
  public func setLayer(_ layer: Item.AnnotationLayer) throws(NeatlineError) {
    try setOptions(settings, layer)
    self.layer = layer
  }

  /// Logical pixels around a tap within which an annotation is hit, 0 to 100; 4 where it was not set.
  public var tolerance: Double {
    get { settings.tolerance }
    set { set(\.tolerance, newValue) }
  }

  /// What a tap does to the annotation that it hits.
  public var selection: AnnotationSelection {
    get { settings.selection }
    set { set(\.selection, newValue) }
  }

  private func set<Value>(_ path: WritableKeyPath<AnnotationSettings, Value>, _ value: Value) {
    var changed = settings
    changed[keyPath: path] = value
    guard (try? setOptions(changed, layer)) != nil else { return }
    settings = changed
  }

  private func setOptions(_ settings: AnnotationSettings, _ layer: Item.AnnotationLayer) throws(NeatlineError)
  {
    let (map, options) = (try living, settings.json(layer).text)
    try check(
      id.withText { id, size in
        options.withText { neat_map_set_annotation_options(map.pointer, id, size, $0, $1) }
      })
  }

  // MARK: Selection and clusters

  /// Selects an annotation, or not any more. Throws `notFound`.
  public func select(_ annotation: String, _ isSelected: Bool = true) throws(NeatlineError) {
    let map = try living
    try check(
      id.withText { id, size in
        annotation.withText {
          neat_map_select_annotation(map.pointer, id, size, $0, $1, isSelected ? 1 : 0)
        }
      })
  }

  /// Those that are selected.
  public var selectedAnnotations: [Item] { order.filter(\.isSelected) }

  /// The annotations of a cluster, from the one at `offset` on, `limit` at most. Throws `notFound` for a cluster that
  /// is not there any more.
  public func annotations(ofCluster cluster: UInt64, limit: Int = .max, offset: Int = 0) throws(NeatlineError)
    -> [Item]
  {
    let map = try living
    let ids = try jsonValue { out in
      id.withText {
        neat_map_annotation_cluster(map.pointer, $0, $1, cluster, max(0, limit), max(0, offset), out)
      }
    }
    return (ids.array ?? []).compactMap { $0.string.flatMap { self[$0] } }
  }

  // MARK: What is heard

  private func hear(_ event: MapEvent) {
    guard !isEnded, let (interaction, target) = AnnotationInteraction.read(event), target.manager == id else {
      return
    }
    guard let name = target.annotation else {
      if let cluster = target.cluster {
        delegate?.annotationManager(self, didDetectTappedCluster: cluster, at: target.location)
      }
      return
    }
    guard let place = places[name] else { return }
    refresh(place)
    // A handler may remove it.
    let item = order[place]
    onInteraction?(interaction, item)
    delegate?.annotationManager(self, interaction, with: [item])
  }

  /// Takes what the map has of an annotation: a tap selects it, a drag moves it.
  private func refresh(_ place: Int) {
    guard let map else { return }
    let name = order[place].id
    let json = try? jsonValue { out in
      id.withText { id, size in
        name.withText { neat_map_annotation(map.pointer, id, size, $0, $1, out) }
      }
    }
    guard let json, let fresh = Item(json: json) else { return }
    order[place].take(fresh)
  }

  func end() {
    isEnded = true
    order = []
    places = [:]
    dropImages()
  }

  func uses(image name: String) -> Bool { images.contains(name) }
}

/// A manager of points.
public typealias PointAnnotationManager = LayerAnnotationManager<PointAnnotation>
/// A manager of lines.
public typealias PolylineAnnotationManager = LayerAnnotationManager<PolylineAnnotation>
/// A manager of areas.
public typealias PolygonAnnotationManager = LayerAnnotationManager<PolygonAnnotation>
/// A manager of circles.
public typealias CircleAnnotationManager = LayerAnnotationManager<CircleAnnotation>
