import NeatBase
import Synchronization

/// Compiled code and all that it refers to. Immutable; the memory behind the pointers belongs to the program.
final class Program: @unchecked Sendable {
  let id: UInt64
  let code: UnsafeMutablePointer<Instruction>
  let codeCount: Int
  let jumps: UnsafeMutablePointer<Int32>
  let registerCount: Int
  /// So many registers, from the first on, hold parts that do not depend on the feature, once they are
  /// computed.
  let keptCount: Int
  /// Registers from here on hold constants.
  let constantStart: Int
  let constants: [ExpressionValue]
  /// The constants as they stand in the registers.
  let constantSlots: UnsafeMutablePointer<Slot>
  let constantColors: UnsafeMutablePointer<RGBA>
  /// Names of the properties that are read.
  let keys: [String]
  private let tableOwners: [LookupTable]
  let tables: UnsafeMutablePointer<Unmanaged<LookupTable>>
  let tableCount: Int
  let curves: UnsafeMutablePointer<FlatCurve>
  let curveCount: Int
  /// Constant outputs of curves.
  let curveNumbers: UnsafeMutablePointer<Double>
  let curveColors: UnsafeMutablePointer<RGBA>
  let types: [ExpressionType]
  /// For each type, the bits of the tags whose values are surely of it.
  let typeMasks: UnsafeMutablePointer<UInt32>
  /// For each instruction, the place of its expression in the source.
  let places: [UInt32]
  let placePaths: [SourcePath]
  let shapes: [GeoShape]
  let details: [Node.Detail]
  private let memory: ProgramMemory

  private static let counter = Atomic<UInt64>(0)

  init(_ draft: ProgramDraft) {
    id = Program.counter.add(1, ordering: .relaxed).newValue
    let memory = ProgramMemory(byteCount: draft.byteCount)
    self.memory = memory
    func keep<T: BitwiseCopyable>(_ array: [T]) -> UnsafeMutablePointer<T> { memory.keep(array) }
    code = keep(draft.code)
    codeCount = draft.code.count
    jumps = keep(draft.jumps)
    constantStart = draft.constantStart
    registerCount = draft.constantStart + draft.constants.count
    keptCount = draft.keptCount
    constants = draft.constants
    keys = draft.keys
    tableOwners = draft.tables
    tableCount = draft.tables.count
    tables = memory.allocate(Unmanaged<LookupTable>.self, draft.tables.count)
    for (index, table) in draft.tables.enumerated() {
      (tables + index).initialize(to: .passUnretained(table))
    }
    curveCount = draft.curves.count
    curves = keep(draft.curves.map { FlatCurve($0, keep($0.stops), spans: keep($0.spans)) })
    curveNumbers = keep(draft.curveNumbers)
    curveColors = keep(draft.curveColors)
    types = draft.types
    typeMasks = keep(draft.types.map(Slot.mask))
    places = draft.places
    placePaths = draft.placePaths
    shapes = draft.shapes
    details = draft.details
    constantSlots = memory.allocate(Slot.self, draft.constants.count)
    constantColors = memory.allocate(RGBA.self, draft.constants.count)
    for (index, value) in draft.constants.enumerated() {
      (constantSlots + index).initialize(to: Program.slot(value, index, memory))
      (constantColors + index).initialize(
        to: { if case .color(let color) = value { color } else { RGBA(0, 0, 0, 0) } }())
    }
    assert(fault == nil, fault ?? "")
  }

  private static func slot(_ value: ExpressionValue, _ index: Int, _ memory: ProgramMemory) -> Slot {
    func string(_ text: String, _ tag: Slot.Tag) -> Slot {
      let bytes = Array(text.utf8)
      return Slot(string: UnsafeBufferPointer(start: memory.keep(bytes), count: bytes.count), tag)
    }
    switch value {
    case .null: return .null
    case .bool(let value): return Slot(value)
    case .number(let value): return Slot(value)
    case .string(let text): return string(text, .string)
    case .color: return Slot(.color)
    case .image(let image): return string(image.name, image.isAvailable ? .availableImage : .image)
    default: return Slot(.boxed, length: 1, bits: UInt64(index))
    }
  }

  /// The place in the source of an instruction.
  func key(at pc: Int) -> String {
    assert(pc >= 0 && pc < codeCount, "failures name an instruction")
    return placePaths[Int(places[pc])].text
  }
}

/// The memory that a program's pointers lead to: one block, as large as it needs to be, because there are
/// thousands of programs.
final class ProgramMemory {
  private let block: UnsafeMutableRawPointer
  private let byteCount: Int
  private var used = 0

  /// `byteCount`: room for everything that will be kept, with what aligning takes (`bytes(_:_:)`).
  init(byteCount: Int) {
    self.byteCount = byteCount
    block = .allocate(byteCount: max(1, byteCount), alignment: 16)
  }

  deinit { block.deallocate() }

  /// What so many values take at most.
  static func bytes<T: BitwiseCopyable>(_ type: T.Type, _ count: Int) -> Int {
    max(1, count) * MemoryLayout<T>.stride + max(16, MemoryLayout<T>.alignment)
  }

