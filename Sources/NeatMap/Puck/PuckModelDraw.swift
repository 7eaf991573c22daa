import NeatBase
import NeatCamera
import NeatJSON
import NeatRaster
import NeatStyle

/// A model that stands where the user is, and how.
package struct PuckModelOptions: Sendable {
  package enum ScaleMode: String, Sendable, CaseIterable {
    /// A unit of the model is a logical pixel, at any zoom.
    case viewport
    /// A unit of the model is a metre.
    case map
  }

  package var scale = PuckScale.one
  package var scaleMode = ScaleMode.viewport
  /// Degrees about the axes to the east, to the south and upwards, before the puck's bearing.
  package var rotation = SIMD3(0.0, 0.0, 0.0)

  package init() {}
}

/// A model that was read, shared by all frames.
package final class PuckModelHolder: Sendable {
  let model: PuckModel

  /// Throws `invalidArgument` for what is no glTF, `unsupported` for what needs more than positions, normals and base
  /// colours, `limitExceeded` past 64 MiB, 500,000 corners and 1,000,000 triangles.
  package init(_ bytes: [UInt8]) throws(NeatError) { model = try GLTFReader.read(bytes) }

  /// Bytes of the model.
  package var byteCount: Int {
    model.corners.heldBytes + model.indices.heldBytes + model.colors.heldBytes
  }

  package var triangleCount: Int { model.indices.count / 3 }
}

extension FrameBuilder {
  /// The model of a puck, by the pipeline of extrusions: what stands before it hides it.
  mutating func addPuckModel(_ scene: PuckScene, _ model: PuckModel) {
    let options = scene.puck.model
    guard let matrix = modelMatrix(scene, options) else { return }
    let opacity = Float(CameraRange.hold(scene.puck.opacity, 0...1))
    guard opacity > 0 else { return }
    var draw = ExtrusionDraw(opacity: opacity)
    let (light, turn) = (extrusionLight(), modelTurn(scene, options))
    draw.vertices.reserveCapacity(model.corners.count)
    var rows = (top: Float.infinity, bottom: -Float.infinity)
    for corner in model.corners {
      let p = corner.position
      let place = SIMD4<Float>(matrix * SIMD4(Double(p.x), Double(p.y), Double(p.z), 1))
      let n = corner.normal
      let turned = turn * SIMD4(Double(n.x), Double(n.y), Double(n.z), 0)
      // Towards the inside, as the formulas of the light have it for walls; roofs look up.
      let normal = SIMD3(Float(-turned.x), Float(-turned.y), Float(max(turned.z, 0)))
      let color = light.shade(
        model.colors[Int(corner.color)], normal: normal, base: 0, height: 0, isTop: true, hasGradient: false)
      draw.vertices.append(DepthVertex(position: place, color: SIMD4(color, 1)))
      guard place.w > 1e-4 else {
        rows = (-.infinity, .infinity)
        continue
      }
      rows = (min(rows.top, place.y / place.w - 1), max(rows.bottom, place.y / place.w + 1))
    }
    draw.triangles = model.indices
    draw.pieces = [
      ExtrusionDraw.Piece(triangles: 0..<model.indices.count, top: rows.top, bottom: rows.bottom)
    ]
    draw.isCulled = false
    commands.append(.extrusion(draw))
  }

  /// How a model is turned: x east, y south, z up.
  private func modelTurn(_ scene: PuckScene, _ options: PuckModelOptions) -> Matrix4 {
    let r = options.rotation * .pi / 180
    var turn = Matrix4.identity.rotatedZ(scene.bearing * .pi / 180 + r.z).rotatedX(r.x)
    let (s, c) = (sin(r.y), cos(r.y))
    turn =
      turn * Matrix4(columns: (SIMD4(c, 0, -s, 0), SIMD4(0, 1, 0, 0), SIMD4(s, 0, c, 0), SIMD4(0, 0, 0, 1)))
    return turn
  }

  /// Units of a model to device pixels; nil behind the eye.
  private func modelMatrix(_ scene: PuckScene, _ options: PuckModelOptions) -> Matrix4? {
    let place = PuckGeometry.place(scene.location.place, transform)
    let scale = options.scale.value(zoom: transform.camera.zoom, evaluator)
    guard scale > 0, place.depth > 0 else { return nil }
    let unit: Double =
      switch options.scaleMode {
      case .viewport: place.unit
      case .map:
        1 / Ground.metresPerPixel(latitude: scene.location.place.lat, zoom: transform.camera.zoom)
      }
    let size = scale * unit
    guard size.isFinite, size < 1e9 else { return nil }
    return place.matrix.scaled(size, size, size) * modelTurn(scene, options)
  }
}
