import NeatBase

// Evaluation of all features of the point's layer in one call, into one column. An expression that does not
// look at the feature is evaluated once.
extension CompiledExpression {
  /// Evaluates for the first `out.count` features of the layer; `none` stands where there is no value of that
  /// kind.
  @inline(__always)
  private func fill<T>(
    _ out: UnsafeMutableBufferPointer<T>, _ evaluator: Evaluator, _ point: EvaluationPoint, none: T,
    _ tag: Slot.Tag, single: (EvaluationPoint) -> T?,
    _ read: (_ slot: Slot, _ register: Int, _ frame: UnsafeMutablePointer<Frame>) -> T
  ) {
    guard let program, !isFeatureConstant else {
      return out.update(repeating: single(point.feature(-1)) ?? none)
    }
    guard !out.isEmpty, point.layer != nil else { return out.update(repeating: none) }
    var point = MachinePoint(point).feature(0)
    let frame = evaluator.frame(program, point)
    for feature in 0..<out.count {
      if feature & 255 == 0, !evaluator.mayContinue(features: 256, of: program) {
        return out[feature...].update(repeating: none)
      }
      point.feature = feature
      guard let register = Machine.run(program, evaluator, frame, &point) else {
        out[feature] = none
        continue
      }
      let slot = frame.pointee.slots[register]
      out[feature] = slot.is(tag) ? read(slot, register, frame) : none
    }
  }

  /// Numbers; NaN where there is none.
  package func numbers(
    _ evaluator: Evaluator, at point: EvaluationPoint, into out: UnsafeMutableBufferPointer<Double>
  ) {
    fill(
      out, evaluator, point, none: .nan, .number, single: { number(evaluator, at: $0) },
      { slot, _, _ in slot.number })
  }

  /// Colours, not premultiplied; all NaN where there is none.
  package func colors(
    _ evaluator: Evaluator, at point: EvaluationPoint, into out: UnsafeMutableBufferPointer<Color>
  ) {
    let none = Color(r: .nan, g: .nan, b: .nan, a: .nan)
    fill(
      out, evaluator, point, none: none, .color, single: { color(evaluator, at: $0) },
      { _, register, frame in frame.pointee.colors[register].color })
  }

  /// Booleans as 0 and 1; 255 where there is none.
  package func booleans(
    _ evaluator: Evaluator, at point: EvaluationPoint, into out: UnsafeMutableBufferPointer<UInt8>
  ) {
    fill(
      out, evaluator, point, none: 255, .bool, single: { bool(evaluator, at: $0).map { $0 ? 1 : 0 } },
      { slot, _, _ in slot.bool ? 1 : 0 })
  }

  /// Strings one after the other, formatted text and names of images too: feature f has the bytes
  /// `starts[f]..<starts[f + 1]`, none where there is none. Throws `limitExceeded` where they are longer than
  /// 4 GiB.
  package func strings(
    _ evaluator: Evaluator, at point: EvaluationPoint, starts: UnsafeMutableBufferPointer<UInt32>,
    text: inout [UInt8]
  ) throws(NeatError) {
    guard let first = starts.baseAddress else { return }
    assert(starts.count - 1 <= point.layer?.featureCount ?? 0, "no more strings than features")
    first.pointee = 0
    var point = MachinePoint(point).feature(isFeatureConstant ? -1 : 0)
    var same: [UInt8]?
    if isFeatureConstant {
      var once: [UInt8] = []
      if let program {
        appendText(program, evaluator, evaluator.frame(program, point), &point, to: &once)
      } else if let constant {
        once += constant.columnText.utf8
      }
      same = once
    }
    let frame = same == nil ? program.map { evaluator.frame($0, point) } : nil
    for feature in 0..<starts.count - 1 {
      if let same {
        text += same
      } else if let program, let frame {
        if feature & 255 == 0 { _ = evaluator.mayContinue(features: 256, of: program) }
        point.feature = feature
        appendText(program, evaluator, frame, &point, to: &text)
      }
      guard text.count <= UInt32.max else {
        throw NeatError(.limitExceeded, "the strings of the layer are longer than 4 GiB")
      }
      if !evaluator.keep(bytes: text.count - Int(first[feature])), let ledger = evaluator.ledger,
        let end = ledger.end
      {
        throw ledger.error(end)
      }
      first[feature + 1] = UInt32(text.count)
    }
  }

  private func appendText(
    _ program: Program, _ evaluator: Evaluator, _ frame: UnsafeMutablePointer<Frame>,
    _ point: UnsafePointer<MachinePoint>, to text: inout [UInt8]
  ) {
    guard let register = Machine.run(program, evaluator, frame, point) else { return }
    let slot = frame.pointee.slots[register]
    if slot.tagBit & Slot.textBits != 0 {
      text.append(contentsOf: slot.bytes)
    } else if type == .formatted {
      text += evaluator.value(register, program, frame).columnText.utf8
    }
  }

  /// Numbers at so many zooms, without a feature; NaN where there is none.
  package func numbers(
    _ evaluator: Evaluator, zooms: UnsafeBufferPointer<Double>, into out: UnsafeMutableBufferPointer<Double>
  ) {
    guard let program else {
      return out.update(repeating: number(evaluator, at: .camera(zoom: 0)) ?? .nan)
    }
    let frame = evaluator.frame(program, .camera(zoom: 0))
    for index in 0..<min(zooms.count, out.count) {
      var point = MachinePoint.camera(zoom: zooms[index])
      guard let register = Machine.run(program, evaluator, frame, &point),
        frame.pointee.slots[register].is(.number)
      else {
        out[index] = .nan
        continue
      }
      out[index] = frame.pointee.slots[register].number
    }
  }
}

extension ExpressionValue {
  /// What a column of strings holds of a value; empty for what is no text.
  fileprivate var columnText: String {
    switch self {
    case .string(let text): text
    case .formatted(let formatted): formatted.text
    case .image(let image): image.name
    default: ""
    }
  }
}
