import NeatBase
import NeatJSON
import NeatStyle
import NeatTile
import Testing

/// Any JSON as a style: it loads, or an error says why not. Nothing traps, hangs or is lost on the way.
@Suite("Fuzzing of style JSON")
struct StyleFuzzTests {
  /// A style with something of everything, for machines without the shared ones.
  private static let seed = """
    {"version": 8, "name": "n", "center": [1, 2], "zoom": 3, "transition": {"duration": 10}, "glyphs": "g/{fontstack}/{range}", "sprite": "s",
     "light": {"intensity": 0.5}, "sky": {"sky-color": "red"},
     "fog": {"range": ["literal", [0.5, 8]], "color": ["step", ["zoom"], "red", 5, "blue"], "color-transition": {"delay": 5}}, "terrain": {"source": "d"}, "state": {"k": {"default": 1}},
     "sources": {"v": {"type": "vector", "tiles": ["t/{z}/{x}/{y}"], "promoteId": {"a": "id"}}, "d": {"type": "raster-dem", "url": "u"},
       "g": {"type": "geojson", "data": {"type": "FeatureCollection", "features": []}, "cluster": true,
         "clusterProperties": {"sum": ["+", ["get", "n"]]}}},
     "layers": [{"id": "b", "type": "background", "paint": {"background-color": {"stops": [[0, "#fff"], [9, "#000"]]}}},
       {"id": "f", "type": "fill", "source": "v", "source-layer": "a", "filter": ["all", ["==", "x", 1], ["in", "$type", "Polygon"]],
         "paint": {"fill-color": ["match", ["get", "c"], "a", "red", "blue"], "fill-opacity-transition": {"duration": 5}}},
       {"id": "l", "type": "line", "source": "v", "source-layer": "a", "minzoom": 3, "maxzoom": 9,
         "paint": {"line-width": ["interpolate", ["exponential", 1.5], ["zoom"], 3, 1, 9, ["get", "w"]], "line-dasharray": [1, 2]}},
       {"id": "s", "type": "symbol", "source": "g", "layout": {"text-field": "{name}", "text-font": ["A"], "text-offset": [0, 1],
         "icon-image": ["coalesce", ["image", "a"], ["image", "b"]], "text-variable-anchor-offset": ["top", [0, 1]]}},
       {"id": "h", "type": "heatmap", "source": "g", "paint": {"heatmap-color": ["interpolate", ["linear"], ["heatmap-density"], 0, "red", 1, "blue"]}},
       {"id": "e", "type": "fill-extrusion", "source": "v", "source-layer": "a", "paint": {"fill-extrusion-height": ["get", "height"]}}]}
    """

  private func corpus() -> [JSON] {
    var styles = [try? JSON.parse(StyleFuzzTests.seed)].compactMap { $0 }
    guard let shared = StyleFixtures.shared else { return styles }
    for file in StyleFixtures.list(shared + "/data/styles", suffix: ".json") {
      if let bytes = StyleFixtures.read("\(shared)/data/styles/\(file)"), bytes.count < 80_000,
        let json = try? JSON.parse(bytes)
      {
        styles.append(json)
      }
    }
    return styles
  }

  @Test(
    "Styles with parts exchanged, lost and broken load or are refused; what loads is written back and reads the same"
  )
  func structures() throws {
    let corpus = corpus()
    var random = StyleMutator(seed: 20_261_121)
    var loaded = 0
    for round in 0..<96 {
      let text = random.mutated(corpus[round % corpus.count], corpus)
      let json = try JSON.parse(text)
      _ = validateStyle(json)
      guard let style = try? Style(json: json) else { continue }
      loaded += 1
      let written = style.json.text
      let again = try Style(parsing: Array(written.utf8))
      #expect(again.json.text == written)
      #expect(Style.diff(from: style, to: again).isEmpty)
      exercise(style)
    }
    #expect(loaded > 20)
  }

