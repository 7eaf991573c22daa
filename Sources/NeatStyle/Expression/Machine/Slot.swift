import NeatBase
import NeatTile

/// A `TileValue` as its three words: the accessors of another module are calls, and these are the hottest
/// reads there are.
struct RawTileValue: BitwiseCopyable {
  var kind: UInt32
  var length: UInt32
  var bits: UInt64

  static let bool = TileValueKind.bool.rawValue
  static let int = TileValueKind.int.rawValue
  static let uint = TileValueKind.uint.rawValue
  static let double = TileValueKind.double.rawValue
  static let string = TileValueKind.string.rawValue

  static func pointer(_ values: UnsafePointer<TileValue>) -> UnsafePointer<RawTileValue> {
    precondition(MemoryLayout<TileValue>.size == MemoryLayout<RawTileValue>.size)
    return UnsafeRawPointer(values).assumingMemoryBound(to: RawTileValue.self)
  }

  @inline(__always) var value: TileValue { unsafeBitCast(self, to: TileValue.self) }

  /// The number, where the value is one; written so that the common kinds come first.
  @inline(__always) var number: Double? {
    if kind == RawTileValue.double { return Double(bitPattern: bits) }
    if kind == RawTileValue.int { return Double(Int64(bitPattern: bits)) }
    if kind == RawTileValue.uint { return Double(bits) }
    return nil
  }
}

/// One register: 16 bytes, trivially copyable. Colours live beside the registers (32 bytes each), whatever is
/// larger in the evaluator's heap.
struct Slot: BitwiseCopyable {
  enum Tag: UInt32 {
    case null = 0
    case bool, number, string
    /// The colour at the same index of the colour registers.
    case color
    /// An image's name; `availableImage` where the style has it.
    case image, availableImage
    /// Formatted text of one plain section.
    case text
    /// Index of a value in the evaluator's heap, or (length 1) among the program's constants.
    case boxed
    /// A variable that was not computed yet.
    case unset
  }

  var tag: UInt32
  var length: UInt32
  var bits: UInt64

  @inline(__always)
  init(_ tag: Tag, length: UInt32 = 0, bits: UInt64 = 0) {
    self.tag = tag.rawValue
    self.length = length
    self.bits = bits
  }

  static let null = Slot(.null)
  /// Bytes from which on comparing two strings counts among the steps of an evaluation.
  static let longText = 4096
  /// The bits of the tags whose slots lead to UTF-8.
  static let textBits =
    Slot(.string).tagBit | Slot(.image).tagBit | Slot(.availableImage).tagBit | Slot(.text).tagBit
  @inline(__always) init(_ value: Bool) { self.init(.bool, bits: value ? 1 : 0) }
  @inline(__always) init(_ value: Double) { self.init(.number, bits: value.bitPattern) }
  @inline(__always) init(string bytes: UnsafeBufferPointer<UInt8>, _ tag: Tag = .string) {
    self.init(
      tag, length: UInt32(truncatingIfNeeded: bytes.count), bits: UInt64(UInt(bitPattern: bytes.baseAddress)))
  }

  @inline(__always) func `is`(_ tag: Tag) -> Bool { self.tag == tag.rawValue }
  /// The bit of the tag in a mask of tags.
  @inline(__always) var tagBit: UInt32 { 1 << (tag & 15) }
  @inline(__always) var number: Double { Double(bitPattern: bits) }
  @inline(__always) var bool: Bool { bits != 0 }
  /// The bytes of a string, an image's name or a text; empty for anything else.
  @inline(__always) var bytes: UnsafeBufferPointer<UInt8> {
    guard tag == Tag.string.rawValue || tag >= Tag.image.rawValue && tag <= Tag.text.rawValue else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    return UnsafeBufferPointer(start: UnsafePointer(bitPattern: UInt(bits)), count: Int(length))
  }

  /// Whether two strings have the same bytes.
  @inline(__always)
  static func sameBytes(_ a: Slot, _ b: Slot) -> Bool {
    guard a.length == b.length else { return false }
    if a.bits == b.bits || a.length == 0 { return true }
    return memcmp(
      UnsafeRawPointer(bitPattern: UInt(a.bits))!, UnsafeRawPointer(bitPattern: UInt(b.bits))!, Int(a.length))
      == 0
  }

  /// The order of two strings by UTF-16 code units, as JavaScript has it: negative, 0 or positive.
  static func order(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Int {
    for index in 0..<min(a.count, b.count) where a[index] != b[index] {
      // Of UTF-8, bytes sort as UTF-16 does but for surrogate pairs (F0...), which come before
      // U+E000...U+FFFF (EE, EF).
      func rank(_ byte: UInt8) -> Int { byte >= 0xF0 ? 0xED * 8 + Int(byte - 0xEF) : Int(byte) * 8 }
      return rank(a[index]) - rank(b[index])
    }
    return a.count - b.count
  }
}
