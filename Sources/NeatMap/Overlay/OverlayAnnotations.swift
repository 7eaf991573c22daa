import NeatBase
import NeatJSON
import NeatStyle

/// Annotations of one manager in an overlay: `{"kind", "id", "options", "annotations"}`, each but the kind optional,
/// as a map's managers have them. Annotations may go without ids, and nothing is tapped.
struct OverlayAnnotations: Sendable {
  private let layers: AnnotationLayers
  /// What its sources hold, by their ids.
  let data: [(source: String, json: JSON)]

  /// - Parameter number: its place among the managers, which is its id where it says none.
  init(_ json: JSON, number: Int) throws(NeatError) {
    guard json.isObject else {
      throw NeatError(
        .invalidArgument, "an overlay's annotations are an array of objects", offset: json.offset)
    }
    try json.refuseMembers(besides: ["kind", "id", "options", "annotations"], of: "an overlay's annotations")
    guard let name = json["kind"]?.string,
      let kind = AnnotationKind.allCases.first(where: { $0.name == name })
    else {
      throw NeatError(
        .invalidArgument, "the kind of annotations is \"point\", \"polyline\", \"polygon\" or \"circle\"",
        offset: json.offset)
    }
    if let id = json["id"], !id.isNull, id.string == nil {
      throw NeatError(.invalidArgument, "the id of an overlay's annotations is text", offset: id.offset)
    }
    let options = json["options"].map { $0.isNull ? JSON.object([]) : $0 } ?? .object([])
    var store = try AnnotationStore(
      id: json["id"]?.string ?? "neatline-annotations-\(number)", kind, try AnnotationOptions(options, kind))
    let list = json["annotations"] ?? .array([])
    guard list.isArray else {
      throw NeatError(.invalidArgument, "annotations are an array", offset: list.offset)
    }
    // A picture does not tell them apart.
    let taken = Set(list.elements.compactMap { $0["id"]?.string })
    var count = 0
    let named = list.elements.map { annotation -> JSON in
      repeat { count += 1 } while taken.contains("#\(count)")
      guard annotation.isObject, annotation["id"] == nil else { return annotation }
      return .object([("id", .string("#\(count)"))] + annotation.members.map { ($0.key, $0.value) })
    }
    try store.set(.array(named))
    layers = store.layers
    var data: [(source: String, json: JSON)] = []
    for edit in store.takeEdits() {
      guard case .replace(let source, let bytes) = edit else { continue }
      data.append((source, try JSON.parse(bytes)))
    }
    self.data = data
  }

  var isOnTop: Bool { layers.isOnTop }

  /// A style with them. Throws what is wrong with their layers, by name.
  func add(to editor: inout StyleEditor) throws(NeatError) {
    try layers.add(to: &editor)
    for (source, json) in data { try editor.setGeoJSONData(source: source, json) }
  }
}
