import CNeatline

/// An event of a map as it is told: what happened, and when it began and ended.
public struct Event: Hashable, Sendable, CustomStringConvertible {
  /// What happened.
  public var payload: MapEvent
  /// When what it tells of began, in microseconds since 1970: a style's parts when the style was asked for, a
  /// frame with `renderFrameStarted`, what is loaded with its request. What takes no time has both the same.
  public var begin: Int64
  /// When it ended.
  public var end: Int64

  /// The kind of event.
  public var kind: MapEvent.Kind { payload.kind }

  /// The kind of event, in the words of version 10 of the mobile SDKs: `style-data-loaded`.
  public var type: String { kind.name }

  /// What it carries as version 10 of the mobile SDKs has it, a `[String: Any]`: `begin` and `end`, and by kind
  /// `type`, `id`, `message`, `source-id`, `tile-id`, `render-mode`, `needs-repaint`, `placement-changed`,
  /// `data-source`, `request`, `response`, `cancelled`. `payload` has the same, typed.
  public var data: Any { dictionary }

  /// The kind, and what it carries.
  public var description: String { "\(type) \(payload)" }

  init?(_ event: neat_event) {
    guard let payload = MapEvent(event) else { return nil }
    self.payload = payload
    (begin, end) = (event.began_us, event.ended_us)
  }
}

extension MapEvent.Kind {
  /// As version 10 of the mobile SDKs has it: `style-data-loaded`.
  public var name: String {
    switch self {
    case .styleDataLoaded: "style-data-loaded"
    case .styleLoaded: "style-loaded"
    case .sourceDataLoaded: "source-data-loaded"
    case .sourceAdded: "source-added"
    case .sourceRemoved: "source-removed"
    case .styleImageMissing: "style-image-missing"
    case .styleImageRemoveUnused: "style-image-remove-unused"
    case .renderFrameStarted: "render-frame-started"
    case .renderFrameFinished: "render-frame-finished"
    case .cameraChanged: "camera-changed"
    case .mapLoaded: "map-loaded"
    case .mapIdle: "map-idle"
    case .mapLoadingError: "map-loading-error"
    case .resourceRequest: "resource-request"
    case .gestureBegan: "gesture-began"
    case .gestureEnded: "gesture-ended"
    case .gestureEndedAnimating: "gesture-ended-animating"
    case .animationBegan: "animation-began"
    case .animationEnded: "animation-ended"
    case .frameDue: "frame-due"
    case .annotationTapped: "annotation-tapped"
    case .annotationLongPressed: "annotation-long-pressed"
    case .annotationSelected: "annotation-selected"
    case .annotationDeselected: "annotation-deselected"
    case .annotationDragBegan: "annotation-drag-began"
    case .annotationDragChanged: "annotation-drag-changed"
    case .annotationDragEnded: "annotation-drag-ended"
    case .locationChanged: "location-changed"
    case .headingChanged: "heading-changed"
    case .puckMoved: "puck-moved"
    case .accuracyAuthorizationChanged: "accuracy-authorization-changed"
    case .locationFailed: "location-failed"
    case .viewportStatusChanged: "viewport-status-changed"
    case .viewAnnotationsChanged: "view-annotations-changed"
    }
  }
}

extension Event {
  private var dictionary: [String: Any] {
    var result: [String: Any] = ["begin": begin, "end": end]
    switch payload {
    case .styleDataLoaded(let part): result["type"] = part.rawValue
    case .sourceDataLoaded(let source, let tile, let dataId):
      result["data-id"] = dataId
      result["id"] = source
      result["type"] = tile == nil ? "metadata" : "tile"
      result["tile-id"] = tile?.dictionary
    case .sourceAdded(let id), .sourceRemoved(let id), .styleImageMissing(let id),
      .styleImageRemoveUnused(let id):
      result["id"] = id
    case .renderFrameFinished(let frame):
      result["render-mode"] = frame.isComplete ? "full" : "partial"
      result["needs-repaint"] = frame.needsRepaint
      result["placement-changed"] = frame.isPlacementChanged
    case .mapLoadingError(let error):
      result["type"] = error.type.rawValue
      result["message"] = error.description
      result["source-id"] = error.sourceId
      result["tile-id"] = error.tile?.dictionary
      result["data-id"] = error.dataId
    case .resourceRequest(let request): result.merge(request.dictionary) { $1 }
    case .gestureBegan(let begin): result["type"] = begin.type.rawValue
    case .gestureEnded(let end):
      result["type"] = end.type.rawValue
      result["will-animate"] = end.willAnimate
    case .gestureEndedAnimating(let type): result["type"] = type.rawValue
    case .animationBegan(let begin): result["owner"] = begin.owner.rawValue
    case .animationEnded(let end): result["owner"] = end.owner.rawValue
    case .annotationTapped(let target), .annotationLongPressed(let target), .annotationSelected(let target),
      .annotationDeselected(let target), .annotationDragBegan(let target), .annotationDragChanged(let target),
      .annotationDragEnded(let target):
      result["manager"] = target.manager
      result["id"] = target.annotation
      result["cluster"] = target.cluster
    case .locationFailed(let error): result["message"] = error.message
    case .viewportStatusChanged(let change): result["reason"] = change.reason.rawValue
    case .viewAnnotationsChanged(let number): result["change"] = number
    case .locationChanged, .headingChanged, .puckMoved, .accuracyAuthorizationChanged: break
    case .styleLoaded, .renderFrameStarted, .cameraChanged, .mapLoaded, .mapIdle, .frameDue: break
    }
    return result
  }
}

extension TileAddress {
  fileprivate var dictionary: [String: Any] { ["z": z, "x": x, "y": y] }
}

extension ResourceRequest {
  fileprivate var dictionary: [String: Any] {
    let methods: [String] =
      switch usage {
      case .cacheAndNetwork: ["cache", "network"]
      case .cacheOnly: ["cache"]
      case .networkOnly: ["network"]
      }
    let request: [String: Any] = [
      "url": url, "kind": kind.rawValue, "priority": priority <= .margin ? "regular" : "low",
      "loading-method": methods,
    ]
    var response: [String: Any] = [
      "source": origin.name, "size": size, "not-modified": isNotModified, "no-content": size == 0,
    ]
    response["etag"] = etag
    response["expires"] = expires
    if let error { response["error"] = ["reason": error.reason, "message": error.message] }
    return [
      "data-source": origin.name, "request": request, "response": response, "cancelled": isCancelled,
    ]
  }
}

extension ResourceRequest.Priority: Comparable {
  /// What is more urgent comes first.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension ResourceRequest.Origin {
  fileprivate var name: String {
    switch self {
    case .none: "none"
    case .network: "network"
    case .cache: "cache"
    case .file, .archive: "local-file"
    case .data: "data"
    }
  }
}

extension NeatlineError {
  /// As version 10 of the mobile SDKs sorts them.
  fileprivate var reason: String {
    switch status {
    case .notFound: "not-found"
    case .network, .timeout: "connection"
    default: "other"
    }
  }
}
