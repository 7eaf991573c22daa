import Glibc
import NeatTestSupport
import Neatline
import Synchronization
import Testing

/// One renderer, many threads: the same pixels as for one, from the first picture on.
@Suite struct RendererThreadsTests {
  /// The data pack beside the package; nil where it is not there.
  static let data = SharedFiles.path("data")

  private final class Threads: Sendable {
    let body: @Sendable (Int) -> Void
    init(_ body: @escaping @Sendable (Int) -> Void) { self.body = body }

    /// Calls the body on `count` threads at once and waits for them.
    func run(_ count: Int) {
      final class Start {
        let threads: Threads
        let index: Int
        init(_ threads: Threads, _ index: Int) { (self.threads, self.index) = (threads, index) }
      }
      var handles = [pthread_t](repeating: 0, count: count)
      for index in 0..<count {
        let start = Unmanaged.passRetained(Start(self, index)).toOpaque()
        let status = pthread_create(
          &handles[index], nil,
          { pointer in
            let start = Unmanaged<Start>.fromOpaque(pointer!).takeRetainedValue()
            start.threads.body(start.index)
            return nil
          }, start)
        precondition(status == 0)
      }
      for handle in handles { pthread_join(handle, nil) }
    }
  }

  /// They are parts of one picture: the tiles but for roundings, and pictures of their own whatever is asked first.
  @Test func tilesOfASquareAreTheTiles() throws {
    let style = """
      {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "LineString", "coordinates":
        [[-170, -80], [-60, 70], [20, -60], [170, 80]]}}},
       "layers": [{"id": "b", "type": "background", "paint": {"background-color": "rgba(200, 220, 240, 0.5)"}},
         {"id": "l", "type": "line", "source": "s", "paint": {"line-color": "#c03000", "line-width": 9}}]}
      """
    let renderer = try Renderer(json: style)
    let square = try renderer.drawTiles(z: 2, x: 1, y: 1, count: 2, edge: 64, pixelRatio: 2)
    #expect(square.count == 4)
    for (index, part) in square.enumerated() {
      let first = try Image.Format.allCases.map { try part.encode($0) }
      let copy = try Image(width: part.width, height: part.height, pixels: part.pixels)
      #expect(part.width == 128 && part.height == 128)
      #expect(try Image.Format.allCases.map { try copy.encode($0) } == first)
      #expect(try Image.Format.allCases.map { try part.encode($0) } == first)
      #expect(try part.png(.small) == copy.png(.small))
      let tile = try renderer.drawTile(z: 2, x: 1 + index % 2, y: 1 + index / 2, edge: 64, pixelRatio: 2)
      let others = zip(part.pixels, tile.pixels).map { abs(Int($0) - Int($1)) }.filter { $0 > 0 }
      #expect(others.count < 100 && others.allSatisfy { $0 <= 16 }, "\(index): \(others)")
    }
  }

  private static func camera(_ index: Int) -> Camera {
    Camera(
      longitude: 11.3945 + 0.004 * Double(index % 3), latitude: 47.2675 + 0.003 * Double(index / 3),
      zoom: 13 + 0.5 * Double(index % 2))
  }

  @Test(arguments: [0, 1]) func everyThreadDrawsTheSame(_ cacheBytes: Int) throws {
    guard let data = Self.data else {
      print("no data pack beside the package: skipped")
      return
    }
    let address = data + "/styles/osm-bright.json"
    let expected = try (0..<6).map { index in
      try Renderer(styleURL: address).draw(camera: Self.camera(index), width: 128, height: 128).withPixels {
        Array($0)
      }
    }
    // A debug build draws thirty times as long; the threads of C and Python try an optimised one.
    #if DEBUG
      let (rounds, threads) = (1, 4)
    #else
      let (rounds, threads) = (4, 8)
    #endif
    for _ in 0..<rounds {
      var options = Options()
      options.cacheBytes = cacheBytes
      let renderer = try Renderer(styleURL: address, options: options)
      let wrong = Mutex<[Int]>([])
      Threads { thread in
        for step in 0..<6 {
          let index = (thread + step) % 6
          let pixels = try? renderer.draw(camera: Self.camera(index), width: 128, height: 128).withPixels {
            Array($0)
          }
          if pixels != expected[index] { wrong.withLock { $0.append(index) } }
        }
      }.run(threads)
      #expect(wrong.withLock { $0 } == [])
    }
  }
}
