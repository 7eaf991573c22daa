import NeatBase
import NeatTile

/// A point as the machine takes it: plain words, so that loops over features count no references. It lives no
/// longer than the `EvaluationPoint` that it was made of.
struct MachinePoint: BitwiseCopyable {
  let zoom: Double
  let feature: Int
  private let surroundings: Unmanaged<EvaluationSurroundings>?
  private let stateBox: Unmanaged<EvaluationState>?

  @inline(__always)
  init(_ point: borrowing EvaluationPoint) {
    zoom = point.zoom
    feature = point.feature
    surroundings = point.surroundings.map { Unmanaged.passUnretained($0) }
    stateBox = point.state.map { Unmanaged.passUnretained($0) }
  }

  private init(
    zoom: Double, feature: Int, _ surroundings: Unmanaged<EvaluationSurroundings>?,
    _ stateBox: Unmanaged<EvaluationState>?
  ) {
    self.zoom = zoom
    self.feature = feature
    self.surroundings = surroundings
    self.stateBox = stateBox
  }

  /// Another feature of the layer, without a state.
  @inline(__always)
  func feature(_ index: Int) -> MachinePoint {
    assert(index < 0 || surroundings != nil, "a feature is one of a layer")
    return MachinePoint(zoom: zoom, feature: index, surroundings, nil)
  }

  /// No feature, at a zoom.
  @inline(__always)
  static func camera(zoom: Double) -> MachinePoint { MachinePoint(zoom: zoom, feature: -1, nil, nil) }

  // What few operations look at.

  @inline(__always)
  var layerAddress: UnsafeRawPointer? { surroundings?._withUnsafeGuaranteedRef { $0.layerAddress } }
  var layer: TileLayer? { surroundings?._withUnsafeGuaranteedRef { $0.layer } }
  var tile: TileID? { surroundings?._withUnsafeGuaranteedRef { $0.tile } }
  /// Zeros where the point is on no ramp.
  var ramp: RampInputs { surroundings?._withUnsafeGuaranteedRef { $0.ramp } ?? RampInputs() }
  var accumulated: ExpressionValue? { surroundings?._withUnsafeGuaranteedRef { $0.accumulated } }
  var featureID: ExpressionValue? { surroundings?._withUnsafeGuaranteedRef { $0.featureID } }
  var state: FeatureState? { stateBox?._withUnsafeGuaranteedRef { $0.members } }
}
