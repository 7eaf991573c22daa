import Neatline
import Testing

/// Files of a renderer's pictures, whatever becomes of the others.
@Suite struct PictureFileTests {
  private static let style = #"""
    {"version": 8, "sources": {"p": {"type": "geojson", "data": {"type": "Polygon", "coordinates":
       [[[-100, -50], [100, -60], [70, 50], [0, 10], [-80, 60], [-100, -50]]]}}},
     "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#e8f0d8"}},
                {"id": "f", "type": "fill", "source": "p",
                 "paint": {"fill-color": "#3060a0", "fill-opacity": 0.6}},
                {"id": "l", "type": "line", "source": "p", "paint": {"line-width": 9, "line-blur": 6}}]}
    """#

  private func renderer(threads: Int) throws -> Renderer {
    var options = Options()
    options.threadCount = threads
    return try Renderer(json: PictureFileTests.style, options: options)
  }

  private func camera(_ number: Int) -> Camera {
    Camera(longitude: 3 * Double(number), latitude: Double(number), zoom: 1 + 0.25 * Double(number % 9))
  }

  /// From the third file on pictures are compressed as they are drawn.
  @Test func filesDoNotDependOnWhatBecameOfOthers() throws {
    let (alone, shared) = (try renderer(threads: 1), try renderer(threads: 4))
    func draw(_ renderer: Renderer, _ number: Int) throws -> Image {
      try renderer.draw(camera: camera(number), width: 512, height: 512)
    }
    let expected = try (0..<12).map { try draw(alone, $0).png() }
    for number in 0..<6 { #expect(try draw(shared, number).png() == expected[number]) }
    // Pixels are read first, the file is made twice, and in other ways.
    var image = try draw(shared, 6)
    #expect(try image.withPixels { Array($0) } == draw(alone, 6).withPixels { Array($0) })
    #expect(try image.png() == expected[6])
    #expect(try image.png() == expected[6])
    image = try draw(shared, 7)
    #expect(try image.png(.small) == draw(alone, 7).png(.small))
    #expect(try image.encode(.jpeg) == draw(alone, 7).encode(.jpeg))
    #expect(try image.png() == expected[7])
    // Some become no files.
    for number in 8..<10 { _ = try draw(shared, number) }
    for number in 8..<12 { #expect(try draw(shared, number).png() == expected[number]) }
    // Many are kept, and become files in another order.
    let kept = try (0..<12).map { try draw(shared, $0) }
    for number in (0..<12).reversed() { #expect(try kept[number].png() == expected[number]) }
  }

  @Test func threadsThatDrawAtOnceHaveTheirOwn() async throws {
    let (alone, shared) = (try renderer(threads: 1), try renderer(threads: 4))
    let expected = try (0..<12).map { try alone.draw(camera: camera($0), width: 300, height: 700).png() }
    try await withThrowingTaskGroup(of: [Bool].self) { group in
      for task in 0..<4 {
        group.addTask {
          try (0..<24).map { number in
            let picture = (number * 5 + task) % 12
            let image = try shared.draw(camera: camera(picture), width: 300, height: 700)
            return try image.png() == expected[picture]
          }
        }
      }
      for try await answers in group { #expect(answers.allSatisfy { $0 }) }
    }
  }

  /// Two threads want the same file, and the renderer is gone.
  @Test func filesOutliveTheirRenderer() async throws {
    let expected = try renderer(threads: 1).draw(camera: camera(5), width: 512, height: 512).png()
    for _ in 0..<8 {
      var shared: Renderer? = try renderer(threads: 4)
      for number in 0..<3 { _ = try shared?.draw(camera: camera(number), width: 512, height: 512).png() }
      let image = try #require(try shared?.draw(camera: camera(5), width: 512, height: 512))
      shared = nil
      let files = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<2 { group.addTask { try image.png() } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(files == [expected, expected])
    }
  }

  @Test func aSquareOfOneTileIsATile() throws {
    let (alone, shared) = (try renderer(threads: 1), try renderer(threads: 4))
    let expected = try alone.drawTile(z: 2, x: 1, y: 1).png()
    for _ in 0..<6 {
      let images = try shared.drawTiles(z: 2, x: 1, y: 1, count: 1)
      #expect(try images.map { try $0.png() } == [expected])
    }
  }
}
