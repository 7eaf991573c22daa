import NeatBase
import NeatLayout
import NeatMesh
import NeatStyle

extension MeshFrameBuilder {
  mutating func addCircles(_ bucket: CircleBucket, _ layer: LayerInFrame, _ tile: TileInFrame) {
    func number(_ property: Property) -> Float {
      bucket.numbers[property]!.shared(evaluator, in: layer.style)
    }
    func color(_ property: Property) -> SIMD4<Float> {
      bucket.colors[property]!.shared(evaluator, in: layer.style)
    }
    let move = layer.translate(.circleTranslate, .circleTranslateAnchor, evaluator, transform, tile.id)
    var circles = command(.circle, layer, tile, move: move)
    // Circles reach over the edge of the tile that their centre is in.
    circles.clip = nil
    circles.vertices = place(bucket.mesh.vertices)
    circles.indices = place(QuadIndices.block)
    circles.color = color(.circleColor)
    circles.opacity = min(max(number(.circleOpacity), 0), 1)
    circles.circle.radius = number(.circleRadius)
    circles.circle.blur = number(.circleBlur)
    circles.circle.strokeWidth = number(.circleStrokeWidth)
    circles.circle.strokeOpacity = min(max(number(.circleStrokeOpacity), 0), 1)
    circles.circle.strokeColor = color(.circleStrokeColor)
    if !transform.isFlat {
      if layer.style[.circlePitchScale].enumValue(evaluator) == "map" {
        circles.circle.perspective = Float(transform.cameraToCenterDistance)
      }
      if layer.style[.circlePitchAlignment].enumValue(evaluator) == "map" {
        circles.circle.squeeze.y = Float(cos(transform.camera.pitch * .pi / 180))
      }
    }
    circles.paint = circlePaint(bucket, tile)
    for first in stride(from: 0, to: bucket.centers.count, by: QuadIndices.limit) {
      let count = min(QuadIndices.limit, bucket.centers.count - first)
      (circles.vertexOffset, circles.vertexCount, circles.indexCount) = (first * 4, count * 4, count * 6)
      append(circles)
    }
  }

  private mutating func circlePaint(_ bucket: CircleBucket, _ tile: TileInFrame) -> Int32 {
    guard
      bucket.numbers.values.contains(where: \.isDataDriven)
        || bucket.colors.values.contains(where: \.isDataDriven)
    else { return -1 }
    let isComposite =
      bucket.numbers.values.contains(where: \.isComposite)
      || bucket.colors.values.contains(where: \.isComposite)
    let block = bucket.meshes.paint(slot: 0, zoom: isComposite ? evaluator.zoom : 0) {
      func numbers(_ property: Property) -> ResolvedNumbers {
        bucket.numbers[property]!.varying(evaluator, layoutZoom: tile.layoutZoom)
      }
      func colors(_ property: Property) -> ResolvedColors {
        bucket.colors[property]!.varying(evaluator, layoutZoom: tile.layoutZoom)
      }
      let (color, stroke) = (colors(.circleColor), colors(.circleStrokeColor))
      let (opacity, strokeOpacity) = (numbers(.circleOpacity), numbers(.circleStrokeOpacity))
      let (radius, strokeWidth, blur) = (
        numbers(.circleRadius), numbers(.circleStrokeWidth), numbers(.circleBlur)
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
