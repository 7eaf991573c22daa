// A glyph range is a protocol buffer that a glyph server sends for 256 characters of a font stack: glyphs {
// repeated fontstack stacks = 1; } fontstack { string name = 1; string range = 2; repeated glyph glyphs = 3;
// } glyph { uint32 id = 1; bytes bitmap = 2; uint32 width = 3; uint32 height = 4; sint32 left = 5; sint32 top
// = 6; uint32 advance = 7; } The bitmaps stay in the bytes they came in; a glyph says where its own begins.
import NeatBase

/// The glyphs of one glyph PBF.
package struct GlyphRange: Sendable {
  /// Largest PBF that is read, in bytes.
  package static let maxBytes = 16 << 20
  /// Most glyphs in one PBF.
  package static let maxGlyphs = 65536
  /// Largest width and height of a glyph's shape, in pixels.
  package static let maxGlyphSize = 1024
  /// Largest absolute value of left, top and advance.
  package static let maxMetric = 16384

  package struct Entry: Sendable, BitwiseCopyable {
    package var id: UInt32
    package var metrics: GlyphMetrics
    /// Where the bitmap lies in `bytes`; a count of 0 is a glyph without a shape, else (width + 6) * (height
    /// + 6).
    package var bitmapOffset: Int
    package var bitmapCount: Int
  }

  package private(set) var name = ""
  package private(set) var glyphs: [Entry] = []
  package let bytes: [UInt8]

  /// Reads an uncompressed PBF. Throws a `font` error with the byte offset for what is malformed,
  /// `limitExceeded` past a limit.
  package init(parsing bytes: [UInt8]) throws(NeatError) {
    guard bytes.count <= GlyphRange.maxBytes else {
      throw NeatError(
        .limitExceeded, "glyph range of \(bytes.count) bytes; at most \(GlyphRange.maxBytes) are read")
    }
    self.bytes = bytes
    var reader = ProtobufReader(bytes: bytes, position: 0, end: bytes.count)
    while let (field, wire) = try reader.next() {
      if field == 1 && wire == 2 {
        try readStack(try reader.message())
      } else {
        try reader.skip(wire)
      }
    }
  }

  private mutating func readStack(_ message: ProtobufReader) throws(NeatError) {
    var reader = message
    while let (field, wire) = try reader.next() {
      if field == 1 && wire == 2 {
        let text = try reader.message()
        if name.isEmpty { name = String(decoding: bytes[text.position..<text.end], as: UTF8.self) }
      } else if field == 3 && wire == 2 {
        guard glyphs.count < GlyphRange.maxGlyphs else {
          throw NeatError(
            .limitExceeded, "more than \(GlyphRange.maxGlyphs) glyphs in a range", offset: reader.position)
        }
        glyphs.append(try readGlyph(try reader.message()))
      } else {
        try reader.skip(wire)
      }
    }
  }

  private func readGlyph(_ message: ProtobufReader) throws(NeatError) -> Entry {
    var reader = message
    let start = reader.position
    var id: UInt64?
    var width: UInt64 = 0
    var height: UInt64 = 0
    var advance: UInt64 = 0
    var left: Int64 = 0
    var top: Int64 = 0
    var bitmap = 0..<0
    while let (field, wire) = try reader.next() {
      switch (field, wire) {
      case (1, 0): id = try reader.varint()
      case (2, 2):
        let bytes = try reader.message()
        bitmap = bytes.position..<bytes.end
      case (3, 0): width = try reader.varint()
      case (4, 0): height = try reader.varint()
      case (5, 0): left = zigzag(try reader.varint())
      case (6, 0): top = zigzag(try reader.varint())
      case (7, 0): advance = try reader.varint()
      default: try reader.skip(wire)
      }
    }
    guard let id, id <= 0x10FFFF else {
      throw NeatError(
        .font, id == nil ? "glyph without an id" : "glyph id \(id!) is not a character", offset: start)
    }
    guard width <= UInt64(GlyphRange.maxGlyphSize), height <= UInt64(GlyphRange.maxGlyphSize) else {
      throw NeatError(
        .limitExceeded, "glyph \(id) is \(width) by \(height) pixels; at most \(GlyphRange.maxGlyphSize)",
        offset: start)
    }
    let limit = GlyphRange.maxMetric
    guard left.magnitude <= UInt64(limit), top.magnitude <= UInt64(limit), advance <= UInt64(limit) else {
      throw NeatError(.limitExceeded, "glyph \(id) has metrics beyond \(limit)", offset: start)
    }
    let area = (Int(width) + 2 * Glyph.border) * (Int(height) + 2 * Glyph.border)
    guard bitmap.isEmpty || bitmap.count == area else {
      throw NeatError(
        .font, "glyph \(id) has a bitmap of \(bitmap.count) bytes; its size asks for \(area)",
        offset: bitmap.lowerBound)
    }
    let metrics = GlyphMetrics(
      width: Float(width), height: Float(height), left: Float(left), top: Float(top), advance: Float(advance))
    return Entry(id: UInt32(id), metrics: metrics, bitmapOffset: bitmap.lowerBound, bitmapCount: bitmap.count)
  }
}

private func zigzag(_ value: UInt64) -> Int64 { Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1))) }

/// Reads one protocol buffer message in place. `position <= end <= bytes.count` always.
struct ProtobufReader {
  let bytes: [UInt8]
  private(set) var position: Int
  let end: Int

  init(bytes: [UInt8], position: Int, end: Int) {
    self.bytes = bytes
    self.position = position
    self.end = end
  }

  /// The next field's number and wire type, or nil at the end of the message.
  mutating func next() throws(NeatError) -> (field: UInt64, wire: UInt64)? {
    if position == end { return nil }
    let key = try varint()
    return (key >> 3, key & 7)
  }

  mutating func varint() throws(NeatError) -> UInt64 {
    let start = position
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end && shift < 70 {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw NeatError(
      .font, position == end ? "glyph range ends inside a number" : "number of more than 10 bytes",
      offset: start)
  }

  /// A length-delimited field's bytes; the reader moves past them.
  mutating func message() throws(NeatError) -> ProtobufReader {
    let start = position
    let length = try varint()
    guard length <= UInt64(end - position) else {
      throw NeatError(.font, "field of \(length) bytes goes beyond the end", offset: start)
    }
    let message = ProtobufReader(bytes: bytes, position: position, end: position + Int(length))
    position = message.end
    return message
  }

  mutating func skip(_ wire: UInt64) throws(NeatError) {
    switch wire {
    case 0: _ = try varint()
    case 1, 5:
      let length = wire == 1 ? 8 : 4
      guard length <= end - position else {
        throw NeatError(.font, "fixed field goes beyond the end", offset: position)
      }
      position += length
    case 2: _ = try message()
    default: throw NeatError(.font, "unknown wire type \(wire)", offset: position)
    }
  }
}
