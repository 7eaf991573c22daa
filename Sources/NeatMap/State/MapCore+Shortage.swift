import NeatBase

// Memory that a map was refused for something that it loads. Other faults stay; this one is forgotten before the next
// picture, which asks again.
extension MapCore {
  /// What could not be read since the last `forgetShortage`; nil: nothing.
  package var shortage: NeatError? {
    state.withLock(\.shortage).map { NeatError(.outOfMemory, $0.message, resource: $0.resource) }
  }

  /// Throws `outOfMemory` where a picture lacks something for want of memory.
  package func checkShortage(_ report: Report? = nil) throws(NeatError) {
    if let missing = report?.shortage {
      // It may be what another map noted: glyphs are shared.
      let problem = MapProblem(resource: missing.resource, message: missing.message, code: .outOfMemory)
      state.withLock { $0.shortage = $0.shortage ?? problem }
    }
    if let shortage { throw shortage }
  }

  /// Lets what could not be read for want of memory be asked for again. Returns whether there was anything.
  @discardableResult package func forgetShortage() -> Bool {
    let isShort = state.withLock { state in
      defer { state.shortage = nil }
      return state.shortage != nil
    }
    guard isShort else { return false }
    let glyphsToo = glyphs.forgetFaults(since: .max) { $0.code == .outOfMemory }
    forgetPassingFaults(since: .max, glyphsToo: glyphsToo) { $0 == .outOfMemory }
    return true
  }
}
