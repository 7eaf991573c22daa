import NeatBase
import NeatCamera
import NeatLoop
import NeatMap
import Synchronization

/// What workers do of a turn: reading, cutting and laying out what is there of a view, and making its frame.
final class TurnWork: Sendable {
  /// What the host takes of it.
  enum Form: Sendable {
    /// It has taken none so far: only whole ones are made, which say whether other labels stand.
    case wholePictures
    case pictures, meshes
  }

  struct Outcome: Sendable {
    /// What the view lacked by then.
    var needs: [Need] = []
    var frame: ReadyFrame?
  }

  let view: Transform
  let form: Form
  /// How many changes there had been.
  let change: UInt64
  let step: FrameStep
  let puck: PuckScene?
  let debug: DebugOptions
  let isDone = Signal()
  private let result = Locked(Outcome())

  init(
    _ view: Transform, _ form: Form, change: UInt64, step: FrameStep, puck: PuckScene?,
    debug: DebugOptions
  ) {
    (self.view, self.form, self.change, self.step, self.puck) = (view, form, change, step, puck)
    self.debug = debug
  }

  var outcome: Outcome { result.withLock { $0 } }

  private let isBegun = Atomic(false)

  /// Does it, unless somebody has begun to: false then.
  @discardableResult func run(_ core: MapCore, _ executor: Executor) -> Bool {
    guard !isBegun.exchange(true, ordering: .relaxed) else { return false }
    let needs = Trace.span("prepare", .frame) { core.prepareWhatIsThere(view, executor) }
    let frame =
      needs.isEmpty || form != .wholePictures
      ? ReadyFrame(core, view, form, executor, step, puck, debug) : nil
    result.withLock { $0 = Outcome(needs: needs, frame: frame) }
    isDone.set()
    return true
  }
}

/// The frame of a turn: what a host then draws.
enum ReadyFrame: Sendable {
  /// Commands for the raster.
  case picture(Frame)
  /// For a GPU.
  case meshes(MeshFrame)

  init(
    _ core: MapCore, _ view: Transform, _ form: TurnWork.Form, _ executor: Executor, _ step: FrameStep,
    _ puck: PuckScene?, _ debug: DebugOptions
  ) {
    self =
      form == .meshes
      ? .meshes(core.meshFrame(view, executor, step: step, puck: puck, debug: debug))
      : .picture(core.frame(view, step: step, puck: puck, debug: debug))
  }

  /// What it leaves to the next frame.
  var outcome: FrameOutcome? {
    switch self {
    case .picture(let frame): frame.outcome
    case .meshes(let frame): frame.outcome
    }
  }

  /// Of the labels that stand.
  var placementNumber: Int {
    switch self {
    case .picture(let frame): frame.placementNumber
    case .meshes(let frame): frame.placementNumber
    }
  }
}
