import NeatBase
import NeatCamera
import NeatJSON
import NeatMap
import NeatStyle
import Testing

/// Tiles that once ended the process, and all like them.
@Suite struct ExtremeTileTests {
  private static let style = #"""
    {"version": 8, "sources": {"v": {"type": "vector", "tiles": ["fuzz://v/{z}/{x}/{y}"], "maxzoom": 14}}, "layers": [LAYER]}
    """#

  private func draw(_ tile: [UInt8], layer: String, type: String, paint: String = "{}", pitch: Double) throws
  {
    let layer =
      #"{"id": "l", "type": "\#(type)", "source": "v", "source-layer": "\#(layer)", "paint": \#(paint)}"#
    let style = try Style(parsing: Array(Self.style.replacing("LAYER", with: layer).utf8))
    let core = MapCore(style: style, base: "")
    let client = ResourceClient { $0.map { _ in .data(tile) } }
    let camera = Camera(center: LonLat(1, 1), zoom: 3, bearing: pitch / 2, pitch: pitch)
    let size = ViewSize(width: 48, height: 48)
    let bitmap = try core.render(camera: camera, size: size, client: client, executor: .inline)
    #expect(bitmap.width == 48)
    _ = try core.renderMeshes(camera: camera, size: size, client: client, executor: .inline)
    _ = core.query(try Transform(camera: camera, size: size), .box(.zero, SIMD2(48, 48)))
    #expect(core.problems.isEmpty, "\(core.problems)")
  }

  /// One feature of one part through points, in a layer "a".
  private func tile(_ type: Int, extent: UInt64, _ points: [SIMD2<Int32>]) -> [UInt8] {
    var geometry = TileBytes()
    var at = SIMD2<Int32>.zero
    func put(_ point: SIMD2<Int32>) {
      for delta in [point.x &- at.x, point.y &- at.y] {
        geometry.varint(UInt64(UInt32(bitPattern: (delta << 1) ^ (delta >> 31))))
      }
      at = point
    }
    geometry.varint(UInt64((type == 1 ? points.count : 1) << 3 | 1))
    if type == 1 {
      for point in points { put(point) }
    } else {
      put(points[0])
      geometry.varint(UInt64((points.count - 1) << 3 | 2))
      for point in points.dropFirst() { put(point) }
      if type == 3 { geometry.varint(15) }
    }
    var feature = TileBytes()
    feature.field(3, UInt64(type))
    feature.field(4, geometry.bytes)
    var layer = TileBytes()
    layer.field(15, 2)
    layer.field(1, [UInt8(ascii: "a")])
    layer.field(2, feature.bytes)
    layer.field(5, extent)
    var tile = TileBytes()
    tile.field(3, layer.bytes)
    return tile.bytes
  }

  @Test func thePublicFixtureOfExtentOneIsDrawnAsALine() throws {
    guard let bytes = Shared.extentOne else { return }
    try draw(bytes, layer: "hello", type: "line", pitch: 0)
    try draw(bytes, layer: "hello", type: "line", pitch: 60)
  }

  @Test func coordinatesAtTheEndsOfTheirRangeAreDrawnAtEveryExtent() throws {
    let ends: [Int32] = [0, 1, -1, 4096, 262_144, 1 << 24, 1 << 30, .max, .min]
    for extent: UInt64 in [1, 2, 4096, 8192, 1 << 31 - 1, 1 << 32 - 1] {
      for end in ends {
        let points = [SIMD2<Int32>(0, 0), SIMD2(end, 7), SIMD2(end, end), SIMD2(-1, 0 &- end)]
        for pitch in [0.0, 60, 85] {
          try draw(
            tile(2, extent: extent, points), layer: "a", type: "line", paint: #"{"line-dasharray": [2, 1]}"#,
            pitch: pitch)
          try draw(tile(3, extent: extent, points), layer: "a", type: "fill", pitch: pitch)
          try draw(
            tile(3, extent: extent, points), layer: "a", type: "fill-extrusion",
            paint: #"{"fill-extrusion-height": 1e6}"#, pitch: pitch)
          try draw(tile(1, extent: extent, points), layer: "a", type: "circle", pitch: pitch)
        }
      }
    }
  }

  /// Roofs whose corners leave single precision once they are seen from the side.
  @Test func extrusionsOfEveryHeightAreDrawn() throws {
    let points = [SIMD2<Int32>(0, 0), SIMD2(.max, 0), SIMD2(.max, .max), SIMD2(.min, .max)]
    for height in ["1e9", "1e19", "1e38", "1e39", "1e308", "[\"/\", 1, 0]", "[\"/\", 0, 0]", "-1e308"] {
      let paint = #"{"fill-extrusion-height": \#(height), "fill-extrusion-base": 1}"#
      for extent: UInt64 in [1, 4096] {
        for pitch in [0.0, 45, 85] {
          try draw(
            tile(3, extent: extent, points), layer: "a", type: "fill-extrusion", paint: paint, pitch: pitch)
        }
      }
    }
  }
}
