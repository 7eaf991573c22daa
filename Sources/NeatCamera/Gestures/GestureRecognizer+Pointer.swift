import NeatBase

// One finger, or the mouse: tap, double tap, pan, quick zoom; with the second button rotation and pitch; with Shift
// the box.
extension GestureRecognizer {
  mutating func down(_ input: GestureInput.Pointer, _ scene: inout Scene) {
    if index(of: input.id) != nil { cancelPointer(input.id, &scene) }
    if case .glide? = animation { scene.outputs += endAnimation() }
    let time = timeMS
    if pointers.isEmpty {
      sequence = TapSequence()
      sequence.startMS = time
    }
    pointers.append(GesturePointer(input, atMS: time))
    group(&scene)
  }

  mutating func move(_ input: GestureInput.Pointer, _ scene: inout Scene) {
    guard let index = index(of: input.id), pointers[index].position != input.position else { return }
    pointers[index].position = input.position
    switch phase {
    case .none: break
    case .pressed(let isSecondTap): if pointers[0].hasMoved { begin(isSecondTap, &scene) }
    case .fingers: moveFingers(&scene)
    case .panning, .quickZooming, .turning, .boxing: follow(&scene)
    }
  }

  mutating func up(_ input: GestureInput.Pointer, _ scene: inout Scene) {
    move(input, &scene)
    guard let index = index(of: input.id) else { return }
    let pointer = pointers.remove(at: index)
    switch phase {
    case .pressed(let isSecondTap) where sequence.isTap: tap(pointer, isSecondTap, &scene)
    case .panning(let pan): endPan(pan, pointer, &scene)
    case .boxing: zoomToBox(pointer, &scene)
    case .none, .pressed, .quickZooming, .turning, .fingers: scene.outputs += phase.ended
    }
    phase = .none
    if pointers.isEmpty, let middle = sequence.doubleTouch { doubleTouch(middle, &scene) }
    group(&scene)
  }

  mutating func cancelPointer(_ id: Int64, _ scene: inout Scene) {
    guard let index = index(of: id) else { return }
    pointers.remove(at: index)
    sequence.isTap = false
    sequence.doubleTouch = nil
    lastTap = nil
    group(&scene)
  }

  /// The number of pointers changed: what they did before is over, and what they do now begins where they are.
  private mutating func group(_ scene: inout Scene) {
    scene.outputs += phase.ended
    phase = .none
    for index in pointers.indices {
      (pointers[index].start, pointers[index].startMS) = (pointers[index].position, timeMS)
    }
    switch pointers.count {
    case 1:
      let pointer = pointers[0]
      guard pointer.button != .middle else { return }
      phase = .pressed(isSecondTap: sequence.isTap && isSecondTap(pointer))
    case 2 where pointers.allSatisfy { $0.button == .primary }:
      let middle = (pointers[0].position + pointers[1].position) / 2
      sequence.doubleTouch =
        sequence.isTap && timeMS - sequence.startMS <= GestureRecognizer.doubleTapMS ? middle : nil
      sequence.isTap = false
      phase = .fingers(Fingers(pointers[0].position, pointers[1].position, scene.camera, atMS: timeMS))
    case 0: break
    default:
      sequence.isTap = false
      sequence.doubleTouch = nil
    }
  }

  // MARK: Taps

  private func isSecondTap(_ pointer: GesturePointer) -> Bool {
    guard let lastTap, pointer.button == .primary else { return false }
    return timeMS - lastTap.timeMS <= GestureRecognizer.doubleTapMS
      && length(pointer.position - lastTap.position) <= GestureRecognizer.doubleTapDistance
  }

  private mutating func tap(_ pointer: GesturePointer, _ isSecondTap: Bool, _ scene: inout Scene) {
    lastTap = nil
    guard pointer.button == .primary, timeMS - sequence.startMS <= GestureRecognizer.tapMS else { return }
    if isSecondTap, options.doubleTapToZoomInEnabled {
      zoom(.doubleTapToZoomIn, by: options.zoomAnimationAmount, at: pointer.position, &scene)
    } else {
      lastTap = (pointer.position, timeMS)
      scene.outputs.append(.began(.singleTap, position: pointer.position))
      scene.outputs.append(.ended(.singleTap, willAnimate: false))
    }
  }

  private mutating func doubleTouch(_ middle: SIMD2<Double>, _ scene: inout Scene) {
    guard options.doubleTouchToZoomOutEnabled, timeMS - sequence.startMS <= GestureRecognizer.tapMS else {
      return
    }
    zoom(.doubleTouchToZoomOut, by: -options.zoomAnimationAmount, at: middle, &scene)
  }

  // MARK: Drags

