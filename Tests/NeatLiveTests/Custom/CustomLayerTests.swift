import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatRaster
import NeatStyle
import NeatTestSupport
import Testing

@testable import NeatLive

/// A layer of a test's own, which writes down what it is called for.
final class Painter {
  var calls: [String] = []
  var onInitialize: () throws(NeatError) -> Void = { () throws(NeatError) in }
  var onRender: (CustomTarget) throws(NeatError) -> Void = { _ throws(NeatError) in }
  var onDeinitialize: () -> Void = {}

  var host: CustomLayerHost {
    CustomLayerHost(
      initialize: { () throws(NeatError) in
        self.calls.append("initialize")
        try self.onInitialize()
      },
      render: { target throws(NeatError) in
        self.calls.append("render")
        try self.onRender(target)
      },
      deinitialize: {
        self.calls.append("deinitialize")
        self.onDeinitialize()
      }, release: { self.calls.append("release") })
  }

  /// Fills all pixels of a picture.
  static func fill(_ color: UInt32) -> (CustomTarget) throws(NeatError) -> Void {
    { target throws(NeatError) in
      guard case .pixels(let bitmap, _, _) = target.surface else { return }
      bitmap.clear(Premultiplied(bits: color))
    }
  }
}

private let red: UInt32 = 0xFF00_00FF
private let green: UInt32 = 0xFF00_FF00
private let blue: UInt32 = 0xFFFF_0000

