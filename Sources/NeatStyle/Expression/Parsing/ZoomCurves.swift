// `zoom` may stand only as the input of one outermost `step` or `interpolate`, perhaps inside `let` or
// `coalesce`. This finds that curve.
extension Node {
  func findZoomCurve() -> ZoomCurve {
    switch keptZoomCurve {
    case .own: return .curve(self)
    case .other(let curve): return curve
    case nil: break
    }
    let found = searchZoomCurve()
    // Not by reference to itself: such a node would never go away.
    if case .curve(let node) = found, node === self {
      keptZoomCurve = .own
    } else {
      keptZoomCurve = .other(found)
    }
    return found
  }

  private func searchZoomCurve() -> ZoomCurve {
    var result = ZoomCurve.none
    switch op {
    case .let: result = children[children.count - 1].findZoomCurve()
    case .coalesce:
      for child in children {
        result = child.findZoomCurve()
        if case .none = result { continue }
        break
      }
    case .step, .interpolate, .interpolateHCL, .interpolateLAB:
      if children[0].op == .zoom { result = .curve(self) }
    default: break
    }
    if case .error = result { return result }
    for child in children { result = Node.combine(result, child.findZoomCurve()) }
    return result
  }

  private static func combine(_ own: ZoomCurve, _ child: ZoomCurve) -> ZoomCurve {
    switch (own, child) {
    case (_, .error): return child
    case (.none, .curve):
      return .error(
        ExpressionError(
          key: "",
          message:
            "\"zoom\" expression may only be used as input to a top-level \"step\" or \"interpolate\" expression."
        ))
    case (.curve(let a), .curve(let b)) where a !== b:
      return .error(
        ExpressionError(
          key: "",
          message:
            "Only one zoom-based \"step\" or \"interpolate\" subexpression may be used in an expression."))
    default: return own
    }
  }

  /// Keys of `global-state` that are read.
  var globalStateKeys: Set<String> {
    guard dependencies.contains(.globalState) else { return [] }
    var keys: Set<String> = []
    if op == .globalState, case .names(let names) = detail { keys.formUnion(names) }
    for child in children { keys.formUnion(child.globalStateKeys) }
    return keys
  }

  /// Names of images that stand in the expression as literals.
  var imageNames: Set<String> {
    guard dependencies.contains(.images) || type == .resolvedImage else { return [] }
    var names: Set<String> = []
    if op == .image || op == .coercion && type == .resolvedImage,
      case .string(let name)? = children[0].literalValue
    {
      names.insert(name)
    }
    for child in children { names.formUnion(child.imageNames) }
    return names
  }
}
