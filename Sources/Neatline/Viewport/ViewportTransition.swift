import CNeatline

/// A way to a state, with the function of version 10 of the mobile SDKs. The map has two of its own
/// (`DefaultViewportTransition`, `ImmediateViewportTransition`); hosts make others.
public protocol ViewportTransition: AnyObject {
  /// Moves the camera to where the state wants it, then calls `completion`: with true where it is there, with false
  /// where it did not get there. When the result is cancelled it moves the camera no more.
  func run(to toState: any ViewportState, completion: @escaping (Bool) -> Void) -> any Cancelable
}

/// How long a default transition takes.
public struct DefaultViewportTransitionOptions: Hashable, Sendable {
  /// Seconds at most, 0 to a day.
  public var maxDuration: Double

  /// 3.5 s at most.
  public init(maxDuration: Double = 3.5) { self.maxDuration = maxDuration }
}

/// A transition in which each value of the camera goes by itself: down, the way along the ground leads and the zoom
/// follows; up, the zoom leads. `ViewportManager.makeDefaultViewportTransition`.
public final class DefaultViewportTransition: ViewportTransition {
  private weak var map: Map?
  private(set) var pointer: OpaquePointer
  private var given: DefaultViewportTransitionOptions

  init(_ map: Map, _ options: DefaultViewportTransitionOptions) throws(NeatlineError) {
    self.map = map
    pointer = try handle { neat_map_make_default_transition(map.pointer, options.maxDuration * 1000, $0) }
    given = options
  }

  deinit { neat_viewport_transition_destroy(pointer) }

  /// How long it takes, from the next time it is run. A time that is none is not taken.
  public var options: DefaultViewportTransitionOptions {
    get { given }
    set {
      guard let map,
        let made = try? handle({
          neat_map_make_default_transition(map.pointer, newValue.maxDuration * 1000, $0)
        })
      else { return }
      neat_viewport_transition_destroy(pointer)
      (pointer, given) = (made, newValue)
    }
  }

  /// Nothing: the map runs its own transitions by itself.
  public func run(to toState: any ViewportState, completion: @escaping (Bool) -> Void) -> any Cancelable {
    completion(false)
    return NoCancelable()
  }
}

/// A transition that is there at once: `ViewportManager.makeImmediateViewportTransition`.
public final class ImmediateViewportTransition: ViewportTransition {
  let pointer: OpaquePointer

  init(_ map: Map) throws(NeatlineError) {
    pointer = try handle { neat_map_make_immediate_transition(map.pointer, $0) }
  }

  deinit { neat_viewport_transition_destroy(pointer) }

  /// Nothing: the map runs its own transitions by itself.
  public func run(to toState: any ViewportState, completion: @escaping (Bool) -> Void) -> any Cancelable {
    completion(false)
    return NoCancelable()
  }
}

private final class NoCancelable: Cancelable {
  func cancel() {}
}
