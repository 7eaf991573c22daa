/// A kind of event together with the type of what it carries:
///
///     map.onEvery(event: .mapLoadingError) { print($0.payload.type, $0.payload.message) }
public struct EventType<Payload: Sendable>: Sendable {
  /// The kind.
  public let kind: MapEvent.Kind
  let payload: @Sendable (MapEvent) -> Payload?
}

/// An event of a kind that is known.
public struct TypedEvent<Payload: Sendable>: Sendable {
  /// What it carries.
  public var payload: Payload
  /// When what it tells of began, in microseconds since 1970.
  public var begin: Int64
  /// When it ended.
  public var end: Int64
}

/// The metadata of a source, or one of its tiles.
public struct SourceDataLoaded: Hashable, Sendable {
  /// The source.
  public var sourceId: String
  /// The tile; nil for the source's metadata, of GeoJSON and images its data.
  public var tile: TileAddress?
  /// What the data was given with `updateGeoJSONSource(withId:geoJSON:dataId:)`; nil where it came otherwise.
  public var dataId: String?
}

extension EventType where Payload == MapEvent.StyleData {
  /// A part of the style is there.
  public static var styleDataLoaded: Self {
    Self(kind: .styleDataLoaded) { if case .styleDataLoaded(let part) = $0 { part } else { nil } }
  }
}

extension EventType where Payload == SourceDataLoaded {
  /// The metadata of a source is there, or one of its tiles.
  public static var sourceDataLoaded: Self {
    Self(kind: .sourceDataLoaded) { event in
      guard case .sourceDataLoaded(let source, let tile, let dataId) = event else { return nil }
      return SourceDataLoaded(sourceId: source, tile: tile, dataId: dataId)
    }
  }
}

extension EventType where Payload == String {
  /// A source of this id was added.
  public static var sourceAdded: Self {
    Self(kind: .sourceAdded) { if case .sourceAdded(let id) = $0 { id } else { nil } }
  }
  /// A source of this id was removed.
  public static var sourceRemoved: Self {
    Self(kind: .sourceRemoved) { if case .sourceRemoved(let id) = $0 { id } else { nil } }
  }
  /// The view needs an image of this name.
  public static var styleImageMissing: Self {
    Self(kind: .styleImageMissing) { if case .styleImageMissing(let name) = $0 { name } else { nil } }
  }
  /// No layer in view names the image of this name any more.
  public static var styleImageRemoveUnused: Self {
    Self(kind: .styleImageRemoveUnused) {
      if case .styleImageRemoveUnused(let name) = $0 { name } else { nil }
    }
  }
}

extension EventType where Payload == RenderedFrame {
  /// A frame is ready to be drawn.
  public static var renderFrameFinished: Self {
    Self(kind: .renderFrameFinished) { if case .renderFrameFinished(let frame) = $0 { frame } else { nil } }
  }
}

extension EventType where Payload == MapLoadingError {
  /// A resource cannot be loaded.
  public static var mapLoadingError: Self {
    Self(kind: .mapLoadingError) { if case .mapLoadingError(let error) = $0 { error } else { nil } }
  }
}

extension EventType where Payload == ResourceRequest {
  /// A request was answered, given up or cancelled.
  public static var resourceRequest: Self {
    Self(kind: .resourceRequest) { if case .resourceRequest(let request) = $0 { request } else { nil } }
  }
}

extension EventType where Payload == GestureBegin {
  /// A gesture began.
  public static var gestureBegan: Self {
    Self(kind: .gestureBegan) { if case .gestureBegan(let begin) = $0 { begin } else { nil } }
  }
}

extension EventType where Payload == GestureEnd {
  /// A gesture ended.
  public static var gestureEnded: Self {
    Self(kind: .gestureEnded) { if case .gestureEnded(let end) = $0 { end } else { nil } }
  }
}

extension EventType where Payload == GestureType {
  /// The camera stands still again after a gesture, or something else moves it.
  public static var gestureEndedAnimating: Self {
    Self(kind: .gestureEndedAnimating) { if case .gestureEndedAnimating(let type) = $0 { type } else { nil } }
  }
}

