import NeatlineRemote
import Testing

@Suite struct BlockGridTests {
  private func grid(_ width: Int, _ height: Int, changing pixels: [(Int, Int)]) -> BlockGrid {
    let old = [UInt8](repeating: 9, count: 4 * width * height)
    var new = old
    for (index, (x, y)) in pixels.enumerated() { new[4 * (y * width + x) + index % 4] = 10 }
    var grid = BlockGrid(width: width, height: height)
    old.withUnsafeBufferPointer { old in new.withUnsafeBufferPointer { grid.mark(changesFrom: old, to: $0) } }
    return grid
  }

  @Test func picturesThatAreTheSameHaveNoRectangles() {
    let grid = grid(200, 100, changing: [])
    #expect(grid.isEmpty && grid.rectangles(limit: 8).isEmpty)
  }

  @Test func onePixelIsItsBlock() {
    #expect(
      grid(200, 100, changing: [(70, 3)]).rectangles(limit: 8) == [
        PixelRect(x: 64, y: 0, width: 64, height: 64)
      ])
    // The last one is smaller.
    #expect(
      grid(200, 100, changing: [(199, 99)]).rectangles(limit: 8) == [
        PixelRect(x: 192, y: 64, width: 8, height: 36)
      ])
    #expect(
      grid(1, 1, changing: [(0, 0)]).rectangles(limit: 8) == [PixelRect(x: 0, y: 0, width: 1, height: 1)])
  }

  @Test func neighboursAreOneRectangle() {
    let all = grid(
      200, 100, changing: [(0, 0), (64, 0), (128, 0), (192, 0), (0, 64), (64, 64), (128, 64), (192, 64)])
    #expect(all.rectangles(limit: 8) == [PixelRect(x: 0, y: 0, width: 200, height: 100)])
    let corner = grid(200, 100, changing: [(0, 0), (64, 0), (0, 64)])
    #expect(
      corner.rectangles(limit: 8) == [
        PixelRect(x: 0, y: 0, width: 128, height: 64), PixelRect(x: 0, y: 64, width: 64, height: 36),
      ])
    #expect(corner.rectangles(limit: 1) == [PixelRect(x: 0, y: 0, width: 128, height: 100)])
  }

  @Test func rectanglesAreTakenAway() {
    var grid = BlockGrid(width: 300, height: 300)
    grid.markAll()
    for rect in grid.rectangles(limit: 8) { grid.set(rect, false) }
    #expect(grid.isEmpty)
    grid.set(PixelRect(x: 63, y: 63, width: 2, height: 2), true)
    #expect(grid.rectangles(limit: 8) == [PixelRect(x: 0, y: 0, width: 128, height: 128)])
    var other = BlockGrid(width: 300, height: 300)
    other.set(PixelRect(x: 299, y: 299, width: 1, height: 1), true)
    grid.formUnion(other)
    #expect(grid.rectangles(limit: 8).count == 2)
    grid.clear()
    #expect(grid.isEmpty)
  }

  /// Whatever changes: the rectangles cover it, lie within the picture and not on each other.
  @Test func rectanglesCoverEveryChangeOnce() {
    var random = Random(seed: 3)
    for _ in 0..<200 {
      let (width, height) = (random.below(400) + 1, random.below(400) + 1)
      let pixels = (0..<random.below(30)).map { _ in (random.below(width), random.below(height)) }
      for limit in [1, 4, 100] {
        let rects = grid(width, height, changing: pixels).rectangles(limit: limit)
        #expect(rects.count <= limit)
        for (x, y) in pixels {
          let holding = rects.filter { $0.x <= x && x < $0.x + $0.width && $0.y <= y && y < $0.y + $0.height }
          #expect(holding.count == 1)
        }
        for rect in rects {
          #expect(rect.area > 0 && rect.x >= 0 && rect.y >= 0)
          #expect(rect.x + rect.width <= width && rect.y + rect.height <= height)
        }
      }
    }
  }
}

@Suite struct FrameMessageTests {
  @Test func theBytesAreThoseOfTheLayout() {
    let part = FrameMessage.Part(
      PixelRect(x: 1, y: 0x0203, width: 64, height: 5), format: 2, isExact: false, file: [7, 8, 9])
    let message = FrameMessage(
      number: 0x0102_0304, heeded: 5, width: 800, height: 600, isExact: true, parts: [part])
    let head: [UInt8] = [1, 1, 1, 0, 4, 3, 2, 1, 5, 0, 0, 0, 0x20, 3, 0x58, 2]
    let place: [UInt8] = [1, 0, 3, 2, 64, 0, 5, 0, 2, 0, 0, 0, 3, 0, 0, 0]
    #expect(message.bytes == head + place + [7, 8, 9])
    #expect(head.count == FrameMessage.headBytes && place.count == FrameMessage.partHeadBytes)
  }
}
