import NeatBase

extension MapCore {
  /// Writes the problems that are new to the log of the process.
  func logProblems() {
    guard Log.isHeard(.warning) else { return }
    let problems = state.withLock { $0.log.takeUnwritten() }
    for problem in problems {
      Log.write(.warning, LogCategory(problem.part), "\(Log.short(problem.resource)): \(problem.message)")
    }
  }
}

extension LogCategory {
  package init(_ part: MapPart) {
    switch part {
    case .style: self = .style
    case .sprite: self = .sprite
    case .source: self = .source
    case .tile: self = .tile
    case .glyphs: self = .glyphs
    case .cache: self = .cache
    }
  }
}
