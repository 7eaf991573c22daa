import NeatBase
import NeatCamera
import NeatMesh
import NeatRaster

/// A corner of a triangle that an application draws.
package struct CustomVertex: BitwiseCopyable, Sendable {
  /// x and y of the unit square of Mercator's world, 0 in the north-west; height in the same units.
  package var position: SIMD3<Double>
  /// Premultiplied, 0 to 1.
  package var color: SIMD4<Float>

  package init(_ position: SIMD3<Double>, _ color: SIMD4<Float>) {
    (self.position, self.color) = (position, color)
  }

  /// A place in degrees, and its height in metres.
  package init(_ place: LonLat, height: Double = 0, _ color: SIMD4<Float>) {
    let metre = 1 / (Mercator.earthCircumference * cos(place.lat * .pi / 180))
    let p = Mercator.project(place)
    self.init(SIMD3(p.x, p.y, height * metre), color)
  }
}

/// Layout `custom`: a corner in a frame for a GPU.
struct CustomFrameVertex: BitwiseCopyable {
  var x: Float
  var y: Float
  var z: Float
  /// Premultiplied.
  var color: UInt32
}

/// What an application draws a layer of its own on, for the time that it draws: the pixels of a picture, or a frame for
/// a GPU. Only for the thread that made it.
package final class CustomTarget {
  package enum Surface {
    case pixels(Bitmap, Executor, CustomScene)
    /// Triangles are gathered, and go into the frame.
    case frame
  }

  /// Triangles of one call.
  package static let vertexLimit = 1 << 22
  package static let indexLimit = 3 << 22

  package private(set) var view: Transform?
  package private(set) var surface = Surface.frame
  /// Those for a frame.
  private(set) var meshes: [CustomMesh] = []

  package init() {}

  package func begin(_ view: Transform, _ surface: Surface) { (self.view, self.surface) = (view, surface) }

  /// What was drawn can be drawn no more.
  package func end() -> [CustomMesh] {
    defer { (view, surface, meshes) = (nil, .frame, []) }
    return meshes
  }

  /// Draws triangles, three indices each, one over the other. Edges are smooth on pixels; triangles that share one meet
  /// without a gap. Throws `state` where nothing is being drawn, `invalidArgument` for indices past the vertices and
  /// for numbers that are none, `limitExceeded`.
  package func draw(_ vertices: [CustomVertex], _ indices: [UInt32]) throws(NeatError) {
    let view = try checked(vertices, indices)
    guard !indices.isEmpty else { return }
    switch surface {
    case .pixels(let bitmap, let executor, _):
      let matrix = view.toScreen.scaled(view.worldSize, view.worldSize, view.worldSize)
      let seen = vertices.map { vertex in
        let p = vertex.position
        return ColorVertex(position: matrix * SIMD4(p.x, p.y, p.z, 1), color: vertex.color.held)
      }
      drawColorTriangles(seen, indices, on: bitmap, executor)
    case .frame: meshes.append(CustomMesh(vertices, indices, view, isSolid: false))
    }
  }

  /// Draws triangles that stand in the scene: the nearest shows, whatever the order, and they hide buildings, the ground
  /// of a terrain and the globe, and are hidden by them, by depth. Throws as `draw` does.
  /// - Parameter isCulled: whether triangles that run clockwise where they are seen are left out.
  package func drawSolid(_ vertices: [CustomVertex], _ indices: [UInt32], isCulled: Bool) throws(NeatError) {
    let view = try checked(vertices, indices)
    let places = vertices.map { view.solid($0.position) }
    let indices = isCulled ? CustomTarget.front(places, indices) : indices
    guard !indices.isEmpty else { return }
    switch surface {
    case .pixels(_, let executor, let scene):
      let solid = SolidTriangles(
        zip(places, vertices).map { DepthVertex(position: SIMD4<Float>($0), color: $1.color.held) }, indices,
        globe: view.ground == nil ? view.globe : nil)
      scene.draw(solid, executor)
    case .frame: meshes.append(CustomMesh(vertices, indices, view, isSolid: true))
    }
  }

  /// Triangles that run counterclockwise where they are seen. The sign of the volume between the eye and the corners
  /// tells, also of triangles that reach behind the eye.
  private static func front(_ places: [SIMD4<Double>], _ indices: [UInt32]) -> [UInt32] {
    var front: [UInt32] = []
    front.reserveCapacity(indices.count)
    for first in stride(from: 0, to: indices.count, by: 3) {
      let (a, b, c) = (
        places[Int(indices[first])], places[Int(indices[first + 1])], places[Int(indices[first + 2])]
      )
      let volume =
        a.x * (b.y * c.w - b.w * c.y) - a.y * (b.x * c.w - b.w * c.x) + a.w * (b.x * c.y - b.y * c.x)
      if volume < 0 { front += indices[first..<first + 3] }
    }
    return front
  }

  /// The view, where what is given can be drawn in it.
  private func checked(_ vertices: [CustomVertex], _ indices: [UInt32]) throws(NeatError) -> Transform {
    guard let view else { throw NeatError(.state, "the layer is not being drawn") }
    guard vertices.count <= Self.vertexLimit, indices.count <= Self.indexLimit else {
      throw NeatError(
        .limitExceeded, "more than \(Self.vertexLimit) vertices or \(Self.indexLimit) indices in one call")
    }
    guard indices.count.isMultiple(of: 3) else {
      throw NeatError(.invalidArgument, "\(indices.count) indices are no triangles")
    }
    if let wrong = indices.first(where: { $0 >= vertices.count }) {
      throw NeatError(.invalidArgument, "index \(wrong) of \(vertices.count) vertices")
    }
    // Not-a-number and infinity leave no zero.
    let odd = vertices.firstIndex { vertex in
      (vertex.position * 0).sum() != 0 || (vertex.color * 0).sum() != 0
    }
    if let odd { throw NeatError(.invalidArgument, "vertex \(odd) has a number that is not finite") }
    return view
  }
}

