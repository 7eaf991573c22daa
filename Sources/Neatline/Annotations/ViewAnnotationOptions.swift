/// What of a view annotation stands at its place.
public enum ViewAnnotationAnchor: String, Hashable, Sendable, CaseIterable {
  /// The middle of an edge, a corner, or the middle of it.
  case top, left, bottom, right, topLeft, bottomRight, topRight, bottomLeft, center
}

/// Where a view annotation is and how it stands, with the names of version 10 of the mobile SDKs. What is nil is not
/// changed by `ViewAnnotationManager.update`, and has the value that its comment says in `add`.
public struct ViewAnnotationOptions: Hashable, Sendable {
  /// Where it is: a point within ±540 and ±90 degrees. Must be there in `add`.
  public var geometry: Geometry?
  /// Logical pixels, 0 to 16384; 0, and as long as it is, hidden.
  public var width: Double?
  /// Logical pixels, 0 to 16384; 0, and as long as it is, hidden.
  public var height: Double?
  /// It is hidden unless a feature of that id is seen; nil: it goes with none. No two may have the same.
  public var associatedFeatureId: String?
  /// Whether it is shown also where others stand that come before it; false.
  public var allowOverlap: Bool?
  /// Whether it is to be shown, and takes room; true.
  public var visible: Bool?
  /// What of it stands at the place; the middle.
  public var anchor: ViewAnnotationAnchor?
  /// Logical pixels that it stands further right, within ±16384; 0.
  public var offsetX: Double?
  /// Logical pixels that it stands further up, within ±16384; 0.
  public var offsetY: Double?
  /// Whether it comes before those that are not selected, and is drawn above them; false.
  public var selected: Bool?
  /// Whether icons and texts of the map that may not overlap others make room for it while it is shown; false. The
  /// mobile SDKs do not have it.
  public var hidesLabels: Bool?

  /// What is left out is not said.
  public init(
    geometry: (any GeometryConvertible)? = nil, width: Double? = nil, height: Double? = nil,
    associatedFeatureId: String? = nil, allowOverlap: Bool? = nil, visible: Bool? = nil,
    anchor: ViewAnnotationAnchor? = nil, offsetX: Double? = nil, offsetY: Double? = nil,
    selected: Bool? = nil, hidesLabels: Bool? = nil
  ) {
    self.geometry = geometry?.geometry
    (self.width, self.height) = (width, height)
    self.associatedFeatureId = associatedFeatureId
    (self.allowOverlap, self.visible, self.anchor) = (allowOverlap, visible, anchor)
    (self.offsetX, self.offsetY, self.selected) = (offsetX, offsetY, selected)
    self.hidesLabels = hidesLabels
  }

  /// As the library takes them. Throws `invalidArgument` for numbers that JSON does not have.
  func checkedJSON() throws(NeatlineError) -> JSONValue {
    let numbers = [
      ("width", width), ("height", height), ("offsetX", offsetX), ("offsetY", offsetY),
    ]
    for (name, number) in numbers where number?.isFinite == false {
      throw NeatlineError(.invalidArgument, "view annotation: \(name) is no finite number")
    }
    return json
  }

  private var json: JSONValue {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ value: JSONValue?) {
      if let value { members.append(.init(name, value)) }
    }
    add("geometry", geometry?.json)
    add("width", width.map { .number($0) })
    add("height", height.map { .number($0) })
    add("associatedFeatureId", associatedFeatureId.map { .string($0) })
    add("allowOverlap", allowOverlap.map { .bool($0) })
    add("visible", visible.map { .bool($0) })
    add("anchor", anchor.map { .string($0.rawValue) })
    add("offsetX", offsetX.map { .number($0) })
    add("offsetY", offsetY.map { .number($0) })
    add("selected", selected.map { .bool($0) })
    add("hidesLabels", hidesLabels.map { .bool($0) })
    return .object(members)
  }

  init(json: JSONValue) {
    geometry = json["geometry"].flatMap { Geometry(json: $0) }
    (width, height) = (json["width"]?.number, json["height"]?.number)
    associatedFeatureId = json["associatedFeatureId"]?.string
    (allowOverlap, visible) = (json["allowOverlap"]?.bool, json["visible"]?.bool)
    anchor = json["anchor"]?.string.flatMap(ViewAnnotationAnchor.init(rawValue:))
    (offsetX, offsetY) = (json["offsetX"]?.number, json["offsetY"]?.number)
    (selected, hidesLabels) = (json["selected"]?.bool, json["hidesLabels"]?.bool)
  }
}
