import NeatBase

/// Where a camera may be: a map's limits. Behaviour of `screen` after MapLibre GL JS's `maxBounds`, of the others
/// after the constrain modes of MapLibre Native.
package struct CameraLimits: Sendable, Hashable {
  package enum Mode: UInt32, Sendable, Hashable {
    /// The view does not go past the world's northern and southern edge; bounds hold the centre.
    case height = 0
    /// Nor past its eastern and western edge.
    case widthAndHeight = 1
    /// The whole view stays within the bounds, or within the world.
    case screen = 2
    /// Nothing is held but the centre, by the bounds.
    case none = 3
  }

  package var mode = Mode.height
  /// Nil: the world. West greater than east crosses the 180th meridian.
  package var bounds: ViewBounds?
  package var minZoom = 0.0
  package var maxZoom = 22.0
  package var minPitch = 0.0
  package var maxPitch = CameraRange.usualPitch.upperBound
  /// Whether worlds stand side by side.
  package var repeatsWorld = true
  /// What they are limits on, and what easings, flights and gestures within them go over. The globe has no edges: the
  /// bounds hold the centre, whatever the mode, and the least zoom is that at the equator, so that it may be as small
  /// everywhere.
  package var projection = MapProjection.mercator

  package init() {}

  /// No limits but those of every camera.
  package static let none: CameraLimits = {
    var limits = CameraLimits()
    limits.mode = .none
    limits.minZoom = CameraRange.zoom.lowerBound
    limits.maxZoom = CameraRange.zoom.upperBound
    return limits
  }()

  /// The same on another projection.
  package func on(_ projection: MapProjection) -> CameraLimits {
    var limits = self
    limits.projection = projection
    return limits
  }

  /// The limits, or an error that names what is wrong with them.
  package func checked() throws(NeatError) -> CameraLimits {
    func check(_ name: String, _ low: Double, _ high: Double, _ range: ClosedRange<Double>) throws(NeatError)
    {
      guard range.contains(low), range.contains(high), low <= high else {
        throw NeatError(
          .invalidArgument,
          "limits: \(name) \(low) to \(high) are not in order within \(range.lowerBound)...\(range.upperBound)"
        )
      }
    }
    try check("zooms", minZoom, maxZoom, CameraRange.zoom)
    try check("pitches", minPitch, maxPitch, CameraRange.pitch)
    if let bounds { try bounds.checkAsBox() }
    return self
  }

  /// The camera at the nearest of where it may be. The camera and the limits have been checked.
  package func constrained(_ camera: Camera, _ size: ViewSize) -> Camera {
    var camera = camera
    camera.pitch = min(max(camera.pitch, minPitch), maxPitch)
    (camera.center, camera.zoom) = place(camera.center, camera.zoom, size)
    return camera.held()
  }

  /// The centre and zoom at the nearest of where they may be.
  func place(_ center: LonLat, _ zoom: Double, _ size: ViewSize) -> (LonLat, Double) {
    if projection == .globe { return onGlobe(center, zoom) }
    let zoom = min(max(zoom, minZoom), maxZoom)
    switch mode {
    case .none: return (centerWithinBounds(center), zoom)
    case .screen: return wholeView(center, zoom, size.logical)
    case .height, .widthAndHeight: return withinWorld(centerWithinBounds(center), zoom, size.logical)
    }
  }

  private func onGlobe(_ center: LonLat, _ zoom: Double) -> (LonLat, Double) {
    var center = centerWithinBounds(center)
    center.lat = Mercator.heldLatitude(center.lat)
    return (center, min(max(zoom, leastZoom(at: center.lat)), maxZoom))
  }

  /// The least zoom with the centre at a latitude, but for what the plane's edges need.
  func leastZoom(at latitude: Double) -> Double {
    guard projection == .globe else { return minZoom }
    let held = Mercator.heldLatitude(latitude)
    return CameraRange.hold(minZoom + GlobeView.zoomChange(from: 0, to: held), CameraRange.zoom)
  }

  private func centerWithinBounds(_ center: LonLat) -> LonLat {
    guard let bounds else { return center }
    var place = LonLat(center.lon, min(max(center.lat, bounds.south), bounds.north))
    let span = bounds.span
    guard span < 360 else { return place }
    let middle = bounds.west + span / 2
    let away = Angle.wrapped(center.lon - middle)
    if abs(away) > span / 2 { place.lon = Angle.wrapped(middle + (away > 0 ? span / 2 : -span / 2)) }
    return place
  }

  /// The world's edges stay outside the view; where the world is smaller than the view, the zoom grows.
  private func withinWorld(_ center: LonLat, _ zoom: Double, _ view: SIMD2<Double>) -> (LonLat, Double) {
    let isWide = mode == .widthAndHeight
    let needed = log2((isWide ? max(view.x, view.y) : view.y) / TileUnits.pixels)
    let zoom = max(zoom, needed)
    let half = view / (2 * TileUnits.pixels * exp2(zoom))
    let at = Mercator.held(center)
    let y = hold(at.y, half.y)
    let x = isWide ? hold(Mercator.x(lon: Angle.wrapped(center.lon)), half.x) : at.x
    guard y != at.y || x != at.x else { return (center, zoom) }
    return (LonLat(x == at.x ? center.lon : Mercator.lon(x: x), Mercator.lat(y: y)), zoom)
  }

  /// A coordinate of the unit square at least `room` from both its ends.
  private func hold(_ value: Double, _ room: Double) -> Double {
    room >= 0.5 ? 0.5 : min(max(value, room), 1 - room)
  }

  /// As GL JS's `maxBounds`: a view larger than the bounds zooms in, and one that looks out of them is moved as
  /// far as it does.
  private func wholeView(_ center: LonLat, _ zoom: Double, _ view: SIMD2<Double>) -> (LonLat, Double) {
    let limit = Mercator.maxLatitude
    // In unit coordinates; west and east where they hold.
    let top = Mercator.y(lat: min(bounds?.north ?? limit, limit))
    let bottom = Mercator.y(lat: max(bounds?.south ?? -limit, -limit))
    var sides: (left: Double, right: Double)?
    if let bounds, bounds.span < 360 {
      let left = Mercator.x(lon: Angle.wrapped(bounds.west))
      sides = (left, left + bounds.span / 360)
    } else if !repeatsWorld {
      sides = (0, 1)
    }
    // Bounds without extent have no zoom that fits.
    var needed = log2(view.y / TileUnits.pixels / (bottom - top))
    if let sides { needed = max(needed, log2(view.x / TileUnits.pixels / (sides.right - sides.left))) }
    let zoom = max(zoom, min(needed, CameraRange.zoom.upperBound))
    let half = view / (2 * TileUnits.pixels * exp2(zoom))
    let at = Mercator.held(center)
    var moved = SIMD2(at.x, CameraLimits.held(at.y, top, bottom, half.y))
    if let sides {
      // Of worlds that stand side by side, the one that is nearest to the bounds.
      let middle = (sides.left + sides.right) / 2
      let x = repeatsWorld ? at.x - (at.x - middle).rounded(.toNearestOrAwayFromZero) : at.x
      let held = CameraLimits.held(x, sides.left, sides.right, half.x)
      if held != x { moved.x = held }
    }
    guard moved != at else { return (center, zoom) }
    let longitude = moved.x == at.x ? center.lon : Mercator.lon(x: moved.x)
    return (LonLat(Angle.wrapped(longitude), Mercator.lat(y: moved.y)), zoom)
  }

  /// A coordinate at least `room` from both ends; in the middle where there is not as much.
  private static func held(_ value: Double, _ low: Double, _ high: Double, _ room: Double) -> Double {
    if high - low <= 2 * room { return (low + high) / 2 }
    return min(max(value, low + room), high - room)
  }

}

extension ViewBounds {
  /// Degrees from west to east, 0 to 360.
  var span: Double {
    let along = east - west
    return min(along < 0 ? along + 360 : along, 360)
  }

  /// Throws `invalidArgument` for what makes no box.
  package func checkAsBox() throws(NeatError) {
    guard (-360...360).contains(west), (-360...360).contains(east) else {
      throw NeatError(.invalidArgument, "longitudes \(west) and \(east) are not within -360...360")
    }
    guard (-90...90).contains(south), (-90...90).contains(north), south <= north else {
      throw NeatError(.invalidArgument, "latitudes \(south) and \(north) are not in order within -90...90")
    }
  }
}
