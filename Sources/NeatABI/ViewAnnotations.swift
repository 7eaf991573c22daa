import CNeatline
import NeatBase
import NeatCamera
import NeatJSON
import NeatLive
import NeatMap

private func json(_ text: UnsafePointer<CChar>?, _ size: Int, _ name: String) throws(NeatError) -> JSON {
  try JSON.parse(try bytes(text, size, name))
}

@c @implementation
public func neat_map_add_view_annotation(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ options: UnsafePointer<CChar>!,
  _ options_size: Int, _ out_number: UnsafeMutablePointer<UInt64>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let number = try map.addViewAnnotation(
      id: try text(id, id_size, "id"), try json(options, options_size, "options"))
    if let out_number { out_number.pointee = number }
  }
}

@c @implementation
public func neat_map_update_view_annotation(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ options: UnsafePointer<CChar>!,
  _ options_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.updateViewAnnotation(
      id: try text(id, id_size, "id"), try json(options, options_size, "options"))
  }
}

@c @implementation
public func neat_map_remove_view_annotation(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in try map.removeViewAnnotation(id: try text(id, id_size, "id")) }
}

@c @implementation
public func neat_map_remove_view_annotations(_ map: OpaquePointer!) -> neat_status {
  attempt(map) { map in map.removeAllViewAnnotations() }
}

@c @implementation
public func neat_map_view_annotation(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    Buffer(Array(try map.viewAnnotation(try text(id, id_size, "id")).json.text.utf8))
  }
}

@c @implementation
public func neat_map_view_annotations(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    Buffer(Array(JSON.array(map.viewAnnotations.map(\.json)).text.utf8))
  }
}

@c @implementation
public func neat_map_view_annotation_placements(
  _ map: OpaquePointer!, _ placements: UnsafeMutablePointer<neat_view_annotation_placement>!,
  _ capacity: Int, _ out_count: UnsafeMutablePointer<Int>!, _ out_change: UnsafeMutablePointer<UInt64>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let out_count = try required(out_count, "out_count")
    // A size_t past what Swift's integers hold is as good as all.
    let capacity = capacity < 0 ? .max : capacity
    guard capacity == 0 || placements != nil else {
      throw NeatError(.invalidArgument, "placements is NULL and has room for \(capacity)")
    }
    var count = 0
    map.forEachViewPlacement { placement in
      if count < capacity { placements[count] = neat_view_annotation_placement(placement) }
      count += 1
    }
    out_count.pointee = count
    if let out_change { out_change.pointee = map.viewAnnotationChange }
  }
}

@c @implementation
public func neat_map_fit_view_annotations(
  _ map: OpaquePointer!, _ ids: UnsafePointer<CChar>!, _ ids_size: Int,
  _ options: UnsafePointer<neat_fit_options>!, _ camera: UnsafeMutablePointer<neat_camera>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let out = try Receiver(camera, "camera")
    let given = try NeatABI.camera(try required(try received(UnsafePointer(camera)), "camera"))
    let fitted = try map.camera(
      forViewAnnotations: ids_size == 0 ? nil : try list(json(ids, ids_size, "ids")), from: given,
      options: try fitOptions(options))
    out.fill(neat_camera(fitted))
  }
}

private func list(_ ids: JSON) throws(NeatError) -> [String] {
  guard ids.isArray, ids.count <= ViewAnnotationStore.limit else {
    throw NeatError(
      .invalidArgument, "ids are an array of at most \(ViewAnnotationStore.limit)", offset: ids.offset)
  }
  var list: [String] = []
  for id in ids.elements {
    guard let name = id.string else {
      throw NeatError(.invalidArgument, "an id is no text", offset: id.offset)
    }
    list.append(name)
  }
  return list
}

extension neat_view_annotation_placement {
  init(_ placement: ViewPlacement) {
    self.init(
      number: placement.number, x_px: placement.origin.x, y_px: placement.origin.y,
      width_px: placement.size.x, height_px: placement.size.y,
      state: neat_view_annotation_state(rawValue: placement.state.rawValue),
      is_selected: placement.isSelected ? 1 : 0, frame_change: placement.frameChange,
      visibility_change: placement.visibilityChange)
  }
}
