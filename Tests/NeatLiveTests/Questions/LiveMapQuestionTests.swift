import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import Testing

@testable import NeatLive

/// What a map is asked, at once and by workers.
@Suite struct LiveMapQuestionTests {
  /// Squares to the top left, in the middle and to the bottom right of a view of 45 degrees, and clustered points.
  static let style = """
    {"version": 8, "center": [0, 0], "zoom": 0, "sources": {
      "squares": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": 1, "properties": {"name": "west"}, "geometry": {"type": "Polygon",
         "coordinates": [[[-18, 8], [-10, 8], [-10, 14], [-18, 14], [-18, 8]]]}},
        {"type": "Feature", "id": 2, "properties": {"name": "middle"}, "geometry": {"type": "Polygon",
         "coordinates": [[[-3, -3], [3, -3], [3, 3], [-3, 3], [-3, -3]]]}},
        {"type": "Feature", "id": 3, "properties": {"name": "east"}, "geometry": {"type": "Polygon",
         "coordinates": [[[10, -14], [18, -14], [18, -8], [10, -8], [10, -14]]]}}]}},
      "points": {"type": "geojson", "cluster": true, "clusterMaxZoom": 4, "data": {"type": "FeatureCollection",
       "features": [
        {"type": "Feature", "id": 11, "properties": {}, "geometry": {"type": "Point", "coordinates": [5, 18]}},
        {"type": "Feature", "id": 12, "properties": {}, "geometry": {"type": "Point", "coordinates": [5.1, 18]}},
        {"type": "Feature", "id": 13, "properties": {}, "geometry": {"type": "Point", "coordinates": [5.2, 18]}}]}},
      "unused": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}},
      "pictures": {"type": "raster", "tiles": []}},
     "layers": [
      {"id": "fill", "type": "fill", "source": "squares", "paint": {"fill-color": "red"}},
      {"id": "dots", "type": "circle", "source": "points"}]}
    """

  private func stage(_ style: String = LiveMapQuestionTests.style) throws -> Stage {
    let stage = try Stage()
    try stage.map.setStyle(Array(style.utf8), base: "")
    stage.run()
    return stage
  }

  private func question(_ text: String) throws(NeatError) -> MapQuestion {
    try MapQuestion(try JSON.parse(Array(text.utf8)))
  }

  private func names(_ answer: MapAnswer) -> [String] {
    guard case .features(let answer) = answer else { return [] }
    return answer.features.map { feature in
      feature.data.value(feature: feature.feature, named: "name")?.text ?? "?"
    }
  }

