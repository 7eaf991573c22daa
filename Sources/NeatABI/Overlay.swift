import CNeatline
import NeatBase
import NeatLive
import NeatMap

final class OverlayHandle {
  var overlay: Overlay
  init(_ overlay: Overlay) { self.overlay = overlay }
}

@c @implementation
public func neat_overlay_create(
  _ json: UnsafePointer<CChar>!, _ json_size: Int, _ out_overlay: OutHandle!
) -> neat_status {
  produce(out_overlay) { () throws(NeatError) in
    OverlayHandle(try Overlay(parsing: try bytes(json, json_size, "json")))
  }
}

@c @implementation
public func neat_overlay_destroy(_ overlay: OpaquePointer!) { Handle.destroy(overlay, OverlayHandle.self) }

@c @implementation
public func neat_overlay_add_image(
  _ overlay: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_size: Int, _ image: OpaquePointer!,
  _ pixel_ratio: Double, _ is_sdf: UInt32
) -> neat_status {
  attempt { () throws(NeatError) in
    let target: OverlayHandle = Handle.object(try required(overlay, "overlay"))
    let picture: ImageHandle = Handle.object(try required(image, "image"))
    try target.overlay.addImage(
      StyleImage(
        name: try text(name, name_size, "name"), picture.pixelImage, pixelRatio: pixel_ratio,
        isSDF: is_sdf != 0))
  }
}

@c @implementation
public func neat_overlay_bounds(
  _ overlay: OpaquePointer!, _ out_west_deg: UnsafeMutablePointer<Double>!,
  _ out_south_deg: UnsafeMutablePointer<Double>!, _ out_east_deg: UnsafeMutablePointer<Double>!,
  _ out_north_deg: UnsafeMutablePointer<Double>!
) -> neat_status {
  attempt { () throws(NeatError) in
    let target: OverlayHandle = Handle.object(try required(overlay, "overlay"))
    let out = (
      try required(out_west_deg, "out_west_deg"), try required(out_south_deg, "out_south_deg"),
      try required(out_east_deg, "out_east_deg"), try required(out_north_deg, "out_north_deg")
    )
    guard let box = try target.overlay.extent() else {
      throw NeatError(.notFound, "the overlay holds no GeoJSON with a place")
    }
    (out.0.pointee, out.1.pointee, out.2.pointee, out.3.pointee) = (box.west, box.south, box.east, box.north)
  }
}

/// NULL: nothing besides the map.
private func pictureOptions(_ given: UnsafePointer<neat_picture_options>?) throws(NeatError) -> (
  PictureOptions, UInt32
) {
  var result = PictureOptions()
  guard let given = try received(given) else { return (result, 0) }
  if let pointer = given.overlay {
    result.overlay = Handle.object(pointer, as: OverlayHandle.self).overlay
  }
  result.ornaments = try ornaments(of: given)
  guard given.label_margin_px <= PictureOptions.labelMarginLimit else {
    throw NeatError(
      .invalidArgument,
      "label_margin_px \(given.label_margin_px) is not within 0...\(PictureOptions.labelMarginLimit)")
  }
  result.labelMargin = Int(given.label_margin_px)
  result.debug = try debugOptions(given.debug, "debug")
  return (result, given.deadline_ms)
}

@c @implementation
public func neat_renderer_draw_with(
  _ renderer: OpaquePointer!, _ camera: UnsafePointer<neat_camera>!, _ size: UnsafePointer<neat_size>!,
  _ options: UnsafePointer<neat_picture_options>!, _ out_image: OutHandle!
) -> neat_status {
  produce(out_image) { () throws(NeatError) in
    let renderer = try NeatABI.renderer(renderer)
    let view = try NeatABI.camera(camera, style: renderer.styleCamera)
    let (options, milliseconds) = try pictureOptions(options)
    return ImageHandle(
      try renderer.draw(view, try viewSize(size), options, deadline: deadline(milliseconds)),
      renderer.environment.pictureThreads)
  }
}
