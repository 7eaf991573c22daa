import NeatBase
import NeatCamera
import NeatMesh

/// A view as a GPU draws it: commands in drawing order over buffers and textures. Immutable. `neatline.h`
/// describes every field (`neat_frame_command`).
package struct MeshFrame: Sendable {
  package let width: Int
  package let height: Int
  package let pixelRatio: Double
  /// Whether nothing that the view needs is still to come.
  package var isComplete = true
  /// What the frame has to do without.
  package var report = Report()
  /// Two frames in which the same labels stand have the same.
  package var placementNumber = 0
  /// What it leaves to the next one; nil for a frame on its own.
  package var outcome: FrameOutcome?
  package let commands: [MeshCommand]
  package let buffers: [MeshBlock]
  package let textures: [MeshTexture]
  /// Identifiers of the style's layers.
  package let layers: [String]
  /// What its buffers hold of a budget.
  var hold: MemoryHold?
  /// Why there is no memory for it; then nothing is in it.
  var failure: NeatError?

  /// The same, held of a budget for as long as the frame is there; where there is no room an empty one, whose report
  /// says so. Textures hold theirs.
  func held(_ memory: MemoryBudget) -> MeshFrame {
    var frame = self
    do throws(NeatError) {
      frame.hold = try memory.take(buffers.reduce(0) { $0 + $1.byteCount }, for: "a frame of meshes")
      return frame
    } catch {
      frame = MeshFrame(
        width: width, height: height, pixelRatio: pixelRatio, isComplete: false, report: report,
        placementNumber: placementNumber, outcome: outcome, commands: [], buffers: [], textures: [],
        layers: layers)
      frame.report.add(Missing(.style, "frame", error.code, error.message, isFailure: true))
      frame.failure = error
      return frame
    }
  }
}

package struct MeshCommand: Sendable {
  /// The numbers are those of `neat_frame_kind`.
  package enum Kind: UInt32, Sendable {
    case background = 1
    case fill = 2
    case fillOutline = 3
    case line = 4
    case circle = 5
    case icon = 6
    case text = 7
    case raster = 8
    case extrusion = 9
    case heatmap = 10
    case hillshade = 11
    case colorRelief = 12
    case unsupported = 13
    /// The place of a layer of the application's, and triangles that it draws there.
    case custom = 14
    /// Triangles of such a layer that stand in the scene.
    case customSolid = 15
  }

  /// The numbers are those of `neat_frame_texture_use`.
  package enum TextureUse: UInt32, Sendable {
    case none = 0
    case picture = 1
    case field = 2
    case pattern = 3
    case gradient = 4
  }

  package var kind: Kind
  /// The layer's place in the style; the puck's is the one after the last.
  package let layer: Int
  package var tile: OverscaledTileID?
  package var matrix = Matrix4.identity
  /// What may be drawn on, in units of the vertices: x0, y0, x1, y1.
  package var clip: SIMD4<Float>?

  /// Places in the frame's buffers; -1 for none.
  package var vertices: Int32 = -1
  package var paint: Int32 = -1
  package var indices: Int32 = -1
  package var vertexOffset = 0
  package var vertexCount = 0
  package var indexOffset = 0
  package var indexCount = 0

  package var textureUse = TextureUse.none
  /// Place in the frame's textures; -1 for none.
  package var texture: Int32 = -1
  package var isNearest = false

  package var opacity: Float = 1
  /// Of the layer as a whole.
  package var layerOpacity: Float = 1
  /// Premultiplied.
  package var color = SIMD4<Float>.zero
  package var pattern = Pattern()
  package var line = Line()
  package var circle = Circle()
  package var extrusion = Extrusion()
  /// What red, green and blue become, and what is added to them.
  package var colorMatrix: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) = (
    SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), .zero
  )
  /// Why there is nothing to draw.
  package var reason: StaticString?

  package init(_ kind: Kind, layer: Int) {
    self.kind = kind
    self.layer = layer
  }

  package struct Pattern: Sendable {
    package var scale = SIMD2<Float>.zero
    package var offset = SIMD2<Float>.zero
  }

  package struct Line: Sendable {
    package var width: Float = 0
    package var gapWidth: Float = 0
    package var offset: Float = 0
    package var blur: Float = 0
    package var floorWidth: Float = 0
    package var unitsPerPixel: Float = 0
    package var dash: [Float] = []
    package var dashTexture: Int32 = -1
    package var dashScale: Float = 0
    package var dashSoftness: Float = 0
  }

  package struct Circle: Sendable {
    package var radius: Float = 0
    package var blur: Float = 0
    package var strokeWidth: Float = 0
    package var strokeOpacity: Float = 0
    package var strokeColor = SIMD4<Float>.zero
    /// How the disc's own axes are shortened on the screen.
    package var squeeze = SIMD2<Float>(1, 1)
    /// Over w: how much larger than its radius a circle is drawn; 0: not at all.
    package var perspective: Float = 0
  }

  package struct Extrusion: Sendable {
    package var base: Float = 0
    package var height: Float = 0
    package var light = SIMD3<Float>.zero
    package var lightColor = SIMD3<Float>.zero
    package var intensity: Float = 0
    package var hasGradient = false
  }
}
