import NeatBase
import NeatCamera
import NeatMap
import NeatStyle
import NeatTestSupport
import Testing

/// Ten seconds over Innsbruck in osm-bright.
@Suite struct LabelStabilityTests {
  private static let size = ViewSize(width: 1024, height: 768)

  private func film() throws -> LabelFilm {
    let path = try #require(SharedFiles.path("data/styles/osm-bright.json"))
    let style = try Style(parsing: try #require(SharedFiles.read(path)))
    return try LabelFilm(style, base: path, size: Self.size)
  }

  /// Along a rounded way, in and out, around: as `neatline-bench pan` goes.
  private static func journey(_ seconds: Double) -> Camera {
    let turn = seconds / 10 * 2 * .pi
    return Camera(
      center: LonLat(11.394 + 0.02 * sin(turn), 47.267 + 0.008 * sin(2 * turn)),
      zoom: 14 + 1.2 * sin(turn * 1.5), bearing: 40 * sin(turn))
  }

  /// Frames of ten seconds, 20 a second.
  /// - Parameter delay: seconds by which tiles come late.
  private func shots(delay: Double, seconds: Int = 10, _ camera: (Double) -> Camera) throws -> [LabelFilm
    .Shot]
  {
    var film = try film()
    try film.load(camera(0))
    return try (0...seconds * 20).map { number in
      let time = Double(number) / 20
      try film.load(camera(max(0, time - delay)))
      return try film.shoot(camera(time), atMS: 1000 + time * 1000)
    }
  }

  private static let hasTiles = SharedFiles.path("data/tiles/innsbruck.mbtiles") != nil

  @Test(.enabled(if: hasTiles, "needs the shared data"), arguments: [0, 0.25])
  func labelsThatStandDoNotBlink(delay: Double) throws {
    let shots = try shots(delay: delay, Self.journey)
    let faults = LabelFaults(shots, Self.size)
    print("\(faults.followed) labels followed, \(faults.blinks) blinks, jump of \(faults.jump) px")
    #expect(faults.blinks == 0, "\(faults.examples.prefix(5).joined(separator: "\n"))")
    #expect(faults.followed > 1000)
    // A tile that takes over has its own place for a label: within two cells of 2 px, at the coarser tile's zoom.
    #expect(faults.jump < 16)
    let times = shots.filter(\.isPlaced).map(\.timeMS)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 300 } && times.count > 30)
  }

  @Test(.enabled(if: hasTiles, "needs the shared data")) func labelsStayAtTheirPlaceWhileTheMapPans() throws {
    let shots = try shots(delay: 0, seconds: 4) {
      Camera(center: LonLat(11.38 + 0.006 * $0, 47.267), zoom: 15.3, bearing: 20)
    }
    let faults = LabelFaults(shots, Self.size)
    #expect(
      faults.blinks == 0 && faults.followed > 500, "\(faults.examples.prefix(5).joined(separator: "\n"))")
    #expect(faults.jump < 1e-6)
  }
}
