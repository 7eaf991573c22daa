import NeatBase
import NeatCamera
import NeatTile

extension MapProblem {
  /// What a tile lacks of its layers and features, where any of them cannot be read.
  /// - Parameter resource: the tile's address.
  init?(faultsOf tile: VectorTile, resource: String, source: String, tile id: TileID) {
    guard let faults = tile.faults, !faults.isEmpty else { return nil }
    let found = faults.found
    guard let first = found.errors.first else { return nil }
    self.init(first, resource: resource, part: .tile, source: source)
    self.tile = id
    if found.count > 1 { message += ", and \(found.count - 1) more" }
  }
}

extension SourceState {
  /// The address of a tile, or what else it is known by.
  func address(of tile: TileID, _ options: MapCore.Options) -> String {
    request(tile, pixelRatio: options.pixelRatio)?.url ?? id
  }
}
