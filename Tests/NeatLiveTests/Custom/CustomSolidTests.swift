import NeatBase
import NeatCamera
import NeatMap
import NeatRaster
import NeatTestSupport
import Testing

@testable import NeatLive

private let red = SIMD4<Float>(1, 0, 0, 1)
private let green = SIMD4<Float>(0, 1, 0, 1)

/// Triangles of an application's that stand in the scene.
@Suite struct CustomSolidTests {
  private static let house =
    #"{"type":"Polygon","coordinates":[[[-10,-10],[10,-10],[10,10],[-10,10],[-10,-10]]]}"#

  private func style(_ root: String = "") -> [UInt8] {
    Array(
      ##"""
      {"version":8,\##(root)"sources":{"s":{"type":"geojson","data":\##(Self.house)}},"layers":[
      {"id":"ground","type":"background","paint":{"background-color":"#00f"}},
      {"id":"house","type":"fill-extrusion","source":"s","paint":{"fill-extrusion-color":"#fff",
      "fill-extrusion-height":1000000}}]}
      """##.utf8)
  }

  private func stage(_ camera: Camera, _ root: String = "", threads: Int = 1) throws -> Stage {
    let stage = try Stage { $0.threadCount = threads }
    try stage.map.setStyle(style(root), base: "")
    try stage.map.setCamera(camera)
    stage.run()
    return stage
  }

  /// A flat square around a place, so many metres above the ground.
  private func square(
    _ target: CustomTarget, lon: Double = 0, height: Double, _ color: SIMD4<Float>, half: Double = 5,
    isReversed: Bool = false, isCulled: Bool = false
  ) throws(NeatError) {
    let corners = [
      LonLat(lon - half, -half), LonLat(lon + half, -half), LonLat(lon + half, half),
      LonLat(lon - half, half),
    ].map { CustomVertex($0, height: height, color) }
    // Counterclockwise from above.
    let indices: [UInt32] = [0, 1, 2, 0, 2, 3]
    try target.drawSolid(corners, isReversed ? indices.reversed() : indices, isCulled: isCulled)
  }

  private func pixels(_ stage: Stage, _ draw: @escaping (CustomTarget) throws(NeatError) -> Void) throws
    -> [UInt32]
  {
    let painter = Painter()
    painter.onRender = draw
    try stage.map.addCustomLayer("own", .top, painter.host)
    let picture = try stage.map.draw()
    #expect(picture.report.entries.isEmpty)
    let bitmap = picture.bitmap
    return withExtendedLifetime(bitmap) { (0..<64 * 64).map { bitmap.pixels[$0] } }
  }

  private let globe = #""projection":{"type":"globe"},"#
  private let far = Camera(center: LonLat(0, 0), zoom: -1)
  private let middle = 32 * 64 + 32
  private let above = Camera(center: LonLat(0, 0), zoom: 0)

  @Test func theNearestShowsWhateverTheOrder() throws {
    for isFirst in [true, false] {
      let seen = try pixels(try stage(above)) { target throws(NeatError) in
        if isFirst { try square(target, height: 3_000_000, red) }
        try square(target, height: 2_000_000, green)
        if !isFirst { try square(target, height: 3_000_000, red) }
      }
      #expect(seen[middle] == 0xFF00_00FF)
    }
  }

  @Test(arguments: [1, 3]) func theyHideBuildingsAndAreHiddenByThem(threads: Int) throws {
    let over = try pixels(try stage(above, threads: threads)) { target throws(NeatError) in
      try square(target, height: 2_000_000, red)
    }
    #expect(over[middle] == 0xFF00_00FF)
    let within = try pixels(try stage(above, threads: threads)) { target throws(NeatError) in
      try square(target, height: 500_000, red)
    }
    #expect(!within.contains(0xFF00_00FF) && within[middle] != 0xFFFF_0000)
  }

  @Test func theyLookTheSameWithOneThreadAndMany() throws {
    let view = Camera(center: LonLat(0, 0), zoom: 1, bearing: 30, pitch: 60)
    let pictures = try [1, 2, 3].map { threads in
      try pixels(try stage(view, threads: threads)) { target throws(NeatError) in
        try square(target, lon: 8, height: 800_000, red, half: 12)
      }
    }
    #expect(pictures[0].contains(0xFF00_00FF) && pictures[0] == pictures[1] && pictures[0] == pictures[2])
  }

  @Test func whatStandsAboveInTheStyleIsHiddenToo() throws {
    let stage = try stage(above)
    let painter = Painter()
    painter.onRender = { target throws(NeatError) in try square(target, height: 2_000_000, red) }
    try stage.map.addCustomLayer("own", .below("house"), painter.host)
    let bitmap = try stage.map.draw().bitmap
    withExtendedLifetime(bitmap) { #expect(bitmap.pixels[middle] == 0xFF00_00FF) }
  }

  @Test func facesThatAreSeenFromBehindCanBeLeftOut() throws {
    for isReversed in [false, true] {
      let seen = try pixels(try stage(above)) { target throws(NeatError) in
        try square(target, height: 2_000_000, red, isReversed: isReversed, isCulled: true)
      }
      #expect((seen[middle] == 0xFF00_00FF) == !isReversed)
    }
  }

  @Test func aGlobeHidesWhatStandsBehindIt() throws {
    for (lon, isSeen) in [(20.0, true), (180, false)] {
      let seen = try pixels(try stage(far, globe)) { target throws(NeatError) in
        try square(target, lon: lon, height: 1_500_000, red)
      }
      #expect(seen.contains(0xFF00_00FF) == isSeen, "\(lon)")
    }
  }

  /// Behind the horizon, which is 25 degrees to the east, but higher than it.
  @Test func whatRisesOverTheHorizonIsSeen() throws {
    let east = Camera(center: LonLat(0, 0), zoom: 0, bearing: 90, pitch: 60)
    for (height, isSeen) in [(0.0, false), (4_000_000, true)] {
      let seen = try pixels(try stage(east, globe)) { target throws(NeatError) in
        try square(target, lon: 60, height: height, red)
      }
      #expect(seen.contains(0xFF00_00FF) == isSeen, "\(height)")
    }
  }

  @Test func framesHaveThemAsCommandsOfTheirOwn() throws {
    let stage = try stage(above)
    let painter = Painter()
    painter.onRender = { target throws(NeatError) in
      try square(target, height: 2_000_000, red)
      try square(target, height: 2_000_000, red, isReversed: true, isCulled: true)
    }
    try stage.map.addCustomLayer("own", .top, painter.host)
    let kinds = try stage.map.meshFrame().commands.map(\.kind)
    #expect(kinds.suffix(2) == [.custom, .customSolid])
  }

  @Test func nothingIsDrawnOutsideOfTheCallback() throws {
    let target = CustomTarget()
    #expect(throws: NeatError.self) { try target.drawSolid([], [], isCulled: false) }
  }
}
