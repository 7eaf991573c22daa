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
  /// Of a budget, while it is kept for the next frame.
  fileprivate var hold: MemoryHold?
  private let evaluator = Evaluator()

  /// The evaluator of a frame, which knows the style's expressions from the frames before.
  /// - Parameter work: what the frame's evaluations may take together.
  func evaluator(
    globalState: [String: ExpressionValue], _ budget: EvaluationBudget, _ work: WorkLedger?
  ) -> Evaluator {
    if evaluator.globalState != globalState { evaluator.globalState = globalState }
    evaluator.budget = budget
    evaluator.ledger = work
    return evaluator
  }

  /// The programs that went past a budget since the last call.
  func takeOverruns() -> [ExpressionOverrun] { evaluator.takeOverruns() }

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

  /// Bytes that it holds, those of other threads among them.
  fileprivate var frameByteCount: Int {
    others.reduce(byteCount + commands.reduce(0) { $0 + $1.ownByteCount }) { $0 + $1.frameByteCount }
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
  let memory: MemoryBudget
  let workers: BandWorkers
  let groundPictures: GroundPictures

  init(_ memory: MemoryBudget) {
    self.memory = memory
    workers = BandWorkers(memory)
    groundPictures = GroundPictures(memory)
  }

  func take() -> FrameMemory {
    let known = idle.withLock { $0.popLast() }
    // From here on it counts with what the frame comes to.
    known?.hold = nil
    return known ?? FrameMemory()
  }

  func give(_ memory: FrameMemory) {
    for other in memory.others { give(other) }
    memory.removeAll()
    let bytes = memory.byteCount
    memory.hold = nil
    guard let hold = self.memory.takeSpare(bytes) else { return }
    memory.hold = hold
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

  /// Takes what the frame has come to, and what drawing it takes besides, from the budget of its map, but for what the
  /// picture set aside. Throws `outOfMemory`.
  /// - Parameter threads: that draw at the same time.
  func hold(threads: Int) throws(NeatError) -> MemoryHold? {
    let bytes = memory.frameByteCount + commands.reduce(0) { $0 + $1.drawnByteCount(threads: threads) }
    guard bytes > Frame.baseBytes else { return nil }
    return try origin.memory.take(bytes - Frame.baseBytes, for: "drawing a frame")
  }
}

extension DrawCommand {
  /// Bytes of arrays of its own.
  fileprivate var ownByteCount: Int {
    switch self {
    case .extrusion(let draw): draw.byteCount
    case .extrusionMix(let mix): mix.from.byteCount + mix.to.byteCount
    case .heatmap(let heat): heat.points.heldBytes + heat.sheets.heldBytes
    case .apart(let layer): layer.commands.reduce(0) { $0 + $1.ownByteCount }
    default: 0
    }
  }

  /// Bytes that threads take together while they draw it.
  fileprivate func drawnByteCount(threads: Int) -> Int {
    switch self {
    case .extrusion(let draw): DepthLayer.rimBytes(faces: draw.faceCount, threads: threads)
    // Those over a terrain have sums of their own; others are part of what every picture sets aside.
    case .heatmap(let heat): heat.cells.map { MemoryLayout<Float>.stride * $0 * $0 } ?? 0
    case .extrusionMix(let mix):
      DepthLayer.rimBytes(faces: max(mix.from.faceCount, mix.to.faceCount), threads: threads)
    default: 0
    }
  }

  /// Whether its shapes are counted, or there is little of it in any row.
  fileprivate var isCounted: Bool {
    switch self {
    case .background, .fill, .line, .symbols, .fillEdge: true
    default: false
    }
  }
}
