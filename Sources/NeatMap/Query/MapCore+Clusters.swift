import NeatBase
import NeatTile

extension MapCore {
  /// The clusters of a live source. Throws `notFound`, `invalidArgument` for a source that has none, `state` where
  /// its data is not there yet.
  package func clusters(source id: String) throws(NeatError) -> ClusterIndex {
    guard let source = state.withLock({ $0.sources[id] }) else {
      throw NeatError(.notFound, "no such source", resource: id)
    }
    guard source.spec.geojson?.isClustered == true else {
      throw NeatError(.invalidArgument, "the source has no clusters", resource: id)
    }
    guard let clusters = source.geojson?.clusters else {
      throw NeatError(.state, "the source's data is not there yet", resource: id)
    }
    return clusters
  }
}
