// Nested properties (column type 31), as the converter of maplibre-tile-spec writes them (its pull request
// 1379; discussed in its issue 753): the distinct scalars of all values, keys among them, are dictionaries by
// type that number on through each other, and a value is a row of tokens. Tokens 0 and 1 are false and true;
// 2 and 3 open a map and a list, and are followed by the count of tokens up to the end, these two included;
// all others are scalars. The map of a whole property has no opening: one token is a scalar, 3 begins a list,
// else keys and values alternate.
//
// Several columns can share dictionaries: then presence, lengths and tokens are those of the first column's
// features, of the second's, and so on.
import NeatBase
import NeatJSON

enum MLTNested {
  struct Column {
    var name: String
    /// Which features have a value; nil: all.
    var present: [Bool]?
    /// Scalars as they are; maps and lists as JSON text.
    var values: [TileValue]
  }

  /// Which streams there are, in their order.
  private enum Mask {
    static let strings = 1
    static let int32s = 2
    static let uint32s = 4
    static let int64s = 8
    static let uint64s = 16
    static let floats = 32
    static let doubles = 64
    static let presence = 128
  }

  static func read(_ names: [String], _ arena: Arena, _ reader: inout MLTReader) throws(NeatError) -> [Column]
  {
    var left = try reader.count()
    // No streams: no feature has a value.
    if left == 0 { return [] }
    let mask = Int(try reader.byte())
    let lengths = try MLTStream(&reader).counts(&reader)
    left -= 1
    let scalars = try readScalars(mask, arena, &left, &reader)
    var present: [Bool]?
    if mask & Mask.presence != 0 {
      let stream = try MLTStream(&reader)
      guard stream.type >> 4 == 0 else {
        throw stream.fail("a stream of type \(stream.type) where presence is due")
      }
      present = try stream.bits(&reader)
      left -= 1
    }
    var tokens: [UInt32] = []
    if left > 0 {
      tokens = try MLTStream(&reader).counts(&reader)
      left -= 1
    }
    guard left == 0 else { throw reader.fail("a nested column does not have as many streams as it says") }
    var texts = MLTNestedText(scalars: scalars, tokens: tokens)
    return try cut(names, lengths, present, &texts, arena, &reader)
  }

  private static func readScalars(
    _ mask: Int, _ arena: Arena, _ left: inout Int, _ reader: inout MLTReader
  ) throws(NeatError) -> [TileValue] {
    var scalars: [TileValue] = []
    if mask & Mask.strings != 0 {
      let count = try reader.count()
      guard count <= 8 else { throw reader.fail("a column of strings with \(count) streams") }
      var streams = MLTStringStreams()
      for _ in 0..<count { try streams.add(try MLTStream(&reader)) }
      left -= count
      let dictionary = try streams.dictionary(arena, &reader)
      if let offsets = streams.offsets {
        for number in try offsets.counts(&reader) {
          guard Int(number) < dictionary.entries.count else {
            throw offsets.fail("a string that the dictionary does not have")
          }
          scalars.append(dictionary.entries[Int(number)])
        }
      } else {
        scalars = dictionary.entries
      }
    }
    func stream(_ bit: Int) throws(NeatError) -> MLTStream? {
      if mask & bit == 0 { return nil }
      left -= 1
      return try MLTStream(&reader)
    }
    if let s = try stream(Mask.int32s) {
      scalars += try s.integers(UInt32.self, isSigned: true, &reader).map {
        .int(Int64(Int32(bitPattern: $0)))
      }
    }
    if let s = try stream(Mask.uint32s) {
      scalars += try s.integers(UInt32.self, isSigned: false, &reader).map { .uint(UInt64($0)) }
    }
    if let s = try stream(Mask.int64s) {
      scalars += try s.integers(UInt64.self, isSigned: true, &reader).map { .int(Int64(bitPattern: $0)) }
    }
    if let s = try stream(Mask.uint64s) {
      scalars += try s.integers(UInt64.self, isSigned: false, &reader).map { .uint($0) }
    }
    if let s = try stream(Mask.floats) {
      scalars += try s.plain(UInt32.self, &reader).map { .double(Double(Float(bitPattern: $0))) }
    }
    if let s = try stream(Mask.doubles) {
      scalars += try s.plain(UInt64.self, &reader).map { .double(Double(bitPattern: $0)) }
    }
    return scalars
  }

  /// Cuts presence, lengths and tokens into the columns.
  private static func cut(
    _ names: [String], _ lengths: [UInt32], _ present: [Bool]?, _ texts: inout MLTNestedText, _ arena: Arena,
    _ reader: inout MLTReader
  ) throws(NeatError) -> [Column] {
    let total = present?.count ?? lengths.count
    guard total % names.count == 0 else {
      throw reader.fail("\(total) values of nested properties for \(names.count) columns")
    }
    let features = total / names.count
    var columns: [Column] = []
    var length = 0
    var token = 0
    for (index, name) in names.enumerated() {
      let bits = present.map { Array($0[index * features..<(index + 1) * features]) }
      let count = bits.map { $0.reduce(0) { $0 + ($1 ? 1 : 0) } } ?? features
      guard count <= lengths.count - length else {
        throw reader.fail("nested column \"\(name)\" lacks lengths")
      }
      var values: [TileValue] = []
      values.reserveCapacity(count)
      for size in lengths[length..<length + count] {
        guard Int(size) <= texts.tokens.count - token else {
          throw reader.fail("nested column \"\(name)\" lacks tokens")
        }
        values.append(try texts.value(token..<token + Int(size), arena, &reader))
        token += Int(size)
      }
      length += count
      columns.append(Column(name: name, present: bits, values: values))
    }
    guard length == lengths.count, token == texts.tokens.count else {
      throw reader.fail("nested columns leave lengths or tokens over")
    }
    return columns
  }
}

