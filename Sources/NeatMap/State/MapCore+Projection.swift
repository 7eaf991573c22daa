import NeatBase
import NeatCamera
import NeatStyle

extension MapCore {
  /// The one way to a view of the map: what the style is laid onto is the plane or the globe, as its projection
  /// says at the camera's zoom. Throws as `Transform` does.
  package func transform(
    _ camera: Camera, _ size: ViewSize, isMoving: Bool = false, labelMargin: Int = 0, labelGrid: Double? = nil
  ) throws(NeatError) -> Transform {
    // Tiles are squares of the plane.
    try Transform(
      camera: camera, size: size, isMoving: isMoving, labelMargin: labelMargin, labelGrid: labelGrid,
      globeness: labelGrid == nil ? globeness(zoom: camera.zoom) : 0)
  }

  /// What a map is laid onto at a zoom, or is nearer to on its way from one to the other.
  package func projection(zoom: Double) -> MapProjection { globeness(zoom: zoom) > 0.5 ? .globe : .mercator }

  /// How much of the map is the globe at a zoom: 0 the plane, 1 the globe.
  package func globeness(zoom: Double) -> Double {
    guard zoom.isFinite else { return 0 }
    return state.withLock { state in
      let projection = state.style.document.projection
      guard projection.isSet(.projectionType) else { return 0 }
      let evaluator = self.evaluator(state)
      return projection[.projectionType].projection(evaluator, at: .camera(zoom: zoom)).globeness(zoom: zoom)
    }
  }
}

extension ProjectionDefinition {
  /// How much of a globe it is at a zoom.
  func globeness(zoom: Double) -> Double {
    let (a, b) = (Self.globeness(from, zoom), Self.globeness(to, zoom))
    let share = min(max(transition, 0), 1)
    return a == b ? b : a + (b - a) * share
  }

  /// Names that are none that is known are the plane, as in MapLibre GL JS.
  private static func globeness(_ name: String, _ zoom: Double) -> Double {
    switch name {
    case "vertical-perspective": 1
    case "globe": min(max(12 - zoom, 0), 1)
    default: 0
    }
  }
}
