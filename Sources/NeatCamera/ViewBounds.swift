import NeatBase

/// A box of degrees that a view shows. West is not greater than east; both may be past 180.
package struct ViewBounds: Sendable, Hashable {
  package var west: Double
  package var south: Double
  package var east: Double
  package var north: Double

  package init(west: Double, south: Double, east: Double, north: Double) {
    self.west = west
    self.south = south
    self.east = east
    self.north = north
  }

  /// A box, nil for none yet, that holds one place more.
  init(_ box: ViewBounds?, _ place: LonLat) {
    self.init(
      west: min(box?.west ?? place.lon, place.lon), south: min(box?.south ?? place.lat, place.lat),
      east: max(box?.east ?? place.lon, place.lon), north: max(box?.north ?? place.lat, place.lat))
  }

  /// The same box with longitudes within -180...180: west is greater than east where it crosses the 180th
  /// meridian, and they are -180 and 180 where it goes around the world.
  package var wrapped: ViewBounds {
    var box = self
    guard east - west < 360 else {
      (box.west, box.east) = (-180, 180)
      return box
    }
    box.west = Angle.wrapped(west)
    box.east = Angle.wrapped(east)
    // A western edge on the meridian is -180, an eastern one 180.
    if box.west == 180, west != east { box.west = -180 }
    return box
  }
}

/// Angles and longitudes in degrees.
package enum Angle {
  /// The same angle above -180 and up to 180.
  package static func wrapped(_ degrees: Double) -> Double {
    if degrees > -180, degrees <= 180 { return degrees }
    let turned = (degrees + 180).truncatingRemainder(dividingBy: 360)
    let positive = turned <= 0 ? turned + 360 : turned
    return positive - 180
  }

  /// The angle that means the same as `degrees` and is nearest to `start`, within half a turn.
  package static func near(_ degrees: Double, to start: Double) -> Double {
    start + wrapped(degrees - start)
  }
}
