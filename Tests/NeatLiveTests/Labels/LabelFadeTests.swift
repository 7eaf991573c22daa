import NeatBase
import NeatCamera
import NeatLoop
import NeatPlacement
import NeatStyle
import NeatTestSupport
import Testing

@testable import NeatMap

/// How labels come, stay and go, frame by frame, at times that the test sets.
@Suite struct LabelFadeTests {
  /// Icons of 20 px on a row, `spacing` degrees apart: a degree is 1.42 px at zoom 0.
  static func style(_ count: Int = 9, spacing: Double = 1, extra: String = "", layers: String = "") -> [UInt8]
  {
    let features = (0..<count).map { index in
      """
      {"type": "Feature", "properties": {"n": \(index)},
       "geometry": {"type": "Point", "coordinates": [\(Double(index - count / 2) * spacing), 0]}}
      """
    }
    return Array(
      """
      {"version": 8, "center": [0, 0], "zoom": 3,
       "sources": {"p": {"type": "geojson", \(extra)
                         "data": {"type": "FeatureCollection", "features": [\(features.joined(separator: ","))]}}},
       "layers": [{"id": "paper", "type": "background", "paint": {"background-color": "white"}},
                  {"id": "dots", "type": "symbol", "source": "p", "layout": {"icon-image": "dot"}}\(layers)]}
      """.utf8)
  }

  static func dot(_ edge: Int = 20) throws -> StyleImage {
    let pixels = (0..<edge * edge).flatMap { _ -> [UInt8] in [200, 30, 30, 255] }
    return try StyleImage(
      name: "dot", PixelImage(width: edge, height: edge, pixels: pixels, isPremultiplied: true),
      StyleImageOptions())
  }

  private func film(_ style: [UInt8] = style(), size: ViewSize = ViewSize(width: 256, height: 64)) throws
    -> LabelFilm
  {
    let film = try LabelFilm(try Style(parsing: style), size: size)
    film.core.addImage(try Self.dot())
    return film
  }

  private func camera(_ zoom: Double, _ lon: Double = 0) -> Camera {
    Camera(center: LonLat(lon, 0), zoom: zoom)
  }

