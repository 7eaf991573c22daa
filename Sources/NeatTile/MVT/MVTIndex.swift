// What a tile tells to who goes from length to length and reads nothing else: its layers, their names, and
// how many features, keys and values each has. A feature costs a few nanoseconds, whatever its size.
import NeatBase

/// Where the parts of a layer are. Counts are those of the fields in the tile, whether what is in them can be
/// read or not.
struct MVTLayerIndex {
  let bytes: UnsafeBufferPointer<UInt8>
  var name: UnsafeBufferPointer<UInt8>?
  var version: UInt32 = 1
  var extent: UInt32 = 4096
  var features = Run()
  var keys = Run()
  var values = Run()

  /// The fields of one kind: how many, and where the first one begins.
  struct Run {
    var count = 0
    var first: UnsafePointer<UInt8>?
  }

  /// Where the layer's framing breaks, and how.
  struct Fault {
    var at: UnsafePointer<UInt8>
    var message: String
  }

  /// Goes over the fields of a layer.
  static func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> (index: MVTLayerIndex, fault: Fault?) {
    var index = MVTLayerIndex(bytes: bytes)
    guard let base = bytes.baseAddress else { return (index, nil) }
    var reader = ProtobufReader(base, bytes.count)
    while !reader.isAtEnd {
      let at = reader.at
      switch at[0] {
      case 0x12:
        if !index.features.skip(0x12, &reader) {
          return (index, Fault(at: reader.at, message: "a feature reaches past the end of its layer"))
        }
      case 0x1a:
        if !index.keys.skip(0x1a, &reader) {
          return (index, Fault(at: reader.at, message: "a key reaches past the end of its layer"))
        }
      case 0x22:
        if !index.values.skip(0x22, &reader) {
          return (index, Fault(at: reader.at, message: "a value reaches past the end of its layer"))
        }
      default:
        if !index.readOther(&reader) {
          return (index, Fault(at: at, message: "a field of a layer is cut short or not protobuf"))
        }
      }
    }
    return (index, nil)
  }

  private mutating func readOther(_ reader: inout ProtobufReader) -> Bool {
    guard let tag = reader.varint() else { return false }
    switch tag {
    case 0x0a:
      guard let field = reader.bytes() else { return false }
      name = field
    case 0x28:
      guard let value = reader.varint() else { return false }
      if value > 0 && value <= UInt64(UInt32.max) { extent = UInt32(value) }
    case 0x78:
      guard let value = reader.varint() else { return false }
      version = UInt32(truncatingIfNeeded: value)
    default: return tag >= 8 && reader.skip(wire: tag & 7)
    }
    return true
  }
}

extension MVTLayerIndex.Run {
  /// Passes over the fields with this tag that follow each other; false where one reaches past the end.
  @inline(__always)
  mutating func skip(_ tag: UInt8, _ reader: inout ProtobufReader) -> Bool {
    if first == nil { first = reader.at }
    let end = reader.end
    var at = reader.at
    var passed = 0
    while at < end && at[0] == tag {
      guard let length = MVTFields.length(&at, end) else {
        reader.at = at
        return false
      }
      at += length
      passed &+= 1
      assert(at <= end, "a field reaches past the end of its layer")
    }
    reader.at = at
    count += passed
    return true
  }
}

/// Fields with a length, whose tag has one byte.
enum MVTFields {
  /// Steps over a tag and a length, which is within the bytes that are left; nil where it is not.
  @inline(__always)
  static func length(_ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int? {
    if end - at >= 3 {
      let low = at[1]
      if low < 0x80 {
        at += 2
        return Int(low) <= end - at ? Int(low) : nil
      }
      let high = at[2]
      if high < 0x80 {
        at += 3
        let length = Int(low & 0x7f) | Int(high) &<< 7
        return length <= end - at ? length : nil
      }
    }
    var reader = ProtobufReader(at + 1, end - at - 1)
    guard let length = reader.varint(), length <= UInt64(end - reader.at) else { return nil }
    at = reader.at
    return Int(length)
  }

  /// Passes over a field of any kind; false where it is cut short or not protobuf.
  @inline(never)
  static func skip(_ at: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
    var reader = ProtobufReader(at, end - at)
    guard let tag = reader.varint(), tag >= 8, reader.skip(wire: tag & 7) else { return false }
    at = reader.at
    return true
  }

  /// Calls with each field of a run, in its order, other fields between them passed over.
  @inline(__always)
  static func each(
    _ tag: UInt8, _ run: MVTLayerIndex.Run, _ layer: UnsafeBufferPointer<UInt8>,
    _ body: (_ number: Int, _ field: UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    eachPlace(tag, run, layer) { number, _, field in body(number, field) }
  }

  /// The same, with where the field's tag is.
  @inline(__always)
  static func eachPlace(
    _ tag: UInt8, _ run: MVTLayerIndex.Run, _ layer: UnsafeBufferPointer<UInt8>,
    _ body: (_ number: Int, _ place: UnsafePointer<UInt8>, _ field: UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    guard let first = run.first, let base = layer.baseAddress else { return }
    let end = base + layer.count
    var at = first
    var number = 0
    while number < run.count && at < end {
      if at[0] == tag {
        let place = at
        guard let length = length(&at, end) else { return }
        if !body(number, place, UnsafeBufferPointer(start: at, count: length)) { return }
        assert(length <= end - at, "a field reaches past the end of its layer")
        at += length
        number &+= 1
        continue
      }
      guard skip(&at, end) else { return }
    }
  }
}
