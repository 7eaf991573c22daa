/// What went wrong without failing the map, each once, and what the next report tells once.
struct ProblemLog: Sendable {
  /// Problems kept; later ones are dropped.
  static let limit = 1000

  private(set) var problems: [MapProblem] = []
  private var known: Set<MapProblem> = []
  /// Problems that the log of the process has.
  private var writtenCount = 0
  private var notices: [Missing] = []

  mutating func add(_ problem: MapProblem) {
    guard problems.count < ProblemLog.limit, known.insert(problem).inserted else { return }
    problems.append(problem)
  }

  /// The problems that came since the last call.
  mutating func takeUnwritten() -> ArraySlice<MapProblem> {
    defer { writtenCount = problems.count }
    return problems[writtenCount...]
  }

  mutating func notice(_ missing: Missing) { notices.append(missing) }

  mutating func takeNotices() -> [Missing] {
    defer { notices = [] }
    return notices
  }
}
