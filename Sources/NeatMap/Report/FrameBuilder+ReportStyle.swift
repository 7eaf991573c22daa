import NeatBase
import NeatJSON
import NeatStyle

/// What a style can say and is kept, but nothing draws.
enum Undrawn {
  /// Root members that no part of the style's model has, where others of the family draw them.
  static let members = ["snow", "rain", "lights", "models", "featuresets", "imports"]
}

extension FrameBuilder {
  /// Adds that a layer, or a part of it, could not be drawn.
  mutating func report(_ error: NeatError, layer index: Int, tile: TileID? = nil) {
    let id = style.layers[index].id
    var entry = Missing(.style, "layers.\(id)", error.code, error.message, isFailure: true)
    (entry.layer, entry.tile) = (id, tile)
    report.add(entry)
  }

  /// Adds that an image could not be drawn, though the style has it.
  mutating func report(_ error: NeatError, image: String, layer index: Int? = nil) {
    var entry = Missing(.image, image, error.code, error.message, isFailure: true)
    entry.layer = index.map { style.layers[$0].id }
    report.add(entry)
  }

  /// Adds that a frame of meshes has no globe.
  mutating func reportPlane() {
    report.add(
      Missing(
        .style, "projection", .unsupported, "meshes do not show the globe: the map is in Mercator's",
        isFailure: false))
  }

  /// Layers, properties and root members that the view would show if they were drawn, and what the style
  /// itself got wrong.
  /// - Parameter isFlat: of a frame for a GPU, which has no sky and no ground that rises.
  mutating func reportStyle(isFlat: Bool = false) {
    let zoom = transform.camera.zoom
    func note(_ resource: String, _ message: String, layer: String? = nil, code: ErrorCode = .unsupported) {
      var entry = Missing(.style, resource, code, message, isFailure: false)
      entry.layer = layer
      report.add(entry)
    }
    if isFlat, style.sky != nil { note("sky", "the sky is not drawn") }
    if style.fog != nil, isFlat || style.sky != nil {
      note("fog", isFlat ? "the fog is not drawn" : "the fog is not drawn: there is a sky, which has its own")
    }
    if isFlat || terrain == nil, let ground = style.terrain {
      let reason =
        if isFlat {
          "frames for a GPU are flat"
        } else if !transform.hasTerrain {
          "pictures with a margin of labels are flat"
        } else {
          "\"\(ground.source)\" is no raster-dem source that could be had"
        }
      note("terrain", "terrain is not drawn: \(reason)")
    }
    if !style.fontFaces.isEmpty { note("font-faces", "fonts of the style's own are not loaded") }
    if let name = style.projection.json(.projectionType)?.string,
      !["mercator", "globe", "vertical-perspective"].contains(name)
    {
      note("projection", "the projection \"\(name)\" is not known: the map is in Mercator's")
    }
    for name in Undrawn.members where style.original[name].map({ !$0.isNull }) ?? false {
      note(name, "\"\(name)\" is not drawn")
    }
    for layer in isFlat ? style.layers : [] where layer.type == .sky && layer.isVisible(zoom: zoom, evaluator)
    {
      note("layers.\(layer.id)", "layers of type sky are not drawn", layer: layer.id)
    }
    for issue in style.issues { note(issue.key, issue.description, code: .style) }
  }
}
