import NeatBase
import NeatTile

// What instructions look up: values of features, branches of tables, stops of curves.
extension Machine {
  /// Index of the feature's value under a key, or -1.
  @inline(__always)
  static func valueIndex(
    _ key: UnsafeMutablePointer<Frame.Key>, _ feature: Int, _ hot: UnsafeMutablePointer<HotState>,
    _ evaluator: Evaluator
  ) -> Int {
    if let column = key.pointee.column {
      return feature >= 0 && feature < hot.pointee.featureCount ? Int(column[feature]) : -1
    }
    return key.pointee.number < 0 ? -1 : evaluator.lookUp(key, feature)
  }

  /// The branch of the feature's value under a key.
  @inline(__always)
  static func branch(
    _ instruction: Instruction, _ program: Program, _ frame: UnsafeMutablePointer<Frame>,
    _ feature: Int, _ hot: UnsafeMutablePointer<HotState>, _ evaluator: Evaluator
  ) -> Int {
    let index = valueIndex(frame.pointee.keys + Int(instruction.x), feature, hot, evaluator)
    let table = Int(instruction.z)
    if index >= 0, let memo = frame.pointee.memos[table] {
      let known = memo[index]
      if known != 0 { return Int(known) - 1 }
    }
    return findBranch(index, table, program, frame, hot, evaluator)
  }

  @inline(never)
  private static func findBranch(
    _ index: Int, _ number: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>,
    _ hot: UnsafeMutablePointer<HotState>,
    _ evaluator: Evaluator
  ) -> Int {
    program.tables[number]._withUnsafeGuaranteedRef { table in
      guard index >= 0, let values = hot.pointee.values else { return table.branchAbsent }
      assert(index < hot.pointee.valueCount, "columns hold indices of values")
      let branch = table.branch(values[index].value)
      assert(branch >= 0 && (!table.isMemoizable || branch < Int(UInt16.max)), "branches fit the memory")
      if table.isMemoizable {
        let memo = frame.pointee.memos[number] ?? evaluator.makeMemo(frame, number)
        memo[index] = UInt16(truncatingIfNeeded: branch + 1)
      }
      return branch
    }
  }

  /// Finds the stops around an input, and the place between them; false for NaN.
  @inline(__always)
  static func find(
    _ input: Double, _ number: Int, _ program: Program, _ frame: UnsafeMutablePointer<Frame>
  ) -> Bool {
    let state = frame.pointee.curves + number
    return state.pointee.input == input ? true : search(input, number, program, state)
  }

  @inline(never)
  private static func search(
    _ input: Double, _ number: Int, _ program: Program, _ state: UnsafeMutablePointer<Frame.CurveState>
  ) -> Bool {
    if input.isNaN { return false }
    let curve = program.curves + number
    let stops = curve.pointee.stops
    assert(number < program.curveCount, "curves are those of the program")
    let last = curve.pointee.count - 1
    var stop = 0
    var isBetween = false
    if input >= stops[last] {
      stop = last
    } else if input > stops[0] {
      var high = last
      while high - stop > 1 {
        let middle = (stop + high) / 2
        if stops[middle] <= input { stop = middle } else { high = middle }
      }
      isBetween = true
    }
    assert(stop >= 0 && stop <= last && (!isBetween || stop < last && stops[stop] <= input))
    let factor = isBetween ? curve.pointee.factor(input, stop) : 0
    state.pointee = Frame.CurveState(
      input: input, stop: Int32(stop), isBetween: isBetween ? 1 : 0, factor: factor)
    return true
  }
}
