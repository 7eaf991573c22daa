// A fence: in the core, the conversions of the standard library that end the process where a floating-point
// number lies past an integer's range are these ones, for a declaration of any module goes before one of the
// standard library; and using these is a warning, which is an error. They are not called.
//
// It holds in every file that imports NeatBase; Tests/NeatBaseTests/FenceTests.swift looks at the others, and
// at what the compiler does not see here.

extension Int {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Float) { self.init(saturating: value) }
}

extension Int8 {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Float) { self.init(saturating: value) }
}

extension Int16 {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Float) { self.init(saturating: value) }
}

extension Int32 {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Float) { self.init(saturating: value) }
}

extension Int64 {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Float) { self.init(saturating: value) }
}

extension UInt {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Float) { self.init(saturating: value) }
}

extension UInt8 {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Float) { self.init(saturating: value) }
}

extension UInt16 {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Float) { self.init(saturating: value) }
}

extension UInt32 {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Float) { self.init(saturating: value) }
}

extension UInt64 {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Double) { self.init(saturating: value) }
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init(_ value: Float) { self.init(saturating: value) }
}

extension BinaryInteger {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init<Value: BinaryFloatingPoint>(_ value: Value) { self = Self(exactly: value) ?? 0 }
}

extension FixedWidthInteger {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init<Value: BinaryFloatingPoint>(_ value: Value) { self = Self(exactly: value) ?? 0 }
}

extension SIMD2 where Scalar: FixedWidthInteger {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init<Other: BinaryFloatingPoint>(
    _ other: SIMD2<Other>, rounding rule: FloatingPointRoundingRule = .towardZero
  ) { self.init() }
}

extension SIMD3 where Scalar: FixedWidthInteger {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init<Other: BinaryFloatingPoint>(
    _ other: SIMD3<Other>, rounding rule: FloatingPointRoundingRule = .towardZero
  ) { self.init() }
}

extension SIMD4 where Scalar: FixedWidthInteger {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init<Other: BinaryFloatingPoint>(
    _ other: SIMD4<Other>, rounding rule: FloatingPointRoundingRule = .towardZero
  ) { self.init() }
}

extension SIMD8 where Scalar: FixedWidthInteger {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init<Other: BinaryFloatingPoint>(
    _ other: SIMD8<Other>, rounding rule: FloatingPointRoundingRule = .towardZero
  ) { self.init() }
}

extension SIMD16 where Scalar: FixedWidthInteger {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init<Other: BinaryFloatingPoint>(
    _ other: SIMD16<Other>, rounding rule: FloatingPointRoundingRule = .towardZero
  ) { self.init() }
}

extension SIMD32 where Scalar: FixedWidthInteger {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init<Other: BinaryFloatingPoint>(
    _ other: SIMD32<Other>, rounding rule: FloatingPointRoundingRule = .towardZero
  ) { self.init() }
}

extension SIMD64 where Scalar: FixedWidthInteger {
  @available(*, deprecated, message: "ends the process past the range: init(saturating:) or init(exactly:)")
  package init<Other: BinaryFloatingPoint>(
    _ other: SIMD64<Other>, rounding rule: FloatingPointRoundingRule = .towardZero
  ) { self.init() }
}
