import NeatBase
import NeatCamera
import NeatImage
import NeatJSON
import NeatMap
import NeatStyle
import Testing

@testable import NeatLive

/// View annotations of a live map: when they are placed, what is told, and the features that they go with.
@Suite struct ViewAnnotationTests {
  private static let style = #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#

  private func stage(_ style: String = style, byHost: Bool = false) throws -> Stage {
    let stage = try Stage()
    if byHost { try stage.map.setPacing(byHost: true) }
    try stage.map.setStyle(Array(style.utf8), base: "")
    try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 4))
    stage.run()
    if byHost { try frame(stage, 0) }
    stage.events = []
    return stage
  }

  private func frame(_ stage: Stage, _ time: Double) throws {
    try stage.map.beginFrame(atMS: time)
    stage.run()
  }

  private func options(_ longitude: Double, _ latitude: Double = 0, _ more: String = "") throws -> JSON {
    try JSON.parse(
      """
      {"geometry":{"type":"Point","coordinates":[\(longitude),\(latitude)]},"width":10,"height":10\(more)}
      """)
  }

  @discardableResult private func add(_ stage: Stage, _ id: String, _ longitude: Double, _ more: String = "")
    throws -> UInt64
  {
    try stage.map.addViewAnnotation(id: id, try options(longitude, 0, more))
  }

  private func changes(_ stage: Stage) -> Int {
    stage.events.count { if case .viewAnnotationsChanged = $0 { true } else { false } }
  }

  private func placements(_ stage: Stage) -> [ViewPlacement] {
    var all: [ViewPlacement] = []
    stage.map.forEachViewPlacement { all.append($0) }
    return all
  }

  private func states(_ stage: Stage) -> [ViewPlacement.State] { placements(stage).map(\.state) }

  // MARK: Frames

  @Test func theyAreToldWithinTheMakingOfAFrame() throws {
    let stage = try stage()
    try add(stage, "a", 0)
    #expect(states(stage) == [.off] && changes(stage) == 0, "not before a frame")
    stage.run()
    let kinds = stage.life
    let place = try #require(kinds.firstIndex(of: .viewAnnotationsChanged(1)))
    #expect(kinds[place - 1] == .renderFrameStarted)
    guard case .renderFrameFinished = kinds[place + 1] else { return #expect(Bool(false), "\(kinds)") }
    #expect(states(stage) == [.shown] && placements(stage)[0].origin == SIMD2(27, 27))
    #expect(stage.events.last == .mapIdle)
  }

  @Test func beforeThereIsAStyleTheyWait() throws {
    let stage = try Stage()
    try add(stage, "a", 0)
    stage.run()
    #expect(stage.events.isEmpty && states(stage) == [.off])
    for _ in 0..<2 {
      // Also a style that takes the place of another one.
      try stage.map.setStyle(Array(Self.style.utf8), base: "")
      stage.run()
      #expect(states(stage) == [.shown] && changes(stage) == 1)
    }
  }

  @Test func whatChangesNothingThatIsSeenIsNotTold() throws {
    let stage = try stage()
    try add(stage, "a", 0)
    try add(stage, "b", 0)
    stage.run()
    #expect(states(stage) == [.shown, .covered] && changes(stage) == 1)
    stage.events = []
    stage.map.invalidate()
    stage.run()
    _ = try stage.map.draw()
    try stage.map.updateViewAnnotation(id: "b", try JSON.parse(#"{"width":12}"#))
    stage.run()
    #expect(changes(stage) == 0)
    try stage.map.removeViewAnnotation(id: "a")
    stage.run()
    #expect(changes(stage) == 1 && states(stage) == [.shown])
    stage.map.removeAllViewAnnotations()
    stage.run()
    #expect(changes(stage) == 1 && states(stage).isEmpty)
  }

  @Test func aPictureThatTheHostDrawsHasThemWhereItShowsThem() throws {
    let stage = try stage()
    try add(stage, "a", 0)
    stage.run()
    stage.events = []
    try stage.map.setCamera(Camera(center: LonLat(1, 0), zoom: 4))
    #expect(placements(stage)[0].origin.x == 27, "no frame yet")
    _ = try stage.map.draw()
    let x = placements(stage)[0].origin.x
    #expect(abs(x - (27 - 512 * 16 / 360)) < 1e-9 && changes(stage) == 1)
    _ = try stage.map.meshFrame()
    stage.run()
    #expect(changes(stage) == 1 && placements(stage)[0].origin.x == x)
  }

  @Test func everyFrameOfAMovingCameraPlacesThem() throws {
    let stage = try stage(byHost: true)
    try add(stage, "a", 0)
    try frame(stage, 10)
    stage.events = []
    try stage.map.ease(
      to: CameraChange(to: Camera(center: LonLat(1, 0), zoom: 4, bearing: 20)), durationMS: 100)
    var seen: Set<Double> = [27]
    for time in stride(from: 20.0, through: 140, by: 20) {
      try frame(stage, time)
      _ = try stage.map.draw()
      let there = try CameraView(camera: stage.map.camera, size: stage.map.size).point(of: LonLat(0, 0))
      let off = placements(stage)[0].origin + 5 - (try #require(there))
      #expect(abs(off.x) < 1e-9 && abs(off.y) < 1e-9)
      seen.insert(placements(stage)[0].origin.x)
    }
    #expect(seen.count >= 5 && changes(stage) == seen.count - 1, "\(seen)")
  }

  @Test func anotherSizeOfTheViewPlacesThemAnew() throws {
    let stage = try stage()
    try add(stage, "a", 0)
    stage.run()
    try stage.map.setSize(ViewSize(width: 128, height: 96))
    stage.run()
    #expect(placements(stage)[0].origin == SIMD2(59, 43) && changes(stage) == 2)
  }

  // MARK: Handlers

  @Test func aHandlerMayDestroyTheMapOrAddAndRemove() throws {
    for way in 0..<5 {
      let stage = try stage()
      var isDone = false
      stage.handle = { map, event in
        guard case .viewAnnotationsChanged = event, !isDone else { return }
        isDone = true
        switch way {
        case 0: map.destroy()
        case 1: map.removeAllViewAnnotations()
        case 2: _ = try? map.addViewAnnotation(id: "b", try self.options(0.8))
        case 3: try? map.setStyle(Array(Self.style.utf8), base: "")
        default: _ = try? map.draw()
        }
      }
      try add(stage, "a", 0)
      // Once within a turn, once within a picture that the host draws.
      if way % 2 == 0 { _ = try stage.map.draw() }
      stage.run()
      #expect(isDone)
      if way == 0 {
        #expect(throws: NeatError.self) { try self.add(stage, "b", 1) }
      } else {
        #expect(stage.events.last == .mapIdle)
      }
      #expect(states(stage).count == [0, 0, 2, 1, 1][way])
    }
  }

  // MARK: The camera

  @Test func aCameraShowsThemAsAWhole() throws {
    let stage = try stage()
    try add(stage, "a", -10, #","anchor":"right""#)
    try add(stage, "b", 10, #","anchor":"left""#)
    try add(stage, "c", 40, #","visible":false"#)
    let camera = try stage.map.camera(forViewAnnotations: nil, from: Camera(), options: FitOptions())
    try stage.map.setCamera(camera)
    stage.run()
    let placed = placements(stage)
    #expect(placed.map(\.state) == [.shown, .shown, .off])
    #expect(abs(placed[0].origin.x) < 0.01 && abs(placed[1].origin.x - 54) < 0.01, "\(placed)")
    #expect(throws: NeatError.self) {
      _ = try stage.map.camera(forViewAnnotations: ["x"], from: Camera(), options: FitOptions())
    }
    #expect(throws: NeatError.self) {
      _ = try stage.map.camera(forViewAnnotations: [], from: Camera(), options: FitOptions())
    }
  }

  // MARK: Features

  private func features(_ layers: String, _ source: String = "") -> String {
    """
    {"version":8,"sources":{"p":{"type":"geojson"\(source),"data":{"type":"FeatureCollection","features":[
    {"type":"Feature","id":1,"properties":{"name":"one"},"geometry":{"type":"Point","coordinates":[0,0]}},
    {"type":"Feature","id":2,"properties":{"name":"two"},"geometry":{"type":"Point","coordinates":[0.1,0]}},
    {"type":"Feature","id":3,"properties":{"name":"far"},"geometry":{"type":"Point","coordinates":[90,0]}}]}}},
    "layers":[\(layers)]}
    """
  }

  private func goesWith(_ stage: Stage, _ names: String...) throws {
    for name in names {
      try add(stage, name, 0, #","allowOverlap":true,"associatedFeatureId":"\#(name)""#)
    }
  }

  @Test func itIsShownWhereItsSymbolStands() throws {
    let stage = try stage(
      features(#"{"id":"s","type":"symbol","source":"p","layout":{"icon-image":"dot"}}"#))
    let dot = PixelImage(
      width: 10, height: 10, pixels: [UInt8](repeating: 255, count: 400), isPremultiplied: true)
    try stage.map.addImage("dot", dot, StyleImageOptions())
    try goesWith(stage, "1", "2", "3", "4")
    stage.run()
    #expect(
      states(stage) == [.shown, .featureHidden, .featureHidden, .featureHidden], "the second has no room")
    stage.events = []
    // Further in both have.
    try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 8))
    stage.run()
    #expect(states(stage) == [.shown, .shown, .featureHidden, .featureHidden] && changes(stage) >= 1)
    try stage.map.edit { editor throws(NeatError) in
      try editor.setLayoutProperty(layer: "s", "visibility", .string("none"))
    }
    stage.run()
    #expect(states(stage).allSatisfy { $0 == .featureHidden })
  }

  @Test func labelsMakeRoomForThoseThatSaySo() throws {
    let stage = try stage(
      features(#"{"id":"s","type":"symbol","source":"p","layout":{"icon-image":"dot"}}"#))
    let dot = PixelImage(
      width: 10, height: 10, pixels: [UInt8](repeating: 255, count: 400), isPremultiplied: true)
    try stage.map.addImage("dot", dot, StyleImageOptions())
    try stage.map.setFadeDuration(0)
    stage.run()
    func isDrawn() throws -> Bool {
      stage.run()
      return try stage.map.color(32, 32) == [255, 255, 255, 255]
    }
    #expect(try isDrawn())
    try add(stage, "a", 0)
    #expect(try isDrawn(), "not unless it says so")
    try stage.map.updateViewAnnotation(id: "a", try JSON.parse(#"{"hidesLabels":true}"#))
    #expect(try !isDrawn())
    #expect(try stage.map.query(.point(SIMD2(32, 32)), options: QueryOptions()).features.isEmpty)
    #expect(stage.events.last == .mapIdle)
    // Elsewhere it takes no room from this one, and neither does a hidden one.
    try stage.map.updateViewAnnotation(id: "a", try JSON.parse(#"{"offsetY":30}"#))
    #expect(try isDrawn())
    try stage.map.updateViewAnnotation(id: "a", try JSON.parse(#"{"offsetY":5,"visible":false}"#))
    #expect(try isDrawn())
    try stage.map.updateViewAnnotation(id: "a", try JSON.parse(#"{"visible":null}"#))
    #expect(try !isDrawn())
    try stage.map.removeViewAnnotation(id: "a")
    #expect(try isDrawn())
  }

  @Test func itIsShownWhereAQueryWouldFindItsFeature() throws {
    let stage = try stage(
      features(
        #"{"id":"c","type":"circle","source":"p","filter":["!=",["get","name"],"two"],"# + #""minzoom":3}"#))
    try goesWith(stage, "1", "2", "3")
    stage.run()
    #expect(states(stage) == [.shown, .featureHidden, .featureHidden])
    try stage.map.setCamera(Camera(center: LonLat(90, 0), zoom: 4))
    stage.run()
    #expect(states(stage) == [.featureHidden, .featureHidden, .outside])
    try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 2))
    stage.run()
    #expect(states(stage).allSatisfy { $0 == .featureHidden }, "the layer is not shown at this zoom")
  }

  @Test func aPropertyThatIsTheIDIsKnown() throws {
    let stage = try stage(features(#"{"id":"c","type":"circle","source":"p"}"#, #","promoteId":"name""#))
    try goesWith(stage, "one", "1", "two")
    stage.run()
    #expect(states(stage) == [.shown, .featureHidden, .shown])
  }

  @Test func annotationsAreKnownByTheirIDs() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(
      id: "m", .circle, try AnnotationOptions(try JSON.parse("{}"), .circle))
    let json = try JSON.parse(
      """
      [{"id":"pin","geometry":{"type":"Point","coordinates":[0,0]}},
      {"id":"2","geometry":{"type":"Point","coordinates":[60,0]}}]
      """)
    try stage.map.changeAnnotations("m") { store throws(NeatError) in try store.set(json) }
    // The numbers that the map itself gives features mean nothing to others.
    try goesWith(stage, "pin", "1", "2")
    stage.run()
    #expect(states(stage) == [.shown, .featureHidden, .featureHidden])
    let gone = try JSON.parse(#"["pin"]"#)
    try stage.map.changeAnnotations("m") { store throws(NeatError) in try store.remove(gone) }
    stage.run()
    #expect(states(stage).allSatisfy { $0 == .featureHidden })
  }

  @Test func dataThatComesLaterBringsItIntoSight() throws {
    let stage = try stage(features(#"{"id":"c","type":"circle","source":"p"}"#))
    try goesWith(stage, "9")
    stage.run()
    #expect(states(stage) == [.featureHidden])
    stage.events = []
    try stage.map.setGeoJSON(
      source: "p",
      Array(
        #"{"type":"Feature","id":9,"properties":{},"geometry":{"type":"Point","coordinates":[0,0]}}"#.utf8))
    stage.run()
    #expect(states(stage) == [.shown] && changes(stage) == 1)
  }
}
