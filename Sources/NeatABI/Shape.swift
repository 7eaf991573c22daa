import CNeatline
import NeatBase
import NeatShape

/// Lists of places and numbers as the header's functions over shapes take them.
enum ShapeInput {
  static let maxPlaces = 1 << 31 - 1

  /// Places as they are, without a copy: a longitude and a latitude are what the header has.
  static func list(_ places: UnsafePointer<Double>?, _ count: Int, _ name: String) throws(NeatError)
    -> UnsafeBufferPointer<LonLat>
  {
    let numbers = try self.numbers(places, count, name)
    assert(MemoryLayout<LonLat>.size == 16 && MemoryLayout<LonLat>.alignment == 8, "two doubles")
    guard let base = numbers.baseAddress else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(base).assumingMemoryBound(to: LonLat.self), count: count)
  }

  /// Numbers of which `count` are elements of a list; `list` looks at twice as many.
  static func numbers(_ values: UnsafePointer<Double>?, _ count: Int, _ name: String) throws(NeatError)
    -> UnsafeBufferPointer<Double>
  {
    guard count >= 0, count <= maxPlaces else {
      throw NeatError(
        .limitExceeded, "\(name) has \(UInt(bitPattern: count)) elements, more than \(maxPlaces)")
    }
    guard count > 0 else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(start: try required(values, name), count: count)
  }

  /// A line or ring, all of whose numbers are finite.
  static func shape(_ places: UnsafePointer<Double>?, _ count: Int, _ name: String) throws(NeatError)
    -> UnsafeBufferPointer<LonLat>
  {
    let list = try list(places, count, name)
    for (index, place) in list.enumerated() where !(place.lon.isFinite && place.lat.isFinite) {
      throw NeatError(
        .invalidArgument, "\(name): place \(index) is \(place.lon), \(place.lat), which is not finite")
    }
    return list
  }

  static func line(_ places: UnsafePointer<Double>?, _ count: Int, _ name: String = "line") throws(NeatError)
    -> Line
  {
    Line(try shape(places, count, name))
  }

  /// A line with a place on it.
  static func lineOfPlaces(_ places: UnsafePointer<Double>?, _ count: Int) throws(NeatError) -> Line {
    let line = try line(places, count)
    guard line.count > 0 else { throw NeatError(.invalidArgument, "the line has no places") }
    return line
  }

  /// The places of a shape that has some.
  static func places(_ places: UnsafePointer<Double>?, _ count: Int, _ name: String = "places")
    throws(NeatError)
    -> UnsafeBufferPointer<LonLat>
  {
    let list = try shape(places, count, name)
    guard !list.isEmpty else { throw NeatError(.invalidArgument, "\(name) is empty") }
    return list
  }

  /// How many results lists give of which each has that many elements or one.
  static func paired(_ counts: (String, Int)...) throws(NeatError) -> Int {
    var count = 1
    for (name, each) in counts where each != 1 {
      guard count == 1 || each == count else {
        throw NeatError(.invalidArgument, "\(name) has \(each) elements and another list \(count)")
      }
      count = each
    }
    return count
  }

  static func finite(_ value: Double, _ name: String) throws(NeatError) {
    guard value.isFinite else { throw NeatError(.invalidArgument, "\(name) is \(value)") }
  }

  /// Room of the caller's for a place.
  static func write(_ place: LonLat?, _ out: UnsafeMutablePointer<Double>) {
    guard let place else { return }
    out[0] = place.lon
    out[1] = place.lat
  }
}

// MARK: Places

@c @implementation
public func neat_shape_distance(_ lon1: Double, _ lat1: Double, _ lon2: Double, _ lat2: Double) -> Double {
  Globe.distance(LonLat(lon1, lat1), LonLat(lon2, lat2))
}

@c @implementation
public func neat_shape_direction(_ lon1: Double, _ lat1: Double, _ lon2: Double, _ lat2: Double) -> Double {
  Globe.direction(LonLat(lon1, lat1), LonLat(lon2, lat2))
}

@c @implementation
public func neat_shape_wrap(_ value: Double, _ minimum: Double, _ maximum: Double) -> Double {
  Angles.wrap(value, min: minimum, max: maximum)
}

@c @implementation
public func neat_shape_difference(_ a: Double, _ b: Double) -> Double { Angles.difference(a, b) }

