import NeatBase
import NeatJSON
import NeatMap
import NeatStyle

/// Layers and images that every style of a map has.
struct PersistentStyle {
  var layers: [(id: String, json: JSON, position: AnnotationOptions.Position)] = []
  var images: [StyleImage] = []
}

/// Something of a map's own that a style gets.
struct StyleAddition {
  let id: String
  let part: MapPart
  /// Whether its place in the style does not matter.
  let add: (inout StyleEditor, _ isOnTop: Bool) throws(NeatError) -> Void
  var added: () -> Void = {}

  init(
    id: String, part: MapPart,
    add: @escaping (inout StyleEditor, _ isOnTop: Bool) throws(NeatError) -> Void,
    added: @escaping () -> Void = {}
  ) {
    (self.id, self.part, self.add, self.added) = (id, part, add, added)
  }
}

extension LiveMap {
  private static let emptyStyle = #"{"version":8,"sources":{},"layers":[]}"#

  /// Layers that are kept.
  package static let persistentLimit = 1000

  /// Adds a layer that later styles have too; one of that id that is persistent goes.
  package func addPersistentLayer(_ json: JSON, _ position: AnnotationOptions.Position) throws(NeatError) {
    guard let id = json["id"]?.string else {
      throw NeatError(.style, "missing required property \"id\"", resource: "layer")
    }
    let known = persistent.layers.firstIndex { $0.id == id }
    guard known != nil || persistent.layers.count < LiveMap.persistentLimit else {
      throw NeatError(.limitExceeded, "more than \(LiveMap.persistentLimit) persistent layers")
    }
    if core != nil {
      try edit { editor throws(NeatError) in
        if known != nil { try LiveMap.remove(id, from: &editor) }
        try editor.addLayer(json, before: try position.before(editor.style))
        // Past all that can fail, and before anything is told.
        keep(id, json, position)
      }
    } else {
      // Another style decides whether it can have it; what is no layer is none in any.
      var editor = StyleEditor(try Style(parsing: Array(LiveMap.emptyStyle.utf8)))
      if let source = json["source"]?.string { try editor.addSource(source, LiveMap.anySource(json)) }
      try editor.addLayer(json)
      keep(id, json, position)
    }
  }

  private func keep(_ id: String, _ json: JSON, _ position: AnnotationOptions.Position) {
    persistent.layers.removeAll { $0.id == id }
    persistent.layers.append((id, json, position))
  }

  package var persistentLayers: [String] { persistent.layers.map(\.id) + persistentCustomLayers }

  /// Removes a layer, from later styles too.
  package func removeLayer(_ id: String) throws(NeatError) {
    guard !removeUnshownCustomLayer(id) else { return }
    let isPersistent = persistent.layers.contains { $0.id == id }
    if !isPersistent || core?.style.layerIndex(id) != nil {
      try edit { editor throws(NeatError) in
        if isPersistent { try LiveMap.remove(id, from: &editor) } else { try editor.removeLayer(id) }
        persistent.layers.removeAll { $0.id == id }
      }
    } else {
      persistent.layers.removeAll { $0.id == id }
    }
  }

  /// Adds an image that later styles have too.
  func addPersistentImage(_ image: StyleImage) throws(NeatError) {
    let isNew = !persistent.images.contains { $0.name == image.name }
    guard !isNew || persistent.images.count < Overlay.imageLimit else {
      throw NeatError(
        .limitExceeded, "more than \(Overlay.imageLimit) persistent images", resource: image.name)
    }
    if core != nil { try addImage(image) }
    persistent.images.removeAll { $0.name == image.name }
    persistent.images.append(image)
  }

  /// Removes an image, from later styles too.
  package func removeImage(_ name: String) throws(NeatError) {
    let isPersistent = persistent.images.contains { $0.name == name }
    persistent.images.removeAll { $0.name == name }
    if core == nil, isPersistent { return }
    try removeImageOfStyle(name)
  }

  /// A style that comes, with what is persistent and the annotations; what it cannot have is told.
  func addOwn(to style: inout Style) -> [MapProblem] {
    var waiting = persistent.layers.map { (id, json, position) in
      StyleAddition(id: id, part: .style) { editor, isOnTop throws(NeatError) in
        try editor.addLayer(json, before: isOnTop ? nil : try position.before(editor.style))
      }
    }
    waiting += annotationsForStyle() + customLayersForStyle()
    var problems: [MapProblem] = []
    // One may stand below another that comes later; what has its place nowhere in this style is on top.
    var isOnTop = false
    while !waiting.isEmpty {
      let count = waiting.count
      waiting.removeAll { addition in
        var editor = StyleEditor(style)
        do throws(NeatError) {
          try addition.add(&editor, isOnTop)
          style = editor.style
          addition.added()
          isOnTop = false
        } catch {
          if error.code == .notFound, !isOnTop { return false }
          problems.append(MapProblem(error, resource: addition.id, part: addition.part))
        }
        return true
      }
      if waiting.count == count { isOnTop = true }
    }
    return problems
  }

  /// Goes over to another style step by step. Throws `invalidArgument` for one that takes in styles by their
  /// address, which have to be asked for.
  package func update(to bytes: [UInt8]) throws(NeatError) {
    let base = core?.base ?? ""
    switch try ReadStyle(bytes, base: base, access: environment.options.fileAccess(base: base)) {
    case .whole(let style, let imports): try update(to: style, imports: imports)
    case .lacking:
      throw NeatError(
        .invalidArgument, "a style that takes in others by their address is loaded, and not gone over to",
        resource: "imports")
    }
  }

  /// Goes over to another style step by step, with the map's own layers in it.
  package func update(to style: Style) throws(NeatError) { try update(to: style, imports: nil) }

  private func update(to style: Style, imports: StyleImports?) throws(NeatError) {
    let core = try loadedCore()
    var target = try style.localized(environment.options.language)
    let before = annotations
    let shown = custom.layers.filter(\.isShown)
    var problems = addOwn(to: &target)
    problems += keepCustomLayers(of: core.style, in: &target)
    do throws(NeatError) {
      try edit { editor throws(NeatError) in
        try editor.update(to: target)
        // Past all that can fail, and before a handler may set another style.
        self.imports = MapImports(styles: imports)
      }
    } catch {
      // The style is as it was, and so is what of it is the map's own.
      annotations = before
      for layer in custom.layers { layer.isShown = shown.contains { $0 === layer } }
      throw error
    }
    guard self.core === core else { return }
    for problem in problems { core.report(problem) }
  }

  private static func remove(_ id: String, from editor: inout StyleEditor) throws(NeatError) {
    guard let index = editor.style.layerIndex(id) else { return }
    let source = editor.style.layers[index].source
    try editor.removeLayer(id)
    // One that came with the layer has its id.
    if source == id, !editor.style.layers.contains(where: { $0.source == id }) { try editor.removeSource(id) }
  }

  private static func anySource(_ layer: JSON) -> JSON {
    switch layer["type"]?.string {
    case "raster":
      .object([("type", .string("raster")), ("tiles", .array([]))])
    case "hillshade", "color-relief":
      .object([("type", .string("raster-dem")), ("tiles", .array([]))])
    default:
      .object([("type", .string("vector")), ("tiles", .array([]))])
    }
  }
}
