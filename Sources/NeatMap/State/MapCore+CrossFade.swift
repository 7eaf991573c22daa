import NeatCamera
import NeatStyle

extension MapCore {
  /// How patterns and dashes of a frame go over to those of its whole zoom; nil: they are there.
  /// - Parameter canFade: false of frames that show no two patterns in one.
  func crossFade(
    _ step: inout FrameStep, canFade: Bool, _ state: State, _ transform: Transform, _ evaluator: Evaluator,
    _ tiles: [String: [TileInFrame]]
  ) -> CrossFade? {
    let (zoom, now) = (transform.camera.zoom, step.history.clock.now)
    let isSeen = canFade && step.audience == .present && step.fadeMS > 0
    step.history.zooms.note(zoom, now: now, isSeen: isSeen)
    guard let fade = step.history.zooms.crossFade(zoom, now: now, fadeMS: step.fadeMS),
      state.style.document.layers.enumerated().contains(where: { index, layer in
        layer.crossFades && layer.isVisible(zoom: zoom, evaluator)
          && (layer.source.map { tiles[$0]?.contains { $0.layout?.buckets[index] != nil } == true } ?? true)
      })
    else { return nil }
    step.fadesPatterns = true
    return fade
  }
}

extension StyleLayer {
  /// Whether anything of it goes over from whole zoom to whole zoom.
  fileprivate var crossFades: Bool {
    switch type {
    case .background: isSet(.backgroundPattern)
    case .fill: isSet(.fillPattern)
    case .line: isSet(.linePattern) || isSet(.lineDasharray)
    case .fillExtrusion: isSet(.fillExtrusionPattern)
    default: false
    }
  }
}
