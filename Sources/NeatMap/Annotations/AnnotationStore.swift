import NeatBase
import NeatJSON
import NeatStyle

/// The annotations of one manager, and what of them has not been carried over to its sources yet.
package struct AnnotationStore: Sendable {
  package let id: String
  package let kind: AnnotationKind
  package private(set) var options: AnnotationOptions
  private var numbers: [String: Int] = [:]
  /// By number, which no other annotation of this manager has or had: the ids of the features.
  private var annotations: [Int: Annotation] = [:]
  private var nextNumber = 1
  /// Properties that some annotation has a value of its own for, or had: the layer is not changed for each that goes.
  private var used: OwnProperties = []
  /// Whether some may be dragged, or could once.
  package private(set) var hasDraggable = false
  /// The one that is dragged, which is drawn from a source of its own.
  private var dragged: Int?
  private var dragStart: Annotation?

  private var changed: Set<Int> = []
  private var removed: Set<Int> = []
  /// Whether all of it is still to be carried over.
  package private(set) var isWhole = true
  private var isDragChanged = false
  /// Annotations whose selection is still to be shown.
  private var selections: Set<Int> = []
  private var optionsVersion = 0

  /// Annotations of a manager.
  package static let limit = 1_000_000
  /// Managers of a map.
  package static let managerLimit = 1000

  package init(id: String, _ kind: AnnotationKind, _ options: AnnotationOptions) throws(NeatError) {
    guard !id.isEmpty, id.utf8.count <= Annotation.idLimit else {
      throw NeatError(.invalidArgument, "a manager's id is text of 1 to \(Annotation.idLimit) bytes")
    }
    (self.id, self.kind, self.options) = (id, kind, options)
  }

  package var count: Int { annotations.count }

  package var ids: [String] { annotations.keys.sorted().compactMap { annotations[$0]?.id } }

  package subscript(_ id: String) -> Annotation? { numbers[id].flatMap { annotations[$0] } }

  /// The annotation of a feature's id.
  package func annotation(number: Int) -> Annotation? { annotations[number] }

  /// The id that an annotation's feature has.
  package func number(of id: String) -> Int? { numbers[id] }

  package var json: JSON {
    .array(annotations.keys.sorted().compactMap { annotations[$0]?.json })
  }

  package var layers: AnnotationLayers {
    AnnotationLayers(
      id: id, kind: kind, options: options, version: optionsVersion, used: kind.properties(in: used),
      hasDrag: hasDraggable)
  }

  // MARK: Changes. Each changes nothing where it throws.

  package mutating func setOptions(_ options: AnnotationOptions) {
    self.options = options
    optionsVersion += 1
  }

  /// Takes annotations in the place of all that were there.
  package mutating func set(_ json: JSON) throws(NeatError) {
    let list = try read(json)
    annotations.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    used = []
    hasDraggable = false
    if dragged != nil { (dragged, dragStart, isDragChanged) = (nil, nil, true) }
    (changed, removed, isWhole) = ([], [], true)
    annotations.reserveCapacity(list.count)
    numbers.reserveCapacity(list.count)
    for annotation in list { put(annotation) }
  }

  /// Adds annotations; one whose id is there takes its place.
  package mutating func add(_ json: JSON) throws(NeatError) {
    let list = try read(json)
    guard annotations.count + list.count <= AnnotationStore.limit else { throw AnnotationStore.full }
    for annotation in list { put(annotation) }
  }

  /// Changes what the elements have of the annotations of their ids. Throws `notFound` too.
  package mutating func update(_ json: JSON) throws(NeatError) {
    try checkList(json)
    var list: [Annotation] = []
    list.reserveCapacity(json.count)
    var places: [String: Int] = [:]
    for element in json.elements {
      let id = try Annotation.id(element)
      if let place = places[id] {
        try list[place].change(by: element, kind)
      } else {
        guard var annotation = self[id] else { throw AnnotationStore.missing(id) }
        try annotation.change(by: element, kind)
        places[id] = list.count
        list.append(annotation)
      }
    }
    for annotation in list { put(annotation) }
  }

  /// Removes annotations by their ids. Throws `notFound` where one is not there.
  package mutating func remove(_ json: JSON) throws(NeatError) {
    guard json.isArray else { throw NeatError(.invalidArgument, "ids are an array", offset: json.offset) }
    for id in json.elements {
      guard let name = id.string else {
        throw NeatError(.invalidArgument, "an id is no text", offset: id.offset)
      }
      guard numbers[name] != nil else { throw AnnotationStore.missing(name) }
    }
    for id in json.elements {
      // One may be named twice.
      guard let name = id.string, let number = numbers.removeValue(forKey: name) else { continue }
      annotations[number] = nil
      changed.remove(number)
      removed.insert(number)
      if dragged == number { (dragged, dragStart, isDragChanged) = (nil, nil, true) }
    }
  }

  private func checkList(_ json: JSON) throws(NeatError) {
    guard json.isArray else {
      throw NeatError(.invalidArgument, "annotations are an array", offset: json.offset)
    }
    guard json.count <= AnnotationStore.limit else { throw AnnotationStore.full }
  }

  private func read(_ json: JSON) throws(NeatError) -> [Annotation] {
    try checkList(json)
    var list: [Annotation] = []
    list.reserveCapacity(json.count)
    var seen = Set<String>(minimumCapacity: json.count)
    for element in json.elements {
      let annotation = try Annotation(element, kind)
      guard seen.insert(annotation.id).inserted else {
        throw NeatError(
          .invalidArgument, "annotation: the id is there twice", offset: element.offset,
          resource: annotation.id)
      }
      list.append(annotation)
    }
    return list
  }

  private static let full = NeatError(
    .limitExceeded, "more than \(limit) annotations of one manager")

  private static func missing(_ id: String) -> NeatError {
    NeatError(.notFound, "no such annotation", resource: id)
  }

  private mutating func put(_ annotation: Annotation) {
    let number: Int
    if let known = numbers[annotation.id] {
      number = known
    } else {
      number = nextNumber
      nextNumber += 1
      numbers[annotation.id] = number
    }
    if (annotations[number]?.isSelected ?? false) != annotation.isSelected { selections.insert(number) }
    annotations[number] = annotation
    used.formUnion(annotation.own)
    if annotation.isDraggable { hasDraggable = true }
    if dragged == number { isDragChanged = true } else if !isWhole { changed.insert(number) }
  }

  // MARK: Selection

  /// Selects an annotation, or not any more; whether that is a change. Expressions see it as the feature state
  /// `selected`.
  package mutating func select(_ id: String, _ isSelected: Bool) -> Bool {
    guard let number = numbers[id], annotations[number]?.isSelected != isSelected else { return false }
    annotations[number]?.isSelected = isSelected
    selections.insert(number)
    return true
  }

  package var selected: [String] {
    annotations.filter(\.value.isSelected).keys.sorted().compactMap { annotations[$0]?.id }
  }

  /// Feature states that are not what they should be: by the feature's id.
  package mutating func takeSelections() -> [(number: Int, isSelected: Bool)] {
    defer { selections.removeAll() }
    return selections.sorted().map { ($0, annotations[$0]?.isSelected ?? false) }
  }

  /// Another source has no states yet.
  package mutating func showSelectionsAgain() {
    for (number, annotation) in annotations where annotation.isSelected { selections.insert(number) }
  }

  /// Begins after the numbers of another store: a source that stays has states of those.
  package mutating func count(on other: AnnotationStore) { nextNumber = max(nextNumber, other.nextNumber) }

  // MARK: Dragging

  package var draggedID: String? { dragged.flatMap { annotations[$0]?.id } }

  /// Begins to drag one; it goes over to the source of what is dragged.
  package mutating func beginDrag(_ id: String) {
    guard let number = numbers[id], let annotation = annotations[number] else { return }
    endDrag()
    (dragged, dragStart) = (number, annotation)
    changed.remove(number)
    if !isWhole { removed.insert(number) }
    isDragChanged = true
  }

  /// Moves it to where it began and some way off, in Mercator units.
  package mutating func drag(by delta: SIMD2<Double>) {
    guard let dragged, let dragStart else { return }
    annotations[dragged]?.geometry = dragStart.moved(by: delta)
    isDragChanged = true
  }

  /// It stays where it is, and goes back to its place among the others.
  package mutating func endDrag() {
    guard dragged != nil else { return }
    (dragged, dragStart) = (nil, nil)
    (isDragChanged, isWhole) = (true, true)
  }

  /// It goes back to where it began.
  package mutating func giveUpDrag() {
    if let dragged, let dragStart { annotations[dragged]?.geometry = dragStart.geometry }
    endDrag()
  }

  // MARK: What is carried over

  /// Whether something changed since the last time.
  package var hasChanges: Bool {
    isWhole || isDragChanged || !changed.isEmpty || !removed.isEmpty || !selections.isEmpty
  }

  /// Forgets what was carried over: another style has none of it.
  package mutating func beginAnew() {
    (isWhole, isDragChanged, changed, removed) = (true, dragged != nil, [], [])
    showSelectionsAgain()
  }

  /// The edits that bring the sources to what is there.
  package mutating func takeEdits() -> [SourceEdit] {
    var edits: [SourceEdit] = []
    let isMuch = options.cluster != nil || (changed.count + removed.count) * 4 > annotations.count
    if isWhole || isMuch && !(changed.isEmpty && removed.isEmpty) {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(annotations.count * 160 + 64)
      bytes += #"{"type":"FeatureCollection","features":["#.utf8
      var isFirst = true
      for number in annotations.keys.sorted() where number != dragged {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        annotations[number]?.appendFeature(number, to: &bytes)
      }
      bytes += "]}".utf8
      edits.append(.replace(source: id, bytes))
    } else if !(changed.isEmpty && removed.isEmpty) {
      edits.append(.update(source: id, difference()))
    }
    if isDragChanged, hasDraggable {
      var bytes = Array(#"{"type":"FeatureCollection","features":["#.utf8)
      if let dragged { annotations[dragged]?.appendFeature(dragged, to: &bytes) }
      bytes += "]}".utf8
      edits.append(.replace(source: id + AnnotationLayers.dragSuffix, bytes))
    }
    (isWhole, isDragChanged) = (false, false)
    changed.removeAll(keepingCapacity: true)
    removed.removeAll(keepingCapacity: true)
    return edits
  }

  private func difference() -> [UInt8] {
    var bytes = Array(#"{"remove":["#.utf8)
    bytes += removed.sorted().map(String.init).joined(separator: ",").utf8
    bytes += #"],"add":["#.utf8
    for (place, number) in changed.sorted().enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      annotations[number]?.appendFeature(number, to: &bytes)
    }
    bytes += "]}".utf8
    return bytes
  }
}

/// A change of a GeoJSON source's data, which is made when the next frame is prepared.
package enum SourceEdit: Sendable {
  case replace(source: String, [UInt8])
  /// A `GeoJSONDiff`.
  case update(source: String, [UInt8])

  package var source: String {
    switch self {
    case .replace(let id, _), .update(let id, _): id
    }
  }
}
