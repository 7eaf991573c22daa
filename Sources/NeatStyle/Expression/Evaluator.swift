import NeatBase
import NeatTile

/// The resources of evaluations on one thread: registers, scratch memory, and what programs resolved against
/// the layer that features were last read from. What an evaluation looks at comes with each call
/// (`EvaluationPoint`); only what is the same for a whole map is kept here. Not for concurrent use. Create
/// one per thread and keep it: what it has resolved makes the next evaluation fast.
package final class Evaluator {
  /// Frames that are kept; past it all are let go and made anew.
  private static let maxFrames = 16_384

  private struct Recent {
    var programID: UInt64
    var frame: UnsafeMutablePointer<Frame>?
  }

  let hot: UnsafeMutablePointer<HotState>
  private let recent: UnsafeMutablePointer<Recent>
  private let recentMask: UInt64
  private var frames: [UInt64: UnsafeMutablePointer<Frame>] = [:]
  /// The layer that the frames are resolved against: that of the last feature.
  private(set) var layer: TileLayer?

  /// The map's global state.
  package var globalState: [String: ExpressionValue]? { didSet { hot.pointee.stamp &+= 1 } }
  /// Names of the images that there are; nil where that is not known.
  package var availableImages: Set<String>? { didSet { hot.pointee.stamp &+= 1 } }

  /// Values that do not fit a register, of the evaluation under way.
  var heap: [ExpressionValue] = []
  /// Bytes of strings made by the evaluation under way.
  @exclusivity(unchecked) private var scratch = ByteArena(alignment: 1)
  var failure = Failure()
  /// Polygons of `within` in tile units, for the zoom of the last tile.
  var tilePolygonCache: [ObjectIdentifier: TilePolygons] = [:]

  /// Whether the caller will ask why an evaluation failed: otherwise nothing is spent on it.
  var wantsMessages = false

  /// The most that one evaluation may take; a change counts from the next evaluation on.
  package var budget: EvaluationBudget { didSet { hot.pointee.isDirty = true } }
  /// What the evaluations are part of, which has a budget and a deadline of its own.
  package var ledger: WorkLedger? { didSet { hot.pointee.isDirty = true } }
  /// What is evaluated, for messages.
  var subject = "evaluation"
  /// Programs that went past a budget.
  var overruns: [ExpressionOverrun] = []
  /// Steps of the evaluation's budget that `HotState.stepsLeft` does not have yet.
  @exclusivity(unchecked) var stepsBeyond = 0
  /// Steps that were left when they were last counted among the pending ones.
  @exclusivity(unchecked) var countedSteps = 0
  /// Steps, and bytes kept, that the ledger does not know yet.
  @exclusivity(unchecked) var pendingSteps = 0
  @exclusivity(unchecked) var pendingBytes = 0
  /// Features until the next look at the clock.
  @exclusivity(unchecked) var ticks = 0

  /// Why the last evaluation failed.
  struct Failure {
    var pc = 0
    var message = ""
  }

  package convenience init(
    globalState: [String: ExpressionValue]? = nil, availableImages: Set<String>? = nil,
    budget: EvaluationBudget = EvaluationBudget()
  ) {
    self.init(recentCount: 1024, budget: budget)
    self.globalState = globalState
    self.availableImages = availableImages
  }

  /// `recentCount`: of how many programs the frame is found at once, a power of two; 1 for an evaluator that
  /// runs one program and goes.
  package init(recentCount: Int, budget: EvaluationBudget = EvaluationBudget()) {
    assert(recentCount > 0 && recentCount & (recentCount - 1) == 0, "frames are found by the lowest bits")
    self.budget = budget
    hot = .allocate(capacity: 1)
    hot.initialize(
      to: HotState(
        layer: nil, featureCount: 0, valueCount: 0, values: nil, types: nil, generation: 1, stamp: 1,
        isDirty: false, overrun: 0, bytesLeft: 0, stepsLeft: 0))
    recent = .allocate(capacity: recentCount)
    recentMask = UInt64(recentCount - 1)
    recent.initialize(repeating: Recent(programID: 0, frame: nil), count: recentCount)
    resetBudget()
  }

  deinit {
    settleWork()
    dropFrames()
    recent.deallocate()
    hot.deallocate()
  }

  // MARK: layer

  /// Makes the layer of a point's feature the one that frames are resolved against. Where the point has no
  /// feature, nothing is read from the layer, whichever it is.
  @inline(__always)
  private func bind(_ point: MachinePoint) {
    if point.feature >= 0, point.layerAddress != hot.pointee.layer { bind(point.layer) }
  }

  @inline(never)
  private func bind(_ layer: TileLayer?) {
    // Held, so that no other layer can come to have its address.
    self.layer = layer
    hot.pointee.layer = layer.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    hot.pointee.featureCount = layer?.featureCount ?? 0
    hot.pointee.valueCount = layer?.valueCount ?? 0
    hot.pointee.values = layer.map { RawTileValue.pointer($0.values) }
    hot.pointee.types = layer?.types
    hot.pointee.generation &+= 1
  }

  // MARK: frames

  /// The program's frame, resolved against the layer of the point's feature.
  @inline(__always)
  func frame(_ program: Program, _ point: MachinePoint) -> UnsafeMutablePointer<Frame> {
    bind(point)
    let place = recent + Int(program.id & recentMask)
    if place.pointee.programID == program.id, let frame = place.pointee.frame,
      frame.pointee.generation == hot.pointee.generation
    {
      return frame
    }
    return makeFrame(program, place)
  }

  @inline(never)
  private func makeFrame(_ program: Program, _ place: UnsafeMutablePointer<Recent>) -> UnsafeMutablePointer<
    Frame
  > {
    let frame: UnsafeMutablePointer<Frame>
    if let known = frames[program.id] {
      frame = known
    } else {
      if frames.count >= Evaluator.maxFrames { dropFrames() }
      frame = .allocate(capacity: 1)
      frame.initialize(to: Frame(program))
      frames[program.id] = frame
    }
    if frame.pointee.generation != hot.pointee.generation {
      frame.pointee.rebind(program, layer, hot.pointee.generation)
    }
    place.pointee = Recent(programID: program.id, frame: frame)
    assert(frame.pointee.programID == program.id && frame.pointee.generation == hot.pointee.generation)
    assert(frames.count <= Evaluator.maxFrames, "frames are bounded")
    return frame
  }

  /// Lets go of the frame of a program that will not run again.
  func forget(_ program: Program) {
    guard let frame = frames.removeValue(forKey: program.id) else { return }
    let place = recent + Int(program.id & recentMask)
    if place.pointee.programID == program.id { place.pointee = Recent(programID: 0, frame: nil) }
    frame.pointee.free()
    frame.deallocate()
  }

  private func dropFrames() {
    for frame in frames.values {
      frame.pointee.free()
      frame.deallocate()
    }
    frames = [:]
    recent.update(repeating: Recent(programID: 0, frame: nil), count: Int(recentMask) + 1)
  }

  // MARK: columns

  /// Features that are looked up one by one before the column is made.
  private static let usesBeforeColumn = 24

  /// The value index of the feature under a key that has no column yet.
  @inline(never)
  func lookUp(_ key: UnsafeMutablePointer<Frame.Key>, _ feature: Int) -> Int {
    let number = key.pointee.number
    guard number >= 0, feature >= 0, feature < hot.pointee.featureCount, let layer else {
      return -1
    }
    key.pointee.uses &+= 1
    if key.pointee.uses > Evaluator.usesBeforeColumn {
      let column = layer.column(Int(number))
      assert(Int(column[feature]) < layer.valueCount, "columns hold indices of values")
      key.pointee.column = column
      return Int(column[feature])
    }
    return layer.valueIndex(feature: feature, key: Int(number))
  }

  /// Room for remembering the branches of a table.
  @inline(never)
  func makeMemo(_ frame: UnsafeMutablePointer<Frame>, _ table: Int) -> UnsafeMutablePointer<UInt16> {
    let count = max(1, hot.pointee.valueCount)
    assert(table < frame.pointee.tableCount && frame.pointee.memos[table] == nil, "made once a layer")
    let memo = UnsafeMutablePointer<UInt16>.allocate(capacity: count)
    memo.initialize(repeating: 0, count: count)
    frame.pointee.memos[table] = memo
    return memo
  }

  // MARK: memory of an evaluation

  /// Bytes that live until the next evaluation; none where they are past its budget.
  func allocate(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    guard charge(bytes: count), charge(reading: count) else {
      return UnsafeMutableBufferPointer(start: nil, count: 0)
    }
    let start = scratch.reserve(count).assumingMemoryBound(to: UInt8.self)
    scratch.keep(count)
    return UnsafeMutableBufferPointer(start: start, count: count)
  }

  func copy(_ text: String) -> UnsafeBufferPointer<UInt8> {
    var text = text
    return text.withUTF8 { copy($0) }
  }

  func copy(_ source: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    let target = allocate(source.count)
    _ = target.initialize(from: source.prefix(target.count))
    return UnsafeBufferPointer(target)
  }

  /// Lets go of what the evaluation before made.
  @inline(never)
  func clean() {
    scratch.reset()
    heap.removeAll(keepingCapacity: heap.capacity <= Evaluator.keptHeap)
    if wantsMessages { failure = Failure() }
    resetBudget()
    hot.pointee.isDirty = false
  }

  /// Values that the heap keeps room for from one evaluation to the next.
  private static let keptHeap = 4096

  // MARK: failure

  /// Records why the evaluation fails, where that is wanted. Where it went past a budget, that is why.
  func fail(_ pc: Int, _ message: () -> String) {
    guard wantsMessages else { return }
    failure = Failure(pc: pc, message: isOverrun ? overrunMessage : Evaluator.shortened(message()))
  }

  /// Bytes of a message that quotes what the data says.
  private static let messageBytes = 4096

  private static func shortened(_ message: String) -> String {
    guard message.utf8.count > messageBytes else { return message }
    return String(decoding: message.utf8.prefix(messageBytes), as: UTF8.self) + " …"
  }
}
