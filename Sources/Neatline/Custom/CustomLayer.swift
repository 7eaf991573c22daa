import CNeatline

/// Draws a layer of the host's own, with the functions of version 10 of the mobile SDKs. All of them are called on the
/// map's thread, and may call any function of the map but `draw` and `frame`; they may remove the layer, set another
/// style, or let go of the map.
public protocol CustomLayerHost: AnyObject {
  /// The layer is to be drawn for the first time. Where it throws, the layer is not drawn; that is a problem of the map
  /// and part of each picture's report.
  func renderingWillStart() throws
  /// Draws the layer: once for each picture and each frame that the host takes and the layer is visible in, between
  /// what lies below and above it. What it throws is a problem of the map and part of the report; the rest of the
  /// picture is drawn all the same.
  func render(_ parameters: CustomLayerRenderParameters, on target: CustomLayerTarget) throws
  /// The layer has gone: it was removed, its style was, or the map ends. Called once, where `renderingWillStart` was
  /// called and did not throw.
  func renderingWillEnd()
}

extension CustomLayerHost {
  /// Nothing.
  public func renderingWillStart() throws {}
  /// Nothing.
  public func renderingWillEnd() {}
}

/// The view that a custom layer is drawn in.
public struct CustomLayerRenderParameters: Hashable, Sendable {
  /// Logical pixels.
  public var width: Int
  /// Logical pixels.
  public var height: Int
  /// Device pixels per logical pixel.
  public var pixelRatio: Double
  /// The latitude of the camera's centre, in degrees.
  public var latitude: Double
  /// The longitude of the camera's centre, in degrees.
  public var longitude: Double
  /// The camera's zoom.
  public var zoom: Double
  /// Degrees clockwise from north.
  public var bearing: Double
  /// Degrees from straight down.
  public var pitch: Double
  /// Degrees from the top of the view to its bottom.
  public var fieldOfView: Double
  /// Mercator's world to clip space, column by column: x and y from 0 in the north-west to 1 in the south-east, heights
  /// in the same units; clip space has y up, and z from -1 to 1.
  public var projectionMatrix: [Double]

  init(_ view: neat_custom_view) {
    (width, height) = (Int(view.size.pointee.width_px), Int(view.size.pointee.height_px))
    pixelRatio = view.pixel_ratio
    let camera = view.camera.pointee
    (latitude, longitude, zoom) = (camera.lat_deg, camera.lon_deg, camera.zoom)
    (bearing, pitch, fieldOfView) = (camera.bearing_deg, camera.pitch_deg, camera.fov_deg)
    projectionMatrix = withUnsafeBytes(of: view.matrix) { Array($0.bindMemory(to: Double.self)) }
  }
}

/// What a custom layer is drawn on. Only within `render`.
public struct CustomLayerTarget {
  /// A picture's pixels, as far as it is drawn.
  public struct Pixels {
    /// Red, green, blue and alpha, 8 bits each, premultiplied, rows from the top. Nobody else writes meanwhile.
    public let bytes: UnsafeMutableRawBufferPointer
    /// Device pixels.
    public let width: Int
    /// Device pixels.
    public let height: Int
    /// From a row to the next.
    public let bytesPerRow: Int
  }

  /// Units of vertices.
  public enum Units: UInt32, Sendable {
    /// x and y of Mercator's world, 0 to 1 from the north-west; z in the same units.
    case mercator = 0
    /// Longitude and latitude in degrees; z in metres.
    case degrees = 1
  }

  /// A corner of a triangle.
  public struct Vertex: Hashable, Sendable {
    /// The place.
    public var position: SIMD3<Double>
    /// Red, green, blue and alpha, 0 to 1, premultiplied.
    public var color: SIMD4<Float>

    /// A corner at a place, with a premultiplied colour.
    public init(_ position: SIMD3<Double>, color: SIMD4<Float>) {
      (self.position, self.color) = (position, color)
    }

    fileprivate var raw: neat_custom_vertex {
      let (p, c) = (position, color)
      return neat_custom_vertex(x: p.x, y: p.y, z: p.z, color: (c.x, c.y, c.z, c.w))
    }
  }

  private let pointer: OpaquePointer
  /// The picture's; nil where a frame for a GPU is drawn.
  public let pixels: Pixels?

  init(_ view: neat_custom_view) {
    pointer = view.target
    let (width, height) = (Int(view.width_px), Int(view.height_px))
    pixels = view.pixels.map { pixels in
      Pixels(
        bytes: UnsafeMutableRawBufferPointer(start: pixels, count: view.stride * height), width: width,
        height: height, bytesPerRow: view.stride)
    }
  }

