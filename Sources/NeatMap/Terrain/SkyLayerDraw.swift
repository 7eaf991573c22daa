import NeatBase
import NeatCamera
import NeatRaster
import NeatStyle

extension FrameBuilder {
  /// Layers of type `sky` lie behind everything else, wherever they stand in the style.
  mutating func addSkyLayers() {
    let zoom = transform.camera.zoom
    for layer in style.layers where layer.type == .sky && layer.isVisible(zoom: zoom, evaluator) {
      let opacity = Float(layer[.skyOpacity].number(evaluator, at: camera))
      guard opacity > 0 else { continue }
      let isGradient = layer[.skyType].enumValue(evaluator, at: camera) == "gradient"
      let rays = transform.rays
      func narrow(_ way: SIMD3<Double>) -> SIMD3<Float> { SIMD3<Float>(SIMD3(way.x, -way.y, way.z)) }
      commands.append(
        .skyDome(
          SkyDome(
            paint: isGradient ? gradient(of: layer) : .atmosphere(atmosphere(of: layer)), opacity: opacity,
            corner: narrow(rays.corner), right: narrow(rays.right), down: narrow(rays.down), fog: fog)))
    }
  }

  /// East, north, up of an azimuth, clockwise from north, and an angle from the zenith, both in degrees.
  private static func direction(_ azimuth: Double, _ polar: Double) -> SIMD3<Float> {
    let (a, p) = (azimuth * .pi / 180, polar * .pi / 180)
    return SIMD3(Float(sin(p) * sin(a)), Float(sin(p) * cos(a)), Float(cos(p)))
  }

  private func gradient(of layer: StyleLayer) -> SkyDome.Paint {
    let center = layer[.skyGradientCenter].numbers2(evaluator, at: camera)
    let colors = (0..<256).map { step in
      let place = EvaluationPoint.ramp(
        RampInputs(skyRadialProgress: Double(step) / 255), zoom: camera.zoom)
      return layer[.skyGradient].color(evaluator, at: place).premultiplied
    }
    let radius = layer[.skyGradientRadius].number(evaluator, at: camera) * .pi / 180
    return .gradient(
      center: FrameBuilder.direction(center.x, center.y), radius: Float(radius), colors: colors)
  }

  private func atmosphere(of layer: StyleLayer) -> SkyAtmosphere {
    // The sun is where the style's light is, unless the layer says where.
    let light = style.light[.lightPosition].numbers3(evaluator, at: camera)
    var place = SIMD2(light.y, light.z)
    if layer.isSet(.skyAtmosphereSun) { place = layer[.skyAtmosphereSun].numbers2(evaluator, at: camera) }
    func tint(_ property: Property) -> SIMD3<Float> {
      let color = layer[property].color(evaluator, at: camera)
      return SIMD3(color.r, color.g, color.b) * color.a
    }
    return SkyAtmosphere(
      sun: FrameBuilder.direction(place.x, place.y),
      intensity: Float(layer[.skyAtmosphereSunIntensity].number(evaluator, at: camera)),
      color: tint(.skyAtmosphereColor), halo: tint(.skyAtmosphereHaloColor))
  }
}
