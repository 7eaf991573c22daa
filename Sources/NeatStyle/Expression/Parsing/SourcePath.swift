/// The place of an expression in its source: indices from the outermost array. The text (`[2][1]`) is made
/// when an error asks for it.
struct SourcePath: Sendable {
  private final class Step: Sendable {
    let outer: Step?
    let index: Int

    init(_ outer: Step?, _ index: Int) {
      self.outer = outer
      self.index = index
    }
  }

  private let last: Step?

  static let root = SourcePath(last: nil)

  private init(last: Step?) { self.last = last }

  func child(_ index: Int) -> SourcePath { SourcePath(last: Step(last, index)) }

  /// Whether it is the same object, or the root: equal paths made apart are not found out.
  func isSame(_ other: SourcePath) -> Bool { last === other.last }

  var text: String {
    var indices: [Int] = []
    var step = last
    while let here = step {
      indices.append(here.index)
      step = here.outer
    }
    return indices.reversed().map { "[\($0)]" }.joined()
  }
}
