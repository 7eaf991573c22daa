// Geometry commands of MVT 2.1, section 4.3: a command word (kind in 3 bits, count above), then zigzag deltas
// in pairs.
//
// The field is known to end with a whole number, so a number that begins before its end also ends before it,
// and no byte is tested alone. A command that asks for n points is tested once against the bytes left (2n at
// least), which bounds memory; its points are then read in pairs, both numbers from one 8-byte load, and one
// test a point keeps the pair within the field.
import NeatBase

/// Where points and the ends of parts are written; room for half as many of each as the geometry has bytes
/// has been made.
struct MVTGeometrySink {
  let pointBase: UnsafeMutablePointer<SIMD2<Int32>>
  var point: UnsafeMutablePointer<SIMD2<Int32>>
  var partEnd: UnsafeMutablePointer<UInt32>

  @inline(__always) mutating func endPart() {
    assert(point >= pointBase, "points before the first")
    partEnd.pointee = UInt32(truncatingIfNeeded: point - pointBase)
    partEnd += 1
  }
}

struct MVTGeometryReader {
  private var at: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  /// Up to here, 8 bytes can be read at once.
  private let wide: UnsafePointer<UInt8>
  private var x: Int32 = 0
  private var y: Int32 = 0

  @inline(__always)
  init(_ record: MVTFeatureRecord, wide: UnsafePointer<UInt8>) {
    at = record.geometry
    end = record.geometry + record.geometryLength
    self.wide = wide
    assert(record.geometryLength == 0 || end[-1] < 0x80, "a packed field ends within a number")
  }

  /// Reads `count` points; false when the field ends before that.
  @inline(__always)
  private mutating func points(_ count: Int, _ sink: inout MVTGeometrySink) -> Bool {
    guard 2 &* count <= end - at else { return false }
    var cursor = at
    var px = x
    var py = y
    var target = sink.point
    let last = target + count
    assert(count >= 0, "a count is of 29 bits")
    while target < last {
      guard let (a, b) = pair32(&cursor, end: end, wide: wide) else { return false }
      px &+= zigzag(a)
      py &+= zigzag(b)
      target.pointee = SIMD2(px, py)
      target += 1
    }
    at = cursor
    x = px
    y = py
    sink.point = target
    return true
  }

  /// A point or multi-point: one part.
  @inline(__always)
  mutating func readPoints(isStrict: Bool, _ sink: inout MVTGeometrySink) -> MVTFeatureFault {
    var commands = 0
    let first = sink.point
    while at < end {
      let command = uncheckedVarint32(&at)
      let count = Int(command &>> 3)
      guard command & 7 == 1 else {
        if command & 7 == 7 && !isStrict { continue }
        return command & 7 == 2 ? .noMove : command & 7 == 7 ? .closeFirst : .command
      }
      commands &+= 1
      if isStrict && (count == 0 || commands > 1) { return .count }
      guard points(count, &sink) else { return .short }
    }
    guard sink.point > first else { return .noGeometry }
    sink.endPart()
    return .none
  }

  /// A line or multi-line, or a geometry of unknown type.
  @inline(__always)
  mutating func readLines(isStrict: Bool, _ sink: inout MVTGeometrySink) -> MVTFeatureFault {
    var first = sink.point
    var isOpen = false
    while at < end {
      let command = uncheckedVarint32(&at)
      let count = Int(command &>> 3)
      switch command & 7 {
      case 1:
        if isStrict && count != 1 { return .count }
        if isStrict && isOpen && sink.point - first < 2 { return .noLine }
        var moves = count
        while moves > 0 {
          if sink.point > first { sink.endPart() }
          first = sink.point
          guard points(1, &sink) else { return .short }
          isOpen = true
          moves &-= 1
        }
      case 2:
        guard isOpen else { return .noMove }
        if isStrict && count == 0 { return .count }
        guard points(count, &sink) else { return .short }
        if isStrict && hasRepeatedPoint(first, sink.point) { return .repeatedPoint }
      case 7:
        if isStrict { return .closeFirst }
        // Old tiles close lines this way (mvt-fixtures 061): the first point is repeated, the part ends.
        // The part has at least 7 bytes by now, so its points still are no more than half as many.
        if isOpen && sink.point - first >= 2 {
          sink.point.pointee = first.pointee
          sink.point += 1
          sink.endPart()
          first = sink.point
          isOpen = false
        }
      default: return .command
      }
    }
    if isStrict && isOpen && sink.point - first < 2 { return .noLine }
    if sink.point > first { sink.endPart() }
    return .none
  }

  /// A polygon or multi-polygon: rings without their closing point, wound as they come.
  @inline(__always)
  mutating func readRings(isStrict: Bool, _ sink: inout MVTGeometrySink) -> MVTFeatureFault {
    var first = sink.point
    var isOpen = false
    while at < end {
      let command = uncheckedVarint32(&at)
      let count = Int(command &>> 3)
      switch command & 7 {
      case 1:
        if isStrict && count != 1 { return .count }
        if isStrict && isOpen { return .noClose }
        var moves = count
        while moves > 0 {
          endRing(first, &sink)
          first = sink.point
          guard points(1, &sink) else { return .short }
          isOpen = true
          moves &-= 1
        }
      case 2:
        guard isOpen else { return .noMove }
        if isStrict && count == 0 { return .count }
        guard points(count, &sink) else { return .short }
        if isStrict && hasRepeatedPoint(first, sink.point) { return .repeatedPoint }
      case 7:
        if isStrict && !isOpen { return .closeFirst }
        if isStrict && count != 1 { return .closeCount }
        if isStrict && sink.point - first < 3 { return .ring }
        endRing(first, &sink)
        first = sink.point
        isOpen = false
      default: return .command
      }
    }
    if isStrict && isOpen { return .noClose }
    endRing(first, &sink)
    return .none
  }

  /// Ends the ring that began at `first`, without a last point that only repeats the first one.
  @inline(__always)
  private func endRing(_ first: UnsafeMutablePointer<SIMD2<Int32>>, _ sink: inout MVTGeometrySink) {
    guard sink.point > first else { return }
    assert(sink.point - first > 0, "a ring without points")
    if sink.point - first > 1 && (sink.point - 1).pointee == first.pointee { sink.point -= 1 }
    sink.endPart()
  }

  private func hasRepeatedPoint(
    _ first: UnsafeMutablePointer<SIMD2<Int32>>, _ end: UnsafeMutablePointer<SIMD2<Int32>>
  ) -> Bool {
    var point = first + 1
    while point < end {
      if point.pointee == (point - 1).pointee { return true }
      point += 1
    }
    return false
  }
}