@Suite struct CustomLayerTests {
  /// A blue ground, and above it a green square over the middle of the world.
  private static let style = Array(
    ##"""
    {"version":8,"sources":{"s":{"type":"geojson","data":{"type":"Polygon","coordinates":
    [[[-10,-10],[10,-10],[10,10],[-10,10],[-10,-10]]]}}},"layers":[
    {"id":"ground","type":"background","paint":{"background-color":"#00f"}},
    {"id":"square","type":"fill","source":"s","paint":{"fill-color":"#0f0","fill-antialias":false}}]}
    """##.utf8)

  private func stage(_ change: (inout MapEnvironment.Options) -> Void = { _ in }) throws -> Stage {
    let stage = try Stage(change)
    try stage.map.setStyle(CustomLayerTests.style, base: "")
    try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 0))
    stage.run()
    return stage
  }

  private func pixel(_ stage: Stage, _ place: Int) throws -> UInt32 {
    let bitmap = try stage.map.draw().bitmap
    return withExtendedLifetime(bitmap) { bitmap.pixels[place] }
  }
  private func corner(_ stage: Stage) throws -> UInt32 { try pixel(stage, 0) }
  private func middle(_ stage: Stage) throws -> UInt32 { try pixel(stage, 32 * 64 + 32) }

  // MARK: Place

  @Test(arguments: [1, 3]) func itIsDrawnBetweenWhatLiesBelowAndAbove(threads: Int) throws {
    let stage = try stage { $0.threadCount = threads }
    let painter = Painter()
    painter.onRender = { target throws(NeatError) in
      guard case .pixels(let bitmap, _, _) = target.surface else { return }
      // What lies below is there, on all of the picture, and nothing of what lies above.
      #expect((0..<64 * 64).allSatisfy { bitmap.pixels[$0] == blue })
      bitmap.clear(Premultiplied(bits: red))
    }
    try stage.map.addCustomLayer("own", .below("square"), painter.host)
    let picture = try stage.map.draw()
    #expect(picture.bitmap.pixels[0] == red && picture.bitmap.pixels[32 * 64 + 32] == green)
    #expect(picture.report.entries.isEmpty && painter.calls == ["initialize", "render"])
  }

  /// As a layer does that moves.
  @Test func aChangeWithinRenderMakesAnotherFrameDue() throws {
    let stage = try Stage()
    try stage.map.setPacing(byHost: true)
    try stage.map.setStyle(CustomLayerTests.style, base: "")
    stage.run()
    let painter = Painter()
    var renders = 0
    painter.onRender = { [weak stage] _ throws(NeatError) in
      renders += 1
      if renders < 3 { stage?.map.invalidate() }
    }
    try stage.map.addCustomLayer("own", .below("square"), painter.host)
    for _ in 0..<10 {
      stage.run()
      guard stage.map.isFrameDue else { break }
      try stage.map.beginFrame(atMS: Double(renders) * 16)
      _ = try stage.map.draw()
    }
    #expect(renders == 3 && !stage.map.isFrameDue)
  }

  @Test func itIsMovedHiddenAndHeldToItsZooms() throws {
    let stage = try stage()
    let painter = Painter()
    painter.onRender = Painter.fill(red)
    try stage.map.addCustomLayer("own", .below("square"), painter.host)
    #expect(try middle(stage) == green)
    try stage.map.edit { editor throws(NeatError) in try editor.moveLayer("own") }
    #expect(try middle(stage) == red)
    try stage.map.edit { editor throws(NeatError) in
      try editor.setLayoutProperty(layer: "own", "visibility", .string("none"))
    }
    #expect(try corner(stage) == blue && painter.calls.count == 3)
    try stage.map.edit { editor throws(NeatError) in
      try editor.setLayoutProperty(layer: "own", "visibility", nil)
      try editor.setZoomRange(layer: "own", minZoom: 1, maxZoom: nil)
    }
    #expect(try corner(stage) == blue)
    try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 1))
    #expect(try corner(stage) == red)
    #expect(painter.calls == ["initialize", "render", "render", "render"])
  }

  @Test func aStyleCannotSayIt() throws {
    let stage = try stage()
    let painter = Painter()
    try stage.map.addCustomLayer("own", .top, painter.host)
    let core = try stage.map.loadedCore()
    #expect(core.style.layers.map(\.id) == ["ground", "square", "own"])
    #expect(core.style.json["layers"]?.elements.map { $0["id"]?.string } == ["ground", "square"])
    #expect(try core.style.layer("own")?.value(named: "type").string == "custom")
    #expect(throws: NeatError.self) {
      try stage.map.edit { editor throws(NeatError) in
        try editor.addLayer(.object([("id", .string("x")), ("type", .string("custom"))]))
      }
    }
    #expect(throws: NeatError.self) {
      try stage.map.edit { editor throws(NeatError) in
        try editor.setPaintProperty(layer: "own", "fill-color", .string("red"))
      }
    }
    #expect(
      try stage.map.query(.point(SIMD2(32, 32)), options: QueryOptions()).features.allSatisfy {
        $0.layer == "square"
      })
  }

  // MARK: Life

  @Test func eachCallComesOnceInItsOrder() throws {
    let stage = try stage()
    let painter = Painter()
    try stage.map.addCustomLayer("own", .top, painter.host)
    #expect(painter.calls.isEmpty)
    _ = try stage.map.draw()
    _ = try stage.map.meshFrame()
    try stage.map.removeLayer("own")
    #expect(painter.calls == ["initialize", "render", "render", "deinitialize", "release"])
    _ = try stage.map.draw()
    stage.map.destroy()
    #expect(painter.calls.count == 5)
  }

  @Test func oneThatWasNeverShownIsNotInitialized() throws {
    let stage = try stage()
    let painter = Painter()
    try stage.map.addCustomLayer("own", .top, painter.host)
    try stage.map.removeLayer("own")
    #expect(painter.calls == ["release"])
  }

  @Test func anotherStyleAndTheEndOfTheMapEndIt() throws {
    let stage = try stage()
    let (first, second) = (Painter(), Painter())
    try stage.map.addCustomLayer("own", .top, first.host)
    _ = try stage.map.draw()
    try stage.map.setStyle(CustomLayerTests.style, base: "")
    #expect(first.calls == ["initialize", "render", "deinitialize", "release"])
    try stage.map.addCustomLayer("own", .top, second.host)
    stage.run()
    _ = try stage.map.draw()
    stage.map.destroy()
    #expect(second.calls == ["initialize", "render", "deinitialize", "release"])
    #expect(throws: NeatError.self) { try stage.map.addCustomLayer("own", .top, second.host) }
  }

  @Test func oneThatIsPersistentIsInEveryStyle() throws {
    let stage = try Stage()
    let painter = Painter()
    painter.onRender = Painter.fill(red)
    try stage.map.addCustomLayer("own", .below("square"), isPersistent: true, painter.host)
    #expect(stage.map.persistentLayers == ["own"])
    for _ in 0..<2 {
      try stage.map.setStyle(CustomLayerTests.style, base: "")
      try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 0))
      stage.run()
      #expect(try corner(stage) == red && middle(stage) == green)
    }
    try stage.map.update(to: try loadedStyle())
    #expect(try corner(stage) == red)
    #expect(painter.calls.filter { $0 == "initialize" }.count == 1 && !painter.calls.contains("release"))
    try stage.map.removeLayer("own")
    #expect(painter.calls.suffix(2) == ["deinitialize", "release"] && stage.map.persistentLayers.isEmpty)
  }

  private func loadedStyle() throws -> Style { try Style(parsing: CustomLayerTests.style) }

  @Test func oneThatAStyleCannotHaveWaitsForTheNext() throws {
    let stage = try stage()
    let painter = Painter()
    try stage.map.addCustomLayer("own", .top, isPersistent: true, painter.host)
    let taken = #"{"version":8,"sources":{},"layers":[{"id":"own","type":"background"}]}"#
    try stage.map.setStyle(Array(taken.utf8), base: "")
    stage.run()
    #expect(stage.problems.contains { $0.resource == "own" && $0.code == .invalidArgument })
    #expect(!painter.calls.contains("release"))
    try stage.map.setStyle(CustomLayerTests.style, base: "")
    stage.run()
    _ = try stage.map.draw()
    #expect(painter.calls == ["initialize", "render"])
    try stage.map.setStyle(Array(taken.utf8), base: "")
    try stage.map.removeLayer("own")
    #expect(painter.calls.suffix(2) == ["deinitialize", "release"])
    #expect(try stage.map.loadedCore().style.layers.map(\.id) == ["own"])
  }

  @Test func goingOverToAnotherStyleKeepsIt() throws {
    let stage = try stage()
    let painter = Painter()
    painter.onRender = Painter.fill(red)
    try stage.map.addCustomLayer("own", .below("square"), painter.host)
    let json = try stage.map.loadedCore().style.json.text
    try stage.map.update(to: try Style(parsing: Array(json.utf8)))
    #expect(try stage.map.loadedCore().style.layers.map(\.id) == ["ground", "own", "square"])
    // What stood above it has gone: it is on top.
    let ground = #"{"version":8,"sources":{},"layers":[{"id":"ground","type":"background"}]}"#
    try stage.map.update(to: try Style(parsing: Array(ground.utf8)))
    #expect(try stage.map.loadedCore().style.layers.map(\.id) == ["ground", "own"])
    #expect(try corner(stage) == red && !painter.calls.contains("deinitialize"))
  }

  // MARK: What goes wrong

  @Test func whatItThrowsIsToldAndTheRestIsDrawn() throws {
    let stage = try stage()
    let painter = Painter()
    painter.onRender = { _ throws(NeatError) in throw NeatError(.io, "no paint") }
    try stage.map.addCustomLayer("own", .below("square"), painter.host)
    let picture = try stage.map.draw()
    #expect(picture.bitmap.pixels[32 * 64 + 32] == green && !picture.report.isComplete)
    let entry = try #require(picture.report.entries.first)
    #expect(entry.kind == .style && entry.layer == "own" && entry.code == .io && entry.message == "no paint")
    _ = try stage.map.draw()
    stage.run()
    #expect(stage.problems.map(\.message) == ["no paint"] && stage.problems.first?.resource == "own")
    #expect(try !stage.map.meshFrame().report.isComplete)
  }

  @Test func oneThatCannotBeginIsNotDrawnAndSaysSoEachTime() throws {
    let stage = try stage()
    let painter = Painter()
    painter.onInitialize = { () throws(NeatError) in throw NeatError(.unsupported, "no shader") }
    try stage.map.addCustomLayer("own", .top, painter.host)
    for _ in 0..<2 { #expect(try stage.map.draw().report.entries.map(\.message) == ["no shader"]) }
    try stage.map.removeLayer("own")
    #expect(painter.calls == ["initialize", "release"])
  }

  @Test func idsAndPositionsAreChecked() throws {
    let stage = try Stage()
    let painter = Painter()
    func code(_ id: String, _ position: AnnotationOptions.Position = .top) -> ErrorCode? {
      do throws(NeatError) {
        try stage.map.addCustomLayer(id, position, painter.host)
        return nil
      } catch { return error.code }
    }
    #expect(code("own") == .state)
    try stage.map.setStyle(CustomLayerTests.style, base: "")
    #expect(code("") == .invalidArgument)
    #expect(code("ground") == .invalidArgument)
    #expect(code("own", .above("nothing")) == .notFound)
    #expect(code("own", .at(7)) == .notFound)
    #expect(code("own", .at(0)) == nil)
    #expect(code("own") == .invalidArgument)
    #expect(painter.calls.isEmpty)
  }

  @Test func aMapHasAThousandOfThem() throws {
    let stage = try Stage()
    let painter = Painter()
    for number in 0..<LiveMap.customLayerLimit {
      try stage.map.addCustomLayer("\(number)", .top, isPersistent: true, painter.host)
    }
    #expect(throws: NeatError(.limitExceeded, "more than 1000 custom layers", resource: "one more")) {
      try stage.map.addCustomLayer("one more", .top, isPersistent: true, painter.host)
    }
  }

  // MARK: Calls within calls

  @Test func itMayRemoveItselfWhileItIsDrawn() throws {
    let stage = try stage()
    let (painter, other) = (Painter(), Painter())
    painter.onRender = { _ throws(NeatError) in
      try stage.map.removeLayer("own")
      #expect(painter.calls.suffix(2) == ["deinitialize", "release"])
      try stage.map.removeLayer("other")
    }
    try stage.map.addCustomLayer("own", .below("square"), painter.host)
    try stage.map.addCustomLayer("other", .top, other.host)
    #expect(try middle(stage) == green)
    #expect(painter.calls == ["initialize", "render", "deinitialize", "release"])
    #expect(other.calls == ["release"])
    #expect(try middle(stage) == green && painter.calls.count == 4)
  }

  @Test func itMayEndTheMapWhileItIsDrawn() throws {
    for isFrame in [false, true] {
      let stage = try stage()
      let painter = Painter()
      painter.onRender = { _ throws(NeatError) in
        stage.map.destroy()
        #expect(painter.calls == ["initialize", "render", "deinitialize", "release"])
      }
      try stage.map.addCustomLayer("own", .below("square"), painter.host)
      #expect(throws: NeatError(.state, "the map was destroyed while it was drawn")) {
        if isFrame { _ = try stage.map.meshFrame() } else { _ = try stage.map.draw() }
      }
      #expect(painter.calls.count == 4)
    }
  }

  @Test func itMaySetAnotherStyleWhileItIsDrawn() throws {
    let stage = try stage()
    let painter = Painter()
    painter.onRender = { _ throws(NeatError) in try stage.map.setStyle(CustomLayerTests.style, base: "") }
    try stage.map.addCustomLayer("own", .below("square"), painter.host)
    #expect(try middle(stage) == green)
    #expect(painter.calls == ["initialize", "render", "deinitialize", "release"])
    stage.run()
    #expect(try corner(stage) == blue)
  }

  @Test func whoeverIsInitializedMayRemoveItself() throws {
    let stage = try stage()
    let painter = Painter()
    painter.onInitialize = { () throws(NeatError) in try stage.map.removeLayer("own") }
    try stage.map.addCustomLayer("own", .top, painter.host)
    _ = try stage.map.draw()
    #expect(painter.calls == ["initialize", "deinitialize", "release"])
  }

  @Test func theMapCannotBeDrawnWithinALayer() throws {
    let stage = try stage()
    let painter = Painter()
    var codes: [ErrorCode] = []
    painter.onRender = { _ throws(NeatError) in
      do throws(NeatError) { _ = try stage.map.draw() } catch { codes.append(error.code) }
      do throws(NeatError) { _ = try stage.map.meshFrame() } catch { codes.append(error.code) }
    }
    try stage.map.addCustomLayer("own", .top, painter.host)
    _ = try stage.map.draw()
    #expect(codes == [.state, .state] && painter.calls == ["initialize", "render"])
  }

  @Test func whatIsCalledAtItsEndMayAddItAgain() throws {
    let stage = try stage()
    let painter = Painter()
    painter.onDeinitialize = {
      painter.onDeinitialize = {}
      #expect(throws: Never.self) { try stage.map.addCustomLayer("own", .top, painter.host) }
    }
    try stage.map.addCustomLayer("own", .top, painter.host)
    _ = try stage.map.draw()
    try stage.map.removeLayer("own")
    _ = try stage.map.draw()
    #expect(painter.calls == ["initialize", "render", "deinitialize", "release", "initialize", "render"])
  }
}

/// Triangles, and frames for a GPU.
@Suite struct CustomTriangleTests {
  private static let style = Array(
    ##"""
    {"version":8,"sources":{},"layers":[
    {"id":"ground","type":"background","paint":{"background-color":"#000"}},
    {"id":"veil","type":"background","paint":{"background-color":"#fff","background-opacity":0}}]}
    """##.utf8)

  private func stage(_ camera: Camera) throws -> Stage {
    let stage = try Stage()
    try stage.map.setStyle(CustomTriangleTests.style, base: "")
    try stage.map.setCamera(camera)
    stage.run()
    return stage
  }

  /// The north-western quarter of the world, red and half seen through.
  private static let quarter = [
    CustomVertex(SIMD3(0, 0, 0), SIMD4(0.5, 0, 0, 0.5)),
    CustomVertex(SIMD3(0.5, 0, 0), SIMD4(0.5, 0, 0, 0.5)),
    CustomVertex(SIMD3(0, 0.5, 0), SIMD4(0.5, 0, 0, 0.5)),
    CustomVertex(SIMD3(0.5, 0.5, 0), SIMD4(0.5, 0, 0, 0.5)),
  ]
  private static let pair: [UInt32] = [0, 1, 2, 2, 1, 3]

  @Test func trianglesOfTheWorldStandWhereTheWorldIs() throws {
    let stage = try stage(Camera(center: LonLat(0, 0), zoom: 0))
    let painter = Painter()
    painter.onRender = { target throws(NeatError) in
      try target.draw(CustomTriangleTests.quarter, CustomTriangleTests.pair)
    }
    try stage.map.addCustomLayer("own", .below("veil"), painter.host)
    let bitmap = try stage.map.draw().bitmap
    // Its quarter of the world reaches from the upper left to the middle, without a seam and drawn once.
    for y in 0..<64 {
      for x in 0..<64 {
        #expect(bitmap.pixels[y * 64 + x] == (x < 32 && y < 32 ? 0xFF00_0080 : 0xFF00_0000))
      }
    }
  }

  @Test func aFrameHasThePlaceAndTheTriangles() throws {
    let stage = try stage(Camera(center: LonLat(0, 0), zoom: 0))
    let painter = Painter()
    painter.onRender = { target throws(NeatError) in
      #expect({ if case .frame = target.surface { true } else { false } }())
      try target.draw(CustomTriangleTests.quarter, CustomTriangleTests.pair)
      try target.draw(CustomTriangleTests.quarter, [0, 1, 2])
      try target.draw([], [])
    }
    try stage.map.addCustomLayer("own", .below("veil"), painter.host)
    let frame = try stage.map.meshFrame()
    #expect(frame.layers == ["ground", "own", "veil"])
    let kinds: [MeshCommand.Kind] = [.background, .custom, .custom, .custom]
    #expect(frame.commands.map(\.kind) == kinds)
    let place = frame.commands[1]
    #expect(place.vertices == -1 && place.indexCount == 0 && place.layer == 1)
    let corner = place.matrix * SIMD4(0, 0, 0, 1)
    // The world is eight pictures wide.
    #expect(abs(corner.x / corner.w + 8) < 1e-9 && abs(corner.y / corner.w - 8) < 1e-9)
    let mesh = frame.commands[2]
    #expect(mesh.vertexCount == 4 && mesh.indexCount == 6 && frame.commands[3].indexCount == 3)
    let vertices = frame.buffers[Int(mesh.vertices)]
    #expect(vertices.layout == .custom && vertices.count == 4)
    let first = vertices.bytes.loadUnaligned(as: SIMD2<Float>.self)
    let seen = mesh.matrix * SIMD4(Double(first.x), Double(first.y), 0, 1)
    #expect(abs(seen.x / seen.w + 8) < 1e-5 && abs(seen.y / seen.w - 8) < 1e-5)
    #expect(vertices.bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self) == 0x8000_0080)
    #expect(try stage.map.meshFrame().commands.map(\.kind) == kinds && painter.calls.count == 3)
  }

  @Test func placesInDegreesAndMetresAreThoseOfTheWorld() {
    let vertex = CustomVertex(LonLat(90, 60), height: 1000, .one)
    #expect(abs(vertex.position.x - 0.75) < 1e-12)
    #expect(abs(vertex.position.z - 1000 / (Mercator.earthCircumference / 2)) < 1e-12)
  }

  @Test func faultyTrianglesAreRefused() throws {
    let stage = try stage(Camera(center: LonLat(0, 0), zoom: 0))
    let painter = Painter()
    var kept: CustomTarget?
    var codes: [ErrorCode] = []
    func refused(_ target: CustomTarget, _ vertices: [CustomVertex], _ indices: [UInt32]) {
      do throws(NeatError) { try target.draw(vertices, indices) } catch { codes.append(error.code) }
    }
    painter.onRender = { target throws(NeatError) in
      kept = target
      let quarter = CustomTriangleTests.quarter
      refused(target, quarter, [0, 1])
      refused(target, quarter, [0, 1, 4])
      refused(target, [], [0, 0, 0])
      for position in [SIMD3(Double.nan, 0, 0), SIMD3(0, .infinity, 0), SIMD3(0, 0, -.infinity)] {
        refused(target, quarter.dropLast() + [CustomVertex(position, .one)], [0, 1, 2])
      }
      refused(target, [CustomVertex(.zero, SIMD4(.nan, 0, 0, 0))], [0, 0, 0])
      // Far away, and behind the eye: not seen, and no fault.
      try target.draw(
        [1e300, -1e300, 1e12].map { CustomVertex(SIMD3($0, -$0, $0), .one) }, [0, 1, 2, 0, 0, 0])
    }
    try stage.map.addCustomLayer("own", .top, painter.host)
    #expect(try stage.map.draw().report.entries.isEmpty)
    #expect(codes == Array(repeating: .invalidArgument, count: 7))
    codes = []
    refused(try #require(kept), CustomTriangleTests.quarter, [0, 1, 2])
    #expect(codes == [.state])
  }

  @Test func prismsBelowHideWhatStandsBehindThemAboveTheLayer() throws {
    let prisms = { (id: String, height: Int) in
      #"{"id":"\#(id)","type":"fill-extrusion","source":"\#(id)","paint":{"fill-extrusion-height":\#(height),"fill-extrusion-color":"\#(id == "near" ? "#f00" : "#0f0")"}}"#
    }
    let box = { (south: Double) in
      #"{"type":"geojson","data":{"type":"Polygon","coordinates":[[[-0.002,\#(south)],[0.002,\#(south)],[0.002,\#(south + 0.001)],[-0.002,\#(south + 0.001)],[-0.002,\#(south)]]]}}"#
    }
    let style =
      #"{"version":8,"sources":{"near":\#(box(-0.001)),"far":\#(box(0.0015))},"layers":[\#(prisms("near", 300)),\#(prisms("far", 100))]}"#
    func picture(_ isSplit: Bool) throws -> [UInt32] {
      let stage = try Stage { $0.threadCount = 2 }
      try stage.map.setSize(ViewSize(width: 200, height: 200))
      try stage.map.setStyle(Array(style.utf8), base: "")
      try stage.map.setCamera(Camera(center: LonLat(0, 0), zoom: 15, pitch: 60))
      if isSplit { try stage.map.addCustomLayer("own", .below("far"), Painter().host) }
      stage.run()
      let bitmap = try stage.map.draw().bitmap
      return (0..<200 * 200).map { bitmap.pixels[$0] }
    }
    let whole = try picture(false)
    #expect(Set(whole).count > 3)
    #expect(try picture(true) == whole)
  }
}
