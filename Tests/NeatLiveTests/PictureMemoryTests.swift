import NeatBase
import NeatCamera
import NeatMap
import NeatStyle
import Testing

@testable import NeatLive

@Suite struct PictureMemoryTests {
  private func style(_ layers: String) throws -> Style {
    try Style(
      parsing: Array(
        "{\"version\":8,\"sources\":{\"a\":{\"type\":\"geojson\",\"data\":null}},\"layers\":[\(layers)]}".utf8
      ))
  }

  private func bytes(_ style: Style, _ side: Int, width: Int = 1, hasPixels: Bool = true) -> Int {
    PictureMemory.estimate(
      PictureMemory.Needs(style), ViewSize(width: side, height: side), width: width, hasPixels: hasPixels)
  }

  @Test func picturesUnderWayShareALimit() throws {
    let budget = MemoryBudget(limit: 1000)
    func draw(_ count: Int, _ body: () throws(NeatError) -> Int) throws(NeatError) -> Int {
      try PictureMemory.reserving(count, budget, for: "a picture", body)
    }
    let drawn = try draw(600) { () throws(NeatError) in
      #expect(
        throws: NeatError(
          .outOfMemory,
          "a picture needs 401 bytes, and 400 are left of the memory limit of 1000")
      ) {
        try draw(401) { 0 }
      }
      return try draw(400) { 7 }
    }
    #expect(drawn == 7)
    // What failed or ended gives back what it had.
    #expect(throws: NeatError.self) {
      try draw(1000) { () throws(NeatError) in throw NeatError(.io, "for a test") }
    }
    #expect(try draw(1000) { 8 } == 8)
    #expect(throws: NeatError.self) { try draw(1001) { 9 } }
  }

  @Test func standardLimitIsThreeQuartersOfWhatThereIs() throws {
    #expect(MemoryBudget.standardLimit == ProcessMemory.allowed / 4 * 3)
    #expect(throws: NeatError.self) {
      try PictureMemory.reserving(MemoryBudget.standardLimit + 1, MemoryBudget(), for: "a picture") {}
    }
  }

  @Test func estimateHasWhatLayersTake() throws {
    let plain = try style("{\"id\":\"a\",\"type\":\"background\"}")
    let heat = try style(
      "{\"id\":\"a\",\"type\":\"heatmap\",\"source\":\"a\"},{\"id\":\"b\",\"type\":\"heatmap\",\"source\":\"a\"}"
    )
    let blocks = try style("{\"id\":\"a\",\"type\":\"fill-extrusion\",\"source\":\"a\"}")
    let pixels = 4096 * 4096
    #expect(bytes(plain, 4096) - bytes(plain, 4096, hasPixels: false) == 4 * pixels)
    #expect(bytes(heat, 4096) - bytes(plain, 4096) >= 2 * 4 * pixels / 16)
    // One band, or several at once.
    #expect(bytes(blocks, 4096) - bytes(plain, 4096) == 32 * pixels)
    #expect(
      bytes(blocks, 4096, width: 4) - bytes(plain, 4096, width: 4) == 32 * 4096 * 4 * FrameBands.mostRows)
  }
}
