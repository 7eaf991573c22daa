extension MapCore {
  /// Goes to a time (milliseconds of any clock that only goes forward): frames and queries show the paint
  /// properties of then. Changes since the last call begin now. Returns whether a property is still on its
  /// way.
  package func advanceTransitions(to now: Double) -> Bool {
    state.withLock { state in
      state.style.transitions.advance(to: now, state.style.document)
      return !state.style.transitions.isEmpty
    }
  }

  /// Whether a property is on its way, or will be from the next frame on.
  package var isTransitioning: Bool { state.withLock { !$0.style.transitions.isEmpty } }

  /// Lets everything be as the style says.
  package func endTransitions() {
    state.withLock { $0.style.transitions.removeAll() }
  }
}
