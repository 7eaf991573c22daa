import Glibc
import Neatline

extension Bench {
  /// Fills and lines of one city tile, no labels, from the camera to the bitmap, tiles and layouts kept: what the
  /// raster alone costs, on one thread and on two, in turn.
  func raster() throws {
    guard let archive = realpath("\(data)/tiles/innsbruck.mbtiles", nil) else {
      throw BenchError("\(data)/tiles/innsbruck.mbtiles is not there")
    }
    defer { free(archive) }
    let layers = [
      ("landcover", "fill", "#ccddaa"), ("landuse", "fill", "#ddccbb"), ("water", "fill", "#aaccee"),
      ("building", "fill", "#aa9988"), ("transportation", "line", "#884422"),
    ].map { name, kind, color in
      let paint =
        kind == "fill"
        ? #""paint":{"fill-color":"\#(color)"}"#
        : #""paint":{"line-color":"\#(color)","line-width":3},"layout":{"line-cap":"round","line-join":"round"}"#
      let type = kind == "fill" ? "Polygon" : "LineString"
      return #"{"id":"\#(name)","type":"\#(kind)","source":"v","source-layer":"\#(name)","#
        + #""filter":["==",["geometry-type"],"\#(type)"],\#(paint)}"#
    }
    let style =
      #"{"version":8,"sources":{"v":{"type":"vector","url":"mbtiles://\#(String(cString: archive))"}},"#
      + ##""layers":[{"id":"background","type":"background","paint":{"background-color":"#ffffff"}},"##
      + layers.joined(separator: ",") + "]}"
    // The middle of tile 14/8711/5744.
    let (longitude, latitude) = (11.414794921875, 47.27177506640827)
    let renderers = try [1, 2].map { threads in
      var options = Options()
      options.threadCount = threads
      return try Renderer(json: style, options: options)
    }
    for size in [512, 1024] {
      let camera = Camera(longitude: longitude, latitude: latitude, zoom: size == 512 ? 14 : 15)
      var milliseconds: [[Double]] = [[], []]
      for round in 0..<(isQuick ? 4 : 200) {
        for (place, renderer) in renderers.enumerated() {
          let start = Platform.now
          let picture = try renderer.draw(camera: camera, width: size, height: size)
          guard picture.report.isComplete else { throw BenchError("the picture lacks something") }
          // The first pictures lay their tiles out.
          if round > 1 { milliseconds[place].append((Platform.now - start) * 1000) }
        }
      }
      add("\(size), one thread", milliseconds[0], "ms")
      add("\(size), two threads", milliseconds[1], "ms")
      add("\(size), one over two", zip(milliseconds[0], milliseconds[1]).map { $0 / $1 }, "times")
    }
  }
}
