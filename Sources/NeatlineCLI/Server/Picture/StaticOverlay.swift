import Neatline

/// What the parameters of a static picture lay over its map: `path=`, `marker=` and `geojson=`, as tileserver-gl
/// has them, and `annotations=`, a manager of annotations as overlays have them.
struct StaticOverlay: Sendable {
  /// Parameters of the overlay that are given once, and those that may be repeated.
  static let known = [
    "latlng", "fill", "stroke", "width", "linecap", "linejoin", "border", "borderwidth", "padding", "maxzoom",
    "attribution", "scalebar", "compass", "constrain",
  ]
  static let repeating = ["path", "marker", "geojson", "annotations"]

  private var sources: [JSONValue.Member] = []
  private var layers: [JSONValue] = []
  private var annotations: [JSONValue] = []
  private var icons: [(name: String, place: MarkerIcon)] = []
  /// Markers one behind the other that look alike share a layer: an overlay has only so many.
  private var run: (look: Substring, source: Int, features: [JSONValue])?
  private(set) var isEmpty = true

  /// Reads the parameters; throws what is wrong with them. `icons`: the folder of marker icons.
  init(_ request: HTTPRequest, icons folder: String, allowsInlineIcons: Bool, isRaw: Bool)
    throws(BadParameter)
  {
    let isSwapped = try StaticOverlay.flag(request, "latlng")
    let place = PlaceReader(isSwapped: isSwapped, isRaw: isRaw)
    for (name, value) in request.query {
      switch name {
      case "path": try add(path: value, place, request)
      case "marker": try add(marker: value, place, folder, allowsInlineIcons)
      case "geojson": try add(geojson: value)
      case "annotations": try add(annotations: value)
      default: continue
      }
      isEmpty = false
    }
  }

  static func flag(_ request: HTTPRequest, _ name: String) throws(BadParameter) -> Bool {
    guard let text = request.value(name) else { return false }
    switch text {
    case "1", "true", "": return true
    case "0", "false": return false
    default: throw BadParameter("\(name): \"\(text)\" is neither 1 nor 0")
    }
  }

  static func number(_ text: String?, _ name: String, _ range: ClosedRange<Double>) throws(BadParameter)
    -> Double?
  {
    guard let text else { return nil }
    guard let number = PictureRequest.number(Substring(text)), range.contains(number) else {
      throw BadParameter(
        "\(name): \"\(text)\" is no number within \(JSONValue.number(range.lowerBound).text) and "
          + JSONValue.number(range.upperBound).text)
    }
    return number
  }

  /// Changes with the files of its icons.
  var mark: String { icons.map(\.place.mark).joined() }

  /// The overlay, its icons read.
  func made() throws -> Overlay {
    let overlay = try Overlay(sources: sources, layers: layers, annotations: annotations)
    var room = MarkerIcon.pixelLimit
    for icon in icons { try overlay.addImage(icon.name, try icon.place.image(room: &room)) }
    return overlay
  }

  // MARK: Annotations

  /// A manager, or several in an array.
  private mutating func add(annotations text: String) throws(BadParameter) {
    let json: JSONValue
    do { json = try JSONValue(parsing: text) } catch {
      throw BadParameter("annotations: no JSON: \(error)")
    }
    let managers = json.array ?? [json]
    // What is wrong with them is said here, by the name of the parameter.
    do { _ = try Overlay(sources: [], layers: [], annotations: managers) } catch {
      throw BadParameter("annotations: \(error.message)")
    }
    annotations += managers
  }

  // MARK: Paths

  private mutating func add(path text: String, _ place: PlaceReader, _ request: HTTPRequest)
    throws(BadParameter)
  {
    let path = try StaticPath(text, place)
    guard path.points.count >= 2 else { throw BadParameter("path: fewer than two places") }
    func option(_ name: String) -> String? { path.options[name] ?? request.value(name) }
    func colour(_ name: String) throws(BadParameter) -> String? {
      guard let text = option(name), text != "none" else { return nil }
      if !text.isEmpty { try StaticOverlay.check(colour: text, name) }
      return text
    }
    let source = "path-\(sources.count)"
    let isClosed = path.points.count >= 4 && path.points.first! == path.points.last!
    let fill = try colour("fill")
    let coordinates = JSONValue.array(path.points.map { .array([.number($0.x), .number($0.y)]) })
    let isArea = isClosed || fill != nil && path.points.count >= 3
    // A fill is closed whether the path is or not, a stroke is not.
    var features = [StaticOverlay.feature("LineString", coordinates)]
    if isArea, fill != nil {
      let ring = isClosed ? path.points : path.points + [path.points[0]]
      features.append(
        StaticOverlay.feature(
          "Polygon", .array([.array(ring.map { .array([.number($0.x), .number($0.y)]) })])))
    }
    add(source: source, StaticOverlay.collection(features))
    let width = try StaticOverlay.number(option("width"), "width", 0...1000) ?? 1
    let layout = JSONValue.members([
      "line-cap": .string(try choice(option("linecap"), "linecap", ["butt", "round", "square"])),
      "line-join": .string(try choice(option("linejoin"), "linejoin", ["miter", "bevel", "round"])),
    ])
    if let fill {
      layers.append(
        layer(
          "fill", "fill", source, .members([:]),
          ["fill-color": .string(fill.isEmpty ? "rgba(255,255,255,0.4)" : fill)], "Polygon"))
    }
    if let border = try colour("border") {
      let wide = try StaticOverlay.number(option("borderwidth"), "borderwidth", 0...1000) ?? width * 0.1
      layers.append(
        layer(
          "border", "line", source, layout,
          ["line-color": .string(border), "line-width": .number(width + 2 * wide)], "LineString"))
    }
    let stroke = try colour("stroke")
    if width > 0, option("stroke") != "none" {
      layers.append(
        layer(
          "stroke", "line", source, layout,
          ["line-color": .string(stroke ?? "rgba(0,64,255,0.7)"), "line-width": .number(width)],
          "LineString"))
    }
  }

