import CNeatline
import NeatBase
import NeatCamera
import NeatJSON
import NeatLive
import NeatMap

extension neat_custom_layer: GrowingStruct {
  static var structName: String { "neat_custom_layer" }
  static var firstSize: Int { 48 }
}

/// Bytes of the words of a host's failure.
private let messageSize = 512

/// Calls a host's callback that may fail.
private func checked(
  _ what: String, _ call: (UnsafeMutablePointer<CChar>, Int) -> neat_status
) throws(NeatError) {
  let fault = withUnsafeTemporaryAllocation(of: CChar.self, capacity: messageSize) { words -> NeatError? in
    words.initialize(repeating: 0)
    guard let base = words.baseAddress else { return nil }
    let status = call(base, messageSize)
    guard status != NEAT_STATUS_OK else { return nil }
    // The host may have filled all of it.
    words[messageSize - 1] = 0
    let message = String(cString: base)
    let code = ErrorCode(rawValue: Int32(truncatingIfNeeded: status.rawValue)) ?? .state
    return NeatError(code, message.isEmpty ? "the host does not say why \(what) failed" : message)
  }
  if let fault { throw fault }
}

/// Shows a host what it draws on, for the time of a call.
private func shown<T>(
  _ target: CustomTarget, _ view: Transform, _ body: (UnsafePointer<neat_custom_view>) -> T
)
  -> T
{
  var shown = neat_custom_view()
  shown.struct_size = UInt32(MemoryLayout<neat_custom_view>.size)
  (shown.width_px, shown.height_px) = (UInt32(view.size.deviceWidth), UInt32(view.size.deviceHeight))
  shown.pixel_ratio = view.size.pixelRatio
  switch target.surface {
  case .pixels(let bitmap, _, _):
    shown.surface = NEAT_CUSTOM_SURFACE_PIXELS
    shown.pixels = UnsafeMutableRawPointer(bitmap.pixels).assumingMemoryBound(to: UInt8.self)
    shown.stride = bitmap.width * 4
  case .frame: shown.surface = NEAT_CUSTOM_SURFACE_FRAME
  }
  let columns = view.mercatorMatrix.columns
  withUnsafeMutableBytes(of: &shown.matrix) { bytes in
    withUnsafeBytes(of: columns) { bytes.copyMemory(from: $0) }
  }
  shown.target = OpaquePointer(Unmanaged.passUnretained(target).toOpaque())
  var camera = neat_camera(view.camera)
  var size = neat_size()
  size.struct_size = UInt32(MemoryLayout<neat_size>.size)
  (size.width_px, size.height_px) = (UInt32(view.size.width), UInt32(view.size.height))
  size.pixel_ratio = view.size.pixelRatio
  camera.struct_size = UInt32(MemoryLayout<neat_camera>.size)
  return withUnsafePointer(to: camera) { camera in
    withUnsafePointer(to: size) { size in
      (shown.camera, shown.size) = (camera, size)
      return withUnsafePointer(to: shown, body)
    }
  }
}

@c @implementation
public func neat_map_add_custom_layer(
  _ map: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_size: Int, _ position: UnsafePointer<CChar>!,
  _ position_size: Int, _ layer: UnsafePointer<neat_custom_layer>!
) -> neat_status {
  attempt(map) { map throws(NeatError) in
    let given = try required(try received(layer), "layer")
    guard let render = given.render else { throw NeatError(.invalidArgument, "layer->render is NULL") }
    let context = given.context
    let position = try bytes(position, position_size, "position")
    let host = CustomLayerHost(
      initialize: { () throws(NeatError) in
        guard let initialize = given.initialize else { return }
        try checked("initialize") { initialize(context, $0, $1) }
      },
      render: { target throws(NeatError) in
        guard let view = target.view else { return }
        try checked("render") { words, size in
          shown(target, view) { render(context, $0, words, size) }
        }
      }, deinitialize: { given.deinitialize?(context) }, release: { given.destroy?(context) })
    try map.addCustomLayer(
      try text(id, id_size, "id"),
      position.isEmpty ? .top : try AnnotationOptions.Position(try JSON.parse(position)),
      isPersistent: given.is_persistent != 0, host)
  }
}

