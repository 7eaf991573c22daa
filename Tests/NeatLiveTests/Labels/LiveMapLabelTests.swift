import NeatBase
import NeatCamera
import NeatLoop
import NeatStyle
import NeatTestSupport
import Testing

@testable import NeatLive
@testable import NeatMap

/// Labels of a live map: who is told what, when it rests, and what a host that draws has.
@Suite struct LiveMapLabelTests {
  private func stage(_ style: [UInt8] = LabelFadeTests.style()) throws -> Stage {
    let stage = try Stage()
    try stage.map.setSize(ViewSize(width: 256, height: 64))
    try set(stage, style)
    return stage
  }

  private func set(_ stage: Stage, _ style: [UInt8]) throws {
    try stage.map.setStyle(style, base: "")
    try stage.map.addImage(
      "dot",
      PixelImage(
        width: 20, height: 20, pixels: (0..<400).flatMap { _ -> [UInt8] in [200, 30, 30, 255] },
        isPremultiplied: true), StyleImageOptions(pixelRatio: 1, isSDF: false))
  }

  private func camera(_ zoom: Double, _ lon: Double = 0) -> Camera {
    Camera(center: LonLat(lon, 0), zoom: zoom)
  }

  private func drawn(_ map: LiveMap) throws -> [UInt32] {
    let bitmap = try map.draw().bitmap
    return Array(UnsafeBufferPointer(start: bitmap.pixels, count: bitmap.width * bitmap.height))
  }

  /// The picture of a map without a past.
  private func still(_ map: LiveMap) throws -> [UInt32] {
    let view = try Transform(camera: map.camera, size: map.size)
    return try LabelFilm.pixels(try map.loadedCore().frame(view))
  }

  private func idleCount(_ stage: Stage) -> Int { stage.events.filter { $0 == .mapIdle }.count }

  @Test func aMapThatNobodyDrawsRestsAtOnceWithWholeLabels() throws {
    let stage = try stage()
    stage.run()
    for zoom in [5, 3, 4.5] {
      try stage.map.setCamera(camera(zoom))
      let began = MonotonicClock.milliseconds
      stage.run()
      // Nothing waits for a fade that nobody sees.
      #expect(MonotonicClock.milliseconds - began < 200 && stage.events.last == .mapIdle)
    }
    #expect(try drawn(stage.map) == still(stage.map))
  }

