import NeatBase
import NeatRaster
import Testing

@testable import NeatMap

/// What is kept of the pictures of the ground.
@Suite struct GroundPicturesTests {
  private func key(_ number: Int) -> GroundPictureKey {
    GroundPictureKey(
      tile: TileID(z: 12, x: UInt32(number), y: 0), edge: 64, first: 0, last: 0,
      version: GroundPictureVersion(style: 0, images: 0, states: 0), zoom: 12, heading: nil, content: [])
  }

  private func entry(_ picture: GroundPicture?, _ blocks: GroundBlocks = .none) -> GroundPictures.Entry {
    GroundPictures.Entry(picture: picture, cells: nil, blocks: blocks, content: [])
  }

  private func blocks(_ places: [(row: Int, column: Int)]) -> GroundBlocks {
    var blocks = GroundBlocks.none
    for place in places { blocks.add(row: place.row, column: place.column) }
    return blocks
  }

  /// They hold what they were drawn of.
  @Test func picturesOfNothingAreDroppedByTheirAge() {
    let pictures = GroundPictures()
    pictures.beginFrame()
    for number in 0..<600 { pictures.keep(entry(nil), key(number)) }
    pictures.beginFrame()
    #expect(pictures.count == 600, "the last frame asked for them")
    for _ in 0..<3 {
      _ = pictures[key(0)]
      pictures.beginFrame()
    }
    #expect(pictures.count == 512)
    #expect(pictures[key(0)] != nil)
  }

  @Test func memoryServesAgainOnceNobodyLooksAtIt() throws {
    let pictures = GroundPictures()
    let some = blocks([(1, 2), (1, 3)])
    let capacity = GroundPicture.capacity(edge: 2048, some)
    #expect(capacity == 256 * 2 * 256)
    var picture: GroundPicture? = GroundPicture(edge: 2048, some)
    let store = try #require(picture?.freed)
    pictures.give(try #require(picture))
    #expect(pictures.takeStore(capacity) == nil, "somebody holds the picture")
    picture = nil
    #expect(pictures.takeStore(capacity + 1) == nil && pictures.takeStore(capacity / 3) == nil)
    #expect(pictures.takeStore(capacity - 100) === store)
    #expect(pictures.takeStore(capacity) == nil)
    // The oldest go, and all where memory is given back.
    let half = blocks((0..<8).flatMap { [($0, 0), ($0, 3)] })
    for _ in 0..<5 { pictures.give(GroundPicture(edge: 2048, half)) }
    let large = GroundPicture.capacity(edge: 2048, half)
    var count = 0
    while pictures.takeStore(large) != nil { count += 1 }
    #expect(count == GroundPictures.spareLimit / (4 * large))
    pictures.give(GroundPicture(edge: 2048, some))
    pictures.removeAll()
    #expect(pictures.takeStore(capacity) == nil)
  }

  @Test func picturesCountWhatIsThereOfThem() {
    let all = blocks((0..<8).flatMap { [($0, 0), ($0, 7)] })
    // 64 MiB each, and of the last one a block.
    let large = GroundPicture(edge: 4096, all), small = GroundPicture(edge: 4096, blocks([(3, 7)]))
    #expect(entry(large, all).byteCount == 4096 * 4096 * 4)
    #expect(entry(small).byteCount == 512 * 512 * 4)
    #expect(entry(nil, all).byteCount == 0)
    let pictures = GroundPictures()
    pictures.beginFrame()
    for number in 0..<4 { pictures.keep(entry(large, all), key(number)) }
    pictures.keep(entry(small), key(4))
    for _ in 0..<2 { pictures.beginFrame() }
    #expect(pictures.count == 5, "the last frames asked for them")
    _ = pictures[key(4)]
    pictures.beginFrame()
    #expect(pictures.count == 4 && pictures[key(4)] != nil)
  }
}
