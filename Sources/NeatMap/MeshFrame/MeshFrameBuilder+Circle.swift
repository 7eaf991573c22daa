import NeatBase
import NeatLayout
import NeatMesh
import NeatStyle

extension MeshFrameBuilder {
  mutating func addCircles(_ bucket: CircleBucket, _ layer: LayerInFrame, _ tile: TileInFrame) {
    guard let paints = bucket.circlePaints else { return }
    func number(_ paint: NumberPaint) -> Float { paint.shared(evaluator, at: camera, in: layer.style) }
    func color(_ paint: ColorPaint) -> SIMD4<Float> { paint.shared(evaluator, at: camera, in: layer.style) }
    let move = layer.translate(.circleTranslate, .circleTranslateAnchor, evaluator, transform, tile.id)
    var circles = command(.circle, layer, tile, move: move)
    // Circles reach over the edge of the tile that their centre is in.
    circles.clip = nil
    circles.vertices = place(bucket.mesh.vertices)
    circles.indices = place(QuadIndices.block)
    circles.color = color(paints.color)
    circles.opacity = min(max(number(paints.opacity), 0), 1)
    circles.circle.radius = number(paints.radius)
    circles.circle.blur = number(paints.blur)
    circles.circle.strokeWidth = number(paints.strokeWidth)
    circles.circle.strokeOpacity = min(max(number(paints.strokeOpacity), 0), 1)
    circles.circle.strokeColor = color(paints.strokeColor)
    if !transform.isFlat {
      if layer.style[.circlePitchScale].enumValue(evaluator, at: camera) == "map" {
        circles.circle.perspective = Float(transform.cameraToCenterDistance)
      }
      if layer.style[.circlePitchAlignment].enumValue(evaluator, at: camera) == "map" {
        circles.circle.squeeze.y = Float(cos(transform.camera.pitch * .pi / 180))
      }
    }
    circles.paint = circlePaint(bucket, paints, tile)
    for first in stride(from: 0, to: bucket.centers.count, by: QuadIndices.limit) {
      let count = min(QuadIndices.limit, bucket.centers.count - first)
      (circles.vertexOffset, circles.vertexCount, circles.indexCount) = (first * 4, count * 4, count * 6)
      append(circles)
    }
  }

  private mutating func circlePaint(_ bucket: CircleBucket, _ paints: CirclePaints, _ tile: TileInFrame)
    -> Int32
  {
    guard paints.isDataDriven else { return -1 }
    let block = bucket.meshes.paint(slot: 0, zoom: paints.isComposite ? camera.zoom : 0) {
      func numbers(_ paint: NumberPaint) -> ResolvedNumbers {
        paint.varying(evaluator, at: camera, layoutZoom: tile.layoutZoom)
      }
      func colors(_ paint: ColorPaint) -> ResolvedColors {
        paint.varying(evaluator, at: camera, layoutZoom: tile.layoutZoom)
      }
      let (color, stroke) = (colors(paints.color), colors(paints.strokeColor))
      let (opacity, strokeOpacity) = (numbers(paints.opacity), numbers(paints.strokeOpacity))
      let (radius, strokeWidth, blur) = (
        numbers(paints.radius), numbers(paints.strokeWidth), numbers(paints.blur)
      )
      return MeshBlock(.circlePaint, count: bucket.centers.count * 4) { memory in
        let out = memory.assumingMemoryBound(to: CirclePaintVertex.self)
        for (circle, position) in bucket.positions.enumerated() {
          let at = Int(position)
          let vertex = CirclePaintVertex(
            color: packed(color[at]), strokeColor: packed(stroke[at]), opacity: min(max(opacity[at], 0), 1),
            strokeOpacity: min(max(strokeOpacity[at], 0), 1), radius: radius[at],
            strokeWidth: strokeWidth[at], blur: blur[at])
          (out + circle * 4).update(repeating: vertex, count: 4)
        }
      }
    }
    return place(block)
  }
}
