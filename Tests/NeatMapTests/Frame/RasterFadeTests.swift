import NeatBase
import NeatCamera
import NeatImage
import NeatRaster
import NeatStyle
import NeatTile
import Testing

@testable import NeatMap

/// Raster tiles come in over `raster-fade-duration` in frames that follow each other.
@Suite struct RasterFadeTests {
  /// A map of plain tiles, red at zoom 1, blue at zoom 2, and its frames.
  private struct Film {
    static let red: [UInt8] = [255, 0, 0], blue: [UInt8] = [0, 0, 255]

    let core: MapCore
    var history = FrameHistory()
    var audience = FrameStep.Audience.present
    var fadeMS = 300.0
    /// Of the tiles.
    var alpha: UInt8 = 255

    static func style(_ paint: String = "", root: String = "", sources: String = "", layers: String = "")
      throws
      -> Style
    {
      try Style(
        parsing: Array(
          """
          {"version": 8 \(root), "sources": {"s": {"type": "raster", "tiles": ["t/{z}/{x}/{y}"], "tileSize": 512,
            "maxzoom": 2} \(sources)},
           "layers": [{"id": "b", "type": "background", "paint": {"background-color": "white"}},
                      {"id": "l", "type": "raster", "source": "s", "paint": {\(paint)}} \(layers)]}
          """.utf8))
    }

    init(_ paint: String = "", root: String = "", sources: String = "", layers: String = "") throws {
      core = MapCore(
        style: try Film.style(paint, root: root, sources: sources, layers: layers), base: "http://h/")
      #expect(core.problems.isEmpty)
      core.showTilesBelow()
    }

    func view(_ zoom: Double) throws -> Transform {
      try core.transform(
        Camera(center: LonLat(1, 1), zoom: zoom), ViewSize(width: 64, height: 64), isMoving: false)
    }

    /// Has the tiles of a view arrive.
    func load(_ zoom: Double, isGround onlyGround: Bool = false) throws {
      for need in core.needs(for: try view(zoom)) {
        guard let tile = need.tile else { continue }
        if onlyGround, !need.request.url.hasPrefix("http://h/d") { continue }
        // Of Terrarium's elevations: 0 metres.
        let isGround = need.request.url.hasPrefix("http://h/d")
        let color = isGround ? [128, 0, 0, 255] : (tile.z == 1 ? Film.red : Film.blue) + [alpha]
        let pixels = (0..<16).flatMap { _ in color }
        core.deliver(
          need, .data(encodePNG(PixelImage(width: 4, height: 4, pixels: pixels, isPremultiplied: false))))
      }
    }

    func frame(_ zoom: Double, at time: Double) throws -> Frame {
      core.frame(
        try view(zoom), step: FrameStep(history: history, timeMS: time, fadeMS: fadeMS, audience: audience))
    }

    /// The colour in the middle of the next frame, which is shown.
    mutating func color(_ zoom: Double, at time: Double) throws -> [Int] {
      let frame = try frame(zoom, at: time)
      history = try #require(frame.outcome).history
      return try Film.color(frame)
    }

    static func color(_ frame: Frame) throws -> [Int] {
      let bitmap = try frame.rasterize(.inline)
      let pixel = withExtendedLifetime(bitmap) { bitmap.pixels[32 * bitmap.width + 32] }
      return [0, 8, 16, 24].map { Int(pixel >> $0 & 255) }
    }
  }

  /// Whether a colour is another one, to a step or two of rounding.
  private func isNear(_ a: [Int], _ b: [Double]) -> Bool {
    zip(a, b).allSatisfy { abs(Double($0) - $1) <= 2 }
  }

  private func mix(_ a: [Double], _ b: [Double], _ share: Double) -> [Double] {
    zip(a, b).map { $0 * (1 - share) + $1 * share }
  }

  private let white = [255.0, 255, 255, 255], red = [255.0, 0, 0, 255], blue = [0.0, 0, 255, 255]

