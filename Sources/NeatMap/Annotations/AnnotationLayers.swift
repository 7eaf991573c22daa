import NeatBase
import NeatJSON
import NeatStyle

/// The sources and layers of a manager. Source and layer have the manager's id; clusters, and what is dragged, have
/// ids that begin with it.
package struct AnnotationLayers: Sendable, Equatable {
  static let clusterSuffix = "-clusters"
  static let clusterTextSuffix = "-cluster-counts"
  static let dragSuffix = "-drag"

  package let id: String
  let kind: AnnotationKind
  private(set) var options: AnnotationOptions
  /// Grows with the options.
  let optionsVersion: Int
  /// Properties that some annotation has a value of its own for.
  let used: Set<Property>
  /// Whether there is a source for what is dragged.
  let hasDrag: Bool

  package init(
    id: String, kind: AnnotationKind, options: AnnotationOptions, version: Int, used: Set<Property>,
    hasDrag: Bool
  ) {
    (self.id, self.kind, self.options, optionsVersion) = (id, kind, options, version)
    (self.used, self.hasDrag) = (used, hasDrag)
  }

  package static func == (a: AnnotationLayers, b: AnnotationLayers) -> Bool {
    (a.id, a.kind, a.optionsVersion, a.hasDrag) == (b.id, b.kind, b.optionsVersion, b.hasDrag)
      && a.used == b.used
  }

  /// Whether they go above all other layers.
  var isOnTop: Bool { options.position == .top }

  /// The same above all other layers.
  package var onTop: AnnotationLayers {
    var copy = self
    copy.options.position = .top
    return copy
  }

  /// Whether a layer draws clusters.
  package func isOfClusters(_ layer: String) -> Bool {
    layer == id + AnnotationLayers.clusterSuffix || layer == id + AnnotationLayers.clusterTextSuffix
  }

  /// The main source's JSON.
  package var sourceText: String { source(true).text }

  package var sourceIDs: [String] { hasDrag ? [id, id + AnnotationLayers.dragSuffix] : [id] }

  package var layerIDs: [String] {
    var ids = [id]
    if options.cluster != nil {
      ids += [id + AnnotationLayers.clusterSuffix, id + AnnotationLayers.clusterTextSuffix]
    }
    if hasDrag { ids.append(id + AnnotationLayers.dragSuffix) }
    return ids
  }

  /// A style with them. Throws what is wrong with them, or that an id is taken.
  package func add(to editor: inout StyleEditor) throws(NeatError) {
    try addMissing(to: &editor, before: try options.position.before(editor.style))
  }

  /// A style without them; what is not there any more is no matter.
  package func remove(from editor: inout StyleEditor) throws(NeatError) {
    for layer in layerIDs where editor.style.layerIndex(layer) != nil { try editor.removeLayer(layer) }
    for source in sourceIDs where editor.style.source(source) != nil { try editor.removeSource(source) }
  }

  /// A style in which the layers of `old` are these.
  package func replace(_ old: AnnotationLayers, in editor: inout StyleEditor) throws(NeatError) {
    let index = editor.style.layerIndex(old.id)
    let isMoved = old.options.position != options.position
    // They stay where they are, also where somebody has moved them.
    let own = Set(old.layerIDs)
    let after = index.flatMap { editor.style.layers[$0...].first { !own.contains($0.id) }?.id }
    let isSameSource = old.sourceText == sourceText
    for layer in old.layerIDs where editor.style.layerIndex(layer) != nil { try editor.removeLayer(layer) }
    for source in old.sourceIDs where editor.style.source(source) != nil {
      if isSameSource && sourceIDs.contains(source) { continue }
      try editor.removeSource(source)
    }
    var before = after
    if isMoved {
      before = try options.position.before(editor.style)
    } else if index == nil {
      // Somebody has taken the layer away, and perhaps the one that gave its place.
      do throws(NeatError) { before = try options.position.before(editor.style) } catch { before = nil }
    }
    try addMissing(to: &editor, before: before, besides: editor.style.sources.map(\.id))
  }

  /// Adds the sources but for those that stay, and the layers.
  private func addMissing(
    to editor: inout StyleEditor, before: String?, besides known: [String] = []
  ) throws(NeatError) {
    for source in sourceIDs where !known.contains(source) {
      try editor.addSource(source, self.source(source == id))
    }
    let drag = id + AnnotationLayers.dragSuffix
    try editor.addLayer(layer(id, source: id), before: before)
    for layer in options.cluster?.layers(id) ?? [] { try editor.addLayer(layer, before: before) }
    if hasDrag { try editor.addLayer(layer(drag, source: drag), before: before) }
  }

  private func source(_ isClustered: Bool) -> JSON {
    var members: [(String, JSON)] = [("type", .string("geojson")), ("data", AnnotationLayers.nothing)]
    members += options.source
    if isClustered { members += options.cluster?.source ?? [] }
    return .object(members)
  }

  private static let nothing = JSON.object([
    ("type", .string("FeatureCollection")), ("features", .array([])),
  ])

  private func layer(_ layerID: String, source: String) -> JSON {
    var layout: [(String, JSON)] = []
    var paint: [(String, JSON)] = []
    let owner = kind.layerType.owner
    let given = options.properties
    var values = kind.standardProperties.filter { standard in !given.contains { $0.name == standard.0 } }
    values += given.map { ($0.name, $0.value) }
    for property in used.sorted(by: { $0.rawValue < $1.rawValue }) {
      let place = values.firstIndex { $0.0 == property.name }
      guard let lookup = property.spec.lookup(fallback: place.map { values[$0].1 }) else { continue }
      if let place { values[place].1 = lookup } else { values.append((property.name, lookup)) }
    }
    for (name, value) in values {
      if PropertySpec.find(name, of: owner)?.spec.group == .layout {
        layout.append((name, value))
      } else {
        paint.append((name, value))
      }
    }
    var members: [(String, JSON)] = [
      ("id", .string(layerID)), ("type", .string(kind.layerType.name)), ("source", .string(source)),
    ]
    if options.cluster != nil, layerID == id {
      members.append(
        (
          "filter", .array([.string("!"), .array([.string("has"), .string("point_count")])])
        ))
    }
    if let zoom = options.minZoom { members.append(("minzoom", .number(zoom))) }
    if let zoom = options.maxZoom { members.append(("maxzoom", .number(zoom))) }
    if !layout.isEmpty { members.append(("layout", .object(layout))) }
    if !paint.isEmpty { members.append(("paint", .object(paint))) }
    return .object(members)
  }
}
