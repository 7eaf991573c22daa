import NeatBase

/// One step of a program. `dst`, `a` and `b` are registers; what `x`...`w` mean depends on the operation.
struct Instruction: BitwiseCopyable {
  var op: Opcode
  var dst: UInt16
  var a: UInt16
  var b: UInt16
  var x: Int32
  var y: Int32
  var z: Int32
  var w: Int32

  init(
    _ op: Opcode, dst: UInt16 = 0, a: UInt16 = 0, b: UInt16 = 0, x: Int = 0, y: Int = 0, z: Int = 0,
    w: Int = 0
  ) {
    self.op = op
    self.dst = dst
    self.a = a
    self.b = b
    self.x = Int32(x)
    self.y = Int32(y)
    self.z = Int32(z)
    self.w = Int32(w)
  }
}

extension Instruction {
  /// The registers as indices.
  @inline(__always) var target: Int { Int(dst) }
  @inline(__always) var left: Int { Int(a) }
  @inline(__always) var right: Int { Int(b) }
}

enum Opcode: UInt16 {
  /// Ends with the value of `a`.
  case end
  case move
  /// To `x`.
  case jump
  /// To `x` where `a` is false / true / not null (and no missing image).
  case jumpIfFalse, jumpIfTrue, jumpIfNotNull
  /// To the jump table's entry `x` + number in `a` + `y`; `dst` keeps the way back.
  case callTable
  case callReturn
  /// Where variable `a` is unset: calls `x`.
  case ensure
  case clear
  /// Error with the message of string register `a`.
  case fail

  // Properties: `x` is a key of the program.
  case get, has, getNumber, getString, getBool
  /// Falls through where the value of key `x` is in branch 1 of table `z`, else to `y`; to `w` where it is in
  /// branch 2.
  case testKey
  /// To the jump table's entry `y` + the branch of the value of key `x` in table `z`.
  case switchKey
  /// The same of register `a`.
  case switchValue
  /// Falls through where the bit of the feature's geometry type is in mask `x`, else to `y`.
  case testGeometry
  case geometryType, id

  case zoom, heatmapDensity, elevation, lineProgress, skyRadialProgress

  case add, subtract, multiply, divide, modulo, power, negate, minimum, maximum
  case squareRoot, log10, ln, log2, sine, cosine, tangent, arcSine, arcCosine, arcTangent, absolute, round,
    floor, ceiling

  case not
  case equalNumbers, equalStrings, equalAny
  case lessNumbers, lessOrEqualNumbers
  /// Any two strings, or two numbers: the comparison is `x`.
  case compare

  /// Error unless `a` is of type `x`.
  case requireType
  /// To `y` where `a` is of type `x`.
  case jumpIfType

  case toBoolean
  /// `a` as text: a string becomes tag `z` at once, anything else goes to slow operation `x`.
  case print
  /// Coerces `a` to kind `x` into `dst` and goes on at `y`, or falls through.
  case coerce
  /// Error: `a` cannot be coerced to kind `x`.
  case failCoercion

  /// Finds input `a` in curve `x`. `dst`: the place between two stops, and `dst + 1`: the lower stop. To `y`
  /// where one stop alone counts.
  case curve
  /// The same, for constant numbers (from constant `z` on) or colours, in one step.
  case curveNumbers, curveColors
  /// To the jump table's entry `y` + the stop of step curve `x` for input `a`.
  case stepCurve
  /// Between `a` and `a + 1`, by the number in `b`.
  case mixNumbers, mixColors
  /// The same for other types, or colour space `x`.
  case mixAny

  /// Anything rare: `x` is the `SlowOperation`, `a` the first of `y` consecutive arguments.
  case slow
}

/// Operations outside the hot paths.
enum SlowOperation: Int32 {
  case toString, toImage, toText, concat, upcase, downcase, split, join, at, contains, indexOf, slice, length,
    getMember, hasMember
  case properties, featureState, globalState, accumulated, typeof, rgba, toRGBA, image, format, numberFormat,
    collator, collate,
    resolvedLocale
  case makeArray, makeObject, within, distance, getComputed, hasComputed, filterIDCompare, filterIDIn
  /// Of a `coalesce` with images: remembers the first missing one; and gives its name where the last is
  /// missing too.
  case keepImage, lastImage
}

/// What `coerce` makes.
enum CoercionKind: Int32 {
  case number, color, padding, numberArray, colorArray, anchorOffsets, projection
}

/// An order comparison.
enum Comparison: Int32 {
  case less, greater, lessOrEqual, greaterOrEqual

  @inline(__always)
  func holds(_ a: Double, _ b: Double) -> Bool {
    switch self {
    case .less: a < b
    case .greater: a > b
    case .lessOrEqual: a <= b
    case .greaterOrEqual: a >= b
    }
  }

  var symbol: String {
    switch self {
    case .less: "<"
    case .greater: ">"
    case .lessOrEqual: "<="
    case .greaterOrEqual: ">="
    }
  }
}
