import CNeatline
import Neatline
import Testing

/// What a frame for GPUs holds: commands in the order of the style, over buffers that fit.
@Suite struct FrameTests {
  private static func style(_ layers: String, data: String = polygons) -> String {
    """
    {"version":8,"center":[0,0],"zoom":1,"sources":{"s":{"type":"geojson","lineMetrics":true,"data":{"type":"FeatureCollection","features":[\(data)]}}},
     "layers":[\(layers)]}
    """
  }

  /// A square with a hole, and a triangle.
  private static let polygons = """
    {"type":"Feature","properties":{"c":"#ff0000","h":100,"n":1},"geometry":{"type":"Polygon","coordinates":[[[10,10],[55,10],[55,55],[10,55],[10,10]],
     [[20,20],[20,30],[30,30],[30,20],[20,20]]]}},
    {"type":"Feature","properties":{"c":"rgba(0,0,255,0.5)","h":300,"n":2},"geometry":{"type":"Polygon","coordinates":[[[60,10],[100,10],[80,50],[60,10]]]}}
    """

  private static let points = """
    {"type":"Feature","properties":{"c":"#ff0000","n":3},"geometry":{"type":"Point","coordinates":[10,10]}},
    {"type":"Feature","properties":{"c":"#00ff00","n":4},"geometry":{"type":"Point","coordinates":[20,10]}}
    """

  /// A view of tile 1/1/0 alone.
  private static let oneTile = Camera(longitude: 90, latitude: 66.513, zoom: 1)

  private static func frame(_ layers: String, data: String = polygons, camera: Camera = oneTile) throws
    -> Frame
  {
    try Renderer(json: style(layers, data: data)).frame(camera: camera, width: 500, height: 500)
  }

  @Test func commandsComeInTheOrderOfTheStyle() throws {
    let frame = try Self.frame(
      """
      {"id":"bg","type":"background","paint":{"background-color":"#123456"}},
      {"id":"f","type":"fill","source":"s","paint":{"fill-color":"#ffffff"}},
      {"id":"hidden","type":"fill","source":"s","layout":{"visibility":"none"}},
      {"id":"l","type":"line","source":"s"},
      {"id":"c","type":"circle","source":"s"},
      {"id":"heat","type":"heatmap","source":"s"},
      {"id":"e","type":"fill-extrusion","source":"s","paint":{"fill-extrusion-height":10}}
      """)
    frame.check()
    #expect(frame.width == 500 && frame.height == 500 && frame.pixelRatio == 1 && frame.isComplete)
    var layers: [String] = []
    for command in frame.commands where layers.last != command.layer { layers.append(command.layer) }
    #expect(layers == ["bg", "f", "l", "c", "heat", "e"])
    #expect(Set(frame.commands(of: "f").map(\.kind)) == [.fill, .fillOutline])
    // White and opaque: the outline lies below, so that it shows outside only.
    #expect(frame.commands(of: "f").first?.kind == .fillOutline)
    #expect(frame.commands(of: "e").allSatisfy { $0.kind == .extrusion && $0.clip == nil })
  }

  @Test(arguments: ["butt", "round"])
  func dashesTooShortToBeSeenAreNone(_ cap: String) throws {
    let frame = try Self.frame(
      """
      {"id":"dash","type":"line","source":"s","layout":{"line-cap":"\(cap)"},"paint":{"line-width":4,"line-dasharray":[1e-37,1e-37]}}
      """)
    frame.check()
  }

  @Test func theBackgroundCoversClipSpace() throws {
    let frame = try Self.frame(
      """
      {"id":"bg","type":"background","paint":{"background-color":"rgba(255,0,0,0.5)","background-opacity":0.25}}
      """)
    let command = try #require(frame.commands.first)
    #expect(frame.commandCount == 1 && command.tile == nil && command.clip == nil)
    #expect(command.color == SIMD4(0.5, 0, 0, 0.5) && command.opacity == 0.25)
    let corners = command.elements(Frame.FillVertex.self).map { SIMD2($0.x, $0.y) }
    #expect(Set(corners) == [SIMD2(-1, 1), SIMD2(1, 1), SIMD2(-1, -1), SIMD2(1, -1)])
    #expect(corners.map { command.pixel($0.x, $0.y, width: 512, height: 512) }.contains(SIMD2(0, 0)))
  }

