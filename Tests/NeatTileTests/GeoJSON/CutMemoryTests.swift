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
    let before = processBytes(.peakAddresses)
    try #require(before > 0)
    _ = index.tile(TileID(z: 1, x: 0, y: 0))
    // A block of a mebibyte for each of the last teeth would be 38 GB of addresses. Other tests run beside
    // this one and take some too.
    #expect(processBytes(.peakAddresses) - before < 16 << 30)
  }
}
