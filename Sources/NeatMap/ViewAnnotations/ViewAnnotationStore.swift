// The view annotations of a map, and where each stands in a frame.
//
// What a frame needs of them is a flat array of plain values, so that placing them allocates nothing. They stand by the
// rules of labels: those that come first take their room in a collision grid, the others are tested against it, and one
// that allows overlap stands anyhow and takes its room too. Selected ones come first, then who was added earlier. What
// lies outside of the view takes no room from what is seen.
import NeatBase
import NeatCamera
import NeatJSON
import NeatPlacement

/// Where a view annotation stands, or why it does not.
package struct ViewPlacement: BitwiseCopyable, Sendable, Equatable {
  package enum State: UInt32, BitwiseCopyable, Sendable {
    case shown = 0
    /// Its host hid it, or it has no width or no height.
    case off
    /// The feature that it goes with is not shown.
    case featureHidden
    /// It lies beside the view, or behind the horizon.
    case outside
    /// Others stand where it would.
    case covered
  }

  package var number: UInt64
  /// Logical pixels right of and below the view's upper left corner; NaN behind the horizon.
  package var origin: SIMD2<Double>
  package var size: SIMD2<Double>
  package var state: State
  package var isSelected: Bool
  /// The number of the change in which it got its rectangle, or its place among the others, as last shown; 0: never.
  package var frameChange: UInt64
  /// The number of the change in which it came into sight or went out of it; 0: never.
  package var visibilityChange: UInt64
}

