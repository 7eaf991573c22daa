import NeatBase
import NeatCamera
import NeatImage
import NeatLoop
import NeatMap
import NeatRaster
import NeatStyle
import Testing

/// Frames that follow each other are made in the memory of those before: nothing of these may be seen.
@Suite struct FrameMemoryTests {
  /// Every kind of shape; a comb has rows of far more than 48 crossings.
  /// - Parameter last: more layers.
  private func map(_ last: String = "") throws -> MapCore {
    var comb = "[-40, -30]"
    for tooth in 0..<60 {
      let x = -40 + Double(tooth) * 4 / 3
      comb += ", [\(x), 30], [\(x + 0.5), 30], [\(x + 0.5), -29], [\(x + 4.0 / 3), -29]"
    }
    let style = """
      {"version": 8, "sources": {
        "comb": {"type": "geojson",
                 "data": {"type": "Polygon", "coordinates": [[\(comb), [40, -30], [-40, -30]]]}},
        "line": {"type": "geojson", "data": {"type": "LineString", "coordinates": [[-70, -20], [0, 5], [60, 30]]}},
        "block": {"type": "geojson",
                  "data": {"type": "Polygon", "coordinates": [[[-9, -9], [9, -9], [9, 9], [-9, 9], [-9, -9]]]}},
        "point": {"type": "geojson", "data": {"type": "MultiPoint", "coordinates": [[5, 15], [-20, 0], [30, 9]]}}},
       "layers": [
        {"id": "ground", "type": "background", "paint": {"background-color": "#eef"}},
        {"id": "comb", "type": "fill", "source": "comb",
         "paint": {"fill-color": "rgba(20, 90, 20, 0.6)",
                   "fill-translate": ["interpolate", ["linear"], ["zoom"], 0, ["literal", [0, 0]], 4, ["literal", [9, 5]]]}},
        {"id": "solid", "type": "fill", "source": "block", "paint": {"fill-color": "#a44"}},
        {"id": "dashes", "type": "line", "source": "line",
         "layout": {"line-cap": "round"},
         "paint": {"line-width": 5, "line-dasharray": ["step", ["zoom"], ["literal", [2, 2]], 2, ["literal", [1, 3]]]}},
        {"id": "plain", "type": "line", "source": "comb", "paint": {"line-color": "#00f"}},
        {"id": "dots", "type": "circle", "source": "point", "paint": {"circle-radius": 6}},
        {"id": "icons", "type": "symbol", "source": "point",
         "layout": {"icon-image": "i", "icon-allow-overlap": true}},
        {"id": "blocks", "type": "fill-extrusion", "source": "block",
         "paint": {"fill-extrusion-height": 900000, "fill-extrusion-color": "#888"}}\(last)]}
      """
    let core = MapCore(style: try Style(parsing: Array(style.utf8)), base: "")
    #expect(core.problems.isEmpty, "\(core.problems)")
    var pixels = [UInt8](repeating: 255, count: 16 * 16 * 4)
    for index in 0..<256 { pixels[4 * index] = UInt8(index) }
    core.addImage(
      StyleImage(name: "i", width: 16, height: 16, pixelRatio: 1, isSDF: false, pixels: pixels))
    return core
  }

  private static let cameras = [
    Camera(zoom: 1), Camera(center: LonLat(10, 5), zoom: 1.7, bearing: 30),
    Camera(zoom: 2.4, bearing: -20, pitch: 50), Camera(center: LonLat(120, 0), zoom: 3),
    Camera(center: LonLat(-3, 2), zoom: 2.1, bearing: 200), Camera(zoom: 0.3, pitch: 20), Camera(zoom: 1),
  ]

  private func pixels(_ bitmap: Bitmap) -> [UInt32] {
    Array(UnsafeBufferPointer(start: bitmap.pixels, count: bitmap.width * bitmap.height))
  }

  private func picture(_ core: MapCore, _ camera: Camera, height: Int = 200) throws -> [UInt32] {
    pixels(
      try core.render(
        camera: camera, size: ViewSize(width: 240, height: height), client: ResourceClient { _ in [] },
        executor: .inline))
  }

  @Test func framesThatFollowEachOtherAreThoseOnTheirOwn() throws {
    let core = try map()
    for (number, camera) in FrameMemoryTests.cameras.enumerated() {
      // Other sizes need other memory.
      let height = 120 + 40 * (number % 3)
      let picture = try picture(core, camera, height: height)
      #expect(try self.picture(try map(), camera, height: height) == picture, "frame \(number)")
      #expect(Set(picture).count > 1 || number == 3)
      if number == 4 { core.reduceMemory(keeping: nil) }
    }
  }

  @Test func framesThatAreKeptDoNotChange() throws {
    let core = try map()
    let alone = try FrameMemoryTests.cameras.map { try picture(try map(), $0) }
    // All are laid out before, and made before any is drawn.
    for camera in FrameMemoryTests.cameras { _ = try picture(core, camera) }
    for _ in 0..<2 {
      let frames = try FrameMemoryTests.cameras.map { camera in
        let view = try Transform(camera: camera, size: ViewSize(width: 240, height: 200))
        _ = core.prepare(view, .inline)
        return core.frame(view)
      }
      for (frame, expected) in zip(frames, alone) {
        #expect(pixels(try frame.rasterize(.inline)) == expected)
      }
    }
  }

