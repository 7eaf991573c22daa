import NeatBase
import NeatTile

/// Feature state: what `setFeatureState` gave one feature.
package typealias FeatureState = [String: ExpressionValue]

/// Where an expression is evaluated: at a zoom, for a feature of a layer or for none.
///
/// A value, made where it is needed and passed along, so that there is nothing to put back: a property of the
/// whole layer is evaluated at `.camera(zoom:)`, those of features at `layer.feature(index)`. Four words;
/// what the features of a layer share lies behind one reference, so that loops make a point a feature for
/// nothing.
package struct EvaluationPoint: Sendable {
  package let zoom: Double
  /// Index of the feature in the layer; -1, or anything outside of the layer, for none.
  package let feature: Int
  let surroundings: EvaluationSurroundings?
  let state: EvaluationState?

  @inline(__always)
  init(zoom: Double, feature: Int, _ surroundings: EvaluationSurroundings?, _ state: EvaluationState? = nil) {
    assert(feature < 0 || surroundings?.layer != nil, "a feature is one of a layer")
    self.zoom = zoom
    self.feature = feature
    self.surroundings = surroundings
    self.state = state
  }

  /// No feature: for what is the same for a whole layer of the style.
  package static func camera(zoom: Double) -> EvaluationPoint {
    EvaluationPoint(zoom: zoom, feature: -1, nil)
  }

  /// A layer of a tile, without a feature yet: what loops over features start from. `tile` is where the
  /// layer's coordinates lie; `within` and `distance` need it.
  package static func layer(_ layer: TileLayer, tile: TileID? = nil, zoom: Double) -> EvaluationPoint {
    EvaluationPoint(zoom: zoom, feature: -1, EvaluationSurroundings(layer: layer, tile: tile))
  }

  package static func feature(
    _ index: Int, of layer: TileLayer, tile: TileID? = nil, zoom: Double, state: FeatureState? = nil
  ) -> EvaluationPoint {
    EvaluationPoint(
      zoom: zoom, feature: index, EvaluationSurroundings(layer: layer, tile: tile),
      state.map(EvaluationState.init))
  }

  /// A place on a colour ramp, without a feature.
  package static func ramp(_ inputs: RampInputs, zoom: Double) -> EvaluationPoint {
    EvaluationPoint(zoom: zoom, feature: -1, EvaluationSurroundings(ramp: inputs))
  }

  /// A feature of the same layer.
  package func feature(_ index: Int, state: FeatureState? = nil) -> EvaluationPoint {
    EvaluationPoint(zoom: zoom, feature: index, surroundings, state.map(EvaluationState.init))
  }

  /// The same at another zoom.
  package func at(zoom: Double) -> EvaluationPoint {
    EvaluationPoint(zoom: zoom, feature: feature, surroundings, state)
  }

  package var layer: TileLayer? { surroundings?.layer }
}

/// What `heatmap-density`, `line-progress`, `elevation` and `sky-radial-progress` read.
package struct RampInputs: Sendable {
  package var heatmapDensity = 0.0
  package var lineProgress = 0.0
  package var elevation = 0.0
  package var skyRadialProgress = 0.0

  package init(
    heatmapDensity: Double = 0, lineProgress: Double = 0, elevation: Double = 0, skyRadialProgress: Double = 0
  ) {
    self.heatmapDensity = heatmapDensity
    self.lineProgress = lineProgress
    self.elevation = elevation
    self.skyRadialProgress = skyRadialProgress
  }
}

/// What the points of one layer share. Immutable; the address is never followed.
final class EvaluationSurroundings: Sendable {
  let layer: TileLayer?
  /// Where the layer is in memory, read without counting references.
  nonisolated(unsafe) let layerAddress: UnsafeRawPointer?
  /// The tile that the layer's coordinates belong to.
  let tile: TileID?
  let ramp: RampInputs
  /// What the contributions before came to, in the reduce expression of a cluster's property.
  let accumulated: ExpressionValue?
  /// Stands in for the feature's id, where that is not an unsigned integer.
  let featureID: ExpressionValue?

  init(
    layer: TileLayer? = nil, tile: TileID? = nil, ramp: RampInputs = RampInputs(),
    accumulated: ExpressionValue? = nil, featureID: ExpressionValue? = nil
  ) {
    self.layer = layer
    layerAddress = layer.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) }
    self.tile = tile
    self.ramp = ramp
    self.accumulated = accumulated
    self.featureID = featureID
  }
}

/// A feature's state, behind a reference because few points have one.
final class EvaluationState: Sendable {
  let members: FeatureState

  init(_ members: FeatureState) { self.members = members }
}

extension EvaluationPoint {
  /// The only feature of a layer, as a reduce expression meets it: with what came before it.
  package static func reduction(of layer: TileLayer, accumulated: ExpressionValue) -> EvaluationPoint {
    EvaluationPoint(zoom: 0, feature: 0, EvaluationSurroundings(layer: layer, accumulated: accumulated))
  }
}