  /// One of three icons has room at zoom 3, all have at zoom 5.
  @Test func whatFindsRoomComesInWithinTheDuration() throws {
    var film = try film()
    try film.load(camera(5))
    try film.load(camera(3))
    let first = try film.shoot(camera(3), atMS: 1000)
    #expect(first.isPlaced && first.isAtRest && first.labels.allSatisfy { $0.icon == 1 })
    #expect(try film.pixels(first) == film.still(camera(3)))
    // No placement yet: what stands is drawn from where the camera is now.
    let early = try film.shoot(camera(5), atMS: 1299)
    #expect(
      !early.isPlaced && !early.isAtRest && Set(early.labels.map(\.id)).isSubset(of: first.labels.map(\.id)))
    let placed = try film.shoot(camera(5), atMS: 1300)
    #expect(placed.isPlaced && !placed.isAtRest && placed.labels.count > early.labels.count)
    for label in placed.labels where (0...256).contains(label.point.x) {
      #expect(label.icon == (early.labels.contains { $0.id == label.id } ? 1 : 0))
    }
    let half = try film.shoot(camera(5), atMS: 1450)
    #expect(!half.isPlaced && half.labels.contains { $0.icon == 0.5 } && !half.isAtRest)
    let end = try film.shoot(camera(5), atMS: 1600)
    #expect(end.isAtRest && end.labels.allSatisfy { $0.icon == 1 })
    // A frame at rest is that of a map without a past; one on the way is not.
    #expect(try film.pixels(end) == film.still(camera(5)))
    #expect(try film.pixels(half) != film.still(camera(5)))
    // Half of the red of what stands.
    let row = 32 * 256
    let colors = Set(try film.pixels(half)[row..<row + 256].map { $0 >> 8 & 0xFF })
    #expect(colors.contains { abs(Int($0) - (30 + 255) / 2) <= 2 }, "\(colors)")
  }

  @Test func whatLosesItsRoomGoesOut() throws {
    var film = try film()
    try film.load(camera(3))
    try film.load(camera(5))
    let wide = try film.shoot(camera(5), atMS: 0)
    // Less than a zoom: nothing is ahead by much.
    let close = try film.shoot(camera(4.4), atMS: 400)
    let gone = close.labels.filter { !$0.standsIcon }
    #expect(
      close.isPlaced && !gone.isEmpty && gone.allSatisfy { $0.icon == 1 || $0.icon < 1 && $0.icon > 0.5 })
    let later = try film.shoot(camera(4.4), atMS: 520)
    #expect(later.labels.filter { !$0.standsIcon }.allSatisfy { $0.icon < gone[0].icon })
    let end = try film.shoot(camera(4.4), atMS: 700)
    #expect(end.isAtRest && end.labels.allSatisfy { $0.standsIcon } && end.labels.count < wide.labels.count)
    #expect(try film.pixels(end) == film.still(camera(4.4)))
  }

  @Test func placementsKeepTheirDistanceWhileTheMapMoves() throws {
    var film = try film(Self.style(40))
    try film.load(camera(4))
    var shots: [LabelFilm.Shot] = []
    for frame in 0..<200 {
      let lon = Double(frame) * 0.05
      try film.load(camera(4, lon))
      shots.append(try film.shoot(camera(4, lon), atMS: Double(frame) * 16.7))
    }
    let placements = shots.filter(\.isPlaced).map(\.timeMS)
    #expect(zip(placements, placements.dropFirst()).allSatisfy { (300..<317).contains($1 - $0) })
    #expect(shots.last?.isAtRest == false, "one is owed to where the camera is")
    // Once more, when it has come to rest; then never again.
    let end = (200..<300).map { Double($0) * 16.7 }
    let rest = try end.map { try film.shoot(camera(4, 199 * 0.05), atMS: $0) }
    #expect(rest.filter(\.isPlaced).count == 1 && rest.last?.isAtRest == true)
    #expect(try film.pixels(rest[99]) == film.still(camera(4, 199 * 0.05)))
  }

  /// Labels that come in from beside the view are there when they are seen.
  @Test func whatComesFromOutsideIsThereAtOnce() throws {
    var film = try film(Self.style(60, spacing: 4))
    var known: Set<UInt32> = []
    for frame in 0..<120 {
      let now = camera(4, Double(frame) * 0.2)
      try film.load(now)
      let shot = try film.shoot(now, atMS: Double(frame) * 16)
      for label in shot.labels where (0...256).contains(label.point.x) && known.insert(label.id).inserted {
        #expect(label.icon == 1, "at \(label.point.x)")
      }
    }
    #expect(known.count > 5)
  }

  /// A tile that takes another one's place takes its labels over.
  @Test func labelsStandWhileTilesChange() throws {
    var film = try film(Self.style(5, spacing: 6, extra: "\"maxzoom\": 10,"))
    try film.load(camera(3.9))
    let before = try film.shoot(camera(3.9), atMS: 0)
    try film.load(camera(4.1))
    let after = try film.shoot(camera(4.1), atMS: 10)
    #expect(!after.isPlaced && !before.labels.isEmpty)
    #expect(after.labels.map(\.id).sorted() == before.labels.map(\.id).sorted())
    #expect(after.labels.allSatisfy { $0.icon == 1 && $0.standsIcon })
    // The next placement finds them in the new tile.
    let placed = try film.shoot(camera(4.1), atMS: 400)
    #expect(placed.isPlaced && placed.isAtRest && placed.labels.allSatisfy { $0.icon == 1 && $0.standsIcon })
    #expect(Set(before.labels.map(\.id)).isSubset(of: placed.labels.map(\.id)))
    #expect(film.history.labels?.layers.allSatisfy { $0.held.isEmpty } == true)
    // And back.
    let back = try film.shoot(camera(3.9), atMS: 420)
    #expect(back.labels.map(\.id).sorted() == before.labels.map(\.id).sorted())
  }

  /// What only the tile that goes has goes out, and is let go then.
  @Test func aTileThatLeftIsHeldUntilItsLabelsAreGone() throws {
    let layers = """
      , {"id": "low", "type": "symbol", "source": "p", "filter": ["<", ["zoom"], 4],
         "layout": {"icon-image": "dot", "icon-offset": [0, 28]}}
      """
    var film = try film(Self.style(3, spacing: 8, layers: layers))
    try film.load(camera(3.9))
    let before = try film.shoot(camera(3.9), atMS: 0)
    try film.load(camera(4.1))
    let after = try film.shoot(camera(4.1), atMS: 100)
    #expect(after.labels.filter { $0.layer == "low" }.map(\.icon) == [1, 1, 1])
    _ = try film.shoot(camera(4.1), atMS: 300)
    let half = try film.shoot(camera(4.1), atMS: 450)
    #expect(half.labels.filter { $0.layer == "low" }.map(\.icon) == [0.5, 0.5, 0.5])
    let end = try film.shoot(camera(4.1), atMS: 700)
    #expect(end.isAtRest && end.labels.count == 3 && before.labels.count == 6, "\(before.labels)")
    let history = try #require(film.history.labels)
    #expect(history.layers.allSatisfy { $0.held.isEmpty } && history.index.idCount < 10)
    #expect(try film.pixels(end) == film.still(camera(4.1)))
  }

  @Test func oneThreadAndMoreGiveTheSamePictures() throws {
    let pool = WorkerPool(width: 4)
    var films = [try film(Self.style(60)), try film(Self.style(60))]
    films[1].executor = pool.executor
    for frame in 0..<40 {
      let now = Camera(
        center: LonLat(Double(frame) * 0.1, 0), zoom: 3 + Double(frame) * 0.06, bearing: Double(frame) * 3)
      var pictures: [[UInt32]] = []
      for number in 0...1 {
        try films[number].load(now)
        let shot = try films[number].shoot(now, atMS: Double(frame) * 33)
        pictures.append(try films[number].pixels(shot))
      }
      #expect(pictures[0] == pictures[1], "frame \(frame)")
    }
  }

  @Test func frameThatNobodyTookLeavesNothingBehind() throws {
    var (watched, doubted) = (try film(), try film())
    for frame in 0..<60 {
      let now = camera(3 + Double(frame) * 0.04)
      try watched.load(now)
      try doubted.load(now)
      let copy = doubted.history
      _ = try doubted.shoot(now, atMS: Double(frame) * 1000)
      doubted.history = copy
      let pictures = [
        try watched.pixels(try watched.shoot(now, atMS: Double(frame) * 20)),
        try doubted.pixels(try doubted.shoot(now, atMS: Double(frame) * 20)),
      ]
      #expect(pictures[0] == pictures[1], "frame \(frame)")
    }
  }

  @Test func absurdTimesDoNoHarm() throws {
    var film = try film()
    try film.load(camera(5))
    try film.load(camera(3))
    _ = try film.shoot(camera(3), atMS: 1000)
    _ = try film.shoot(camera(5), atMS: 1400)
    // Back, no number, as far as there is: opacities go only where they should.
    var last: Float = 0
    for time in [1500, 1000, -5e300, .nan, .infinity, -.infinity, 1e300, 10, 20.0] {
      let shot = try film.shoot(camera(5), atMS: time)
      let low = shot.labels.map(\.icon).min() ?? 0
      #expect(low >= last && low <= 1, "at \(time)")
      last = low
    }
    #expect(last == 1)
    var time = 20.0
    // After a step back it takes what it always takes.
    _ = try film.shoot(camera(3), atMS: -1e9)
    for _ in 0..<60 {
      time += 16
      _ = try film.shoot(camera(3), atMS: -1e9 + time)
    }
    let end = try film.shoot(camera(3), atMS: -1e9 + time + 1)
    #expect(end.isAtRest)
    #expect(try film.pixels(end) == film.still(camera(3)))
  }

  @Test func withoutFadingEveryFrameIsThatOfAMapWithoutAPast() throws {
    var film = try film(Self.style(60))
    film.fadeMS = 0
    for frame in 0..<30 {
      let now = camera(3 + Double(frame) * 0.1, Double(frame) * 0.2)
      try film.load(now)
      let shot = try film.shoot(now, atMS: Double(frame) * 16)
      #expect(shot.isPlaced && shot.isAtRest)
      #expect(try film.pixels(shot) == film.still(now), "frame \(frame)")
    }
  }

  @Test func whoDoesNotLookSeesNothingFade() throws {
    for audience in [FrameStep.Audience.none, .away] {
      var film = try film(Self.style(60))
      film.audience = audience
      for frame in 0..<20 {
        let now = camera(3 + Double(frame) * 0.1)
        try film.load(now)
        let shot = try film.shoot(now, atMS: Double(frame))
        #expect(shot.isAtRest)
        #expect(try film.pixels(shot) == film.still(now), "frame \(frame)")
      }
    }
  }

  /// A text between two anchors stays at the one where it stands, also from tile to tile and while it goes out.
  @Test func textsStayAtTheirAnchor() throws {
    let style = """
      {"version": 8,
       "sources": {"p": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}},
                   "q": {"type": "geojson", "data": {"type": "Point", "coordinates": [1.5, 0]}}},
       "layers": [{"id": "texts", "type": "symbol", "source": "p",
                   "layout": {"text-field": ["format", ["image", "dot"]],
                              "text-variable-anchor": ["left", "right"]}},
                  {"id": "block", "type": "symbol", "source": "q", "layout": {"icon-image": "dot"}}]}
      """
    var film = try film(Array(style.utf8))
    for zoom in [6, 5, 3.0] { try film.load(camera(zoom)) }
    func anchor(_ shot: LabelFilm.Shot, _ film: LabelFilm) throws -> TextAnchor? {
      let id = try #require(shot.labels.first { $0.layer == "texts" }).id
      return film.history.labels?.records[Int(id)].anchor
    }
    // The icon of the layer above stands where the first anchor would have the text.
    let close = try film.shoot(camera(3), atMS: 0)
    #expect(try anchor(close, film) == .right)
    let early = try film.shoot(camera(5), atMS: 100)
    let wide = try film.shoot(camera(5), atMS: 400)
    #expect(wide.isPlaced && wide.isAtRest)
    #expect(try anchor(wide, film) == .right)
    #expect(try film.pixels(early) == film.pixels(wide))
    // Without a past it stands at the first.
    var fresh = film
    fresh.history = FrameHistory()
    #expect(try anchor(try fresh.shoot(camera(5), atMS: 0), fresh) == .left)
    #expect(try film.pixels(wide) != film.still(camera(5)))
    // The same where nobody has seen the past.
    film.audience = .none
    let unseen = try film.shoot(camera(6), atMS: 800)
    #expect(try anchor(unseen, film) == .left)
    #expect(try film.pixels(unseen) == film.still(camera(6)))
  }

  /// Around the world to the same place: the labels are those that stand there.
  @Test func worldsAreWrapped() throws {
    var film = try film(Self.style(5, spacing: 8))
    try film.load(camera(4, 0))
    let here = try film.shoot(camera(4, 0), atMS: 0)
    for lon in [360.0, 0, -360, 720, -36_000] {
      try film.load(camera(4, lon))
      let there = try film.shoot(camera(4, lon), atMS: 1)
      #expect(there.labels.map(\.id).sorted() == here.labels.map(\.id).sorted(), "\(lon)")
      #expect(there.labels.allSatisfy { $0.icon == 1 })
    }
    // Both copies at once are labels of their own.
    try film.load(camera(0.5, 180))
    let both = try film.shoot(camera(0.5, 180), atMS: 1000)
    #expect(Set(both.labels.map(\.id)).count == both.labels.count)
  }

  @Test(.timeLimit(.minutes(3))) func tensOfThousandsOfLabels() throws {
    let features = (0..<20_000).map { index in
      """
      {"type": "Feature", "properties": {}, "geometry": {"type": "Point",
       "coordinates": [\(Double(index % 200) * 0.1 - 10), \(Double(index / 200 % 50) * 0.1 - 2.5)]}}
      """
    }
    let style = """
      {"version": 8, "sources": {"p": {"type": "geojson",
         "data": {"type": "FeatureCollection", "features": [\(features.joined(separator: ","))]}}},
       "layers": [{"id": "dots", "type": "symbol", "source": "p",
                   "layout": {"icon-image": "dot", "icon-allow-overlap": true}}]}
      """
    var film = try film(Array(style.utf8))
    for frame in 0..<8 {
      let now = camera(4.6 + Double(frame) * 0.2)
      try film.load(now)
      let shot = try film.shoot(now, atMS: Double(frame) * 200)
      #expect(shot.labels.count > 100 && Set(shot.labels.map(\.id)).count == shot.labels.count)
    }
  }
}
