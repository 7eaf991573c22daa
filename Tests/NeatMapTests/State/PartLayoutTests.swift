import NeatBase
import NeatCamera
import NeatJSON
import NeatLayout
import NeatRaster
import NeatStyle
import NeatTestSupport
import Testing

@testable import NeatMap

/// First pictures, for which lines and fills are laid out where they look: nothing of that is to be seen.
@Suite struct PartLayoutTests {
  /// Ways of a few turns and houses, all over a city, as layers that draw far past them.
  private static let text: String = {
    var random = SplitMix(seed: 11)
    // A few of them around the antimeridian.
    func place(_ number: Int) -> SIMD2<Double> {
      let lon = Double.random(in: -40...40, using: &random)
      let move = number % 10 > 0 ? 0.0 : lon < 0 ? 180 : -180
      return SIMD2(lon + move, .random(in: -40...40, using: &random))
    }
    var features: [String] = []
    for number in 0..<600 {
      var at = place(number)
      let turns = (0..<Int.random(in: 2...6, using: &random)).map { _ -> String in
        at += SIMD2(.random(in: -1...1, using: &random), .random(in: -1...1, using: &random))
        return "[\(at.x),\(at.y)]"
      }
      features.append(
        """
        {"type": "Feature", "properties": {"k": \(number % 3)}, "geometry": {"type": "LineString",
          "coordinates": [\(turns.joined(separator: ","))]}}
        """)
      let p = place(number)
      features.append(
        """
        {"type": "Feature", "properties": {"k": \(number % 3)}, "geometry": {"type": "Polygon", "coordinates":
          [[[\(p.x),\(p.y)],[\(p.x + 1),\(p.y)],[\(p.x + 1),\(p.y + 0.5)],[\(p.x),\(p.y)]]]}}
        """)
    }
    return """
      {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [
        \(features.joined(separator: ","))]}}},
       "layers": [
        {"id": "area", "type": "fill", "source": "s",
          "paint": {"fill-color": ["match", ["get", "k"], 0, "red", 1, "green", "blue"], "fill-translate": [30, 50]}},
        {"id": "shadow", "type": "line", "source": "s", "filter": ["==", "k", 0],
          "paint": {"line-width": 5, "line-offset": -40, "line-color": "gray", "line-translate": [-60, 20]}},
        {"id": "wide", "type": "line", "source": "s", "filter": ["==", "k", 1],
          "layout": {"line-miter-limit": 9},
          "paint": {"line-width": ["interpolate", ["linear"], ["zoom"], 2, 2, 6, 40], "line-color": "orange",
            "line-opacity": 0.5}},
        {"id": "cased", "type": "line", "source": "s", "filter": ["==", "k", 1], "layout": {"line-cap": "square"},
          "paint": {"line-width": 4, "line-gap-width": 70, "line-blur": 3}},
        {"id": "each", "type": "line", "source": "s", "filter": ["!=", "k", 1],
          "layout": {"line-join": "round", "line-cap": "round"},
          "paint": {"line-width": ["*", 30, ["get", "k"]], "line-opacity": 0.3}},
        {"id": "dashes", "type": "line", "source": "s", "paint": {"line-width": 2, "line-dasharray": [2, 3]}},
        {"id": "dots", "type": "circle", "source": "s", "paint": {"circle-radius": 2}}]}
      """
  }()
  /// Layers that are laid out anew where another part is looked at: all but `each` and `dots`.
  private static let parts = 5
  private static let layers = 7

  private func map() throws -> MapCore {
    let core = MapCore(style: try Style(parsing: Array(Self.text.utf8)), base: "")
    #expect(core.style.issues.isEmpty)
    return core
  }

  private static let cameras: [Camera] = [
    Camera(center: LonLat(3, 4), zoom: 4), Camera(center: LonLat(3, 4), zoom: 5.5, bearing: 33),
    Camera(center: LonLat(-20, 14), zoom: 3.2), Camera(center: LonLat(-0.2, 0.3), zoom: 6.9, bearing: -100),
    Camera(center: LonLat(22.5, -21), zoom: 4, pitch: 50), Camera(center: LonLat(178, 0), zoom: 0.9),
  ]
  private static let size = ViewSize(width: 256, height: 200)
  private static let nothing = ResourceClient { $0.map { _ in .missing } }

  private func pixels(_ bitmap: Bitmap) -> [UInt32] {
    withExtendedLifetime(bitmap) {
      Array(UnsafeBufferPointer(start: bitmap.pixels, count: bitmap.width * bitmap.height))
    }
  }

  private func picture(
    _ core: MapCore, _ camera: Camera, ratio: Double = 1, executor: Executor = .inline
  ) throws -> [UInt32] {
    let size = ViewSize(width: Self.size.width, height: Self.size.height, pixelRatio: ratio)
    return pixels(try core.render(camera: camera, size: size, client: Self.nothing, executor: executor))
  }

  /// Of a map that is laid out as a whole.
  private func whole(_ camera: Camera, ratio: Double = 1) throws -> [UInt32] {
    let core = try map()
    let size = ViewSize(width: Self.size.width, height: Self.size.height, pixelRatio: ratio)
    let transform = try Transform(camera: camera, size: size)
    try core.load(transform, client: Self.nothing, executor: .inline)
    return pixels(try core.frame(transform).rasterize(.inline))
  }

  @Test(arguments: [0.5, 1, 2]) func picturesAreThoseOfTheWhole(ratio: Double) throws {
    for camera in Self.cameras {
      let expected = try whole(camera, ratio: ratio)
      #expect(Set(expected).count > 50, "there is something to be seen")
      #expect(try picture(map(), camera, ratio: ratio) == expected, "\(camera)")
    }
  }