  /// The pointer has moved away from where it came down.
  private mutating func begin(_ isSecondTap: Bool, _ scene: inout Scene) {
    let pointer = pointers[0]
    sequence.isTap = false
    sequence.doubleTouch = nil
    lastTap = nil
    phase = .none
    let grip = Grip(scene.camera, pointer.start)
    if pointer.turns {
      let rotates = options.dragRotateEnabled && options.rotateEnabled
      let pitches = options.dragRotateEnabled && options.pitchEnabled
      guard rotates || pitches else { return }
      stopAnimation(&scene)
      phase = .turning(Grip(scene.camera, pointer.start), rotates: rotates, pitches: pitches)
      if rotates { scene.outputs.append(.began(.rotation, position: pointer.start)) }
      if pitches { scene.outputs.append(.began(.pitch, position: pointer.start)) }
    } else if pointer.modifiers.contains(.shift), options.boxZoomEnabled {
      stopAnimation(&scene)
      phase = .boxing
      scene.outputs.append(.began(.boxZoom, position: pointer.start))
    } else if isSecondTap, options.quickZoomEnabled {
      stopAnimation(&scene)
      phase = .quickZooming(grip)
      scene.outputs.append(.began(.quickZoom, position: pointer.start))
    } else if options.panEnabled, !scene.view(on: limits.projection).isAboveHorizon(pointer.start) {
      stopAnimation(&scene)
      phase = .panning(Pan(grip, atMS: pointer.startMS))
      scene.outputs.append(.began(.pan, position: pointer.start))
    }
    follow(&scene)
  }

  /// Does what the pointer has moved by.
  private mutating func follow(_ scene: inout Scene) {
    let position = pointers[0].position
    switch phase {
    case .panning(var pan):
      // Where it was until now: what else moved the camera stays.
      pan.grip.renew(scene.camera, pan.last)
      pan.add(position, atMS: timeMS)
      let view = GroundView(pan.grip.start, scene.size, on: limits.projection)
      let to = options.panMode.held(position, pan.grip.position)
      let camera = view.camera(showing: view.ground(pan.grip.position), at: to)
      scene.move(to: limits.camera(camera, from: pan.grip.start, scene.size))
      pan.grip.made = scene.camera
      phase = .panning(pan)
    case .quickZooming(var grip):
      grip.renew(scene.camera, position)
      let start = grip.start
      let zoom = limits.zoom(start.zoom + (position.y - grip.position.y) / 75, from: start, scene.size)
      var camera = start
      camera.zoom = zoom
      scene.turn(from: start, to: camera, around: options.focalPoint, limits)
      grip.made = scene.camera
      phase = .quickZooming(grip)
    case .turning(var grip, let rotates, let pitches):
      grip.renew(scene.camera, position)
      let way = position - grip.position
      var camera = grip.start
      if rotates { camera.bearing = GroundView.wrapped(camera.bearing + 0.8 * way.x) }
      if pitches { camera.pitch = limits.pitch(camera.pitch - 0.5 * way.y, from: camera) }
      scene.turn(from: grip.start, to: camera, around: options.focalPoint, limits)
      grip.made = scene.camera
      phase = .turning(grip, rotates: rotates, pitches: pitches)
    case .none, .pressed, .boxing, .fingers: break
    }
  }

  private mutating func endPan(_ pan: Pan, _ pointer: GesturePointer, _ scene: inout Scene) {
    let velocity = options.panMode.held(pan.velocity(atMS: timeMS), SIMD2(0, 0))
    let position = options.panMode.held(pointer.position, pan.grip.position)
    let glide = Glide(
      scene.camera, scene.size, on: limits.projection, at: position, velocity: velocity,
      factor: options.panDecelerationFactor, startMS: timeMS)
    // Where another finger is down the ground is left alone.
    let glides = glide != nil && pointers.isEmpty
    if let glide, glides {
      stopAnimation(&scene)
      animation = .glide(glide)
    }
    scene.outputs.append(.ended(.pan, willAnimate: glides))
  }
}

extension GestureOptions.PanMode {
  /// A vector, with what of it may not change as in another.
  func held(_ value: SIMD2<Double>, _ start: SIMD2<Double>) -> SIMD2<Double> {
    switch self {
    case .horizontalAndVertical: value
    case .horizontal: SIMD2(value.x, start.y)
    case .vertical: SIMD2(start.x, value.y)
    }
  }
}

extension Scene {
  /// Zooms, rotates and pitches around a point, or around the middle.
  /// - Parameter first: the camera that the gesture began with, where it is another one.
  mutating func turn(
    from start: Camera, to camera: Camera, around point: SIMD2<Double>?, _ limits: CameraLimits,
    first: Camera? = nil
  ) {
    var camera = camera
    if let point {
      let ground = GroundView(start, size, on: limits.projection).ground(point)
      camera = GroundView(camera, size, on: limits.projection).camera(showing: ground, at: point)
    }
    move(to: limits.camera(camera, from: first ?? start, size))
  }
}
