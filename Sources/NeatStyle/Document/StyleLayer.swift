import NeatBase
import NeatJSON

/// One layer of a style; immutable.
package final class StyleLayer: Sendable {
  package let id: String
  package let type: LayerType
  /// Nil for background and sky layers.
  package let source: String?
  package let sourceLayer: String?
  /// Drawn from this zoom on.
  package let minZoom: Double
  /// Drawn below this zoom; infinity where the style sets none.
  package let maxZoom: Double
  package let filter: CompiledFilter?
  package let filterJSON: JSON?
  package let properties: PropertySet
  package let metadata: JSON?
  /// Whether it is shown at the zooms that it covers; nil where that is computed.
  package let isShown: Bool?

  init(
    id: String, type: LayerType, source: String?, sourceLayer: String?, minZoom: Double, maxZoom: Double,
    filter: CompiledFilter?,
    filterJSON: JSON?, properties: PropertySet, metadata: JSON?
  ) {
    self.id = id
    self.type = type
    self.source = source
    self.sourceLayer = sourceLayer
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.filter = filter
    self.filterJSON = filterJSON
    self.properties = properties
    self.metadata = metadata
    isShown = properties[.visibility].constantEnumIndex.map { $0 == 0 }
  }

  package subscript(_ property: Property) -> PropertyValue { properties[property] }

  package func isSet(_ property: Property) -> Bool { properties.isSet(property) }

  /// `visible` or `none`; may be an expression on the global state.
  package var visibility: PropertyValue { properties[.visibility] }

  /// Whether the zoom is within the layer's range.
  package func covers(zoom: Double) -> Bool { zooms.contains(zoom) }

  /// The zooms that it covers; empty where it covers none.
  package var zooms: Range<Double> {
    let first = minZoom <= 0 ? -.infinity : minZoom
    return first < maxZoom ? first..<maxZoom : 0..<0
  }

  /// Whether the layer is drawn at that zoom, with the evaluator's global state.
  package func isVisible(zoom: Double, _ evaluator: Evaluator) -> Bool {
    guard covers(zoom: zoom) else { return false }
    return isShown ?? (visibility.enumIndex(evaluator, at: .camera(zoom: zoom)) == 0)
  }

  /// The layer as style JSON.
  package var json: JSON {
    var members: [(String, JSON)] = [("id", .string(id)), ("type", .string(type.name))]
    if let metadata { members.append(("metadata", metadata)) }
    if let source { members.append(("source", .string(source))) }
    if let sourceLayer { members.append(("source-layer", .string(sourceLayer))) }
    if minZoom > 0 { members.append(("minzoom", .number(minZoom))) }
    if maxZoom < .infinity { members.append(("maxzoom", .number(maxZoom))) }
    if let filterJSON { members.append(("filter", filterJSON)) }
    if let layout = properties.json(group: .layout) { members.append(("layout", layout)) }
    if let paint = properties.json(group: .paint) { members.append(("paint", paint)) }
    return .object(members)
  }

  /// The layer with some members replaced.
  func with(
    id: String? = nil, zoomRange: (Double, Double)? = nil, filter: (CompiledFilter?, JSON?)? = nil,
    properties: PropertySet? = nil
  ) -> StyleLayer {
    StyleLayer(
      id: id ?? self.id, type: type, source: source, sourceLayer: sourceLayer,
      minZoom: zoomRange?.0 ?? minZoom,
      maxZoom: zoomRange?.1 ?? maxZoom, filter: filter.map(\.0) ?? self.filter,
      filterJSON: filter.map(\.1) ?? filterJSON,
      properties: properties ?? self.properties, metadata: metadata)
  }
}

extension StyleLayer {
  /// The zoom that a layer ends at; none from the deepest zoom on.
  static func upperBound(_ zoom: Double) -> Double { zoom >= Double(StyleZoom.maximum) ? .infinity : zoom }

  /// Reads a layer; nil, with an issue, where it cannot be drawn at all. `parents` are the layers that a
  /// `ref` may name. `custom`: the layer is one that the application draws. `filters`: of the layers read
  /// with it.
  static func read(
    _ json: JSON, key: String, parents: [String: JSON], custom: Bool = false, filters: FilterTable? = nil,
    issues: inout IssueLog
  ) -> StyleLayer? {
    guard json.isObject else {
      issues.add(json, key, "object expected, \(json.typeName) found")
      return nil
    }
    guard let id = issues.string(json, "id", key) else {
      if json["id"] == nil { issues.add(json, key, "missing required property \"id\"") }
      return nil
    }
    var shape = json
    if let ref = json["ref"] {
      guard let name = ref.string, let parent = parents[name], parent["ref"] == nil else {
        issues.add(ref, key, "ref layer \"\(ref.string ?? ref.text)\" not found")
        return nil
      }
      shape = parent
    }
    guard let typeName = issues.string(shape, "type", key) else {
      if shape["type"] == nil { issues.add(json, key, "either \"type\" or \"ref\" is required") }
      return nil
    }
    guard let type = custom && typeName == LayerType.custom.name ? .custom : LayerType(name: typeName) else {
      let names = LayerType.specified.joined(separator: ", ")
      issues.add(json, "\(key).type", "expected one of [\(names)], \"\(typeName)\" found")
      return nil
    }
    var properties = PropertySet(owner: type.owner)
    if let layout = shape["layout"] {
      properties.read(layout, group: .layout, key: "\(key).layout", issues: &issues)
    }
    if let paint = json["paint"] {
      properties.read(paint, group: .paint, key: "\(key).paint", issues: &issues)
    }
    var filter: CompiledFilter?
    if let filterJSON = shape["filter"], !filterJSON.isNull {
      switch filters?.compile(filterJSON, issues.compilation)
        ?? CompiledFilter.compile(filterJSON, budget: issues.compilation)
      {
      case .success(let compiled): filter = compiled
      case .failure(let errors):
        // A layer without its filter would draw what it was meant to leave out.
        for error in errors.errors { issues.add(filterJSON, "\(key).filter\(error.key)", error.message) }
        return nil
      }
    }
    let (minZoom, maxZoom) = zoomRange(shape, key, &issues)
    return StyleLayer(
      id: id, type: type, source: type.hasSource ? issues.string(shape, "source", key) : nil,
      sourceLayer: issues.string(shape, "source-layer", key), minZoom: minZoom, maxZoom: maxZoom,
      filter: filter,
      filterJSON: filter == nil ? nil : shape["filter"], properties: properties, metadata: json["metadata"])
  }

  private static func zoomRange(_ json: JSON, _ key: String, _ issues: inout IssueLog) -> (Double, Double) {
    let low = issues.number(json, "minzoom", key) ?? 0
    let high = issues.number(json, "maxzoom", key) ?? .infinity
    return (low, high == 0 ? .infinity : upperBound(high))
  }
}