  @Test func aTileComesInOverTheGround() throws {
    var film = try Film(#""raster-fade-duration": 400"#)
    #expect(try film.color(1, at: 0) == [255, 255, 255, 255])
    try film.load(1)
    #expect(try film.color(1, at: 1000) == [255, 255, 255, 255])
    for (time, share) in [(1100.0, 0.25), (1200, 0.5), (1300, 0.75)] {
      let color = try film.color(1, at: time)
      #expect(isNear(color, mix(white, red, share)), "\(color) at \(time)")
    }
    #expect(try film.frame(1, at: 1399).outcome?.waitMS == 0)
    #expect(try film.color(1, at: 1400) == [255, 0, 0, 255])
    #expect(try film.frame(1, at: 1400).outcome?.isAtRest == true)
  }

  @Test(arguments: [1, 0.5]) func aTileComesInOverTheOneAboveIt(opacity: Double) throws {
    var film = try Film(#""raster-opacity": \#(opacity)"#)
    try film.load(1)
    _ = try film.color(1, at: 0)
    #expect(isNear(try film.color(1, at: 300), mix(white, red, opacity)))
    // It stands in until the others are there.
    #expect(isNear(try film.color(2, at: 310), mix(white, red, opacity)))
    #expect(try film.frame(2, at: 310).outcome?.waitMS != 0)
    try film.load(2)
    for (time, share) in [(400.0, 0), (475, 0.25), (550, 0.5), (625, 0.75), (700, 1)] {
      let color = try film.color(2, at: time)
      #expect(isNear(color, mix(white, mix(red, blue, share), opacity)), "\(color) at \(time)")
    }
    // What is there comes in no more.
    #expect(isNear(try film.color(1, at: 710), mix(white, red, opacity)))
    #expect(isNear(try film.color(2, at: 720), mix(white, blue, opacity)))
    #expect(try film.frame(2, at: 720).outcome?.waitMS != 0)
  }

  @Test(arguments: [1, 0.5]) func tilesBelowStandInAndGo(opacity: Double) throws {
    var film = try Film(#""raster-opacity": \#(opacity)"#)
    try film.load(2)
    _ = try film.color(2, at: 0)
    _ = try film.color(2, at: 300)
    let color = try film.color(1, at: 310)
    #expect(isNear(color, mix(white, blue, opacity)), "\(color): those of the view before stand in")
    try film.load(1)
    for (time, share) in [(400.0, 0), (475, 0.25), (550, 0.5), (700, 1)] {
      let color = try film.color(1, at: time)
      #expect(isNear(color, mix(white, mix(blue, red, share), opacity)), "\(color) at \(time)")
    }
  }

  /// Half transparent tiles are neither denser nor thinner on their way.
  @Test(arguments: [1, 0.5], ["", #", "projection": {"type": "globe"}"#])
  func translucentTilesAddUp(opacity: Double, root: String) throws {
    var film = try Film(#""raster-opacity": \#(opacity)"#, root: root)
    film.alpha = 128
    try film.load(1)
    _ = try film.color(1, at: 0)
    _ = try film.color(1, at: 300)
    try film.load(2)
    for (time, share) in [(400.0, 0), (475, 0.25), (550, 0.5), (625, 0.75), (700, 1)] {
      let color = try film.color(2, at: time)
      #expect(isNear(color, mix(white, mix(red, blue, share), opacity * 128 / 255)), "\(color) at \(time)")
    }
  }

  @Test func whereNobodyLooksTilesAreThere() throws {
    for audience in [FrameStep.Audience.none, .away] {
      var film = try Film()
      film.audience = audience
      try film.load(1)
      #expect(try film.color(1, at: 0) == [255, 0, 0, 255])
      // And stay there for who looks then.
      film.audience = .present
      #expect(try film.color(1, at: 10) == [255, 0, 0, 255])
      #expect(try film.frame(1, at: 10).outcome?.isAtRest == true)
    }
    let film = try Film()
    try film.load(1)
    #expect(try Film.color(film.core.frame(try film.view(1))) == [255, 0, 0, 255], "a frame on its own")
  }

  @Test func whatTheFirstFrameHasIsThere() throws {
    var film = try Film()
    try film.load(1)
    #expect(try film.color(1, at: 0) == [255, 0, 0, 255])
    #expect(try film.frame(1, at: 0).outcome?.isAtRest == true)
    film.history.forget()
    #expect(try film.color(1, at: 10) == [255, 0, 0, 255])
  }

  @Test func withoutADurationTilesAreThere() throws {
    for paint in ["0", #"["step", ["zoom"], 0, 3, 300]"#] {
      var film = try Film(#""raster-fade-duration": \#(paint)"#)
      _ = try film.color(1, at: 0)
      try film.load(1)
      #expect(try film.color(1, at: 10) == [255, 0, 0, 255])
      #expect(try film.frame(1, at: 10).outcome?.isAtRest == true)
    }
  }

  /// What is on its way goes on from where it is, and what is there stays.
  @Test func aDurationThatChangesMeanwhileMakesNothingJump() throws {
    func isAtRest(_ film: Film, at time: Double) throws -> Bool {
      try film.frame(1, at: time).outcome?.isAtRest == true
    }
    func film(at time: Double) throws -> Film {
      var film = try Film(#""raster-fade-duration": 400"#)
      _ = try film.color(1, at: 0)
      try film.load(1)
      _ = try film.color(1, at: 1000)
      _ = try film.color(1, at: time)
      return film
    }
    // Half of it is there: the other half takes half of the new time.
    for duration in [800.0, 100] {
      var film = try film(at: 1200)
      _ = film.core.replaceStyle(try Film.style(#""raster-fade-duration": \#(duration)"#))
      for part in [0.0, 0.5, 0.9] {
        let color = try film.color(1, at: 1200 + part * duration / 2)
        #expect(isNear(color, mix(white, red, 0.5 + part / 2)), "\(color) at \(part) of \(duration)")
      }
      #expect(try !isAtRest(film, at: 1200 + duration / 2 - 2))
      #expect(try film.color(1, at: 1200 + duration / 2) == [255, 0, 0, 255])
      #expect(try isAtRest(film, at: 1200 + duration / 2))
    }
    // Without one it is there, and does not come again with another.
    var none = try film(at: 1200)
    for duration in [0, 60_000] {
      _ = none.core.replaceStyle(try Film.style(#""raster-fade-duration": \#(duration)"#))
      #expect(try none.color(1, at: 1210) == [255, 0, 0, 255])
      #expect(try isAtRest(none, at: 1210))
    }
    var there = try film(at: 1400)
    _ = there.core.replaceStyle(try Film.style(#""raster-fade-duration": 1000"#))
    #expect(try there.color(1, at: 1410) == [255, 0, 0, 255])
    #expect(try isAtRest(there, at: 1410))
    #expect(try there.color(1, at: 1500) == [255, 0, 0, 255])
    // A frame that nobody takes changes nothing for the next one.
    let untaken = try film(at: 1200)
    _ = untaken.core.replaceStyle(try Film.style(#""raster-fade-duration": 800"#))
    let color = try Film.color(untaken.frame(1, at: 1200))
    #expect(isNear(color, mix(white, red, 0.5)))
    #expect(try Film.color(untaken.frame(1, at: 1200)) == color)
  }

  /// A film at 190 in which a tile is on its way since 100, and since 190 one that comes over it.
  private func oneBelowAnother() throws -> Film {
    var film = try Film()
    _ = try film.color(1, at: 0)
    try film.load(1)
    _ = try film.color(2, at: 100)
    try film.load(2)
    _ = try film.color(2, at: 190)
    return film
  }

  /// The tile below, which comes in itself, goes on as it was too.
  @Test func whatComesInBelowAnotherDoesNotJumpEither() throws {
    var film = try oneBelowAnother()
    let before = try film.color(2, at: 250)
    _ = film.core.replaceStyle(try Film.style(#""raster-fade-duration": 3000"#))
    #expect(isNear(try film.color(2, at: 250), before.map(Double.init)))
    #expect(isNear(try film.color(2, at: 3190), blue))
    #expect(try film.frame(2, at: 3190).outcome?.isAtRest == true)
  }

  @Test func whereLabelsDoNotFadeTilesAreThere() throws {
    var film = try Film()
    film.fadeMS = 0
    _ = try film.color(1, at: 0)
    try film.load(1)
    #expect(try film.color(1, at: 10) == [255, 0, 0, 255])
    #expect(try film.frame(1, at: 10).outcome?.isAtRest == true)
  }

  @Test func aFrameThatNobodyTakesLeavesNothing() throws {
    var film = try Film()
    _ = try film.color(1, at: 0)
    try film.load(1)
    _ = try film.frame(1, at: 10)
    #expect(try film.color(1, at: 160) == [255, 255, 255, 255], "it is first seen now")
    #expect(isNear(try film.color(1, at: 310), mix(white, red, 0.5)))
  }

  /// A tile that was dropped and comes again comes in again.
  @Test func aTileThatComesAgainComesIn() throws {
    var film = try Film()
    try film.load(1)
    _ = try film.color(1, at: 0)
    _ = try film.color(1, at: 300)
    film.core.reduceMemory(keeping: nil)
    #expect(try film.color(1, at: 310) == [255, 255, 255, 255])
    try film.load(1)
    _ = try film.color(1, at: 320)
    #expect(isNear(try film.color(1, at: 470), mix(white, red, 0.5)))
  }

  @Test func layersOfASourceFadeEachByItself() throws {
    var film = try Film(
      #""raster-fade-duration": 100, "raster-opacity": 0.5"#,
      layers: #", {"id": "m", "type": "raster", "source": "s", "paint": {"raster-fade-duration": 200}}"#)
    _ = try film.color(1, at: 0)
    try film.load(1)
    _ = try film.color(1, at: 1000)
    let color = try film.color(1, at: 1100)
    #expect(isNear(color, mix(mix(white, red, 0.5), red, 0.5)), "\(color)")
    #expect(try film.frame(1, at: 1100).outcome?.waitMS == 0)
  }

  @Test func meshesHaveTheSameShares() throws {
    var film = try Film(#""raster-opacity": 0.5"#)
    try film.load(1)
    _ = try film.color(1, at: 0)
    _ = try film.color(1, at: 300)
    try film.load(2)
    _ = try film.color(2, at: 400)
    let step = FrameStep(history: film.history, timeMS: 550, fadeMS: 300)
    let meshes = film.core.meshFrame(try film.view(2), .inline, step: step)
    let opacities = Set(
      meshes.commands.filter { $0.kind == .raster }.map { UInt32(saturating: $0.opacity * 255 + 0.5) })
    // The tile at 0.5 · 0.5, and below it what leaves half of the ground.
    #expect(opacities == [64, 85] && meshes.outcome?.waitMS == 0, "\(opacities)")
  }

  private static let ground =
    #", "d": {"type": "raster-dem", "tiles": ["d/{z}/{x}/{y}"], "encoding": "terrarium", "maxzoom": 1}"#

  @Test func overATerrainTilesAreThere() throws {
    var film = try Film(root: #", "terrain": {"source": "d"}"#, sources: Self.ground)
    try film.load(1, isGround: true)
    _ = try film.color(1, at: 0)
    try film.load(1)
    #expect(try film.color(1, at: 10) == [255, 0, 0, 255] && film.core.problems.isEmpty)
    #expect(try film.frame(1, at: 10).outcome?.waitMS != 0)
    // Nor do they come in where the terrain goes.
    _ = film.core.replaceStyle(try Film.style(sources: Self.ground))
    #expect(try film.color(1, at: 20) == [255, 0, 0, 255])
  }

  @Test func withoutATerrainTheSameTilesComeIn() throws {
    var film = try Film(sources: Self.ground)
    _ = try film.color(1, at: 0)
    try film.load(1)
    #expect(try film.color(1, at: 10) == [255, 255, 255, 255])
  }

  @Test func picturesOfImageSourcesComeIn() throws {
    var film = try Film(
      sources:
        #", "i": {"type": "image", "url": "i.png", "coordinates": [[-90, 60], [90, 60], [90, -60], [-90, -60]]}"#,
      layers: #", {"id": "m", "type": "raster", "source": "i", "paint": {"raster-fade-duration": 100}}"#)
    _ = try film.color(1, at: 0)
    for need in film.core.needs(for: try film.view(1)) where need.request.url.hasSuffix("i.png") {
      let pixels: [UInt8] = (0..<4).flatMap { _ in Film.blue + [255] as [UInt8] }
      let image = PixelImage(width: 2, height: 2, pixels: pixels, isPremultiplied: false)
      #expect(film.core.deliver(need, .data(encodePNG(image))))
    }
    #expect(try film.color(1, at: 10) == [255, 255, 255, 255])
    #expect(isNear(try film.color(1, at: 60), mix(white, blue, 0.5)))
    #expect(try film.frame(1, at: 60).outcome?.waitMS == 0)
    #expect(try film.color(1, at: 110) == [0, 0, 255, 255])
    #expect(try film.frame(1, at: 110).outcome?.waitMS != 0)
  }

  /// A duration that has no end ends after a minute.
  @Test(arguments: ["1e9", #"["/", 1, 0]"#]) func noDurationIsEndless(duration: String) throws {
    var film = try Film(#""raster-fade-duration": \#(duration)"#)
    _ = try film.color(1, at: 0)
    try film.load(1)
    _ = try film.color(1, at: 10)
    #expect(isNear(try film.color(1, at: 30_010), mix(white, red, 0.5)))
    #expect(try film.color(1, at: 60_010) == [255, 0, 0, 255])
    #expect(try film.frame(1, at: 60_010).outcome?.waitMS != 0)
  }

  /// One that has half come in goes on to, below another that comes.
  @Test func whatComesInGoesOnBelowAnother() throws {
    var film = try oneBelowAnother()
    let color = try film.color(2, at: 250)
    let (above, below) = (60.0 / 300, 150.0 / 300)
    #expect(
      isNear(
        color, mix(mix(white, red, below), blue, above)),
      "\(color)")
  }
}
