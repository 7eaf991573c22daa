import Neatline
import Testing

/// View annotations with the names of version 10.
@Suite struct ViewAnnotationManagerTests {
  /// What a host draws.
  private final class Label {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private final class Watch: ViewAnnotationUpdateObserver {
    var told: [String] = []
    var onFrames: () -> Void = {}

    func framesDidChange(for annotationViews: [AnyObject]) {
      told.append("frames " + names(annotationViews))
      onFrames()
    }

    func visibilityDidChange(for annotationViews: [AnyObject]) {
      told.append("visibility " + names(annotationViews))
    }

    private func names(_ views: [AnyObject]) -> String {
      views.map { ($0 as? Label)?.text ?? "?" }.sorted().joined(separator: ",")
    }
  }

  private static let style = #"{"version":8,"sources":{},"layers":[{"id":"b","type":"background"}]}"#

  private func map() throws -> Map {
    var options = Options()
    options.threadCount = 1
    let map = try Map(loop: try EventLoop(), width: 200, height: 100, options: options)
    try map.setStyle(json: Self.style)
    try map.setCamera(Camera(zoom: 4))
    map.loop.run(timeout: 10_000)
    return map
  }

  private func options(_ longitude: Double) -> ViewAnnotationOptions {
    ViewAnnotationOptions(
      geometry: Point(Coordinate(longitude: longitude, latitude: 0)), width: 40, height: 20)
  }

  @Test func observersHearWhatCameIntoSightAndWhatMoved() throws {
    let map = try map()
    let (a, b, watch) = (Label("a"), Label("b"), Watch())
    map.viewAnnotations.addViewAnnotationUpdateObserver(watch)
    map.viewAnnotations.addViewAnnotationUpdateObserver(watch)
    try map.viewAnnotations.add(a, options: options(0))
    try map.viewAnnotations.add(b, id: "b", options: options(0.5))
    #expect(map.viewAnnotations.placement(for: a)?.isHidden == true && watch.told.isEmpty)
    map.loop.run(timeout: 10_000)
    #expect(watch.told == ["visibility a", "frames a"])
    let placed = try #require(map.viewAnnotations.placement(for: a))
    #expect(placed.frame == .init(x: 80, y: 40, width: 40, height: 20) && placed.state == .shown)
    #expect(map.viewAnnotations.placement(for: b)?.state == .covered)
    watch.told = []
    try map.viewAnnotations.update(b, options: ViewAnnotationOptions(selected: true))
    map.loop.run(timeout: 10_000)
    #expect(watch.told == ["visibility a,b", "frames b"])
    #expect(map.viewAnnotations.placements.map(\.id).last == "b", "drawn above the others")
    watch.told = []
    try map.viewAnnotations.update(b, options: ViewAnnotationOptions(allowOverlap: true, offsetY: 7.5))
    map.loop.run(timeout: 10_000)
    #expect(watch.told == ["frames b"] && map.viewAnnotations.placement(for: b)?.frame?.y == 32.5)
    map.viewAnnotations.removeViewAnnotationUpdateObserver(watch)
    map.viewAnnotations.removeAll()
    map.loop.run(timeout: 10_000)
    #expect(watch.told == ["frames b"] && map.viewAnnotations.views.isEmpty)
    // Within what is told, and after.
    var frames: [ViewAnnotationPlacement.Frame?] = []
    watch.onFrames = { frames.append(map.viewAnnotations.placement(for: a)?.frame) }
    map.viewAnnotations.addViewAnnotationUpdateObserver(watch)
    try map.viewAnnotations.add(a, options: options(0))
    map.loop.run(timeout: 10_000)
    try map.setCamera(Camera(longitude: 1, zoom: 4))
    map.loop.run(timeout: 10_000)
    #expect(frames.count == 2 && frames[1] == map.viewAnnotations.placement(for: a)?.frame)
    #expect(frames[0]?.x == 80 && frames[1]?.x != 80)
  }

  @Test func labelsMakeRoomWhereItSaysSo() throws {
    let map = try map()
    let a = Label("a")
    var with = options(0)
    with.hidesLabels = true
    try map.viewAnnotations.add(a, options: with)
    #expect(map.viewAnnotations.options(for: a)?.hidesLabels == true)
    try map.viewAnnotations.update(a, options: ViewAnnotationOptions(hidesLabels: false))
    #expect(map.viewAnnotations.options(for: a)?.hidesLabels == false)
  }

