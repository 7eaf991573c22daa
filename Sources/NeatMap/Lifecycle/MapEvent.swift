import NeatBase
import NeatCamera

/// What happens in the life of a map, in the order of the lifecycle.
///
/// Indirect: an event is then one pointer. Side by side in 177 bytes, cases shared a byte with the number of the
/// case, of which the smaller ones left bits unset. The code that the compiler made of it did not depend on them,
/// but valgrind cannot see that, and reported each comparison of two events.
package indirect enum MapEvent: Sendable, Equatable {
  package enum StyleData: String, Sendable { case style, sprite, sources }

  case styleDataLoaded(StyleData)
  case styleLoaded
  /// Metadata, or a tile.
  case sourceDataLoaded(String, tile: TileID?)
  /// Data that came with an id has taken its place in a GeoJSON source.
  case sourceDataChanged(String, dataID: String)
  case sourceAdded(String)
  case sourceRemoved(String)
  case styleImageMissing(String)
  case styleImageRemoveUnused(String)
  case renderFrameStarted
  /// `isComplete`: nothing that it shows is still to come. `needsRepaint`: another frame is due whatever
  /// comes. `isPlacementChanged`: other labels stand than in the frame before.
  case renderFrameFinished(isComplete: Bool, needsRepaint: Bool = false, isPlacementChanged: Bool = false)
  case cameraChanged
  case mapLoaded
  case mapIdle
  case mapLoadingError(MapProblem)
  case resourceRequest(RequestReport)
  case gestureBegan(GestureKind, position: SIMD2<Double>)
  case gestureEnded(GestureKind, willAnimate: Bool)
  case gestureEndedAnimating(GestureKind)
  /// An animator was started, by its number among the map's.
  case animationBegan(UInt64, owner: String)
  case animationEnded(UInt64, owner: String, CameraAnimator.Position)
  /// A host that paces frames should ask for one.
  case frameDue
  case annotation(AnnotationEvent)
  /// A provider or the host gave a location, or a heading.
  case locationChanged(Location)
  case headingChanged(Heading)
  /// What the puck shows has moved.
  case puckMoved(ShownLocation)
  case accuracyAuthorizationChanged(AccuracyAuthorization)
  /// A provider could not say where the user is.
  case locationFailed(NeatError)
  case viewportStatusChanged(ViewportMachine.Change)
  /// What is seen of the view annotations: the number of the change.
  case viewAnnotationsChanged(UInt64)
}

/// A request that was answered, given up or cancelled, as it is told. Addresses are without credentials.
package struct RequestReport: Sendable, Equatable {
  package var kind: ResourceKind
  package var url: String
  package var source: String?
  package var tile: TileID?
  package var facts: ResourceFacts
  /// Why there is no answer; `notFound` where a server says so.
  package var error: NeatError?
  /// Whether no other answer to this request follows.
  package var isFinal: Bool

  package var isCancelled: Bool { error?.code == .cancelled }

  package init(
    kind: ResourceKind, url: String, source: String? = nil, tile: TileID? = nil, facts: ResourceFacts,
    error: NeatError? = nil, isFinal: Bool = true
  ) {
    self.kind = kind
    self.url = url
    self.source = source
    self.tile = tile
    self.facts = facts
    self.error = error
    self.isFinal = isFinal
  }
}

/// When what an event tells of began and ended: microseconds since 1970.
package struct EventTime: Sendable, Equatable {
  package var began: Int64
  package var ended: Int64

  package init(began: Int64, ended: Int64) {
    self.began = began
    self.ended = ended
  }
}
