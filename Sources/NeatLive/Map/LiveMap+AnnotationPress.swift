import NeatBase
import NeatCamera
import NeatLoop
import NeatMap

/// A pointer that is down on a map with annotations.
struct AnnotationPress {
  /// Where and when it came down.
  let down: GestureInput.Pointer
  /// The annotation under it that may be dragged: then the pointer is no gesture of the camera's.
  let draggable: AnnotationHit?
  var isDragging = false
  /// Pointers that came down meanwhile.
  var others = 0
  /// Whether it stayed for so long that it is a long press.
  var isLong = false
  var timer: LoopTimer?

  /// Milliseconds.
  static let longMS = 500.0

  /// How far it may move and hold still, in logical pixels.
  var slop: Double { down.kind == .mouse ? 3 : 8 }
}

// What pointers do to annotations: a drag of one that may be dragged, and long presses. All else is the camera's, and
// taps are told by its gestures.
extension LiveMap {
  /// Takes a pointer before the camera's gestures do; whether it is theirs no more.
  func takeForAnnotations(_ input: GestureInput.Pointer) throws(NeatError) -> Bool {
    guard !annotations.isEmpty || annotations.press != nil else { return false }
    try input.check()
    pressIfLong(atMS: input.timeMS)
    switch input.phase {
    case .down: return try press(input)
    case .move: return moved(input)
    case .up: return released(input)
    case .cancel: return cancelled(input)
    }
  }

  private func press(_ input: GestureInput.Pointer) throws(NeatError) -> Bool {
    if let press = annotations.press {
      if press.isDragging, press.down.id != input.id {
        annotations.press?.others += 1
        guard press.others + 2 > GestureRecognizer.maxPointers else { return true }
        // A host that loses the ends of pointers would have a drag for ever.
        cancelAnnotationPress()
        throw NeatError(
          .limitExceeded,
          "gesture: pointer \(input.id) is one more than \(GestureRecognizer.maxPointers); none is down any more"
        )
      }
      // One that comes down again had ended.
      if press.isDragging { cancelAnnotationPress() }
      guard !isDestroyed else { return true }
      // Two fingers move the camera.
      if annotations.press != nil {
        endPress()
        if press.draggable != nil { try takeForCamera(press.down) }
        return false
      }
    }
    guard input.button == .primary, gestures.recognizer.isUntouched else { return false }
    var draggable: AnnotationHit?
    if annotations.managers.contains(where: \.hasDraggable), core != nil {
      let top = try annotations(at: input.position).first
      if let top, let id = top.id, (try? annotationManager(top.manager))?[id]?.isDraggable == true {
        draggable = top
      }
    }
    var press = AnnotationPress(down: input, draggable: draggable)
    if !clock.isOfHost {
      press.timer = loop.timer(afterMS: UInt64(saturating: AnnotationPress.longMS)) { [weak self] in
        self?.pressIfLong(atMS: .infinity)
      }
    }
    annotations.press = press
    guard draggable != nil else { return false }
    return endGestureAnimation()
  }

  private func moved(_ input: GestureInput.Pointer) -> Bool {
    guard let press = annotations.press, press.down.id == input.id else {
      return annotations.press?.isDragging == true
    }
    let way = input.position - press.down.position
    if !press.isDragging, (way * way).sum() <= press.slop * press.slop { return press.draggable != nil }
    guard let hit = press.draggable else {
      endPress()
      return false
    }
    if !press.isDragging {
      press.timer?.cancel()
      annotations.press?.isDragging = true
      guard
        changeDragged(hit, at: press.down.position, isBeginning: true, { store, id in store.beginDrag(id) }),
        tell(.dragBegan, hit, at: press.down.position), annotations.press != nil
      else { return true }
    }
    drag(hit, from: press.down.position, to: input.position)
    return true
  }

  /// Moves what is dragged; false where it is gone, or a handler ended it.
  @discardableResult private func drag(_ hit: AnnotationHit, from start: SIMD2<Double>, to end: SIMD2<Double>)
    -> Bool
  {
    guard let here = place(under: end), let there = place(under: start) else { return true }
    let delta = Mercator.project(here) - Mercator.project(there)
    guard changeDragged(hit, at: end, { store, _ in store.drag(by: delta) }) else { return false }
    return tell(.dragChanged, hit, at: end)
  }

  /// Changes the manager of what is dragged; false, and no drag any more, where it is gone.
  private func changeDragged(
    _ hit: AnnotationHit, at point: SIMD2<Double>, isBeginning: Bool = false,
    _ body: (inout AnnotationStore, String) -> Void
  ) -> Bool {
    guard let id = hit.id, let index = try? annotations.index(hit.manager),
      annotations.managers[index][id] != nil, isBeginning || annotations.managers[index].draggedID == id
    else {
      endPress()
      // It was removed or replaced, or its style went.
      if !isBeginning { tell(.dragEnded, hit, at: point) }
      return false
    }
    body(&annotations.managers[index], id)
    if core != nil { invalidate() }
    return true
  }

  private func released(_ input: GestureInput.Pointer) -> Bool {
    guard let press = annotations.press else { return false }
    guard press.down.id == input.id else { return press.isDragging }
    endPress()
    // The camera's gestures have it too: after so long it is no tap of theirs.
    guard let hit = press.draggable else { return false }
    if press.isDragging {
      drag(hit, from: press.down.position, to: input.position)
      if changeDragged(hit, at: input.position, { store, _ in store.endDrag() }) {
        tell(.dragEnded, hit, at: input.position)
      }
    } else if !press.isLong {
      send(.gestureBegan(.singleTap, position: press.down.position))
      if !isDestroyed { tapAnnotations(at: press.down.position) }
      if !isDestroyed { send(.gestureEnded(.singleTap, willAnimate: false)) }
    }
    return true
  }

  private func cancelled(_ input: GestureInput.Pointer) -> Bool {
    guard let press = annotations.press else { return false }
    guard press.down.id == input.id else { return press.isDragging }
    endPress()
    guard let hit = press.draggable else { return false }
    if press.isDragging {
      // It goes back to where it was.
      let point = press.down.position
      if changeDragged(hit, at: point, { store, _ in store.giveUpDrag() }) {
        tell(.dragEnded, hit, at: point)
      }
    }
    return true
  }

  /// Ends a drag where it is, and forgets the pointer.
  func cancelAnnotationPress() {
    guard let press = annotations.press else { return }
    endPress()
    guard press.isDragging, let hit = press.draggable else { return }
    let point = press.down.position
    if changeDragged(hit, at: point, { store, _ in store.endDrag() }) { tell(.dragEnded, hit, at: point) }
  }

  private func endPress() {
    annotations.press?.timer?.cancel()
    annotations.press = nil
  }

  /// Tells a long press whose time has come.
  func pressIfLong(atMS time: Double) {
    guard let press = annotations.press, !press.isDragging, !press.isLong,
      time - press.down.timeMS >= AnnotationPress.longMS
    else { return }
    press.timer?.cancel()
    annotations.press?.isLong = true
    pressAnnotations(at: press.down.position)
  }
}
