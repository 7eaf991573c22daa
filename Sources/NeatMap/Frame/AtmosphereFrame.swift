import NeatBase
import NeatCamera
import NeatRaster
import NeatStyle

extension FrameBuilder {
  /// The air around a globe, over all layers: as much as the style's sky says, and no more than there is of a globe.
  /// A style without sky has none, as in MapLibre GL JS.
  mutating func addAtmosphere() {
    guard let globe = transform.globe, let sky = style.sky else { return }
    let blend = sky[.atmosphereBlend].number(evaluator, at: camera) * globe.globeness
    guard blend > 0 else { return }
    let view = transform.camera
    let ratio = transform.size.pixelRatio
    let size = SIMD2(Double(transform.size.deviceWidth), Double(transform.size.deviceHeight)) / ratio
    commands.append(
      .atmosphere(
        Atmosphere(
          middle: view.padding.middle(of: size) * ratio, focal: transform.cameraToCenterDistance * ratio,
          globe: eyeToGlobe(globe), sun: sun(), blend: min(blend, 1))))
  }

  /// The globe's middle from the eye, in radii of it: x right, y up, z towards the eye.
  func eyeToGlobe(_ globe: GlobeSurface) -> SIMD3<Double> {
    let (pitch, roll) = (transform.camera.pitch * .pi / 180, transform.camera.roll * .pi / 180)
    // It lies a radius below the camera's centre; turned by pitch and roll.
    let lean = globe.radius * sin(pitch)
    let middle = SIMD3(
      lean * sin(roll), -lean * cos(roll), -(transform.cameraToCenterDistance + globe.radius * cos(pitch)))
    return middle / globe.radius
  }

  /// The direction of the light in the eye's axes: x right, y up, z towards the eye.
  private func sun() -> SIMD3<Double> {
    let light = style.light
    let place = light[.lightPosition].numbers3(evaluator, at: camera)
    let azimuth = (place.y + 90) * .pi / 180, polar = place.z * .pi / 180
    var sun =
      SIMD3(cos(azimuth) * sin(polar), sin(azimuth) * sin(polar), cos(polar)) * -max(abs(place.x), 1e-9)
    guard light[.lightAnchor].enumValue(evaluator, at: camera) == "map" else { return sun }
    let view = transform.camera
    sun = Self.turnedY(sun, -view.center.lon * .pi / 180)
    sun = Self.turnedX(sun, view.center.lat * .pi / 180)
    sun = Self.turnedZ(sun, view.heading * .pi / 180)
    sun = Self.turnedX(sun, -view.pitch * .pi / 180)
    return Self.turnedZ(sun, view.roll * .pi / 180)
  }

  private static func turnedX(_ v: SIMD3<Double>, _ angle: Double) -> SIMD3<Double> {
    SIMD3(v.x, v.y * cos(angle) - v.z * sin(angle), v.y * sin(angle) + v.z * cos(angle))
  }

  private static func turnedY(_ v: SIMD3<Double>, _ angle: Double) -> SIMD3<Double> {
    SIMD3(v.x * cos(angle) + v.z * sin(angle), v.y, v.z * cos(angle) - v.x * sin(angle))
  }

  private static func turnedZ(_ v: SIMD3<Double>, _ angle: Double) -> SIMD3<Double> {
    SIMD3(v.x * cos(angle) - v.y * sin(angle), v.x * sin(angle) + v.y * cos(angle), v.z)
  }
}
