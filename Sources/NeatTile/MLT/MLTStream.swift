import NeatBase

/// Limits of a MapLibre Tile. Run lengths can stand for any number of values in a few bytes, so decoded
/// values are counted.
package enum MLTLimits {
  /// Unpacked bytes of a tile at most.
  package static let maxBytes = 64 << 20
  /// Decoded numbers of all streams of a tile together, at most.
  package static let maxValues = 1 << 25
  /// Columns of a layer, children of shared dictionaries among them.
  package static let maxColumns = 4096
  /// Maps and lists within each other in a nested property.
  package static let maxDepth = 256
}

/// A cursor over a tile with the place of each fault, and the count of values that may still be decoded.
struct MLTReader {
  private var reader: ProtobufReader
  private let base: UnsafePointer<UInt8>
  private(set) var valuesLeft = MLTLimits.maxValues

  init(_ source: UnsafeBufferPointer<UInt8>) {
    base = source.baseAddress!
    reader = ProtobufReader(base, source.count)
  }

  var isAtEnd: Bool { reader.isAtEnd }
  var offset: Int { reader.at - base }

  func fail(_ message: String) -> NeatError { NeatError(.tile, message, offset: offset) }

  /// The same tile, from here on for `count` bytes.
  mutating func part(_ count: Int) throws(NeatError) -> MLTReader {
    guard count >= 0, count <= reader.end - reader.at else { throw fail("the tile is cut short") }
    var part = self
    part.reader = ProtobufReader(reader.at, count)
    reader.at += count
    return part
  }

  /// Takes over what a part has used of the common count.
  mutating func settle(_ part: MLTReader) { valuesLeft = part.valuesLeft }

  mutating func spend(_ count: Int) throws(NeatError) {
    guard count >= 0, count <= valuesLeft else {
      throw NeatError(
        .limitExceeded, "the tile holds more than \(MLTLimits.maxValues) values", offset: offset)
    }
    valuesLeft -= count
  }

  mutating func byte() throws(NeatError) -> UInt8 {
    guard !reader.isAtEnd else { throw fail("the tile is cut short") }
    defer { reader.at += 1 }
    return reader.at[0]
  }

  /// A varint of at most 31 bits: all counts and lengths.
  mutating func count() throws(NeatError) -> Int {
    guard let value = reader.varint() else { throw fail("the tile ends within a number") }
    guard value <= UInt64(Int32.max) else { throw fail("\(value) is no count") }
    return Int(value)
  }

  mutating func bytes(_ count: Int) throws(NeatError) -> UnsafeBufferPointer<UInt8> {
    guard count >= 0, count <= reader.end - reader.at else { throw fail("the tile is cut short") }
    defer { reader.at += count }
    return UnsafeBufferPointer(start: reader.at, count: count)
  }

  mutating func string() throws(NeatError) -> String {
    String(decoding: try bytes(try count()), as: UTF8.self)
  }
}

/// What a stream is for: category in the upper four bits, kind in the lower ones.
enum MLTStreamType {
  static let dataPlain: UInt8 = 0x10
  static let dataSingle: UInt8 = 0x11
  static let dataShared: UInt8 = 0x12
  static let dataVertex: UInt8 = 0x13
  static let dataMorton: UInt8 = 0x14
  static let dataFSST: UInt8 = 0x15
  static let offsetVertex: UInt8 = 0x20
  static let offsetIndex: UInt8 = 0x21
  static let offsetString: UInt8 = 0x22
  static let lengthVarBinary: UInt8 = 0x30
  static let lengthGeometries: UInt8 = 0x31
  static let lengthParts: UInt8 = 0x32
  static let lengthRings: UInt8 = 0x33
  static let lengthTriangles: UInt8 = 0x34
  static let lengthSymbol: UInt8 = 0x35
  static let lengthDictionary: UInt8 = 0x36
}

enum MLTLogical {
  case none, delta, deltaRLE, componentwiseDelta, rle, mortonDelta
}

enum MLTPhysical: UInt8 {
  case none = 0, fastPFOR, varint
}

/// One stream: its header, and its payload within the tile.
struct MLTStream {
  var type: UInt8
  var logical: MLTLogical
  var physical: MLTPhysical
  var count: Int
  var runs = 0
  var runValues = 0
  var mortonBits = 0
  var mortonShift: UInt32 = 0
  var payload: UnsafeBufferPointer<UInt8>
  /// Where the payload begins in the tile.
  var offset: Int

  /// `isBoolean`: the stream holds bits, whose runs follow from their count.
  init(_ reader: inout MLTReader, isBoolean: Bool = false) throws(NeatError) {
    type = try reader.byte()
    let encoding = try reader.byte()
    switch encoding >> 2 {
    case 0b000_000: logical = .none
    case 0b001_000: logical = .delta
    case 0b001_011: logical = .deltaRLE
    case 0b010_000: logical = .componentwiseDelta
    case 0b011_000: logical = .rle
    case 0b100_001: logical = .mortonDelta
    default: throw reader.fail("no such encoding: \(encoding)")
    }
    guard let physical = MLTPhysical(rawValue: encoding & 3) else {
      throw reader.fail("no such encoding: \(encoding)")
    }
    self.physical = physical
    count = try reader.count()
    let length = try reader.count()
    let isPresent = type >> 4 == 0
    if (logical == .rle || logical == .deltaRLE) && !isPresent && !isBoolean {
      runs = try reader.count()
      runValues = try reader.count()
    }
    if logical == .mortonDelta {
      mortonBits = try reader.count()
      guard mortonBits <= 16 else {
        throw reader.fail("Morton codes of \(mortonBits) bits an axis: 16 at most")
      }
      mortonShift = UInt32(truncatingIfNeeded: try reader.count())
    }
    offset = reader.offset
    payload = try reader.bytes(length)
  }

  func fail(_ message: String) -> NeatError { NeatError(.tile, message, offset: offset) }
}