  @Test func aPolygonMeetsWhatItCoversAndNothingElseOfItsBox() throws {
    let stage = try stage()
    let all = try stage.map.answer(question(#"{"ask": "rendered-features", "layers": ["fill"]}"#))
    #expect(Set(names(all)) == ["west", "middle", "east"])
    let triangle = try stage.map.answer(
      question(
        #"{"ask": "rendered-features", "layers": ["fill"], "polygon": [[0, 0], [64, 0], [0, 64]]}"#))
    #expect(Set(names(triangle)) == ["west", "middle"], "east is right of the diagonal")
    let box = try stage.map.answer(
      question(#"{"ask": "rendered-features", "layers": ["fill"], "box": [[0, 0], [64, 64]], "limit": 2}"#))
    #expect(names(box).count == 2)
  }

  @Test func aSourceIsAskedForAllItHasInTheView() throws {
    let stage = try stage()
    let all = try stage.map.answer(question(#"{"ask": "source-features", "source": "squares"}"#))
    #expect(Set(names(all)) == ["west", "middle", "east"])
    let some = try stage.map.answer(
      question(
        #"{"ask": "source-features", "source": "squares", "filter": ["==", ["get", "name"], "east"]}"#))
    #expect(Set(names(some)) == ["east"])
    #expect(names(try stage.map.answer(question(#"{"ask": "source-features", "source": "unused"}"#))) == [])
  }

  @Test func questionsThatCannotBeAnsweredSayWhy() throws {
    let stage = try stage()
    for (text, code) in [
      (#"{"ask": "source-features", "source": "nowhere"}"#, ErrorCode.notFound),
      (#"{"ask": "source-features", "source": "pictures"}"#, .invalidArgument),
      (#"{"ask": "source-features"}"#, .invalidArgument),
      (#"{"ask": "source-features", "source": "squares", "report": 1}"#, .invalidArgument),
      (#"{"ask": "source-features", "source": "squares", "filter": ["nonsense"]}"#, .expression),
      (#"{"ask": "source-features", "source": "squares", "sourceLayers": "a"}"#, .invalidArgument),
      (#"{"ask": "rendered-features", "point": [1, 2], "box": [[0, 0], [1, 1]]}"#, .invalidArgument),
      (#"{"ask": "rendered-features", "point": [1]}"#, .invalidArgument),
      (#"{"ask": "rendered-features", "point": [1, 1e999]}"#, .invalidArgument),
      (#"{"ask": "rendered-features", "polygon": [[0, 0], [1, 1]]}"#, .invalidArgument),
      (#"{"ask": "rendered-features", "box": [0, 0, 1, 1]}"#, .invalidArgument),
      (#"{"ask": "rendered-features", "limit": 0}"#, .invalidArgument),
      (#"{"ask": "rendered-features", "colour": 0}"#, .invalidArgument),
      (#"{"ask": "feature-state", "source": "squares"}"#, .invalidArgument),
      (#"{"ask": "feature-state", "source": "nowhere", "id": 1}"#, .notFound),
      (#"{"ask": "cluster-leaves", "source": "points", "cluster": 1, "limit": -1}"#, .invalidArgument),
      (#"{"ask": "cluster-children", "source": "points", "cluster": 1e300}"#, .notFound),
      (#"{"ask": "cluster-children", "source": "points", "cluster": 1}"#, .notFound),
      (#"{"ask": "cluster-children", "source": "squares", "cluster": 1}"#, .invalidArgument),
      (#"{"ask": "the time"}"#, .invalidArgument), (#"[]"#, .invalidArgument), (#"{}"#, .invalidArgument),
    ] {
      do throws(NeatError) {
        _ = try stage.map.answer(try question(text))
        Issue.record("\(text) was answered")
      } catch { #expect(error.code == code, "\(text): \(error)") }
    }
    let many = (0...MapQuestion.polygonLimit).map { "[\($0), 0]" }.joined(separator: ",")
    #expect(throws: NeatError.self) { try question(#"{"ask": "rendered-features", "polygon": [\#(many)]}"#) }
  }

  @Test func clustersAndStatesOfALiveSourceAreAskedFor() throws {
    let stage = try stage()
    guard
      case .features(let found) = try stage.map.answer(
        question(#"{"ask": "rendered-features", "layers": ["dots"]}"#)), let cluster = found.features.first,
      let id = cluster.data.value(feature: cluster.feature, named: "cluster_id")?.number
    else {
      Issue.record("no cluster")
      return
    }
    let number = Int(exactly: id) ?? 0
    guard
      case .clusters(let leaves, _) = try stage.map.answer(
        question(#"{"ask": "cluster-leaves", "source": "points", "cluster": \#(number), "offset": 1}"#)),
      case .clusters(let children, _) = try stage.map.answer(
        question(#"{"ask": "cluster-children", "source": "points", "cluster": \#(number)}"#)),
      case .zoom(let zoom) = try stage.map.answer(
        question(#"{"ask": "cluster-expansion-zoom", "source": "points", "cluster": \#(number)}"#))
    else {
      Issue.record("no answer")
      return
    }
    #expect(leaves.count == 2)
    #expect(children.count == 3, "at the zoom where it falls apart")
    #expect(zoom == 5, "clusterMaxZoom is 4")

    let target = try JSON.parse(Array(#"{"source": "squares", "id": 2}"#.utf8))
    try stage.map.setFeatureState(target, try JSON.parse(Array(#"{"hover": true}"#.utf8)))
    guard
      case .state(let state) = try stage.map.answer(
        question(#"{"ask": "feature-state", "source": "squares", "id": 2}"#)),
      case .state(let none) = try stage.map.answer(
        question(#"{"ask": "feature-state", "source": "squares", "id": 3}"#))
    else {
      Issue.record("no state")
      return
    }
    #expect(state.count == 1 && state["hover"] == .bool(true))
    #expect(none.isEmpty)
  }

  @Test func aWorkerAnswersOnceLaterAndOnTheLoop() throws {
    let stage = try stage()
    var answers: [Result<[UInt8], NeatError>] = []
    _ = try stage.map.ask(
      question(#"{"ask": "source-features", "source": "squares"}"#),
      writing: { "\(Set(names($0)).count)".utf8.map { $0 } }
    ) { answers.append($0) }
    #expect(answers.isEmpty, "later than the call returns")
    stage.run()
    #expect(answers.count == 1)
    #expect(try answers.first?.get() == Array("3".utf8))
  }

  @Test func aCancelledQuestionIsNotAnsweredAndTheEndOfTheMapCancelsTheOthers() throws {
    let stage = try stage()
    var heard: [String] = []
    func ask(_ name: String) throws -> UInt64 {
      try stage.map.ask(question(#"{"ask": "rendered-features"}"#), writing: { _ in [] }) { answer in
        if case .failure(let error) = answer {
          heard.append("\(name) \(error.code)")
        } else {
          heard.append(name)
        }
      }
    }
    let first = try ask("first")
    _ = try ask("second")
    stage.map.cancelQuestion(first)
    stage.map.cancelQuestion(first)
    stage.map.cancelQuestion(77)
    stage.map.destroy()
    #expect(heard == ["second cancelled"])
    stage.run()
    #expect(heard == ["second cancelled"])
  }

  @Test func aCompletionMayEndTheMapAndAskAgain() throws {
    let stage = try stage()
    var heard = 0
    let map = try #require(stage.map)
    _ = try map.ask(question(#"{"ask": "rendered-features"}"#), writing: { _ in [] }) { _ in
      heard += 1
      _ = try? map.ask(question(#"{"ask": "rendered-features"}"#), writing: { _ in [] }) { answer in
        heard += 1
        if case .failure(let error) = answer { #expect(error.code == .cancelled) }
      }
      map.destroy()
    }
    stage.run()
    #expect(heard == 2)
  }

  @Test func thereIsALimitOfQuestionsUnderWay() throws {
    let stage = try stage()
    var count = 0
    for _ in 0..<LiveMap.questionLimit {
      _ = try stage.map.ask(
        question(#"{"ask": "feature-state", "source": "squares", "id": 1}"#), writing: { _ in [] }
      ) { _ in
        count += 1
      }
    }
    #expect(throws: NeatError.self) {
      try stage.map.ask(question(#"{"ask": "rendered-features"}"#), writing: { _ in [] }) { _ in count += 1 }
    }
    stage.run()
    #expect(count == LiveMap.questionLimit)
  }

  @Test func beforeThereIsAStyleNothingIsAnswered() throws {
    let stage = try Stage()
    #expect(throws: NeatError.self) { try stage.map.answer(question(#"{"ask": "rendered-features"}"#)) }
    #expect(throws: NeatError.self) {
      try stage.map.ask(question(#"{"ask": "rendered-features"}"#), writing: { _ in [] }) { _ in }
    }
  }
}
