import NeatBase

// What takes its time: zooms of taps, wheel and keys, and the box.
extension GestureRecognizer {
  /// A gesture begins that moves the camera itself.
  mutating func stopAnimation(_ scene: inout Scene) { scene.outputs += endAnimation() }

  /// What is still to come of a move of the same kind, so that several in a row come to their sum.
  private func rest(of kind: GestureKind) -> TimedMove? {
    guard case .move(var move)? = animation, move.kind == kind else { return nil }
    let left = 1 - move.progress(atMS: timeMS)
    move.zoom *= left
    move.bearing *= left
    move.pitch *= left
    move.shift *= left
    return move
  }

  /// A zoom in 0.3 s.
  mutating func zoom(
    _ kind: GestureKind, by levels: Double, at point: SIMD2<Double>, _ scene: inout Scene
  ) {
    run(kind, at: point, &scene) { $0.zoom += levels }
  }

  private mutating func run(
    _ kind: GestureKind, at point: SIMD2<Double>, _ scene: inout Scene, _ change: (inout TimedMove) -> Void
  ) {
    let rest = rest(of: kind)
    stopAnimation(&scene)
    var move = TimedMove(
      kind, from: scene.camera, around: options.focalPoint ?? point, startMS: timeMS,
      durationMS: GestureRecognizer.moveMS)
    move.add(rest)
    change(&move)
    move.hold(within: limits, scene.size)
    animation = .move(move)
    scene.outputs.append(.began(kind, position: point))
    scene.outputs.append(.ended(kind, willAnimate: true))
  }

  // MARK: Wheel

  /// As GL JS has it: never more than a level a step. A wheel's steps are spread over time, a trackpad's are small
  /// and done at once.
  mutating func turnWheel(_ input: GestureInput.Wheel, _ scene: inout Scene) {
    guard options.wheelZoomEnabled, input.delta != 0 else { return }
    let rate = input.isTrackpad ? options.trackpadZoomRate : options.wheelZoomRate
    let amount = 1 - log2(1 + exp(-abs(input.delta) * rate))
    let levels = input.delta < 0 ? amount : -amount
    let rest = rest(of: .wheel)
    if rest == nil {
      stopAnimation(&scene)
      scene.outputs.append(.began(.wheel, position: input.position))
    }
    let anchor = options.focalPoint ?? input.position
    if input.isTrackpad {
      var camera = scene.camera
      camera.zoom = limits.zoom(camera.zoom + levels, from: camera, scene.size)
      scene.turn(from: scene.camera, to: camera, around: anchor, limits)
    }
    var move = TimedMove(
      .wheel, from: scene.camera, around: anchor, startMS: timeMS, durationMS: GestureRecognizer.wheelMS)
    move.add(rest)
    if !input.isTrackpad { move.zoom += levels }
    move.hold(within: limits, scene.size)
    animation = .move(move)
  }

  // MARK: Keys

  /// As GL JS has it: + and - zoom, arrows pan by 100 pixels; with Shift they rotate by 15° and pitch by 10°.
  /// Keys that are held with others are the host's.
  mutating func press(_ key: GestureInput.Key, _ modifiers: GestureInput.Modifiers, _ scene: inout Scene) {
    guard options.keyboardEnabled, modifiers.subtracting(.shift).isEmpty else { return }
    let turns = modifiers.contains(.shift)
    var change = TimedMove(.keyboard, from: scene.camera, around: SIMD2(0, 0), startMS: 0, durationMS: 0)
    switch key {
    case .plus: change.zoom = options.zoomAnimationAmount
    case .minus: change.zoom = -options.zoomAnimationAmount
    case .left: if turns { change.bearing = -15 } else { change.shift.x = 100 }
    case .right: if turns { change.bearing = 15 } else { change.shift.x = -100 }
    case .up: if turns { change.pitch = 10 } else { change.shift.y = 100 }
    case .down: if turns { change.pitch = -10 } else { change.shift.y = -100 }
    }
    if turns, change.bearing != 0, !options.rotateEnabled { return }
    if turns, change.pitch != 0, !options.pitchEnabled { return }
    run(.keyboard, at: scene.view(on: limits.projection).middle, &scene) { $0.add(change) }
  }

  // MARK: Box

  /// Shows what the pointer drew a box around: what is in its middle goes to the middle of the view, and the zoom
  /// grows by as much as the box is smaller than the room between the paddings. In a pitched view, where what is
  /// far away is smaller, that is what holds at the box's middle.
  mutating func zoomToBox(_ pointer: GesturePointer, _ scene: inout Scene) {
    let box = pointer.position - pointer.start
    let padding = scene.camera.padding
    let room =
      scene.size.logical - SIMD2(padding.left + padding.right, padding.top + padding.bottom)
    let middle = (pointer.position + pointer.start) / 2
    var move = TimedMove(
      .boxZoom, from: scene.camera, around: middle, startMS: timeMS, durationMS: GestureRecognizer.moveMS)
    move.zoom = log2(min(max(1, room.x) / max(1, abs(box.x)), max(1, room.y) / max(1, abs(box.y))))
    move.shift = scene.view(on: limits.projection).middle - middle
    move.hold(within: limits, scene.size)
    stopAnimation(&scene)
    animation = .move(move)
    scene.outputs.append(.ended(.boxZoom, willAnimate: true))
  }
}

extension TimedMove {
  /// Ends where the limits do.
  mutating func hold(within limits: CameraLimits, _ size: ViewSize) {
    zoom = limits.zoom(start.zoom + zoom, from: start, size) - start.zoom
    pitch = limits.pitch(start.pitch + pitch, from: start) - start.pitch
  }

  mutating func add(_ other: TimedMove?) {
    guard let other else { return }
    zoom += other.zoom
    bearing += other.bearing
    pitch += other.pitch
    shift += other.shift
  }
}
