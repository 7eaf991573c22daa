import NeatBase

/// A type of the C data interface, out of its format string ("Data type description -- format strings").
enum ArrowFormat: Equatable, BitwiseCopyable {
  /// How runs of bytes are found: by 32-bit or 64-bit offsets, or by views.
  enum Run: UInt8, BitwiseCopyable { case short, long, view }

  /// Parts of a second, as a power of ten.
  enum Unit: UInt8, BitwiseCopyable { case second = 0, milli = 3, micro = 6, nano = 9 }

  case null, bool
  case integer(bytes: Int, isSigned: Bool)
  case real(bytes: Int)
  case decimal(bytes: Int, scale: Int32)
  case text(Run)
  case binary(Run)
  case fixedBinary(Int)
  /// Days in 32 bits, or milliseconds in 64.
  case date(isMilliseconds: Bool)
  case time(Unit)
  case timestamp(Unit)
  case duration, interval
  case list(isLong: Bool)
  case fixedList(Int)
  case structure, map
  case listView, union, runEnds

  /// Nil for what is no format string.
  init?(_ text: Substring.UTF8View) {
    let word = String(Substring(text))
    switch word {
    case "n": self = .null
    case "b": self = .bool
    case "c": self = .integer(bytes: 1, isSigned: true)
    case "C": self = .integer(bytes: 1, isSigned: false)
    case "s": self = .integer(bytes: 2, isSigned: true)
    case "S": self = .integer(bytes: 2, isSigned: false)
    case "i": self = .integer(bytes: 4, isSigned: true)
    case "I": self = .integer(bytes: 4, isSigned: false)
    case "l": self = .integer(bytes: 8, isSigned: true)
    case "L": self = .integer(bytes: 8, isSigned: false)
    case "e": self = .real(bytes: 2)
    case "f": self = .real(bytes: 4)
    case "g": self = .real(bytes: 8)
    case "u": self = .text(.short)
    case "U": self = .text(.long)
    case "vu": self = .text(.view)
    case "z": self = .binary(.short)
    case "Z": self = .binary(.long)
    case "vz": self = .binary(.view)
    case "tdD": self = .date(isMilliseconds: false)
    case "tdm": self = .date(isMilliseconds: true)
    case "tts": self = .time(.second)
    case "ttm": self = .time(.milli)
    case "ttu": self = .time(.micro)
    case "ttn": self = .time(.nano)
    case "tDs", "tDm", "tDu", "tDn": self = .duration
    case "tiM", "tiD", "tin": self = .interval
    case "+l": self = .list(isLong: false)
    case "+L": self = .list(isLong: true)
    case "+vl", "+vL": self = .listView
    case "+s": self = .structure
    case "+m": self = .map
    case "+r": self = .runEnds
    default:
      guard let format = ArrowFormat.withParameters(word) else { return nil }
      self = format
    }
  }

  private static func withParameters(_ word: String) -> ArrowFormat? {
    if word.hasPrefix("ts"), word.utf8.count >= 4, word.utf8.dropFirst(3).first == 0x3a {
      switch word.utf8.dropFirst(2).first! {
      case 0x73: return .timestamp(.second)
      case 0x6d: return .timestamp(.milli)
      case 0x75: return .timestamp(.micro)
      case 0x6e: return .timestamp(.nano)
      default: return nil
      }
    }
    if word.hasPrefix("w:"), let width = Int32(word.dropFirst(2)), width >= 0 {
      return .fixedBinary(Int(width))
    }
    if word.hasPrefix("+w:"), let width = Int32(word.dropFirst(3)), width >= 0 {
      return .fixedList(Int(width))
    }
    if word.hasPrefix("+ud:") || word.hasPrefix("+us:") { return .union }
    guard word.hasPrefix("d:") else { return nil }
    let numbers = word.dropFirst(2).split(separator: ",", omittingEmptySubsequences: false).map { Int32($0) }
    guard numbers.count == 2 || numbers.count == 3, let precision = numbers[0], let scale = numbers[1],
      let bits = numbers.count == 3 ? numbers[2] : 128, [32, 64, 128, 256].contains(bits),
      precision >= 1, precision <= 76, abs(Int(scale)) <= 1000
    else { return nil }
    return .decimal(bytes: Int(bits) / 8, scale: scale)
  }

  /// The type in words, for messages.
  var words: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer(let bytes, let isSigned): "\(isSigned ? "int" : "uint")\(bytes * 8)"
    case .real(let bytes): bytes == 2 ? "half" : bytes == 4 ? "float" : "double"
    case .decimal: "decimal"
    case .text(let run): run == .view ? "utf8 view" : run == .long ? "large utf8" : "utf8"
    case .binary, .fixedBinary: "binary"
    case .date: "date"
    case .time: "time"
    case .timestamp: "timestamp"
    case .duration: "duration"
    case .interval: "interval"
    case .list, .fixedList: "list"
    case .structure: "struct"
    case .map: "map"
    case .listView: "list view"
    case .union: "union"
    case .runEnds: "run-end encoded"
    }
  }

  /// Whether a property can be made of it, its children aside.
  var isReadable: Bool {
    switch self {
    case .binary, .fixedBinary, .duration, .interval, .listView, .union, .runEnds: false
    default: true
    }
  }

  /// How many buffers an array of the type has; nil where it is not read, or has any number from three.
  var bufferCount: Int? {
    switch self {
    case .null: 0
    case .structure, .fixedList: 1
    case .text(.short), .text(.long), .binary(.short), .binary(.long): 3
    case .text(.view), .binary(.view), .duration, .interval, .listView, .union, .runEnds: nil
    default: 2
    }
  }

  /// How many children; nil for any number.
  var childCount: Int? {
    switch self {
    case .list, .fixedList, .map, .listView: 1
    case .runEnds: 2
    case .structure, .union: nil
    default: 0
    }
  }
}
