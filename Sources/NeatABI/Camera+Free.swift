import CNeatline
import NeatBase
import NeatCamera
import NeatLive

extension neat_free_camera {
  fileprivate var free: FreeCamera {
    FreeCamera(position: SIMD3(x, y, z), orientation: SIMD4(qx, qy, qz, qw))
  }

  /// `struct_size` is the caller's matter.
  fileprivate init(_ free: FreeCamera) {
    self.init()
    (x, y, z) = (free.position.x, free.position.y, free.position.z)
    (qx, qy, qz, qw) = (free.orientation.x, free.orientation.y, free.orientation.z, free.orientation.w)
  }
}

@c @implementation
public func neat_camera_to_free(
  _ camera: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ out_free: UnsafeMutablePointer<neat_free_camera>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try Receiver(out_free, "out_free")
    let given = try NeatABI.camera(try required(try received(camera), "camera"))
    out.fill(neat_free_camera(try FreeCamera(given, size: try viewSize(size))))
  }
}

@c @implementation
public func neat_camera_from_free(
  _ camera: UnsafeMutablePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ free: UnsafePointer<neat_free_camera>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try Receiver(camera, "camera")
    let given = try NeatABI.camera(try required(try received(UnsafePointer(camera)), "camera"))
    let eye = try required(try received(free), "free").free
    out.fill(neat_camera(try eye.camera(like: given, size: try viewSize(size))))
  }
}

@c @implementation
public func neat_free_camera_look_at(
  _ free: UnsafeMutablePointer<neat_free_camera>!, _ lon_deg: Double, _ lat_deg: Double, _ altitude_m: Double
) -> neat_status {
  attempt { () throws(NeatError) in
    let out = try Receiver(free, "free")
    var eye = try required(try received(UnsafePointer(free)), "free").free
    try eye.look(at: LonLat(lon_deg, lat_deg), altitude: altitude_m)
    out.fill(neat_free_camera(eye))
  }
}

@c @implementation
public func neat_map_elevation(
  _ map: OpaquePointer!, _ lon_deg: Double, _ lat_deg: Double, _ out_m: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let out = try required(out_m, "out_m")
    let place = try CameraView.checked(LonLat(lon_deg, lat_deg))
    guard let metres = try map.loadedCore().elevation(at: place) else {
      throw NeatError(.notFound, "no elevations are loaded at (\(lon_deg), \(lat_deg))")
    }
    out.pointee = metres
  }
}
