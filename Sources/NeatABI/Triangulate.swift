import CNeatline
import NeatBase
import NeatMesh

@c @implementation
public func neat_mesh_triangulate(
  _ points: UnsafePointer<Double>!, _ point_count: Int, _ ring_starts: UnsafePointer<UInt32>!, _ ring_count: Int, _ out_indices: OutHandle!
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
      throw NeatError(.invalidArgument, "ring_starts falls from \(starts[ring]) to \(starts[ring + 1]) at ring \(ring)")
    }
    for index in 0..<point_count * 2 where !coordinates[index].isFinite {
      throw NeatError(.invalidArgument, "point \(index / 2) is not finite")
    }
    var triangulator = Triangulator()
    // The caller's memory need not be aligned for vectors.
    let aligned = (0..<point_count).map { SIMD2(coordinates[$0 * 2], coordinates[$0 * 2 + 1]) }
    return Buffer(values: Array(triangulator.triangulate(points: aligned, ringStarts: starts, ringCount: ring_count)))
  }
}
