import NeatBase
import NeatCamera

extension TerrainHeights {
  /// No ground is higher, in metres.
  private static let highest = 9000.0

  /// The camera of a view whose eye would be within the ground, raised above it, and the tile of elevations that tells;
  /// both nil where the eye is above all mountains. The tile is asked for like those that are seen: whether it is there
  /// must not depend on what was drawn before.
  func eye(_ view: Transform, elevation: Double, zoom: UInt8) -> (tile: TileID?, camera: Camera?) {
    let altitude = view.eyeAltitude(elevation)
    guard view.globeness == 0, altitude < Self.highest * exaggeration,
      let tile = tile(at: view.eyePlace, zoom: zoom)?.tile, tile.z >= Self.levels,
      tile.z - Self.levels >= minZoom
    else { return (nil, nil) }
    let wanted = tile.ancestor(tile.z - min(tile.z - Self.levels, maxZoom))
    guard let metres = metres(at: view.eyePlace, zoom: zoom), metres > altitude else { return (wanted, nil) }
    return (wanted, view.camera(eyeAt: metres, elevation: elevation))
  }
}