  /// On the screen they have the area that the picture of the CPU covers.
  @Test func trianglesHaveTheAreaOfThePolygons() throws {
    let renderer = try Renderer(
      json: Self.style(
        #"{"id":"f","type":"fill","source":"s","paint":{"fill-color":"white","fill-antialias":false}}"#))
    let frame = try renderer.frame(camera: Self.oneTile, width: 500, height: 500)
    frame.check()
    #expect(frame.commandCount == 1)
    var area: Float = 0
    for command in frame.commands {
      let vertices = command.elements(Frame.FillVertex.self)
      let indices = command.indexNumbers
      for first in stride(from: 0, to: indices.count, by: 3) {
        let corners = (0..<3).map { vertices[indices[first + $0]] }
        let p = corners.map { command.pixel($0.x, $0.y, width: 500, height: 500) }
        let (a, b) = (p[1] - p[0], p[2] - p[0])
        area += abs(a.x * b.y - a.y * b.x) / 2
      }
    }
    let covered = try renderer.draw(camera: Self.oneTile, width: 500, height: 500).withPixels { pixels in
      stride(from: 3, to: pixels.count, by: 4).reduce(0) { $0 + (pixels[$1] == 255 ? 1 : 0) }
    }
    #expect(abs(area - Float(covered)) < 0.01 * area, "\(area) against \(covered) pixels")
    #expect(covered > 1000)
  }

  @Test func whatDiffersFromFeatureToFeatureStandsInThePaint() throws {
    let frame = try Self.frame(
      """
      {"id":"plain","type":"fill","source":"s","paint":{"fill-color":"#808000","fill-opacity":0.5}},
      {"id":"color","type":"fill","source":"s","paint":{"fill-color":["get","c"],"fill-opacity":0.5}},
      {"id":"both","type":"fill","source":"s","paint":{"fill-color":["get","c"],"fill-opacity":["/",["get","n"],4]}}
      """)
    frame.check()
    let plain = try #require(frame.commands(of: "plain").first)
    #expect(plain.paint == nil && plain.opacity == 0.5 && plain.color.w == 1)
    let color = try #require(frame.commands(of: "color").first { $0.kind == .fill })
    #expect(color.color == .zero && color.opacity == 0.5)
    let paints = color.paints(Frame.FillPaint.self)
    try #require(paints.count == 8 + 3, "\(color.elements(Frame.FillVertex.self))")
    #expect(paints.allSatisfy { $0.opacity == 0 })
    #expect(paints[0].color == (255, 0, 0, 255))
    #expect(paints[8].color == (0, 0, 128, 128))
    let both = try #require(frame.commands(of: "both").first { $0.kind == .fill })
    #expect(both.opacity == 0)
    #expect(
      both.paints(Frame.FillPaint.self).map(\.opacity) == Array(repeating: 0.25, count: 8)
        + Array(repeating: 0.5, count: 3))
  }

  @Test func paintThatChangesWithZoomFollowsTheCamera() throws {
    let renderer = try Renderer(
      json: Self.style(
        """
        {"id":"c","type":"circle","source":"s","paint":{"circle-radius":["interpolate",["linear"],["zoom"],1,["get","n"],2,["*",10,["get","n"]]]}}
        """, data: Self.points))
    for (zoom, factor) in [(1.0, 1.0), (1.5, 5.5), (1.25, 3.25)] {
      let frame = try renderer.frame(
        camera: Camera(longitude: 10, latitude: 10, zoom: zoom), width: 512, height: 512)
      let circles = try #require(frame.commands.first)
      let radii = circles.paints(Frame.CirclePaint.self).map(\.radius_px)
      #expect(circles.values.circle.radius_px == 0)
      #expect(
        radii == Array(repeating: Float(3 * factor), count: 4) + Array(repeating: Float(4 * factor), count: 4)
      )
    }
  }