/// Rows of tokens as values. Iterative, so that depth costs no stack.
private struct MLTNestedText {
  let scalars: [TileValue]
  let tokens: [UInt32]
  /// Strings as JSON, made when first used.
  private var quoted: [Int: [UInt8]] = [:]
  private var text: [UInt8] = []

  init(scalars: [TileValue], tokens: [UInt32]) {
    self.scalars = scalars
    self.tokens = tokens
  }

  private struct Level {
    var end: Int
    var isMap: Bool
    var isEmpty = true
  }

  mutating func value(_ range: Range<Int>, _ arena: Arena, _ reader: inout MLTReader) throws(NeatError)
    -> TileValue
  {
    if range.count == 1 {
      switch tokens[range.lowerBound] {
      case 0: return .bool(false)
      case 1: return .bool(true)
      default: return try scalar(range.lowerBound, reader)
      }
    }
    text.removeAll(keepingCapacity: true)
    if let first = range.first, tokens[first] == 3 {
      try writeRows(from: first, to: range.upperBound, isMap: nil, &reader)
    } else {
      try writeRows(from: range.lowerBound, to: range.upperBound, isMap: true, &reader)
    }
    let target = arena.allocate(UInt8.self, text.count)
    text.withUnsafeBufferPointer {
      if let base = $0.baseAddress { target.update(from: base, count: $0.count) }
    }
    return .json(UnsafeBufferPointer(start: target, count: text.count))
  }

  private func scalar(_ at: Int, _ reader: MLTReader) throws(NeatError) -> TileValue {
    let index = Int(tokens[at]) - 4
    guard index >= 0, index < scalars.count else {
      throw reader.fail("token \(tokens[at]) of a nested property is no scalar")
    }
    return scalars[index]
  }

  /// Writes the value that begins at `start`, or, with `isMap`, the entries up to `end` as an object.
  private mutating func writeRows(from start: Int, to end: Int, isMap: Bool?, _ reader: inout MLTReader)
    throws(NeatError)
  {
    var levels: [Level] = []
    var at = start
    if isMap != nil {
      text.append(UInt8(ascii: "{"))
      levels.append(Level(end: end, isMap: true))
    } else {
      try writeValue(&at, end, &levels, &reader)
    }
    while let level = levels.last {
      if at == level.end {
        text.append(UInt8(ascii: level.isMap ? "}" : "]"))
        levels.removeLast()
        continue
      }
      if !level.isEmpty { text.append(UInt8(ascii: ",")) }
      levels[levels.count - 1].isEmpty = false
      if level.isMap {
        let key = try scalar(at, reader)
        guard key.kind == .string else { throw reader.fail("a key of a nested property is no string") }
        try writeScalar(at, &reader)
        text.append(UInt8(ascii: ":"))
        at += 1
      }
      try writeValue(&at, level.end, &levels, &reader)
    }
    guard at == end else { throw reader.fail("a nested property ends before its tokens") }
  }

  /// Writes a scalar, or opens a map or list.
  private mutating func writeValue(
    _ at: inout Int, _ end: Int, _ levels: inout [Level], _ reader: inout MLTReader
  ) throws(NeatError) {
    guard at < end else { throw reader.fail("a nested property ends within a value") }
    let token = tokens[at]
    guard token == 2 || token == 3 else {
      try writeScalar(at, &reader)
      at += 1
      return
    }
    guard at + 1 < end, tokens[at + 1] >= 2, Int(tokens[at + 1]) <= end - at else {
      throw reader.fail("a map or list of a nested property reaches past its end")
    }
    guard levels.count < MLTLimits.maxDepth else {
      throw NeatError(
        .limitExceeded, "a nested property is deeper than \(MLTLimits.maxDepth)", offset: reader.offset)
    }
    text.append(UInt8(ascii: token == 2 ? "{" : "["))
    levels.append(Level(end: at + Int(tokens[at + 1]), isMap: token == 2))
    at += 2
  }

  private mutating func writeScalar(_ at: Int, _ reader: inout MLTReader) throws(NeatError) {
    let before = text.count
    switch tokens[at] {
    case 0: text += Array("false".utf8)
    case 1: text += Array("true".utf8)
    default:
      let value = try scalar(at, reader)
      if value.kind == .string {
        let index = Int(tokens[at])
        if let known = quoted[index] {
          text += known
        } else {
          let made = MLTNestedText.written(value)
          quoted[index] = made
          text += made
        }
      } else {
        text += MLTNestedText.written(value)
      }
    }
    // One token can stand for a long string, any number of times.
    try reader.spend(text.count - before)
  }

  /// Numbers that JSON does not have (not a number, infinite) are null, as wherever this library writes JSON.
  private static func written(_ value: TileValue) -> [UInt8] {
    var writer = JSONWriter()
    TileJSONText.write(value, &writer)
    return writer.bytes
  }
}
