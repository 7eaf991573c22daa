import CNeatline
import NeatBase
import NeatMesh
import NeatTile

@c @implementation
public func neat_mesh_triangulate(
  _ points: UnsafePointer<Double>!, _ point_count: Int, _ ring_starts: UnsafePointer<UInt32>!,
  _ ring_count: Int, _ out_indices: OutHandle!
) -> neat_status {
  produce(out_indices) { () throws(NeatError) in
    guard point_count >= 0, ring_count >= 0, point_count <= Triangulator.maxPoints else {
      throw NeatError(.limitExceeded, "a polygon of \(point_count) points and \(ring_count) rings")
    }
    guard point_count > 0, ring_count > 0 else { return Buffer([]) }
    let coordinates = try required(points, "points")
    let starts = try required(ring_starts, "ring_starts")
    guard starts[0] == 0, Int(starts[ring_count]) == point_count else {
      throw NeatError(.invalidArgument, "ring_starts must begin with 0 and end with \(point_count)")
    }
    for ring in 0..<ring_count where starts[ring] > starts[ring + 1] {
      throw NeatError(
        .invalidArgument, "ring_starts falls from \(starts[ring]) to \(starts[ring + 1]) at ring \(ring)")
    }
    for index in 0..<point_count * 2 where !coordinates[index].isFinite {
      throw NeatError(.invalidArgument, "point \(index / 2) is not finite")
    }
    var triangulator = Triangulator()
    // The caller's memory need not be aligned for vectors.
    let aligned = (0..<point_count).map { SIMD2(coordinates[$0 * 2], coordinates[$0 * 2 + 1]) }
    return Buffer(
      values: Array(triangulator.triangulate(points: aligned, ringStarts: starts, ringCount: ring_count)))
  }
}

@c @implementation
public func neat_mesh_triangulate_layer(
  _ tile: OpaquePointer!, _ layer: Int, _ out_indices: OutHandle!, _ out_feature_starts: OutHandle!
) -> neat_status {
  out_indices?.pointee = nil
  out_feature_starts?.pointee = nil
  return attempt { () throws(NeatError) in
    let outIndices = try required(out_indices, "out_indices")
    let outStarts = try required(out_feature_starts, "out_feature_starts")
    let handle: TileHandle = Handle.object(try required(tile, "tile"))
    let (indices, starts) = try triangulate(try handle.layer(layer))
    outIndices.pointee = Handle.make(indices)
    outStarts.pointee = Handle.make(starts)
  }
}

/// The triangles of a layer's polygons, and where those of each feature begin.
private func triangulate(_ layer: TileLayer) throws(NeatError) -> (indices: Buffer, starts: Buffer) {
  let polygon = GeometryType.polygon.rawValue
  // A ring of n points and its share of bridges give about n triangles.
  var corners = 0
  for feature in 0..<layer.featureCount where layer.types[feature] == polygon {
    corners += layer.pointRange(of: feature).count
  }
  guard corners > 0 else {
    return (Buffer([]), Buffer(values: [UInt32](repeating: 0, count: layer.featureCount + 1)))
  }
  var triangulator = Triangulator()
  triangulator.reserveOutput(3 * corners)
  var starts: [UInt32] = []
  starts.reserveCapacity(layer.featureCount + 1)
  var count = 0
  for feature in 0..<layer.featureCount {
    starts.append(UInt32(truncatingIfNeeded: count))
    guard layer.types[feature] == polygon else { continue }
    let rings = layer.parts(of: feature)
    var outer = rings.lowerBound
    while outer < rings.upperBound {
      // A ring of positive area begins another polygon.
      var next = outer + 1
      while next < rings.upperBound && layer.doubleArea(ofRing: next) <= 0 { next += 1 }
      count = triangulator.append(
        points: layer.points, ringStarts: layer.pointStarts + outer, ringCount: next - outer)
      outer = next
    }
    guard count <= UInt32.max else {
      throw NeatError(.limitExceeded, "the layer has more than 4 thousand million indices")
    }
  }
  starts.append(UInt32(truncatingIfNeeded: count))
  return (Buffer(taking: triangulator.takeIndices()), Buffer(values: starts))
}
