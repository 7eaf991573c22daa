import CNeatline

/// Triangles of a polygon of rings, the outer one first: triples of point numbers, counted over all rings.
public func triangulate(_ rings: [[SIMD2<Double>]]) throws(NeatlineError) -> [UInt32] {
  var points: [Double] = []
  var starts: [UInt32] = [0]
  points.reserveCapacity(rings.reduce(0) { $0 + $1.count } * 2)
  for ring in rings {
    for point in ring {
      points.append(point.x)
      points.append(point.y)
    }
    starts.append(UInt32(clamping: points.count / 2))
  }
  let result = try handle { neat_mesh_triangulate(points, points.count / 2, starts, rings.count, $0) }
  defer { neat_buffer_destroy(result) }
  return values(of: result, as: UInt32.self)
}

extension Tile {
  /// Triangles of all polygons of a layer: triples of numbers of the layer's points. Feature `f` has
  /// `indices[featureStarts[f]..<featureStarts[f + 1]]`.
  public func triangulate(layer: Int) throws(NeatlineError) -> (indices: [UInt32], featureStarts: [UInt32]) {
    var indices: OpaquePointer?
    var starts: OpaquePointer?
    defer {
      neat_buffer_destroy(indices)
      neat_buffer_destroy(starts)
    }
    try check(neat_mesh_triangulate_layer(pointer, layer, &indices, &starts))
    guard let indices, let starts else { return ([], [0]) }
    return (values(of: indices, as: UInt32.self), values(of: starts, as: UInt32.self))
  }
}

/// How a line is tessellated.
public struct LineOptions: Hashable, Sendable {
  /// The ends of a line: cut off, half a circle, or half a width longer.
  public enum Cap: UInt32, Sendable { case butt, round, square }
  /// The corners of a line: pointed, cut off or round.
  public enum Join: UInt32, Sendable { case miter, bevel, round }

  /// The ends.
  public var cap = Cap.butt
  /// The corners.
  public var join = Join.miter
  /// How many half widths a pointed corner may reach.
  public var miterLimit = 2.0
  /// How many half widths a corner must reach to be made round.
  public var roundLimit = 1.05
  /// The line is a ring.
  public var isClosed = false

  /// The defaults: butt ends and miter corners.
  public init() {}
}

/// A line as triangles.
public struct LineMesh: Sendable {
  /// Where a vertex is (tile units), which way and how far it is pushed (half widths), how far along the line
  /// it lies (tile units), on which side.
  public typealias Vertex = neat_line_vertex

  /// The vertices, which `indices` name.
  public var vertices: [Vertex]
  /// Triples of vertex numbers.
  public var indices: [UInt32]
}

/// Tessellates a line in tile units.
public func tessellateLine(_ points: [SIMD2<Float>], options: LineOptions = LineOptions())
  throws(NeatlineError) -> LineMesh
{
  var given = neat_line_options()
  given.struct_size = UInt32(MemoryLayout<neat_line_options>.size)
  given.cap = neat_line_cap(rawValue: options.cap.rawValue)
  given.join = neat_line_join(rawValue: options.join.rawValue)
  given.miter_limit = options.miterLimit
  given.round_limit = options.roundLimit
  given.is_closed = options.isClosed ? 1 : 0
  var vertices: OpaquePointer?
  var indices: OpaquePointer?
  defer {
    neat_buffer_destroy(vertices)
    neat_buffer_destroy(indices)
  }
  let status = points.withUnsafeBytes {
    neat_mesh_line($0.bindMemory(to: Float.self).baseAddress, points.count, &given, &vertices, &indices)
  }
  try check(status)
  guard let vertices, let indices else { return LineMesh(vertices: [], indices: []) }
  return LineMesh(
    vertices: values(of: vertices, as: neat_line_vertex.self), indices: values(of: indices, as: UInt32.self))
}

/// A grid index of boxes and circles in pixels: what stands may keep others away. For one thread at a time.
public final class CollisionIndex {
  private let pointer: OpaquePointer

  /// An empty index over that many pixels, each above 0 and at most 1,000,000. Throws `invalidArgument` for
  /// others.
  public init(width: Double, height: Double) throws(NeatlineError) {
    pointer = try handle { neat_collision_create(width, height, $0) }
  }

  deinit { neat_collision_destroy(pointer) }

  /// Inserts a box unless it hits one that stands; whether it was inserted.
  public func placeBox(x0: Double, y0: Double, x1: Double, y1: Double) throws(NeatlineError) -> Bool {
    var placed: UInt32 = 0
    try check(neat_collision_place_box(pointer, x0, y0, x1, y1, &placed))
    return placed != 0
  }

  /// Inserts a circle unless it hits one that stands; whether it was inserted.
  public func placeCircle(x: Double, y: Double, radius: Double) throws(NeatlineError) -> Bool {
    var placed: UInt32 = 0
    try check(neat_collision_place_circle(pointer, x, y, radius, &placed))
    return placed != 0
  }
}