extension EventType where Payload == CameraAnimationBegin {
  /// An animator of the camera was started.
  public static var animationBegan: Self {
    Self(kind: .animationBegan) { if case .animationBegan(let begin) = $0 { begin } else { nil } }
  }
}

extension EventType where Payload == CameraAnimationEnd {
  /// An animator of the camera ended.
  public static var animationEnded: Self {
    Self(kind: .animationEnded) { if case .animationEnded(let end) = $0 { end } else { nil } }
  }
}

extension EventType where Payload == AnnotationTarget {
  private static func annotation(_ kind: MapEvent.Kind) -> Self {
    Self(kind: kind) { $0.kind == kind ? AnnotationInteraction.read($0)?.1 : nil }
  }
  /// A tap met an annotation or a cluster.
  public static var annotationTapped: Self { annotation(.annotationTapped) }
  /// A pointer stays on an annotation or a cluster for half a second.
  public static var annotationLongPressed: Self { annotation(.annotationLongPressed) }
  /// An annotation was selected.
  public static var annotationSelected: Self { annotation(.annotationSelected) }
  /// An annotation is not selected any more.
  public static var annotationDeselected: Self { annotation(.annotationDeselected) }
  /// A pointer begins to drag an annotation.
  public static var annotationDragBegan: Self { annotation(.annotationDragBegan) }
  /// A dragged annotation moved.
  public static var annotationDragChanged: Self { annotation(.annotationDragChanged) }
  /// A drag ended.
  public static var annotationDragEnded: Self { annotation(.annotationDragEnded) }
}

extension EventType where Payload == Location {
  /// A location was given.
  public static var locationChanged: Self {
    Self(kind: .locationChanged) { if case .locationChanged(let location) = $0 { location } else { nil } }
  }
  /// What the puck shows has moved.
  public static var puckMoved: Self {
    Self(kind: .puckMoved) { if case .puckMoved(let location) = $0 { location } else { nil } }
  }
}

extension EventType where Payload == Heading {
  /// A heading was given.
  public static var headingChanged: Self {
    Self(kind: .headingChanged) { if case .headingChanged(let heading) = $0 { heading } else { nil } }
  }
}

extension EventType where Payload == AccuracyAuthorization {
  /// How exactly the user lets the host know where they are has changed.
  public static var accuracyAuthorizationChanged: Self {
    Self(kind: .accuracyAuthorizationChanged) {
      if case .accuracyAuthorizationChanged(let authorization) = $0 { authorization } else { nil }
    }
  }
}

extension EventType where Payload == NeatlineError {
  /// A provider could not say where the user is.
  public static var locationFailed: Self {
    Self(kind: .locationFailed) { if case .locationFailed(let error) = $0 { error } else { nil } }
  }
}

extension EventType where Payload == UInt64 {
  /// What is seen of the view annotations is not as it was: the number of the change.
  public static var viewAnnotationsChanged: Self {
    Self(kind: .viewAnnotationsChanged) {
      if case .viewAnnotationsChanged(let number) = $0 { number } else { nil }
    }
  }
}

extension EventType where Payload == ViewportStatusChange {
  /// What keeps the camera has changed.
  public static var viewportStatusChanged: Self {
    Self(kind: .viewportStatusChanged) {
      if case .viewportStatusChanged(let change) = $0 { change } else { nil }
    }
  }
}

extension EventType where Payload == Void {
  private static func plain(_ kind: MapEvent.Kind) -> Self {
    Self(kind: kind) { $0.kind == kind ? () : nil }
  }
  /// The style, its sprite and the metadata of its sources are there, or given up.
  public static var styleLoaded: Self { plain(.styleLoaded) }
  /// A frame begins.
  public static var renderFrameStarted: Self { plain(.renderFrameStarted) }
  /// The camera moved, or the view has another size.
  public static var cameraChanged: Self { plain(.cameraChanged) }
  /// The first complete frame of a style is ready.
  public static var mapLoaded: Self { plain(.mapLoaded) }
  /// Nothing is under way.
  public static var mapIdle: Self { plain(.mapIdle) }
  /// A frame is due, where the host paces frames.
  public static var frameDue: Self { plain(.frameDue) }
}
