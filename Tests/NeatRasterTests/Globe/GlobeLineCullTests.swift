import NeatBase
import Testing

@testable import NeatRaster

/// Which stretches of lines on a globe are left out unseen.
@Suite struct GlobeLineCullTests {
  /// Whether a stretch between places of the world's tile is left out.
  private func misses(
    _ from: SIMD2<Float>, _ to: SIMD2<Float>, reach: Float = 1, on surface: GlobeSurface
  ) -> Bool {
    let tile = GlobeTile(surface, OverscaledTileID(canonical: .world))
    let globe = LineGlobe(tile, wanted: tile, move: .zero)
    let paint = LinePaint(color: Premultiplied(bits: .max), width: 1)
    let view = LineView(
      projection: Projection(scale: 1), width: 128, height: 128,
      style: LineStyle(paint: .same(paint), unitsPerPixel: 32))
    let vertices = [from, to, from].map {
      LineVertex(position: $0, extrude: .zero, distance: 0, flags: 0, direction: 0)
    }
    return vertices.withUnsafeBufferPointer { vertices in
      [UInt16(0), 1, 2].withUnsafeBufferPointer { indices in
        GlobeLineCull(globe, view, reach: reach).misses(
          vertices.baseAddress!, indices.baseAddress!, 0..<3)
      }
    }
  }

  @Test func theFarSideIsLeftOutAndTheNearOneIsNot() {
    #expect(misses(SIMD2(0, 4000), SIMD2(200, 4200), on: globeBeforeTheViewer()))
    #expect(!misses(SIMD2(4000, 4000), SIMD2(4200, 4200), on: globeBeforeTheViewer()))
    // From the far side to this one.
    #expect(!misses(SIMD2(0, 4096), SIMD2(4096, 4096), on: globeBeforeTheViewer()))
  }

  @Test func whatLiesBesideTheFrameIsLeftOutUnlessItsWidthReachesIn() {
    let near = globeBeforeTheViewer(zoom: 8)
    #expect(misses(SIMD2(5400, 4090), SIMD2(5500, 4100), on: near))
    #expect(!misses(SIMD2(5400, 4090), SIMD2(5500, 4100), reach: 60, on: near))
    #expect(!misses(SIMD2(4090, 4090), SIMD2(4100, 4100), on: near))
  }
}
