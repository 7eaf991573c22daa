import NeatBase
import NeatLayout
import NeatRaster
import NeatStyle
import Synchronization

/// What a frame is made in. It serves for one frame after the other, so that those of a map that moves take hardly
/// any memory from the system. One thread makes a frame; once it is made, any number may draw it.
final class FrameMemory: @unchecked Sendable {
  var commands: [DrawCommand] = []
  /// The memory of commands that were put into another order.
  private var spare: [DrawCommand] = []
  /// What other threads made their part of the frame in.
  var others: [FrameMemory] = []
  let fills = FillShapes()
  let lines = LineShapes()
  let symbols = SymbolShapes()
  /// Of the symbol layer before.
  var symbolFrame = SymbolFrame()
  var dashes = DashMemory()
  var translations = TranslationMemory()
  private let evaluator = Evaluator()

  /// The evaluator of a frame, which knows the style's expressions from the frames before.
  func evaluator(globalState: [String: ExpressionValue]) -> Evaluator {
    if evaluator.globalState != globalState { evaluator.globalState = globalState }
    return evaluator
  }

  /// An empty array with the memory of one before.
  func takeSpare() -> [DrawCommand] {
    defer { spare = [] }
    return spare
  }

  /// Takes other commands for its own.
  func replaceCommands(_ ordered: [DrawCommand]) {
    commands.removeAll(keepingCapacity: true)
    (spare, commands) = (commands, ordered)
  }

  /// Empties it, and keeps its memory.
  fileprivate func removeAll() {
    commands.removeAll(keepingCapacity: true)
    others.removeAll(keepingCapacity: true)
    translations.forget()
    fills.removeAll()
    lines.removeAll()
    symbols.removeAll()
  }

  /// Adds what shapes cost to draw, by steps of rows: its own and those of the other threads'.
  func addCosts(to sums: inout [Float], height: Int) {
    fills.addCosts(to: &sums)
    lines.addCosts(to: &sums)
    symbols.addCosts(to: &sums, height: height)
    for other in others { other.addCosts(to: &sums, height: height) }
  }

  fileprivate var byteCount: Int {
    commands.heldBytes + spare.heldBytes + fills.byteCount + lines.byteCount
      + symbols.byteCount
  }
}

/// The memory of a map's frames that nobody looks at any more.
final class FrameMemories: Sendable {
  /// Memories that are kept, those of a frame's threads among them: one frame is shown while the next one is made. And
  /// bytes of all.
  private static let limit = 18
  private static let byteLimit = 64 << 20

  private let idle = Locked<[FrameMemory]>([])
  let workers = BandWorkers()
  let groundPictures = GroundPictures()

  func take() -> FrameMemory { idle.withLock { $0.popLast() } ?? FrameMemory() }

  func give(_ memory: FrameMemory) {
    for other in memory.others { give(other) }
    memory.removeAll()
    let bytes = memory.byteCount
    idle.withLock { idle in
      let held = idle.reduce(0) { $0 + $1.byteCount }
      if idle.count < FrameMemories.limit, held + bytes <= FrameMemories.byteLimit { idle.append(memory) }
    }
  }

  /// Gives all of it back.
  func removeAll() {
    idle.withLock { $0 = [] }
    workers.removeAll()
    groundPictures.removeAll()
  }
}

/// The memory of a frame, which goes back to its map when the last copy of the frame is gone, or before.
final class FrameContent: Sendable {
  fileprivate let memory: FrameMemory
  private let origin: FrameMemories
  private let isGiven = Atomic(false)

  init(_ memory: FrameMemory, from origin: FrameMemories) { (self.memory, self.origin) = (memory, origin) }

  deinit { giveBack() }

  /// Nobody looks at the frame any more. Not while somebody holds its commands: these would be copied.
  func giveBack() {
    if isGiven.exchange(true, ordering: .acquiringAndReleasing) { return }
    origin.give(memory)
  }

  var commands: [DrawCommand] {
    assert(!isGiven.load(ordering: .relaxed), "commands of a frame whose memory is another's by now")
    return memory.commands
  }

  /// What drawing costs by steps of rows; nil where something is drawn that is not counted.
  func costs(width: Int, height: Int) -> [Float]? {
    guard commands.allSatisfy(\.isCounted) else { return nil }
    // Ground, and what each row has of it.
    let row = 100 + 0.2 * Float(width)
    var sums = [Float](repeating: row * Float(RowCosts.step), count: RowCosts.steps(height))
    memory.addCosts(to: &sums, height: height)
    return sums
  }

  var workers: BandWorkers { origin.workers }
}

extension DrawCommand {
  /// Whether its shapes are counted, or there is little of it in any row.
  fileprivate var isCounted: Bool {
    switch self {
    case .background, .fill, .line, .symbols, .fillEdge: true
    default: false
    }
  }
}