  /// Pictures whose files are begun while they are drawn, and whose memory is another's by then; several at a time.
  /// With a heatmap, which is summed before it is drawn.
  @Test(arguments: ["", #", {"id": "heat", "type": "heatmap", "source": "point"}"#])
  func memoryMayBeGivenBackBeforeFilesAreDone(_ last: String) throws {
    let size = ViewSize(width: 512, height: 512)
    let alone = try FrameMemoryTests.cameras.map { camera in
      let core = try map(last)
      let view = try Transform(camera: camera, size: size)
      #expect(core.prepare(view, .inline).isEmpty)
      return pixels(try core.frame(view).rasterize(.inline))
    }
    #if DEBUG
      let rounds = 3
    #else
      let rounds = 8
    #endif
    let core = try map(last)
    let pool = WorkerPool(width: 4)
    let same = ParallelResults<Bool>(count: rounds * alone.count)
    pool.executor.forEach(4) { thread in
      for number in stride(from: thread, to: rounds * alone.count, by: 4) {
        let place = number % alone.count
        let picture = try? core.draw(
          camera: FrameMemoryTests.cameras[place], size: size, client: ResourceClient { _ in [] },
          executor: pool.executor,
          drafting: { PNGDraft(PixelRows($0.pixels, width: $0.width, height: $0.height), owner: $0) })
        same.set(number, picture.map { $0.draft != nil && pixels($0.bitmap) == alone[place] } ?? false)
      }
    }
    #expect((0..<rounds * alone.count).allSatisfy { same[$0] == true })
  }

  /// Many squares under and over each other and what is made in order: symbols, extrusions, a layer of an opacity.
  private func crowd() throws -> MapCore {
    let squares = (0..<400).map { number in
      let (x, y) = (Double(number % 20) * 6 - 60, Double(number / 20) * 6 - 60)
      return
        #"{"type": "Feature", "properties": {"n": \#(number)}, "geometry": {"type": "Polygon", "coordinates": "#
        + "[[[\(x), \(y)], [\(x + 8), \(y)], [\(x + 8), \(y + 8)], [\(x), \(y + 8)], [\(x), \(y)]]]}}"
    }
    let style = """
      {"version": 8, "sources": {
        "squares": {"type": "geojson",
                    "data": {"type": "FeatureCollection", "features": [\(squares.joined(separator: ","))]}}},
       "layers": [
        {"id": "ground", "type": "background", "paint": {"background-color": "#eef"}},
        {"id": "fill", "type": "fill", "source": "squares",
         "paint": {"fill-color": ["rgb", ["%", ["get", "n"], 256], 80, 90]}},
        {"id": "veil", "type": "fill", "source": "squares",
         "paint": {"fill-color": "#0f0", "fill-layer-opacity": 0.3}},
        {"id": "dots", "type": "circle", "source": "squares", "paint": {"circle-radius": 3, "circle-color": "#fff"}},
        {"id": "icons", "type": "symbol", "source": "squares",
         "layout": {"icon-image": "i", "icon-allow-overlap": true}},
        {"id": "edges", "type": "line", "source": "squares",
         "paint": {"line-width": 2, "line-color": "rgba(200, 0, 90, 0.5)", "line-dasharray": [2, 1]}},
        {"id": "blocks", "type": "fill-extrusion", "source": "squares", "filter": ["<", ["get", "n"], 40],
         "paint": {"fill-extrusion-height": 900000, "fill-extrusion-color": "#888"}},
        {"id": "last", "type": "line", "source": "squares", "filter": [">", ["get", "n"], 350],
         "paint": {"line-width": 4}}]}
      """
    let core = MapCore(style: try Style(parsing: Array(style.utf8)), base: "")
    #expect(core.problems.isEmpty, "\(core.problems)")
    core.addImage(
      StyleImage(
        name: "i", width: 8, height: 8, pixelRatio: 1, isSDF: false,
        pixels: [UInt8](repeating: 255, count: 256)))
    return core
  }

  /// Shapes of tiles are made by whoever comes first; what is drawn is the same, in the same order.
  @Test func threadsDoNotChangeAFrame() throws {
    let threads = Executor(width: 3) { count, body in
      for index in (0..<count).reversed() { body(index) }
    }
    let (alone, shared) = (try crowd(), try crowd())
    for camera in FrameMemoryTests.cameras {
      let size = ViewSize(width: 240, height: 200)
      let client = ResourceClient { _ in [] }
      let expected = pixels(try alone.render(camera: camera, size: size, client: client, executor: .inline))
      #expect(
        pixels(try shared.render(camera: camera, size: size, client: client, executor: threads)) == expected)
      #expect(Set(expected).count > 10 || camera.center.lon > 100)
    }
  }
}
