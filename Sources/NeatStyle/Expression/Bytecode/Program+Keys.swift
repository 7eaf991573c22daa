extension Program {
  /// The properties that a run looks at, where it looks at nothing else of a feature; nil where it does.
  var keysAlone: [String]? {
    for pc in 0..<codeCount {
      switch code[pc].op {
      case .id, .geometryType, .testGeometry, .heatmapDensity, .elevation, .lineProgress, .skyRadialProgress:
        return nil
      case .slow:
        switch SlowOperation(rawValue: code[pc].x) {
        case .properties, .featureState, .accumulated, .within, .distance, .getComputed, .hasComputed,
          .filterIDCompare, .filterIDIn, nil:
          return nil
        default: break
        }
      default: break
      }
    }
    return keys
  }
}

extension CompiledExpression {
  /// The properties by which values of one layer differ, at one zoom, where nothing else of a feature counts; nil
  /// where something does.
  package var keysAlone: [String]? { program.map(\.keysAlone) ?? [] }
}
