import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import Testing

@testable import NeatLive

/// Data that workers read, and what is told of it.
@Suite struct LiveMapDataTests {
  private func stage() throws -> Stage {
    let stage = try Stage()
    try stage.map.setStyle(Array(LiveMapQuestionTests.style.utf8), base: "")
    stage.run()
    stage.events = []
    return stage
  }

  private func point(_ lon: Int, id: Int) -> String {
    """
    {"type": "Feature", "id": \(id), "properties": {"name": "\(id)"},
     "geometry": {"type": "Point", "coordinates": [\(lon), 0]}}
    """
  }

  private func told(_ stage: Stage) -> [String] {
    stage.events.compactMap { event in
      switch event {
      case .sourceDataChanged(let source, let id): "\(source) \(id)"
      case .mapLoadingError(let problem): "\(problem.source ?? "?") \(problem.dataID ?? "?") \(problem.code)"
      default: nil
      }
    }
  }

  private func count(_ stage: Stage, _ source: String = "squares") throws -> Int {
    let question = try MapQuestion(
      try JSON.parse(Array(#"{"ask": "source-features", "source": "\#(source)"}"#.utf8)))
    guard case .features(let answer) = try stage.map.answer(question) else { return -1 }
    // One that lies in several tiles comes once for each.
    return Set(answer.features.map { $0.data.value(feature: $0.feature, named: "name")?.text }).count
  }

  @Test func dataTakesItsPlaceAndItsIdIsToldInOrder() throws {
    let stage = try stage()
    let map = try #require(stage.map)
    try map.loadData(.replace(source: "squares", Array(point(0, id: 1).utf8)), dataID: "a")
    try map.loadData(.update(source: "squares", Array(#"{"add": [\#(point(10, id: 2))]}"#.utf8)), dataID: "b")
    try map.loadData(.update(source: "squares", Array(#"{"remove": [1, 7]}"#.utf8)), dataID: "c")
    try map.loadData(.update(source: "squares", Array(#"{"add": [\#(point(20, id: 3))]}"#.utf8)), dataID: "d")
    #expect(told(stage) == [], "later than the calls return")
    stage.run()
    #expect(told(stage) == ["squares a", "squares b", "squares c", "squares d"])
    #expect(try count(stage) == 2)
    #expect(stage.events.last == .mapIdle)
  }

  @Test func dataThatCannotBeReadIsToldWithItsIdAndChangesNothing() throws {
    let stage = try stage()
    let map = try #require(stage.map)
    try map.loadData(.replace(source: "squares", Array("{\"type\": ".utf8)), dataID: "broken")
    try map.loadData(
      .update(source: "squares", Array(#"{"add": [{"type": "Feature"}]}"#.utf8)), dataID: "no id")
    try map.loadData(.replace(source: "squares", Array(point(0, id: 1).utf8)), dataID: "whole")
    stage.run()
    let told = told(stage)
    #expect(told.count == 3)
    #expect(told.first?.hasPrefix("squares broken ") == true)
    #expect(told.dropFirst().first?.hasPrefix("squares no id ") == true)
    #expect(told.last == "squares whole")
    #expect(try count(stage) == 1)
  }

  @Test func whatIsNoSourceOfDataIsRefusedAtOnce() throws {
    let stage = try stage()
    let map = try #require(stage.map)
    for (source, code) in [("nowhere", ErrorCode.notFound), ("pictures", .invalidArgument)] {
      do throws(NeatError) {
        try map.loadData(.replace(source: source, []), dataID: "")
        Issue.record("\(source) took data")
      } catch { #expect(error.code == code) }
    }
    for _ in 0..<LiveMap.dataLimit {
      try map.loadData(.update(source: "squares", Array("{}".utf8)), dataID: "")
    }
    #expect(throws: NeatError.self) {
      try map.loadData(.update(source: "squares", Array("{}".utf8)), dataID: "")
    }
    stage.run()
    #expect(told(stage).count == LiveMap.dataLimit)
  }

  @Test func anotherStyleAndAnotherSourceOfTheNameEndWhatIsOnItsWay() throws {
    let stage = try stage()
    let map = try #require(stage.map)
    try map.loadData(.replace(source: "squares", Array(point(0, id: 1).utf8)), dataID: "old")
    try map.setStyle(Array(LiveMapQuestionTests.style.utf8), base: "")
    stage.run()
    #expect(told(stage) == [])
    #expect(try count(stage) == 3)

    try map.loadData(.replace(source: "unused", Array(point(0, id: 1).utf8)), dataID: "gone")
    try map.edit { editor throws(NeatError) in
      try editor.removeSource("unused")
      try editor.addSource("unused", try JSON.parse(Array(#"{"type": "geojson", "data": "nowhere"}"#.utf8)))
    }
    stage.run()
    #expect(told(stage) == [])
  }

  @Test func aMapIsNotIdleBeforeItsDataIsThere() throws {
    let stage = try stage()
    let map = try #require(stage.map)
    try map.loadData(.replace(source: "squares", Array(point(0, id: 1).utf8)), dataID: "a")
    #expect(!map.isLoaded)
    stage.run()
    #expect(map.isLoaded)
    let idle = stage.events.lastIndex(of: .mapIdle)
    let there = stage.events.lastIndex(of: .sourceDataChanged("squares", dataID: "a"))
    #expect(try #require(there) < #require(idle))
  }

  @Test func anUpdateIsNotMadeToAnotherSourceOfTheName() throws {
    let stage = try stage()
    let core = try #require(stage.map.core)
    let old = core.number(ofSource: "squares")
    try stage.map.edit { editor throws(NeatError) in
      try editor.setSourceProperty("squares", "maxzoom", .number(5))
    }
    #expect(core.number(ofSource: "squares") != old)
    #expect(throws: NeatError.self) {
      try core.make(.update(source: "squares", Array(#"{"removeAll": true}"#.utf8)), number: old)
    }
    stage.run()
    #expect(try count(stage) == 3)
  }

  @Test func aHandlerMayDestroyTheMapAndHandInMore() throws {
    let stage = try stage()
    let map = try #require(stage.map)
    var count = 0
    stage.handle = { map, event in
      guard case .sourceDataChanged = event else { return }
      count += 1
      if count == 1 {
        try? map.loadData(.update(source: "squares", Array("{}".utf8)), dataID: "second")
      } else {
        map.destroy()
      }
    }
    try map.loadData(.update(source: "squares", Array("{}".utf8)), dataID: "first")
    stage.run()
    #expect(told(stage) == ["squares first", "squares second"])
  }
}
