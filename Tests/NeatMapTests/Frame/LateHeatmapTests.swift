import NeatBase
import NeatCamera
import NeatJSON
import NeatRaster
import NeatStyle
import Testing

@testable import NeatMap

/// A heatmap lies over the opaque fills above it, as in MapLibre GL JS, and their outlines over the heatmap.
@Suite struct LateHeatmapTests {
  private func draw(
    antialias: Bool, filter: String = "true", _ above: String = "", executor: Executor = .inline
  ) throws -> [UInt32] {
    // The polygon's edges go through pixels.
    let style = #"""
      {"version": 8, "sources": {"s": {"type": "geojson", "data": {"type": "Polygon", "coordinates":
        [[[-0.0012, -0.0012], [0.0012, -0.0012], [0.0012, 0.0012], [-0.0012, 0.0012], [-0.0012, -0.0012]]]}}},
       "layers": [{"id": "heat", "type": "heatmap", "source": "s", "paint": {"heatmap-color":
        ["interpolate", ["linear"], ["heatmap-density"], 0, "#0f0", 1, "#0f0"]}},
        {"id": "fill", "type": "fill", "source": "s", "filter": \#(filter), "paint": {"fill-color": "#00f",
         "fill-antialias": \#(antialias)}}\#(above)]}
      """#
    let map = MapCore(style: try Style(json: try JSON.parse(Array(style.utf8))), base: "")
    let bitmap = try map.render(
      camera: Camera(center: LonLat(0, 0), zoom: 13), size: ViewSize(width: 64, height: 64),
      client: ResourceClient { $0.map { _ in .missing } }, executor: executor)
    return withExtendedLifetime(bitmap) { (0..<64 * 64).map { bitmap.pixels[$0] } }
  }

  private func blues(_ pixels: [UInt32]) -> [Int] {
    pixels.indices.filter { pixels[$0] >> 16 & 255 > 20 }
  }

  @Test func onlyTheOutlineOfAnOpaqueFillLiesOverIt() throws {
    #expect(blues(try draw(antialias: false)).isEmpty)
    let seen = blues(try draw(antialias: true))
    // Around the polygon, 28 pixels wide, and not within it.
    #expect(seen.count > 20)
    #expect(seen.allSatisfy { max(abs($0 % 64 - 32), abs($0 / 64 - 32)) > 10 })
  }

  /// What it is drawn after may have no shape in view.
  @Test func anOpaqueFillWithoutShapesDoesNotTakeItAway() throws {
    let pixels = try draw(antialias: true, filter: #"["has", "none"]"#)
    #expect(pixels.allSatisfy { $0 == 0xFF00_FF00 })
  }

  @Test func anOpaqueLayerAboveHidesTheOutlineToo() throws {
    let above = #", {"id": "b", "type": "background", "paint": {"background-color": "red"}}"#
    #expect(blues(try draw(antialias: true, above)).isEmpty)
  }
}