  @Test func linesHaveTheirWidthsDashesAndGradients() throws {
    let frame = try Self.frame(
      """
      {"id":"dash","type":"line","source":"s","paint":{"line-width":["interpolate",["linear"],["zoom"],1,4,2,8],"line-dasharray":[2,1],"line-gap-width":3,
        "line-offset":5,"line-blur":1}},
      {"id":"gradient","type":"line","source":"s","paint":{"line-width":3,"line-gradient":["interpolate",["linear"],["line-progress"],0,"red",1,"blue"]}}
      """,
      data: """
        {"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[10,10],[60,10]]}}
        """, camera: Camera(longitude: 10, latitude: 10, zoom: 1.5))
    frame.check()
    let dash = try #require(frame.commands(of: "dash").first)
    let line = dash.values.line
    #expect(
      line.width_px == 6 && line.floor_width_px == 4 && line.gap_width_px == 3 && line.offset_px == 5
        && line.blur_px == 1)
    #expect(dash.dashes == [2, 1])
    #expect(
      dash.dashTexture?.width == 256 && dash.dashTexture?.height == 1 && dash.dashTexture?.format == .r8)
    // A tile of zoom 1 is 512 * 2^0.5 pixels at zoom 1.5, and dashes are measured at zoom 1.
    #expect(abs(line.units_per_px * 512 * 2.0.squareRoot().asFloat - 8192) < 0.5)
    #expect(abs(line.dash_scale - 512.0 / 8192 / 3) < 1e-6)
    #expect(dash.elements(Frame.LineVertex.self).contains { $0.distance > 1000 })
    let gradient = try #require(frame.commands(of: "gradient").first)
    #expect(gradient.textureUse == .gradient && gradient.texture?.width == 256)
    let progress = gradient.paints(Frame.LinePaint.self).map(\.progress)
    #expect(progress.min() == 0 && abs((progress.max() ?? 0) - 1) < 0.01)
    gradient.texture?.withUnsafeBytes { texels in
      #expect(Array(texels.prefix(4)) == [255, 0, 0, 255] && Array(texels.suffix(4)) == [0, 0, 255, 255])
    }
  }

  @Test func runsOfFeaturesWithTheSameDashAreOneCommand() throws {
    let frame = try Self.frame(
      #"{"id":"l","type":"line","source":"s","paint":{"line-dasharray":["match",["get","n"],1,["literal",[1,1]],["literal",[3,2]]]}}"#
    )
    frame.check()
    #expect(frame.commands.map(\.dashes) == [[1, 1], [3, 2]])
    #expect(frame.commands[0].dashTexture?.id != frame.commands[1].dashTexture?.id)
  }

  @Test func extrusionsHaveHeightsAndNormalsThatLookOutwards() throws {
    let frame = try Self.frame(
      """
      {"id":"e","type":"fill-extrusion","source":"s","paint":{"fill-extrusion-height":["get","h"],"fill-extrusion-base":20,"fill-extrusion-opacity":0.5}}
      """)
    frame.check()
    let command = try #require(frame.commands.first)
    #expect(
      command.values.extrusion.base_m == 20 && command.values.extrusion.height_m == 0
        && command.opacity == 0.5)
    #expect(Set(command.paints(Frame.ExtrusionPaint.self).map(\.height_m)) == [100, 300])
    let vertices = command.elements(Frame.ExtrusionVertex.self)
    #expect(vertices.allSatisfy { $0.level == 0 || $0.level == 1 })
    for vertex in vertices {
      let length =
        vertex.normal.0 * vertex.normal.0 + vertex.normal.1 * vertex.normal.1 + vertex.normal.2
        * vertex.normal.2
      #expect(abs(length - 1) < 1e-5)
    }
  }

  @Test func whatIsNotDrawnIsTold() throws {
    let frame = try Self.frame(#"{"id":"air","type":"sky"}"#)
    let command = try #require(frame.commands.first)
    #expect(
      frame.commandCount == 1 && command.kind == .unsupported && command.layer == "air"
        && command.indexRange.isEmpty)
    #expect(command.reason?.contains("sky") == true)
  }

  @Test func buffersOfATileKeepTheirNumbersFromFrameToFrame() throws {
    let renderer = try Renderer(
      json: Self.style(
        """
        {"id":"f","type":"fill","source":"s","paint":{"fill-color":["get","c"]}},{"id":"l","type":"line","source":"s","paint":{"line-width":["get","n"]}},
        {"id":"e","type":"fill-extrusion","source":"s","paint":{"fill-extrusion-height":["get","h"]}}
        """))
    let first = try renderer.frame(
      camera: Camera(longitude: 40, latitude: 20, zoom: 1.2), width: 512, height: 512)
    let second = try renderer.frame(
      camera: Camera(longitude: 45, latitude: 25, zoom: 1.4), width: 512, height: 512)
    #expect(Set(first.buffers.map(\.id)) == Set(second.buffers.map(\.id)))
    #expect(first.commands.map(\.matrix) != second.commands.map(\.matrix))
  }

  @Test func aFrameOutlivesItsRenderer() throws {
    var renderer: Renderer? = try Renderer(json: Self.style(#"{"id":"l","type":"line","source":"s"}"#))
    let frame = try #require(try renderer?.frame(width: 512, height: 512))
    let before = frame.buffers.map { $0.withUnsafeBytes { Array($0) } }
    renderer = nil
    frame.check()
    #expect(frame.buffers.map { $0.withUnsafeBytes { Array($0) } } == before)
  }

  @Test func aMapGivesTheFrameOfItsView() throws {
    let loop = try EventLoop()
    let map = try Map(loop: loop, width: 256, height: 128, pixelRatio: 2)
    #expect(throws: NeatlineError.self) { try map.frame() }
    try map.setStyle(json: Self.style(#"{"id":"f","type":"fill","source":"s"}"#))
    loop.run(timeout: 10_000)
    let frame = try map.frame()
    frame.check()
    #expect(frame.isComplete && frame.width == 512 && frame.height == 256 && frame.pixelRatio == 2)
    #expect(frame.commands.contains { $0.kind == .fill })
  }

  @Test func arraysOfTheHeaderAreAsLargeAsTheirElements() throws {
    let frame = try Self.frame(
      """
      {"id":"f","type":"fill","source":"s","paint":{"fill-color":["get","c"]}},{"id":"l","type":"line","source":"s","paint":{"line-width":["get","n"]}},
      {"id":"c","type":"circle","source":"s","paint":{"circle-radius":["get","n"]}},
      {"id":"e","type":"fill-extrusion","source":"s","paint":{"fill-extrusion-height":["get","h"]}},{"id":"h","type":"heatmap","source":"s"}
      """)
    let sizes: [Frame.Layout: Int] = [
      .index16: 2, .index32: 4, .fill: MemoryLayout<neat_frame_fill_vertex>.stride,
      .fillPaint: MemoryLayout<neat_frame_fill_paint>.stride,
      .line: MemoryLayout<neat_frame_line_vertex>.stride,
      .linePaint: MemoryLayout<neat_frame_line_paint>.stride,
      .circle: MemoryLayout<neat_frame_circle_vertex>.stride,
      .circlePaint: MemoryLayout<neat_frame_circle_paint>.stride,
      .extrusion: MemoryLayout<neat_frame_extrusion_vertex>.stride,
      .extrusionPaint: MemoryLayout<neat_frame_extrusion_paint>.stride,
      .picture: MemoryLayout<neat_frame_picture_vertex>.stride,
      .symbol: MemoryLayout<neat_frame_symbol_vertex>.stride,
      .custom: MemoryLayout<neat_frame_custom_vertex>.stride,
    ]
    #expect(Set(frame.buffers.map(\.layout)).count == 10)
    for buffer in frame.buffers { #expect(buffer.stride == sizes[buffer.layout], "\(buffer.layout)") }
  }

  @Test func badCallsFail() throws {
    var frame: OpaquePointer?
    var size = neat_size(
      struct_size: UInt32(MemoryLayout<neat_size>.size), width_px: 64, height_px: 64, pixel_ratio: 1)
    #expect(neat_renderer_frame(nil, nil, &size, 0, &frame) == NEAT_STATUS_INVALID_ARGUMENT && frame == nil)
    #expect(neat_map_frame(nil, &frame) == NEAT_STATUS_INVALID_ARGUMENT)
    neat_frame_destroy(nil)
    let json = Self.style(#"{"id":"bg","type":"background"}"#)
    var renderer: OpaquePointer?
    #expect(
      json.withCString { neat_renderer_create($0, json.utf8.count, nil, 0, nil, &renderer) } == NEAT_STATUS_OK
    )
    defer { neat_renderer_destroy(renderer) }
    #expect(neat_renderer_frame(renderer, nil, nil, 0, &frame) == NEAT_STATUS_INVALID_ARGUMENT)
    #expect(neat_renderer_frame(renderer, nil, &size, 0, nil) == NEAT_STATUS_INVALID_ARGUMENT)
    #expect(neat_renderer_frame(renderer, nil, &size, 0, &frame) == NEAT_STATUS_OK)
    defer { neat_frame_destroy(frame) }
    var command = neat_frame_command()
    #expect(neat_frame_command_at(frame, 0, &command) == NEAT_STATUS_INVALID_ARGUMENT)
    command.struct_size = UInt32(MemoryLayout<neat_frame_command>.size)
    #expect(neat_frame_command_at(frame, 0, nil) == NEAT_STATUS_INVALID_ARGUMENT)
    #expect(neat_frame_command_at(nil, 0, &command) == NEAT_STATUS_INVALID_ARGUMENT)
    #expect(neat_frame_command_at(frame, 0, &command) == NEAT_STATUS_OK)
    #expect(String(cString: command.layer) == "bg" && command.layer_size == 2)
    #expect(neat_frame_command_at(frame, 1, &command) == NEAT_STATUS_INVALID_ARGUMENT)
    var buffer = neat_frame_buffer()
    buffer.struct_size = UInt32(MemoryLayout<neat_frame_buffer>.size)
    #expect(neat_frame_buffer_at(frame, 99, &buffer) == NEAT_STATUS_INVALID_ARGUMENT)
    var texture = neat_frame_texture()
    texture.struct_size = UInt32(MemoryLayout<neat_frame_texture>.size)
    #expect(neat_frame_texture_at(frame, 0, &texture) == NEAT_STATUS_INVALID_ARGUMENT)
  }
}

extension Double {
  fileprivate var asFloat: Float { Float(self) }
}
