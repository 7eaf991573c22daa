import CNeatline
import Neatline
import Testing

/// Cameras at their limits and past them, through every door.
struct CameraTests {
  private static func style(_ members: String) -> String {
    """
    {"version":8,\(members)"sources":{"p":{"type":"geojson","data":{"type":"Point","coordinates":[0,0]}},
      "r":{"type":"raster","tiles":["data:,{z}"],"tileSize":512}},
     "layers":[{"id":"bg","type":"background"},{"id":"dot","type":"circle","source":"p"},{"id":"r","type":"raster","source":"r"}]}
    """
  }

  /// A member of a style's own camera past its range, and what is taken.
  private static let beyond: [(member: String, name: String)] = [
    ("\"zoom\":266,", "zoom"), ("\"zoom\":-300,", "zoom"), ("\"zoom\":26,", "zoom"),
    ("\"zoom\":1e999,", "zoom"),
    ("\"pitch\":86,", "pitch"),
    ("\"pitch\":-1e308,", "pitch"), ("\"bearing\":1e300,", "bearing"), ("\"roll\":-1e999,", "roll"),
    ("\"center\":[1e308,0],", "center"),
    ("\"center\":[0,91],", "center"), ("\"center\":[-1e999,-1e999],", "center"),
  ]

  @Test func aStylesOwnCameraIsHeldWithinItsRangeAndTold() throws {
    for (member, name) in Self.beyond {
      let style = Self.style(member)
      let renderer = try Renderer(json: style)
      #expect(try renderer.draw(width: 16, height: 16).width == 16, "\(member)")
      _ = try renderer.query(size: PictureSize(16, 16), in: (0, 0, 16, 16))
      _ = try renderer.frame(width: 16, height: 16)
      #expect(
        try renderer.problems.contains { $0.resource == "style" && $0.message.hasPrefix("\(name): ") },
        "\(member)")
      let camera = try renderer.styleCamera
      #expect(
        (-2...25.5).contains(camera.zoom) && (0...85).contains(camera.pitch)
          && (-90...90).contains(camera.latitude), "\(member)")
      #expect(
        (-36000...36000).contains(camera.longitude) && (-36000...36000).contains(camera.bearing), "\(member)")
      // What a caller would have to give is accepted from one.
      _ = try renderer.draw(camera: camera, width: 16, height: 16)
      let messages = try validateStyle(style)
      #expect(
        messages.count == 1 && messages[0].isWarning && messages[0].key == name, "\(member) \(messages)")
    }
  }

  @Test func aStylesRollIsKept() throws {
    let style = Self.style("\"bearing\":10,\"pitch\":20,\"roll\":30,")
    let renderer = try Renderer(json: style)
    #expect(try renderer.styleCamera == Camera(bearing: 10, pitch: 20, roll: 30))
    #expect(try renderer.info["roll"]?.number == 30)
    let map = try Map(loop: try EventLoop(), width: 16, height: 16)
    try map.setStyle(json: style)
    #expect(try map.info["roll"]?.number == 30 && map.camera.roll == 30)
  }

  @Test func aMapBeginsWithinTheRange() throws {
    for (member, _) in Self.beyond {
      let loop = try EventLoop()
      let map = try Map(loop: loop, width: 16, height: 16)
      var told: [String] = []
      map.onEvery(.mapLoadingError) { told.append("\($0)") }
      try map.setStyle(json: Self.style(member))
      let camera = try map.camera
      #expect((-2...25.5).contains(camera.zoom) && (0...85).contains(camera.pitch), "\(member)")
      _ = try map.draw()
      _ = try map.query(in: (0, 0, 16, 16))
      #expect(!told.isEmpty, "\(member)")
      // The style's own camera again, as the caller's wish.
      try map.setCamera(nil)
      _ = try map.draw()
    }
  }

  @Test func theLimitsThemselvesAreNoFault() throws {
    for member in [
      "\"zoom\":25.5,", "\"zoom\":-2,", "\"pitch\":85,", "\"center\":[36000,-90],", "\"bearing\":-36000,",
    ] {
      let renderer = try Renderer(json: Self.style(member))
      _ = try renderer.draw(width: 16, height: 16)
      #expect(try !renderer.problems.contains { $0.resource == "style" }, "\(member)")
      #expect(try validateStyle(Self.style(member)).isEmpty, "\(member)")
    }
  }

  @Test func aCallersCameraPastTheRangeIsAnErrorThatNamesTheMember() throws {
    let renderer = try Renderer(json: Self.style(""))
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 16, height: 16)
    try map.setStyle(json: Self.style(""))
    var wide = Camera()
    wide.fieldOfView = 151
    var padded = Camera()
    padded.padding.left = -1
    let cameras: [(Camera, String)] = [
      (Camera(zoom: 25.6), "zoom"), (Camera(zoom: -2.1), "zoom"), (Camera(zoom: 266), "zoom"),
      (Camera(zoom: .nan), "zoom"),
      (Camera(zoom: -.infinity), "zoom"), (Camera(pitch: 180.1), "pitch"), (Camera(pitch: -1), "pitch"),
      (Camera(latitude: 90.1), "latitude"),
      (Camera(longitude: 36000.1), "longitude"), (Camera(bearing: .infinity), "bearing"),
      (Camera(roll: .nan), "roll"),
      (wide, "field of view"),
      (padded, "padding"),
    ]
    for (camera, name) in cameras {
      func refuses(_ door: String, _ body: () throws -> Void) {
        do {
          try body()
          Issue.record("\(door) takes \(name) out of range")
        } catch {
          #expect("\(error)".contains(name), "\(door): \(error)")
        }
      }
      refuses("draw") { _ = try renderer.draw(camera: camera, width: 16, height: 16) }
      refuses("query") { _ = try renderer.query(camera: camera, size: PictureSize(16, 16), in: (0, 0, 1, 1)) }
      refuses("frame") { _ = try renderer.frame(camera: camera, width: 16, height: 16) }
      refuses("set") { try map.setCamera(camera) }
      refuses("ease") { try map.ease(to: camera, duration: 0.1) }
      refuses("ease at once") { try map.ease(to: camera, duration: 0) }
    }
  }

  @Test func aRenderersCameraTiltsTo85Degrees() throws {
    let renderer = try Renderer(json: Self.style(""))
    _ = try renderer.draw(camera: Camera(pitch: 85), width: 16, height: 16)
    #expect(throws: NeatlineError.self) {
      try renderer.draw(camera: Camera(pitch: 85.1), width: 16, height: 16)
    }
    // A style's own is held.
    _ = try Renderer(json: Self.style("\"pitch\":120,")).draw(width: 16, height: 16)
  }

  @Test func aMapTiltsPast85DegreesWhereItsLimitsSaySo() throws {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 16, height: 16)
    try map.setStyle(json: Self.style(""))
    loop.run()
    try map.setCamera(Camera(pitch: 120))
    #expect(try map.camera.pitch == 85)
    try map.setCameraLimits(CameraLimits(maxPitch: 180))
    for pitch in [89.0, 90, 95, 135, 180] {
      try map.setCamera(Camera(pitch: pitch))
      loop.run()
      #expect(try map.camera.pitch == pitch)
      _ = try map.draw()
      _ = try map.query(in: (0, 0, 16, 16))
    }
    #expect(throws: NeatlineError.self) { try map.setCameraLimits(CameraLimits(maxPitch: 181)) }
  }

  @Test func sizesRatiosAndTilesOutOfRangeAreErrors() throws {
    let renderer = try Renderer(json: Self.style(""))
    for (width, height, ratio) in [
      (0, 16, 1.0), (16, 16385, 1), (16384, 16, 2), (16, 16, 0.01), (16, 16, 17), (16, 16, .nan),
      (16, 16, .infinity),
    ] {
      #expect(throws: NeatlineError.self, "\(width)x\(height)@\(ratio)") {
        try renderer.draw(width: width, height: height, pixelRatio: ratio)
      }
      #expect(throws: NeatlineError.self, "\(width)x\(height)@\(ratio)") {
        try renderer.query(size: PictureSize(width, height, pixelRatio: ratio), in: (0, 0, 1, 1))
      }
    }
    for (z, x, edge, ratio) in [
      (300, 0, 512, 1.0), (1, 2, 512, 1), (24, 0, 8192, 1), (0, 0, 1, 1), (0, 0, 1 << 31, 1),
      (0, 0, 64, .nan),
    ] {
      #expect(throws: NeatlineError.self, "\(z)/\(x) of \(edge)") {
        try renderer.drawTile(z: z, x: x, y: 0, edge: edge, pixelRatio: ratio)
      }
    }
  }

  @Test(arguments: [
    (0, 0, 0, 2), (3, 7, 0, 2), (3, 0, 7, 2), (3, 0, 0, 0), (6, 0, 0, 65), (30, 1 << 30, 0, 1),
  ])
  func squaresOfTilesThatAreNotThereAreErrors(_ z: Int, _ x: Int, _ y: Int, _ count: Int) throws {
    let renderer = try Renderer(json: Self.style(""))
    #expect(throws: NeatlineError.self) { try renderer.drawTiles(z: z, x: x, y: y, count: count, edge: 16) }
  }

  @Test func tilesOfASquareHaveWholePixels() throws {
    let renderer = try Renderer(json: Self.style(""))
    let tiles = try renderer.drawTiles(z: 5, x: 0, y: 0, count: 2, edge: 30, pixelRatio: 1.5)
    #expect(tiles.map(\.width) == [45, 45, 45, 45] && tiles.map(\.height) == [45, 45, 45, 45])
    for (edge, ratio) in [(31, 1.5), (16, .nan), (16384, 1)] {
      #expect(throws: NeatlineError.self, "\(edge) @ \(ratio)") {
        try renderer.drawTiles(z: 5, x: 0, y: 0, count: 2, edge: edge, pixelRatio: ratio)
      }
    }
  }

  /// The shortest turn from one end of the range leads past it.
  @Test func aTurnAtTheEndOfTheRangeStaysWithinIt() throws {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 16, height: 16)
    try map.setStyle(json: Self.style(""))
    try map.setCamera(Camera(longitude: 36000, bearing: 36000, roll: 36000))
    try map.ease(to: Camera(longitude: -36000, bearing: -35910, roll: 100), duration: 0.06)
    loop.run(timeout: 10_000)
    _ = try map.draw()
    #expect(try map.camera.bearing == -35910)
  }
}