  @Test func theyAreFoundByIDAndFeature() throws {
    let map = try map()
    let (a, b) = (Label("a"), Label("b"))
    var with = options(0)
    with.associatedFeatureId = "f"
    with.anchor = .bottomLeft
    try map.viewAnnotations.add(a, id: "first", options: with)
    try map.viewAnnotations.add(b, options: options(3))
    let manager = map.viewAnnotations
    #expect(manager.view(forId: "first") === a && manager.view(forFeatureId: "f") === a)
    #expect(manager.view(forId: "second") == nil && manager.view(forFeatureId: "g") == nil)
    #expect(manager.views.count == 2 && manager.views[1] === b)
    let found = try #require(manager.options(for: a))
    #expect(found.anchor == .bottomLeft && found.width == 40 && found.visible == true)
    #expect(found.geometry == .point(Point(Coordinate(longitude: 0, latitude: 0))))
    #expect(manager.options(forFeatureId: "f")?.associatedFeatureId == "f")
    #expect(manager.options(for: Label("c")) == nil)
    map.loop.run(timeout: 10_000)
    #expect(manager.placement(for: a)?.state == .featureHidden)
    manager.remove(a)
    manager.remove(a)
    #expect(manager.view(forFeatureId: "f") == nil && manager.view(forId: "first") == nil)
    #expect(manager.placement(for: a) == nil && manager.placements.count == 1)
  }

  @Test func whatIsWrongIsRefused() throws {
    let map = try map()
    let (a, b) = (Label("a"), Label("b"))
    let manager = map.viewAnnotations
    func fails(_ status: NeatlineError.Status, _ body: () throws -> Void) {
      let error = #expect(throws: NeatlineError.self) { try body() }
      #expect(error?.status == status, "\(String(describing: error))")
    }
    var with = options(0)
    with.associatedFeatureId = "f"
    try manager.add(a, id: "a", options: with)
    fails(.invalidArgument) { try manager.add(a, options: options(0)) }
    fails(.invalidArgument) { try manager.add(b, id: "a", options: options(0)) }
    fails(.invalidArgument) { try manager.add(b, options: with) }
    fails(.invalidArgument) { try manager.add(b, options: ViewAnnotationOptions(width: 1, height: 1)) }
    fails(.invalidArgument) {
      try manager.add(
        b,
        options: ViewAnnotationOptions(
          geometry: LineString([Coordinate(longitude: 0, latitude: 0), Coordinate(longitude: 1, latitude: 0)])
        ))
    }
    fails(.invalidArgument) { try manager.update(a, options: ViewAnnotationOptions(width: -1)) }
    fails(.invalidArgument) { try manager.update(a, options: ViewAnnotationOptions(height: .infinity)) }
    fails(.invalidArgument) { try manager.update(a, options: ViewAnnotationOptions(offsetX: .nan)) }
    fails(.notFound) { try manager.update(b, options: ViewAnnotationOptions(width: 1)) }
    fails(.notFound) { _ = try manager.camera(forAnnotations: ["b"]) }
    fails(.invalidArgument) { _ = try manager.camera(forAnnotations: []) }
    #expect(manager.views.count == 1 && manager.options(for: a)?.width == 40)
  }

  @Test func aCameraShowsThem() throws {
    let map = try map()
    let (a, b) = (Label("a"), Label("b"))
    try map.viewAnnotations.add(a, id: "a", options: options(-30))
    try map.viewAnnotations.add(b, id: "b", options: options(30))
    let camera = try map.viewAnnotations.camera(
      forAnnotations: ["a", "b"], padding: .init(left: 10, right: 10), bearing: 90, pitch: 20)
    #expect(camera.bearing == 90 && camera.pitch == 20)
    try map.setCamera(camera)
    map.loop.run(timeout: 10_000)
    let frames = map.viewAnnotations.placements.compactMap(\.frame)
    #expect(frames.count == 2)
    for frame in frames {
      #expect(frame.x > 9.99 && frame.x + frame.width < 190.01)
      #expect(frame.y > -0.01 && frame.y + frame.height < 100.01)
    }
    #expect(frames.contains { abs($0.y) < 0.5 || abs($0.y + $0.height - 100) < 0.5 })
  }

  @Test func anObserverMayRemoveAndEndAll() throws {
    let watch = Watch()
    for removes in [true, false] {
      var map: Map? = try map()
      let loop = try #require(map?.loop)
      let label = Label("a")
      watch.onFrames = {
        if removes { map?.viewAnnotations.removeAll() } else { map = nil }
      }
      map?.viewAnnotations.addViewAnnotationUpdateObserver(watch)
      try map?.viewAnnotations.add(label, options: options(0))
      loop.run(timeout: 10_000)
      #expect(watch.told.last == "frames a" && (map == nil) != removes)
      if removes { #expect(map?.viewAnnotations.placements.isEmpty == true) }
    }
  }

  @Test func aManagerOutlivesItsMap() throws {
    var map: Map? = try map()
    let manager = try #require(map?.viewAnnotations)
    let label = Label("a")
    try manager.add(label, options: options(0))
    map = nil
    #expect(manager.placements.isEmpty && manager.options(for: label) == nil)
    let error = #expect(throws: NeatlineError.self) {
      try manager.update(label, options: ViewAnnotationOptions(width: 1))
    }
    #expect(error?.status == .state)
    manager.remove(label)
    #expect(manager.views.isEmpty)
  }
}
