import CNeatline
import Testing

@testable import Neatline

/// Debug views and opacities of whole layers, through the Swift module and the C interface below it.
@Suite struct DebugViewTests {
  private static func style(_ paint: String = "", type: String = "fill") -> String {
    """
    {"version":8,"sources":{"a":{"type":"geojson","data":{"type":"FeatureCollection","features":[
    {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[-40,-40],[10,-40],[10,40],[-40,40],[-40,-40]]]}},
    {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[-10,-40],[40,-40],[40,40],[-10,40],[-10,-40]]]}}
    ]}}},"layers":[{"id":"b","type":"background","paint":{"background-color":"#fff"}},
    {"id":"f","type":"\(type)","source":"a","paint":{\(paint)}}]}
    """
  }

  private func pixel(_ image: Image, _ x: Int, _ y: Int) -> [UInt8] {
    image.withPixels { Array($0[4 * (y * image.width + x)..<4 * (y * image.width + x) + 4]) }
  }

  private func drawn(
    _ style: String, threads: Int = 1, debug: [MapDebugOptions] = [], padding: Camera.Padding = .zero
  ) throws -> Image {
    var options = Options()
    options.threadCount = threads
    var camera = Camera(longitude: 0, latitude: 0, zoom: 1)
    camera.padding = padding
    return try Renderer(json: style, options: options).draw(
      camera: camera, width: 256, height: 256, debugOptions: debug)
  }

  @Test func aLayersOpacityIsBlendedOnceWhereItsFeaturesOverlap() throws {
    let image = try drawn(
      DebugViewTests.style(#""fill-color":"blue","fill-opacity":0.5,"fill-layer-opacity":0.5"#))
    // Where two overlap: 3/4 of blue in the layer, half of that on white.
    #expect(abs(Int(pixel(image, 128, 128)[0]) - 159) <= 1)
    #expect(abs(Int(pixel(image, 80, 128)[0]) - 191) <= 1)
    #expect(pixel(image, 5, 128) == [255, 255, 255, 255])
  }

  @Test func aLayerWithoutOpacityIsNotDrawnAndOneIsAsWithout() throws {
    let plain = DebugViewTests.style(#""fill-color":"blue""#)
    let whole = DebugViewTests.style(#""fill-color":"blue","fill-layer-opacity":1"#)
    let gone = DebugViewTests.style(#""fill-color":"blue","fill-layer-opacity":0"#)
    #expect(try drawn(plain).withPixels { Array($0) } == drawn(whole).withPixels { Array($0) })
    #expect(try pixel(drawn(gone), 128, 128) == [255, 255, 255, 255])
    #expect(try drawn(whole).report.missing.isEmpty)
  }

  @Test func picturesAreTheSameAtAnyThreadCount() throws {
    let style = DebugViewTests.style(
      #""line-color":"blue","line-width":9,"line-layer-opacity":0.4"#, type: "line")
    let debug: [MapDebugOptions] = [.tileBorders, .parseStatus, .padding]
    let one = try drawn(style, debug: debug).withPixels { Array($0) }
    #expect(try drawn(style, threads: 4, debug: debug).withPixels { Array($0) } == one)
  }

  @Test func framesForAGPUSayTheLayersOpacity() throws {
    let style = DebugViewTests.style(#""fill-color":"blue","fill-layer-opacity":0.25"#)
    let frame = try Renderer(json: style).frame(
      camera: Camera(longitude: 0, latitude: 0, zoom: 1), width: 256, height: 256)
    let fills = frame.commands.filter { $0.layer == "f" }
    #expect(!fills.isEmpty && fills.allSatisfy { $0.layerOpacity == 0.25 })
    #expect(frame.commands.filter { $0.layer == "b" }.allSatisfy { $0.layerOpacity == 1 })
  }

  @Test func tileBordersAreRedAndPaddingHasItsLines() throws {
    let style = DebugViewTests.style(#""fill-color":"blue""#)
    let borders = try drawn(style, debug: [.tileBorders])
    #expect(pixel(borders, 128, 40) == [255, 0, 0, 255] || pixel(borders, 127, 40) == [255, 0, 0, 255])
    let padding = try drawn(
      style, debug: [.padding], padding: Camera.Padding(top: 40, left: 30, bottom: 20, right: 10))
    #expect(pixel(padding, 200, 37) == [255, 0, 0, 255])
    #expect(pixel(padding, 30, 100) == [0, 0, 255, 255])
    #expect(pixel(padding, 246, 100) == [255, 0, 255, 255])
    // Middle of what the padding leaves.
    #expect(pixel(padding, 138, 138) == [0, 255, 255, 255])
  }

  @Test func overdrawCountsWhatTouchesAPixel() throws {
    let image = try drawn(
      DebugViewTests.style(#""fill-color":"blue","fill-antialias":false"#), debug: [.overdraw])
    #expect(pixel(image, 5, 128) == [32, 32, 32, 255])
    #expect(pixel(image, 80, 128) == [64, 64, 64, 255])
  }

  @Test func aMapKeepsItsOptionsAndItsPicturesFollow() throws {
    let map = try Map(loop: EventLoop(), width: 256, height: 256)
    try map.setStyle(json: DebugViewTests.style(#""fill-color":"blue""#))
    try map.setCamera(Camera(longitude: 0, latitude: 0, zoom: 1))
    map.loop.run()
    #expect(map.debugOptions.isEmpty)
    let plain = try map.draw().withPixels { Array($0) }
    map.debugOptions = [.padding, .tileBorders]
    #expect(map.debugOptions == [.tileBorders, .padding])
    map.loop.run()
    #expect(try map.draw().withPixels { Array($0) } != plain)
    map.debugOptions = []
    map.loop.run()
    #expect(try map.draw().withPixels { Array($0) } == plain)
  }

  @Test func unknownBitsAreRefused() throws {
    let map = try Map(loop: EventLoop(), width: 64, height: 64)
    #expect(neat_map_set_debug_options(map.pointer, 64) == NEAT_STATUS_INVALID_ARGUMENT)
    #expect(neat_map_debug_options(map.pointer) == 0 && neat_map_debug_options(nil) == 0)
    var options = neat_picture_options()
    options.struct_size = UInt32(MemoryLayout<neat_picture_options>.size)
    options.debug = 1 << 31
    var size = PictureSize(64, 64, pixelRatio: 1).c
    var image: OpaquePointer?
    let renderer = try Renderer(json: DebugViewTests.style())
    #expect(
      neat_renderer_draw_with(renderer.pointer, nil, &size, &options, &image) == NEAT_STATUS_INVALID_ARGUMENT)
    #expect(image == nil)
  }
}