package struct ViewAnnotationStore: ~Copyable {
  /// What a frame needs of one.
  fileprivate struct Item: BitwiseCopyable {
    /// On the unit square of the Mercator map.
    var place: SIMD2<Double>
    var corner: SIMD2<Double>
    /// The place of its feature in `featureNames`; -1: it goes with none.
    var feature: Int32 = -1
    var allowsOverlap: Bool
    var hidesLabels: Bool
    var isOn: Bool
    /// Another order since it was last shown.
    var isRestacked = false
    var isRemoved = false
    var shown: SIMD4<Double> = .init(repeating: .nan)
    var placement: ViewPlacement

    init(_ annotation: ViewAnnotation) {
      placement = ViewPlacement(
        number: annotation.number, origin: .init(repeating: .nan), size: annotation.size, state: .off,
        isSelected: annotation.isSelected, frameChange: 0, visibilityChange: 0)
      place = Mercator.open(annotation.place)
      corner = annotation.corner
      allowsOverlap = annotation.allowsOverlap
      hidesLabels = annotation.hidesLabels
      isOn = false
      take(annotation)
    }

    mutating func take(_ annotation: ViewAnnotation) {
      place = Mercator.open(annotation.place)
      corner = annotation.corner
      allowsOverlap = annotation.allowsOverlap
      hidesLabels = annotation.hidesLabels
      isOn = annotation.isVisible && annotation.size.x > 0 && annotation.size.y > 0
      isRestacked = isRestacked || placement.isSelected != annotation.isSelected
      placement.isSelected = annotation.isSelected
      placement.size = annotation.size
    }
  }

  /// View annotations of a map.
  package static let limit = 10_000

  /// In the order of adding; those that were removed are nil until the next frame.
  private var annotations: [ViewAnnotation?] = []
  private var items: [Item] = []
  /// Places in `annotations`, by id and by feature.
  private var places: [String: Int] = [:]
  private var features: [String: Int] = [:]
  /// Who comes first.
  private var order: [Int32] = []
  private var isOrdered = true
  private var nextNumber: UInt64 = 1
  private var grid = CollisionGrid(width: 1, height: 1)
  /// Logical pixels of its cells, as the rectangles ask for it and as it was made.
  private var wantedCell: Float = 25
  private var gridCell: Float = 25

  /// The features that some go with.
  package private(set) var featureNames: [String] = []
  /// Grows with all that is done to them.
  package private(set) var version: UInt64 = 0
  /// The number of the last change of what is seen of them.
  package private(set) var change: UInt64 = 0

  package init() {}

  package var count: Int { places.count }
  package var isEmpty: Bool { places.isEmpty }

  package subscript(_ id: String) -> ViewAnnotation? { places[id].flatMap { annotations[$0] } }

  /// All, in the order of adding.
  package var all: [ViewAnnotation] { annotations.compactMap { $0 } }

  // MARK: Changes. Each changes nothing where it throws.

  /// Adds one. Throws what is wrong with it, `invalidArgument` for an id or a feature that another one has,
  /// `limitExceeded` for too many.
  package mutating func add(id: String, _ json: JSON) throws(NeatError) -> UInt64 {
    let annotation = try ViewAnnotation(id: id, number: nextNumber, json)
    guard places[id] == nil else {
      throw NeatError(.invalidArgument, "view annotation: the id is there already", resource: id)
    }
    guard places.count < ViewAnnotationStore.limit else {
      throw NeatError(.limitExceeded, "more than \(ViewAnnotationStore.limit) view annotations")
    }
    try checkFeature(of: annotation)
    if annotations.count >= 2 * max(places.count, 64) { sweep() }
    nextNumber += 1
    places[id] = annotations.count
    if let feature = annotation.featureID { features[feature] = annotations.count }
    annotations.append(annotation)
    items.append(Item(annotation))
    changed()
    return annotation.number
  }

  /// Changes what the JSON has. Throws as `add`, and `notFound`.
  package mutating func update(id: String, _ json: JSON) throws(NeatError) {
    guard let place = places[id], var annotation = annotations[place] else {
      throw ViewAnnotationStore.missing(id)
    }
    let before = annotation.featureID
    try annotation.change(by: json)
    if annotation.featureID != before {
      try checkFeature(of: annotation)
      if let before { features[before] = nil }
      if let feature = annotation.featureID { features[feature] = place }
    }
    annotations[place] = annotation
    items[place].take(annotation)
    changed()
  }

  package mutating func remove(id: String) throws(NeatError) {
    guard let place = places.removeValue(forKey: id) else { throw ViewAnnotationStore.missing(id) }
    if let feature = annotations[place]?.featureID { features[feature] = nil }
    annotations[place] = nil
    items[place].isRemoved = true
    changed()
  }

  package mutating func removeAll() {
    guard !isEmpty else { return }
    annotations = []
    items = []
    places = [:]
    features = [:]
    changed()
  }

  private func checkFeature(of annotation: ViewAnnotation) throws(NeatError) {
    guard let feature = annotation.featureID, let other = features[feature].flatMap({ annotations[$0] }),
      other.id != annotation.id
    else { return }
    throw NeatError(
      .invalidArgument, "view annotation: the feature \"\(feature)\" has \"\(other.id)\" already",
      resource: annotation.id)
  }

  private mutating func changed() {
    version += 1
    isOrdered = false
  }

  private static func missing(_ id: String) -> NeatError {
    NeatError(.notFound, "no such view annotation", resource: id)
  }

  /// Forgets those that were removed.
  private mutating func sweep() {
    guard annotations.count > places.count else { return }
    items.removeAll(where: \.isRemoved)
    annotations.removeAll { $0 == nil }
    assert(items.count == annotations.count && items.count == places.count, "a place without an annotation")
    for (place, annotation) in annotations.enumerated() {
      guard let annotation else { continue }
      places[annotation.id] = place
      if let feature = annotation.featureID { features[feature] = place }
    }
  }

  /// Finds out who comes first, and which features matter.
  package mutating func prepare() {
    guard !isOrdered else { return }
    isOrdered = true
    sweep()
    order.removeAll(keepingCapacity: true)
    for isSelected in [true, false] {
      for place in items.indices where items[place].placement.isSelected == isSelected {
        order.append(Int32(truncatingIfNeeded: place))
      }
    }
    var edges = 0.0
    for item in items { edges += item.placement.size.sum() / 2 }
    wantedCell = Float(max(25, edges / Double(max(1, items.count))))
    featureNames.removeAll(keepingCapacity: true)
    for place in items.indices {
      guard let feature = annotations[place]?.featureID else {
        items[place].feature = -1
        continue
      }
      items[place].feature = Int32(truncatingIfNeeded: featureNames.count)
      featureNames.append(feature)
    }
  }

  // MARK: Frames

  /// Finds out where each stands in a view; `shown`: which of `featureNames` are. Whether anything that is seen is not
  /// as it was: then that is the change of a new number.
  package mutating func place(in view: Transform, shown: [Bool] = []) -> Bool {
    prepare()
    assert(shown.isEmpty || shown.count == featureNames.count, "a feature for each name")
    let size = view.size.logical
    clearGrid(Float(size.x), Float(size.y))
    let (ground, next) = (GroundPoints(view), change + 1)
    var hasChanged = false
    for place in order {
      let number = Int(place)
      let feature = items[number].feature
      let isShown = feature < 0 || (Int(feature) < shown.count && shown[Int(feature)])
      let state = ViewAnnotationStore.stand(&items[number], &grid, ground, size, isShown)
      hasChanged = items[number].take(state, next) || hasChanged
    }
    if hasChanged { change = next }
    return hasChanged
  }

  /// Empties the grid. Its cells are about as large as the rectangles are, and no more than 64 along an edge: so ten
  /// thousand of them, however large, are in less than a million cells.
  private mutating func clearGrid(_ width: Float, _ height: Float) {
    let cell = max(wantedCell, max(width, height) / 64)
    guard grid.width != width || grid.height != height || gridCell != cell else { return grid.removeAll() }
    grid = CollisionGrid(width: width, height: height, cellSize: cell)
    gridCell = cell
  }

  private static func stand(
    _ item: inout Item, _ grid: inout CollisionGrid, _ ground: GroundPoints, _ size: SIMD2<Double>,
    _ isShown: Bool
  ) -> ViewPlacement.State {
    let (origin, isInView) = item.origin(ground, size)
    item.placement.origin = origin
    guard item.isOn else { return .off }
    guard isShown else { return .featureHidden }
    guard isInView else { return .outside }
    let box = item.box(origin)
    let mode = item.allowsOverlap ? OverlapMode.always : .never
    guard !grid.hitTest(box, mode: mode) else { return .covered }
    grid.insert(box, key: CollisionKey(bucket: 0, feature: 0, mode: mode))
    return .shown
  }

  /// Whether labels make room for some of those that were shown last.
  package var hidesLabels: Bool {
    items.contains { $0.hidesLabels && $0.placement.state == .shown && !$0.isRemoved }
  }

  /// What labels make room for in a view: those that were shown last, where this view has them.
  package func obstacles(in view: Transform) -> LabelObstacles {
    let (ground, size) = (GroundPoints(view), view.size.logical)
    var obstacles = LabelObstacles()
    for item in items where item.hidesLabels && item.placement.state == .shown && !item.isRemoved {
      let (origin, isInView) = item.origin(ground, size)
      obstacles.add(isInView ? item.box(origin) : nil, item.place, item.corner, item.placement.size)
    }
    return obstacles
  }

  /// Calls with each, those that are drawn above others later: selected ones above all, then who was added later.
  package func forEachPlacement(_ body: (ViewPlacement) -> Void) {
    for isSelected in [false, true] {
      for item in items where !item.isRemoved && item.placement.isSelected == isSelected {
        body(item.placement)
      }
    }
  }
}

