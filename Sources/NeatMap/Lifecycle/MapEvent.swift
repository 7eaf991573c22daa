import NeatBase

/// What happens in the life of a map, in the order of the lifecycle.
package enum MapEvent: Sendable, Equatable {
  package enum StyleData: String, Sendable { case style, sprite, sources }

  case styleDataLoaded(StyleData)
  case styleLoaded
  /// Metadata, or a tile.
  case sourceDataLoaded(String, tile: TileID?)
  case sourceAdded(String)
  case sourceRemoved(String)
  case styleImageMissing(String)
  case styleImageRemoveUnused(String)
  case renderFrameStarted
  case renderFrameFinished(isComplete: Bool)
  case cameraChanged
  case mapLoaded
  case mapIdle
  case mapLoadingError(NeatError, resource: String)
  case resourceRequest(String, tile: TileID?)
}