  /// A host that draws what it is told of.
  @Test func aHostThatDrawsSeesLabelsComeAndThenTheMapRests() throws {
    let stage = try stage()
    var pictures: [[UInt32]] = []
    stage.handle = { map, event in
      if case .renderFrameFinished = event, let picture = try? drawn(map) { pictures.append(picture) }
    }
    stage.run()
    let narrow = try still(stage.map)
    #expect(idleCount(stage) == 1 && pictures.last == narrow)
    pictures.removeAll()
    stage.events.removeAll()
    let began = MonotonicClock.milliseconds
    try stage.map.setCamera(camera(5))
    stage.run()
    let whole = try still(stage.map)
    #expect(MonotonicClock.milliseconds - began >= 300, "labels take their time")
    #expect(
      pictures.count > 5 && Set(pictures).count > 3 && pictures.last == whole && pictures.first != whole)
    #expect(idleCount(stage) == 1 && stage.events.last == .mapIdle)
    // Until then every frame says that another one is due; placement changed in one.
    let frames = stage.events.compactMap { event -> (Bool, Bool)? in
      if case .renderFrameFinished(_, let repaint, let changed) = event { (repaint, changed) } else { nil }
    }
    #expect(frames.dropLast().allSatisfy(\.0) && frames.last?.0 == false)
    #expect(frames.filter(\.1).count == 1)
    // Nothing more comes.
    let count = stage.events.count
    for _ in 0..<20 {
      stage.loop.runNoWait()
      usleep(2000)
    }
    #expect(stage.events.count == count && !stage.map.isBusy)
  }

  /// One that has drawn, and now waits for the map to rest.
  @Test func aHostThatStopsDrawingIsNotKeptWaiting() throws {
    let stage = try stage()
    stage.run()
    _ = try stage.map.draw()
    for zoom in [5, 3.3, 4.6] {
      try stage.map.setCamera(camera(zoom))
      let began = MonotonicClock.milliseconds
      stage.run()
      #expect(MonotonicClock.milliseconds - began < 290 && stage.events.last == .mapIdle)
      #expect(try drawn(stage.map) == still(stage.map), "zoom \(zoom)")
      // Taken, and at rest: nothing is to come.
      #expect(!stage.map.isBusy)
    }
  }

  /// One that draws at times of its own, whatever it is told.
  @Test func aHostThatDrawsAllTheTimeSeesThePlacementThatIsOwed() throws {
    let stage = try stage()
    stage.run()
    _ = try stage.map.draw()
    try stage.map.setCamera(camera(5))
    var count = 0
    // All labels, within the time of a placement and of a fade.
    let isWhole = stage.loop.run(
      seconds: 5,
      until: {
        count += 1
        usleep(3000)
        let picture = try? drawn(stage.map)
        return stage.map.frames.history.labels?.placedView == stage.map.currentView.map(LabelView.init)
          && picture == (try? still(stage.map))
      })
    #expect(isWhole && count > 20, "\(count)")
    stage.run()
    #expect(idleCount(stage) == 2 && stage.events.last == .mapIdle)
  }

  @Test func framesForGPUsFadeToo() throws {
    let stage = try stage()
    stage.run()
    _ = try stage.map.meshFrame()
    try stage.map.setCamera(camera(5))
    var alphas: Set<UInt8> = []
    stage.handle = { map, event in
      guard case .renderFrameFinished = event, let frame = try? map.meshFrame() else { return }
      for command in frame.commands where command.kind == .icon {
        let block = frame.buffers[Int(command.vertices)]
        let vertices = block.bytes.assumingMemoryBound(to: SymbolVertex.self)
        for index in 0..<command.vertexCount {
          alphas.insert(UInt8(truncatingIfNeeded: vertices[command.vertexOffset + index].color >> 24))
        }
      }
    }
    stage.run()
    #expect(alphas.contains(255) && alphas.count > 4, "\(alphas)")
  }

  @Test func fadeDurations() throws {
    let stage = try stage()
    #expect(stage.map.fadeDuration == 300)
    for wrong in [-1, 60_001, .nan, .infinity] {
      #expect { try stage.map.setFadeDuration(wrong) } throws: {
        ($0 as? NeatError)?.code == .invalidArgument
      }
    }
    stage.run()
    _ = try stage.map.draw()
    // Without fading, what is drawn is whole at any time.
    try stage.map.setFadeDuration(0)
    for zoom in [5, 4.6, 3] {
      try stage.map.setCamera(camera(zoom))
      #expect(try drawn(stage.map) == still(stage.map))
    }
    stage.run()
    // One that is set while labels fade ends it.
    try stage.map.setFadeDuration(60_000)
    try stage.map.setCamera(camera(5))
    stage.handle = { map, event in if case .renderFrameFinished = event { _ = try? map.draw() } }
    #expect(stage.loop.run(seconds: 10, until: { stage.map.frames.history.labels?.isFading == true }))
    #expect(stage.map.isBusy)
    try stage.map.setFadeDuration(1)
    let began = MonotonicClock.milliseconds
    stage.run()
    #expect(MonotonicClock.milliseconds - began < 1000 && stage.events.last == .mapIdle)
    #expect(try drawn(stage.map) == still(stage.map))
  }

  /// What a handler or host may do in the middle of a fade.
  @Test(arguments: 0..<6) func changesWhileLabelsFade(number: Int) throws {
    let stage = try stage()
    stage.run()
    _ = try stage.map.draw()
    stage.handle = { map, event in if case .renderFrameFinished = event { _ = try? map.draw() } }
    try stage.map.setCamera(camera(5))
    #expect(stage.loop.run(seconds: 10, until: { stage.map.frames.history.labels?.isFading == true }))
    let map = try #require(stage.map)
    switch number {
    case 0: try set(stage, LabelFadeTests.style(3, spacing: 2))
    case 1:
      try map.edit { editor throws(NeatError) in try editor.removeLayer("dots") }
      try map.edit { editor throws(NeatError) in try editor.removeSource("p") }
    case 2: try map.setGeoJSON(source: "p", Array(#"{"type": "Point", "coordinates": [0.5, 0]}"#.utf8))
    case 3: try map.removeImage("dot")
    case 4: map.reduceMemoryUse()
    default: try map.setSize(ViewSize(width: 90, height: 300))
    }
    stage.run()
    #expect(stage.events.last == .mapIdle && map.isLoaded)
    #expect(try drawn(map) == still(map))
  }

  @Test func aMapThatIsDestroyedWhileLabelsFadeSaysNothingMore() throws {
    let stage = try stage()
    stage.run()
    _ = try stage.map.draw()
    stage.handle = { map, event in if case .renderFrameFinished = event { _ = try? map.draw() } }
    try stage.map.setCamera(camera(5))
    #expect(stage.loop.run(seconds: 10, until: { stage.map.frames.history.labels?.isFading == true }))
    stage.map.destroy()
    let count = stage.events.count
    for _ in 0..<30 {
      stage.loop.runNoWait()
      usleep(1000)
    }
    #expect(stage.events.count == count && !stage.map.isBusy)
  }

  /// New data of a source: labels that were there stay, new ones are there at once.
  @Test func labelsOfNewDataAreThereAtOnce() throws {
    let stage = try stage(LabelFadeTests.style(3, spacing: 6))
    stage.run()
    _ = try stage.map.draw()
    let ids = stage.map.frames.history.labels?.layers[0].tiles.flatMap(\.ids).sorted()
    stage.handle = { map, event in if case .renderFrameFinished = event { _ = try? map.draw() } }
    try stage.map.setGeoJSON(
      source: "p",
      Array(
        #"{"type": "MultiPoint", "coordinates": [[-6, 0], [0, 0], [6, 0], [3, 0]]}"#.utf8))
    var pictures: Set<[UInt32]> = []
    stage.handle = { map, event in
      if case .renderFrameFinished = event, let picture = try? drawn(map) { pictures.insert(picture) }
    }
    stage.run()
    let history = try #require(stage.map.frames.history.labels)
    #expect(Set(ids ?? []).isSubset(of: history.layers[0].tiles.flatMap(\.ids)))
    let whole = try still(stage.map)
    #expect(pictures.count <= 2 && pictures.contains(whole))
  }

  /// While the map moves, features are met where the last placement has them.
  @Test func queriesMeetThePlacementThatStands() throws {
    let stage = try stage()
    stage.run()
    try stage.map.setCamera(camera(5))
    stage.run()
    _ = try stage.map.draw()
    func count() throws -> Int {
      try stage.map.query(.box(SIMD2(0, 0), SIMD2(256, 64)), options: QueryOptions()).features.count
    }
    let wide = try count()
    try stage.map.setCamera(camera(3))
    // A view that was not drawn yet is asked about as it will be.
    let narrow = try count()
    #expect(narrow < wide)
    // Drawn, its labels are those that stand still.
    _ = try stage.map.draw()
    #expect(try count() == wide)
    stage.handle = { map, event in if case .renderFrameFinished = event { _ = try? map.draw() } }
    stage.run()
    #expect(try count() == narrow)
    // A layer that went is not met.
    try stage.map.edit { editor throws(NeatError) in try editor.removeLayer("dots") }
    #expect(try count() == 0)
  }
}
