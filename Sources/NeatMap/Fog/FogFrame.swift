import NeatBase
import NeatCamera
import NeatRaster
import NeatStyle

// The root `fog` of Mapbox styles. Its formulas are those of Mapbox GL JS, whose globe is a plane from zoom 6 on: here
// the globe goes on, and the fog that far in is that of the plane over it.

extension FrameBuilder {
  /// Zooms over which fog by the globe's edge goes over into fog by distance.
  private static let rounding = (5.0, 6.0)
  /// Degrees of pitch over which fog comes in on the plane.
  private static let tilts = (45.0, 65.0)
  /// Where fog by the globe's edge begins and hides all.
  private static let roundRange = SIMD2(0.5, 3)

  /// The fog of the style's root; nil where none of it is seen.
  func rootFog() -> Fog? {
    guard style.sky == nil, let fog = style.fog else { return nil }
    let view = transform.camera
    let color = fog[.rootFogColor].color(evaluator, at: camera)
    let closeness = transform.globe == nil ? 1 : Self.smooth(view.zoom, Self.rounding)
    let tilt = 1 + (Self.smooth(view.pitch, Self.tilts) - 1) * closeness
    let opacity = Double(color.a) * tilt
    guard opacity > 0 else { return nil }
    let own = fog[.rootFogRange].numbers2(evaluator, at: camera)
    // Zero is at the camera's centre.
    let size = transform.size.logical
    let away = transform.cameraToCenterDistance / size.y
    let range = Self.roundRange + (own - Self.roundRange) * closeness + away
    let limits = fog[.rootFogVerticalRange].numbers2(evaluator, at: camera)
    let rays = transform.rays
    let distance = transform.cameraToCenterDistance
    let eye = transform.eye / size.y
    // Flat ground lies at the sea, however high the camera's centre is; a terrain about as high as that.
    let sea = transform.ground == nil ? 0 : transform.elevation
    let lift = (transform.elevation - sea) * transform.pixelsPerMetre / size.y
    let pixel = 1 / transform.size.pixelRatio
    let pitch = view.pitch * .pi / 180
    return Fog(
      color: SIMD3(color.r, color.g, color.b), opacity: Float(opacity), range: SIMD2<Float>(range),
      horizonBlend: Float(fog[.rootFogHorizonBlend].number(evaluator, at: camera)),
      heights: limits == .zero ? nil : SIMD2<Float>(limits),
      view: Fog.View(
        corner: rays.corner / distance, right: rays.right / distance, down: rays.down / distance,
        end: min(transform.horizon / distance * sin(pitch) - cos(pitch), 0), eye: eye.z + lift,
        scale: 1 / size.y, metres: size.y / transform.pixelsPerMetre, sea: sea),
      globe: transform.globe.map {
        let radius = $0.radius / size.y
        return Fog.Globe(
          middle: SIMD3(-eye.x, -eye.y, -eye.z - radius), radius: radius, pixel: pixel / size.y,
          globeness: $0.globeness)
      }, closeness: Float(closeness))
  }

  private static func smooth(_ value: Double, _ way: (from: Double, to: Double)) -> Double {
    let t = min(max((value - way.from) / (way.to - way.from), 0), 1)
    return t * t * (3 - 2 * t)
  }

  // MARK: On the ground

  /// Lays fog over what lies flat on the ground. What stands on it, and a ground that rises, have theirs already;
  /// labels have none.
  mutating func layFog() {
    // How often the map is drawn does not depend on what is before it.
    guard let fog, !debug.contains(.overdraw) else { return }
    var laid = memory.takeSpare()
    laid.append(contentsOf: commands[..<skyCount])
    var place = skyCount
    while place < commands.count {
      let first = place
      while place < commands.count, commands[place].liesOnGround { place += 1 }
      if place > first {
        // Nothing but ground is there yet: fog may be laid over all of it.
        let isLowest = first == skyCount && terrain == nil
        if !isLowest { laid.append(.fogBegins) }
        laid.append(contentsOf: commands[first..<place])
        laid.append(isLowest ? .fog(fog) : .fogEnds(fog))
      }
      while place < commands.count, !commands[place].liesOnGround {
        laid.append(commands[place])
        place += 1
      }
    }
    memory.replaceCommands(laid)
  }

  // MARK: Above the horizon

  /// The air, space and the stars, which everything else is drawn over.
  mutating func addFogSky() {
    guard style.sky == nil, let fog = style.fog else { return }
    func ink(_ property: Property) -> SIMD4<Float> {
      let color = fog[property].color(evaluator, at: camera)
      return SIMD4(color.r, color.g, color.b, color.a)
    }
    let ratio = transform.size.pixelRatio
    let view = transform.camera
    let middle = view.padding.middle(of: transform.size.logical) * ratio
    let roll = view.roll * .pi / 180
    let blend = min(max(fog[.rootFogHorizonBlend].number(evaluator, at: camera), 0), 1)
    let sky = FogSky(
      color: ink(.rootFogColor), highColor: ink(.rootFogHighColor), spaceColor: ink(.rootFogSpaceColor),
      // Never of no reach at all.
      reach: Float(0.0005 + blend * (0.25 - 0.0005)), horizon: horizon, middle: SIMD2<Float>(middle),
      focal: Float(transform.cameraToCenterDistance * ratio),
      up: SIMD2(Float(-sin(roll)), Float(-cos(roll))),
      overlap: transform.globe.map { Float(2 / ($0.radius * ratio)) } ?? 0)
    guard isSeen(sky) else { return }
    commands.append(.space(sky))
    let shine = min(max(fog[.rootFogStarIntensity].number(evaluator, at: camera), 0), 1)
    let stars = shine > 0 ? self.stars(sky, shine: Float(shine)) : []
    if !stars.isEmpty { commands.append(.circles(CircleDraw(circles: stars, axes: .identity))) }
    commands.append(.air(sky))
  }

  private var horizon: FogSky.Horizon {
    let straight = Float(transform.horizon * transform.size.pixelRatio)
    guard let globe = transform.globe else { return .straight(straight) }
    let middle = SIMD3<Float>(eyeToGlobe(globe))
    return globe.isWhole ? .round(middle) : .mixed(straight, middle, share: Float(globe.globeness))
  }

  /// Whether any of the sky is in view.
  private func isSeen(_ sky: FogSky) -> Bool {
    let (width, height) = (Float(transform.size.deviceWidth), Float(transform.size.deviceHeight))
    return [SIMD2(0, 0), SIMD2(width, 0), SIMD2(width, height), SIMD2(0, height)].contains { sky.shows($0) }
  }
}

extension DrawCommand {
  /// Whether it draws what lies flat on the ground, of a map without terrain.
  fileprivate var liesOnGround: Bool {
    switch self {
    case .background, .world, .pattern, .patternMix, .globeBackground, .globePattern, .globePatternMix, .fill,
      .line, .raster, .heatmap, .hillshade, .colorRelief, .apart, .fillEdge:
      true
    case .sky, .skyDome, .space, .air, .fog, .fogBegins, .fogEnds, .terrain, .atmosphere, .circles,
      .extrusion,
      .extrusionMix, .symbols, .puck, .debug, .overdraw, .custom:
      false
    }
  }
}

extension Fog {
  /// How much of a label is seen: those that the fog hides the ground of are left out, with a soft edge.
  func labelOpacity(_ seen: SIMD4<Double>) -> Float {
    min(max((0.95 - share(seen)) * 10, 0), 1)
  }
}
