import NeatBase
import NeatTile

/// A program's working memory in one evaluator: registers (constants in place), and what it resolved against
/// the bound layer.
struct Frame {
  /// A property of the program in the layer.
  struct Key {
    /// Number of the key in the layer; -1 where the layer does not have it.
    var number: Int32
    /// Lookups so far; after a few, the column is made.
    var uses: Int32
    /// For each feature the index of its value, or -1.
    var column: UnsafePointer<Int32>?
  }

  /// The last input of a curve and what came of it: zoom rarely changes from one feature to the next.
  struct CurveState {
    var input: Double
    var stop: Int32
    /// 0: below the first stop or above the last (`stop` alone counts); 1: between.
    var isBetween: Int32
    var factor: Double
  }

  var programID: UInt64
  var generation: UInt64
  /// What the kept registers were computed with; see `HotState.stamp`.
  var stamp: UInt64
  var zoom: Double
  var slots: UnsafeMutablePointer<Slot>
  var colors: UnsafeMutablePointer<RGBA>
  var keys: UnsafeMutablePointer<Key>
  var keyCount: Int
  /// For each table, for each value of the layer: 0 or the branch + 1. Nil until the table is asked.
  var memos: UnsafeMutablePointer<UnsafeMutablePointer<UInt16>?>
  var tableCount: Int
  var curves: UnsafeMutablePointer<CurveState>

  init(_ program: Program) {
    programID = program.id
    generation = 0
    stamp = 0
    zoom = .nan
    slots = .allocate(capacity: program.registerCount + 1)
    slots.initialize(repeating: .null, count: program.registerCount + 1)
    colors = .allocate(capacity: program.registerCount + 1)
    colors.initialize(repeating: RGBA(0, 0, 0, 0), count: program.registerCount + 1)
    for index in program.constants.indices {
      slots[program.constantStart + index] = program.constantSlots[index]
      colors[program.constantStart + index] = program.constantColors[index]
    }
    keyCount = program.keys.count
    keys = .allocate(capacity: keyCount + 1)
    keys.initialize(repeating: Key(number: -1, uses: 0, column: nil), count: keyCount + 1)
    tableCount = program.tableCount
    memos = .allocate(capacity: tableCount + 1)
    memos.initialize(repeating: nil, count: tableCount + 1)
    curves = .allocate(capacity: program.curveCount + 1)
    curves.initialize(
      repeating: CurveState(input: .nan, stop: 0, isBetween: 0, factor: 0), count: program.curveCount + 1)
  }

  /// Comparisons up to which names are looked for one by one.
  private static let searchLimit = 4096

  /// The numbers of keys; of equal ones the first.
  private static func table(_ keys: [String]) -> [String: Int] {
    Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })
  }

  /// Forgets what was resolved against the layer before.
  mutating func rebind(_ program: Program, _ layer: TileLayer?, _ generation: UInt64) {
    assert(programID == program.id && keyCount == program.keys.count, "a frame is that of one program")
    let table = layer.flatMap { keyCount * $0.keys.count > Frame.searchLimit ? Frame.table($0.keys) : nil }
    for index in 0..<keyCount {
      let name = program.keys[index]
      let number = (table == nil ? layer?.keyIndex(name) : table?[name]) ?? -1
      keys[index] = Key(
        number: Int32(truncatingIfNeeded: number), uses: 0,
        column: number < 0 ? nil : layer?.madeColumn(number))
    }
    for index in 0..<tableCount {
      memos[index]?.deallocate()
      memos[index] = nil
    }
    self.generation = generation
  }

  /// Forgets the parts that were computed at another zoom, or with other states and images.
  @inline(never)
  mutating func renewKept(_ program: Program, _ stamp: UInt64, _ zoom: Double) {
    assert(program.keptCount <= program.constantStart, "constants are not forgotten")
    for register in 0..<program.keptCount { slots[register] = Slot(.unset) }
    self.stamp = stamp
    self.zoom = zoom
  }

  func free() {
    slots.deallocate()
    colors.deallocate()
    keys.deallocate()
    for index in 0..<tableCount { memos[index]?.deallocate() }
    memos.deallocate()
    curves.deallocate()
  }
}

/// What the machine reads of the bound layer: plain memory, so that loops over features touch no object.
struct HotState {
  /// The address of the bound layer, which the evaluator holds.
  var layer: UnsafeRawPointer?
  var featureCount: Int
  var valueCount: Int
  var values: UnsafePointer<RawTileValue>?
  var types: UnsafePointer<UInt8>?
  /// Counts the layers that were bound.
  var generation: UInt64
  /// Counts changes of what all points share: global state, images.
  var stamp: UInt64
  /// Whether the evaluation before left something in the heap or among the scratch bytes, or spent some of
  /// its budget.
  var isDirty: Bool
  /// Which budget the evaluation went past: an `EvaluationOverrun`, or 0.
  var overrun: UInt8
  /// Bytes that the evaluation may still make.
  var bytesLeft: Int
  /// Steps until the next look at what is left of the budget.
  var stepsLeft: Int
}
