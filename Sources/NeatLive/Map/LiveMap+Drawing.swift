import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

/// The frame of a turn: what a host then draws.
enum ReadyFrame {
  /// Commands for the raster.
  case picture(Frame)
  /// For a GPU.
  case meshes(MeshFrame)
}

extension LiveMap {
  /// Makes the frame of a turn, in the form that the host takes, before the host is told that it is there. For a
  /// host that has never taken one only whole ones, which say whether other labels stand.
  func makeFrame(_ core: MapCore, _ transform: Transform, isComplete: Bool) {
    let before = placementNumber
    isPlacementChanged = false
    guard isComplete || takesFrames else { return }
    // Its handler may have changed the view: what is told of is drawn anew.
    var transform = transform
    if let moving = try? Transform(camera: camera, size: size, isMoving: isCameraMoving) {
      transform = moving
    }
    if takesMeshes {
      var made = core.meshFrame(transform, environment.pool.executor)
      made.isComplete = isComplete
      placementNumber = made.placementNumber
      frame = .meshes(made)
    } else {
      let made = core.frame(transform)
      placementNumber = made.placementNumber
      frame = .picture(made)
    }
    isPlacementChanged = before != placementNumber
    // A handler changed something: it is not what there is any more.
    if turnTimer != nil { frame = nil }
  }

  /// The view as it stands now, from what is there.
  package func draw() throws(NeatError) -> Picture {
    let core = try loadedCore()
    (takesFrames, takesMeshes) = (true, false)
    return try environment.reserving(core.style, size) { executor throws(NeatError) in
      let frame: Frame
      if case .picture(let ready)? = self.frame {
        frame = ready
      } else {
        let transform = try show(core)
        prepare(core, transform, executor)
        frame = core.frame(transform)
      }
      lifecycle.show()
      return Picture(bitmap: try frame.rasterize(executor), report: frame.report)
    }
  }

  /// The view as it stands now, from what is there, as a GPU draws it.
  package func meshFrame() throws(NeatError) -> MeshFrame {
    let core = try loadedCore()
    (takesFrames, takesMeshes) = (true, true)
    return try environment.reserving(core.style, size, hasPixels: false) { executor throws(NeatError) in
      defer { lifecycle.show() }
      if case .meshes(let ready)? = self.frame { return ready }
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
    let glyphs = core.layOutWhatIsThere(transform, executor)
    if !glyphs.allSatisfy(requests.isUnderWay) { scheduleTurn() }
    return false
  }

  /// Drops decoded tiles, layouts and atlases that the view does not need.
  package func reduceMemoryUse() {
    frame = nil
    core?.reduceMemory(keeping: try? Transform(camera: camera, size: size))
    ProcessMemory.giveBack()
  }

  /// The view of this moment, which is shown from now on.
  private func show(_ core: MapCore) throws(NeatError) -> Transform {
    _ = core.advanceTransitions(to: Double(loop.updateNowMS()))
    return try Transform(camera: camera, size: size, isMoving: isCameraMoving)
  }
}
