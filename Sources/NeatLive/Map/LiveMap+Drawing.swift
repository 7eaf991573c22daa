import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

extension LiveMap {
  /// The view as it stands now, from what is there.
  package func draw() throws(NeatError) -> Picture {
    let core = try loadedCore()
    return try environment.reserving(core.style, size) { executor throws(NeatError) in
      let transform = try show(core)
      prepare(core, transform, executor)
      let frame = core.frame(transform)
      return Picture(bitmap: try frame.rasterize(executor), report: frame.report)
    }
  }

  /// The view as it stands now, from what is there, as a GPU draws it.
  package func meshFrame() throws(NeatError) -> MeshFrame {
    let core = try loadedCore()
    return try environment.reserving(core.style, size, hasPixels: false) { executor throws(NeatError) in
      let transform = try show(core)
      let isComplete = prepare(core, transform, executor)
      var frame = core.meshFrame(transform, executor)
      frame.isComplete = isComplete && !requests.isUnderWay
      return frame
    }
  }

  /// Lays out what is there; whether that is all.
  @discardableResult private func prepare(_ core: MapCore, _ transform: Transform, _ executor: Executor)
    -> Bool
  {
    guard !core.prepare(transform, executor).isEmpty else { return true }
    // Glyphs that this lacks are asked for by the next turn.
    if !core.layOutWhatIsThere(transform, executor).isEmpty { scheduleTurn() }
    return false
  }

  /// The view of this moment, which is shown from now on.
  private func show(_ core: MapCore) throws(NeatError) -> Transform {
    _ = core.advanceTransitions(to: Double(loop.updateNowMS()))
    lifecycle.show()
    return try Transform(camera: camera, size: size, isMoving: animation != nil)
  }
}
