import Neatline
import Testing

/// Triangles of all polygons of a tile's layer.
@Suite struct LayerMeshTests {
  private func area(_ a: SIMD2<Int32>, _ b: SIMD2<Int32>, _ c: SIMD2<Int32>) -> Double {
    abs(Double(b.x - a.x) * Double(c.y - a.y) - Double(c.x - a.x) * Double(b.y - a.y)) / 2
  }

  @Test func trianglesCoverThePolygonsOfEachFeature() throws {
    let index = try GeoJSONIndex(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 1]}},
        {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [40, 0], [40, 40], [0, 40], [0, 0]],
          [[10, 10], [10, 20], [20, 20], [20, 10], [10, 10]]]}},
        {"type": "Feature", "geometry": {"type": "MultiPolygon", "coordinates": [[[[-50, 0], [-40, 0], [-45, 10], [-50, 0]]],
          [[[-90, 0], [-60, 0], [-60, -30], [-90, 0]]]]}}]}
      """, options: ["tolerance": 0])
    let tile = try #require(try index.tile(z: 0, x: 0, y: 0))
    let layer = try tile.layer(0)
    let mesh = try tile.triangulate(layer: 0)
    #expect(mesh.featureStarts.count == 4)
    #expect(mesh.featureStarts[1] == 0, "a point has none")
    #expect(Int(mesh.featureStarts[3]) == mesh.indices.count)
    let points = try (0..<3).flatMap { try layer.parts($0).flatMap { $0 } }
    for feature in 1..<3 {
      // Rings of positive area less those of negative area.
      let wanted = try layer.parts(feature).reduce(0.0) { sum, ring in
        sum
          + ring.indices.reduce(0.0) {
            let next = ring[($1 + 1) % ring.count]
            return $0 + (Double(ring[$1].x) * Double(next.y) - Double(next.x) * Double(ring[$1].y)) / 2
          }
      }
      let own = mesh.indices[Int(mesh.featureStarts[feature])..<Int(mesh.featureStarts[feature + 1])].map {
        points[Int($0)]
      }
      let covered = stride(from: 0, to: own.count, by: 3).reduce(0.0) {
        $0 + area(own[$1], own[$1 + 1], own[$1 + 2])
      }
      #expect(wanted > 0 && abs(covered - wanted) < 1e-6 * wanted)
    }
    #expect(mesh.featureStarts[3] - mesh.featureStarts[2] == 6, "two triangles")
    #expect(throws: NeatlineError.self) { try tile.triangulate(layer: 1) }
  }
}
