import Testing

@testable import Neatline

/// Layers and sources of an application's own through the Swift module and the C interface below it.
@Suite struct CustomLayerDoorTests {
  private static let style = """
    {"version":8,"sources":{},"layers":[
    {"id":"ground","type":"background","paint":{"background-color":"#00f"}},
    {"id":"veil","type":"background","paint":{"background-color":"#0f0","background-opacity":0.5}}]}
    """

  private func map() throws -> Map {
    let map = try Map(loop: EventLoop(), width: 64, height: 64)
    try map.setStyle(json: CustomLayerDoorTests.style)
    try map.setCamera(Camera(longitude: -45, latitude: 40.97989806962013, zoom: 2))
    map.loop.run()
    return map
  }

  private func pixel(_ image: Image, _ x: Int, _ y: Int) -> [UInt8] {
    image.withPixels { Array($0[4 * (y * image.width + x)..<4 * (y * image.width + x) + 4]) }
  }

  private func refused(
    _ word: String, _ status: NeatlineError.Status = .invalidArgument, _ body: () throws -> Void
  ) {
    #expect { try body() } throws: { error in
      guard let error = error as? NeatlineError else { return false }
      return error.status == status && "\(error)".contains(word)
    }
  }

  private final class Host: CustomLayerHost {
    var calls: [String] = []
    var parameters: CustomLayerRenderParameters?
    var draw: (CustomLayerTarget) throws -> Void = { _ in }
    var start: () throws -> Void = {}

    func renderingWillStart() throws {
      calls.append("start")
      try start()
    }
    func render(_ parameters: CustomLayerRenderParameters, on target: CustomLayerTarget) throws {
      calls.append("render")
      self.parameters = parameters
      try draw(target)
    }
    func renderingWillEnd() { calls.append("end") }
  }

  // MARK: Layers

  @Test func aHostDrawsOnThePixelsBetweenTwoLayers() throws {
    let map = try map()
    let host = Host()
    host.draw = { target in
      let pixels = try #require(target.pixels)
      #expect(pixels.width == 64 && pixels.height == 64 && pixels.bytesPerRow == 256)
      #expect(Array(pixels.bytes[0..<4]) == [0, 0, 255, 255])
      for index in 0..<64 * 32 {
        pixels.bytes.storeBytes(of: 0xFF00_00FF, toByteOffset: 4 * index, as: UInt32.self)
      }
    }
    try map.style.addCustomLayer(withId: "own", layerHost: host, layerPosition: .below("veil"))
    #expect(map.style.allLayerIdentifiers.map(\.id) == ["ground", "own", "veil"])
    #expect(map.style.allLayerIdentifiers[1].typeName == "custom" && map.style.layerExists(withId: "own"))
    let image = try map.draw()
    #expect(pixel(image, 5, 5) == [127, 128, 0, 255] || pixel(image, 5, 5) == [128, 128, 0, 255])
    #expect(pixel(image, 5, 50)[0] == 0)
    let parameters = try #require(host.parameters)
    #expect(parameters.width == 64 && parameters.zoom == 2 && parameters.longitude == -45)
    #expect(parameters.projectionMatrix.count == 16 && parameters.pixelRatio == 1)
    #expect(try !map.styleJSON.contains("own"))
  }

  @Test func theMatrixTakesTheWorldToClipSpace() throws {
    let map = try map()
    let host = Host()
    try map.style.addCustomLayer(withId: "own", layerHost: host)
    _ = try map.draw()
    let m = try #require(host.parameters?.projectionMatrix)
    // The camera's centre: 45 degrees west is three eighths of the world.
    let (x, y) = (0.375, 0.375)
    func row(_ row: Int) -> Double { m[row] * x + m[4 + row] * y + m[12 + row] }
    #expect(abs(row(0) / row(3)) < 1e-9 && abs(row(1) / row(3)) < 1e-9)
  }

  @Test func trianglesAreOnPixelsAndInFrames() throws {
    let map = try map()
    let host = Host()
    host.draw = { target in
      let corners: [SIMD3<Double>] = [SIMD3(-90, 0, 0), SIMD3(0, 0, 0), SIMD3(-90, 70, 0), SIMD3(0, 70, 0)]
      try target.drawTriangles(
        corners.map { .init($0, color: SIMD4(1, 0, 0, 1)) }, indices: [0, 1, 2, 2, 1, 3], in: .degrees)
    }
    try map.style.addCustomLayer(withId: "own", layerHost: host, layerPosition: .below("veil"))
    #expect(try pixel(map.draw(), 32, 32)[2] == 0)
    let frame = try map.frame()
    #expect(frame.commands.map(\.kind) == [.background, .custom, .custom, .background])
    #expect(frame.commands[1].vertices == nil && frame.commands[1].layer == "own")
    let triangles = frame.commands[2]
    let vertices = triangles.elements(Frame.CustomVertex.self)
    #expect(triangles.vertices?.layout == .custom && vertices.count == 4)
    #expect(triangles.indexNumbers == [0, 1, 2, 2, 1, 3])
    #expect(vertices[0].color.0 == 255 && vertices[0].color.1 == 0 && vertices[0].color.3 == 255)
    // The south-eastern corner is on the equator and Greenwich: half a world to the right of and below the centre.
    let seen = triangles.pixel(vertices[1].x, vertices[1].y, width: 64, height: 64)
    #expect(abs(seen.x - (32 + 256)) < 0.01 && abs(seen.y - (32 + 256)) < 0.01)
  }

  @Test func solidTrianglesAreOnPixelsAndInFrames() throws {
    let map = try map()
    let host = Host()
    var faces = CustomLayerTarget.Faces.both
    host.draw = { target in
      // Clockwise from above: the back is seen.
      let corners: [SIMD3<Double>] = [
        SIMD3(-90, 0, 10), SIMD3(0, 0, 10), SIMD3(-90, 70, 10), SIMD3(0, 70, 10),
      ]
      try target.drawSolid(
        corners.map { .init($0, color: SIMD4(1, 0, 0, 1)) }, indices: [0, 2, 1, 1, 2, 3], in: .degrees,
        faces: faces)
    }
    try map.style.addCustomLayer(withId: "own", layerHost: host, layerPosition: .below("veil"))
    #expect(try pixel(map.draw(), 32, 32)[2] == 0)
    #expect(try map.frame().commands.map(\.kind) == [.background, .custom, .customSolid, .background])
    faces = .front
    #expect(try pixel(map.draw(), 32, 32)[0] == 0)
  }

  @Test func whatAHostThrowsIsInTheReport() throws {
    struct Dry: Error, CustomStringConvertible { var description: String { "no paint left" } }
    let map = try map()
    var told: [String] = []
    let listener = map.onEvery(event: .mapLoadingError) { told.append($0.payload.message) }
    defer { listener.cancel() }
    let host = Host()
    host.draw = { _ in throw Dry() }
    try map.style.addCustomLayer(withId: "own", layerHost: host, layerPosition: .below("veil"))
    let missing = try map.draw().report.missing
    #expect(missing.map(\.message) == ["no paint left"] && missing[0].layer == "own")
    host.draw = { target in try target.drawTriangles([], indices: [0, 0, 0]) }
    #expect(try map.draw().report.missing.map(\.message) == ["index 0 of 0 vertices"])
    map.loop.run()
    #expect(told == ["no paint left", "index 0 of 0 vertices"])
    let long = Host()
    long.start = { throw NeatlineError(.unsupported, String(repeating: "long ", count: 1000)) }
    try map.style.addCustomLayer(withId: "long", layerHost: long)
    let words = try map.draw().report.missing.first { $0.layer == "long" }?.message
    #expect(words?.hasPrefix("long long") == true && words?.utf8.count == 511)
  }

  @Test func theHostIsHeldAsLongAsTheLayerIsThere() throws {
    let map = try map()
    weak var gone: Host?
    do {
      let host = Host()
      gone = host
      try map.style.addCustomLayer(withId: "own", layerHost: host)
      refused("already there") { try map.style.addCustomLayer(withId: "own", layerHost: host) }
      refused("no such layer", .notFound) {
        try map.style.addCustomLayer(withId: "x", layerHost: host, layerPosition: .above("nothing"))
      }
    }
    #expect(gone != nil)
    _ = try map.draw()
    try map.style.moveLayer(withId: "own", to: .at(0))
    #expect(map.style.allLayerIdentifiers.map(\.id) == ["own", "ground", "veil"])
    try map.style.moveLayer(withId: "ground", to: .above("own"))
    try map.style.setLayerProperty(for: "own", property: "visibility", value: .string("none"))
    #expect(throws: StyleCodingError.self) {
      try map.style.setLayerProperty(for: "own", property: "fill-color", value: .string("red"))
    }
    let count = gone?.calls.count
    _ = try map.draw()
    #expect(gone?.calls.count == count)
    try map.removeLayer("own")
    #expect(gone == nil)
  }

  @Test func aPersistentOneGoesWithTheMap() throws {
    let host = Host()
    do {
      let map = try Map(loop: EventLoop(), width: 64, height: 64)
      try map.style.addPersistentCustomLayer(withId: "own", layerHost: host)
      for _ in 0..<2 {
        try map.setStyle(json: CustomLayerDoorTests.style)
        map.loop.run()
        _ = try map.draw()
      }
      #expect(try map.style.isPersistentLayer(id: "own"))
    }
    #expect(host.calls == ["start", "render", "render", "end"])
  }

  @Test func aHostMayRemoveItsLayerWhileItDraws() throws {
    let map = try map()
    let host = Host()
    host.draw = { [unowned map] _ in try map.removeLayer("own") }
    try map.style.addCustomLayer(withId: "own", layerHost: host, layerPosition: .below("veil"))
    _ = try map.draw()
    #expect(host.calls == ["start", "render", "end"])
    host.draw = { [unowned map] _ in _ = try map.draw() }
    try map.style.addCustomLayer(withId: "own", layerHost: host)
    #expect(try map.draw().report.missing.count == 1)
  }

  @Test func repaintingMakesAFrameDue() throws {
    let map = try Map(loop: EventLoop(), width: 64, height: 64)
    refused("no style", .state) { try map.triggerRepaint() }
    try map.setStyle(json: CustomLayerDoorTests.style)
    map.loop.run()
    var frames = 0
    let listener = map.onEvery(.renderFrameFinished) { _ in frames += 1 }
    defer { listener.cancel() }
    map.loop.run()
    #expect(frames == 0)
    try map.triggerRepaint()
    map.loop.run()
    #expect(frames == 1)
  }

  // MARK: Sources

  private static let layer = ##"{"id":"fill","type":"fill","source":"own","paint":{"fill-color":"#f00"}}"##

  private static let square = Feature(
    Polygon([
      [
        Coordinate(longitude: -90, latitude: 0), Coordinate(longitude: 0, latitude: 0),
        Coordinate(longitude: 0, latitude: 66.6), Coordinate(longitude: -90, latitude: 66.6),
        Coordinate(longitude: -90, latitude: 0),
      ]
    ]))

  @Test func tilesComeFromAFunctionOrAnyThread() throws {
    let map = try map()
    let style = map.style
    var asked: [CanonicalTileID] = []
    var cancelled: [CanonicalTileID] = []
    let options = CustomGeometrySourceOptions(
      fetchTileFunction: { asked.append($0) }, cancelTileFunction: { cancelled.append($0) }, maxZoom: 6,
      tileOptions: TileOptions(tolerance: 0, buffer: 64, clip: true, wrap: true))
    let tiles = try style.addCustomGeometrySource(withId: "own", options: options)
    #expect(style.allSourceIdentifiers.map(\.typeName) == ["custom-geometry"])
    try map.addLayer(json: try JSONValue(parsing: CustomLayerDoorTests.layer))
    map.loop.run(timeout: 200)
    let tile = CanonicalTileID(z: 2, x: 1, y: 1)
    #expect(asked == [tile] && !map.isLoaded)
    try style.setCustomGeometrySourceTileData(
      forSourceId: "own", tileId: tile, features: [CustomLayerDoorTests.square])
    map.loop.run()
    #expect(try pixel(map.draw(), 32, 32)[2] == 0 && map.isLoaded)
    try style.invalidateCustomGeometrySourceTile(forSourceId: "own", tileId: tile)
    map.loop.run(timeout: 200)
    try style.invalidateCustomGeometrySourceRegion(
      forSourceId: "own", bounds: GeographicBounds(west: -46, south: 40, east: -44, north: 41))
    #expect(asked.count == 3 && cancelled == [tile])
    try tiles.setTileData(tile, features: [])
    map.loop.run()
    #expect(try pixel(map.draw(), 32, 32)[2] > 100)
    refused("no such custom", .notFound) {
      try style.invalidateCustomGeometrySourceTile(forSourceId: "other", tileId: tile)
    }
    refused("is no tile") { try tiles.setTileData(CanonicalTileID(z: 1, x: -1, y: 0), features: []) }
    refused("is none of the source's") {
      try tiles.setTileData(CanonicalTileID(z: 7, x: 0, y: 0), features: [])
    }
    try map.removeLayer("fill")
    try map.removeSource("own")
    refused("has gone", .notFound) { try tiles.setTileData(tile, features: []) }
  }

  @Test func failuresNameTheTile() throws {
    let map = try map()
    var told: [String] = []
    let listener = map.onEvery(.mapLoadingError) { event in
      guard case .mapLoadingError(let problem) = event.payload else { return }
      let tile = problem.tile.map { "\($0.z)/\($0.x)/\($0.y)" } ?? ""
      told.append("\(problem.sourceId ?? "") \(tile) \(problem.message)")
    }
    defer { listener.cancel() }
    let tiles = try map.style.addCustomGeometrySource(
      withId: "own", options: CustomGeometrySourceOptions(fetchTileFunction: { _ in }, minZoom: 2))
    try map.addLayer(json: try JSONValue(parsing: CustomLayerDoorTests.layer))
    try tiles.fail(CanonicalTileID(z: 2, x: 1, y: 1), NeatlineError(.io, "the cellar is flooded"))
    map.loop.run()
    #expect(told == ["own 2/1/1 the cellar is flooded"])
    refused("minZoom 3 is above maxZoom 2") {
      try map.style.addCustomGeometrySource(
        withId: "x",
        options: CustomGeometrySourceOptions(fetchTileFunction: { _ in }, minZoom: 3, maxZoom: 2))
    }
  }
}
