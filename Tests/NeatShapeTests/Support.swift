import NeatBase
import NeatShape
import NeatTestSupport

/// A line in memory that its functions borrow.
func withLine<R>(_ places: [(Double, Double)], _ body: (Line) throws -> R) rethrows -> R {
  try places.map { LonLat($0.0, $0.1) }.withUnsafeBufferPointer { try body(Line($0)) }
}

func withLine<R>(_ places: [LonLat], _ body: (Line) throws -> R) rethrows -> R {
  try places.withUnsafeBufferPointer { try body(Line($0)) }
}

func withRing<R>(_ places: [(Double, Double)], _ body: (Ring) throws -> R) rethrows -> R {
  try places.map { LonLat($0.0, $0.1) }.withUnsafeBufferPointer { try body(Ring($0)) }
}

/// Polygons from their rings.
func withPolygons<R>(_ polygons: [[[LonLat]]], _ body: (Polygons) throws -> R) throws -> R {
  var ringStarts: [UInt32] = [0]
  var polygonStarts: [UInt32] = [0]
  var points: [LonLat] = []
  for rings in polygons {
    for ring in rings {
      points += ring
      ringStarts.append(UInt32(points.count))
    }
    polygonStarts.append(UInt32(ringStarts.count - 1))
  }
  return try points.withUnsafeBufferPointer { points in
    try body(
      try Polygons(
        points, ringStarts: ringStarts, ringCount: ringStarts.count - 1, polygonStarts: polygonStarts,
        polygonCount: polygons.count))
  }
}

extension SplitMix {
  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

  mutating func place(within degrees: Double = 60) -> LonLat {
    LonLat(number(-degrees * 2...degrees * 2), number(-degrees...degrees))
  }

  /// A walk of small steps.
  mutating func walk(_ count: Int, step: Double = 0.1) -> [LonLat] {
    var place = place(within: 40)
    return (0..<count).map { _ in
      place.lon += number(-step...step)
      place.lat += number(-step...step)
      return place
    }
  }
}

func near(_ a: Double, _ b: Double, _ tolerance: Double) -> Bool { abs(a - b) <= tolerance }

func near(_ a: LonLat, _ b: LonLat, _ tolerance: Double = 1e-9) -> Bool {
  abs(a.lon - b.lon) <= tolerance && abs(a.lat - b.lat) <= tolerance
}