/// Runs the body with each pair of places of two lists.
private func pairs(
  _ from: UnsafePointer<Double>?, _ fromCount: Int, _ to: UnsafePointer<Double>?, _ toCount: Int,
  _ body: (Int, LonLat, LonLat) -> Void
) -> neat_status {
  attempt { () throws(NeatError) in
    let start = try ShapeInput.list(from, fromCount, "from")
    let end = try ShapeInput.list(to, toCount, "to")
    for index in 0..<(try ShapeInput.paired(("from", fromCount), ("to", toCount))) {
      body(index, start[fromCount == 1 ? 0 : index], end[toCount == 1 ? 0 : index])
    }
  }
}

@c @implementation
public func neat_shape_distances(
  _ from: UnsafePointer<Double>!, _ from_count: Int, _ to: UnsafePointer<Double>!, _ to_count: Int,
  _ out_m: UnsafeMutablePointer<Double>!
) -> neat_status {
  guard let out_m else { return outIsNull("out_m") }
  return pairs(from, from_count, to, to_count) { out_m[$0] = Globe.distance($1, $2) }
}

@c @implementation
public func neat_shape_directions(
  _ from: UnsafePointer<Double>!, _ from_count: Int, _ to: UnsafePointer<Double>!, _ to_count: Int,
  _ out_deg: UnsafeMutablePointer<Double>!
) -> neat_status {
  guard let out_deg else { return outIsNull("out_deg") }
  return pairs(from, from_count, to, to_count) { out_deg[$0] = Globe.direction($1, $2) }
}

@c @implementation
public func neat_shape_midpoints(
  _ from: UnsafePointer<Double>!, _ from_count: Int, _ to: UnsafePointer<Double>!, _ to_count: Int,
  _ out_places: UnsafeMutablePointer<Double>!
) -> neat_status {
  guard let out_places else { return outIsNull("out_places") }
  return pairs(from, from_count, to, to_count) {
    ShapeInput.write(Globe.midpoint($1, $2), out_places + 2 * $0)
  }
}

private func outIsNull(_ name: String) -> neat_status {
  attempt { () throws(NeatError) in throw NeatError(.invalidArgument, "\(name) is NULL") }
}

@c @implementation
public func neat_shape_destinations(
  _ from: UnsafePointer<Double>!, _ from_count: Int, _ distances_m: UnsafePointer<Double>!,
  _ distance_count: Int, _ directions_deg: UnsafePointer<Double>!, _ direction_count: Int,
  _ out_places: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_places, "out_places")
    let start = try ShapeInput.list(from, from_count, "from")
    let distances = try ShapeInput.numbers(distances_m, distance_count, "distances_m")
    let directions = try ShapeInput.numbers(directions_deg, direction_count, "directions_deg")
    let count = try ShapeInput.paired(
      ("from", from_count), ("distances_m", distance_count), ("directions_deg", direction_count))
    for index in 0..<count {
      let place = Globe.destination(
        start[from_count == 1 ? 0 : index], distance: distances[distance_count == 1 ? 0 : index],
        direction: directions[direction_count == 1 ? 0 : index])
      ShapeInput.write(place, out + 2 * index)
    }
  }
}

// MARK: Boxes and middles

@c @implementation
public func neat_shape_bounds(
  _ places: UnsafePointer<Double>!, _ count: Int, _ out_bounds_deg: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_bounds_deg, "out_bounds_deg")
    guard let bounds = Bounds(try ShapeInput.places(places, count)) else { return }
    (out[0], out[1], out[2], out[3]) = (bounds.west, bounds.south, bounds.east, bounds.north)
  }
}

@c @implementation
public func neat_shape_center(
  _ places: UnsafePointer<Double>!, _ count: Int, _ out_place: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_place, "out_place")
    ShapeInput.write(Bounds(try ShapeInput.places(places, count))?.center, out)
  }
}

@c @implementation
public func neat_shape_centroid(
  _ places: UnsafePointer<Double>!, _ count: Int, _ is_ring: UInt32,
  _ out_place: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_place, "out_place")
    let places = try ShapeInput.places(places, count)
    ShapeInput.write(Centers.centroid(is_ring != 0 ? Ring(places).open : places), out)
  }
}

@c @implementation
public func neat_shape_center_of_mass(
  _ ring: UnsafePointer<Double>!, _ count: Int, _ out_place: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_place, "out_place")
    ShapeInput.write(Centers.ofMass(Ring(try ShapeInput.places(ring, count, "ring"))), out)
  }
}
