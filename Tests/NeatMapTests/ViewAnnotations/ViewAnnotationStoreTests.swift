import NeatBase
import NeatCamera
import NeatJSON
import NeatTestSupport
import Testing

@testable import NeatMap

/// A store that may be looked at anywhere: it is no value that is copied.
private final class Views {
  var store = ViewAnnotationStore()

  var count: Int { store.count }
  var isEmpty: Bool { store.isEmpty }
  var all: [ViewAnnotation] { store.all }
  var change: UInt64 { store.change }
  var version: UInt64 { store.version }
  var featureNames: [String] { store.featureNames }
  subscript(_ id: String) -> ViewAnnotation? { store[id] }
  func add(id: String, _ json: JSON) throws(NeatError) -> UInt64 { try store.add(id: id, json) }
  func update(id: String, _ json: JSON) throws(NeatError) { try store.update(id: id, json) }
  func remove(id: String) throws(NeatError) { try store.remove(id: id) }
  func removeAll() { store.removeAll() }
  func prepare() { store.prepare() }
  func place(in view: Transform, shown: [Bool] = []) -> Bool { store.place(in: view, shown: shown) }
}

/// Where view annotations stand in a frame, and what is refused.
@Suite struct ViewAnnotationStoreTests {
  private let size = ViewSize(width: 400, height: 300)

  private func view(
    _ longitude: Double = 0, _ latitude: Double = 0, zoom: Double = 4, bearing: Double = 0, pitch: Double = 0,
    size: ViewSize? = nil
  ) throws -> Transform {
    try Transform(
      camera: Camera(center: LonLat(longitude, latitude), zoom: zoom, bearing: bearing, pitch: pitch),
      size: size ?? self.size)
  }

  private func options(_ longitude: Double, _ latitude: Double, _ more: String = "") -> String {
    """
    {"geometry":{"type":"Point","coordinates":[\(longitude),\(latitude)]},"width":40,"height":20\(more)}
    """
  }

  private func placements(_ store: Views) -> [ViewPlacement] {
    var all: [ViewPlacement] = []
    store.store.forEachPlacement { all.append($0) }
    return all
  }

  /// Adds with the ids "0", "1" …
  private func add(_ store: Views, _ options: String...) throws {
    for each in options { _ = try store.add(id: "\(store.count)", try JSON.parse(each)) }
  }

  private func states(_ store: Views) -> [ViewPlacement.State] {
    placements(store).sorted { $0.number < $1.number }.map(\.state)
  }

  // MARK: Where

  @Test(arguments: [
    ("center", -20.0, -10.0), ("left", 0, -10), ("right", -40, -10), ("top", -20, 0), ("bottom", -20, -20),
    ("topLeft", 0, 0), ("topRight", -40, 0), ("bottomLeft", 0, -20), ("bottomRight", -40, -20),
  ])
  func anAnchorStandsAtThePlace(_ anchor: String, _ x: Double, _ y: Double) throws {
    let store = Views()
    try add(store, options(0, 0, ",\"anchor\":\"\(anchor)\",\"offsetX\":3,\"offsetY\":5"))
    #expect(store.place(in: try view()))
    let placed = placements(store)[0]
    #expect(placed.state == .shown && placed.size == SIMD2(40, 20))
    let off = placed.origin - SIMD2(200 + x + 3, 150 + y - 5)
    #expect(abs(off.x) < 1e-9 && abs(off.y) < 1e-9, "positive offsets are right and up")
  }

