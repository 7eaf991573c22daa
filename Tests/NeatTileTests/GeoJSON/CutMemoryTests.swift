import NeatBase
import Testing

@testable import NeatTile

/// What cutting takes of memory, whatever the lines do.
@Suite struct CutMemoryTests {
  @Test func aLineThatLeavesAStripeAgainAndAgainTakesMemoryForItsPointsOnly() throws {
    // Every tooth crosses the world: every other point lies in another tile.
    let teeth = 300_000
    var text = #"{"type":"LineString","coordinates":["#
    for tooth in 0..<teeth { text += (tooth == 0 ? "" : ",") + "[-90,\(tooth % 80)],[90,\(tooth % 80)]" }
    let index = try GeoJSONIndex(GeoJSONData(parsing: Array((text + "]}").utf8)))
    let before = peakBytes()
    try #require(before > 0)
    _ = index.tile(TileID(z: 1, x: 0, y: 0))
    // A block of a mebibyte for each of the last teeth would be 38 GB of addresses. Other tests run beside this one and take some too.
    #expect(peakBytes() - before < 16 << 30)
  }

  /// The most addresses that the process had.
  private func peakBytes() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, 256, file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix("VmPeak:") { return (Int(text.filter { $0.isNumber }) ?? 0) << 10 }
    }
    return 0
  }
}
