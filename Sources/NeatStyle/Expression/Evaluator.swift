import NeatBase
import NeatTile

/// The state of evaluations on one thread: the context, the registers, and what programs resolved against the
/// layer at hand. Not for concurrent use. Create one per thread and keep it: what it has resolved makes the
/// next evaluation fast.
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
  /// The context but for what `hot` holds.
  var stored = EvaluationContext()

  /// Values that do not fit a register, of the evaluation under way.
  var heap: [ExpressionValue] = []
  /// Bytes of strings made by the evaluation under way.
  @exclusivity(unchecked) private var scratch = ByteArena(alignment: 1)
  var failure = Failure()
  /// Polygons of `within` in tile units, for the zoom of the last tile.
  var tilePolygonCache: [ObjectIdentifier: TilePolygons] = [:]

  /// Whether the caller will ask why an evaluation failed: otherwise nothing is spent on it.
  var wantsMessages = false

  /// Why the last evaluation failed.
  struct Failure {
    var pc = 0
    var message = ""
  }

  package convenience init() { self.init(recentCount: 1024) }

  /// `recentCount`: of how many programs the frame is found at once, a power of two.
  init(recentCount: Int) {
    hot = .allocate(capacity: 1)
    hot.initialize(
      to: HotState(
        feature: -1, zoom: 0, heatmapDensity: 0, lineProgress: 0, elevation: 0, skyRadialProgress: 0,
        featureCount: 0, valueCount: 0,
        values: nil, tagStarts: nil, tags: nil, types: nil, generation: 1, stamp: 1, isDirty: false))
    recent = .allocate(capacity: recentCount)
    recentMask = UInt64(recentCount - 1)
    recent.initialize(repeating: Recent(programID: 0, frame: nil), count: recentCount)
  }

  deinit {
    dropFrames()
    recent.deallocate()
    hot.deallocate()
  }

  // MARK: context

  /// Everything an evaluation may look at. Setting the whole costs more than setting `feature` or `zoom`
  /// alone.
  package var context: EvaluationContext {
    get {
      var context = stored
      context.feature = hot.pointee.feature
      context.zoom = hot.pointee.zoom
      return context
    }
    set {
      bind(layer: newValue.layer)
      stored = newValue
      hot.pointee.stamp &+= 1
      hot.pointee.feature = newValue.feature
      hot.pointee.zoom = newValue.zoom
      hot.pointee.heatmapDensity = newValue.heatmapDensity ?? 0
      hot.pointee.lineProgress = newValue.lineProgress ?? 0
      hot.pointee.skyRadialProgress = newValue.skyRadialProgress ?? 0
      hot.pointee.elevation = newValue.elevation ?? 0
    }
  }

  /// Makes a layer the one that features are read from. Nothing happens if it is already.
  package func bind(layer: TileLayer?) {
    guard layer !== stored.layer else { return }
    stored.layer = layer
    hot.pointee.feature = -1
    hot.pointee.featureCount = layer?.featureCount ?? 0
    hot.pointee.valueCount = layer?.valueCount ?? 0
    hot.pointee.values = layer.map { RawTileValue.pointer($0.values) }
    hot.pointee.tagStarts = layer?.tagStarts
    hot.pointee.tags = layer?.tags
    hot.pointee.types = layer?.types
    hot.pointee.generation &+= 1
  }

  /// Index of the feature in the bound layer; -1 (or anything outside) for none.
  package var feature: Int {
    @inline(__always) get { hot.pointee.feature }
    @inline(__always) set { hot.pointee.feature = newValue }
  }

  package var zoom: Double {
    @inline(__always) get { hot.pointee.zoom }
    @inline(__always) set {
      if hot.pointee.zoom != newValue { hot.pointee.stamp &+= 1 }
      hot.pointee.zoom = newValue
    }
  }

  // MARK: frames

  /// The program's frame, bound to the layer at hand.
  @inline(__always)
  func frame(_ program: Program) -> UnsafeMutablePointer<Frame> {
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
      frame.pointee.rebind(program, stored.layer, hot.pointee.generation)
    }
    place.pointee = Recent(programID: program.id, frame: frame)
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
  func lookUp(_ key: UnsafeMutablePointer<Frame.Key>) -> Int {
    let number = key.pointee.number
    let feature = hot.pointee.feature
    guard number >= 0, feature >= 0, feature < hot.pointee.featureCount, let layer = stored.layer else {
      return -1
    }
    key.pointee.uses &+= 1
    if key.pointee.uses > Evaluator.usesBeforeColumn {
      let column = layer.column(Int(number))
      key.pointee.column = column
      return Int(column[feature])
    }
    return layer.valueIndex(feature: feature, key: Int(number))
  }

  /// Room for remembering the branches of a table.
  @inline(never)
  func makeMemo(_ frame: UnsafeMutablePointer<Frame>, _ table: Int) -> UnsafeMutablePointer<UInt16> {
    let count = max(1, hot.pointee.valueCount)
    let memo = UnsafeMutablePointer<UInt16>.allocate(capacity: count)
    memo.initialize(repeating: 0, count: count)
    frame.pointee.memos[table] = memo
    return memo
  }

  // MARK: memory of an evaluation

  /// Bytes that live until the next evaluation.
  func allocate(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    hot.pointee.isDirty = true
    let start = scratch.reserve(count).assumingMemoryBound(to: UInt8.self)
    scratch.keep(count)
    return UnsafeMutableBufferPointer(start: start, count: count)
  }

  func copy(_ text: String) -> UnsafeBufferPointer<UInt8> {
    var text = text
    return text.withUTF8 { source in
      let target = allocate(source.count)
      _ = target.initialize(from: source)
      return UnsafeBufferPointer(target)
    }
  }

  /// Lets go of what the evaluation before made.
  @inline(never)
  func clean() {
    scratch.reset()
    heap.removeAll(keepingCapacity: true)
    hot.pointee.isDirty = false
  }

  // MARK: failure

  /// Records why the evaluation fails, where that is wanted.
  func fail(_ pc: Int, _ message: () -> String) {
    guard wantsMessages else { return }
    failure = Failure(pc: pc, message: message())
  }
}
