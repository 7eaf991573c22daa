import NeatBase
import NeatTile

// Parts of the context, one by one.
extension Evaluator {
  package var lineProgress: Double {
    get { hot.pointee.lineProgress }
    set {
      hot.pointee.lineProgress = newValue
      stored.lineProgress = newValue
    }
  }

  package var heatmapDensity: Double {
    get { hot.pointee.heatmapDensity }
    set {
      hot.pointee.heatmapDensity = newValue
      stored.heatmapDensity = newValue
    }
  }

  package var elevation: Double {
    get { hot.pointee.elevation }
    set {
      hot.pointee.elevation = newValue
      stored.elevation = newValue
    }
  }

  package var layer: TileLayer? { stored.layer }

  package var state: FeatureState? {
    get { stored.state }
    set { stored.state = newValue }
  }

  package var canonical: TileID? {
    get { stored.canonical }
    set {
      stored.canonical = newValue
      hot.pointee.stamp &+= 1
    }
  }

  package var availableImages: Set<String>? {
    get { stored.availableImages }
    set {
      stored.availableImages = newValue
      hot.pointee.stamp &+= 1
    }
  }

  package var globalState: [String: ExpressionValue]? {
    get { stored.globalState }
    set {
      stored.globalState = newValue
      hot.pointee.stamp &+= 1
    }
  }

  package var accumulated: ExpressionValue? {
    get { stored.accumulated }
    set { stored.accumulated = newValue }
  }

  package var featureID: ExpressionValue? {
    get { stored.featureID }
    set { stored.featureID = newValue }
  }
}
