import NeatBase
import Testing

@testable import NeatCamera

@Suite struct GlobeGestureTests {
  private static let cameras = [
    Camera(center: LonLat(10, 20), zoom: 2.5),
    Camera(center: LonLat(-170, -55), zoom: 3, bearing: 70, pitch: 30),
    Camera(center: LonLat(0, 80), zoom: 2),
  ]

  private func player(_ camera: Camera) -> Player {
    var player = Player(camera)
    player.recognizer.limits = CameraLimits().on(.globe)
    return player
  }

  private func view(_ player: Player) throws -> CameraView {
    try CameraView(camera: player.camera, size: player.size, projection: .globe)
  }

  private func expect(_ player: Player, shows place: LonLat, at point: SIMD2<Double>) throws {
    let seen = try #require(try view(player).point(of: place))
    #expect(length(seen - point) < 0.01, "\(seen) for \(point)")
  }

  private func radius(_ player: Player) -> Double { GlobeView(player.camera, player.size).radius }

  @Test(arguments: cameras) func aPanTurnsTheGlobe(_ camera: Camera) throws {
    var player = player(camera)
    let before = radius(player)
    let held = try #require(try view(player).place(at: SIMD2(420, 320)).place)
    try player.pointer(.down, 420, 320, at: 0)
    // From where fingers do not hold still any more.
    for step in 3...20 {
      let point = SIMD2(420 - 3 * Double(step), 320 + 2 * Double(step))
      try player.pointer(.move, point.x, point.y, at: Double(step) * 8)
      // As far as the centre may go to the north.
      if abs(player.camera.center.lat) < Mercator.maxLatitude { try expect(player, shows: held, at: point) }
      #expect(abs(radius(player) / before - 1) < 1e-9)
    }
    #expect(player.camera.bearing == camera.bearing && player.camera != camera)
  }

  @Test func aPanStopsAtThePole() throws {
    var player = player(Camera(center: LonLat(0, 60), zoom: 1))
    try player.pointer(.down, 400, 300, at: 0)
    var last = 60.0
    for y in stride(from: 310.0, through: 590, by: 10) {
      try player.pointer(.move, 400, y, at: y)
      #expect(player.camera.center.lat >= last - 1e-9 && abs(player.camera.center.lon) < 1e-6, "\(y)")
      last = player.camera.center.lat
    }
    #expect(abs(last - Mercator.maxLatitude) < 1e-9)
  }

  @Test func boundsOverThe180thMeridianAreKept() throws {
    var player = player(Camera(center: LonLat(175, 0), zoom: 3))
    player.recognizer.limits.bounds = ViewBounds(west: 170, south: -50, east: -170, north: 50)
    try player.drag(from: SIMD2(500, 300), to: SIMD2(370, 300), at: 0, takingMS: 100, restMS: 500)
    #expect(player.camera.center.lon > -180 && player.camera.center.lon < -170)
    try player.drag(from: SIMD2(420, 300), to: SIMD2(100, 300), at: 1000, takingMS: 100, restMS: 500)
    #expect(abs(player.camera.center.lon + 170) < 1e-9)
  }

  @Test func twoFingersTurnASmallGlobeWithoutItsGrowing() throws {
    var player = player(Camera(center: LonLat(0, 0), zoom: 1))
    let before = radius(player)
    try player.fingers(
      from: (SIMD2(400, 260), SIMD2(400, 340)), to: (SIMD2(420, 320), SIMD2(420, 400)), at: 0, takingMS: 300)
    #expect(player.camera.center.lat > 10 && abs(radius(player) / before - 1) < 1e-9)
  }

  @Test func aPanDoesNotBeginBesideTheGlobe() throws {
    var player = player(Camera(center: LonLat(0, 0), zoom: 1))
    try player.drag(from: SIMD2(20, 20), to: SIMD2(300, 300), at: 0, takingMS: 100)
    #expect(player.story.isEmpty)
    // What is drawn over its edge stays at it.
    try player.drag(from: SIMD2(400, 300), to: SIMD2(790, 300), at: 1000, takingMS: 100, restMS: 500)
    #expect(player.story == ["began pan 400.0 300.0", "ended pan"])
    #expect(player.camera.center.lon < -60 && player.camera.center.lon > -100)
  }

  @Test(arguments: cameras) func aPinchKeepsTheGroundBetweenTheFingers(_ camera: Camera) throws {
    var player = player(camera)
    let middle = SIMD2(430.0, 330)
    let held = try #require(try view(player).place(at: middle).place)
    try player.fingers(
      from: (middle - SIMD2(40, 0), middle + SIMD2(40, 0)),
      to: (middle - SIMD2(80, 0), middle + SIMD2(80, 0)),
      at: 0, takingMS: 300)
    try expect(player, shows: held, at: middle)
    #expect(abs(radius(player) / GlobeView(camera, player.size).radius - 2) < 1e-6)
  }

  @Test(arguments: cameras) func theWheelKeepsTheGroundUnderIt(_ camera: Camera) throws {
    var player = player(camera)
    let point = SIMD2(370.0, 290)
    let held = try #require(try view(player).place(at: point).place)
    try player.wheel(point.x, point.y, -300, at: 0)
    for time in stride(from: 10.0, through: 400, by: 10) { try player.frame(at: time) }
    try expect(player, shows: held, at: point)
    #expect(radius(player) > GlobeView(camera, player.size).radius * 1.1)
  }

  @Test func aGlideGoesOnAndEnds() throws {
    var player = player(Camera(center: LonLat(175, 10), zoom: 2))
    try player.drag(from: SIMD2(500, 300), to: SIMD2(420, 290), at: 0, takingMS: 100)
    let (before, first) = (radius(player), player.camera.center.lon)
    #expect(player.recognizer.isAnimating)
    var last = first
    for time in stride(from: 110.0, through: 5000, by: 16) {
      try player.frame(at: time)
      #expect(abs(radius(player) / before - 1) < 1e-9)
      #expect(Angle.wrapped(player.camera.center.lon - last) >= 0)
      last = player.camera.center.lon
    }
    #expect(!player.recognizer.isAnimating && Angle.wrapped(last - first) > 5)
  }

  @Test func anyDragLeavesACamera() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      var player = player(
        Camera(
          center: LonLat(.random(in: -180...180, using: &random), .random(in: -85...85, using: &random)),
          zoom: .random(in: 0...10, using: &random), bearing: .random(in: -180...180, using: &random),
          pitch: .random(in: 0...85, using: &random)))
      var time = 0.0
      for _ in 0..<4 {
        func point() -> SIMD2<Double> {
          SIMD2(.random(in: -200...1000, using: &random), .random(in: -200...800, using: &random))
        }
        try player.drag(from: point(), to: point(), at: time, takingMS: 90)
        try player.wheel(point().x, point().y, .random(in: -500...500, using: &random), at: time + 100)
        for _ in 0..<8 {
          time += 60
          try player.frame(at: time + 100)
        }
        time += 500
      }
      _ = try player.camera.checked()
    }
  }
}
