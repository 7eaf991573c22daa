import NeatBase

/// A globe seen from 4 radii above (0, 0), in a frame of 128 by 128 pixels; a radius is 40 pixels long at the middle.
/// - Parameter zoom: how many times as long it is.
func globeBeforeTheViewer(zoom: Double = 1) -> GlobeSurface {
  let focal = 40.0 * 3 * zoom, middle = 64.0
  // x·w = focal · x + middle · w, with w the distance along the view: 4 - z.
  let sphere: GlobeSurface.Columns = (
    SIMD4(focal, 0, 0, 0), SIMD4(0, -focal, 0, 0), SIMD4(-middle, -middle, 0, -1),
    SIMD4(middle * 4, middle * 4, 0, 4)
  )
  return GlobeSurface(
    sphere: sphere, plane: sphere, globeness: 1, eye: SIMD3(0, 0, 4), center: SIMD2(0.5, 0.5),
    centerCosine: 1, radius: 40, cameraToCenterDistance: 120)
}
