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
    do throws(NeatError) {
      switch edit {
      case .replace(let source, let bytes): try setGeoJSON(source: source, bytes)
      case .update(let source, let diff): try updateGeoJSON(source: source, diff)
      }
    } catch {
      let id =
        switch edit {
        case .replace(let id, _), .update(let id, _): id
        }
      report(MapProblem(error, resource: id, part: .source))
    }
  }
}
