import NeatBase

/// The ring that stands for a location of reduced accuracy: alone, without puck and bearing.
///
/// So that it is seen at every zoom, and does not jump, it is 11 pixels up to a zoom that depends on the accuracy
/// (7.5 for 1,000 m, 4.0 for 20,000 m, and in between in a straight line), goes over to its true size within the
/// next zoom, and is never smaller than 11 pixels. The numbers are those of the mobile SDKs' version 10.
package enum ReducedRing {
  package static let leastPixels = 11.0
  package static let accuracies = 1000.0...20_000
  package static let zooms = 4.0...7.5

  /// Up to which zoom the ring has its least size.
  package static func zoom(accuracy: Double) -> Double {
    let held = CameraRange.hold(accuracy, accuracies)
    let part = (held - accuracies.lowerBound) / (accuracies.upperBound - accuracies.lowerBound)
    return zooms.upperBound - (zooms.upperBound - zooms.lowerBound) * part
  }

  /// Logical pixels. Where no accuracy is known it is that of 1,000 m.
  package static func radius(accuracy: Double?, latitude: Double, zoom: Double) -> Double {
    let accuracy = accuracy ?? accuracies.lowerBound
    let first = ReducedRing.zoom(accuracy: accuracy)
    guard zoom > first else { return leastPixels }
    let least = leastPixels * Ground.metresPerPixel(latitude: latitude, zoom: first)
    let metres = least + (accuracy - least) * min(zoom - first, 1)
    return max(metres / Ground.metresPerPixel(latitude: latitude, zoom: zoom), leastPixels)
  }
}

/// Lengths on the ground.
package enum Ground {
  /// Metres that a logical pixel covers at a latitude, on the Mercator plane.
  package static func metresPerPixel(latitude: Double, zoom: Double) -> Double {
    let held = min(max(latitude, -Mercator.maxLatitude), Mercator.maxLatitude)
    return cos(held * .pi / 180) * Mercator.earthCircumference / (TileUnits.pixels * exp2(zoom))
  }
}