extension SIMD4<Float> {
  /// A premultiplied colour: no part is above its alpha.
  fileprivate var held: SIMD4<Float> {
    let alpha = Swift.min(Swift.max(w, 0), 1)
    return clamped(lowerBound: .zero, upperBound: SIMD4(repeating: alpha))
  }
}

/// Triangles of an application's in a frame for a GPU.
package struct CustomMesh: Sendable {
  let vertices: MeshBlock
  let indices: MeshBlock
  let matrix: Matrix4
  /// Whether they stand in the scene.
  let isSolid: Bool

  /// Single precision is fine enough for pixels from the camera's centre, not for the unit square.
  init(_ vertices: [CustomVertex], _ indices: [UInt32], _ view: Transform, isSolid: Bool) {
    self.isSolid = isSolid
    self.vertices = MeshBlock(
      .custom,
      vertices.map { vertex in
        let p = vertex.position * view.worldSize - SIMD3(view.center, 0)
        return CustomFrameVertex(
          x: Float(p.x), y: Float(p.y), z: Float(p.z), color: packed(vertex.color.held))
      })
    self.indices =
      vertices.count <= 1 << 16
      ? MeshBlock(.index16, indices.map { UInt16(truncatingIfNeeded: $0) }) : MeshBlock(.index32, indices)
    matrix = view.projection.translated(view.center.x, view.center.y, 0)
  }

  fileprivate func command(layer: Int, vertices place: Int, indices: Int) -> MeshCommand {
    var command = MeshCommand(isSolid ? .customSolid : .custom, layer: layer)
    command.matrix = matrix
    (command.vertices, command.indices) = (Int32(place), Int32(indices))
    (command.vertexCount, command.indexCount) = (vertices.count, self.indices.count)
    return command
  }
}

extension MeshFrame {
  /// Calls for each layer of the application's; the triangles that it gives follow the layer's place.
  package func adding(custom draw: (String) -> [CustomMesh]) -> MeshFrame {
    guard commands.contains(where: { $0.kind == .custom }) else { return self }
    var (added, buffers) = ([MeshCommand](), buffers)
    for command in commands {
      added.append(command)
      guard command.kind == .custom else { continue }
      for mesh in draw(layers[command.layer]) {
        added.append(mesh.command(layer: command.layer, vertices: buffers.count, indices: buffers.count + 1))
        buffers += [mesh.vertices, mesh.indices]
      }
    }
    return with(commands: added, buffers: buffers)
  }

  func with(
    commands: [MeshCommand], buffers: [MeshBlock], textures: [MeshTexture]? = nil, layers: [String]? = nil
  ) -> MeshFrame {
    var frame = MeshFrame(
      width: width, height: height, pixelRatio: pixelRatio, commands: commands, buffers: buffers,
      textures: textures ?? self.textures, layers: layers ?? self.layers)
    frame.isComplete = isComplete
    frame.report = report
    frame.placementNumber = placementNumber
    frame.outcome = outcome
    return frame
  }
}
