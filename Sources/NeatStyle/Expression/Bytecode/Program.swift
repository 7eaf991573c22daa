import NeatBase
import Synchronization

/// Compiled code and all that it refers to. Immutable; the memory behind the pointers belongs to the program.
final class Program: @unchecked Sendable {
  let id: UInt64
  let code: UnsafeMutablePointer<Instruction>
  let codeCount: Int
  let jumps: UnsafeMutablePointer<Int32>
  let registerCount: Int
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
  let placeKeys: [String]
  let shapes: [GeoShape]
  let details: [Node.Detail]
  private let arena: Arena

  private static let counter = Atomic<UInt64>(0)

  init(_ draft: ProgramDraft) {
    id = Program.counter.add(1, ordering: .relaxed).newValue
    let arena = Arena()
    self.arena = arena
    func keep<T: BitwiseCopyable>(_ array: [T]) -> UnsafeMutablePointer<T> {
      let target = arena.allocate(T.self, max(1, array.count))
      for (index, value) in array.enumerated() { target[index] = value }
      return target
    }
    code = keep(draft.code)
    codeCount = draft.code.count
    jumps = keep(draft.jumps)
    constantStart = draft.constantStart
    registerCount = draft.constantStart + draft.constants.count
    constants = draft.constants
    keys = draft.keys
    tableOwners = draft.tables
    tableCount = draft.tables.count
    tables = arena.allocate(Unmanaged<LookupTable>.self, max(1, draft.tables.count))
    for (index, table) in draft.tables.enumerated() { (tables + index).initialize(to: .passUnretained(table)) }
    curveCount = draft.curves.count
    curves = keep(draft.curves.map { FlatCurve($0, keep($0.stops)) })
    curveNumbers = keep(draft.curveNumbers)
    curveColors = keep(draft.curveColors)
    types = draft.types
    typeMasks = keep(draft.types.map(Slot.mask))
    places = draft.places
    placeKeys = draft.placeKeys
    shapes = draft.shapes
    details = draft.details
    constantSlots = arena.allocate(Slot.self, max(1, draft.constants.count))
    constantColors = arena.allocate(RGBA.self, max(1, draft.constants.count))
    for (index, value) in draft.constants.enumerated() {
      (constantSlots + index).initialize(to: Program.slot(value, index, arena))
      (constantColors + index).initialize(to: { if case .color(let color) = value { color } else { RGBA(0, 0, 0, 0) } }())
    }
  }

  private static func slot(_ value: ExpressionValue, _ index: Int, _ arena: Arena) -> Slot {
    func string(_ text: String, _ tag: Slot.Tag) -> Slot {
      var text = text
      return text.withUTF8 { source in
        let target = arena.allocate(UInt8.self, max(1, source.count))
        if let base = source.baseAddress { target.update(from: base, count: source.count) }
        return Slot(string: UnsafeBufferPointer(start: target, count: source.count), tag)
      }
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
  func key(at pc: Int) -> String { placeKeys[Int(places[pc])] }
}

/// A curve as the machine reads it.
struct FlatCurve: BitwiseCopyable {
  var isStep: Bool
  var isBezier: Bool
  var base: Double
  var points: SIMD4<Double>
  var count: Int
  /// Memory of the program.
  var stops: UnsafePointer<Double>

  init(_ curve: Curve, _ stops: UnsafeMutablePointer<Double>) {
    isStep = false
    isBezier = false
    base = 1
    points = .zero
    count = curve.stops.count
    self.stops = UnsafePointer(stops)
    switch curve.shape {
    case .step: isStep = true
    case .exponential(let base): self.base = base
    case .cubicBezier(let x1, let y1, let x2, let y2):
      isBezier = true
      points = SIMD4(x1, y1, x2, y2)
    }
  }

  @inline(__always)
  func factor(_ input: Double, _ stop: Int) -> Double {
    if isStep { return 0 }
    let lower = stops[stop]
    let upper = stops[stop + 1]
    if base == 1 && !isBezier { return (input - lower) / (upper - lower) }
    let place = Curve.exponential(input, base, lower, upper)
    return isBezier ? UnitBezier(points[0], points[1], points[2], points[3]).solve(place, epsilon: 1e-6) : place
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
      return bit(.null) | bit(.bool) | bit(.number) | bit(.string) | bit(.color) | bit(.image) | bit(.availableImage) | bit(.text)
    default: return 0
    }
  }
}

/// A program being written.
struct ProgramDraft {
  var code: [Instruction] = []
  var jumps: [Int32] = []
  var constantStart = 0
  var constants: [ExpressionValue] = []
  var keys: [String] = []
  var tables: [LookupTable] = []
  var curves: [Curve] = []
  var curveNumbers: [Double] = []
  var curveColors: [RGBA] = []
  var types: [ExpressionType] = []
  var places: [UInt32] = []
  var placeKeys: [String] = []
  var shapes: [GeoShape] = []
  var details: [Node.Detail] = []
}
