import Neatline

/// How `--constrain` and `constrain=` keep a picture's view within the world, as a live map's is.
enum ViewHold: String, CaseIterable, Sendable {
  case none
  case height
  case widthAndHeight = "width-and-height"
  case screen

  static let names = allCases.map(\.rawValue)

  private var mode: ConstrainMode {
    switch self {
    case .none: .none
    case .height: .height
    case .widthAndHeight: .widthAndHeight
    case .screen: .screen
    }
  }

  /// The camera at the nearest of where it may be. What else a map limits, zoom and pitch, stays as it is: what a
  /// picture cannot have of it is refused as without a mode.
  func held(_ camera: Camera, _ renderer: Renderer, in size: PictureSize) throws(NeatlineError) -> Camera {
    guard self != .none else { return camera }
    let limits = CameraLimits(mode: mode, minZoom: -2, maxZoom: 25.5, maxPitch: 180)
    return try camera.constrained(
      by: limits, in: size, projection: renderer.projection(atZoom: camera.zoom))
  }
}
