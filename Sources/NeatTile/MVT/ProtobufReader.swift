import NeatBase

/// A cursor over protobuf bytes. Every read is checked against the end; nothing is copied.
struct ProtobufReader {
  var at: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>

  @inline(__always) init(_ start: UnsafePointer<UInt8>, _ count: Int) {
    assert(count >= 0, "fewer than no bytes")
    at = start
    end = start + count
  }

  @inline(__always) var isAtEnd: Bool { at >= end }

  /// A varint of up to 10 bytes, or nil when the bytes end or it is longer.
  @inline(__always) mutating func varint() -> UInt64? {
    guard at < end else { return nil }
    let first = at[0]
    if first < 0x80 {
      at += 1
      return UInt64(first)
    }
    return longVarint()
  }

  private mutating func longVarint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < end && shift < 70 {
      let byte = at[0]
      at += 1
      value |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// The bytes of a length-delimited field, or nil when they reach past the end.
  @inline(__always) mutating func bytes() -> UnsafeBufferPointer<UInt8>? {
    guard let length = varint(), length <= UInt64(end - at) else { return nil }
    defer { at += Int(length) }
    return UnsafeBufferPointer(start: at, count: Int(length))
  }

  @inline(__always) mutating func fixed32() -> UInt32? {
    guard end - at >= 4 else { return nil }
    defer { at += 4 }
    return UInt32(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt32.self))
  }

  @inline(__always) mutating func fixed64() -> UInt64? {
    guard end - at >= 8 else { return nil }
    defer { at += 8 }
    return UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
  }

  /// Skips a value of a wire type; false when the bytes end or the type does not exist (groups are not in use
  /// since 2.0).
  @inline(__always) mutating func skip(wire: UInt64) -> Bool {
    switch wire {
    case 0: return varint() != nil
    case 1: return fixed64() != nil
    case 2: return bytes() != nil
    case 5: return fixed32() != nil
    default: return false
    }
  }
}

/// The 7-bit groups of up to 8 little-endian bytes drawn together.
@inline(__always) func gatherSevens(_ word: UInt64) -> UInt64 {
  var x = word & 0x7f7f_7f7f_7f7f_7f7f
  x = (x & 0x007f_007f_007f_007f) | ((x & 0x7f00_7f00_7f00_7f00) &>> 1)
  x = (x & 0x0000_3fff_0000_3fff) | ((x & 0x3fff_0000_3fff_0000) &>> 2)
  return (x & 0x0fff_ffff) | ((x & 0x0fff_ffff_0000_0000) &>> 4)
}

/// Reads the next varint, which the caller knows to end before the range does: the low 32 bits of up to any
/// number of bytes.
@inline(__always) func uncheckedVarint32(_ at: inout UnsafePointer<UInt8>) -> UInt32 {
  var byte = at[0]
  at += 1
  var value = UInt32(byte & 0x7f)
  if byte < 0x80 { return value }
  var shift: UInt32 = 7
  repeat {
    byte = at[0]
    at += 1
    if shift < 32 { value |= UInt32(byte & 0x7f) &<< shift }
    shift &+= 7
  } while byte >= 0x80
  return value
}

/// Reads two varints of a field that ends with a whole one: at once from 8 bytes where both fit into them,
/// else one by one. Nil when the field has fewer than two left. `wide` is the last place where 8 bytes may
/// still be read.
@inline(__always) func pair32(
  _ at: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, wide: UnsafePointer<UInt8>
) -> (UInt32, UInt32)? {
  assert(at <= end, "a cursor past its field")
  if at <= wide {
    let word = UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
    let ends = ~word & 0x8080_8080_8080_8080
    let rest = ends & (ends &- 1)
    if rest != 0 {
      // Bits up to and with the first end byte: the first varint. The rest up to the second end: the second
      // one.
      let firstWidth = UInt64(truncatingIfNeeded: ends.trailingZeroBitCount) &+ 1
      let next = at + (rest.trailingZeroBitCount &+ 1) &>> 3
      assert(next > at + 1 && next <= at + 8, "two numbers of at least a byte each")
      guard next <= end else { return nil }
      at = next
      let a = gatherSevens(word & (ends ^ (ends &- 1)))
      let b = gatherSevens((word & (rest ^ (rest &- 1))) &>> firstWidth)
      return (UInt32(truncatingIfNeeded: a), UInt32(truncatingIfNeeded: b))
    }
  }
  guard at < end else { return nil }
  let a = uncheckedVarint32(&at)
  guard at < end else { return nil }
  let b = uncheckedVarint32(&at)
  return (a, b)
}

@inline(__always) func zigzag(_ value: UInt32) -> Int32 {
  Int32(bitPattern: (value &>> 1) ^ (0 &- (value & 1)))
}
