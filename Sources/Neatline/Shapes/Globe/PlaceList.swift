import CNeatline

// Positions as the C header takes and gives them: pairs of doubles, longitude first.

extension [Coordinate] {
  /// Longitudes and latitudes one after the other.
  var pairs: [Double] {
    [Double](unsafeUninitializedCapacity: 2 * count) { result, used in
      for place in self {
        result[used] = place.longitude
        result[used + 1] = place.latitude
        used += 2
      }
    }
  }

  /// The positions of the buffer that a call makes; nil where it fails.
  static func made(_ call: (OutPointer) -> neat_status) -> [Coordinate]? {
    guard let buffer = try? handle(call) else { return nil }
    defer { neat_buffer_destroy(buffer) }
    let pairs = values(of: buffer, as: Double.self)
    return (0..<pairs.count / 2).map { Coordinate(longitude: pairs[2 * $0], latitude: pairs[2 * $0 + 1]) }
  }

  /// The same positions, those that are vertices of a line with their altitudes. Both run the same way, so
  /// that a vertex is looked for after the one before.
  func withAltitudes(of line: some Collection<Coordinate>) -> [Coordinate] {
    guard line.contains(where: { $0.altitude != nil }) else { return self }
    var rest = line[...]
    return map { place in
      let isSame = { (vertex: Coordinate) in
        vertex.longitude == place.longitude && vertex.latitude == place.latitude
      }
      guard let index = rest.firstIndex(where: isSame) else { return place }
      let vertex = rest[index]
      rest = rest[index...]
      return vertex
    }
  }

  /// What stays of a line or ring that is simplified, with all that positions have.
  func simplified(tolerance: Double, highestQuality: Bool, isRing: Bool) -> [Coordinate] {
    let pairs = pairs
    let made = try? handle {
      neat_shape_simplify(pairs, count, tolerance, highestQuality ? 1 : 0, isRing ? 1 : 0, $0)
    }
    guard let made else { return self }
    defer { neat_buffer_destroy(made) }
    return values(of: made, as: UInt32.self).map { self[Int($0)] }
  }
}

/// Polygons as the C header takes them.
struct PolygonList {
  private var pairs: [Double] = []
  private var ringStarts: [UInt32] = [0]
  private var polygonStarts: [UInt32] = [0]

  init(_ polygons: some Sequence<[Ring]>) {
    for rings in polygons {
      for ring in rings {
        pairs += ring.coordinates.pairs
        ringStarts.append(UInt32(clamping: pairs.count / 2))
      }
      polygonStarts.append(UInt32(clamping: ringStarts.count - 1))
    }
  }

  /// Square metres; NaN where a number is not finite.
  var area: Double {
    var area = Double.nan
    let status = neat_shape_area(
      pairs, pairs.count / 2, ringStarts, ringStarts.count - 1, polygonStarts, polygonStarts.count - 1, &area)
    return status == NEAT_STATUS_OK ? area : .nan
  }

  /// Of each position whether it lies in a polygon; none does where a number of the polygons is not finite.
  func contains(_ places: [Coordinate], ignoreBoundary: Bool) -> [Bool] {
    var result = [UInt8](repeating: 0, count: places.count)
    let status = neat_shape_contains(
      pairs, pairs.count / 2, ringStarts, ringStarts.count - 1, polygonStarts, polygonStarts.count - 1,
      places.pairs, places.count, ignoreBoundary ? 1 : 0, &result)
    return result.map { status == NEAT_STATUS_OK && $0 != 0 }
  }
}
