import NeatBase

extension MapCore {
  /// Has changes of sources made when the next frame is prepared, in this order, by whoever prepares it. Any thread.
  package func edit(_ edits: [SourceEdit]) { pending.withLock { $0 += edits } }

  var hasPending: Bool { pending.withLock { !$0.isEmpty } }

  /// Makes them; one that fails is reported. Nobody prepares a frame of what is half changed.
  package func makePending() {
    pending.withLock { edits in
      for edit in edits { make(edit) }
      edits.removeAll()
    }
  }

  private func make(_ edit: SourceEdit) {
    do throws(NeatError) { try make(edit, number: nil) } catch {
      report(MapProblem(error, resource: edit.source, part: .source))
    }
  }

  /// Makes a change now. Any thread.
  /// - Parameter number: of the source that it is for, where another one of its name is not meant.
  package func make(_ edit: SourceEdit, number: UInt64?) throws(NeatError) {
    switch edit {
    case .replace(let source, let bytes): try setGeoJSON(source: source, bytes, number: number)
    case .update(let source, let diff): try updateGeoJSON(source: source, diff, number: number)
    }
  }

  /// The number of a source, which no other one of its name has; nil where there is none.
  package func number(ofSource id: String) -> UInt64? { state.withLock { $0.sources[id]?.number } }
}
