import Neatline
import Testing

/// A loop inside a host's own: polled, never waited for.
struct EventLoopTests {
  private static let style =
    #"{"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}"#

  @Test func pollingAnIdleLoopLeavesNothing() throws {
    #expect(try EventLoop().poll() == false)
  }

  @Test func pollingLoadsAMap() throws {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 8, height: 8)
    try map.setStyle(json: Self.style)
    var rounds = 0
    while loop.poll(), rounds < 1_000_000 { rounds += 1 }
    #expect(map.isLoaded)
  }

  @Test func pollingDoesNotWaitForAnAnimation() throws {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 8, height: 8)
    try map.setStyle(json: Self.style)
    loop.run(timeout: 10_000)
    var camera = Camera()
    camera.zoom = 4
    try map.ease(to: camera, duration: 60)
    let start = ContinuousClock.now
    #expect(loop.poll(), "the animation is under way")
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(try map.camera.zoom < 4)
  }
}
