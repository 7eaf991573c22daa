import NeatBase
import NeatLayout
import NeatMesh
import NeatStyle

extension MeshFrameBuilder {
  mutating func addExtrusions(_ layer: LayerInFrame) {
    let opacity = Float(layer.style[.fillExtrusionOpacity].number(evaluator, at: camera))
    guard opacity > 0, let source = layer.style.source else { return }
    if layer.style.isSet(.fillExtrusionPattern) {
      let id = layer.style.id
      var entry = Missing(
        .style, "layers.\(id).fill-extrusion-pattern", .unsupported,
        "frames for GPUs have the layer's colour in the place of patterns on extrusions", isFailure: false)
      entry.layer = id
      base.report.add(entry)
    }
    let light = base.extrusionLight()
    for tile in base.tiles[source] ?? [] {
      guard case .extrusion(let bucket)? = tile.layout?.buckets[layer.index] else { continue }
      let move = layer.translate(
        .fillExtrusionTranslate, .fillExtrusionTranslateAnchor, evaluator, transform, tile.id)
      var prisms = command(.extrusion, layer, tile, move: move)
      prisms.matrix = prisms.matrix.scaled(1, 1, transform.pixelsPerMeter)
      prisms.clip = nil
      prisms.opacity = min(opacity, 1)
      prisms.vertices = place(bucket.mesh.vertices)
      prisms.indices = place(bucket.mesh.indices)
      prisms.color = bucket.color.shared(evaluator, at: camera, in: layer.style)
      prisms.extrusion.base = max(0, bucket.base.shared(evaluator, at: camera, in: layer.style))
      prisms.extrusion.height = max(0, bucket.height.shared(evaluator, at: camera, in: layer.style))
      // The formulas of the light have walls look inwards; the vertices' normals look outwards.
      prisms.extrusion.light = light.position * SIMD3(-1, -1, 1)
      prisms.extrusion.lightColor = light.color
      prisms.extrusion.intensity = light.intensity
      prisms.extrusion.hasGradient = layer.style[.fillExtrusionVerticalGradient].bool(evaluator, at: camera)
      prisms.paint = extrusionPaint(bucket, tile)
      append(prisms, bucket.mesh.pieces)
    }
  }

  private mutating func extrusionPaint(_ bucket: ExtrusionBucket, _ tile: TileInFrame) -> Int32 {
    guard bucket.color.isDataDriven || bucket.base.isDataDriven || bucket.height.isDataDriven else {
      return -1
    }
    let isComposite = bucket.color.isComposite || bucket.base.isComposite || bucket.height.isComposite
    let block = bucket.meshes.paint(slot: 0, zoom: isComposite ? camera.zoom : 0) {
      let colors = bucket.color.varying(evaluator, at: camera, layoutZoom: tile.layoutZoom)
      let bases = bucket.base.varying(evaluator, at: camera, layoutZoom: tile.layoutZoom)
      let heights = bucket.height.varying(evaluator, at: camera, layoutZoom: tile.layoutZoom)
      // What is not finite is flat: a vertex cannot be left out.
      func level(_ value: Float) -> Float { value.isFinite ? max(0, value) : 0 }
      return paint(.extrusionPaint, count: bucket.mesh.vertices.count, bucket.mesh.pieces) { at in
        ExtrusionPaintVertex(color: packed(colors[at]), base: level(bases[at]), height: level(heights[at]))
      }
    }
    return place(block)
  }
}