extension ViewAnnotationStore.Item {
  /// Where its upper left corner is, NaN where the ground there is not drawn, and whether any of it is in the view.
  fileprivate func origin(_ ground: GroundPoints, _ size: SIMD2<Double>) -> (SIMD2<Double>, isInView: Bool) {
    var nearest = SIMD2<Double>(repeating: .nan)
    for copy in 0..<2 {
      guard let point = ground.point(place, copy: copy) else { continue }
      let origin = point + corner, end = origin + placement.size
      if end.x > 0 && end.y > 0 && origin.x < size.x && origin.y < size.y { return (origin, true) }
      if copy == 0 { nearest = origin }
    }
    return (nearest, false)
  }

  fileprivate func box(_ origin: SIMD2<Double>) -> CollisionRect {
    let end = origin + placement.size
    return CollisionRect(Float(origin.x), Float(origin.y), Float(end.x), Float(end.y))
  }

  /// Takes what a frame has come to; whether that is seen.
  fileprivate mutating func take(_ state: ViewPlacement.State, _ change: UInt64) -> Bool {
    let wasShown = placement.state == .shown
    placement.state = state
    var hasChanged = false
    if wasShown != (state == .shown) {
      placement.visibilityChange = change
      hasChanged = true
    }
    guard state == .shown else { return hasChanged }
    let rectangle = SIMD4(lowHalf: placement.origin, highHalf: placement.size)
    let moved = rectangle - shown
    // What rounding does is no move; NaN, as long as it was never shown, is one.
    let isSame = (moved * moved).max() <= 1e-12
    if !isSame || isRestacked {
      (shown, isRestacked) = (rectangle, false)
      placement.frameChange = change
      hasChanged = true
    }
    return hasChanged
  }
}

/// Where places of the ground are seen.
private struct GroundPoints {
  private let matrix: Matrix4
  private let worldSize: Double
  private let pixelRatio: Double
  /// The middle of the view on the unit square.
  private let middle: Double
  private let globe: GlobeSurface?

  init(_ view: Transform) {
    globe = view.globe
    (matrix, worldSize, pixelRatio) = (view.toScreen, view.worldSize, view.size.pixelRatio)
    middle = view.center.x / view.worldSize
  }

  /// Logical pixels of a place's copy: 0 for that of the world nearest to the view's middle, 1 for that on its other
  /// side. Nil behind the eye, and where the ground is too far to be drawn, or hidden by the globe that it is.
  func point(_ place: SIMD2<Double>, copy: Int) -> SIMD2<Double>? {
    var x = place.x + (middle - place.x).rounded()
    if let globe {
      let square = SIMD2(x, place.y)
      let p = globe.project(GlobeSurface.sphere(square), plane: square)
      return copy == 0 && p.w > 0 && p.z >= 0 ? SIMD2(p.x, p.y) / (p.w * pixelRatio) : nil
    }
    if copy > 0 { x += x < middle ? 1 : -1 }
    let p = matrix * SIMD4(x * worldSize, place.y * worldSize, 0, 1)
    guard p.w > 0, p.z <= p.w else { return nil }
    return SIMD2(p.x, p.y) / (p.w * pixelRatio)
  }
}
