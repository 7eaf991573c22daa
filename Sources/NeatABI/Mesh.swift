import CNeatline
import NeatBase
import NeatMesh

@c @implementation
public func neat_mesh_line(
  _ points: UnsafePointer<Float>!, _ point_count: Int, _ options: UnsafePointer<neat_line_options>!,
  _ out_vertices: OutHandle!,
  _ out_indices: OutHandle!
) -> neat_status {
  out_vertices?.pointee = nil
  out_indices?.pointee = nil
  return attempt { () throws(NeatError) in
    let outVertices = try required(out_vertices, "out_vertices")
    let outIndices = try required(out_indices, "out_indices")
    guard point_count >= 0, point_count < 1 << 24 else {
      throw NeatError(.limitExceeded, "a line of \(point_count) points")
    }
    let source = point_count == 0 ? nil : try required(points, "points")
    let line = (0..<point_count).map { SIMD2<Float>(source![$0 * 2], source![$0 * 2 + 1]) }
    var tessellator = LineTessellator(points: min(point_count, 128))
    try tessellator.add(line, count: line.count, try lineOptions(options))
    let mesh = tessellator.finish()
    // With room for the byte that a buffer has behind its contents.
    var vertices = GrowingBuffer<neat_line_vertex>(capacity: mesh.vertexCount + 1)
    for index in 0..<mesh.vertexCount {
      let vertex = mesh.vertices[index]
      vertices.appendReserved(
        neat_line_vertex(
          x: vertex.position.x, y: vertex.position.y, extrude_x: vertex.extrude.x,
          extrude_y: vertex.extrude.y,
          distance: vertex.distance, side: (vertex.isUp ? -1 : 1) * (vertex.isRound ? 2 : 1)))
    }
    var indices = GrowingBuffer<UInt32>(capacity: mesh.indexCount + 1)
    for segment in mesh.segments {
      for index in segment.indexOffset..<segment.indexOffset + segment.indexCount {
        indices.appendReserved(UInt32(segment.vertexOffset) + UInt32(mesh.indices[index]))
      }
    }
    outVertices.pointee = Handle.make(Buffer(taking: vertices))
    outIndices.pointee = Handle.make(Buffer(taking: indices))
  }
}

private func lineOptions(_ options: UnsafePointer<neat_line_options>?) throws(NeatError)
  -> LineTessellator.Options
{
  var result = LineTessellator.Options()
  guard let given = try received(options) else { return result }
  guard let cap = LineCap(rawValue: UInt8(truncatingIfNeeded: given.cap.rawValue)), given.cap.rawValue < 3
  else {
    throw NeatError(.invalidArgument, "cap \(given.cap.rawValue) is none of neat_line_cap")
  }
  result.cap = cap
  switch given.join {
  case NEAT_LINE_JOIN_MITER: result.join = .miter
  case NEAT_LINE_JOIN_BEVEL: result.join = .bevel
  case NEAT_LINE_JOIN_ROUND: result.join = .round
  default: throw NeatError(.invalidArgument, "join \(given.join.rawValue) is none of neat_line_join")
  }
  guard given.miter_limit.isFinite, given.round_limit.isFinite else {
    throw NeatError(.invalidArgument, "a limit is not finite")
  }
  if given.miter_limit != 0 { result.miterLimit = given.miter_limit }
  if given.round_limit != 0 { result.roundLimit = given.round_limit }
  result.isClosed = given.is_closed != 0
  return result
}
