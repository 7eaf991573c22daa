/// What happens to an annotation.
public enum AnnotationInteraction: String, Hashable, Sendable {
  /// A tap met it.
  case tapped
  /// A pointer stays on it for half a second.
  case longPressed
  /// It was selected, or is not any more.
  case selected, deselected
  /// A pointer drags it.
  case dragBegan, dragChanged, dragEnded
}

/// What an interaction met, and where.
public struct AnnotationTarget: Hashable, Sendable {
  /// The manager's id.
  public var manager: String
  /// The annotation's id; nil for a cluster.
  public var annotation: String?
  /// The cluster, where it is one.
  public var cluster: UInt64?
  /// Where the pointer is; (-1, -1) for a selection by a call.
  public var location: ScreenPoint
  /// The place under the pointer; nil above the horizon.
  public var coordinate: Coordinate?
}

/// Hears of what happens to annotations, with the functions of version 10 of the mobile SDKs and more; all may be left
/// out.
public protocol AnnotationInteractionDelegate: AnyObject {
  /// A tap met annotations.
  func annotationManager(
    _ manager: any AnnotationManager, didDetectTappedAnnotations annotations: [any Annotation])
  /// A tap met a cluster; `PointAnnotationManager.annotations(ofCluster:)` has what is in it.
  func annotationManager(
    _ manager: any AnnotationManager, didDetectTappedCluster cluster: UInt64, at location: ScreenPoint)
  /// Anything happened to annotations, a tap too.
  func annotationManager(
    _ manager: any AnnotationManager, _ interaction: AnnotationInteraction,
    with annotations: [any Annotation])
}

extension AnnotationInteractionDelegate {
  /// Does nothing.
  public func annotationManager(
    _ manager: any AnnotationManager, didDetectTappedAnnotations annotations: [any Annotation]
  ) {}
  /// Does nothing.
  public func annotationManager(
    _ manager: any AnnotationManager, didDetectTappedCluster cluster: UInt64, at location: ScreenPoint
  ) {}
  /// Hands taps on.
  public func annotationManager(
    _ manager: any AnnotationManager, _ interaction: AnnotationInteraction,
    with annotations: [any Annotation]
  ) {
    if interaction == .tapped { annotationManager(manager, didDetectTappedAnnotations: annotations) }
  }
}

extension AnnotationInteraction {
  static let kinds: Set<MapEvent.Kind> = [
    .annotationTapped, .annotationLongPressed, .annotationSelected, .annotationDeselected,
    .annotationDragBegan, .annotationDragChanged, .annotationDragEnded,
  ]

  static func read(_ event: MapEvent) -> (AnnotationInteraction, AnnotationTarget)? {
    switch event {
    case .annotationTapped(let target): (.tapped, target)
    case .annotationLongPressed(let target): (.longPressed, target)
    case .annotationSelected(let target): (.selected, target)
    case .annotationDeselected(let target): (.deselected, target)
    case .annotationDragBegan(let target): (.dragBegan, target)
    case .annotationDragChanged(let target): (.dragChanged, target)
    case .annotationDragEnded(let target): (.dragEnded, target)
    default: nil
    }
  }
}
