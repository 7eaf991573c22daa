import NeatBase
import NeatCamera
import NeatRaster

/// Where points of a tile's ground lie on the frame: on the plane, or on the globe.
struct GroundPlace {
  private let matrix: Matrix4
  private let globe: GlobeTile?
  private let near: Double
  private let far: Double
  /// That of the style's root.
  private let rootFog: Fog?

  init(_ transform: Transform, _ tile: OverscaledTileID, fog: Fog?) {
    rootFog = fog
    matrix = transform.metricMatrix(for: tile)
    globe = transform.globeTile(tile)
    (near, far) = (transform.seaDistance, transform.farDistance)
  }

  /// - Parameters:
  ///   - u: from the tile's western edge, 0...1.
  ///   - v: from its northern one.
  ///   - drop: metres below the ground.
  func point(_ u: Double, _ v: Double, metres: Double, below drop: Double) -> GroundPoint {
    let (x, y) = (u * TileUnits.extent, v * TileUnits.extent)
    if let globe {
      let position = globe.solid(x, y, height: metres - drop)
      // The sky has no fog on a globe.
      return GroundPoint(
        position: SIMD4<Float>(position), fog: rootFog?.share(position) ?? 0)
    }
    let place = SIMD4(x, y, metres, 1)
    let ground = matrix * place
    let position = drop > 0 ? matrix * (place - SIMD4(0, 0, drop, 0)) : ground
    return GroundPoint(
      position: SIMD4<Float>(position),
      fog: rootFog?.share(ground) ?? Float(distance(ground.w)))
  }

  /// On a globe the outermost tiles have no skirt to the north or to the south: in its place the ground goes on to the
  /// pole.
  func pole(_ u: Double, _ side: GroundMesh.Side) -> GroundPoint? {
    guard let globe, side == .north ? globe.isNorthmost : side == .south && globe.isSouthmost else {
      return nil
    }
    let position = globe.solidPole(u * TileUnits.extent, north: side == .north)
    return GroundPoint(position: SIMD4<Float>(position), fog: rootFog?.share(position) ?? 0)
  }

  /// The depth that a projection has whose near plane lies at the sea below the centre, from 0 to 1.
  private func distance(_ w: Double) -> Double {
    guard far > near, w != 0 else { return 0 }
    return 0.5 * ((far + near) / (far - near) - 2 * far * near / ((far - near) * w)) + 0.5
  }
}
