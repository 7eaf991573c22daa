import Testing

@testable import NeatMap

/// How an adaptive compass comes and goes.
@Suite struct CompassFadeTests {
  @Test func northHidesIt() {
    for bearing in [0, 360, -720, 0.0005, 359.9995] { #expect(!CompassFade.isWanted(bearing: bearing)) }
    for bearing in [0.002, -0.002, 359, 180, 36_000 + 1.0] { #expect(CompassFade.isWanted(bearing: bearing)) }
  }

  @Test func whereNobodyLooksItIsThereAtOnce() {
    var fade = CompassFade()
    fade.lead(to: true, isWatched: false)
    #expect(fade.opacity == 1 && !fade.isMoving && fade.isShown)
    fade.lead(to: false, isWatched: false)
    #expect(fade.opacity == 0 && !fade.isMoving)
  }

  @Test func itTakesThreeHundredMillisecondsFromItsFirstFrame() {
    var fade = CompassFade()
    fade.lead(to: true, isWatched: true)
    fade.advance(toMS: 5000)
    #expect(fade.opacity == 0 && fade.isMoving)
    fade.advance(toMS: 5150)
    #expect(abs(fade.opacity - 0.5) < 1e-9)
    fade.advance(toMS: 5299)
    #expect(fade.opacity > 0.99 && fade.opacity < 1 && fade.isMoving)
    fade.advance(toMS: 5300)
    #expect(fade.opacity == 1 && !fade.isMoving)
    fade.advance(toMS: 9000)
    #expect(fade.opacity == 1)
  }

  @Test func turnedBackHalfwayItGoesFromWhereItIs() {
    var fade = CompassFade()
    fade.lead(to: true, isWatched: true)
    fade.advance(toMS: 0)
    fade.advance(toMS: 150)
    fade.lead(to: false, isWatched: true)
    fade.advance(toMS: 160)
    #expect(abs(fade.opacity - 0.5) < 1e-9, "nothing jumps")
    fade.advance(toMS: 310)
    #expect(fade.opacity == 0 && !fade.isMoving)
  }

  @Test func leadingWhereItLeadsChangesNothing() {
    var fade = CompassFade()
    fade.lead(to: true, isWatched: true)
    fade.advance(toMS: 0)
    fade.advance(toMS: 100)
    let before = fade
    fade.lead(to: true, isWatched: true)
    #expect(fade == before)
    // A clock that goes back shows nothing that was not there.
    fade.advance(toMS: -1000)
    #expect((0...1).contains(fade.opacity))
  }
}