  @Test func picturesAreTheSameInAnyOrder() throws {
    let alone = try Self.cameras.map { try picture(map(), $0) }
    let (one, other) = (try map(), try map())
    #expect(try Self.cameras.map { try picture(one, $0) } == alone)
    #expect(try Self.cameras.reversed().map { try picture(other, $0) } == alone.reversed())
  }

  @Test func aTileIsLaidOutTwiceAtMost() throws {
    let core = try map()
    // Of one tile, the corner.
    func move(_ x: Double) throws { _ = try picture(core, Camera(center: LonLat(x, -3), zoom: 6)) }
    try move(2)
    #expect(core.laidOutLayerCount == Self.layers)
    try move(2)
    #expect(core.laidOutLayerCount == Self.layers)
    try move(2.5)
    #expect(core.laidOutLayerCount == Self.layers + Self.parts)
    for place in [1.8, 3, 2.2] { try move(place) }
    #expect(core.laidOutLayerCount == Self.layers + Self.parts)
  }

  /// Vertices of a layer's lines in all tiles.
  private func vertices(_ core: MapCore) -> Int {
    core.state.withLock { state in
      state.layouts.entries.keys.reduce(0) { count, key in
        guard case .line(let bucket)? = state.layouts.entries[key]?.layout.buckets[5] else { return count }
        return count + bucket.mesh.vertexCount
      }
    }
  }

  @Test func theFirstPictureLaysOutWhatItShows() throws {
    let (here, there) = (Camera(center: LonLat(2, -3), zoom: 6), Camera(center: LonLat(30, 24), zoom: 6))
    func whole(_ camera: Camera) throws -> Int {
      let core = try map()
      let transform = try Transform(camera: camera, size: Self.size)
      try core.load(transform, client: Self.nothing, executor: .inline)
      return vertices(core)
    }
    let core = try map()
    _ = try picture(core, here)
    let first = vertices(core)
    let all = try (here: whole(here), there: whole(there))
    #expect(first > 0 && first * 2 < all.here)
    // Whoever draws more than one comes back to its tiles.
    _ = try picture(core, there)
    #expect(vertices(core) - first == all.there)
  }

  /// That other view may have looked already at what it lacks.
  @Test func whileAnotherViewIsDrawnTilesAreLaidOutWhole() throws {
    let (alone, core) = (try map(), try map())
    let camera = Camera(center: LonLat(2, -3), zoom: 6)
    let expected = try picture(alone, camera)
    let pixels = try core.keepingView { () throws(NeatError) in
      Result { try picture(core, camera) }
    }
    #expect(try pixels.get() == expected)
    #expect(vertices(core) > 2 * vertices(alone))
  }

  @Test func linesOfNoWidthAreNoTrouble() throws {
    var editor = StyleEditor(try map().style)
    try editor.setPaintProperty(layer: "wide", "line-width", .number(0))
    let expression = try JSON.parse(#"["interpolate", ["linear"], ["zoom"], 0, -40, 9, -5]"#)
    try editor.setPaintProperty(layer: "cased", "line-width", expression)
    for camera in Self.cameras {
      let core = MapCore(style: editor.style, base: "")
      let transform = try Transform(camera: camera, size: Self.size)
      let first = try picture(core, camera)
      try core.load(transform, client: Self.nothing, executor: .inline)
      #expect(try pixels(core.frame(transform).rasterize(.inline)) == first)
    }
  }

  @Test func questionsAreAnsweredFromTheWhole() throws {
    let camera = Camera(center: LonLat(2, -3), zoom: 6)
    func found(_ core: MapCore) throws -> Int {
      let transform = try Transform(camera: camera, size: Self.size)
      try core.load(transform, client: Self.nothing, executor: .inline)
      let area = QueryArea.box(SIMD2(-400, -400), SIMD2(700, 600))
      return core.query(transform, area).features.count
    }
    let core = try map()
    _ = try picture(core, camera)
    let answer = try found(core)
    #expect(answer > 0)
    #expect(try answer == found(map()))
  }

  /// Another thread looks at another part of a tile between what this one asks for and what it stores.
  @Test func viewsOfOneTileAtATimeDoNotTakeTheirPartsFromEachOther() throws {
    let (here, there) = (
      Camera(center: LonLat(2, -3), zoom: 6), Camera(center: LonLat(8, -8), zoom: 6)
    )
    let (first, second) = (try picture(map(), here), try picture(map(), there))
    let core = try map()
    let seen = Locked<[[UInt32]]>([])
    let isIn = Locked(false)
    let executor = Executor(width: 1) { count, body in
      let isFirst = isIn.withLock { isIn in
        defer { isIn = true }
        return !isIn
      }
      if isFirst, let other = try? picture(core, there) { seen.withLock { $0.append(other) } }
      for index in 0..<count { body(index) }
    }
    #expect(try picture(core, here, executor: executor) == first)
    #expect(seen.withLock { $0 } == [second])
    #expect(try picture(core, there) == second)
  }

  @Test func aChangeOfTheStyleReachesWhatIsLaidOutInPart() throws {
    let camera = Camera(center: LonLat(2, -3), zoom: 6)
    let core = try map()
    _ = try picture(core, camera)
    var editor = StyleEditor(core.style)
    try editor.setPaintProperty(layer: "dashes", "line-width", .number(90))
    try editor.removeLayer("area")
    _ = core.replaceStyle(editor.style)
    let fresh = MapCore(style: editor.style, base: "")
    #expect(try picture(core, camera) == picture(fresh, camera))
  }
}
