// Whole numbers out of floating-point ones, for every value: truncated toward zero as the initializers of the
// standard library do, the nearest that the type has for what lies beyond, 0 for NaN. Those initializers end
// the process there, and BareConversions.swift keeps them out of the core.
import CNumber

extension Int {
  @inlinable @inline(__always) package init(saturating value: Double) {
    self = Int(neat_int64_of_double(value))
  }
  @inlinable @inline(__always) package init(saturating value: Float) {
    self = Int(neat_int64_of_float(value))
  }
}

extension Int8 {
  @inlinable @inline(__always) package init(saturating value: Double) { self = neat_int8_of_double(value) }
  @inlinable @inline(__always) package init(saturating value: Float) { self = neat_int8_of_float(value) }
}

extension Int16 {
  @inlinable @inline(__always) package init(saturating value: Double) { self = neat_int16_of_double(value) }
  @inlinable @inline(__always) package init(saturating value: Float) { self = neat_int16_of_float(value) }
}

extension Int32 {
  @inlinable @inline(__always) package init(saturating value: Double) { self = neat_int32_of_double(value) }
  @inlinable @inline(__always) package init(saturating value: Float) { self = neat_int32_of_float(value) }
}

extension Int64 {
  @inlinable @inline(__always) package init(saturating value: Double) { self = neat_int64_of_double(value) }
  @inlinable @inline(__always) package init(saturating value: Float) { self = neat_int64_of_float(value) }
}

extension UInt {
  @inlinable @inline(__always) package init(saturating value: Double) {
    self = UInt(neat_uint64_of_double(value))
  }
  @inlinable @inline(__always) package init(saturating value: Float) {
    self = UInt(neat_uint64_of_float(value))
  }
}

extension UInt8 {
  @inlinable @inline(__always) package init(saturating value: Double) { self = neat_uint8_of_double(value) }
  @inlinable @inline(__always) package init(saturating value: Float) { self = neat_uint8_of_float(value) }
}

extension UInt16 {
  @inlinable @inline(__always) package init(saturating value: Double) { self = neat_uint16_of_double(value) }
  @inlinable @inline(__always) package init(saturating value: Float) { self = neat_uint16_of_float(value) }
}

extension UInt32 {
  @inlinable @inline(__always) package init(saturating value: Double) { self = neat_uint32_of_double(value) }
  @inlinable @inline(__always) package init(saturating value: Float) { self = neat_uint32_of_float(value) }
}

extension UInt64 {
  @inlinable @inline(__always) package init(saturating value: Double) { self = neat_uint64_of_double(value) }
  @inlinable @inline(__always) package init(saturating value: Float) { self = neat_uint64_of_float(value) }
}

extension Int {
  /// Held within the range of 32 bits, which leaves room: sums of such numbers, and products of two, do not
  /// overflow.
  @inlinable @inline(__always) package init(bounded value: Double) { self = Int(neat_int32_of_double(value)) }
  @inlinable @inline(__always) package init(bounded value: Float) { self = Int(neat_int32_of_float(value)) }
}

extension Int {
  /// The number of a cell out of those from 0 to `last`, which is below 2^24: outer places belong to the
  /// outermost cells, NaN to the last.
  @inlinable @inline(__always) package init(cell place: Double, last: Int) {
    self = Int(neat_cell_of_double(place, Int32(truncatingIfNeeded: last)))
  }
  @inlinable @inline(__always) package init(cell place: Float, last: Int) {
    self = Int(neat_cell_of_float(place, Int32(truncatingIfNeeded: last)))
  }
}

extension SIMD4<UInt32> {
  @inlinable @inline(__always) package init(saturating value: SIMD4<Float>) {
    self.init(
      UInt32(saturating: value.x), UInt32(saturating: value.y), UInt32(saturating: value.z),
      UInt32(saturating: value.w))
  }
}
