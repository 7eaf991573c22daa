import NeatBase
import Testing

@testable import NeatRaster

/// Flat triangles on a globe, and the circles that consist of them.
@Suite struct SheetScanTests {
  private func corner(_ x: Double, _ y: Double, side: Double = 1, w: Double = 1) -> SheetScan.Corner {
    SheetScan.Corner(position: SIMD4(x * w, y * w, side, w), place: SIMD2(x, y))
  }

  private func pixels(
    _ triangles: [(SheetScan.Corner, SheetScan.Corner, SheetScan.Corner)], rows: Range<Int> = 0..<16
  ) -> [SIMD2<Int>: Int] {
    var found: [SIMD2<Int>: Int] = [:]
    for (a, b, c) in triangles {
      SheetScan(columns: 16, rows: rows).draw(a, b, c) { x, y, _ in found[SIMD2(x, y), default: 0] += 1 }
    }
    return found
  }

  @Test func centresOnASharedEdgeBelongToOneOfTwoTriangles() {
    let (a, b, c, d) = (corner(1.5, 1.5), corner(9.5, 1.5), corner(9.5, 9.5), corner(1.5, 9.5))
    for (p, q) in [((a, b, c), (a, c, d)), ((c, b, a), (d, a, c))] {
      let found = pixels([p, q])
      #expect(found.count == 64)
      #expect(found.values.allSatisfy { $0 == 1 })
    }
  }

  @Test func edgesOnTheLeftAndBelowHaveTheirCentres() {
    let found = pixels([
      (corner(1.5, 1.5), corner(9.5, 1.5), corner(9.5, 9.5)),
      (corner(1.5, 1.5), corner(9.5, 9.5), corner(1.5, 9.5)),
    ])
    #expect(Set(found.keys.map(\.x)) == Set(1...8))
    #expect(Set(found.keys.map(\.y)) == Set(2...9))
  }

  @Test func nothingIsDrawnBehindTheHorizon() {
    // The side falls from 4 at the left to -4 at the right.
    let half = pixels([
      (corner(0, 0, side: 4), corner(8, 0, side: -4), corner(8, 8, side: -4)),
      (corner(0, 0, side: 4), corner(8, 8, side: -4), corner(0, 8, side: 4)),
    ])
    #expect(half.keys.allSatisfy { $0.x < 4 })
    #expect(half.count == 32)
    #expect(pixels([(corner(0, 0, side: -1), corner(8, 0, side: -1), corner(8, 8, side: -1))]).isEmpty)
  }

  @Test func cornersFarAwayAreCutAndPlacesStayWhereTheyAre() {
    let triangle = (corner(-1e7, -1e7), corner(1e7, -1e7), corner(0, 2e7))
    SheetScan(columns: 16, rows: 0..<16).draw(triangle.0, triangle.1, triangle.2) { x, y, place in
      #expect(abs(place.x - Double(x) - 0.5) < 1e-6 && abs(place.y - Double(y) - 0.5) < 1e-6)
    }
    #expect(pixels([triangle]).count == 256)
  }

  @Test func whatIsBehindTheEyeOrNoNumberDrawsNothing() {
    for w in [0, -1, .nan, .infinity] as [Double] {
      #expect(pixels([(corner(0, 0, w: w), corner(8, 0), corner(8, 8))]).isEmpty)
    }
  }

  @Test func aCircleOfFlatTrianglesIsOneAndTheSameInAnyBands() throws {
    let lines = GlobeDisc.lines
    let corners = lines.flatMap { y in lines.map { x in SIMD4(32 + x * 20, 32 + y * 20, 1, 1) } }
    let disc = GlobeDisc(
      corners: corners,
      circle: Circle(
        center: .zero, radius: 20, strokeWidth: 0, blur: 0, fill: Premultiplied(bits: 0xFFFF_FFFF),
        stroke: .transparent))
    func drawn(_ rows: Int) throws -> [UInt32] {
      let bitmap = try Bitmap(width: 64, height: 64)
      for y in stride(from: 0, to: 64, by: rows) { disc.draw(bitmap.band(y, min(y + rows, 64))) }
      let band = bitmap.band(0, 64)
      return (0..<64).flatMap { y in (0..<64).map { band.row(y)[$0] } }
    }
    let whole = try drawn(64)
    #expect(try whole == drawn(5))
    let full = whole.count { $0 == 0xFFFF_FFFF }
    #expect(abs(Double(full) - Double.pi * 19 * 19) < 80)
  }

  @Test func theSineOfTheMeshIsExactAtThirdsOfAQuarterAndCloseElsewhere() {
    for step in -12...12 {
      let turns = Double(step) / 12
      let error = abs(GlobeMesh.sine(turns) - sin(turns * 2 * Double.pi))
      #expect(error < 1e-12)
    }
    for step in 0..<1000 {
      let turns = Double(step) / 1000
      #expect(abs(GlobeMesh.sine(turns) - sin(turns * 2 * Double.pi)) < 2e-4)
    }
  }
}