  @Test("Bytes of styles changed, cut and doubled give a style or an error with its place")
  func bytes() throws {
    let source = Array(StyleFuzzTests.seed.utf8)
    var random = StyleMutator(seed: 7)
    for _ in 0..<1500 {
      var bytes = source
      for _ in 0..<1 + random.below(4) {
        let place = random.below(bytes.count)
        switch random.below(4) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.below(256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(30)))
        case 2:
          bytes.insert(
            contentsOf: bytes[place..<min(bytes.count, place + random.below(40))],
            at: random.below(bytes.count))
        default:
          bytes.insert(
            contentsOf: Array(random.pick(["[", "]", "{", "}", "\"", ",", "1e999", "\\ud800", "null"]).utf8),
            at: place)
        }
        if bytes.isEmpty { bytes = [0x7B] }
      }
      do throws(NeatError) { exercise(try Style(parsing: bytes)) } catch { #expect(!error.message.isEmpty) }
    }
  }

  @Test("A style nested past the limit is refused")
  func depth() {
    let deep =
      "{\"version\": 8, \"sources\": {}, \"layers\": [], \"metadata\": " + String(repeating: "[", count: 600)
      + String(repeating: "]", count: 600) + "}"
    do throws(NeatError) {
      _ = try Style(parsing: Array(deep.utf8))
      Issue.record("600 levels were read")
    } catch {
      #expect(error.code == .limitExceeded)
    }
  }

  /// Evaluates every property of every layer.
  private func exercise(_ style: Style) {
    let evaluator = Evaluator()
    for layer in style.layers.prefix(40) {
      for zoom in [0, 7.5, 30] {
        let camera = EvaluationPoint.camera(zoom: zoom)
        _ = layer.isVisible(zoom: zoom, evaluator)
        for property in Property.allCases where layer.isSet(property) {
          let value = layer.properties[property]
          _ = (
            value.number(evaluator, at: camera), value.color(evaluator, at: camera),
            value.string(evaluator, at: camera),
            value.formatted(evaluator, at: camera), value.numbers(evaluator, at: camera)
          )
        }
      }
    }
  }
}

private struct StyleMutator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func below(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % max(1, count)
  }

  mutating func pick<T>(_ items: [T]) -> T { items[below(items.count)] }

  /// The style with members lost, renamed and exchanged for parts of others.
  mutating func mutated(_ json: JSON, _ corpus: [JSON]) -> String {
    var rate = 300
    if below(3) == 0 { rate = 40 }
    return mutated(json, corpus, rate)
  }

  private mutating func mutated(_ json: JSON, _ corpus: [JSON], _ rate: Int) -> String {
    if below(rate) == 0 { return foreign(corpus) }
    switch json.kind {
    case .array:
      var parts: [String] = []
      for element in json.elements where below(rate) > 0 { parts.append(mutated(element, corpus, rate)) }
      if below(rate) == 0, let last = parts.last { parts.append(last) }
      return "[" + parts.joined(separator: ",") + "]"
    case .object:
      var parts: [String] = []
      for (key, value) in json.members where below(rate) > 0 {
        let name =
          below(rate) == 0
          ? pick(["id", "type", "source", "filter", "stops", "", "constructor", "__proto__"]) : key
        parts.append(JSON.string(name).text + ":" + mutated(value, corpus, rate))
      }
      return "{" + parts.joined(separator: ",") + "}"
    default: return json.text
    }
  }

  /// A part of a style of the corpus, or something that styles do not have.
  private mutating func foreign(_ corpus: [JSON]) -> String {
    if below(2) == 0 {
      return pick([
        "null", "true", "-1", "1e308", "1e-308", "9007199254740993", "\"\"", "\"\\u0000\"", "[]", "{}",
        "[[]]", "{\"stops\":[]}",
        "[\"zoom\"]",
        "[\"get\"]", "\"{\"", "\"rgba(1,2,3\"", "{\"type\":\"identity\"}",
        "[\"interpolate\",[\"linear\"],[\"zoom\"],0,0]",
      ])
    }
    var part = pick(corpus)
    for _ in 0..<1 + below(5) {
      let children = part.isObject ? part.members.map { $0.1 } : Array(part.elements)
      guard !children.isEmpty else { break }
      part = pick(children)
    }
    return part.text
  }
}
