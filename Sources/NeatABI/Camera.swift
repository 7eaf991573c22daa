import CNeatline
import NeatBase
import NeatCamera
import NeatMap

/// The camera of the caller; NULL or `use_style`: the style's own.
func camera(_ given: UnsafePointer<neat_camera>?, style: @autoclosure () -> Camera) throws(NeatError)
  -> Camera
{
  guard let given = try received(given) else { return style() }
  if given.use_style != 0 { return style() }
  return try camera(given)
}

func camera(_ given: neat_camera) throws(NeatError) -> Camera {
  var camera = Camera(
    center: LonLat(given.lon_deg, given.lat_deg), zoom: given.zoom, bearing: given.bearing_deg,
    pitch: given.pitch_deg, roll: given.roll_deg
  )
  camera.padding = EdgeInsets(
    top: given.padding_top_px, left: given.padding_left_px, bottom: given.padding_bottom_px,
    right: given.padding_right_px)
  if given.fov_deg != 0 { camera.fieldOfView = given.fov_deg }
  camera.north = given.north_deg
  return try camera.checked()
}

extension neat_camera {
  /// `struct_size` is the caller's matter.
  init(_ camera: Camera) {
    self.init()
    lon_deg = camera.center.lon
    lat_deg = camera.center.lat
    zoom = camera.zoom
    bearing_deg = camera.bearing
    pitch_deg = camera.pitch
    roll_deg = camera.roll
    padding_top_px = camera.padding.top
    padding_left_px = camera.padding.left
    padding_bottom_px = camera.padding.bottom
    padding_right_px = camera.padding.right
    fov_deg = camera.fieldOfView
    north_deg = camera.north
  }
}

@c @implementation
public func neat_camera_fit_bounds(
  _ camera: UnsafeMutablePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!, _ west_deg: Double,
  _ south_deg: Double,
  _ east_deg: Double,
  _ north_deg: Double
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try Receiver(camera, "camera")
    let given = try NeatABI.camera(try required(try received(UnsafePointer(camera)), "camera"))
    out.fill(
      neat_camera(
        try given.fitting(
          ViewBounds(west: west_deg, south: south_deg, east: east_deg, north: north_deg),
          size: try viewSize(size))))
  }
}
