import NeatLoop
import NeatMap
import Testing

@testable import NeatLive

/// The small picture that is drawn before anybody waits for one.
@Suite struct WarmUpTests {
  @Test func thePictureHasAllThatItSays() throws {
    let picture = try WarmUp.picture()
    #expect(picture.report.entries.isEmpty, "nothing from outside is needed, and all of it is understood")
    let bitmap = picture.bitmap
    let pixels = (0..<bitmap.width * bitmap.height).map { bitmap.pixels[$0] & 0xFF_FFFF }
    #expect(pixels.contains(0xCCDDCC), "the area")
    #expect(pixels.contains(0xFFFFFF), "the line")
    // Text is 0x333333; the letter's block leaves nothing as dark beside it.
    #expect(pixels.contains { $0 & 0xFF < 0x80 }, "names")
  }

  @Test func itIsBegunOnThreadsAlone() {
    // A pool of one has no thread: its caller is not kept waiting.
    WarmUp.begin(WorkerPool(width: 1))
    WarmUp.begin(WorkerPool(width: 2))
  }
}
