import NeatBase
import NeatJSON

/// What a pointer met: an annotation, or a cluster of them.
package struct AnnotationHit: Sendable, Hashable {
  package enum What: Sendable, Hashable {
    case annotation(String)
    /// By the id of the cluster's feature.
    case cluster(UInt64)
  }

  package var manager: String
  package var what: What

  package var id: String? { if case .annotation(let id) = what { id } else { nil } }

  package init(manager: String, _ what: What) { (self.manager, self.what) = (manager, what) }
}

/// What happened to an annotation.
package struct AnnotationEvent: Sendable, Equatable {
  package enum Kind: Sendable {
    case tapped, longPressed
    case selected, deselected
    case dragBegan, dragChanged, dragEnded
  }

  package var kind: Kind
  package var hit: AnnotationHit
  /// Logical pixels; not of selections that code makes.
  package var position: SIMD2<Double>
  /// The place under the pointer; nil above the horizon.
  package var place: LonLat?

  package init(_ kind: Kind, _ hit: AnnotationHit, at position: SIMD2<Double>, _ place: LonLat?) {
    (self.kind, self.hit, self.position, self.place) = (kind, hit, position, place)
  }
}
