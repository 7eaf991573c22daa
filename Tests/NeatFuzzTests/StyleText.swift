import NeatBase
import NeatStyle

/// Styles of every layer type with values at the ends of what numbers can be, of every property that the
/// specification's tables know.
enum StyleText {
  static let numbers = [
    "0", "1", "-1", "0.5", "2", "3", "10", "64", "1000", "-1000", "65536", "1e6", "1e9", "4e9", "1e19",
    "3.4e38", "1e39", "1e308", "-1e308",
    "1e999",
    "5e-324", "0.001", "20", "-0.25",
  ]

  /// A number, or what evaluates to one (or to NaN, or to an infinity).
  static func number(_ random: inout FuzzRandom, allowsExpression: Bool, isGentle: Bool) -> String {
    let plain = isGentle ? random.pick(["0", "0.5", "1", "2", "5", "20"]) : random.pick(numbers)
    guard allowsExpression, random.chance(3) else { return plain }
    switch random.below(7) {
    case 0: return #"["/", 0, 0]"#
    case 1: return #"["/", \#(plain), 0]"#
    case 2: return #"["sqrt", -1]"#
    case 3: return #"["coalesce", ["get", "n"], 1]"#
    case 4: return #"["interpolate", ["linear"], ["zoom"], 0, \#(plain), 24, \#(random.pick(numbers))]"#
    case 5: return #"["*", \#(plain), ["coalesce", ["get", "n"], 1]]"#
    default:
      return
        #"["interpolate", ["exponential", \#(random.pick(["0", "1.5", "1e300"]))], ["zoom"], 0, \#(plain), 24, 1]"#
    }
  }

  private static func color(_ random: inout FuzzRandom, _ parameters: ReferenceSpec.Parameters) -> String {
    for (parameter, name) in [
      (ReferenceSpec.Parameters.lineProgress, "line-progress"), (.heatmapDensity, "heatmap-density"),
      (.elevation, "elevation"),
    ] where parameters.contains(parameter) {
      return
        #"["interpolate", ["linear"], ["\#(name)"], 0, "rgba(0,0,0,0)", \#(random.pick(["1", "0.5", "1e308"])), "red"]"#
    }
    return random.pick([
      #""red""#, #""rgba(0,0,255,0.5)""#, #""transparent""#, #"["rgba", 300, 0, 0, 1]"#,
      #"["to-color", ["get", "name"], "blue"]"#,
    ])
  }

