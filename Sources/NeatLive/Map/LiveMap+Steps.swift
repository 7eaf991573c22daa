import NeatBase
import NeatJSON
import NeatStyle

extension LiveMap {
  /// Steps of one change of style at most.
  package static let stepLimit = 100_000

  /// Carries out steps, `{"command", "args"}` each, in order: all of them, or none where one fails.
  package func change(_ steps: JSON) throws(NeatError) {
    guard steps.count <= LiveMap.stepLimit else {
      throw NeatError(.limitExceeded, "more than \(LiveMap.stepLimit) steps")
    }
    try edit { editor throws(NeatError) in
      var number = 0
      for step in steps.elements {
        do throws(NeatError) { try editor.apply(try StyleOperation(step)) } catch {
          var error = error
          error.message = "step \(number): \(error.message)"
          throw error
        }
        number += 1
      }
    }
  }
}
