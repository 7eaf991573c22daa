import CNeatline

/// Something that keeps a map's camera, with the functions of version 10 of the mobile SDKs. The map has two of its
/// own (`FollowPuckViewportState`, `OverviewViewportState`); hosts make others.
public protocol ViewportState: AnyObject {
  /// Tells where the camera is to be, at once where that is known and each time it changes, until the handler returns
  /// false or the result is cancelled. Transitions ask it.
  func observeDataSource(with handler: @escaping (CameraOptions) -> Bool) -> any Cancelable
  /// The state is there: it moves the camera from now on.
  func startUpdatingCamera()
  /// The state is left: it moves the camera no more.
  func stopUpdatingCamera()
}

/// What turns a view that follows the puck.
public enum FollowPuckViewportStateBearing: Hashable, Sendable {
  /// Degrees, whatever the puck does.
  case constant(Double)
  /// Where the device points.
  case heading
  /// Where it is going.
  case course
}

/// How a view follows the puck. What is nil stays as it is.
public struct FollowPuckViewportStateOptions: Hashable, Sendable {
  /// Logical pixels kept free along the edges.
  public var padding: Camera.Padding?
  /// The zoom.
  public var zoom: Double?
  /// What turns the view. A heading or course that is not known leaves it as it is.
  public var bearing: FollowPuckViewportStateBearing?
  /// Degrees from straight down.
  public var pitch: Double?

  /// As the mobile SDKs have it.
  public init(
    padding: Camera.Padding? = Camera.Padding(), zoom: Double? = 16.35,
    bearing: FollowPuckViewportStateBearing? = .heading, pitch: Double? = 45
  ) {
    self.padding = padding
    self.zoom = zoom
    self.bearing = bearing
    self.pitch = pitch
  }

  fileprivate var json: JSONValue {
    get throws(NeatlineError) {
      let bearing: JSONValue =
        switch bearing {
        case .constant(let degrees)?: try number(degrees)
        case .heading?: .string("heading")
        case .course?: .string("course")
        case nil: .null
        }
      return .object([
        JSONValue.Member("zoom", try number(zoom)), JSONValue.Member("pitch", try number(pitch)),
        JSONValue.Member("bearing", bearing), JSONValue.Member("padding", try sides(padding)),
      ])
    }
  }
}

/// How a view shows a geometry as a whole.
public struct OverviewViewportStateOptions: Sendable {
  /// What is shown.
  public var geometry: any Shape
  /// Logical pixels kept free around it.
  public var geometryPadding: Camera.Padding
  /// The camera's own padding; nil: as it is.
  public var padding: Camera.Padding?
  /// Degrees; nil: as it is.
  public var bearing: Double?
  /// Degrees; nil: as it is.
  public var pitch: Double?
  /// The deepest zoom; nil: 22.
  public var maxZoom: Double?
  /// Where the middle goes, in logical pixels from the middle of the room.
  public var offset: ScreenPoint?
  /// Seconds of the easing where the state is there, and where its options change.
  public var animationDuration: Double

  /// An overview of a geometry; what is left out is as the mobile SDKs have it.
  public init(
    geometry: any Shape, geometryPadding: Camera.Padding = Camera.Padding(), bearing: Double? = 0,
    pitch: Double? = 0, padding: Camera.Padding? = nil, maxZoom: Double? = nil, offset: ScreenPoint? = nil,
    animationDuration: Double = 1
  ) {
    self.geometry = geometry
    self.geometryPadding = geometryPadding
    self.bearing = bearing
    self.pitch = pitch
    self.padding = padding
    self.maxZoom = maxZoom
    self.offset = offset
    self.animationDuration = animationDuration
  }

  fileprivate var text: String {
    get throws(NeatlineError) {
      var point = JSONValue.null
      if let offset { point = .array([try number(offset.x), try number(offset.y)]) }
      let rest = JSONValue.object([
        JSONValue.Member("geometryPadding", try sides(geometryPadding)),
        JSONValue.Member("padding", try sides(padding)), JSONValue.Member("bearing", try number(bearing)),
        JSONValue.Member("pitch", try number(pitch)), JSONValue.Member("maxZoom", try number(maxZoom)),
        JSONValue.Member("offset", point),
        JSONValue.Member("animationDuration", try number(animationDuration * 1000)),
      ]).text
      return "{\"geometry\":\(geometry.geoJSONText()),\(rest.dropFirst())"
    }
  }
}

private func number(_ value: Double?) throws(NeatlineError) -> JSONValue {
  guard let value else { return .null }
  guard value.isFinite else { throw NeatlineError(.invalidArgument, "viewport: \(value) is no number") }
  return .number(value)
}

private func sides(_ padding: Camera.Padding?) throws(NeatlineError) -> JSONValue {
  guard let padding else { return .null }
  return .array([
    try number(padding.top), try number(padding.left), try number(padding.bottom), try number(padding.right),
  ])
}

/// A state of the library's own, as Swift holds it.
final class CoreState {
  let pointer: OpaquePointer
  weak var map: Map?

  init(_ map: Map, _ pointer: OpaquePointer) { (self.map, self.pointer) = (map, pointer) }

  deinit { neat_viewport_state_destroy(pointer) }

