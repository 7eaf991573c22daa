import CNeatline
import NeatBase
import NeatShape

/// The most places that `neat_shape_intersections` gives where nobody says.
private let usualIntersections = 1 << 24
private let resolutions = 1...100_000_000

extension neat_shape_place {
  fileprivate init(_ place: LinePlace) {
    self.init(
      lon_deg: place.point.lon, lat_deg: place.point.lat, along_m: place.along, distance_m: place.distance,
      index: UInt64(truncatingIfNeeded: place.index))
  }
}

@c @implementation
public func neat_shape_length(
  _ line: UnsafePointer<Double>!, _ count: Int, _ out_m: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_m, "out_m")
    out.pointee = try ShapeInput.line(line, count).length
  }
}

@c @implementation
public func neat_shape_along(
  _ line: UnsafePointer<Double>!, _ count: Int, _ distances_m: UnsafePointer<Double>!,
  _ distance_count: Int, _ out_places: UnsafeMutablePointer<neat_shape_place>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_places, "out_places")
    let line = try ShapeInput.lineOfPlaces(line, count)
    let distances = try ShapeInput.numbers(distances_m, distance_count, "distances_m")
    for (index, distance) in distances.enumerated() where distance.isNaN {
      throw NeatError(.invalidArgument, "distance \(index) is NaN")
    }
    if distances.count == 1 {
      if let place = line.place(at: distances[0]) { out[0] = neat_shape_place(place) }
      return
    }
    try ProcessMemory.require(8 * count, for: "the lengths of a line")
    line.places(at: distances) { out[$0] = neat_shape_place($1) }
  }
}

@c @implementation
public func neat_shape_closest(
  _ line: UnsafePointer<Double>!, _ count: Int, _ places: UnsafePointer<Double>!, _ place_count: Int,
  _ out_places: UnsafeMutablePointer<neat_shape_place>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_places, "out_places")
    let line = try ShapeInput.lineOfPlaces(line, count)
    for (index, place) in try ShapeInput.shape(places, place_count, "places").enumerated() {
      if let found = line.closest(to: place) { out[index] = neat_shape_place(found) }
    }
  }
}

/// A list of places as a buffer.
private func list(_ out: OutHandle?, _ body: () throws(NeatError) -> [LonLat]) -> neat_status {
  produce(out) { () throws(NeatError) in Buffer(values: try body()) }
}

/// Before a list of as many places is made, and the buffer's copy of it.
private func requireRoom(_ count: Int) throws(NeatError) {
  try ProcessMemory.require(32 * count, for: "\(count) places")
}

@c @implementation
public func neat_shape_slice(
  _ line: UnsafePointer<Double>!, _ count: Int, _ from: UnsafePointer<Double>!, _ to: UnsafePointer<Double>!,
  _ out_line: OutHandle!
) -> neat_status {
  list(out_line) { () throws(NeatError) in
    let line = try ShapeInput.lineOfPlaces(line, count)
    let from = try ShapeInput.shape(from, from == nil ? 0 : 1, "from").first
    let to = try ShapeInput.shape(to, to == nil ? 0 : 1, "to").first
    try requireRoom(count)
    return line.sliced(from: from, to: to) ?? []
  }
}

@c @implementation
public func neat_shape_trim(
  _ line: UnsafePointer<Double>!, _ count: Int, _ from_m: Double, _ to_m: Double, _ out_line: OutHandle!
) -> neat_status {
  list(out_line) { () throws(NeatError) in
    let line = try ShapeInput.lineOfPlaces(line, count)
    guard from_m >= 0, to_m >= from_m else {
      throw NeatError(.invalidArgument, "from_m \(from_m) and to_m \(to_m) are not distances in their order")
    }
    try requireRoom(count)
    guard let part = line.trimmed(from: from_m, to: to_m) else {
      throw NeatError(.notFound, "the line ends before from_m \(from_m): it is \(line.length) m long")
    }
    return part
  }
}

@c @implementation
public func neat_shape_trim_from(
  _ line: UnsafePointer<Double>!, _ count: Int, _ lon_deg: Double, _ lat_deg: Double, _ distance_m: Double,
  _ out_line: OutHandle!
) -> neat_status {
  list(out_line) { () throws(NeatError) in
    let line = try ShapeInput.lineOfPlaces(line, count)
    try ShapeInput.finite(lon_deg, "lon_deg")
    try ShapeInput.finite(lat_deg, "lat_deg")
    guard !distance_m.isNaN, distance_m != 0 else {
      throw NeatError(.invalidArgument, "distance_m is \(distance_m)")
    }
    try requireRoom(count)
    return line.trimmed(from: LonLat(lon_deg, lat_deg), distance: distance_m) ?? []
  }
}

@c @implementation
public func neat_shape_intersections(
  _ a: UnsafePointer<Double>!, _ a_count: Int, _ b: UnsafePointer<Double>!, _ b_count: Int, _ limit: Int,
  _ out_places: OutHandle!
) -> neat_status {
  list(out_places) { () throws(NeatError) in
    let (a, b) = (try ShapeInput.line(a, a_count, "a"), try ShapeInput.line(b, b_count, "b"))
    // A size_t past Int is no limit.
    let most = limit == 0 ? usualIntersections : limit < 0 ? Int.max : limit
    return try a.intersections(with: b, limit: most)
  }
}

@c @implementation
public func neat_shape_bezier(
  _ line: UnsafePointer<Double>!, _ count: Int, _ resolution: UInt32, _ sharpness: Double,
  _ out_line: OutHandle!
) -> neat_status {
  list(out_line) { () throws(NeatError) in
    let line = try ShapeInput.line(line, count)
    try ShapeInput.finite(sharpness, "sharpness")
    guard resolutions.contains(Int(resolution)) else {
      throw NeatError(.invalidArgument, "resolution \(resolution) is not within \(resolutions)")
    }
    guard let spline = BezierSpline(line, sharpness: sharpness) else {
      throw NeatError(.invalidArgument, "the line has \(count) places, a curve needs two")
    }
    try requireRoom(BezierSpline.count(resolution: Int(resolution)))
    return spline.sample(resolution: Int(resolution))
  }
}

@c @implementation
public func neat_shape_simplify(
  _ places: UnsafePointer<Double>!, _ count: Int, _ tolerance: Double, _ high_quality: UInt32,
  _ is_ring: UInt32, _ out_indices: OutHandle!
) -> neat_status {
  produce(out_indices) { () throws(NeatError) in
    let places = try ShapeInput.shape(places, count, "places")
    guard tolerance >= 0, tolerance.isFinite else {
      throw NeatError(.invalidArgument, "tolerance is \(tolerance)")
    }
    // A place, its index and a mark each, the indices that stay, and the buffer's copy of them.
    try ProcessMemory.require(32 * count, for: "what a line of \(count) places is simplified with")
    return Buffer(
      values: is_ring != 0
        ? Simplifier.ring(places, tolerance: tolerance, isHighQuality: high_quality != 0)
        : Simplifier.line(places, tolerance: tolerance, isHighQuality: high_quality != 0))
  }
}
