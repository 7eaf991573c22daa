import NeatBase
import NeatPlacement

/// A flat camera over a tile: tile pixel (0, 0) of a 512 px tile lies at `origin` on the screen.
func flatView(width: Double = 512, height: Double = 512, zoom: Double = 0, bearing: Double = 0)
  -> PlacementView
{
  PlacementView(width: width, height: height, zoom: zoom, bearing: bearing, cameraToCenterDistance: 600)
}

/// A tile drawn 512 px wide whose corner lies at `origin` (screen pixels), with `w` of the view's distance.
func flatTile(_ view: PlacementView, origin: SIMD2<Double> = .zero, id: TileID = TileID(z: 0, x: 0, y: 0))
  -> PlacementTile
{
  let scale = 512.0 / 8192, d = view.cameraToCenterDistance
  let matrix = TileMatrix(
    SIMD4(scale * d, 0, 0, 0), SIMD4(0, scale * d, 0, 0), SIMD4(0, 0, 1, 0),
    SIMD4(origin.x * d, origin.y * d, 0, d))
  return PlacementTile(id: OverscaledTileID(canonical: id), matrix: matrix)
}

/// A label with a box of the given half size around a place in pixels.
func boxLabel(at pixel: SIMD2<Float>, half: SIMD2<Float>, in geometry: inout SymbolGeometry) {
  var instance = SymbolInstance(anchor: pixel * 16)
  instance.textBox = Int32(geometry.boxes.count)
  instance.hasHorizontalGlyphs = true
  instance.feature = Int32(geometry.instances.count)
  geometry.boxes.append(CollisionRect(-half.x, -half.y, half.x, half.y))
  geometry.instances.append(instance)
}