@c @implementation
public func neat_custom_draw_triangles(
  _ target: OpaquePointer!, _ units: neat_custom_units, _ vertices: UnsafePointer<neat_custom_vertex>!,
  _ vertex_count: Int, _ indices: UnsafePointer<UInt32>!, _ index_count: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let target: CustomTarget = Handle.object(try required(target, "target"))
    let (corners, order) = try triangles(units, vertices, vertex_count, indices, index_count)
    try target.draw(corners, order)
  }
}

@c @implementation
public func neat_custom_draw_solid(
  _ target: OpaquePointer!, _ units: neat_custom_units, _ faces: neat_custom_faces,
  _ vertices: UnsafePointer<neat_custom_vertex>!, _ vertex_count: Int, _ indices: UnsafePointer<UInt32>!,
  _ index_count: Int
) -> neat_status {
  attempt { () throws(NeatError) in
    let target: CustomTarget = Handle.object(try required(target, "target"))
    guard faces == NEAT_CUSTOM_FACES_BOTH || faces == NEAT_CUSTOM_FACES_FRONT else {
      throw NeatError(.invalidArgument, "no faces have the number \(faces.rawValue)")
    }
    let (corners, order) = try triangles(units, vertices, vertex_count, indices, index_count)
    try target.drawSolid(corners, order, isCulled: faces == NEAT_CUSTOM_FACES_FRONT)
  }
}

/// What a host gives to be drawn, copied.
private func triangles(
  _ units: neat_custom_units, _ vertices: UnsafePointer<neat_custom_vertex>?, _ vertexCount: Int,
  _ indices: UnsafePointer<UInt32>?, _ indexCount: Int
) throws(NeatError) -> ([CustomVertex], [UInt32]) {
  // Before anything of that size is made.
  guard (0...CustomTarget.vertexLimit).contains(vertexCount),
    (0...CustomTarget.indexLimit).contains(indexCount)
  else {
    throw NeatError(
      .limitExceeded,
      "\(UInt(bitPattern: vertexCount)) vertices and \(UInt(bitPattern: indexCount)) indices: at most "
        + "\(CustomTarget.vertexLimit) and \(CustomTarget.indexLimit) in one call")
  }
  guard vertexCount == 0 || vertices != nil else { throw NeatError(.invalidArgument, "vertices is NULL") }
  guard indexCount == 0 || indices != nil else { throw NeatError(.invalidArgument, "indices is NULL") }
  try ProcessMemory.require(
    vertexCount * 136 + indexCount * 80, for: "triangles of \(vertexCount) vertices")
  guard units == NEAT_CUSTOM_UNITS_MERCATOR || units == NEAT_CUSTOM_UNITS_DEGREES else {
    throw NeatError(.invalidArgument, "no units have the number \(units.rawValue)")
  }
  let corners = UnsafeBufferPointer(start: vertices, count: vertexCount).map { vertex in
    let color = SIMD4(vertex.color.0, vertex.color.1, vertex.color.2, vertex.color.3)
    return units == NEAT_CUSTOM_UNITS_DEGREES
      ? CustomVertex(LonLat(vertex.x, vertex.y), height: vertex.z, color)
      : CustomVertex(SIMD3(vertex.x, vertex.y, vertex.z), color)
  }
  return (corners, Array(UnsafeBufferPointer(start: indices, count: indexCount)))
}

@c @implementation
public func neat_map_trigger_repaint(_ map: OpaquePointer!) -> neat_status {
  attempt(map) { map throws(NeatError) in
    _ = try map.loadedCore()
    map.invalidate()
  }
}
