import NeatBase
import NeatJSON
import NeatTile

/// Compiles one expression and evaluates it for features given as JSON: what tools, tests and the C API run.
///
/// The case has `expression`, `propertySpec`, `globalState` and `inputs`: pairs of globals (`zoom`,
/// `heatmapDensity`, `lineProgress`, `elevation`, `accumulated`, `availableImages`, `canonicalID`) and a
/// feature (`id`, `properties`, `geometry`, `featureState`). The outcome has `compiled`, and `outputs` where
/// there are inputs: a value, or `{"error": …}`.
package enum ExpressionCase {
  /// What stands before the place of an evaluation's error.
  private static let prefix = "layers[0].paint.some-property"

  package static func run(_ test: JSON) -> JSON {
    let spec = spec(test["propertySpec"])
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("compiled")
    switch compile(test["expression"] ?? .null, spec) {
    case .failure(let errors): write(errors, to: &writer)
    case .success(let expression):
      write(expression, to: &writer)
      writer.key("outputs")
      writer.beginArray()
      let evaluator = Evaluator(globalState: test["globalState"].map(members))
      for input in test["inputs"].map({ Array($0.elements) }) ?? [] {
        let globals = input[0] ?? .null
        evaluator.availableImages = availableImages(globals)
        write(
          expression.value(evaluator, at: point(globals: globals, feature: input[1] ?? .null)), to: &writer)
      }
      writer.endArray()
    }
    writer.endObject()
    return (try? JSON.parse(writer.bytes)) ?? .null
  }

  /// What says nothing of expressions takes those on zoom and features.
  private static func spec(_ json: JSON?) -> ReferenceSpec {
    guard let json, json.isObject else { return .expression(.any) }
    let spec = ReferenceSpec(json)
    return spec.allowsExpression ? spec : spec.takingExpressions()
  }

  private static func compile(_ json: JSON, _ spec: ReferenceSpec) -> Result<
    CompiledExpression, ExpressionErrors
  > {
    json.isObject
      ? CompiledExpression.compile(json, spec: spec) : CompiledExpression.compileExpression(json, spec: spec)
  }

  private static func members(_ json: JSON) -> [String: ExpressionValue] {
    var result: [String: ExpressionValue] = [:]
    for (key, value) in json.members { result[key] = ExpressionValue(value) }
    return result
  }

  /// The members of the globals.
  package static let globals = [
    "zoom", "heatmapDensity", "lineProgress", "elevation", "skyRadialProgress", "accumulated",
    "availableImages", "canonicalID",
    "globalState",
  ]

  /// The names of the images that the globals say to be there.
  package static func availableImages(_ globals: JSON) -> Set<String>? {
    globals["availableImages"].map { Set($0.elements.compactMap(\.string)) }
  }

  /// A point with the feature as the only one of its layer. The feature's state is its `state`; the suite's
  /// cases say `featureState`.
  package static func point(globals: JSON, feature: JSON) -> EvaluationPoint {
    let ramp = RampInputs(
      heatmapDensity: globals["heatmapDensity"]?.number ?? 0,
      lineProgress: globals["lineProgress"]?.number ?? 0,
      elevation: globals["elevation"]?.number ?? 0,
      skyRadialProgress: globals["skyRadialProgress"]?.number ?? 0)
    let id = feature["id"]
    let isPlainID = id?.number.map { $0 >= 0 && $0 < 9_007_199_254_740_992 && $0.rounded() == $0 } ?? false
    let (layer, tile) = layer(of: feature, near: tile(globals))
    let surroundings = EvaluationSurroundings(
      layer: layer, tile: tile, ramp: ramp, accumulated: globals["accumulated"].map { ExpressionValue($0) },
      featureID: isPlainID ? nil : id.map { ExpressionValue($0) })
    return EvaluationPoint(
      zoom: globals["zoom"]?.number ?? 0, feature: 0, surroundings,
      (feature["state"] ?? feature["featureState"]).map { EvaluationState(members($0)) })
  }

  private static func tile(_ globals: JSON) -> TileID? {
    guard let id = globals["canonicalID"], let z = id["z"]?.int, (0...Int(TileID.maxZoom)).contains(z) else {
      return nil
    }
    let limit = (1 << z) - 1
    return TileID(
      z: UInt8(z), x: UInt32(min(max(id["x"]?.int ?? 0, 0), limit)),
      y: UInt32(min(max(id["y"]?.int ?? 0, 0), limit)))
  }

  /// A layer of one feature. The tile is moved to where the geometry begins, so that its coordinates fit:
  /// places are what counts.
  private static func layer(of feature: JSON, near canonical: TileID?) -> (TileLayer, TileID?) {
    var builder = TileLayerBuilder(name: "feature", extent: UInt32(saturating: TileUnits.extent))
    let geometry = feature["geometry"]
    let kind: GeometryType
    switch geometry?["type"]?.string {
    case "Point", "MultiPoint": kind = .point
    case "LineString", "MultiLineString": kind = .line
    case "Polygon", "MultiPolygon": kind = .polygon
    default: kind = .unknown
    }
    let id = feature["id"]?.number.flatMap {
      $0 >= 0 && $0 < 9_007_199_254_740_992 && $0.rounded() == $0 ? UInt64(saturating: $0) : nil
    }
    builder.beginFeature(kind, id: id)
    for (name, value) in feature["properties"].map({ Array($0.members) }) ?? [] {
      let number: UInt32
      switch value.kind {
      case .null: number = builder.borrowedValue(.null)
      case .bool: number = builder.borrowedValue(.bool(value.bool == true))
      case .number: number = builder.borrowedValue(.double(value.number ?? 0))
      case .string: number = builder.string(value.string ?? "")
      case .array, .object: number = builder.json(value.text)
      }
      builder.addTag(key: builder.key(name), value: number)
    }
    let tile = canonical.map { add(geometry, kind, to: &builder, $0) }
    builder.endFeature()
    return (builder.build(), tile)
  }

  private static func add(
    _ geometry: JSON?, _ kind: GeometryType, to builder: inout TileLayerBuilder, _ canonical: TileID
  ) -> TileID {
    guard let geometry, let coordinates = geometry["coordinates"] else { return canonical }
    let type = geometry["type"]?.string ?? ""
    let parts: [[JSON]]
    switch type {
    case "Point": parts = [[coordinates]]
    case "MultiPoint", "LineString": parts = [Array(coordinates.elements)]
    case "MultiLineString", "Polygon": parts = coordinates.elements.map { Array($0.elements) }
    case "MultiPolygon": parts = coordinates.elements.flatMap { $0.elements.map { Array($0.elements) } }
    default: return canonical
    }
    let size = Double(UInt64(1) << UInt64(canonical.z)) * TileUnits.extent
    var tile = canonical
    var isFirst = true
    for part in parts {
      var points: [SIMD2<Double>] = []
      for position in part {
        guard let lon = position[0]?.number, let lat = position[1]?.number else { continue }
        let unit = Mercator.project(LonLat(lon, min(max(lat, -89.9), 89.9))) * size
        points.append(SIMD2(jsRound(unit.x), jsRound(unit.y)))
      }
      if kind == .polygon, points.count > 1, points.first == points.last { points.removeLast() }
      for point in points {
        if isFirst {
          let limit = Double((UInt64(1) << UInt64(canonical.z)) - 1)
          let place = point / TileUnits.extent
          tile.x = UInt32(saturating: min(max(place.x.rounded(.down), 0), limit))
          tile.y = UInt32(saturating: min(max(place.y.rounded(.down), 0), limit))
          isFirst = false
        }
        let local = point - SIMD2(Double(tile.x), Double(tile.y)) * TileUnits.extent
        let bounded = pointwiseMin(pointwiseMax(local, SIMD2(repeating: -2e9)), SIMD2(repeating: 2e9))
        builder.addPoint(SIMD2(Int32(saturating: bounded.x), Int32(saturating: bounded.y)))
      }
      builder.endPart()
    }
    return tile
  }

  /// A value as JSON text.
  package static func text(_ value: ExpressionValue) -> String {
    var writer = JSONWriter()
    write(value, to: &writer)
    return writer.text
  }

  // MARK: writing

  private static func write(_ errors: ExpressionErrors, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("result")
    writer.string("error")
    writer.key("errors")
    writer.beginArray()
    for error in errors.errors {
      writer.beginObject()
      writer.key("key")
      writer.string(error.key)
      writer.key("error")
      writer.string(error.message)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
  }

  private static func write(_ expression: CompiledExpression, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("result")
    writer.string("success")
    writer.key("isFeatureConstant")
    writer.bool(expression.isFeatureConstant)
    writer.key("isZoomConstant")
    writer.bool(expression.isZoomConstant)
    writer.key("type")
    writer.string(expression.type.description)
    writer.endObject()
  }

  private static func write(
    _ outcome: Result<ExpressionValue, ExpressionRuntimeError>, to writer: inout JSONWriter
  ) {
    switch outcome {
    case .success(let value): write(value, to: &writer)
    case .failure(let error):
      writer.beginObject()
      writer.key("error")
      writer.string("\(prefix)\(error.key): \(error.message)")
      writer.endObject()
    }
  }

  /// A value as the specification's suite prints results: colours premultiplied, lists of properties as
  /// `{"values": …}`.
  private static func write(_ value: ExpressionValue, to writer: inout JSONWriter) {
    switch value {
    case .color(let color):
      writer.beginArray()
      for part in [color.r * color.a, color.g * color.a, color.b * color.a, color.a] { writer.number(part) }
      writer.endArray()
    case .padding, .numberArray, .colorArray, .anchorOffsets:
      writer.beginObject()
      writer.key("values")
      value.write(to: &writer)
      writer.endObject()
    case .projection(let projection) where projection.form == .blend:
      writer.beginObject()
      writer.key("from")
      writer.string(projection.from)
      writer.key("to")
      writer.string(projection.to)
      writer.key("transition")
      writer.number(projection.transition)
      writer.endObject()
    case .array(let items):
      writer.beginArray()
      for item in items { write(item, to: &writer) }
      writer.endArray()
    default: value.write(to: &writer)
    }
  }
}
