import NeatBase
import NeatTile

/// Which rings of a feature belong together: each polygon is an outer ring and the holes that follow it.
package enum PolygonRings {
  /// Holes of one polygon that are drawn; of more, the largest.
  package static let holeLimit = 500

  /// The parts of each polygon of a feature, outer ring first. The first ring's direction is that of all
  /// outer rings; rings without area are left out.
  package static func polygons(of layer: TileLayer, _ feature: Int) -> [[Int]] {
    let parts = layer.parts(of: feature)
    if parts.count <= 1 { return parts.map { [$0] } }
    var polygons: [[Int]] = []
    var areas: [Int: Double] = [:]
    var outerIsPositive: Bool?
    for part in parts {
      let area = layer.doubleArea(ofRing: part)
      if area == 0 { continue }
      areas[part] = abs(area)
      if outerIsPositive == nil { outerIsPositive = area > 0 }
      if outerIsPositive == (area > 0) {
        polygons.append([part])
      } else {
        polygons[polygons.count - 1].append(part)
      }
    }
    assert(polygons.allSatisfy { !$0.isEmpty }, "every polygon has its outer ring")
    return polygons.map { rings in
      guard rings.count > holeLimit + 1 else { return rings }
      return [rings[0]] + rings.dropFirst().sorted { areas[$0]! > areas[$1]! }.prefix(holeLimit)
    }
  }
}
