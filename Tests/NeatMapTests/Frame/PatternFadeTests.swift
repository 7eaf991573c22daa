import NeatBase
import NeatCamera
import NeatRaster
import NeatStyle
import Testing

@testable import NeatMap

/// Patterns and dashes go over to those of the next whole zoom in frames that follow each other.
@Suite struct PatternFadeTests {
  /// A layer with a pattern, in the style and around it.
  struct Kind: Sendable, CustomStringConvertible {
    let type: String
    let property: String
    var paint = ""
    var geometry = #"{"type": "Polygon", "coordinates": [[[-60, -50], [55, -45], [50, 55], [-60, -50]]]}"#
    var pitch = 0.0
    var root = ""

    var description: String { "\(property) \(root) \(pitch)" }

    static let background = Kind(type: "background", property: "background-pattern")
    /// Without outlines: they are blended over it once more, and what is translucent twice is no mixture.
    static let fill = Kind(type: "fill", property: "fill-pattern", paint: #", "fill-antialias": false"#)
    static let outlined = Kind(type: "fill", property: "fill-pattern")
    static let extrusion = Kind(
      type: "fill-extrusion", property: "fill-extrusion-pattern",
      paint: #", "fill-extrusion-height": 500000, "fill-extrusion-opacity": 0.8"#, pitch: 45)
    static let line = Kind(
      type: "line", property: "line-pattern", paint: #", "line-width": 12"#,
      geometry: #"{"type": "LineString", "coordinates": [[-60, -50], [55, 45], [50, -55]]}"#)
    static let dash = Kind(
      type: "line", property: "line-dasharray", paint: #", "line-width": 8, "line-color": "white""#,
      geometry: #"{"type": "LineString", "coordinates": [[-60, -50], [55, 45], [50, -55]]}"#)

    static let surfaces = [
      background, fill, extrusion,
      Kind(
        type: "background", property: "background-pattern", paint: #", "background-opacity": 0.5"#, pitch: 40),
      Kind(
        type: "fill", property: "fill-pattern", paint: #", "fill-opacity": 0.5, "fill-antialias": false"#,
        pitch: 40),
    ]
    static let globes = [background, fill].map {
      var kind = $0
      kind.root = #", "projection": {"type": "globe"}"#
      return kind
    }
    static let all = surfaces + globes + [outlined, line, dash]
  }

  /// Pixels that compare as a whole, and do not fill the log where they differ.
  private struct Picture: Equatable, CustomStringConvertible {
    let pixels: [UInt32]
    var description: String { "\(Set(pixels).count) colours, hash \(pixels.hashValue)" }

    init(_ frame: Frame, _ executor: Executor = .inline) throws {
      let bitmap = try frame.rasterize(executor)
      pixels = Array(UnsafeBufferPointer(start: bitmap.pixels, count: bitmap.width * bitmap.height))
    }

    /// The largest difference of a channel from a mixture of two others.
    func distance(from a: Picture, _ b: Picture, share: Double) -> Double {
      var most = 0.0
      for index in pixels.indices {
        for shift in [0, 8, 16, 24] as [UInt32] {
          func channel(_ picture: Picture) -> Double { Double(picture.pixels[index] >> shift & 255) }
          most = max(most, abs(channel(self) - channel(a) * (1 - share) - channel(b) * share))
        }
      }
      return most
    }
  }

  private struct Film {
    let core: MapCore
    let pitch: Double
    var history = FrameHistory()
    var fadeMS = 300.0
    var audience = FrameStep.Audience.present

    /// - Parameter ratio: of the pixel ratios of images to what they are.
    init(_ kind: Kind, _ value: String, ratio: Double = 1, images: [String] = ["a", "b"]) throws {
      let source = kind.type == "background" ? "" : #", "source": "s""#
      let style = try Style(
        parsing: Array(
          """
          {"version": 8 \(kind.root), "sources": {"s": {"type": "geojson", "maxzoom": 2, "data":
             {"type": "Feature", "properties": {"p": "a", "q": "b", "d": [2, 1], "e": [1, 2]},
              "geometry": \(kind.geometry)}}},
           "layers": [{"id": "c", "type": "background", "paint": {"background-color": "#404040"}},
                      {"id": "l", "type": "\(kind.type)"\(source),
                       "paint": {"\(kind.property)": \(value) \(kind.paint)}}]}
          """.utf8))
      core = MapCore(style: style, base: "")
      #expect(core.problems.isEmpty, "\(core.problems)")
      pitch = kind.pitch
      for name in images { core.addImage(Film.image(name, ratio: ratio)) }
    }

    /// Of smooth colours, some translucent, and none like another's.
    static func image(_ name: String, ratio: Double) -> StyleImage {
      let edge = name == "a" ? 8 : 16
      let pixels = (0..<edge * edge).flatMap { index -> [UInt8] in
        let (x, y) = (index % edge, index / edge)
        let alpha = x < edge / 2 ? 255 : 128
        let level = UInt8(alpha * (y * 255 / edge) / 255)
        return name == "a" ? [UInt8(alpha), level, 0, UInt8(alpha)] : [0, level, UInt8(alpha), UInt8(alpha)]
      }
      return StyleImage(
        name: name, width: edge, height: edge, pixelRatio: ratio, isSDF: false, pixels: pixels)
    }

    func view(_ zoom: Double) throws -> Transform {
      try core.transform(
        Camera(center: LonLat(1, 1), zoom: zoom, pitch: pitch), ViewSize(width: 128, height: 128),
        isMoving: false)
    }

    func frame(_ zoom: Double, at time: Double, _ executor: Executor = .inline) throws -> Frame {
      let view = try view(zoom)
      try core.load(view, client: ResourceClient { _ in [] }, executor: .inline)
      return core.frame(
        view, step: FrameStep(history: history, timeMS: time, fadeMS: fadeMS, audience: audience),
        executor: executor)
    }

    /// The next frame, which is shown; and whether it asks for another one.
    mutating func shoot(_ zoom: Double, at time: Double) throws -> (picture: Picture, isFading: Bool) {
      let frame = try frame(zoom, at: time)
      let outcome = try #require(frame.outcome)
      history = outcome.history
      return (try Picture(frame), outcome.waitMS == 0)
    }

    /// On its own.
    func picture(_ zoom: Double) throws -> Picture {
      let view = try view(zoom)
      try core.load(view, client: ResourceClient { _ in [] }, executor: .inline)
      return try Picture(core.frame(view))
    }
  }

  private static func value(_ kind: Kind) -> String { kind.property == "line-dasharray" ? "[2, 1]" : #""a""# }

  /// By zoom, another below 3 than above.
  private static func byZoom(_ kind: Kind) -> String {
    kind.property == "line-dasharray"
      ? #"["step", ["zoom"], ["literal", [2, 1]], 3, ["literal", [1, 2]]]"#
      : #"["step", ["zoom"], "a", 3, "b"]"#
  }

  @Test(arguments: Kind.surfaces + Kind.globes) func zoomingInMixesWithThePatternTwiceAsLarge(kind: Kind)
    throws
  {
    var film = try Film(kind, Self.byZoom(kind))
    let large = try Film(kind, #""a""#, ratio: 0.5).picture(3.25)
    let end = try Film(kind, #""b""#).picture(3.25)
    #expect(try film.shoot(2.75, at: 0).isFading == false)
    for (time, share) in [(100.0, 0), (175, 0.25), (250, 0.5), (325, 0.75)] {
      let shot = try film.shoot(3.25, at: time)
      #expect(shot.isFading)
      // A quarter of the way it has gone already.
      let off = shot.picture.distance(from: large, end, share: 0.25 + 0.75 * share)
      #expect(off <= 2.5, "\(off) at \(time)")
    }
    let last = try film.shoot(3.25, at: 400)
    #expect(last.picture == end && !last.isFading)
    #expect(large.distance(from: end, end, share: 0) > 100, "the test sees something")
  }

  @Test(arguments: Kind.surfaces + Kind.globes) func zoomingOutMixesWithThePatternHalfAsLarge(kind: Kind)
    throws
  {
    var film = try Film(kind, Self.byZoom(kind))
    let small = try Film(kind, #""b""#, ratio: 2).picture(2.75)
    let end = try Film(kind, #""a""#).picture(2.75)
    _ = try film.shoot(3.25, at: 0)
    for (time, share) in [(100.0, 0), (175, 0.25), (250, 0.5), (325, 0.75)] {
      let shot = try film.shoot(2.75, at: time)
      #expect(shot.isFading)
      let off = shot.picture.distance(from: small, end, share: 1 - (1 - share) * 0.75)
      #expect(off <= 2.5, "\(off) at \(time)")
    }
    let last = try film.shoot(2.75, at: 400)
    #expect(last.picture == end && !last.isFading)
  }

  /// One that is the same at all zooms is mixed with itself.
  @Test(arguments: Kind.surfaces) func theSamePatternIsMixedWithItself(kind: Kind) throws {
    var film = try Film(kind, #""a""#)
    let large = try Film(kind, #""a""#, ratio: 0.5).picture(3.25)
    let end = try Film(kind, #""a""#).picture(3.25)
    _ = try film.shoot(2.75, at: 0)
    _ = try film.shoot(3.25, at: 100)
    let off = try film.shoot(3.25, at: 250).picture.distance(from: large, end, share: 0.625)
    #expect(off <= 2.5, "\(off)")
  }

  @Test(
    arguments: [Kind.fill, .extrusion],
    [#"["get", "p"]"#, #"["step", ["zoom"], ["get", "p"], 3, ["get", "q"]]"#])
  func featuresPatternsAreMixed(kind: Kind, value: String) throws {
    var film = try Film(kind, value)
    let large = try Film(kind, #""a""#, ratio: 0.5).picture(3.25)
    let end = try Film(kind, value).picture(3.25)
    _ = try film.shoot(2.75, at: 0)
    _ = try film.shoot(3.25, at: 100)
    let off = try film.shoot(3.25, at: 250).picture.distance(from: large, end, share: 0.625)
    #expect(off <= 2.5, "\(off)")
    #expect(try film.shoot(3.25, at: 400).picture == end)
  }

  /// Texels of plain images, wherever they lie along a line.
  @Test(arguments: [
    #"["step", ["zoom"], "a", 3, "b"]"#, #"["step", ["zoom"], ["get", "p"], 3, ["get", "q"]]"#,
  ]) func linePatternsAreMixed(value: String) throws {
    func plain(_ core: MapCore) {
      for (name, color) in [("a", [255, 0, 0, 255]), ("b", [0, 0, 128, 128])] as [(String, [UInt8])] {
        core.addImage(
          StyleImage(
            name: name, width: 2, height: 2, pixelRatio: 1, isSDF: false,
            pixels: (0..<4).flatMap { _ in color }))
      }
    }
    func still(_ name: String) throws -> Picture {
      let film = try Film(.line, "\"\(name)\"", images: [])
      plain(film.core)
      return try film.picture(3.25)
    }
    var film = try Film(.line, value, images: [])
    plain(film.core)
    let (a, b) = (try still("a"), try still("b"))
    _ = try film.shoot(2.75, at: 0)
    _ = try film.shoot(3.25, at: 100)
    let off = try film.shoot(3.25, at: 250).picture.distance(from: a, b, share: 0.625)
    #expect(off <= 2, "\(off)")
    #expect(try film.shoot(3.25, at: 400).picture == b)
  }

  /// With a width that is the same at all zooms, dashes go on as they were seen just before.
  @Test func dashesBeginAsTheyWere() throws {
    for value in ["[2, 1]", Self.byZoom(.dash), #"["step", ["zoom"], ["get", "d"], 3, ["get", "e"]]"#] {
      var film = try Film(.dash, value)
      let before = try film.shoot(2.9999, at: 0).picture
      let first = try film.shoot(3.0001, at: 100)
      #expect(first.isFading && first.picture.distance(from: before, before, share: 0) <= 16, "\(value)")
      let end = try Film(.dash, value).picture(3.0001)
      #expect(before.distance(from: end, end, share: 0) > 100)
      let middle = try film.shoot(3.0001, at: 250).picture
      #expect(middle != first.picture && middle != end)
      let last = try film.shoot(3.0001, at: 400)
      #expect(last.picture == end && !last.isFading)
      // And back.
      let back = try film.shoot(2.9999, at: 500)
      #expect(back.isFading && back.picture.distance(from: end, end, share: 0) <= 16, "\(value)")
      #expect(try film.shoot(2.9999, at: 800).picture == before)
    }
  }

  @Test(arguments: Kind.all) func whoTurnsRoundBeginsAnew(kind: Kind) throws {
    var film = try Film(kind, Self.byZoom(kind))
    _ = try film.shoot(2.75, at: 0)
    _ = try film.shoot(3.25, at: 100)
    #expect(try film.shoot(3.25, at: 200).isFading)
    let turned = try film.shoot(2.75, at: 210)
    // As one does who comes from there at rest.
    var other = try Film(kind, Self.byZoom(kind))
    _ = try other.shoot(3.25, at: 0)
    #expect(try turned.isFading && turned.picture == other.shoot(2.75, at: 10).picture)
    #expect(try film.shoot(2.75, at: 360).picture == other.shoot(2.75, at: 160).picture)
    let last = try film.shoot(2.75, at: 510)
    #expect(try !last.isFading && last.picture == film.picture(2.75))
  }

  @Test(arguments: Kind.all) func whatDoesNotFadeIsAsItWas(kind: Kind) throws {
    let still = try Film(kind, Self.byZoom(kind)).picture(3.25)
    // On its own, also where the same map has shown others.
    var film = try Film(kind, Self.byZoom(kind))
    _ = try film.shoot(2.75, at: 0)
    _ = try film.shoot(3.25, at: 100)
    #expect(try film.picture(3.25) == still)
    // The first frame; of another style; without a duration; where nobody looks.
    var first = try Film(kind, Self.byZoom(kind))
    var shot = try first.shoot(3.25, at: 0)
    #expect(shot.picture == still && !shot.isFading)
    film.history.forget()
    shot = try film.shoot(3.25, at: 110)
    #expect(shot.picture == still && !shot.isFading)
    film = try Film(kind, Self.byZoom(kind))
    film.fadeMS = 0
    _ = try film.shoot(2.75, at: 0)
    shot = try film.shoot(3.25, at: 100)
    #expect(shot.picture == still && !shot.isFading)
    for audience in [FrameStep.Audience.none, .away] {
      film = try Film(kind, Self.byZoom(kind))
      film.audience = audience
      _ = try film.shoot(2.75, at: 0)
      #expect(try film.shoot(3.25, at: 100).picture == still)
      // Nor does it begin for who looks then.
      film.audience = .present
      shot = try film.shoot(3.25, at: 110)
      #expect(shot.picture == still && !shot.isFading)
    }
    // What is on its way ends where nobody looks, and where another duration is set.
    for isAway in [true, false] {
      film = try Film(kind, Self.byZoom(kind))
      _ = try film.shoot(2.75, at: 0)
      _ = try film.shoot(3.25, at: 100)
      if isAway {
        film.audience = .away
        _ = try film.shoot(3.25, at: 110)
        film.audience = .present
      } else {
        film.history.arrive()
      }
      shot = try film.shoot(3.25, at: 120)
      #expect(shot.picture == still && !shot.isFading)
    }
  }

  @Test(arguments: Kind.all) func betweenWholeZoomsNothingFades(kind: Kind) throws {
    var film = try Film(kind, Self.byZoom(kind))
    _ = try film.shoot(3.25, at: 0)
    for zoom in [3.5, 3.9, 3.1, 3] {
      let shot = try film.shoot(zoom, at: 10)
      #expect(try shot.picture == film.picture(zoom) && !shot.isFading)
    }
    // At the whole zoom itself nothing is left of the one below, as in the reference.
    film = try Film(kind, Self.byZoom(kind))
    _ = try film.shoot(2.75, at: 0)
    let shot = try film.shoot(3, at: 10)
    #expect(try shot.picture == film.picture(3) && !shot.isFading)
  }

  @Test func whatHasNoPatternDoesNotKeepTheMapBusy() throws {
    for (kind, value) in [
      (Kind(type: "background", property: "background-color"), #""red""#),
      (Kind(type: "line", property: "line-color", geometry: Kind.line.geometry), #""red""#),
      // Nothing of it is in the view; nothing is drawn.
      (
        Kind(type: "fill", property: "fill-pattern", geometry: #"{"type": "Point", "coordinates": [0, 0]}"#),
        #""a""#
      ),
    ] {
      var film = try Film(kind, value)
      _ = try film.shoot(2.75, at: 0)
      #expect(try film.shoot(3.25, at: 10).isFading == false, "\(kind)")
    }
  }

  @Test(arguments: Kind.surfaces + [Kind.line]) func anImageThatIsMissing(kind: Kind) throws {
    // That of the zoom before: the one of now is mixed with itself.
    var film = try Film(kind, Self.byZoom(kind), images: ["b"])
    var same = try Film(kind, #""b""#)
    _ = try film.shoot(2.75, at: 0)
    _ = try same.shoot(2.75, at: 0)
    #expect(try film.shoot(3.25, at: 100).picture == same.shoot(3.25, at: 100).picture)
    #expect(try film.shoot(3.25, at: 250).picture == same.shoot(3.25, at: 250).picture)
    // That of now: as at rest, nothing.
    film = try Film(kind, Self.byZoom(kind), images: ["a"])
    _ = try film.shoot(2.75, at: 0)
    #expect(try film.shoot(3.25, at: 100).picture == film.picture(3.25))
  }

  @Test(arguments: Kind.all) func threadsAndBandsDrawTheSame(kind: Kind) throws {
    var film = try Film(kind, Self.byZoom(kind))
    _ = try film.shoot(2.75, at: 0)
    _ = try film.shoot(3.25, at: 100)
    let frame = try film.frame(3.25, at: 200)
    let wide = Executor(width: 5) { count, body in (0..<count).forEach(body) }
    #expect(try Picture(frame) == Picture(frame, wide))
    #expect(try Picture(frame) == Picture(film.frame(3.25, at: 200, wide), wide))
  }

  /// A layer of the application's stands among buildings whose pattern changes.
  @Test(arguments: [3.25, 2.5]) func whatStandsKeepsItsDepth(zoom: Double) throws {
    var film = try Film(.extrusion, Self.byZoom(.extrusion))
    _ = try film.shoot(2.75, at: 0)
    let frame = try film.frame(zoom, at: 100)
    let isMixed = frame.commands.contains { if case .extrusionMix = $0 { true } else { false } }
    #expect(isMixed == (zoom > 3))
    var hasDepth: Bool?
    let bitmap = try Bitmap(width: frame.width, height: frame.height)
    frame.drawInParts((frame.commands + [.custom("own")])[...], nil, on: bitmap, frame.height, .inline) {
      _, _, scene in
      hasDepth = !scene.workers.isEmpty
    }
    #expect(hasDepth == true)
  }

  @Test func aFrameThatNobodyTakesLeavesNothing() throws {
    var film = try Film(.fill, Self.byZoom(.fill))
    _ = try film.shoot(2.75, at: 0)
    _ = try film.frame(3.25, at: 100)
    let first = try film.shoot(3.25, at: 400)
    let large = try Film(.fill, #""a""#, ratio: 0.5).picture(3.25)
    let end = try Film(.fill, #""b""#).picture(3.25)
    let off = first.picture.distance(from: large, end, share: 0.25)
    #expect(first.isFading && off <= 2.5, "it begins now: \(off)")
  }

  /// As in MapLibre GL JS: patterns of fills change where the zoom says.
  @Test func backgroundsChangeAtWholeZooms() throws {
    let half = #"["step", ["zoom"], "a", 3.5, "b"]"#
    for (kind, name) in [(Kind.background, #""a""#), (Kind.fill, #""b""#)] {
      #expect(try Film(kind, half).picture(3.75) == Film(kind, name).picture(3.75), "\(kind)")
      #expect(try Film(kind, half).picture(4) == Film(kind, #""b""#).picture(4), "\(kind)")
    }
  }

  @Test func meshesHaveThePatternOfNow() throws {
    var film = try Film(.fill, Self.byZoom(.fill))
    _ = try film.shoot(2.75, at: 0)
    let view = try film.view(3.25)
    try film.core.load(view, client: ResourceClient { _ in [] }, executor: .inline)
    let step = FrameStep(history: film.history, timeMS: 100, fadeMS: 300)
    let meshes = film.core.meshFrame(view, .inline, step: step)
    #expect(meshes.outcome?.waitMS != 0)
    let still = film.core.meshFrame(view, .inline)
    #expect(meshes.commands.map(\.texture) == still.commands.map(\.texture))
    // A picture after it does not begin again.
    film.history = try #require(meshes.outcome).history
    let shot = try film.shoot(3.25, at: 110)
    #expect(try !shot.isFading && shot.picture == film.picture(3.25))
  }
}
