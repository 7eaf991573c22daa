import NeatBase

/// The animators of a map, by number: those made by hand run side by side, in the order in which they were made;
/// of easings, flights and glides (`replaces`) there is one at a time.
package struct CameraAnimators: Sendable {
  package struct ID: Hashable, Sendable, Comparable {
    package let number: UInt64
    package static func < (a: ID, b: ID) -> Bool { a.number < b.number }
  }

  /// An animator that has ended: for whoever waits for it.
  package struct Ended: Sendable {
    package let id: ID
    package let animator: CameraAnimator
    package let position: CameraAnimator.Position

    package var owner: String { animator.owner }
  }

  private struct Entry {
    let id: ID
    var animator: CameraAnimator
    let replaces: Bool
  }

  private var entries: [Entry] = []
  private var nextNumber: UInt64 = 1
  private var ended: [Ended] = []

  package init() {}

  /// Those alive: neither ended nor taken away.
  package var alive: [(id: ID, animator: CameraAnimator)] { entries.map { ($0.id, $0.animator) } }

  /// Whether any moves the camera or waits for its delay: frames are due.
  package var isMoving: Bool { entries.contains { $0.animator.state == .active } }

  /// An animator more. `replaces`: it takes the place of the last one that did, which is stopped.
  package mutating func add(_ animator: CameraAnimator, replaces: Bool = false) -> ID {
    if replaces { stop { $0.replaces } }
    let id = ID(number: nextNumber)
    nextNumber += 1
    entries.append(Entry(id: id, animator: animator, replaces: replaces))
    return id
  }

  /// Changes one: starts it, pauses it, reverses it. Throws `state` for one that has ended.
  package mutating func change(_ id: ID, _ body: (inout CameraAnimator) throws(NeatError) -> Void)
    throws(NeatError)
  {
    guard let index = entries.firstIndex(where: { $0.id == id }) else {
      throw NeatError(.state, "the animator has ended")
    }
    try body(&entries[index].animator)
    sweep()
  }

  /// Ends one where it is: also when nobody holds it any more.
  package mutating func stop(_ id: ID) { stop { $0.id == id } }

  /// Ends the easing, flight or glide that is under way.
  package mutating func stopReplaceable() { stop { $0.replaces } }

  /// One of those alive.
  package subscript(id: ID) -> CameraAnimator? { entries.first { $0.id == id }?.animator }

  /// Ends all where they are.
  package mutating func cancelAll() { stop { _ in true } }

  private mutating func stop(_ isMeant: (Entry) -> Bool) {
    for index in entries.indices where isMeant(entries[index]) { entries[index].animator.stop() }
    sweep()
  }

  /// The camera at a time, with all animators' values in the order in which they were made.
  /// - Parameter limits: on what the map lies on; see `CameraAnimator.advance`.
  package mutating func advance(
    _ camera: Camera, toMS now: Double?, size: ViewSize, limits: CameraLimits = .none
  ) -> Camera {
    var camera = camera
    let followsLatitude = !entries.contains { $0.animator.writesZoom(atMS: now) }
    for index in entries.indices {
      camera = entries[index].animator.advance(
        camera, toMS: now, size: size, limits: limits, followsLatitude: followsLatitude)
    }
    sweep()
    return camera
  }

  /// Those that have ended since it was asked last, in the order in which they were made.
  package mutating func takeEnded() -> [Ended] {
    defer { ended = [] }
    return ended.sorted { $0.id < $1.id }
  }

  private mutating func sweep() {
    guard entries.contains(where: { $0.animator.end != nil }) else { return }
    for entry in entries {
      guard let position = entry.animator.end else { continue }
      ended.append(Ended(id: entry.id, animator: entry.animator, position: position))
    }
    entries.removeAll { $0.animator.end != nil }
  }
}
