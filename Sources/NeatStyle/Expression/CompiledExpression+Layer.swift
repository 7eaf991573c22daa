import NeatBase

// Evaluation of all features of the bound layer in one call, into one column. An expression that does not
// look at the feature is evaluated once. Where `evaluator.feature` stands afterwards is not said.
extension CompiledExpression {
  /// Evaluates for the first `out.count` features of the layer; `none` stands where there is no value of that
  /// kind.
  @inline(__always)
  private func fill<T>(
    _ out: UnsafeMutableBufferPointer<T>, _ evaluator: Evaluator, none: T, _ tag: Slot.Tag, single: () -> T?,
    _ read: (_ slot: Slot, _ register: Int, _ frame: UnsafeMutablePointer<Frame>) -> T
  ) {
    let hot = evaluator.hot
    guard let program, !isFeatureConstant else {
      hot.pointee.feature = -1
      return out.update(repeating: single() ?? none)
    }
    let frame = evaluator.frame(program)
    for feature in 0..<out.count {
      hot.pointee.feature = feature
      guard let register = Machine.run(program, evaluator, frame) else {
        out[feature] = none
        continue
      }
      let slot = frame.pointee.slots[register]
      out[feature] = slot.is(tag) ? read(slot, register, frame) : none
    }
  }

  /// Numbers; NaN where there is none.
  package func numbers(_ evaluator: Evaluator, into out: UnsafeMutableBufferPointer<Double>) {
    fill(out, evaluator, none: .nan, .number, single: { number(evaluator) }, { slot, _, _ in slot.number })
  }

  /// Colours, not premultiplied; all NaN where there is none.
  package func colors(_ evaluator: Evaluator, into out: UnsafeMutableBufferPointer<Color>) {
    let none = Color(r: .nan, g: .nan, b: .nan, a: .nan)
    fill(
      out, evaluator, none: none, .color, single: { color(evaluator) },
      { _, register, frame in frame.pointee.colors[register].color })
  }

  /// Booleans as 0 and 1; 255 where there is none.
  package func booleans(_ evaluator: Evaluator, into out: UnsafeMutableBufferPointer<UInt8>) {
    fill(
      out, evaluator, none: 255, .bool, single: { bool(evaluator).map { $0 ? 1 : 0 } },
      { slot, _, _ in slot.bool ? 1 : 0 })
  }

  /// Strings one after the other, formatted text and names of images too: feature f has the bytes
  /// `starts[f]..<starts[f + 1]`, none where there is none. Throws `limitExceeded` where they are longer than
  /// 4 GiB.
  package func strings(
    _ evaluator: Evaluator, starts: UnsafeMutableBufferPointer<UInt32>, text: inout [UInt8]
  ) throws(NeatError) {
    guard let first = starts.baseAddress else { return }
    first.pointee = 0
    var same: [UInt8]?
    if isFeatureConstant {
      evaluator.hot.pointee.feature = -1
      var once: [UInt8] = []
      appendText(evaluator, to: &once)
      same = once
    }
    for feature in 0..<starts.count - 1 {
      evaluator.hot.pointee.feature = feature
      if let same { text += same } else { appendText(evaluator, to: &text) }
      guard text.count <= UInt32.max else {
        throw NeatError(.limitExceeded, "the strings of the layer are longer than 4 GiB")
      }
      first[feature + 1] = UInt32(text.count)
    }
  }

  private func appendText(_ evaluator: Evaluator, to text: inout [UInt8]) {
    if let bytes = textBytes(evaluator) {
      text.append(contentsOf: bytes)
    } else if type == .formatted, let formatted = formatted(evaluator) {
      for section in formatted.sections { text += section.text.utf8 }
    }
  }

  /// Numbers at so many zooms, without a feature; NaN where there is none.
  package func numbers(
    _ evaluator: Evaluator, zooms: UnsafeBufferPointer<Double>, into out: UnsafeMutableBufferPointer<Double>
  ) {
    evaluator.hot.pointee.feature = -1
    guard let program else { return out.update(repeating: number(evaluator) ?? .nan) }
    let frame = evaluator.frame(program)
    for index in 0..<min(zooms.count, out.count) {
      evaluator.zoom = zooms[index]
      guard let register = Machine.run(program, evaluator, frame), frame.pointee.slots[register].is(.number)
      else {
        out[index] = .nan
        continue
      }
      out[index] = frame.pointee.slots[register].number
    }
  }
}
