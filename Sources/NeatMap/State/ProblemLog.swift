/// What went wrong without failing the map, each once, and what the next report tells once.
struct ProblemLog: Sendable {
  /// Problems kept; later ones are dropped.
  static let limit = 1000
  /// Of those, what cannot be read within tiles: careless data has much of that, and reports have all of a picture.
  static let faultLimit = 100

  private(set) var problems: [MapProblem] = []
  private var known: Set<MapProblem> = []
  private var faultCount = 0
  /// Problems that the log of the process has.
  private var writtenCount = 0
  private var notices: [Missing] = []

  mutating func add(_ problem: MapProblem) {
    guard problems.count < ProblemLog.limit, known.insert(problem).inserted else { return }
    problems.append(problem)
  }

  /// Something of a tile that cannot be read.
  mutating func addFault(_ problem: MapProblem) {
    guard faultCount < ProblemLog.faultLimit else { return }
    let before = problems.count
    add(problem)
    faultCount += problems.count - before
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