  func allocate<T: BitwiseCopyable>(_ type: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    let alignment = max(8, MemoryLayout<T>.alignment)
    let start = (UInt(bitPattern: block) + UInt(used) + UInt(alignment - 1)) & ~UInt(alignment - 1)
    used = Int(start - UInt(bitPattern: block)) + max(1, count) * MemoryLayout<T>.stride
    precondition(used <= byteCount, "a program's memory was measured too small")
    return UnsafeMutableRawPointer(bitPattern: start)!.bindMemory(to: type, capacity: max(1, count))
  }

  func keep<T: BitwiseCopyable>(_ array: [T]) -> UnsafeMutablePointer<T> {
    let target = allocate(T.self, array.count)
    target.initialize(from: array, count: array.count)
    return target
  }
}

extension ProgramDraft {
  /// What `Program` keeps of the draft in its memory, at most.
  fileprivate var byteCount: Int {
    var count =
      ProgramMemory.bytes(Instruction.self, code.count) + ProgramMemory.bytes(Int32.self, jumps.count)
    count +=
      ProgramMemory.bytes(Unmanaged<LookupTable>.self, tables.count)
      + ProgramMemory.bytes(FlatCurve.self, curves.count)
    count += curves.reduce(0) { $0 + 2 * ProgramMemory.bytes(Double.self, $1.stops.count) }
    count +=
      ProgramMemory.bytes(Double.self, curveNumbers.count) + ProgramMemory.bytes(RGBA.self, curveColors.count)
    count += ProgramMemory.bytes(UInt32.self, types.count)
    count += ProgramMemory.bytes(Slot.self, constants.count) + ProgramMemory.bytes(RGBA.self, constants.count)
    for constant in constants {
      switch constant {
      case .string(let text): count += ProgramMemory.bytes(UInt8.self, text.utf8.count)
      case .image(let image): count += ProgramMemory.bytes(UInt8.self, image.name.utf8.count)
      default: break
      }
    }
    return count
  }
}

/// A curve as the machine reads it.
struct FlatCurve: BitwiseCopyable {
  var isStep: Bool
  var isBezier: Bool
  var base: Double
  /// The base's logarithm to base 2: `exp2` takes a third of the time of `pow`.
  var base2: Double
  var points: SIMD4<Double>
  var count: Int
  /// Memory of the program.
  var stops: UnsafePointer<Double>
  /// For each stop but the last, what the way to the next one is divided by.
  var spans: UnsafePointer<Double>

  init(_ curve: Curve, _ stops: UnsafeMutablePointer<Double>, spans: UnsafeMutablePointer<Double>) {
    isStep = false
    isBezier = false
    base = 1
    base2 = 0
    points = .zero
    count = curve.stops.count
    assert(count > 0 && zip(curve.stops, curve.stops.dropFirst()).allSatisfy { $0 < $1 }, "stops ascend")
    self.stops = UnsafePointer(stops)
    self.spans = UnsafePointer(spans)
    switch curve.shape {
    case .step: isStep = true
    case .exponential(let base):
      self.base = base
      base2 = base > 0 ? log2(base) : 0
    case .cubicBezier(let x1, let y1, let x2, let y2):
      isBezier = true
      points = SIMD4(x1, y1, x2, y2)
    }
  }

  @inline(__always)
  func factor(_ input: Double, _ stop: Int) -> Double {
    if isStep { return 0 }
    let progress = input - stops[stop]
    let place =
      (base == 1 ? progress : (base > 0 ? exp2(progress * base2) : pow(base, progress)) - 1) / spans[stop]
    return isBezier
      ? UnitBezier(points[0], points[1], points[2], points[3]).solve(place, epsilon: 1e-6) : place
  }
}

extension Slot {
  /// Bits of the tags whose values are surely of a type; what is boxed has to be looked at.
  static func mask(_ type: ExpressionType) -> UInt32 {
    func bit(_ tag: Tag) -> UInt32 { 1 << tag.rawValue }
    switch type {
    case .null: return bit(.null)
    case .boolean: return bit(.bool)
    case .number: return bit(.number)
    case .string: return bit(.string)
    case .color: return bit(.color)
    case .resolvedImage: return bit(.image) | bit(.availableImage)
    case .formatted: return bit(.text)
    case .value:
      return bit(.null) | bit(.bool) | bit(.number) | bit(.string) | bit(.color) | bit(.image)
        | bit(.availableImage) | bit(.text)
    default: return 0
    }
  }
}

/// A program being written.
struct ProgramDraft {
  var code: [Instruction] = []
  var jumps: [Int32] = []
  var constantStart = 0
  var keptCount = 0
  var constants: [ExpressionValue] = []
  var keys: [String] = []
  var tables: [LookupTable] = []
  var curves: [Curve] = []
  var curveNumbers: [Double] = []
  var curveColors: [RGBA] = []
  var types: [ExpressionType] = []
  var places: [UInt32] = []
  var placePaths: [SourcePath] = []
  var shapes: [GeoShape] = []
  var details: [Node.Detail] = []
}
