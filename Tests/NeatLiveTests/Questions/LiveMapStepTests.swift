import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatRaster
import NeatStyle
import Testing

@testable import NeatLive

/// Steps together, members of sources, images.
@Suite struct LiveMapStepTests {
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.map.setStyle(Array(LiveMapQuestionTests.style.utf8), base: "")
    stage.run()
    stage.events = []
    return stage
  }

  private func json(_ text: String) throws -> JSON { try JSON.parse(Array(text.utf8)) }

  @Test func stepsAreCarriedOutTogether() throws {
    let stage = try stage()
    try stage.map.change(
      json(
        """
        [{"command": "addSource", "args": ["more", {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}]},
         {"command": "addLayer", "args": [{"id": "more", "type": "circle", "source": "more"}, "dots"]},
         {"command": "setPaintProperty", "args": ["fill", "fill-color", "blue"]},
         {"command": "setLayerZoomRange", "args": ["dots", 2, null]},
         {"command": "removeLayer", "args": ["dots"]}, {"command": "removeSource", "args": ["points"]},
         {"command": "setLight", "args": [null]}]
        """))
    let style = try #require(stage.map.core?.style)
    #expect(style.layers.map(\.id) == ["fill", "more"])
    #expect(style.source("points") == nil && style.source("more") != nil)
    #expect(stage.events.contains(.sourceAdded("more")) && stage.events.contains(.sourceRemoved("points")))
  }

  @Test(arguments: [
    (#"{"command": "removeLayer", "args": ["nowhere"]}"#, ErrorCode.notFound),
    (#"{"command": "fly"}"#, .invalidArgument), (#"{}"#, .invalidArgument), (#"7"#, .invalidArgument),
    (#"{"command": "removeLayer"}"#, .invalidArgument),
    (#"{"command": "removeLayer", "args": [7]}"#, .invalidArgument),
    (#"{"command": "removeLayer", "args": "dots"}"#, .invalidArgument),
    (#"{"command": "removeLayer", "args": ["dots", 1]}"#, .invalidArgument),
    (#"{"command": "removeLayer", "args": ["dots"], "then": 1}"#, .invalidArgument),
    (#"{"command": "setLayerZoomRange", "args": ["dots", "low"]}"#, .invalidArgument),
    (#"{"command": "setPaintProperty", "args": ["fill", "fill-color", 7]}"#, .style),
    (#"{"command": "addSource", "args": ["more"]}"#, .invalidArgument),
  ])
  func aStepThatFailsIsNumberedAndNothingIsChanged(_ step: String, _ code: ErrorCode) throws {
    let stage = try stage()
    let before = try #require(stage.map.core?.style.json.text)
    do throws(NeatError) {
      try stage.map.change(
        try JSON.parse(
          Array(#"[{"command": "setPaintProperty", "args": ["fill", "fill-color", "blue"]}, \#(step)]"#.utf8))
      )
      Issue.record("\(step) was carried out")
    } catch {
      #expect(error.code == code, "\(error)")
      #expect(error.message.hasPrefix("step 1: "), "\(error.message)")
    }
    #expect(stage.map.core?.style.json.text == before)
    #expect(stage.events.isEmpty)
  }

  @Test func aHandlerWithinAnUpdateMaySetAStyleThatTakesInOthers() throws {
    let world = World { request in
      request.path == "/inner.json"
        ? .status(
          200, [:],
          Array(#"{"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}"#.utf8))
        : nil
    }
    let stage = try stage()
    let base = String(world.url.prefix { $0 != "?" }.dropLast("/style.json".count))
    var isSet = false
    var ended: [NeatError?] = []
    stage.handle = { map, event in
      guard case .sourceAdded = event, !isSet else { return }
      isSet = true
      try? map.setStyle(
        Array(
          #"{"version": 8, "imports": [{"id": "i", "url": "\#(base)/inner.json"}], "sources": {}, "layers": []}"#
            .utf8),
        base: ""
      ) { ended.append($0) }
    }
    let other =
      #"{"version": 8, "sources": {"n": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}}, "layers": []}"#
    try stage.map.update(to: Array(other.utf8))
    stage.run()
    #expect(isSet && ended.count == 1 && ended.first == .some(nil))
    #expect(stage.map.core?.style.layers.map(\.id) == ["i/b"])
    #expect(!stage.map.isBusy)
  }

  @Test func thereIsALimitOfStepsAndOfStretchingParts() throws {
    let stage = try stage()
    let step = JSON.object([("command", .string("setLight")), ("args", .array([]))])
    #expect(throws: NeatError.self) {
      try stage.map.change(.array(Array(repeating: step, count: LiveMap.stepLimit + 1)))
    }
    let parts = (0...StyleImageOptions.stretchLimit).map { "[\($0),\($0).5]" }.joined(separator: ",")
    #expect(throws: NeatError.self) {
      try StyleImageOptions(try json(#"{"stretchX": [\#(parts)]}"#), width: 1000, height: 1)
    }
  }

  @Test func membersOfASourceAreSetAndRemoved() throws {
    let stage = try stage()
    let map = try #require(stage.map)
    try map.edit { editor throws(NeatError) in
      try editor.setSourceProperty("squares", "maxzoom", .number(5))
      try editor.setSourceProperty("points", "clusterRadius", .number(10))
      try editor.setSourceProperty("points", "clusterMaxZoom", nil)
      try editor.setSourceProperty("points", "clusterMinPoints", nil)
    }
    let style = try #require(map.core?.style)
    #expect(style.source("squares")?.json["maxzoom"]?.number == 5)
    #expect(style.source("points")?.json["clusterRadius"]?.number == 10)
    #expect(style.source("points")?.json["clusterMaxZoom"] == nil)
    for (source, name, value, code) in [
      ("nowhere", "maxzoom", JSON.number(1), ErrorCode.notFound),
      ("squares", "type", .string("vector"), .invalidArgument),
      ("squares", "maxzoom", .string("deep"), .style), ("squares", "data", .null, .style),
    ] {
      do throws(NeatError) {
        try map.edit { editor throws(NeatError) in try editor.setSourceProperty(source, name, value) }
        Issue.record("\(source).\(name) was set")
      } catch { #expect(error.code == code, "\(source).\(name): \(error)") }
    }
  }

  @Test func anImageSourceTakesAnotherPictureAndKeepsItWhereItMoves() throws {
    let stage = try Stage()
    let map = try #require(stage.map)
    let corners = "[[-180, 85], [180, 85], [180, -85], [-180, -85]]"
    try map.setStyle(
      Array(
        """
        {"version": 8, "center": [0, 0], "zoom": 0, "sources": {"i": {"type": "image", "url": "nowhere.png",
         "coordinates": \(corners)}, "g": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
         "layers": [{"id": "i", "type": "raster", "source": "i", "paint": {"raster-fade-duration": 0}}]}
        """.utf8), base: "")
    stage.run()
    func middle() throws -> [UInt8] { try map.color(32, 32) }
    #expect(try middle() == [0, 0, 0, 0], "its own cannot be had")
    let green = PixelImage(width: 1, height: 1, pixels: [0, 255, 0, 255], isPremultiplied: true)
    try map.updateImageSource("i", green)
    stage.run()
    #expect(try middle() == [0, 255, 0, 255])
    try map.edit { editor throws(NeatError) in
      try editor.setSourceProperty(
        "i", "coordinates", try JSON.parse(Array("[[0, 85], [180, 85], [180, -85], [0, -85]]".utf8)))
    }
    try map.setCamera(Camera(center: LonLat(90, 0), zoom: 0))
    stage.run()
    #expect(try middle() == [0, 255, 0, 255], "the picture is the same in another place")
    #expect(throws: NeatError.self) { try map.updateImageSource("g", green) }
    #expect(throws: NeatError.self) { try map.updateImageSource("nowhere", green) }
  }

  @Test func whatIsSaidOfAnImageIsReadBack() throws {
    let stage = try stage()
    let map = try #require(stage.map)
    let picture = PixelImage(
      width: 4, height: 2, pixels: [UInt8](repeating: 255, count: 32), isPremultiplied: true)
    let said =
      #"{"pixelRatio": 2, "stretchX": [[0, 1], [2, 3]], "stretchY": [[0, 2]], "content": [0, 0, 4, 2],"#
      + #" "textFitWidth": "stretchOnly", "persistent": true}"#
    try map.addImage("bubble", picture, try StyleImageOptions(json(said), width: 4, height: 2))
    let image = try map.loadedCore().image("bubble")
    #expect(
      image.json.text.replacing(" ", with: "")
        == #"{"name":"bubble","width":4,"height":2,"pixelRatio":2,"sdf":false,"stretchX":[[0,1],[2,3]],"#
        + #""stretchY":[[0,2]],"content":[0,0,4,2],"textFitWidth":"stretchOnly"}"#)
    #expect(image.picture.pixels == picture.pixels && image.picture.width == 4)
    try map.setStyle(Array(LiveMapQuestionTests.style.utf8), base: "")
    stage.run()
    #expect(try map.loadedCore().images.map(\.name) == ["bubble"], "later styles have it too")
    #expect(throws: NeatError.self) { try map.loadedCore().image("nothing") }
  }

  @Test(arguments: [
    #"[]"#, #"{"pixelRatio": "2"}"#, #"{"sdf": 1}"#, #"{"stretchX": [[0, 5]]}"#, #"{"stretchX": [[1, 1]]}"#,
    #"{"stretchX": [[2, 3], [0, 1]]}"#, #"{"stretchX": [[0, 1, 2]]}"#, #"{"stretchY": 7}"#,
    #"{"content": [0, 0, 5, 2]}"#, #"{"content": [2, 0, 2, 2]}"#, #"{"content": [0, 0, 1]}"#,
    #"{"textFitHeight": "tight"}"#, #"{"colour": 1}"#,
  ])
  func whatIsSaidWronglyOfAnImageIsRefused(_ text: String) throws {
    do throws(NeatError) {
      _ = try StyleImageOptions(try JSON.parse(Array(text.utf8)), width: 4, height: 2)
      Issue.record("\(text) was taken")
    } catch { #expect(error.code == .invalidArgument) }
  }

  @Test func labelsAreLocalizedAndWhatIsNoLanguageIsRefused() throws {
    let stage = try Stage()
    let map = try #require(stage.map)
    try map.setStyle(
      Array(
        """
        {"version": 8, "sources": {"g": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
         "layers": [{"id": "a", "type": "symbol", "source": "g", "layout": {"text-field": "{name}"}},
                    {"id": "b", "type": "symbol", "source": "g", "layout": {"text-field": ["get", "name_en"]}}]}
        """.utf8), base: "")
    let localizer = try LabelLocalizer(identifier: "ja_JP")
    try map.edit { editor throws(NeatError) in try editor.localizeLabels(localizer, layers: ["b", "nowhere"])
    }
    func field(_ id: String) throws -> String {
      try #require(map.core?.style.layer(id)).value(named: "text-field").text
    }
    #expect(try field("a") == #""{name}""#)
    #expect(try field("b") == #"["coalesce",["get","name_ja"],["get","name:ja"],["get","name"]]"#)
    for language in ["", "j", "1234", "日本", "-"] {
      #expect(throws: NeatError.self) { try LabelLocalizer(identifier: language) }
    }
  }
}
