import NeatBase

/// Fog before what has depth.
package struct DepthFog: Sendable {
  package let fog: Fog
  /// z / w is x - y / w.
  private let planes: SIMD2<Double>

  /// - Parameter planes: x and y of z / w = x - y / w.
  package init(_ fog: Fog, planes: SIMD2<Double>) { (self.fog, self.planes) = (fog, planes) }

  /// A colour that is seen at a pixel, so deep.
  @inline(__always) func over(_ color: UInt32, _ x: Int, _ y: Int, depth: Float) -> UInt32 {
    let rest = planes.x - Double(depth)
    guard rest > 0 else { return color }
    return fog.over(color, Double(x) + 0.5, Double(y) + 0.5, w: planes.y / rest)
  }
}

extension DepthLayer {
  /// Lays fog over the colours of the layer. A pixel that an edge runs through has that of its nearest sample.
  func lay(_ mist: DepthFog) {
    for y in touchedTop..<max(touchedTop, touchedBottom) {
      let start = (y - y0) * width
      for x in 0..<width where color.base[start + x] > DepthLayer.nothing {
        var deep = depth.base[start + x]
        if isSmooth, slots.base[start + x] > 0 { deep = nearest(Int(slots.base[start + x]) - 1) }
        color.base[start + x] = mist.over(color.base[start + x], x, y, depth: deep)
      }
    }
  }
}
