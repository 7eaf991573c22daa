import Testing

@testable import NeatImage

/// The strips that a picture is compressed in.
@Suite struct PNGStripsTests {
  private func rows(_ strips: PNGStrips) -> [Int] { (0..<strips.count).map { strips.rows($0).count } }

  @Test func theLastOnesAreSmaller() {
    let strips = PNGStrips(height: 512, rowBytes: 1537)
    #expect(rows(strips) == [94, 93, 93, 93, 46, 47, 23, 23])
    #expect(rows(PNGStrips(height: 256, rowBytes: 769)) == [128, 128])
    #expect(rows(PNGStrips(height: 512, rowBytes: 769)) == [128, 128, 128, 128])
    #expect(rows(PNGStrips(height: 1, rowBytes: 1)) == [1])
  }

  @Test func eachRowIsInOne() {
    for height in [1, 2, 3, 5, 17, 511, 512, 4096] {
      for rowBytes in [1, 257, 1537, 24_577, 300_001] {
        for most in [1, 2, 7, 31, 100, 4096, Int.max] {
          let strips = PNGStrips(height: height, rowBytes: rowBytes, mostRows: most)
          var end = 0
          for strip in 0..<strips.count {
            let rows = strips.rows(strip)
            #expect(rows.lowerBound == end && !rows.isEmpty && rows.count <= strips.rows(0).count)
            end = rows.upperBound
          }
          #expect(end == height && strips.rows(0).count <= most, "\(height) rows of \(rowBytes), \(most)")
        }
      }
    }
  }

  /// The widest pictures whose pixels can be cells, and those that are one pixel too wide.
  @Test func asManyRowsAsCellsHavePlacesFor() throws {
    for width in [512, 21_000, 32_761, 32_762, 40_000] {
      let most = Cells.mostRows(width: width)
      #expect((most > 0) == (width < 32_762))
      // With a cell before each row, the row above, and four cells before and eight after them all.
      func places(_ rows: Int) -> Int { (width + 1) * (rows + 1) + 12 }
      #expect(places(most) <= 65_536 && places(most + 1) > 65_536)
    }
  }
}
