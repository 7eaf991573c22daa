import NeatBase
import NeatTile

// `within`: whether all of a feature's points, or lines, lie inside one of the polygons. Computed in tile
// units of the whole world at the tile's zoom, with the polygons rounded to those units; points half a world
// away are brought round the antimeridian.

/// Polygons in tile units, for one tile zoom.
final class TilePolygons {
  let shape: GeoShape
  let zoom: UInt8
  let polygons: [[[SIMD2<Double>]]]
  let box: GeoBox
  /// Points of all rings.
  let pointCount: Int

  init(_ shape: GeoShape, zoom: UInt8) {
    self.shape = shape
    self.zoom = zoom
    let size = Double(UInt64(1) << UInt64(min(zoom, 40))) * TileUnits.extent
    var box = GeoBox()
    var polygons: [[[SIMD2<Double>]]] = []
    for case .polygon(let rings) in shape.parts {
      polygons.append(
        rings.map { ring in
          ring.map { place in
            let unit = Mercator.project(LonLat(place.x, place.y)) * size
            let point = SIMD2(jsRound(unit.x), jsRound(unit.y))
            box.add(point)
            return point
          }
        })
    }
    self.polygons = polygons
    self.box = box
    pointCount = polygons.reduce(0) { $1.reduce($0) { $0 + $1.count } }
  }
}

extension GeoShape {
  func contains(_ evaluator: Evaluator, _ point: MachinePoint) -> Bool {
    guard let canonical = point.tile, let geometry = point.featureGeometry(evaluator) else {
      return false
    }
    guard geometry.type == .point || geometry.type == .line else { return false }
    let target = evaluator.tilePolygons(self, zoom: canonical.z)
    let shift = SIMD2(Double(canonical.x), Double(canonical.y)) * TileUnits.extent
    let worldSize = Double(UInt64(1) << UInt64(min(canonical.z, 40))) * TileUnits.extent
    var parts = geometry.parts.map { $0.map { $0 + shift } }
    var box = GeoBox(parts.joined())
    if geometry.type == .point || box.high.x - box.low.x <= worldSize / 2 {
      box = GeoBox()
      for part in parts.indices {
        for index in parts[part].indices {
          parts[part][index].x += GeoShape.turn(parts[part][index].x, target.box, worldSize)
          box.add(parts[part][index])
        }
      }
    }
    guard box.isInside(target.box) else { return false }
    // Each point is looked at against all edges. Past the budget nothing counts any more.
    let work = target.pointCount / Planar.stepEdges + 1
    return parts.allSatisfy { part in
      geometry.type == .point
        ? part.allSatisfy { point in
          evaluator.charge(steps: work) && target.polygons.contains { Planar.isInside(point, $0) }
        }
        : target.polygons.contains { GeoShape.isLine(part, inside: $0, evaluator) }
    }
  }

  /// How far to move a point round the world so that it comes near a box.
  private static func turn(_ x: Double, _ box: GeoBox, _ worldSize: Double) -> Double {
    guard x < box.low.x || x > box.high.x else { return 0 }
    let half = worldSize / 2
    for edge in [box.low.x, box.high.x] {
      if x - edge > half { return -worldSize }
      if edge - x > half { return worldSize }
    }
    return 0
  }

  private static func isLine(
    _ line: [SIMD2<Double>], inside polygon: [[SIMD2<Double>]], _ evaluator: Evaluator
  )
    -> Bool
  {
    let work = polygon.reduce(0) { $0 + $1.count } / Planar.stepEdges + 1
    guard line.allSatisfy({ evaluator.charge(steps: work) && Planar.isInside($0, polygon) }) else {
      return false
    }
    for index in 0..<line.count - 1 {
      guard evaluator.charge(steps: work) else { return false }
      for ring in polygon {
        for edge in 0..<max(0, ring.count - 1)
        where Planar.cross(line[index], line[index + 1], ring[edge], ring[edge + 1]) { return false }
      }
    }
    return true
  }
}

extension Evaluator {
  func tilePolygons(_ shape: GeoShape, zoom: UInt8) -> TilePolygons {
    if let known = tilePolygonCache[ObjectIdentifier(shape)], known.zoom == zoom { return known }
    _ = charge(steps: shape.pointCount)
    let made = TilePolygons(shape, zoom: zoom)
    if tilePolygonCache.count >= 64 { tilePolygonCache = [:] }
    tilePolygonCache[ObjectIdentifier(shape)] = made
    return made
  }
}
