import NeatBase
import NeatCamera
import NeatLayout
import NeatRaster
import NeatStyle

/// The circles of one layer and tile, in device pixels.
package struct CircleDraw: Sendable {
  let circles: [Circle]
  let axes: CircleAxes
  /// Those that lie on a globe.
  var discs: [GlobeDisc] = []

  func draw(_ band: Band) {
    for disc in discs { disc.draw(band) }
    circles.withUnsafeBufferPointer { drawCircles($0, axes: axes, band: band) }
  }
}

extension FrameBuilder {
  mutating func addCircles(_ bucket: CircleBucket, _ layer: LayerInFrame, _ tile: TileInFrame) {
    guard let paints = bucket.circlePaints else { return }
    func numbers(_ paint: NumberPaint) -> ResolvedNumbers {
      paint.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style)
    }
    func colors(_ paint: ColorPaint) -> ResolvedColors {
      paint.resolved(evaluator, at: camera, layoutZoom: tile.layoutZoom, in: layer.style)
    }
    let (radius, blur, opacity) = (numbers(paints.radius), numbers(paints.blur), numbers(paints.opacity))
    let (strokeWidth, strokeOpacity) = (numbers(paints.strokeWidth), numbers(paints.strokeOpacity))
    let (color, strokeColor) = (colors(paints.color), colors(paints.strokeColor))
    let move = layer.translate(.circleTranslate, .circleTranslateAnchor, evaluator, transform, tile.id)
    let projection = move == .zero ? tile.projection : tile.projection.movingTile(u: move.x, v: move.y)
    let isMapScaled = layer.style[.circlePitchScale].enumValue(evaluator, at: camera) == "map"
    let isMapAligned = layer.style[.circlePitchAlignment].enumValue(evaluator, at: camera) == "map"
    let ratio = Float(transform.size.pixelRatio)
    let matrix = transform.metricMatrix(for: tile.id)
    let ground = transform.ground?.heights(tile.id)
    var circles: [Circle] = []
    circles.reserveCapacity(bucket.centers.count)
    var axes = CircleAxes.identity
    var discs: [GlobeDisc] = []
    let units = TileUnits.extent / transform.tileEdge(tile.id.canonical.z)
    for (index, center) in bucket.centers.enumerated() {
      let at = Int(bucket.positions[index])
      var p = projection(Double(center.x), Double(center.y))
      var scale = ratio
      var visibility: Float = 1
      var hidden: Float = 0
      func ink(_ color: SIMD4<Float>, _ opacity: Float) -> Premultiplied {
        let ink = Premultiplied(premultiplied: color, opacity: opacity * visibility)
        return hidden > 0 ? fog?.over(ink, hidden) ?? ink : ink
      }
      if let globe = tile.globe {
        let place = SIMD2<Double>(center) + move
        let height = ground?(place) ?? 0
        let seen = globe.project(place.x, place.y, height: height)
        guard seen.w > 0 else { continue }
        visibility = terrain?.visibility(seen) ?? 1
        guard visibility > 0 else { continue }
        hidden = fog?.share(seen) ?? 0
        let perspective = transform.cameraToCenterDistance / seen.w
        if isMapAligned {
          let own = Double(radius[at] + max(strokeWidth[at], 0)) * (isMapScaled ? 1 : 1 / perspective)
          guard let corners = globe.disc(place, pixels: own, unitsPerPixel: units, height: height) else {
            continue
          }
          discs.append(
            GlobeDisc(
              corners: corners,
              circle: Circle(
                center: .zero, radius: radius[at] * ratio, strokeWidth: strokeWidth[at] * ratio,
                blur: blur[at],
                fill: ink(color[at], opacity[at]), stroke: ink(strokeColor[at], strokeOpacity[at]))))
          continue
        }
        guard seen.z >= 0 else { continue }
        p = SIMD2(seen.x, seen.y) / seen.w
        if isMapScaled { scale *= Float(perspective) }
      } else if !transform.isFlat {
        let height = ground?(SIMD2<Double>(center) + move) ?? 0
        let place = matrix * SIMD4(Double(center.x) + move.x, Double(center.y) + move.y, height, 1)
        guard place.w > 0 else { continue }
        if ground != nil {
          p = SIMD2(place.x, place.y) / place.w
          visibility = terrain?.visibility(place) ?? 1
          guard visibility > 0 else { continue }
        }
        hidden = fog?.share(place) ?? 0
        let perspective = Float(transform.cameraToCenterDistance / place.w)
        if isMapScaled { scale *= perspective }
      }
      circles.append(
        Circle(
          center: SIMD2(Float(p.x), Float(p.y)), radius: radius[at] * scale,
          strokeWidth: strokeWidth[at] * scale, blur: blur[at],
          fill: ink(color[at], opacity[at]), stroke: ink(strokeColor[at], strokeOpacity[at])))
    }
    if isMapAligned, !transform.isFlat, tile.globe == nil {
      axes = CircleAxes(x: SIMD2(1, 0), y: SIMD2(0, Float(cos(transform.camera.pitch * .pi / 180))))
    }
    if !circles.isEmpty || !discs.isEmpty {
      commands.append(.circles(CircleDraw(circles: circles, axes: axes, discs: discs)))
    }
  }
}
