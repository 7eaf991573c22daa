import NeatBase
import NeatLayout
import NeatRaster
import NeatStyle

/// What a frame is made in. It serves for one frame after the other, so that those of a map that moves take hardly
/// any memory from the system. One thread makes a frame; once it is made, any number may draw it.
final class FrameMemory: @unchecked Sendable {
  var commands: [DrawCommand] = []
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

  /// Empties it, and keeps its memory.
  fileprivate func removeAll() {
    commands.removeAll(keepingCapacity: true)
    translations.forget()
    fills.removeAll()
    lines.removeAll()
    symbols.removeAll()
  }

  fileprivate var byteCount: Int {
    commands.heldBytes + fills.byteCount + lines.byteCount
      + symbols.byteCount
  }
}

/// The memory of a map's frames that nobody looks at any more.
final class FrameMemories: Sendable {
  /// Frames whose memory is kept: one is shown while the next one is made. And bytes of each.
  private static let limit = 2
  private static let byteLimit = 32 << 20

  private let idle = Locked<[FrameMemory]>([])
  let workers = BandWorkers()
  let groundPictures = GroundPictures()

  func take() -> FrameMemory { idle.withLock { $0.popLast() } ?? FrameMemory() }

  func give(_ memory: FrameMemory) {
    memory.removeAll()
    guard memory.byteCount <= FrameMemories.byteLimit else { return }
    idle.withLock { if $0.count < FrameMemories.limit { $0.append(memory) } }
  }

  /// Gives all of it back.
  func removeAll() {
    idle.withLock { $0 = [] }
    workers.removeAll()
    groundPictures.removeAll()
  }
}

/// The memory of a frame, which goes back to its map when the last copy of the frame is gone.
final class FrameContent: Sendable {
  fileprivate let memory: FrameMemory
  private let origin: FrameMemories

  init(_ memory: FrameMemory, from origin: FrameMemories) { (self.memory, self.origin) = (memory, origin) }

  deinit { origin.give(memory) }

  var commands: [DrawCommand] { memory.commands }
  var workers: BandWorkers { origin.workers }
}
