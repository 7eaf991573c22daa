import CNeatline
import NeatBase
import NeatShape

/// Fewer places than this are held against all edges.
private let placesWorthSorting = 8

private func polygons(
  _ places: UnsafePointer<Double>?, _ count: Int, _ ringStarts: UnsafePointer<UInt32>?, _ ringCount: Int,
  _ polygonStarts: UnsafePointer<UInt32>?, _ polygonCount: Int
) throws(NeatError) -> Polygons {
  for (name, count) in [("ring_count", ringCount), ("polygon_count", polygonCount)] {
    guard count >= 0, count <= ShapeInput.maxPlaces else {
      throw NeatError(
        .limitExceeded, "\(name) is \(UInt(bitPattern: count)), more than \(ShapeInput.maxPlaces)")
    }
  }
  return try Polygons(
    try ShapeInput.shape(places, count, "places"), ringStarts: ringStarts, ringCount: ringCount,
    polygonStarts: polygonStarts, polygonCount: polygonCount)
}

@c @implementation
public func neat_shape_ring_area(
  _ ring: UnsafePointer<Double>!, _ count: Int, _ out_m2: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_m2, "out_m2")
    out.pointee = Ring(try ShapeInput.shape(ring, count, "ring")).area
  }
}

@c @implementation
public func neat_shape_area(
  _ places: UnsafePointer<Double>!, _ count: Int, _ ring_starts: UnsafePointer<UInt32>!, _ ring_count: Int,
  _ polygon_starts: UnsafePointer<UInt32>!, _ polygon_count: Int, _ out_m2: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_m2, "out_m2")
    out.pointee =
      try polygons(places, count, ring_starts, ring_count, polygon_starts, polygon_count).area
  }
}

@c @implementation
public func neat_shape_contains(
  _ places: UnsafePointer<Double>!, _ count: Int, _ ring_starts: UnsafePointer<UInt32>!, _ ring_count: Int,
  _ polygon_starts: UnsafePointer<UInt32>!, _ polygon_count: Int, _ asked: UnsafePointer<Double>!,
  _ asked_count: Int, _ ignore_boundary: UInt32, _ out_inside: UnsafeMutablePointer<UInt8>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_inside, "out_inside")
    let polygons = try polygons(places, count, ring_starts, ring_count, polygon_starts, polygon_count)
    let asked = try ShapeInput.list(asked, asked_count, "asked")
    let ignores = ignore_boundary != 0
    guard asked.count >= placesWorthSorting else {
      for (index, place) in asked.enumerated() {
        out[index] = polygons.contains(place, ignoresBoundary: ignores) ? 1 : 0
      }
      return
    }
    try ProcessMemory.require(PolygonBands.byteCount(polygons), for: "sorted edges")
    let bands = PolygonBands(polygons)
    for (index, place) in asked.enumerated() {
      out[index] = bands.contains(place, ignoresBoundary: ignores) ? 1 : 0
    }
  }
}

@c @implementation
public func neat_shape_smooth(
  _ ring: UnsafePointer<Double>!, _ count: Int, _ iterations: UInt32, _ out_ring: OutHandle!
) -> neat_status {
  produce(out_ring) { () throws(NeatError) in
    let ring = Ring(try ShapeInput.shape(ring, count, "ring"))
    let doubled = min(Smoothing.maxPoints, max(1, count) << min(iterations, 26))
    // Two lists and the buffer's copy.
    try ProcessMemory.require(3 * 16 * max(count, doubled), for: "\(doubled) places")
    guard let smooth = Smoothing.smooth(ring, iterations: Int(iterations)) else {
      throw NeatError(
        .limitExceeded,
        "\(count) places, doubled \(iterations) times, are more than \(Smoothing.maxPoints)")
    }
    return Buffer(values: smooth)
  }
}

@c @implementation
public func neat_shape_circle(
  _ lon_deg: Double, _ lat_deg: Double, _ radius_m: Double, _ vertices: UInt32, _ out_ring: OutHandle!
) -> neat_status {
  produce(out_ring) { () throws(NeatError) in
    try ShapeInput.finite(lon_deg, "lon_deg")
    try ShapeInput.finite(lat_deg, "lat_deg")
    try ShapeInput.finite(radius_m, "radius_m")
    guard Circle.vertexRange.contains(Int(vertices)) else {
      throw NeatError(.invalidArgument, "vertices \(vertices) is not within \(Circle.vertexRange)")
    }
    try ProcessMemory.require(32 * Int(vertices), for: "\(vertices) places")
    return Buffer(
      values: Circle.ring(center: LonLat(lon_deg, lat_deg), radius: radius_m, vertices: Int(vertices)))
  }
}
