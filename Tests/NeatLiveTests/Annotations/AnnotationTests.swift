import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatStyle
import Testing

@testable import NeatLive

/// Managers of annotations on a live map: what is drawn, what a change costs, what another style leaves.
@Suite struct AnnotationTests {
  static let style = #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#

  private func stage(_ style: String = style) throws -> Stage {
    let stage = try Stage()
    try stage.map.setStyle(Array(style.utf8), base: "")
    try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 4))
    stage.run()
    return stage
  }

  private func circle(_ id: String, _ longitude: Double, _ latitude: Double, _ more: String = "") -> String {
    """
    {"id":"\(id)","geometry":{"type":"Point","coordinates":[\(longitude),\(latitude)]},
    "properties":{"circle-color":"red","circle-radius":8}\(more)}
    """
  }

  private func change(
    _ stage: Stage, _ json: String, to manager: String = "m",
    _ body: (inout AnnotationStore, JSON) throws(NeatError) -> Void
  ) throws {
    let json = try JSON.parse(json)
    try stage.map.changeAnnotations(manager) { store throws(NeatError) in try body(&store, json) }
  }

  private func add(_ stage: Stage, _ manager: String = "m", _ annotations: String...) throws {
    try change(stage, "[\(annotations.joined(separator: ","))]", to: manager) {
      store, json throws(NeatError) in try store.add(json)
    }
  }

  private func options(_ json: String, _ kind: AnnotationKind = .circle) throws -> AnnotationOptions {
    try AnnotationOptions(try JSON.parse(json), kind)
  }

  /// The colour at a point of the picture.
  private func color(_ stage: Stage, _ x: Int, _ y: Int) throws -> [UInt8] {
    try stage.map.color(x, y)
  }

  @Test func circlesAreDrawnMovedAndRemoved() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    try add(stage, "m", circle("a", 0, 0))
    #expect(try color(stage, 32, 32) == [255, 0, 0, 255], "also before a turn of the loop")
    try change(stage, #"[{"id":"a","geometry":{"type":"Point","coordinates":[10,0]}}]"#) {
      store, json throws(NeatError) in try store.update(json)
    }
    stage.run()
    #expect(try color(stage, 32, 32) == [0, 0, 0, 255])
    try change(
      stage,
      #"[{"id":"a","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"circle-color":"lime"}}]"#
    ) {
      store, json throws(NeatError) in try store.update(json)
    }
    #expect(try color(stage, 32, 32) == [0, 255, 0, 255])
    try change(stage, #"["a"]"#) { store, json throws(NeatError) in try store.remove(json) }
    #expect(try color(stage, 32, 32) == [0, 0, 0, 255])
    try stage.map.removeAnnotations(id: "m")
    #expect(stage.map.core?.style.layers.count == 1 && stage.map.core?.style.sources.isEmpty == true)
    stage.run()
    #expect(stage.events.last == .mapIdle)
  }

  @Test func theyStandBeforeThereIsAStyleAndInTheNext() throws {
    let stage = try Stage()
    try stage.map.makeAnnotations(id: "m", .circle, options(#"{"layerPosition":{"below":"top"}}"#))
    try add(stage, "m", circle("a", 0, 0))
    #expect(!stage.map.isShown(annotations: "m"))
    let other = """
      {"version":8,"sources":{},"layers":[{"id":"b","type":"background"},
      {"id":"top","type":"background","paint":{"background-opacity":0}}]}
      """
    for (style, layers) in [
      (Self.style, ["b", "m"]), (other, ["b", "m", "top"]), (Self.style, ["b", "m"]),
    ] {
      try stage.map.setStyle(Array(style.utf8), base: "")
      try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 4))
      stage.run()
      #expect(stage.map.core?.style.layers.map(\.id) == layers)
      #expect(try color(stage, 32, 32) == [255, 0, 0, 255])
      #expect(stage.events.last == .mapIdle)
    }
  }

  @Test func aStyleWithASourceOfThatIDIsToldAndTheNextShowsThem() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    try add(stage, "m", circle("a", 0, 0))
    stage.events = []
    let taken = """
      {"version":8,"sources":{"m":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}}},"layers":[]}
      """
    try stage.map.setStyle(Array(taken.utf8), base: "")
    stage.run()
    let told = stage.events.contains { event in
      if case .mapLoadingError(let problem) = event { problem.resource == "m" } else { false }
    }
    #expect(told && !stage.map.isShown(annotations: "m"))
    #expect(throws: NeatError.self) {
      try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    }
    try stage.map.setStyle(Array(Self.style.utf8), base: "")
    stage.run()
    #expect(stage.map.isShown(annotations: "m"))
    #expect(try color(stage, 32, 32) == [255, 0, 0, 255])
  }

  @Test func oneThatMovesLaysOutOnlyWhatItTouches() throws {
    let stage = try stage()
    try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 3))
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    let many = (0..<10_000).map { number in
      circle("\(number)", Double(number % 100) * 3 - 150, Double(number / 100) * 1.5 - 75)
    }
    try change(stage, "[\(many.joined(separator: ","))]") { store, json throws(NeatError) in
      try store.set(json)
    }
    stage.run()
    let core = try #require(stage.map.core)
    let before = core.laidOutLayerCount
    try change(stage, #"[{"id":"7","geometry":{"type":"Point","coordinates":[-30,-40]}}]"#) {
      store, json throws(NeatError) in try store.update(json)
    }
    stage.run()
    let cost = core.laidOutLayerCount - before
    #expect(cost <= 4, "\(cost) layers of tiles")
    // What nobody sees changes nothing.
    let again = core.laidOutLayerCount
    for _ in 0..<20 { stage.run() }
    #expect(core.laidOutLayerCount == again)
  }

  @Test func valuesOfTheirOwnStandOverThoseOfTheManager() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(
      id: "m", .circle, options(#"{"properties":{"circle-color":"blue","circle-radius":["literal",8]}}"#))
    try add(
      stage, "m", circle("a", -0.5, 0),
      #"{"id":"b","geometry":{"type":"Point","coordinates":[0.5,0]}}"#)
    #expect(try color(stage, 32 - 11, 32) == [255, 0, 0, 255])
    #expect(try color(stage, 32 + 11, 32) == [0, 0, 255, 255])
    let near = try stage.map.annotations(at: SIMD2(32, 32), tolerance: 40)
    #expect(Set(near.compactMap(\.id)) == ["a", "b"])
  }

  @Test func linesAndAreasAndPointsAreDrawn() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "l", .polyline, AnnotationOptions())
    try add(
      stage, "l",
      #"{"id":"a","geometry":{"type":"LineString","coordinates":[[-20,0],[20,0]]},"properties":{"line-width":6,"line-color":"lime"}}"#
    )
    #expect(try color(stage, 32, 32) == [0, 255, 0, 255])
    try stage.map.makeAnnotations(id: "p", .polygon, AnnotationOptions())
    try add(
      stage, "p",
      #"{"id":"a","geometry":{"type":"Polygon","coordinates":[[[-5,-5],[5,-5],[5,5],[-5,5],[-5,-5]]]},"properties":{"fill-color":"blue"}}"#
    )
    #expect(try color(stage, 32, 32) == [0, 0, 255, 255])
    try stage.map.makeAnnotations(id: "s", .point, AnnotationOptions())
    try stage.map.addImage(
      "pin", PixelImage(side: 4, color: [255, 255, 0, 255]), StyleImageOptions(isPersistent: true))
    try add(
      stage, "s",
      #"{"id":"a","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"icon-image":"pin","icon-size":2}}"#,
      #"{"id":"b","geometry":{"type":"Point","coordinates":[10,0]}}"#)
    stage.run()
    #expect(try color(stage, 32, 32) == [255, 255, 0, 255])
    #expect(try stage.map.annotations(at: SIMD2(32, 32)).map(\.manager) == ["s", "p", "l"])
    // The image is persistent too.
    try stage.map.setStyle(Array(Self.style.utf8), base: "")
    stage.run()
    #expect(try color(stage, 32, 32) == [255, 255, 0, 255])
  }

  @Test(arguments: [
    (#"{"geometry":{"type":"Point","coordinates":[0,0]}}"#, "id"),
    (#"{"id":"","geometry":{"type":"Point","coordinates":[0,0]}}"#, "id"),
    (#"{"id":"x"}"#, "geometry"), (#"{"id":"x","geometry":{"type":"LineString","coordinates":[]}}"#, "Point"),
    (#"{"id":"x","geometry":{"type":"Point","coordinates":[0,91]}}"#, "±90"),
    (#"{"id":"x","geometry":{"type":"Point","coordinates":[1e9,1]}}"#, "±540"),
    (#"{"id":"x","geometry":{"type":"Point","coordinates":["a",1]}}"#, "position"),
    (#"{"id":"x","geometry":{"type":"Point","coordinates":[0,0]},"color":1}"#, "color"),
    (
      #"{"id":"x","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"circle-colour":"red"}}"#,
      "circle-colour"
    ),
    (
      #"{"id":"x","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"circle-color":"redd"}}"#,
      "redd"
    ),
    (#"{"id":"x","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"circle-radius":-1}}"#, "-1"),
    (
      #"{"id":"x","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"circle-radius":["get","a"]}}"#,
      "expression"
    ),
    (
      #"{"id":"x","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"circle-translate":[1,2]}}"#,
      "circle-translate"
    ),
    (#"{"id":"x","geometry":{"type":"Point","coordinates":[0,0]},"isDraggable":1}"#, "isDraggable"),
  ])
  func whatIsWrongIsNamedAndChangesNothing(_ json: String, _ word: String) throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    try add(stage, "m", circle("a", 0, 0))
    let error = #expect(throws: NeatError.self) { try add(stage, "m", circle("b", 0, 0), json) }
    #expect(error.map { "\($0)".contains(word) } == true, "\(error.map { "\($0)" } ?? "")")
    #expect(try stage.map.annotationManager("m").ids == ["a"])
  }

  @Test func idsTwiceAndIdsThatAreNotThereAreRefused() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    #expect(throws: NeatError.self) { try add(stage, "m", circle("a", 0, 0), circle("a", 1, 0)) }
    try add(stage, "m", circle("a", 0, 0))
    try add(stage, "m", circle("a", 5, 0))
    #expect(try stage.map.annotationManager("m").count == 1)
    for json in [#"["b"]"#, #"["a","b"]"#, #"[1]"#, #"{}"#] {
      #expect(throws: NeatError.self) {
        try change(stage, json) { store, json throws(NeatError) in try store.remove(json) }
      }
    }
    #expect(try stage.map.annotationManager("m").count == 1)
    #expect(throws: NeatError.self) { try stage.map.removeAnnotations(id: "n") }
    #expect(throws: NeatError.self) { try add(stage, "n", circle("a", 0, 0)) }
  }

  @Test(arguments: [
    #"{"propertys":{}}"#, #"{"tolerance":-1}"#, #"{"selection":"all"}"#, #"{"layerPosition":{"on":"b"}}"#,
    #"{"layerPosition":{"at":-1}}"#, #"{"properties":{"line-width":1}}"#, #"{"minZoom":99}"#,
    #"{"cluster":{"radius":-1}}"#, #"{"cluster":{"colors":[]}}"#,
    #"{"cluster":{"colors":[[10,"red"],[5,"blue"]]}}"#,
    #"{"source":{"type":"vector"}}"#, #"[]"#,
  ])
  func optionsThatAreWrongAreRefused(_ json: String) {
    #expect(throws: NeatError.self) { try options(json) }
  }

  @Test func anOptionThatTheLayerCannotHaveLeavesAllAsItWas() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    try add(stage, "m", circle("a", 0, 0))
    let wrong = try options(#"{"properties":{"circle-radius":"large"}}"#)
    #expect(throws: NeatError.self) { try stage.map.changeAnnotations("m") { $0.setOptions(wrong) } }
    #expect(throws: NeatError.self) { try stage.map.makeAnnotations(id: "n", .circle, wrong) }
    #expect(stage.map.annotationManagers.map(\.id) == ["m"])
    #expect(try color(stage, 32, 32) == [255, 0, 0, 255])
    stage.map.hasTransitions = false
    let fine = try options(#"{"properties":{"circle-opacity":0}}"#)
    try stage.map.changeAnnotations("m") { $0.setOptions(fine) }
    #expect(try color(stage, 32, 32) == [0, 0, 0, 255])
  }

  @Test func clustersAreDrawnTappedAndTakenApart() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(
      id: "m", .circle, options(#"{"cluster":{"colors":[[0,"lime"],[3,"blue"]],"textField":""}}"#))
    try add(stage, "m", circle("a", -1, 0), circle("b", 1, 0), circle("c", 0, 1))
    stage.run()
    #expect(try color(stage, 32, 32) == [0, 0, 255, 255])
    let hits = try stage.map.annotations(at: SIMD2(32, 32))
    guard case .cluster(let cluster)? = hits.first?.what else {
      Issue.record("\(hits)")
      return
    }
    let ids = try stage.map.annotations(ofCluster: cluster, "m", limit: 10, offset: 0)
    #expect(ids.sorted() == ["a", "b", "c"])
    #expect(try stage.map.annotations(ofCluster: cluster, "m", limit: 1, offset: 2).count == 1)
    #expect(throws: NeatError.self) { try stage.map.annotations(ofCluster: 5, "m", limit: 1, offset: 0) }
  }

  @Test func persistentLayersStandInLaterStyles() throws {
    let stage = try stage()
    let layer = """
      {"id":"p","type":"circle","source":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}},
      "paint":{"circle-color":"red","circle-radius":8}}
      """
    try stage.map.addPersistentLayer(try JSON.parse(layer), .top)
    stage.run()
    #expect(try color(stage, 32, 32) == [255, 0, 0, 255])
    try stage.map.setStyle(Array(Self.style.utf8), base: "")
    stage.run()
    #expect(try color(stage, 32, 32) == [255, 0, 0, 255])
    #expect(stage.map.persistentLayers == ["p"])
    try stage.map.removeLayer("p")
    try stage.map.setStyle(Array(Self.style.utf8), base: "")
    stage.run()
    #expect(stage.map.core?.style.layers.map(\.id) == ["b"])
    #expect(throws: NeatError.self) { try stage.map.addPersistentLayer(try JSON.parse(#"{"id":"x"}"#), .top) }
    #expect(throws: NeatError.self) {
      try Stage().map.addPersistentLayer(try JSON.parse(#"{"id":"x","type":"no"}"#), .top)
    }
  }

  @Test(arguments: [
    #"{"circle-radius":["interpolate",["linear"],["zoom"],0,2,10,20]}"#,
    #"{"circle-radius":["step",["zoom"],2,3,8]}"#, #"{"circle-radius":null}"#,
    #"{"circle-radius":["+",4,4]}"#,
  ])
  func valuesOfTheirOwnStandOverExpressions(_ properties: String) throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, options(#"{"properties":\#(properties)}"#))
    try add(stage, "m", circle("a", 0, 0), #"{"id":"b","geometry":{"type":"Point","coordinates":[0.9,0]}}"#)
    #expect(try color(stage, 38, 32) == [255, 0, 0, 255], "its radius is 8")
    #expect(try stage.map.annotations(at: SIMD2(32 + 20.5, 32), tolerance: 0).map(\.id) == ["b"])
  }

  @Test func functionsAreRefusedAndArraysAreNot() throws {
    let stage = try stage()
    #expect(throws: NeatError.self) { try options(#"{"properties":{"circle-radius":{"stops":[[0,1]]}}}"#) }
    try stage.map.makeAnnotations(
      id: "s", .point,
      options(#"{"properties":{"icon-offset":[0,-10],"text-field":"all","text-font":["A","B"]}}"#, .point))
    try change(
      stage,
      #"[{"id":"a","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"icon-offset":[1,2],"text-field":"own","text-font":["C"]}}]"#,
      to: "s"
    ) { store, json throws(NeatError) in try store.add(json) }
    let layer = try #require(stage.map.core?.style.layers.last?.json)
    #expect(
      layer["layout"]?["text-field"]?.text
        == #"["case",["has","text-field"],["to-string",["get","text-field"]],"all"]"#)
    #expect(layer["layout"]?["icon-offset"]?[3]?.text == #"["literal",[0,-10]]"#)
    #expect(layer["layout"]?["text-font"]?[3]?.text == #"["literal",["A","B"]]"#)
  }

  @Test func aChangeThatFailsLeavesTheManagerAsItWas() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    try add(stage, "m", circle("a", 0, 0))
    let nowhere = try options(#"{"layerPosition":{"below":"nobody"}}"#)
    #expect(throws: NeatError.self) { try stage.map.changeAnnotations("m") { $0.setOptions(nowhere) } }
    try add(
      stage, "m", circle("b", 1, 0),
      #"{"id":"c","geometry":{"type":"Point","coordinates":[2,0]},"properties":{"circle-blur":0}}"#)
    #expect(try stage.map.annotationManager("m").ids == ["a", "b", "c"])
    // A layer of the application over the manager's source keeps the manager.
    try stage.map.edit { editor throws(NeatError) in
      try editor.addLayer(try JSON.parse(#"{"id":"mine","type":"circle","source":"m"}"#))
    }
    #expect(throws: NeatError.self) { try stage.map.removeAnnotations(id: "m") }
    #expect(try stage.map.annotationManager("m").count == 3 && stage.map.isShown(annotations: "m"))
    try stage.map.removeLayer("mine")
    try stage.map.removeAnnotations(id: "m")
  }

  @Test func handlersOfTheirSourcesMayDoTheSameAgain() throws {
    let stage = try stage()
    var isDone = false
    stage.handle = { map, event in
      guard event == .sourceAdded("m-drag"), !isDone else { return }
      isDone = true
      let more = try? JSON.parse(#"[{"id":"z","geometry":{"type":"Point","coordinates":[5,5]}}]"#)
      try? map.changeAnnotations("m") { store throws(NeatError) in try store.add(more ?? .null) }
    }
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    try add(stage, "m", circle("a", 0, 0, #","isDraggable":true"#))
    #expect(isDone && stage.failures.isEmpty)
    #expect(try stage.map.annotationManager("m").ids == ["a", "z"])
    stage.handle = { map, event in
      guard event == .sourceAdded("n"), isDone else { return }
      isDone = false
      try? map.setStyle(Array(AnnotationTests.style.utf8), base: "")
    }
    try stage.map.makeAnnotations(id: "n", .circle, AnnotationOptions())
    stage.handle = nil
    stage.run()
    #expect(stage.map.core?.style.layers.map(\.id) == ["b", "m", "m-drag", "n"] && stage.failures.isEmpty)
  }

  @Test func aStyleThatIsUpdatedStepByStepHasThemToo() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    try add(stage, "m", circle("a", 0, 0))
    stage.run()
    let other = #"{"version":8,"sources":{},"layers":[{"id":"other","type":"background"}]}"#
    try stage.map.update(to: try Style(parsing: Array(other.utf8)))
    stage.run()
    #expect(stage.map.core?.style.layers.map(\.id) == ["other", "m"] && stage.failures.isEmpty)
    #expect(try color(stage, 32, 32) == [255, 0, 0, 255])
  }

  @Test func aPersistentLayerComesAndGoesWithItsSource() throws {
    let stage = try stage()
    let layer = try JSON.parse(
      #"{"id":"p","type":"circle","source":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}}}"#)
    for _ in 0..<3 {
      try stage.map.addPersistentLayer(layer, .top)
      try stage.map.removeLayer("p")
    }
    #expect(stage.map.core?.style.sources.isEmpty == true && stage.map.persistentLayers.isEmpty)
  }

  @Test func aLayerBetweenThoseOfAManagerStaysThere() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    try add(stage, "m", circle("a", 0, 0, #","isDraggable":true"#))
    try stage.map.edit { editor throws(NeatError) in
      try editor.addLayer(try JSON.parse(#"{"id":"mine","type":"background"}"#), before: "m-drag")
    }
    try add(
      stage, "m",
      #"{"id":"c","geometry":{"type":"Point","coordinates":[2,0]},"properties":{"circle-blur":0.5}}"#)
    #expect(stage.map.core?.style.layers.map(\.id) == ["b", "m", "m-drag", "mine"])
  }

  @Test func namesThatAreThereVeryOftenTakeNoLongTime() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, AnnotationOptions())
    let many = Array(repeating: #""circle-radius":8"#, count: 20_000).joined(separator: ",")
    let json = #"{"id":"a","geometry":{"type":"Point","coordinates":[0,0]},"properties":{\#(many)}}"#
    let began = MonotonicClock.milliseconds
    for _ in 0..<3 { try add(stage, "m", json) }
    try change(stage, "[\(json)]") { store, json throws(NeatError) in try store.update(json) }
    #expect(MonotonicClock.milliseconds - began < 5000)
    #expect(try stage.map.annotationManager("m")["a"]?.json["properties"]?.count == 1)
  }

  @Test func aLayerThatSomebodyTookAwayComesBackWithTheNextChangeOfIt() throws {
    let stage = try stage()
    try stage.map.makeAnnotations(id: "m", .circle, options(#"{"layerPosition":{"above":"b"}}"#))
    try add(stage, "m", circle("a", 0, 0))
    try stage.map.removeLayer("m")
    try stage.map.removeLayer("b")
    try add(
      stage, "m",
      #"{"id":"c","geometry":{"type":"Point","coordinates":[2,0]},"properties":{"circle-blur":0.5}}"#)
    #expect(stage.map.core?.style.layers.map(\.id) == ["m"])
  }

  @Test func limitsHoldAndTheLastBeforeThemIsTaken() throws {
    let stage = try Stage()
    for number in 1...AnnotationStore.managerLimit {
      try stage.map.makeAnnotations(id: "\(number)", .circle, AnnotationOptions())
    }
    let error = #expect(throws: NeatError.self) {
      try stage.map.makeAnnotations(id: "more", .circle, AnnotationOptions())
    }
    #expect(error?.code == .limitExceeded)
    try stage.map.makeAnnotations(id: "7", .circle, AnnotationOptions())
    #expect(stage.map.annotationManagers.count == AnnotationStore.managerLimit)
    let many = "[" + String(repeating: "0,", count: AnnotationStore.limit) + "0]"
    let full = #expect(throws: NeatError.self) {
      try change(stage, many, to: "7") { store, json throws(NeatError) in try store.set(json) }
    }
    #expect(full?.code == .limitExceeded)
    for number in 1...LiveMap.persistentLimit {
      try stage.map.addPersistentLayer(try JSON.parse(#"{"id":"\#(number)","type":"background"}"#), .top)
    }
    let layers = #expect(throws: NeatError.self) {
      try stage.map.addPersistentLayer(try JSON.parse(#"{"id":"more","type":"background"}"#), .top)
    }
    #expect(layers?.code == .limitExceeded && stage.map.persistentLayers.count == LiveMap.persistentLimit)
  }
}
