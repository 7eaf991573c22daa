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
  let tables: [LookupTable]
  let curves: [Curve]
  /// Constant outputs of curves.
  let curveNumbers: UnsafeMutablePointer<Double>
  let curveColors: UnsafeMutablePointer<RGBA>
  let types: [ExpressionType]
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
    tables = draft.tables
    curves = draft.curves
    curveNumbers = keep(draft.curveNumbers)
    curveColors = keep(draft.curveColors)
    types = draft.types
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
