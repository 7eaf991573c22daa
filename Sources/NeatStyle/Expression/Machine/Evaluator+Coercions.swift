import NeatBase

extension Evaluator {
  /// Coerces register `a` into `dst`; false where that fails.
  @inline(never)
  func coerce(
    _ kind: CoercionKind, _ a: Int, _ dst: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    let slot = frame.pointee.slots[a]
    guard chargeCoercion(slot, a, program, frame) else { return false }
    switch kind {
    case .number: return coerceNumber(slot, a, dst, program, frame)
    case .color: return coerceColor(slot, a, dst, program, frame)
    case .padding: return put(value(a, program, frame).asPadding, dst, frame)
    case .numberArray: return put(value(a, program, frame).asNumberArray, dst, frame)
    case .colorArray: return put(value(a, program, frame).asColorArray, dst, frame)
    case .anchorOffsets: return put(value(a, program, frame).asAnchorOffsets, dst, frame)
    case .projection: return put(value(a, program, frame).asProjection, dst, frame)
    }
  }

  /// Charges a coercion for what it looks at and may make. Past the budget it fails as any other coercion
  /// does, and so do those that follow.
  private func chargeCoercion(
    _ slot: Slot, _ a: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    if slot.is(.boxed) { return charge(value(a, program, frame)) }
    let length = slot.bytes.count
    return length < Slot.longText ? !isOverrun : charge(reading: length)
  }

  private func put(_ value: ExpressionValue?, _ dst: Int, _ frame: UnsafeMutablePointer<Frame>) -> Bool {
    guard let value else { return false }
    put(value, dst, frame)
    return true
  }

  private func coerceNumber(
    _ slot: Slot, _ a: Int, _ dst: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    let number: Double?
    switch Slot.Tag(rawValue: slot.tag) {
    case .null: number = 0
    case .bool: number = slot.bool ? 1 : 0
    case .number: number = slot.number.isNaN ? nil : slot.number
    case .string: number = jsNumber(parsing: slot.bytes)
    case .boxed: number = value(a, program, frame).asNumber
    default: number = nil
    }
    guard let number else { return false }
    frame.pointee.slots[dst] = Slot(number)
    return true
  }

  private func coerceColor(
    _ slot: Slot, _ a: Int, _ dst: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    let color: RGBA
    switch Slot.Tag(rawValue: slot.tag) {
    case .color: color = frame.pointee.colors[a]
    case .string:
      guard let parsed = RGBA.parse(slot.bytes) else { return false }
      color = parsed
    case .boxed:
      guard case .array(let items) = value(a, program, frame), items.count == 3 || items.count == 4,
        Machine.rgbaFault(items) == nil
      else {
        return false
      }
      var parts = SIMD4<Double>(0, 0, 0, 255)
      for (index, item) in items.enumerated() {
        if case .number(let number) = item { parts[index] = index < 3 ? number : number * 255 }
      }
      parts /= 255
      // The specification's own implementation takes the components of such an array for premultiplied.
      let scale = parts[3] > 0 ? 1 / parts[3] : 1
      color = RGBA(parts[0] * scale, parts[1] * scale, parts[2] * scale, parts[3])
    default: return false
    }
    frame.pointee.colors[dst] = color
    frame.pointee.slots[dst] = Slot(.color)
    return true
  }

  /// Interpolates what is neither a number nor a plain sRGB colour; false where the two do not fit.
  @inline(never)
  func mixAny(
    _ dst: Int, _ a: Int, _ t: Double, _ space: ColorSpace, _ pc: Int, _ program: Program,
    _ frame: UnsafeMutablePointer<Frame>
  )
    -> Bool
  {
    assert(a + 1 < program.registerCount, "mixing reads two registers")
    let low = value(a, program, frame)
    let high = value(a + 1, program, frame)
    guard charge(low), charge(high) else {
      fail(pc) { "" }
      return false
    }
    if let message = ExpressionValue.misfit(low, high) {
      fail(pc) { message }
      return false
    }
    put(ExpressionValue.mix(low, high, t, space), dst, frame)
    return true
  }
}

extension ExpressionValue {
  /// Why two values cannot be interpolated; nil where they can.
  fileprivate static func misfit(_ a: ExpressionValue, _ b: ExpressionValue) -> String? {
    switch (a, b) {
    case (.colorArray(let low), .colorArray(let high)):
      guard low.count != high.count else { return nil }
      return "colorArray: Arrays have mismatched length (\(low.count) vs. \(high.count)), cannot interpolate."
    case (.anchorOffsets(let low), .anchorOffsets(let high)):
      guard low.count == high.count else {
        return "Cannot interpolate values of different length. from: \(a.text), to: \(b.text)"
      }
      for index in low.indices where low[index].anchor != high[index].anchor {
        return "Cannot interpolate values containing mismatched anchors. "
          + "from[\(2 * index)]: \(low[index].anchor), to[\(2 * index)]: \(high[index].anchor)"
      }
      return nil
    default: return nil
    }
  }

  static func mix(_ a: ExpressionValue, _ b: ExpressionValue, _ t: Double, _ space: ColorSpace)
    -> ExpressionValue
  {
    func between(_ a: Double, _ b: Double) -> Double { a + t * (b - a) }
    func numbers(_ a: [Double], _ b: [Double]) -> [Double] { zip(a, b).map(between) }
    switch (a, b) {
    case (.number(let a), .number(let b)): return .number(between(a, b))
    case (.color(let a), .color(let b)): return .color(RGBA.interpolate(a, b, t, space))
    case (.array(let a), .array(let b)): return .array(zip(a, b).map { mix($0, $1, t, space) })
    case (.padding(let a), .padding(let b)): return .padding(numbers(a, b))
    case (.numberArray(let a), .numberArray(let b)): return .numberArray(numbers(a, b))
    case (.colorArray(let a), .colorArray(let b)):
      return .colorArray(zip(a, b).map { RGBA.interpolate($0, $1, t, space) })
    case (.anchorOffsets(let a), .anchorOffsets(let b)):
      return .anchorOffsets(
        zip(a, b).map { AnchorOffset(anchor: $0.anchor, x: between($0.x, $1.x), y: between($0.y, $1.y)) })
    case (.projection(let a), .projection(let b)):
      return .projection(ProjectionDefinition(from: a.to, to: b.to, transition: t))
    default: return .null
    }
  }
}
