import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import Testing

@testable import NeatLive

/// What pointers do to annotations: taps, long presses, selection, drags.
@Suite struct AnnotationPointerTests {
  private func stage(_ options: String = "{}", byHost: Bool = true, draggable: Bool = false) throws -> Stage {
    let stage = try Stage()
    try stage.map.setPacing(byHost: byHost)
    try stage.map.setStyle(Array(AnnotationTests.style.utf8), base: "")
    try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 4))
    try stage.map.makeAnnotations(
      id: "m", .circle, try AnnotationOptions(try JSON.parse(options), .circle))
    let json = try JSON.parse(
      """
      [{"id":"a","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"circle-radius":8},
      "isDraggable":\(draggable)},
      {"id":"b","geometry":{"type":"Point","coordinates":[0.9,0]},"properties":{"circle-radius":2},"userInfo":{"x":1}}]
      """)
    try stage.map.changeAnnotations("m") { store throws(NeatError) in try store.set(json) }
    stage.run()
    if byHost { try stage.map.beginFrame(atMS: 0) }
    stage.run()
    _ = try stage.map.draw()
    stage.events = []
    return stage
  }

  private func point(
    _ stage: Stage, _ phase: GestureInput.Pointer.Phase, _ x: Double, _ y: Double, at time: Double,
    id: Int64 = 0
  ) throws {
    try stage.map.handle(GestureInput.Pointer(id: id, phase, SIMD2(x, y), atMS: time))
  }

  private func tap(_ stage: Stage, _ x: Double, _ y: Double, at time: Double) throws {
    try point(stage, .down, x, y, at: time)
    try point(stage, .up, x, y, at: time + 50)
  }

  private func told(_ stage: Stage) -> [String] {
    stage.events.compactMap { event in
      guard case .annotation(let event) = event else { return nil }
      return "\(event.kind) \(event.hit.id ?? "cluster")"
    }
  }

  @Test func aTapMeetsTheTopmostAndSelectsIt() throws {
    let stage = try stage()
    try tap(stage, 32, 32, at: 0)
    #expect(told(stage) == ["tapped a", "selected a"])
    guard
      case .annotation(let event)? = stage.events.first(where: {
        if case .annotation = $0 { true } else { false }
      })
    else { return }
    #expect(event.hit.manager == "m" && event.position == SIMD2(32, 32))
    #expect(abs(event.place?.lon ?? 9) < 1e-9)
    stage.events = []
    // Where both are, the later one is above.
    try tap(stage, 32 + 0.9 / 360 * 512 * 16, 32, at: 2000)
    #expect(told(stage) == ["tapped b", "deselected a", "selected b"])
    stage.events = []
    try tap(stage, 5, 5, at: 4000)
    #expect(told(stage) == ["deselected b"])
    #expect(try stage.map.annotationManager("m").selected.isEmpty)
  }

  @Test func manyMayBeSelectedOrNone() throws {
    let many = try stage(#"{"selection":"multiple"}"#)
    try tap(many, 30, 32, at: 0)
    try tap(many, 53, 32, at: 2000)
    #expect(try many.map.annotationManager("m").selected == ["a", "b"])
    try tap(many, 30, 32, at: 4000)
    #expect(try many.map.annotationManager("m").selected == ["b"])
    let none = try stage(#"{"selection":"none"}"#)
    try tap(none, 32, 32, at: 0)
    #expect(told(none) == ["tapped a"])
  }

  @Test func aSelectionIsAFeatureState() throws {
    let stage = try stage(
      ##"{"properties":{"circle-color":["case",["boolean",["feature-state","selected"],false],"#00ff00","#ff0000"]}}"##
    )
    #expect(try stage.map.color(32, 32) == [255, 0, 0, 255])
    try stage.map.selectAnnotation("m", "a", true)
    #expect(try stage.map.color(32, 32) == [0, 255, 0, 255])
    #expect(told(stage) == ["selected a"])
    try stage.map.setStyle(Array(AnnotationTests.style.utf8), base: "")
    stage.run()
    #expect(try stage.map.color(32, 32) == [0, 255, 0, 255])
    #expect(throws: NeatError.self) { try stage.map.selectAnnotation("m", "z", true) }
  }

  @Test func aLongPressComesOnceAndIsNoTap() throws {
    for byHost in [true, false] {
      let stage = try stage(byHost: byHost)
      try point(stage, .down, 32, 32, at: 0)
      if byHost {
        try stage.map.beginFrame(atMS: 499)
        #expect(told(stage).isEmpty)
        try stage.map.beginFrame(atMS: 501)
        try stage.map.beginFrame(atMS: 900)
      } else {
        _ = stage.loop.run(seconds: 2) { !told(stage).isEmpty }
      }
      #expect(told(stage) == ["longPressed a"])
      try point(stage, .up, 32, 32, at: 1000)
      #expect(told(stage) == ["longPressed a"])
      stage.events = []
      // A finger that moves, and one beside all of them, press nothing for long.
      try point(stage, .down, 32, 32, at: 2000)
      try point(stage, .move, 52, 52, at: 2100)
      try point(stage, .up, 52, 52, at: 3000)
      #expect(told(stage).isEmpty)
    }
  }

  @Test func oneIsDraggedAndTheCameraStays() throws {
    let stage = try stage(draggable: true)
    let core = try #require(stage.map.core)
    let camera = stage.map.camera
    try point(stage, .down, 32, 32, at: 0)
    try point(stage, .move, 36, 32, at: 20)
    #expect(told(stage).isEmpty, "a finger that holds still")
    try point(stage, .move, 32, 12, at: 40)
    #expect(told(stage) == ["dragBegan a", "dragChanged a"])
    stage.run()
    _ = try stage.map.draw()
    let before = core.laidOutLayerCount
    for step in 0..<10 {
      try point(stage, .move, 32, 12 + Double(step), at: 60 + Double(step) * 16)
      _ = try stage.map.draw()
    }
    // The source of what is dragged, and no other.
    #expect(core.laidOutLayerCount - before <= 10 * 4)
    #expect(stage.map.camera == camera)
    try point(stage, .up, 12, 32, at: 1000)
    #expect(told(stage).last == "dragEnded a")
    let longitude = try #require(
      stage.map.annotationManager("m")["a"]?.json["geometry"]?["coordinates"]?[0]?.number)
    #expect(abs(longitude + 20 / (512.0 * 16) * 360) < 1e-6)
    _ = try stage.map.draw()
    #expect(try stage.map.annotations(at: SIMD2(12, 32)).first?.id == "a")
    #expect(try stage.map.annotations(at: SIMD2(28, 32), tolerance: 0).isEmpty)
  }

  @Test func aDragThatIsCancelledGoesBack() throws {
    let stage = try stage(draggable: true)
    try point(stage, .down, 32, 32, at: 0)
    try point(stage, .move, 12, 32, at: 40)
    try point(stage, .cancel, 12, 32, at: 60)
    #expect(told(stage).last == "dragEnded a")
    let longitude = try #require(
      stage.map.annotationManager("m")["a"]?.json["geometry"]?["coordinates"]?[0]?.number)
    #expect(abs(longitude) < 1e-9)
  }

  @Test func aTapOnOneThatMayBeDraggedIsATap() throws {
    let stage = try stage(draggable: true)
    try tap(stage, 32, 32, at: 0)
    #expect(told(stage) == ["tapped a", "selected a"])
    #expect(stage.events.first == .gestureBegan(.singleTap, position: SIMD2(32, 32)))
  }

  @Test func twoFingersMoveTheCameraAlsoFromOneThatMayBeDragged() throws {
    let stage = try stage(draggable: true)
    try point(stage, .down, 30, 32, at: 0)
    try point(stage, .down, 40, 32, at: 20, id: 1)
    try point(stage, .move, 10, 32, at: 40)
    try point(stage, .move, 60, 32, at: 60, id: 1)
    #expect(told(stage).isEmpty && stage.map.camera.zoom > 4.5)
  }

  @Test func aHandlerMayRemoveWhatIsDraggedOrTheMap() throws {
    for destroys in [true, false] {
      let stage = try stage(draggable: true)
      stage.handle = { map, event in
        guard case .annotation(let event) = event, event.kind == .dragBegan else { return }
        if destroys { map.destroy() } else { try? map.removeAnnotations(id: "m") }
      }
      try point(stage, .down, 32, 32, at: 0)
      try point(stage, .move, 12, 32, at: 40)
      #expect(told(stage) == (destroys ? ["dragBegan a"] : ["dragBegan a", "dragEnded a"]))
      stage.events = []
      if destroys {
        #expect(throws: NeatError.self) { try point(stage, .up, 12, 32, at: 60) }
      } else {
        try point(stage, .up, 12, 32, at: 60)
        try tap(stage, 32, 32, at: 1000)
        #expect(told(stage).isEmpty)
      }
    }
  }

  @Test func aPanBesideThemIsTheCameras() throws {
    let stage = try stage(draggable: true)
    try point(stage, .down, 5, 5, at: 0)
    try point(stage, .move, 25, 5, at: 40)
    #expect(stage.events.first == .gestureBegan(.pan, position: SIMD2(5, 5)))
  }

  @Test func aLongPressBesideThemLetsGoOfTheFinger() throws {
    let stage = try stage()
    try point(stage, .down, 5, 5, at: 0)
    try point(stage, .up, 5, 5, at: 800)
    let zoom = stage.map.camera.zoom
    try point(stage, .down, 10, 10, at: 2000, id: 7)
    try point(stage, .move, 40, 40, at: 2100, id: 7)
    try point(stage, .up, 40, 40, at: 2300, id: 7)
    #expect(stage.map.camera.zoom == zoom, "one finger pans")
    #expect(stage.events.contains(.gestureBegan(.pan, position: SIMD2(10, 10))))
  }

  @Test func whatIsTakenAwayWhileItIsDraggedEndsTheDrag() throws {
    let ends: [(Stage) throws -> Void] = [
      { try $0.map.removeAnnotations(id: "m") },
      { stage in
        let none = try JSON.parse("[]")
        try stage.map.changeAnnotations("m") { store throws(NeatError) in try store.set(none) }
      },
      { stage in
        let ids = try JSON.parse(#"["a"]"#)
        try stage.map.changeAnnotations("m") { store throws(NeatError) in try store.remove(ids) }
      },
      { try $0.map.makeAnnotations(id: "m", .circle, AnnotationOptions()) },
      { try $0.map.setStyle(Array(AnnotationTests.style.utf8), base: "") },
    ]
    for end in ends {
      let stage = try stage(draggable: true)
      try point(stage, .down, 32, 32, at: 0)
      try point(stage, .move, 12, 32, at: 40)
      stage.run()
      _ = try stage.map.draw()
      try end(stage)
      stage.run()
      try point(stage, .move, 10, 32, at: 60)
      try point(stage, .up, 10, 32, at: 80)
      #expect(told(stage) == ["dragBegan a", "dragChanged a", "dragEnded a"])
      #expect(stage.failures.isEmpty)
      _ = try stage.map.draw()
      let left = stage.map.annotationManagers.first?["a"] == nil
      #expect(try stage.map.annotations(at: SIMD2(12, 32), tolerance: 0).isEmpty == left)
    }
  }

  @Test func aDragThatLostItsEndIsNoDragForEver() throws {
    let stage = try stage(draggable: true)
    try point(stage, .down, 32, 32, at: 0)
    try point(stage, .move, 12, 32, at: 40)
    try point(stage, .down, 50, 50, at: 60)
    #expect(told(stage).last == "dragEnded a", "the same finger came down again")
    try point(stage, .up, 50, 50, at: 70)
    try point(stage, .down, 12, 32, at: 2000)
    try point(stage, .move, 32, 32, at: 2040)
    #expect(throws: NeatError.self) {
      for finger in 1...20 { try point(stage, .down, 1, 1, at: 2050, id: Int64(finger)) }
    }
    #expect(told(stage).last == "dragEnded a")
    try point(stage, .down, 5, 5, at: 4000, id: 50)
    try point(stage, .move, 25, 5, at: 4040, id: 50)
    #expect(stage.events.contains(.gestureBegan(.pan, position: SIMD2(5, 5))))
  }

  @Test func aDragEndsInTheOrderInWhichTheyCameAndWithinTheWorld() throws {
    let stage = try stage(draggable: true)
    try point(stage, .down, 32, 32, at: 0)
    try point(stage, .move, 53, 32, at: 40)
    try point(stage, .up, 53, 32, at: 60)
    _ = try stage.map.draw()
    // The later one is above, also over the one that was dragged.
    #expect(try stage.map.annotations(at: SIMD2(52.5, 32), tolerance: 0).map(\.id) == ["b", "a"])
    for number in 0..<40 {
      try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 0))
      let time = 1000 + Double(number) * 1000
      let top = try #require(
        stage.map.annotationManager("m")["a"]?.json["geometry"]?["coordinates"]?[0]?.number)
      let x = 32 + (top / 360 * 512)
      try point(stage, .down, x, 32, at: time)
      try point(stage, .move, x + 60, 32, at: time + 40)
      try point(stage, .up, x + 60, 32, at: time + 60)
      _ = try stage.map.draw()
      let now = try #require(
        stage.map.annotationManager("m")["a"]?.json["geometry"]?["coordinates"]?[0]?.number)
      #expect(abs(now) <= 360)
    }
  }

  @Test func aSelectionByAChangeIsShown() throws {
    let stage = try stage(
      ##"{"properties":{"circle-color":["case",["boolean",["feature-state","selected"],false],"#00ff00","#ff0000"]}}"##
    )
    let json = try JSON.parse(#"[{"id":"a","isSelected":true}]"#)
    try stage.map.changeAnnotations("m") { store throws(NeatError) in try store.update(json) }
    #expect(try stage.map.color(32, 32) == [0, 255, 0, 255])
    let none = try JSON.parse(#"[{"id":"a","isSelected":false}]"#)
    try stage.map.changeAnnotations("m") { store throws(NeatError) in try store.update(none) }
    #expect(try stage.map.color(32, 32) == [255, 0, 0, 255])
  }
}
