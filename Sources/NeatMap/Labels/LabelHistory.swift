// What a map's frames have shown of its labels so far: which tiles gave them, which stand since the last
// placement, and how far they had come in by then. A frame takes it as it is where nothing has changed; where
// tiles came or went it takes their labels over by id; where a placement is due it has one. After MapLibre's
// Style._updatePlacement.
import NeatBase
import NeatCamera
import NeatLayout
import NeatPlacement
import NeatStyle

/// A tile's labels of one layer.
struct LabelTile: Sendable {
  let bucket: SymbolBucket
  var id: OverscaledTileID
  /// Of each symbol.
  let ids: [UInt32]
  /// How each is drawn, also those that go out.
  var states: [SymbolState] = []
  /// The numbers of those that are drawn.
  var standing: [Int32] = []
  /// Its data came anew: labels that it has now are there at once.
  var isReloaded = false
}

struct LabelLayer: Sendable {
  let id: String
  /// What placement looks at: the style's layer, and the one shown where it moves labels.
  var target: StyleLayer
  var mover: StyleLayer?
  var tiles: [LabelTile]
  /// Tiles that left the view, until their labels have gone out.
  var held: [LabelTile] = []
}

/// Where queries find the labels of a placement.
final class StandingLabels: @unchecked Sendable {  // is not changed once it is made
  struct Bucket {
    let layer: String
    let source: String
    let bucket: SymbolBucket
    let tile: OverscaledTileID
  }

  let placement: Placement
  let buckets: [Bucket]

  init(_ placement: Placement, _ buckets: [Bucket]) { (self.placement, self.buckets) = (placement, buckets) }
}

/// A view, as far as placement goes.
struct LabelView: Sendable, Equatable {
  let camera: Camera
  let size: ViewSize
  let margin: Int
  let globeness: Double

  init(_ transform: Transform) {
    (camera, size, margin) = (transform.camera, transform.size, transform.labelMargin)
    globeness = transform.globeness
  }
}

package struct LabelHistory: Sendable {
  /// From the top of the style down.
  var layers: [LabelLayer] = []
  var index = CrossTileIndex()
  /// By id.
  var records: [LabelRecord] = []
  /// The view of the last placement, and when it was, in the time of the map's frames; nil before there is one.
  var placedView: LabelView?
  var placedAt = 0.0
  /// By how much of the fade duration labels are ahead: where the map was zoomed out, so that those that have
  /// no room any more go sooner.
  var lead: Float = 0
  /// What labels made room for then.
  var obstacleNumber = 0
  /// Whether other tiles or layers are there than at the last placement.
  var isStale = true
  /// Whether a label had still to come or go then.
  var isFading = false
  /// The same for the same labels that stand.
  var number = 0
  var standing: StandingLabels?
  /// Of the last frame: for views that go around the world.
  var longitude = 0.0

  /// How much of the fade duration has passed.
  func share(at now: Double, fadeMS: Double) -> Float {
    guard fadeMS > 0 else { return 1 }
    assert(now >= placedAt, "the time of labels does not go back")
    return Float((now - placedAt) / fadeMS) + lead
  }

  mutating func arrive() {
    guard isFading else { return }
    for id in records.indices { records[id].arrive() }
    isFading = false
    restate()
  }
}
