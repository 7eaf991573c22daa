import NeatBase
import Testing

@testable import NeatMap

/// The order of events, as a table of facts: no loop, no style, no time.
@Suite struct MapLifecycleTests {
  private typealias Facts = MapLifecycle.Facts

  private func facts(_ change: (inout Facts) -> Void = { _ in }) -> Facts {
    var facts = Facts()
    change(&facts)
    return facts
  }

  /// The events of a turn, by the names that the header has for them.
  private func turn(_ lifecycle: inout MapLifecycle, _ facts: Facts) -> [MapEvent] {
    var events: [MapEvent] = []
    lifecycle.beginTurn()
    while let event = lifecycle.next(facts) { events.append(event) }
    return events
  }

  private let frame: [MapEvent] = [.renderFrameStarted, .renderFrameFinished(isComplete: true)]
  private let movingFrame: [MapEvent] = [
    .renderFrameStarted, .renderFrameFinished(isComplete: true, needsRepaint: true),
  ]
  private let partialFrame: [MapEvent] = [.renderFrameStarted, .renderFrameFinished(isComplete: false)]

  @Test func aStyleWithNothingToLoadIsThereAtOnce() {
    var lifecycle = MapLifecycle()
    let events = turn(&lifecycle, facts())
    #expect(events == [.styleDataLoaded(.sources), .styleLoaded] + frame + [.mapLoaded, .mapIdle])
    #expect(lifecycle.isStyleLoaded && lifecycle.isLoaded && lifecycle.isIdle && lifecycle.hasShown)
    #expect(turn(&lifecycle, facts()) == [], "an idle map says nothing")
  }

  @Test func partsOfTheStyleComeInOrder() {
    var lifecycle = MapLifecycle()
    var now = facts {
      ($0.hasSprite, $0.awaitsSprite, $0.awaitsMetadata, $0.awaitsAnything) = (true, true, true, true)
    }
    #expect(turn(&lifecycle, now) == [])
    // Sources wait for the sprite to be told.
    now.awaitsMetadata = false
    #expect(turn(&lifecycle, now) == [])
    now.awaitsSprite = false
    now.inlineSources = ["a", "b"]
    let parts: [MapEvent] = [
      .styleDataLoaded(.sprite), .sourceDataLoaded("a", tile: nil), .sourceDataLoaded("b", tile: nil),
      .styleDataLoaded(.sources), .styleLoaded,
    ]
    #expect(turn(&lifecycle, now) == parts + partialFrame)
    #expect(turn(&lifecycle, now) == partialFrame, "every turn on the way is a frame")
    now.awaitsAnything = false
    #expect(turn(&lifecycle, now) == frame + [.mapLoaded, .mapIdle])
  }

  @Test func aMapThatMovesIsLoadedAndNotIdle() {
    var lifecycle = MapLifecycle()
    let moving = facts { $0.isMoving = true }
    #expect(turn(&lifecycle, moving).suffix(1) == [.mapLoaded])
    #expect(turn(&lifecycle, moving) == movingFrame)
    #expect(turn(&lifecycle, facts()) == frame + [.mapIdle])
    lifecycle.wake()
    #expect(turn(&lifecycle, facts()) == frame + [.mapIdle], "it is loaded once")
  }

  @Test func aFrameSaysWhetherAnotherIsDueAndWhetherLabelsChanged() {
    var lifecycle = MapLifecycle()
    let changed = facts { ($0.isPlacementChanged, $0.isTurnDue) = (true, true) }
    #expect(
      turn(&lifecycle, changed).contains(
        .renderFrameFinished(isComplete: true, needsRepaint: true, isPlacementChanged: true)))
    let waiting = facts { $0.awaitsAnything = true }
    #expect(turn(&lifecycle, waiting) == partialFrame, "what is to come brings its own frame")
  }

  @Test func aTurnThatIsDueKeepsAMapFromBeingIdle() {
    var lifecycle = MapLifecycle()
    #expect(turn(&lifecycle, facts { $0.isTurnDue = true }).suffix(1) == [.mapLoaded])
    // A handler of mapLoaded that changes something: what comes next is asked with the facts of then.
    lifecycle = MapLifecycle()
    lifecycle.beginTurn()
    var seen: [MapEvent] = []
    var now = facts()
    while let event = lifecycle.next(now) {
      seen.append(event)
      if event == .mapLoaded { now.isTurnDue = true }
    }
    #expect(seen.last == .mapLoaded && !lifecycle.isIdle)
  }

  @Test func missingImagesAreToldOnce() {
    var lifecycle = MapLifecycle()
    var now = facts { ($0.missingImages, $0.namedImages) = (["b", "a"], ["a", "b", "c"]) }
    let told = turn(&lifecycle, now).filter { if case .styleImageMissing = $0 { true } else { false } }
    #expect(told == [.styleImageMissing("a"), .styleImageMissing("b")])
    lifecycle.wake()
    #expect(turn(&lifecycle, now) == frame + [.mapIdle])
    // Supplied, then named by nobody: told to be unused, once.
    lifecycle.supplyImage("a")
    lifecycle.supplyImage("never told")
    now.missingImages = ["b"]
    lifecycle.wake()
    #expect(turn(&lifecycle, now) == frame + [.mapIdle])
    now.namedImages = ["b", "c"]
    lifecycle.wake()
    #expect(turn(&lifecycle, now) == [.styleImageRemoveUnused("a")] + frame + [.mapIdle])
    lifecycle.wake()
    #expect(turn(&lifecycle, now) == frame + [.mapIdle])
    // Missing anew.
    now.missingImages = ["a", "b"]
    lifecycle.wake()
    #expect(turn(&lifecycle, now) == [.styleImageMissing("a")] + frame + [.mapIdle])
  }

  @Test func aPictureBesidesTheFramesShowsTheStyle() {
    var lifecycle = MapLifecycle()
    #expect(!lifecycle.hasShown)
    lifecycle.show()
    #expect(lifecycle.hasShown && !lifecycle.isLoaded)
  }

  /// Whatever the facts are: styleLoaded once and before every frame, mapLoaded once and after a complete
  /// frame, mapIdle last in its turn.
  @Test func randomFactsKeepTheOrder() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var lifecycle = MapLifecycle()
      var events: [MapEvent] = []
      for _ in 0..<6 {
        let now = facts {
          $0.hasSprite = Bool.random(using: &random)
          $0.awaitsSprite = Bool.random(using: &random)
          $0.awaitsMetadata = Bool.random(using: &random)
          $0.awaitsAnything = $0.awaitsSprite || $0.awaitsMetadata || Bool.random(using: &random)
          $0.isMoving = Bool.random(using: &random)
          $0.isTurnDue = Bool.random(using: &random)
          $0.missingImages = Bool.random(using: &random) ? ["x"] : []
        }
        if Bool.random(using: &random) { lifecycle.wake() }
        let turn = turn(&lifecycle, now)
        if let idle = turn.firstIndex(of: .mapIdle) { #expect(idle == turn.count - 1) }
        events += turn
      }
      #expect(events.count { $0 == .styleLoaded } <= 1 && events.count { $0 == .mapLoaded } <= 1)
      if let first = events.firstIndex(of: .renderFrameStarted) {
        #expect(events.firstIndex(of: .styleLoaded).map { $0 < first } == true)
      }
      if let loaded = events.firstIndex(of: .mapLoaded) {
        guard case .renderFrameFinished(isComplete: true, _, _) = events[loaded - 1] else {
          Issue.record("\(events[loaded - 1]) before mapLoaded")
          continue
        }
      }
    }
  }
}