  var id: UInt64 { neat_viewport_state_id(pointer) }

  /// Where it wants the camera; nil while it cannot know.
  var camera: CameraOptions? {
    var change = neat_camera_change()
    change.struct_size = UInt32(MemoryLayout<neat_camera_change>.size)
    guard neat_viewport_state_camera(pointer, &change) == NEAT_STATUS_OK else { return nil }
    return CameraOptions(change)
  }

  /// Tells a handler now, and at each event that may move where the state wants the camera.
  func observe(_ kinds: [MapEvent.Kind], _ handler: @escaping (CameraOptions) -> Bool) -> any Cancelable {
    let observation = StateObservation()
    var last: CameraOptions?
    let look = { [weak self, weak observation] in
      guard let observation, !observation.isOver, let camera = self?.camera, camera != last else { return }
      last = camera
      if !handler(camera) { observation.cancel() }
    }
    look()
    guard !observation.isOver, let map else { return observation }
    observation.listeners = kinds.map { map.onEvery($0) { _ in look() } }
    return observation
  }

  func setOptions(_ text: String) throws(NeatlineError) {
    try check(text.withText { neat_viewport_state_set_options(pointer, $0, $1) })
  }
}

private final class StateObservation: Cancelable {
  var listeners: [any Cancelable] = []
  private(set) var isOver = false

  deinit { cancel() }

  func cancel() {
    isOver = true
    for listener in listeners { listener.cancel() }
    listeners = []
  }
}

/// A view that follows the puck: `ViewportManager.makeFollowPuckViewportState`.
public final class FollowPuckViewportState: ViewportState {
  let core: CoreState
  private var given: FollowPuckViewportStateOptions

  init(_ map: Map, _ options: FollowPuckViewportStateOptions) throws(NeatlineError) {
    let text = try options.json.text
    core = CoreState(
      map, try handle { out in text.withText { neat_map_make_follow_puck_state(map.pointer, $0, $1, out) } })
    given = options
  }

  /// How the view follows. Options that are out of their range are not taken: `setOptions` says which.
  public var options: FollowPuckViewportStateOptions {
    get { given }
    set { try? setOptions(newValue) }
  }

  /// Changes how the view follows, at once where the state is there. Throws `invalidArgument` for an option out of its
  /// range, and changes nothing.
  public func setOptions(_ options: FollowPuckViewportStateOptions) throws(NeatlineError) {
    try core.setOptions(try options.json.text)
    given = options
  }

  /// Tells where the puck wants the camera.
  public func observeDataSource(with handler: @escaping (CameraOptions) -> Bool) -> any Cancelable {
    core.observe([.puckMoved, .locationChanged, .headingChanged], handler)
  }

  /// Nothing: the map moves the camera by itself.
  public func startUpdatingCamera() {}
  /// Nothing: the map moves the camera by itself.
  public func stopUpdatingCamera() {}
}

/// A view that shows a geometry as a whole: `ViewportManager.makeOverviewViewportState`.
public final class OverviewViewportState: ViewportState {
  let core: CoreState
  private var given: OverviewViewportStateOptions

  init(_ map: Map, _ options: OverviewViewportStateOptions) throws(NeatlineError) {
    let text = try options.text
    core = CoreState(
      map, try handle { out in text.withText { neat_map_make_overview_state(map.pointer, $0, $1, out) } })
    given = options
  }

  /// What is shown, and how. Options that are out of their range are not taken: `setOptions` says which.
  public var options: OverviewViewportStateOptions {
    get { given }
    set { try? setOptions(newValue) }
  }

  /// Changes what is shown, and how, at once where the state is there. Throws `invalidArgument` for an option out of its
  /// range and a geometry without positions, and changes nothing.
  public func setOptions(_ options: OverviewViewportStateOptions) throws(NeatlineError) {
    try core.setOptions(try options.text)
    given = options
  }

  /// Tells where the geometry wants the camera, also when the view has another size.
  public func observeDataSource(with handler: @escaping (CameraOptions) -> Bool) -> any Cancelable {
    core.observe([.cameraChanged], handler)
  }

  /// Nothing: the map moves the camera by itself.
  public func startUpdatingCamera() {}
  /// Nothing: the map moves the camera by itself.
  public func stopUpdatingCamera() {}
}

extension CameraOptions {
  init(_ change: neat_camera_change) {
    func has(_ field: neat_camera_field) -> Bool { change.fields & UInt32(field.rawValue) != 0 }
    self.init()
    if has(NEAT_CAMERA_FIELD_CENTER) {
      center = Coordinate(latitude: change.lat_deg, longitude: change.lon_deg)
    }
    if has(NEAT_CAMERA_FIELD_ZOOM) { zoom = change.zoom }
    if has(NEAT_CAMERA_FIELD_BEARING) { bearing = change.bearing_deg }
    if has(NEAT_CAMERA_FIELD_PITCH) { pitch = change.pitch_deg }
    guard has(NEAT_CAMERA_FIELD_PADDING) else { return }
    padding = Camera.Padding(
      top: change.padding_top_px, left: change.padding_left_px, bottom: change.padding_bottom_px,
      right: change.padding_right_px)
  }
}
