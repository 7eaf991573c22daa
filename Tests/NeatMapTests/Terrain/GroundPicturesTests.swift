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

  private func entry(_ texture: Texture?) -> GroundPictures.Entry {
    GroundPictures.Entry(texture: texture, cells: nil, rows: 0..<64, content: [])
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

  @Test func picturesCountWhole() {
    let pictures = GroundPictures()
    pictures.beginFrame()
    // 64 MiB each, of which nothing is drawn on.
    for number in 0..<5 { pictures.keep(entry(Texture(transparent: 4096, 4096)), key(number)) }
    for _ in 0..<3 { pictures.beginFrame() }
    #expect(pictures.count == 4)
  }
}