  private static func value(_ spec: PropertySpec, _ random: inout FuzzRandom, isGentle: Bool) -> String? {
    let reference = spec.reference
    let parameters = reference.parameters ?? []
    func number(_ random: inout FuzzRandom) -> String {
      StyleText.number(&random, allowsExpression: parameters.contains(.feature), isGentle: isGentle)
    }
    switch reference.kind {
    case .number: return number(&random)
    case .boolean: return random.pick(["true", "false"])
    case .enumeration: return reference.values.isEmpty ? nil : "\"\(random.pick(reference.values))\""
    case .color: return color(&random, parameters)
    case .formatted:
      return random.pick([
        #"["get", "name"]"#, #""x""#,
        #"["format", "a", {"font-scale": \#(random.pick(numbers))}, ["image", "i"], {}]"#,
      ])
    case .resolvedImage: return random.pick([#""i""#, #""sdf""#, #"["get", "name"]"#])
    case .padding: return "[\(number(&random).first == "[" ? "1" : random.pick(numbers)), 2]"
    case .numberArray, .colorArray: return nil
    case .array:
      if !reference.values.isEmpty || spec.name == "text-font" {
        return spec.name == "text-font" ? #"["f"]"# : nil
      }
      let count = reference.length ?? random.below(6)
      return "["
        + (0..<count).map { _ in isGentle ? random.pick(["0", "1", "4"]) : random.pick(numbers) }.joined(
          separator: ", ") + "]"
    default: return nil
    }
  }

  static func layer(
    _ index: Int, _ type: String, source: String, sourceLayer: String?, _ random: inout FuzzRandom
  ) -> String {
    var groups: [PropertySpec.Group: [String]] = [:]
    // Some layers are all extremes; others have one or two among values that draw something.
    let share = random.pick([1, 2, 4, 8])
    let isCalm = random.chance(2)
    for spec in PropertySpec.all
    where "\(spec.owner)".lowercased() == type.replacing("-", with: "") && spec.name != "visibility" {
      guard random.chance(share), let text = value(spec, &random, isGentle: isCalm && !random.chance(4))
      else { continue }
      groups[spec.group, default: []].append("\"\(spec.name)\": \(text)")
    }
    if type == "symbol" {
      groups[.layout, default: []].append(
        #""text-field": ["get", "name"], "icon-image": "\#(random.pick(["i", "sdf"]))""#)
      if random.chance(2) {
        groups[.layout, default: []].append(
          #""symbol-placement": "\#(random.pick(["line", "line-center"]))""#)
      }
    }
    let members = [
      #""id": "\#(index)""#, #""type": "\#(type)""#, source.isEmpty ? nil : #""source": "\#(source)""#,
      sourceLayer.map { #""source-layer": "\#($0)""# },
      #""layout": {\#((groups[.layout] ?? []).joined(separator: ", "))}"#,
      #""paint": {\#((groups[.paint] ?? []).joined(separator: ", "))}"#,
    ]
    return "{" + members.compactMap { $0 }.joined(separator: ", ") + "}"
  }

  static let vectorTypes = [
    "fill", "line", "line", "circle", "symbol", "symbol", "heatmap", "fill-extrusion",
  ]

  /// A style over the sources `v` (vector tiles), `g` (GeoJSON), `r` (pictures) and `d` (heights).
  static func style(geojson: String, _ random: inout FuzzRandom) -> String {
    var layers: [String] = []
    for index in 0..<1 + random.below(4) {
      switch random.below(8) {
      case 0:
        layers.append(
          layer(index, random.pick(["hillshade", "color-relief"]), source: "d", sourceLayer: nil, &random))
      case 1:
        layers.append(layer(index, "raster", source: random.pick(["r", "p"]), sourceLayer: nil, &random))
      case 2: layers.append(layer(index, "background", source: "", sourceLayer: nil, &random))
      case 3: layers.append(layer(index, random.pick(vectorTypes), source: "g", sourceLayer: nil, &random))
      default:
        layers.append(
          layer(index, random.pick(vectorTypes), source: "v", sourceLayer: random.pick(["a", "b"]), &random))
      }
    }
    let top = [
      #"{"version": 8, "glyphs": "fuzz://glyphs/{fontstack}/{range}", "zoom": \#(random.pick(numbers)), "pitch": \#(random.pick(numbers)), "#,
      #""center": [\#(random.pick(numbers)), \#(random.pick(numbers))], "bearing": \#(random.pick(numbers)), "#,
      #""light": {"intensity": \#(random.pick(numbers)), "position": [\#(random.pick(numbers)), 210, \#(random.pick(numbers))]}, "#,
      #""sources": {"v": {"type": "vector", "tiles": ["fuzz://v/{z}/{x}/{y}"], "maxzoom": \#(random.pick(["0", "2", "14", "22", "1e308"]))}, "#,
      #""r": {"type": "raster", "tiles": ["fuzz://r/{z}/{x}/{y}"], "tileSize": \#(random.pick(["256", "128", "8192", "1e9"]))}, "#,
      #""d": {"type": "raster-dem", "tiles": ["fuzz://d/{z}/{x}/{y}"], "tileSize": \#(random.pick(["256", "512"])), "encoding": "\#(random.pick(["terrarium", "mapbox"]))"}, "#,
      #""p": {"type": "image", "url": "fuzz://p", "coordinates": \#(corners(&random))}, "#,
      geojson, #"}, "layers": [\#(layers.joined(separator: ", "))]}"#,
    ]
    return top.joined()
  }

  private static func corners(_ random: inout FuzzRandom) -> String {
    "[" + (0..<4).map { _ in "[\(degrees(&random)), \(degrees(&random))]" }.joined(separator: ", ") + "]"
  }

  static func degrees(_ random: inout FuzzRandom) -> String {
    random.chance(4) ? random.pick(numbers) : "\(random.within(-180, 180))"
  }

  /// The member `g`: a GeoJSON source with coordinates as far away as numbers go.
  static func geojson(_ random: inout FuzzRandom) -> String {
    func position(_ random: inout FuzzRandom) -> String { "[\(degrees(&random)), \(degrees(&random))]" }
    func line(_ random: inout FuzzRandom) -> String {
      "[" + (0..<2 + random.below(8)).map { _ in position(&random) }.joined(separator: ", ") + "]"
    }
    let features = (0..<1 + random.below(6)).map { _ in
      let geometry =
        switch random.below(4) {
        case 0: #""type": "Point", "coordinates": \#(position(&random))"#
        case 1: #""type": "MultiPoint", "coordinates": \#(line(&random))"#
        case 2: #""type": "LineString", "coordinates": \#(line(&random))"#
        default: #""type": "Polygon", "coordinates": [\#(line(&random)), \#(line(&random))]"#
        }
      return
        #"{"type": "Feature", "properties": {"n": \#(random.pick(numbers)), "name": "Ab"}, "geometry": {\#(geometry)}}"#
    }
    var options = ""
    if random.chance(2) { options += #", "lineMetrics": true"# }
    if random.chance(3) {
      options +=
        #", "cluster": true, "clusterRadius": \#(random.pick(numbers)), "clusterMaxZoom": \#(random.pick(numbers)), "#
      options +=
        #""clusterMinPoints": \#(random.pick(numbers)), "clusterProperties": {"n": ["+", ["get", "n"]]}"#
    }
    for name in ["tolerance", "buffer", "maxzoom"] where random.chance(3) {
      options += #", "\#(name)": \#(random.pick(numbers))"#
    }
    return
      #""g": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}\#(options)}"#
  }
}
