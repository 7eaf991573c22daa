import NeatBase
import NeatCamera
import NeatJSON

/// A rectangle that the host draws over the map, bound to a place of it.
///
/// Read from `{"geometry", "width", "height", "anchor", "offsetX", "offsetY", "allowOverlap", "visible", "selected",
/// "associatedFeatureId", "hidesLabels"}`: the options that version 10 of the mobile SDKs has, and the last. Null brings
/// a member back to what it is where nobody says.
package struct ViewAnnotation: Sendable {
  package let id: String
  /// No other one of its map has it or had it.
  package let number: UInt64
  package private(set) var place = LonLat(0, 0)
  private var geometry = JSON.null
  /// Logical pixels; without a width or a height it is not shown.
  package private(set) var size = SIMD2(0.0, 0.0)
  /// What of the rectangle stands at the place.
  package private(set) var anchor = TextAnchor.center
  /// Logical pixels right and up.
  package private(set) var offset = SIMD2(0.0, 0.0)
  package private(set) var allowsOverlap = false
  /// Whether labels of the map make room for it.
  package private(set) var hidesLabels = false
  package private(set) var isVisible = true
  package private(set) var isSelected = false
  /// It is shown where a feature of that id is.
  package private(set) var featureID: String?

  /// Logical pixels of a width or a height.
  static let sizes = 0.0...16_384
  static let offsets = -16_384.0...16_384
  /// In the order of `TextAnchor`.
  private static let anchors = [
    "center", "left", "right", "top", "bottom", "topLeft", "topRight", "bottomLeft", "bottomRight",
  ]

  /// Reads one; throws `invalidArgument`, naming it and what is wrong.
  init(id: String, number: UInt64, _ json: JSON) throws(NeatError) {
    guard !id.isEmpty, id.utf8.count <= Annotation.idLimit else {
      throw NeatError(
        .invalidArgument, "the id of a view annotation is text of 1 to \(Annotation.idLimit) bytes")
    }
    (self.id, self.number) = (id, number)
    guard json.isObject, json["geometry"] != nil else { throw fail("it has no geometry", json) }
    try read(json)
  }

  /// Changes what the JSON has, or nothing where it throws.
  mutating func change(by json: JSON) throws(NeatError) {
    var copy = self
    try copy.read(json)
    self = copy
  }

  private mutating func read(_ json: JSON) throws(NeatError) {
    guard json.isObject else { throw fail("its options are no object", json) }
    for (name, value) in json.members {
      switch name {
      case "geometry": try read(geometry: value)
      case "width": size.x = try number(value, name, ViewAnnotation.sizes)
      case "height": size.y = try number(value, name, ViewAnnotation.sizes)
      case "offsetX": offset.x = try number(value, name, ViewAnnotation.offsets)
      case "offsetY": offset.y = try number(value, name, ViewAnnotation.offsets)
      case "anchor": anchor = try anchor(value)
      case "allowOverlap": allowsOverlap = try bool(value, name, false)
      case "hidesLabels": hidesLabels = try bool(value, name, false)
      case "visible": isVisible = try bool(value, name, true)
      case "selected": isSelected = try bool(value, name, false)
      case "associatedFeatureId": featureID = try feature(value)
      default: throw fail("there is no member \"\(name)\"", value)
      }
    }
  }

  private mutating func read(geometry json: JSON) throws(NeatError) {
    let type = json["type"]?.string ?? ""
    guard type == "Point" else { throw fail("its geometry is a Point, not \"\(type)\"", json) }
    let position = json["coordinates"]
    guard let longitude = position?[0]?.number, let latitude = position?[1]?.number else {
      throw fail("its coordinates are not [longitude, latitude]", json)
    }
    guard Annotation.longitudes.contains(longitude), (-90...90).contains(latitude) else {
      throw fail("its place is past ±540 or ±90 degrees", json)
    }
    place = LonLat(longitude, latitude)
    geometry = json
  }

  private func number(_ json: JSON, _ name: String, _ range: ClosedRange<Double>) throws(NeatError) -> Double
  {
    if json.isNull { return 0 }
    guard let value = json.number, range.contains(value) else {
      throw fail("\(name) is not within \(range.lowerBound) to \(range.upperBound)", json)
    }
    return value
  }

  private func bool(_ json: JSON, _ name: String, _ standard: Bool) throws(NeatError) -> Bool {
    if json.isNull { return standard }
    guard let value = json.bool else { throw fail("\(name) is true or false", json) }
    return value
  }

  private func anchor(_ json: JSON) throws(NeatError) -> TextAnchor {
    if json.isNull { return .center }
    guard let name = json.string, let place = ViewAnnotation.anchors.firstIndex(of: name) else {
      throw fail("anchor is none of \(ViewAnnotation.anchors.joined(separator: ", "))", json)
    }
    return TextAnchor.allCases[place]
  }

  private func feature(_ json: JSON) throws(NeatError) -> String? {
    if json.isNull { return nil }
    if let number = json.number.flatMap({ UInt64(exactly: $0) }) { return String(number) }
    guard let text = json.string, !text.isEmpty, text.utf8.count <= Annotation.idLimit else {
      throw fail("associatedFeatureId is text of 1 to \(Annotation.idLimit) bytes", json)
    }
    return text
  }

  private func fail(_ words: String, _ json: JSON) -> NeatError {
    NeatError(.invalidArgument, "view annotation: \(words)", offset: json.offset, resource: id)
  }

  /// Where the upper left corner is from the place's point: logical pixels right and down.
  var corner: SIMD2<Double> {
    SIMD2(offset.x - anchor.horizontalAlign * size.x, -offset.y - anchor.verticalAlign * size.y)
  }

  /// The place and the rectangle around it, for a camera that shows both.
  package var fit: FitRectangle { FitRectangle(place, low: corner, high: corner + size) }

  package var json: JSON {
    var members: [(String, JSON)] = [
      ("id", .string(id)), ("number", .number(Double(number))), ("geometry", geometry),
      ("width", .number(size.x)), ("height", .number(size.y)),
      ("anchor", .string(ViewAnnotation.anchors[Int(anchor.rawValue)])),
      ("offsetX", .number(offset.x)), ("offsetY", .number(offset.y)),
      ("allowOverlap", .bool(allowsOverlap)), ("hidesLabels", .bool(hidesLabels)),
      ("visible", .bool(isVisible)), ("selected", .bool(isSelected)),
    ]
    if let featureID { members.append(("associatedFeatureId", .string(featureID))) }
    return .object(members)
  }
}
