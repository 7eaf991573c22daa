import CNeatline
import NeatBase
import NeatCamera

/// Numbers of the caller's in pairs.
private func pairs(_ pointer: UnsafePointer<Double>?, _ count: Int, _ name: String) throws(NeatError)
  -> UnsafeBufferPointer<Double>
{
  guard count >= 0, count <= 1 << 40 else {
    throw NeatError(.invalidArgument, "\(name) has \(UInt(bitPattern: count)) pairs")
  }
  guard count == 0 || pointer != nil else {
    throw NeatError(.invalidArgument, "\(name) is NULL and has \(count) pairs")
  }
  return UnsafeBufferPointer(start: pointer, count: count * 2)
}

private func view(
  _ given: UnsafePointer<neat_camera>?, _ size: UnsafePointer<neat_size>?, _ projection: neat_projection
) throws(NeatError) -> CameraView {
  try CameraView(
    camera: try camera(try required(try received(given), "camera")), size: try viewSize(size),
    projection: try mapProjection(projection))
}

func mapProjection(_ given: neat_projection) throws(NeatError) -> MapProjection {
  guard let kind = MapProjection(rawValue: given.rawValue) else {
    throw NeatError(.invalidArgument, "no projection has the number \(given.rawValue)")
  }
  return kind
}

@c @implementation
public func neat_renderer_projection(
  _ renderer: OpaquePointer!, _ zoom: Double, _ out_projection: UnsafeMutablePointer<neat_projection>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_projection, "out_projection")
    try CameraRange.check("zoom", zoom, CameraRange.zoom)
    let kind = try NeatABI.renderer(renderer).projection(zoom: zoom)
    out.pointee = neat_projection(kind.rawValue)
  }
}

@c @implementation
public func neat_map_projection(
  _ map: OpaquePointer!, _ zoom: Double, _ out_projection: UnsafeMutablePointer<neat_projection>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let out = try required(out_projection, "out_projection")
    // Also before there is a style.
    try CameraRange.check("zoom", zoom, CameraRange.zoom)
    let kind = map.core?.projection(zoom: zoom) ?? .mercator
    out.pointee = neat_projection(kind.rawValue)
  }
}

@c @implementation
public func neat_camera_project(
  _ camera: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!, _ projection: neat_projection,
  _ lon_lat: UnsafePointer<Double>!, _ count: Int, _ out_points_px: UnsafeMutablePointer<Double>!,
  _ out_visible: UnsafeMutablePointer<UInt8>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let view = try view(camera, size, projection)
    let places = try pairs(lon_lat, count, "lon_lat")
    if count == 0 { return }
    let out = try required(out_points_px, "out_points_px")
    for index in 0..<count {
      let place = LonLat(places[2 * index], places[2 * index + 1])
      let point = try view.point(of: place)
      (out[2 * index], out[2 * index + 1]) = (point?.x ?? .nan, point?.y ?? .nan)
      if let out_visible { out_visible[index] = try view.visiblePoint(of: place) == nil ? 0 : 1 }
    }
  }
}

@c @implementation
public func neat_camera_unproject(
  _ camera: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!, _ projection: neat_projection,
  _ points_px: UnsafePointer<Double>!, _ count: Int, _ out_lon_lat: UnsafeMutablePointer<Double>!,
  _ out_on_surface: UnsafeMutablePointer<UInt8>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let view = try view(camera, size, projection)
    let points = try pairs(points_px, count, "points_px")
    if count == 0 { return }
    let out = try required(out_lon_lat, "out_lon_lat")
    for index in 0..<count {
      let (place, isOnSurface) = try view.place(at: SIMD2(points[2 * index], points[2 * index + 1]))
      (out[2 * index], out[2 * index + 1]) = (place?.lon ?? .nan, place?.lat ?? .nan)
      if let out_on_surface { out_on_surface[index] = isOnSurface ? 1 : 0 }
    }
  }
}

@c @implementation
public func neat_camera_view_bounds(
  _ camera: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!, _ projection: neat_projection,
  _ wrap: Int32, _ out_bounds: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try required(out_bounds, "out_bounds")
    var box = try view(camera, size, projection).bounds()
    if wrap != 0 { box = box.wrapped }
    (out[0], out[1], out[2], out[3]) = (box.west, box.south, box.east, box.north)
  }
}

func fitOptions(_ given: UnsafePointer<neat_fit_options>?) throws(NeatError) -> FitOptions {
  var options = FitOptions()
  guard let given = try received(given) else { return options }
  if given.has_max_zoom != 0 { options.maxZoom = given.max_zoom }
  options.padding = EdgeInsets(
    top: given.padding_top_px, left: given.padding_left_px, bottom: given.padding_bottom_px,
    right: given.padding_right_px)
  options.offset = SIMD2(given.offset_x_px, given.offset_y_px)
  options.projection = try mapProjection(given.projection)
  return options
}

@c @implementation
public func neat_camera_fit_bounds_with(
  _ camera: UnsafeMutablePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ options: UnsafePointer<neat_fit_options>!, _ west_deg: Double, _ south_deg: Double, _ east_deg: Double,
  _ north_deg: Double
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try Receiver(camera, "camera")
    let given = try NeatABI.camera(try required(try received(UnsafePointer(camera)), "camera"))
    out.fill(
      neat_camera(
        try given.fitting(
          ViewBounds(west: west_deg, south: south_deg, east: east_deg, north: north_deg),
          size: try viewSize(size), options: try fitOptions(options))))
  }
}

@c @implementation
public func neat_camera_fit_points(
  _ camera: UnsafeMutablePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ options: UnsafePointer<neat_fit_options>!, _ lon_lat: UnsafePointer<Double>!, _ count: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try Receiver(camera, "camera")
    let given = try NeatABI.camera(try required(try received(UnsafePointer(camera)), "camera"))
    let numbers = try pairs(lon_lat, count, "lon_lat")
    // Each place is a point of the plane, and on a globe two of space.
    try ProcessMemory.require(count * (16 + 32 * 3), for: "a copy of lon_lat")
    let places = (0..<count).map { LonLat(numbers[2 * $0], numbers[2 * $0 + 1]) }
    out.fill(
      neat_camera(try given.fitting(places, size: try viewSize(size), options: try fitOptions(options))))
  }
}
