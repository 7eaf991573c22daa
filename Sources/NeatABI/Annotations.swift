import CNeatline
import NeatBase
import NeatJSON
import NeatLive
import NeatMap

private func kind(_ given: neat_annotation_kind) throws(NeatError) -> AnnotationKind {
  guard let kind = AnnotationKind(rawValue: UInt32(given.rawValue)) else {
    throw NeatError(.invalidArgument, "no kind of annotations has the number \(given.rawValue)")
  }
  return kind
}

private func options(_ text: UnsafePointer<CChar>?, _ size: Int, _ kind: AnnotationKind) throws(NeatError)
  -> AnnotationOptions
{
  let bytes = try bytes(text, size, "options")
  return bytes.isEmpty ? AnnotationOptions() : try AnnotationOptions(try JSON.parse(bytes), kind)
}

@c @implementation
public func neat_map_make_annotations(
  _ map: OpaquePointer!, _ manager: UnsafePointer<CChar>!, _ manager_size: Int, _ kind: neat_annotation_kind,
  _ options: UnsafePointer<CChar>!, _ options_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let kind = try NeatABI.kind(kind)
    try map.makeAnnotations(
      id: try text(manager, manager_size, "manager"), kind,
      try NeatABI.options(options, options_size, kind))
  }
}

@c @implementation
public func neat_map_set_annotation_options(
  _ map: OpaquePointer!, _ manager: UnsafePointer<CChar>!, _ manager_size: Int,
  _ options: UnsafePointer<CChar>!, _ options_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let manager = try text(manager, manager_size, "manager")
    let kind = try map.annotationManager(manager).kind
    let options = try NeatABI.options(options, options_size, kind)
    try map.changeAnnotations(manager) { store in store.setOptions(options) }
  }
}

@c @implementation
public func neat_map_remove_annotations(
  _ map: OpaquePointer!, _ manager: UnsafePointer<CChar>!, _ manager_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.removeAnnotations(id: try text(manager, manager_size, "manager"))
  }
}

@c @implementation
public func neat_map_change_annotations(
  _ map: OpaquePointer!, _ manager: UnsafePointer<CChar>!, _ manager_size: Int,
  _ change: neat_annotation_change,
  _ json: UnsafePointer<CChar>!, _ json_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let manager = try text(manager, manager_size, "manager")
    let json = try JSON.parse(try bytes(json, json_size, "json"))
    try map.changeAnnotations(manager) { store throws(NeatError) in
      switch change {
      case NEAT_ANNOTATION_CHANGE_SET: try store.set(json)
      case NEAT_ANNOTATION_CHANGE_ADD: try store.add(json)
      case NEAT_ANNOTATION_CHANGE_UPDATE: try store.update(json)
      case NEAT_ANNOTATION_CHANGE_REMOVE: try store.remove(json)
      default:
        throw NeatError(.invalidArgument, "no change of annotations has the number \(change.rawValue)")
      }
    }
  }
}

@c @implementation
public func neat_map_annotations(
  _ map: OpaquePointer!, _ manager: UnsafePointer<CChar>!, _ manager_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    Buffer(try map.annotationManager(try text(manager, manager_size, "manager")).json)
  }
}

@c @implementation
public func neat_map_annotation(
  _ map: OpaquePointer!, _ manager: UnsafePointer<CChar>!, _ manager_size: Int, _ id: UnsafePointer<CChar>!,
  _ id_size: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    let id = try text(id, id_size, "id")
    guard let found = try map.annotationManager(try text(manager, manager_size, "manager"))[id] else {
      throw NeatError(.notFound, "no such annotation", resource: id)
    }
    return Buffer(found.json)
  }
}

@c @implementation
public func neat_map_annotation_managers(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    Buffer(
      .array(
        map.annotationManagers.map {
          .object([
            ("id", .string($0.id)), ("kind", .string($0.kind.name)), ("count", .number(Double($0.count))),
            ("isShown", .bool(map.isShown(annotations: $0.id))),
          ])
        }))
  }
}

@c @implementation
public func neat_map_annotations_at(
  _ map: OpaquePointer!, _ x_px: Double, _ y_px: Double, _ tolerance_px: Double, _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    let hits = try map.annotations(at: SIMD2(x_px, y_px), tolerance: tolerance_px < 0 ? nil : tolerance_px)
    return Buffer(
      .array(
        hits.map { hit in
          switch hit.what {
          case .annotation(let id): .object([("manager", .string(hit.manager)), ("id", .string(id))])
          case .cluster(let id):
            .object([("manager", .string(hit.manager)), ("cluster", .number(Double(id)))])
          }
        }))
  }
}

@c @implementation
public func neat_map_annotation_cluster(
  _ map: OpaquePointer!, _ manager: UnsafePointer<CChar>!, _ manager_size: Int, _ cluster: UInt64,
  _ limit: Int,
  _ offset: Int, _ out_json: OutHandle!
) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    // A size_t past what Swift's integers hold is as good as all.
    let (limit, offset) = (limit < 0 ? .max : limit, offset < 0 ? .max : offset)
    let ids = try map.annotations(
      ofCluster: cluster, try text(manager, manager_size, "manager"), limit: limit, offset: offset)
    return Buffer(.array(ids.map { .string($0) }))
  }
}

@c @implementation
public func neat_map_select_annotation(
  _ map: OpaquePointer!, _ manager: UnsafePointer<CChar>!, _ manager_size: Int, _ id: UnsafePointer<CChar>!,
  _ id_size: Int, _ is_selected: UInt32
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    try map.selectAnnotation(
      try text(manager, manager_size, "manager"), try text(id, id_size, "id"), is_selected != 0)
  }
}

@c @implementation
public func neat_map_add_persistent_image(
  _ map: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ name_size: Int, _ image: OpaquePointer!,
  _ pixel_ratio: Double, _ is_sdf: UInt32
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let picture: ImageHandle = Handle.object(try required(image, "image"))
    try map.addImage(
      try text(name, name_size, "name"), picture.pixelImage,
      StyleImageOptions(pixelRatio: pixel_ratio, isSDF: is_sdf != 0, isPersistent: true))
  }
}

@c @implementation
public func neat_map_add_persistent_layer(
  _ map: OpaquePointer!, _ layer: UnsafePointer<CChar>!, _ layer_size: Int,
  _ position: UnsafePointer<CChar>!, _ position_size: Int
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let json = try JSON.parse(try bytes(layer, layer_size, "layer"))
    let position = try bytes(position, position_size, "position")
    try map.addPersistentLayer(
      json, position.isEmpty ? .top : try AnnotationOptions.Position(try JSON.parse(position)))
  }
}

@c @implementation
public func neat_map_persistent_layers(_ map: OpaquePointer!, _ out_json: OutHandle!) -> neat_status {
  produce(map, out_json) { map throws(NeatError) in
    Buffer(.array(map.persistentLayers.map { .string($0) }))
  }
}

extension AnnotationEvent.Kind {
  var c: neat_event_type {
    switch self {
    case .tapped: NEAT_EVENT_ANNOTATION_TAPPED
    case .longPressed: NEAT_EVENT_ANNOTATION_LONG_PRESSED
    case .selected: NEAT_EVENT_ANNOTATION_SELECTED
    case .deselected: NEAT_EVENT_ANNOTATION_DESELECTED
    case .dragBegan: NEAT_EVENT_ANNOTATION_DRAG_BEGAN
    case .dragChanged: NEAT_EVENT_ANNOTATION_DRAG_CHANGED
    case .dragEnded: NEAT_EVENT_ANNOTATION_DRAG_ENDED
    }
  }
}