  /// Draws triangles, three indices each, the later over the earlier: on pixels with smooth edges, in a frame as a
  /// command of its own. Throws `invalidArgument` for an index past the vertices and for numbers that are not finite,
  /// `limitExceeded` past 4,194,304 vertices or 12,582,912 indices.
  public func drawTriangles(_ vertices: [Vertex], indices: [UInt32], in units: Units = .mercator)
    throws(NeatlineError)
  {
    let corners = vertices.map(\.raw)
    let units = neat_custom_units(rawValue: units.rawValue)
    try check(neat_custom_draw_triangles(pointer, units, corners, corners.count, indices, indices.count))
  }

  /// Which faces of solid triangles are drawn.
  public enum Faces: UInt32, Sendable {
    /// Both.
    case both = 0
    /// Those whose corners run counterclockwise where they are seen.
    case front = 1
  }

  /// Draws triangles that stand in the scene: the nearest shows, and by their depth they hide, and are hidden by,
  /// extrusions, the ground of a terrain, the globe, and what other custom layers draw this way. On a globe their corners
  /// lie on it. Throws as `drawTriangles` does.
  public func drawSolid(
    _ vertices: [Vertex], indices: [UInt32], in units: Units = .mercator, faces: Faces = .both
  ) throws(NeatlineError) {
    let corners = vertices.map(\.raw)
    try check(
      neat_custom_draw_solid(
        pointer, neat_custom_units(rawValue: units.rawValue), neat_custom_faces(rawValue: faces.rawValue),
        corners, corners.count, indices, indices.count))
  }
}

/// What the library calls for a layer.
private final class CustomLayerBridge {
  let host: any CustomLayerHost

  init(_ host: any CustomLayerHost) { self.host = host }

  static func at(_ context: UnsafeMutableRawPointer?) -> CustomLayerBridge? {
    context.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs a host's function; what it throws goes to the library.
  static func run(
    _ context: UnsafeMutableRawPointer?, _ message: UnsafeMutablePointer<CChar>?, _ size: Int,
    _ body: (any CustomLayerHost) throws -> Void
  ) -> neat_status {
    // Held for the call: it may remove the layer.
    guard let bridge = at(context) else { return NEAT_STATUS_STATE }
    do {
      try body(bridge.host)
      return NEAT_STATUS_OK
    } catch {
      let known = error as? NeatlineError
      let words = known?.message ?? String(describing: error)
      if let message {
        for (place, byte) in words.utf8.prefix(size - 1).enumerated() {
          message[place] = CChar(bitPattern: byte)
        }
      }
      guard let known, known.status != .unknown else { return NEAT_STATUS_STATE }
      return neat_status(rawValue: known.status.rawValue)
    }
  }
}

extension MapStyle {
  /// Adds a layer that the host draws, of type `custom`: it is shown, hidden, moved and removed as any other, and hit by
  /// no query. The style's JSON does not have it, and another style neither. Throws `invalidArgument` for an id that is
  /// empty or taken, `notFound` for a position that the style does not have, `state` where there is no style.
  public func addCustomLayer(
    withId id: String, layerHost: any CustomLayerHost, layerPosition: LayerPosition = .default
  ) throws(NeatlineError) {
    try add(id, layerHost, layerPosition, isPersistent: false)
  }

  /// Adds such a layer that every later style has too; also before there is one.
  public func addPersistentCustomLayer(
    withId id: String, layerHost: any CustomLayerHost, layerPosition: LayerPosition = .default
  ) throws(NeatlineError) {
    try add(id, layerHost, layerPosition, isPersistent: true)
  }

  private func add(
    _ id: String, _ host: any CustomLayerHost, _ place: LayerPosition, isPersistent: Bool
  ) throws(NeatlineError) {
    let context = Unmanaged.passRetained(CustomLayerBridge(host))
    var layer = neat_custom_layer()
    layer.struct_size = UInt32(MemoryLayout<neat_custom_layer>.size)
    layer.is_persistent = isPersistent ? 1 : 0
    layer.context = context.toOpaque()
    layer.initialize = { CustomLayerBridge.run($0, $1, $2) { try $0.renderingWillStart() } }
    layer.render = { context, view, message, size in
      guard let view = view?.pointee else { return NEAT_STATUS_STATE }
      return CustomLayerBridge.run(context, message, size) { host in
        try host.render(CustomLayerRenderParameters(view), on: CustomLayerTarget(view))
      }
    }
    layer.deinitialize = { CustomLayerBridge.at($0)?.host.renderingWillEnd() }
    layer.destroy = { context in
      if let context { Unmanaged<CustomLayerBridge>.fromOpaque(context).release() }
    }
    let position = place.json?.text ?? ""
    do throws(NeatlineError) {
      try check(
        id.withText { id, size in
          position.withText { neat_map_add_custom_layer(map.pointer, id, size, $0, $1, &layer) }
        })
    } catch {
      context.release()
      throw error
    }
  }
}

extension Map {
  /// Makes another frame due: something that the map cannot see has changed, as what a custom layer draws. Throws
  /// `state` where there is no style.
  public func triggerRepaint() throws(NeatlineError) { try check(neat_map_trigger_repaint(pointer)) }
}
