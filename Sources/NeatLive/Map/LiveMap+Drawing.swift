import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

extension LiveMap {
  /// What the host takes.
  var frameForm: TurnWork.Form { takesMeshes ? .meshes : takesFrames ? .pictures : .wholePictures }

  /// Keeps the frame of a turn, before the host is told that it is there: the one that workers made, or another
  /// one where a handler has changed something since `change`. Where the view had moved on before, its frame is
  /// the next turn's, and a host that draws now has it made anew.
  func makeFrame(_ core: MapCore, _ made: TurnWork?, _ change: UInt64, isComplete: Bool) {
    let before = placementNumber
    isPlacementChanged = false
    guard isComplete || takesFrames, let view = currentView else { return }
    let ready = change == changeNumber && made?.form == frameForm ? made?.outcome.frame : nil
    var frame =
      ready
      ?? ReadyFrame(
        core, view, frameForm, environment.executor, frameStep(), puckScene(), debugOptions)
    frameView = ready == nil ? view : made?.view
    noteMade(frame.outcome)
    placementNumber = frame.placementNumber
    isPlacementChanged = before != placementNumber
    if case .meshes(var meshes) = frame {
      meshes.isComplete = isComplete
      frame = .meshes(meshes)
    }
    // A handler changed something: it is not what there is any more.
    self.frame = change == changeNumber && (made?.change ?? change) == change ? frame : nil
  }

  /// The view of this moment. Camera and size were checked when they were set.
  var currentView: Transform? {
    guard let core else { return try? Transform(camera: camera, size: size, isMoving: isCameraMoving) }
    return try? core.transform(camera, size, isMoving: isCameraMoving)
  }

  /// The view as it stands now, from what is there.
  package func draw() throws(NeatError) -> Picture {
    let core = try loadedCore()
    try checkNotDrawing()
    (takesFrames, takesMeshes) = (true, false)
    let began = MonotonicClock.nanoseconds
    takeWork(core)
    // What could not be read for want of memory is asked for again with the next turn.
    if core.forgetShortage() { scheduleTurn() }
    var (view, shown) = (frameView, FrameHistory?.none)
    let picture = try environment.reserving(PictureMemory.Needs(core.style), size) {
      executor throws(NeatError) in
      let frame: Frame
      if case .picture(let ready)? = self.frame {
        frame = ready
      } else {
        let transform = try show(core)
        carryAnnotations(core)
        prepare(core, transform, executor)
        frame = core.frame(transform, step: frameStep(), puck: puckScene(), debug: debugOptions)
        view = transform
      }
      let (generation, change) = (generation, changeNumber)
      let bitmap = try frame.rasterize(executor, custom: customPainter(view, executor))
      var report = frame.report
      reportCustom(in: &report)
      var picture = Picture(bitmap: bitmap, report: report)
      // The application may have done anything while it drew a layer of its own.
      try checkIsThere()
      guard generation == self.generation else { return picture }
      drawOrnaments(on: &picture, core, view)
      if isFlipped { picture.bitmap.flip() }
      noteShown(frame.outcome, of: view, since: began, change)
      shown = frame.outcome?.history
      return picture
    }
    // Last: a handler may do anything.
    placeViews(in: view, shown)
    return picture
  }

  private func checkIsThere() throws(NeatError) {
    guard !isDestroyed else { throw NeatError(.state, "the map was destroyed while it was drawn") }
  }

  /// The view as it stands now, from what is there, as a GPU draws it.
  package func meshFrame() throws(NeatError) -> MeshFrame {
    let core = try loadedCore()
    try checkNotDrawing()
    (takesFrames, takesMeshes) = (true, true)
    let began = MonotonicClock.nanoseconds
    takeWork(core)
    var (view, shown) = (frameView, FrameHistory?.none)
    let frame = try environment.reserving(PictureMemory.Needs(core.style), size, hasPixels: false) {
      executor throws(NeatError) in
      if case .meshes(let ready)? = self.frame {
        shown = ready.outcome?.history
        return try finished(ready, core, frameView, since: began)
      }
      let transform = try show(core)
      carryAnnotations(core)
      let isComplete = prepare(core, transform, executor)
      var frame = core.meshFrame(
        transform, executor, step: frameStep(), puck: puckScene(), debug: debugOptions)
      (view, shown) = (transform, frame.outcome?.history)
      frame.isComplete = isComplete && !requests.isUnderWay
      return try finished(frame, core, transform, since: began)
    }
    placeViews(in: view, shown)
    return frame
  }

  /// A frame with what is drawn in it when the host takes it.
  private func finished(_ frame: MeshFrame, _ core: MapCore, _ view: Transform?, since began: UInt64)
    throws(NeatError) -> MeshFrame
  {
    let (generation, change) = (generation, changeNumber)
    let frame = addCustom(to: frame, view)
    try checkIsThere()
    guard generation == self.generation else { return frame }
    noteShown(frame.outcome, of: view, since: began, change)
    return addOrnaments(to: frame, core, view)
  }

  /// A host has a frame, whose making began at `began`: nanoseconds.
  /// - Parameter change: `changeNumber` before the application drew what is its own.
  private func noteShown(_ outcome: FrameOutcome?, of view: Transform?, since began: UInt64, _ change: UInt64)
  {
    noteTaken(outcome, of: view)
    lifecycle.show()
    noteDrawn(since: began, change: change)
  }

  /// Whether a view is of the camera and the size that are set.
  func isOfNow(_ view: Transform) -> Bool { view.camera == camera && view.size == size }

  /// What workers have begun is not done twice, and what waits for a worker is done here: the frame is taken where
  /// it is still what there is.
  private func takeWork(_ core: MapCore) {
    guard let work, frame == nil, !isTransitioning, work.change == changeNumber, work.form == frameForm,
      isOfNow(work.view)
    else { return }
    if !work.run(core, environment.executor) { _ = work.isDone.wait(until: .never) }
    (frame, frameView) = (work.outcome.frame, work.view)
    if case .meshes(var meshes)? = frame {
      meshes.isComplete = work.outcome.needs.isEmpty && !requests.isUnderWay && !isTurnOwed
      frame = .meshes(meshes)
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
    ornaments.forget()
    core?.reduceMemory(keeping: currentView)
    ProcessMemory.giveBack()
  }

  /// The view of this moment, which is shown from now on.
  private func show(_ core: MapCore) throws(NeatError) -> Transform {
    if !clock.isOfHost { _ = loop.updateNowMS() }
    _ = core.advanceTransitions(to: frameTime)
    return try core.transform(camera, size, isMoving: isCameraMoving)
  }
}