  @Test func theyStandWhereTheCameraShowsTheirPlaces() throws {
    var random = SplitMix(seed: 4)
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    for _ in 0..<200 {
      let camera = Camera(
        center: LonLat(number(-180...180), number(-60...60)), zoom: number(1...20),
        bearing: number(-180...180), pitch: number(0...80))
      let size = ViewSize(width: 400, height: 300, pixelRatio: number(1...3))
      let there = try CameraView(camera: camera, size: size)
      guard let place = try there.place(at: SIMD2(number(0...400), number(150...300))).place
      else { continue }
      let store = Views()
      try add(store, options(place.lon, place.lat, ",\"anchor\":\"topLeft\""))
      #expect(store.place(in: try Transform(camera: camera, size: size)))
      // The nearest copy of the world.
      let point = try #require(
        try there.point(
          of: LonLat(camera.center.lon + Angle.wrapped(place.lon - camera.center.lon), place.lat)))
      let off = placements(store)[0].origin - point
      #expect(abs(off.x) < 1e-3 && abs(off.y) < 1e-3, "\(off) at \(camera)")
    }
  }

  @Test func theNearestCopyOfTheWorldCounts() throws {
    let store = Views()
    try add(store, options(-179, 0), options(179, 0))
    #expect(store.place(in: try view(180)))
    #expect(states(store) == [.shown, .shown])
    var x = placements(store).map(\.origin.x)
    #expect(x[0] > 180 && x[0] - x[1] < 2 * 512 * 16 / 360 + 1)
    // The same place from the other side, and around the world.
    for longitude in [-180.0, 540] {
      #expect(!store.place(in: try view(longitude)), "it stands where it stood")
    }
    // Near the left edge the copy on the other side is seen, and the nearer one is not.
    x = []
    var camera = Camera(center: LonLat(170, 0), zoom: 1)
    camera.padding = EdgeInsets(left: 1100)
    let wide = Views()
    try add(wide, options(-20, 0))
    _ = wide.place(in: try Transform(camera: camera, size: ViewSize(width: 1200, height: 300)))
    #expect(states(wide) == [.shown])
    #expect(placements(wide)[0].origin.x < 1150)
  }

  @Test func whatIsBesideTheViewOrBehindTheHorizonIsOutside() throws {
    let store = Views()
    try add(store, options(0, 0), options(30, 0), options(0, 80), options(0, -60), options(0, 90))
    _ = store.place(in: try view())
    #expect(states(store) == [.shown, .outside, .outside, .outside, .outside])
    // Looking along the ground, what is far ahead is in the view's rectangle and too far to be drawn.
    _ = store.place(in: try view(zoom: 10, pitch: 80))
    #expect(states(store) == [.shown, .outside, .outside, .outside, .outside])
    #expect(placements(store)[3].origin.x.isNaN && placements(store)[2].origin.x.isNaN)
    // A pixel of it is enough.
    let edge = Views()
    try add(edge, options(0, 0, ",\"offsetX\":219"), options(0, 0, ",\"offsetX\":-220"))
    _ = edge.place(in: try view())
    #expect(states(edge) == [.shown, .outside])
  }

  @Test func theEdgesOfTheWorldAreTaken() throws {
    let store = Views()
    try add(store, options(540, 90), options(-540, -90), options(0, 85.06))
    _ = store.place(in: try view(zoom: -2, size: ViewSize(width: 1000, height: 1000)))
    #expect(placements(store).allSatisfy { $0.origin.x.isFinite && $0.origin.y.isFinite })
  }

  // MARK: Who stands

  @Test func theFirstHasItsRoomAndSelectedOnesComeBefore() throws {
    let store = Views()
    try add(store, options(0, 0), options(0.5, 0), options(40, 0))
    #expect(store.place(in: try view()))
    #expect(states(store) == [.shown, .covered, .outside])
    try store.update(id: "1", try JSON.parse(#"{"selected":true}"#))
    #expect(store.place(in: try view()))
    #expect(states(store) == [.covered, .shown, .outside])
    #expect(placements(store).last?.number == 2, "selected ones are drawn above all others")
    try store.update(id: "1", try JSON.parse(#"{"visible":false}"#))
    #expect(store.place(in: try view()))
    #expect(states(store) == [.shown, .off, .outside], "a hidden one takes no room")
    try store.update(id: "1", try JSON.parse(#"{"visible":null,"selected":null}"#))
    try store.remove(id: "0")
    #expect(store.place(in: try view()))
    #expect(states(store) == [.shown, .outside])
  }

  @Test func oneThatAllowsOverlapIsShownAndTakesItsRoom() throws {
    let store = Views()
    try add(
      store, options(0, 0, #","allowOverlap":true"#), options(0, 0, #","allowOverlap":true"#),
      options(0.2, 0))
    _ = store.place(in: try view())
    #expect(states(store) == [.shown, .shown, .covered])
    try store.update(id: "2", try JSON.parse(#"{"selected":true}"#))
    _ = store.place(in: try view())
    #expect(states(store) == [.shown, .shown, .shown], "what is selected comes first, others lie over it")
  }

  @Test func whatLiesOutsideTakesNoRoomFromWhatIsSeen() throws {
    let store = Views()
    // The second one reaches out of the view, into the first one's place.
    try add(store, options(0, 0, ",\"offsetX\":225"), options(0, 0, ",\"offsetX\":195"))
    _ = store.place(in: try view())
    #expect(states(store) == [.outside, .shown])
  }

  @Test func withoutASizeItIsHidden() throws {
    let store = Views()
    try add(store, #"{"geometry":{"type":"Point","coordinates":[0,0]},"width":10}"#, options(0, 0))
    _ = store.place(in: try view())
    #expect(states(store) == [.off, .shown])
    try store.update(id: "0", try JSON.parse(#"{"height":10}"#))
    _ = store.place(in: try view())
    #expect(states(store) == [.shown, .covered])
  }

  @Test func itGoesWithItsFeature() throws {
    let store = Views()
    try add(
      store, options(0, 0, #","associatedFeatureId":"a""#), options(0, 0, #","associatedFeatureId":7"#))
    store.prepare()
    #expect(store.featureNames == ["a", "7"])
    _ = store.place(in: try view(), shown: [false, true])
    #expect(states(store) == [.featureHidden, .shown])
    _ = store.place(in: try view(), shown: [true, true])
    #expect(states(store) == [.shown, .covered])
    _ = store.place(in: try view())
    #expect(states(store) == [.featureHidden, .featureHidden], "nobody knows of any feature")
    try store.update(id: "0", try JSON.parse(#"{"associatedFeatureId":null}"#))
    _ = store.place(in: try view(), shown: [false])
    #expect(states(store) == [.shown, .featureHidden])
  }

  // MARK: What is told

  @Test func aFrameInWhichNothingChangedIsNoChange() throws {
    let store = Views()
    try add(store, options(0, 0), options(50, 0))
    #expect(store.place(in: try view()) && store.change == 1)
    #expect(!store.place(in: try view()) && store.change == 1)
    var placed = placements(store)
    #expect(placed.map(\.frameChange) == [1, 0] && placed.map(\.visibilityChange) == [1, 0])
    // Only what is shown counts.
    try store.update(id: "1", try JSON.parse(#"{"width":50}"#))
    #expect(!store.place(in: try view()))
    #expect(store.place(in: try view(1)))
    placed = placements(store)
    #expect(placed.map(\.frameChange) == [2, 0] && placed.map(\.visibilityChange) == [1, 0])
    #expect(store.place(in: try view(50)))
    placed = placements(store)
    #expect(placed.map(\.frameChange) == [2, 3] && placed.map(\.visibilityChange) == [3, 3])
    // It comes back to where it was last seen: into sight, with the rectangle that it had.
    #expect(store.place(in: try view(1)))
    placed = placements(store)
    #expect(placed.map(\.frameChange) == [2, 3] && placed.map(\.visibilityChange) == [4, 4])
    // Another order is a change of what is drawn.
    try store.update(id: "0", try JSON.parse(#"{"selected":true}"#))
    #expect(store.place(in: try view(1)))
    #expect(placements(store).map(\.frameChange).max() == 5)
  }

  @Test func numbersAreNeverGivenTwice() throws {
    let store = Views()
    let first = try store.add(id: "a", try JSON.parse(options(0, 0)))
    try store.remove(id: "a")
    let second = try store.add(id: "a", try JSON.parse(options(0, 0)))
    store.removeAll()
    let third = try store.add(id: "a", try JSON.parse(options(0, 0)))
    #expect(Set([first, second, third]).count == 3 && store.count == 1)
    _ = store.place(in: try view())
    #expect(placements(store).map(\.number) == [third])
  }

  @Test func addingAndRemovingForeverKeepsNothing() throws {
    let store = Views()
    for round in 0..<20_000 {
      _ = try store.add(id: "\(round)", try JSON.parse(options(0, 0)))
      if round >= 10 { try store.remove(id: "\(round - 10)") }
    }
    #expect(store.count == 10 && store.all.map(\.id) == (19_990..<20_000).map(String.init))
    _ = store.place(in: try view())
    #expect(placements(store).count == 10 && placements(store)[0].state == .shown)
  }

  // MARK: What is refused

  @Test(arguments: [
    "[]", "{}", "null", #"{"width":10}"#, #"{"geometry":null}"#,
    #"{"geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]}}"#,
    #"{"geometry":{"type":"Point"}}"#, #"{"geometry":{"type":"Point","coordinates":[0]}}"#,
    #"{"geometry":{"type":"Point","coordinates":["0",1]}}"#,
    #"{"geometry":{"type":"Point","coordinates":[0,90.001]}}"#,
    #"{"geometry":{"type":"Point","coordinates":[541,0]}}"#,
    #"{"geometry":{"type":"Point","coordinates":[1e999,0]}}"#,
  ])
  func whatHasNoPlaceIsRefused(_ json: String) throws {
    let store = Views()
    #expect(throws: NeatError.self) { _ = try store.add(id: "a", try JSON.parse(json)) }
    #expect(store.isEmpty)
  }

  @Test(arguments: [
    #"{"width":-1}"#, #"{"height":16385}"#, #"{"width":1e999}"#, #"{"width":"10"}"#, #"{"offsetX":-16385}"#,
    #"{"offsetY":1e300}"#, #"{"anchor":"middle"}"#, #"{"anchor":1}"#, #"{"visible":1}"#,
    #"{"selected":"yes"}"#,
    #"{"allowOverlap":0}"#, #"{"associatedFeatureId":""}"#, #"{"associatedFeatureId":1.5}"#,
    #"{"associatedFeatureId":[]}"#, #"{"size":10}"#, #"{"width":20,"height":-1}"#, #"{"geometry":null}"#, "7",
  ])
  func aBadChangeChangesNothing(_ json: String) throws {
    let store = Views()
    try add(store, options(0, 0))
    let before = try #require(store["0"]).json.text
    let version = store.version
    let error = #expect(throws: NeatError.self) {
      try store.update(id: "0", try JSON.parse(json))
    }
    #expect(error?.code == .invalidArgument && error?.resource == "0")
    #expect(store["0"]?.json.text == before && store.version == version)
  }

  @Test func idsAndFeaturesAreThereOnce() throws {
    let store = Views()
    func fails(_ code: ErrorCode, _ body: () throws -> Void) {
      let error = #expect(throws: NeatError.self) { try body() }
      #expect(error?.code == code)
    }
    try add(store, options(0, 0, #","associatedFeatureId":"f""#), options(0, 0))
    fails(.invalidArgument) { _ = try store.add(id: "0", try JSON.parse(options(0, 0))) }
    fails(.invalidArgument) { _ = try store.add(id: "", try JSON.parse(options(0, 0))) }
    fails(.invalidArgument) {
      _ = try store.add(id: String(repeating: "x", count: 257), try JSON.parse(options(0, 0)))
    }
    fails(.invalidArgument) {
      _ = try store.add(id: "c", try JSON.parse(options(0, 0, #","associatedFeatureId":"f""#)))
    }
    fails(.invalidArgument) { try store.update(id: "1", try JSON.parse(#"{"associatedFeatureId":"f"}"#)) }
    fails(.notFound) { try store.update(id: "2", try JSON.parse("{}")) }
    fails(.notFound) { try store.remove(id: "2") }
    #expect(store.count == 2)
    // Its own is no other's, and what one gives up another may have.
    try store.update(id: "0", try JSON.parse(#"{"associatedFeatureId":"f"}"#))
    try store.remove(id: "0")
    try store.update(id: "1", try JSON.parse(#"{"associatedFeatureId":"f"}"#))
  }

  @Test func tenThousandStandAndOneMoreIsRefused() throws {
    let store = Views()
    // Each as large as the view, and all of them shown: the most that they can take.
    let huge = options(0, 0, #","allowOverlap":true,"width":16384,"height":16384"#)
    let json = try JSON.parse(huge)
    for number in 0..<ViewAnnotationStore.limit { _ = try store.add(id: "\(number)", json) }
    let error = #expect(throws: NeatError.self) { _ = try store.add(id: "one more", json) }
    #expect(error?.code == .limitExceeded)
    #expect(store.place(in: try view(size: ViewSize(width: 4096, height: 4096))))
    #expect(placements(store).allSatisfy { $0.state == .shown })
  }
}
