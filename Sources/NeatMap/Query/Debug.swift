extension MapCore {
  package func debugTiles(_ t: Transform) -> [String] {
    let b = frameBuilder(t)
    return b.tiles.flatMap { s, ts in ts.map { "\(s) \($0.id.canonical) oz \($0.id.overscaledZ) wrap \($0.id.wrap) layout \($0.layout?.buckets.count ?? -1)" } }
  }
}
