import NeatBase
import NeatCamera
import NeatImage
import NeatMap
import NeatRaster
import NeatStyle
import NeatTestSupport
import Testing

@testable import NeatLive

/// Pictures that are compressed as they are drawn, since those before became files.
@Suite struct EncodingHabitTests {
  @Test func twoFilesInARowFormIt() throws {
    let habit = EncodingHabit(pendingLimit: 2)
    let bitmap = try Bitmap(width: 1, height: 1)
    #expect(habit.expectFile(of: bitmap) == nil)
    habit.settle(becameFile: true)
    #expect(!habit.isFormed && habit.expectFile(of: bitmap) == nil)
    habit.settle(becameFile: true)
    #expect(habit.isFormed)
    var made = [habit.expectFile(of: bitmap), habit.expectFile(of: bitmap)]
    #expect(made.allSatisfy { $0 != nil })
    // Two are made ahead, and no more until one of them is gone.
    #expect(habit.expectFile(of: bitmap) == nil && habit.expectFile(of: bitmap) == nil)
    made.removeLast()
    made.append(habit.expectFile(of: bitmap))
    #expect(made[1] != nil && habit.expectFile(of: bitmap) == nil)
    // One that became none: from the start again.
    made = []
    habit.settle(becameFile: false)
    #expect(!habit.isFormed && habit.expectFile(of: bitmap) == nil)
    habit.settle(becameFile: true)
    habit.settle(becameFile: true)
    made = [habit.expectFile(of: bitmap), habit.expectFile(of: bitmap)]
    #expect(made.allSatisfy { $0 != nil } && habit.expectFile(of: bitmap) == nil)
  }

  /// `colors`: of how many zones on the plane, in bands from north to south.
  private func style(_ colors: Int, opacity: Double = 1) throws -> Style {
    let zones = (0..<colors).map { number in
      let (top, bottom) = (
        60 - 120 * Double(number) / Double(colors), 60 - 120 * Double(number + 1) / Double(colors)
      )
      return #"""
        {"type":"Feature","properties":{"c":"hsl(\#(number * 7 % 360),\#(30 + number % 50)%,\#(20 + number % 61)%)"},
         "geometry":{"type":"Polygon","coordinates":[[[-170,\#(bottom)],[170,\#(bottom)],[90,\#(top)],[-170,\#(top)],[-170,\#(bottom)]]]}}
        """#
    }
    return try Style(
      parsing: Array(
        #"""
        {"version": 8, "sources": {"z": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [\#(
          zones.joined(separator: ","))]}}},
         "layers": [{"id": "b", "type": "background", "paint": {"background-opacity": \#(opacity)}},
                    {"id": "z", "type": "fill", "source": "z", "paint": {"fill-color": ["get", "c"]}}]}
        """#.utf8))
  }

  private func file(_ picture: Picture, _ draft: PNGDraft?, _ executor: Executor = .inline) -> [UInt8] {
    withExtendedLifetime(picture.bitmap) {
      let rows = PixelRows(
        picture.bitmap.pixels, width: picture.bitmap.width, height: picture.bitmap.height)
      return encodePNG(rows, premultiplied: true, executor: executor, draft: draft)
    }
  }

  /// Many colours, few, one, and pictures that let something through; of a height that strips do not divide.
  @Test func filesAreTheSameByteByByte() throws {
    for (colors, opacity) in [(400, 1.0), (90, 1), (1, 1), (400, 0.5), (3, 0)] {
      for size in [ViewSize(width: 512, height: 512), ViewSize(width: 301, height: 700)] {
        var options = MapEnvironment.Options()
        options.threadCount = 3
        let renderer = try Renderer(style: style(colors, opacity: opacity), base: "", options: options)
        let habit = renderer.environment.pictureThreads.habit
        for number in 0..<6 {
          let camera = Camera(
            center: LonLat(Double(number), 2 * Double(number)), zoom: 1 + 0.3 * Double(number))
          let picture = try renderer.draw(camera, size)
          #expect((picture.draft != nil) == (number >= 2), "picture \(number)")
          let shared = file(picture, picture.draft, renderer.environment.executor)
          #expect(
            shared == file(picture, nil), "\(colors) colours, \(size.width) x \(size.height), \(number)")
          habit.settle(becameFile: true)
        }
      }
    }
  }

  @Test func somePicturesAreNotMadeAhead() throws {
    func renderer(threads: Int) throws -> Renderer {
      var options = MapEnvironment.Options()
      options.threadCount = threads
      let renderer = try Renderer(style: style(50), base: "", options: options)
      for _ in 0..<2 {
        renderer.environment.pictureThreads.habit.settle(becameFile: true)
      }
      return renderer
    }
    let (camera, size) = (Camera(center: LonLat(0, 0), zoom: 1), ViewSize(width: 512, height: 512))
    #expect(try renderer(threads: 2).draw(camera, size).draft != nil)
    #expect(
      try renderer(threads: 2).drawTile(TileID(z: 1, x: 0, y: 0), edge: 512, pixelRatio: 1).draft != nil)
    // No other thread would wait.
    #expect(try renderer(threads: 1).draw(camera, size).draft == nil)
    // Something is drawn over them.
    var ornaments = PictureOptions()
    ornaments.ornaments.scaleBar.place.visibility = .visible
    #expect(try renderer(threads: 2).draw(camera, size, ornaments).draft == nil)
    // They become several files.
    let tiles = try renderer(threads: 2).drawTiles(
      TileID(z: 1, x: 0, y: 0), count: 2, edge: 256, pixelRatio: 1)
    #expect(tiles.picture.draft == nil)
    // One strip alone. Whoever forgets a picture leaves nothing behind.
    let small = try renderer(threads: 2)
    for _ in 0..<4 { #expect(try small.draw(camera, ViewSize(width: 64, height: 64)).draft == nil) }
    for _ in 0..<4 { #expect(try small.draw(camera, size).draft != nil) }
    #expect(
      try small.drawTiles(TileID(z: 1, x: 0, y: 0), count: 1, edge: 512, pixelRatio: 1).picture.draft != nil)
    // No memory for it: the picture is drawn all the same, and compressed later.
    var options = MapEnvironment.Options()
    options.threadCount = 2
    let drawn = PictureMemory.estimate(
      PictureMemory.Needs(try style(50)), size, width: 2, hasPixels: true)
    let compressed = pngEncodingBytes(width: 512, height: 512)
    for (limit, isAhead) in [(drawn, false), (drawn + compressed - 1, false), (drawn + compressed, true)] {
      options.memoryLimitBytes = UInt64(limit)
      let tight = try Renderer(style: style(50), base: "", options: options)
      for _ in 0..<2 { tight.environment.pictureThreads.habit.settle(becameFile: true) }
      #expect(try (tight.draw(camera, size).draft != nil) == isAhead)
    }
  }
}
