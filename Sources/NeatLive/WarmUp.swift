// The first picture of a process is slow in part because everything is done for the first time: code is paged
// in, types of generic code are made, tables are built. A thread of a pool that has nothing to do meanwhile
// does that beforehand, as far as it comes.
import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatLoop
import NeatMap
import NeatRaster
import NeatStyle
import Synchronization

enum WarmUp {
  /// Has a thread of the pool draw a small picture of nothing in particular, once in a process.
  static func begin(_ pool: WorkerPool) {
    guard pool.width > 1, !hasBegun.exchange(true, ordering: .relaxed) else { return }
    pool.add {
      // What fails here, for want of memory, fails again where somebody waits for it.
      guard let bitmap = try? picture().bitmap else { return }
      _ = encodePNG(
        PixelRows(bitmap.pixels, width: bitmap.width, height: bitmap.height, stride: bitmap.width),
        premultiplied: true)
    }
  }

  private static let hasBegun = Atomic<Bool>(false)

  /// Of what most maps have: ground, an area with an edge, a line, a name along it and one in the middle. Needs
  /// nothing from outside.
  static func picture() throws(NeatError) -> Picture {
    let core = MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
    let client = ResourceClient { requests in
      requests.map { .data($0.kind == .glyphs ? glyphs : tile) }
    }
    return try core.draw(
      camera: Camera(zoom: 0.5), size: ViewSize(width: 32, height: 32, pixelRatio: 1), client: client,
      executor: .inline)
  }

  private static let style = """
    {"version": 8, "glyphs": "http://warm/{fontstack}/{range}",
     "sources": {"tiles": {"type": "vector", "tiles": ["http://warm/{z}/{x}/{y}"], "maxzoom": 0}},
     "layers": [
      {"id": "ground", "type": "background", "paint": {"background-color": "#eee"}},
      {"id": "area", "type": "fill", "source": "tiles", "source-layer": "area",
       "filter": ["==", ["get", "name"], "A"], "paint": {"fill-color": "#cdc", "fill-outline-color": "#aba"}},
      {"id": "line", "type": "line", "source": "tiles", "source-layer": "line",
       "filter": ["all", ["==", ["geometry-type"], "LineString"], ["match", ["get", "name"], ["A"], true, false]],
       "layout": {"line-cap": "round", "line-join": "round"},
       "paint": {"line-color": "#fff", "line-width": ["interpolate", ["exponential", 1.2], ["zoom"], 0, 2, 9, 9]}},
      {"id": "along", "type": "symbol", "source": "tiles", "source-layer": "line",
       "layout": {"symbol-placement": "line", "text-field": ["concat", ["get", "name"], " "],
        "text-font": ["A"], "text-size": 6, "text-transform": "uppercase"},
       "paint": {"text-color": "#333", "text-halo-color": "#fff", "text-halo-width": 1}},
      {"id": "name", "type": "symbol", "source": "tiles", "source-layer": "area",
       "layout": {"text-field": ["to-string", ["get", "name"]], "text-font": ["A"], "text-size": 6}}]}
    """

  /// A vector tile of a square in the layer "area" and a line in the layer "line", both called "A".
  private static let tile: [UInt8] = [
    26, 45, 10, 4, 97, 114, 101, 97, 18, 24, 18, 2, 0, 0, 24, 3, 34, 16, 9, 128, 8, 128, 8, 26, 128, 48, 0, 0,
    128, 48, 255, 47, 0, 15, 26, 4, 110, 97, 109, 101, 34, 3, 10, 1, 65, 120, 2, 26, 42, 10, 4, 108, 105, 110,
    101, 18, 21, 18, 2, 0, 0, 24, 2, 34, 13, 9, 0, 128, 16, 18, 128, 32, 128, 16, 128, 32, 199, 8, 26, 4, 110,
    97, 109, 101, 34, 3, 10, 1, 65, 120, 2,
  ]

  /// A glyph range with the letter A: a block of 8 by 8 pixels.
  private static let glyphs: [UInt8] =
    [10, 224, 1, 10, 1, 65, 18, 5, 48, 45, 50, 53, 53, 26, 211, 1, 8, 65, 18, 196, 1]
    + [UInt8](repeating: 192, count: 196) + [24, 8, 32, 8, 40, 0, 48, 0, 56, 9]
}
