import Neatline

extension Bench {
  /// What an overlay of 100 features costs beside the picture without one: points, lines and areas in equal
  /// parts, made anew from GeoJSON text for each picture. Pictures with and without take turns.
  func overlay() throws {
    let middle = (longitude: 11.3945, latitude: 47.2675)
    var seed: UInt64 = 1
    func place() -> (Double, Double) {
      func random() -> Double {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(seed >> 40) / Double(1 << 24) - 0.5
      }
      return (middle.longitude + 0.03 * random(), middle.latitude + 0.016 * random())
    }
    func text(_ places: [(Double, Double)]) -> String {
      places.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    }
    let features = (0..<100).map { index in
      let geometry: String
      switch index % 3 {
      case 0: geometry = #"{"type":"Point","coordinates":\#(text([place()]))}"#
      case 1: geometry = #"{"type":"LineString","coordinates":[\#(text((0..<5).map { _ in place() }))]}"#
      default:
        let (x, y) = place()
        let r = 0.0006
        let ring = [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r), (x - r, y - r)]
        geometry = ##"{"type":"Polygon","coordinates":[[\##(text(ring))]]}"##
      }
      let properties = ##"{"stroke":"#aa0000","fill":"#00aa00","name":"feature \##(index)"}"##
      return #"{"type":"Feature","properties":\#(properties),"geometry":\#(geometry)}"#
    }
    let geojson = #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
    let renderer = try Renderer(styleURL: "\(data)/styles/osm-bright.json")
    let camera = Camera(longitude: middle.longitude, latitude: middle.latitude, zoom: 14)
    func time(_ json: String?) throws -> Double {
      let start = Platform.now
      let overlay = try json.map { try Overlay(json: $0) }
      _ = try renderer.draw(camera: camera, width: 800, height: 600, overlay: overlay)
      return (Platform.now - start) * 1000
    }
    let empty = #"{"type":"FeatureCollection","features":[]}"#
    for json in [nil, empty, geojson] { _ = try time(json) }
    var (without, nothing, with) = ([Double](), [Double](), [Double]())
    for _ in 0..<(isQuick ? 5 : 61) {
      without.append(try time(nil))
      nothing.append(try time(empty))
      with.append(try time(geojson))
    }
    add("800x600 without an overlay", without, "ms")
    add("with an empty one", nothing, "ms")
    add("with 100 features", with, "ms")
    add("100 features more than without, in turn", zip(with, without).map(-), "ms")
  }
}