  /// By the engine's rules, and said by the name of the parameter.
  private static func check(colour: String, _ name: String) throws(BadParameter) {
    do { _ = try CompiledExpression(["to-color", .string(colour)]).evaluate(zoom: 0) } catch {
      throw BadParameter("\(name): \"\(colour)\" is no colour")
    }
  }

  private func choice(_ text: String?, _ name: String, _ words: [String]) throws(BadParameter) -> String {
    guard let text else { return words[0] }
    guard words.contains(text) else {
      throw BadParameter("\(name): \"\(text)\" is none of \(words.joined(separator: ", "))")
    }
    return text
  }

  // MARK: Markers

  private mutating func add(
    marker text: String, _ place: PlaceReader, _ folder: String, _ allowsInline: Bool
  ) throws(BadParameter) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false)
    guard let point = try place.point(parts[0], "marker") else {
      throw BadParameter("marker: \"\(parts[0])\" is no place")
    }
    var scale = 1.0
    var offset = (0.0, 0.0)
    var icon: Substring?
    for part in parts.dropFirst() {
      if part.hasPrefix("scale:") {
        scale = try StaticOverlay.number(String(part.dropFirst(6)), "marker scale", 0.01...100) ?? 1
      } else if part.hasPrefix("offset:") {
        let sides = part.dropFirst(7).split(separator: ",").map { PictureRequest.number($0) }
        guard sides.count == 2, let x = sides[0], let y = sides[1], abs(x) <= 10000, abs(y) <= 10000 else {
          throw BadParameter("marker: \"\(part)\" is no offset:X,Y")
        }
        offset = (x, y)
      } else if icon == nil, !part.isEmpty {
        icon = part
      } else {
        throw BadParameter("marker: \"\(part)\" is neither scale:S nor offset:X,Y")
      }
    }
    let feature = StaticOverlay.feature("Point", .array([.number(point.x), .number(point.y)]))
    let look = text.dropFirst(parts[0].count)
    if var run, run.look == look, run.source == sources.count - 1 {
      run.features.append(feature)
      self.run = run
      sources[run.source].value["data"] = StaticOverlay.collection(run.features)
      return
    }
    run = (look, sources.count, [feature])
    let source = "marker-\(sources.count)"
    add(source: source, StaticOverlay.collection([feature]))
    guard let icon else {
      layers.append(
        layer(
          "dot", "circle", source, .members([:]),
          [
            "circle-radius": .number(7 * scale), "circle-color": "#d0342c", "circle-stroke-color": "#ffffff",
            "circle-stroke-width": .number(2 * scale),
            "circle-translate": .array([.number(offset.0 * scale), .number(offset.1 * scale)]),
          ], "Point"))
      return
    }
    icons.append((source, try MarkerIcon(String(icon), folder: folder, allowsInline: allowsInline)))
    layers.append(
      layer(
        "icon", "symbol", source,
        .members([
          "icon-image": .string(source), "icon-anchor": "bottom", "icon-size": .number(scale),
          "icon-offset": .array([.number(offset.0), .number(offset.1)]), "icon-allow-overlap": true,
          "icon-ignore-placement": true, "symbol-z-order": "source",
        ]), [:], "Point"))
  }

  // MARK: GeoJSON

  private mutating func add(geojson text: String) throws(BadParameter) {
    let value: JSONValue
    do { value = try JSONValue(parsing: text) } catch { throw BadParameter("geojson: \(error)") }
    guard value["type"]?.string != nil else { throw BadParameter("geojson: an object with a type") }
    // Read by the engine's rules now: in a picture it would be one of the things that it had to do without.
    do { _ = try GeoJSONIndex(text) } catch { throw BadParameter("geojson: \(error.message)") }
    let source = "geojson-\(sources.count)"
    add(source: source, value)
    // As the features say themselves.
    layers.append(
      .members([
        "id": .string("overlay-\(source)"), "type": "simplestyle", "source": .string("overlay-\(source)"),
      ]))
  }

  // MARK: Pieces of a style

  private mutating func add(source: String, _ data: JSONValue) {
    // Never an address: what a client names is not fetched.
    sources.append(.init("overlay-\(source)", .members(["type": "geojson", "data": data, "tolerance": 0.1])))
  }

  private func layer(
    _ kind: String, _ type: String, _ source: String, _ layout: JSONValue,
    _ paint: KeyValuePairs<String, JSONValue>, _ geometry: String
  ) -> JSONValue {
    .members([
      "id": .string("overlay-\(source)-\(kind)"), "type": .string(type),
      "source": .string("overlay-\(source)"),
      "layout": layout, "paint": .members(paint), "filter": ["==", ["geometry-type"], .string(geometry)],
    ])
  }

  private static func collection(_ features: [JSONValue]) -> JSONValue {
    .members(["type": "FeatureCollection", "features": .array(features)])
  }

  private static func feature(_ type: String, _ coordinates: JSONValue) -> JSONValue {
    .members([
      "type": "Feature", "properties": .members([:]),
      "geometry": .members(["type": .string(type), "coordinates": coordinates]),
    ])
  }
}

/// A parameter that cannot be: 400, with the words.
struct BadParameter: Error {
  let message: String
  init(_ message: String) { self.message = message }
}
