import CNeatline

/// A tile of the XYZ pyramid.
public struct TileAddress: Hashable, Sendable {
  /// The zoom, 0 to 30.
  public var z: Int
  /// The column, from the west.
  public var x: Int
  /// The row, from the north.
  public var y: Int

  /// The tile z/x/y.
  public init(z: Int, x: Int, y: Int) { (self.z, self.x, self.y) = (z, x, y) }
}

/// What happens to a map, in the order in which it happens.
public enum MapEvent: Hashable, Sendable {
  /// The parts of a style, in their order.
  public enum StyleData: String, Hashable, Sendable {
    case style, sprite
    /// The metadata of all sources that the view uses.
    case sources
  }

  /// A part of the style is there.
  case styleDataLoaded(StyleData)
  /// The style, its sprite and the metadata of its sources are there, or given up.
  case styleLoaded
  /// The metadata of a source, for GeoJSON and images the data; or one of its tiles.
  /// `dataId`: what the data was given with `updateGeoJSONSource(withId:geoJSON:dataId:)`.
  case sourceDataLoaded(source: String, tile: TileAddress?, dataId: String? = nil)
  /// A source was added.
  case sourceAdded(source: String)
  /// A source was removed.
  case sourceRemoved(source: String)
  /// The view needs an image that neither the sprite nor the host has given.
  case styleImageMissing(name: String)
  /// No layer in view names the image any more, which the host added after it was missing.
  case styleImageRemoveUnused(name: String)
  /// A frame begins.
  case renderFrameStarted
  /// A frame is ready to be drawn.
  case renderFrameFinished(RenderedFrame)
  /// The camera moved, or the view has another size.
  case cameraChanged
  /// The first complete frame of a style is ready.
  case mapLoaded
  /// Nothing is under way: no request, no animation, no transition, no gesture.
  case mapIdle
  /// A resource cannot be loaded.
  case mapLoadingError(MapLoadingError)
  /// A request was answered, given up or cancelled.
  case resourceRequest(ResourceRequest)
  /// A gesture began.
  case gestureBegan(GestureBegin)
  /// A gesture ended.
  case gestureEnded(GestureEnd)
  /// The camera stands still again after a gesture, or something else moves it.
  case gestureEndedAnimating(GestureType)
  /// An animator of the camera was started.
  case animationBegan(CameraAnimationBegin)
  /// An animator that had been started ended.
  case animationEnded(CameraAnimationEnd)
  /// A frame is due, where the host paces frames. Comes once until the host has drawn.
  case frameDue
  /// A tap met an annotation or a cluster.
  case annotationTapped(AnnotationTarget)
  /// A pointer stays on an annotation or a cluster for half a second.
  case annotationLongPressed(AnnotationTarget)
  /// An annotation was selected.
  case annotationSelected(AnnotationTarget)
  /// An annotation is not selected any more.
  case annotationDeselected(AnnotationTarget)
  /// A pointer begins to drag an annotation.
  case annotationDragBegan(AnnotationTarget)
  /// A dragged annotation moved.
  case annotationDragChanged(AnnotationTarget)
  /// A drag ended.
  case annotationDragEnded(AnnotationTarget)
  /// A location was given.
  case locationChanged(Location)
  /// A heading was given.
  case headingChanged(Heading)
  /// What the puck shows, on its way from one location to the next, has moved.
  case puckMoved(Location)
  /// How exactly the user lets the host know where they are has changed.
  case accuracyAuthorizationChanged(AccuracyAuthorization)
  /// A provider could not say where the user is.
  case locationFailed(NeatlineError)
  /// What keeps the camera has changed.
  case viewportStatusChanged(ViewportStatusChange)
  /// What is seen of the view annotations is not as it was: the number of the change. Comes with a frame.
  case viewAnnotationsChanged(UInt64)

  /// An event's kind, without what it carries.
  public enum Kind: UInt32, Hashable, Sendable, CaseIterable {
    case styleDataLoaded = 1
    case styleLoaded, sourceDataLoaded, sourceAdded, sourceRemoved, styleImageMissing, styleImageRemoveUnused,
      renderFrameStarted
    case renderFrameFinished, cameraChanged, mapLoaded, mapIdle, mapLoadingError, resourceRequest,
      gestureBegan
    case gestureEnded, gestureEndedAnimating, animationBegan, animationEnded, frameDue
    case annotationTapped, annotationLongPressed, annotationSelected, annotationDeselected,
      annotationDragBegan, annotationDragChanged, annotationDragEnded
    case viewAnnotationsChanged = 28
    case locationChanged = 40
    case headingChanged, puckMoved, accuracyAuthorizationChanged, locationFailed, viewportStatusChanged
  }

  /// The event's kind.
  public var kind: Kind {
    switch self {
    case .styleDataLoaded: .styleDataLoaded
    case .styleLoaded: .styleLoaded
    case .sourceDataLoaded: .sourceDataLoaded
    case .sourceAdded: .sourceAdded
    case .sourceRemoved: .sourceRemoved
    case .styleImageMissing: .styleImageMissing
    case .styleImageRemoveUnused: .styleImageRemoveUnused
    case .renderFrameStarted: .renderFrameStarted
    case .renderFrameFinished: .renderFrameFinished
    case .cameraChanged: .cameraChanged
    case .mapLoaded: .mapLoaded
    case .mapIdle: .mapIdle
    case .mapLoadingError: .mapLoadingError
    case .resourceRequest: .resourceRequest
    case .gestureBegan: .gestureBegan
    case .gestureEnded: .gestureEnded
    case .gestureEndedAnimating: .gestureEndedAnimating
    case .animationBegan: .animationBegan
    case .animationEnded: .animationEnded
    case .frameDue: .frameDue
    case .annotationTapped: .annotationTapped
    case .annotationLongPressed: .annotationLongPressed
    case .annotationSelected: .annotationSelected
    case .annotationDeselected: .annotationDeselected
    case .annotationDragBegan: .annotationDragBegan
    case .annotationDragChanged: .annotationDragChanged
    case .annotationDragEnded: .annotationDragEnded
    case .locationChanged: .locationChanged
    case .headingChanged: .headingChanged
    case .puckMoved: .puckMoved
    case .accuracyAuthorizationChanged: .accuracyAuthorizationChanged
    case .locationFailed: .locationFailed
    case .viewportStatusChanged: .viewportStatusChanged
    case .viewAnnotationsChanged: .viewAnnotationsChanged
    }
  }
}

/// A frame that is ready to be drawn.
public struct RenderedFrame: Hashable, Sendable {
  /// Whether nothing that it shows is still to come.
  public var isComplete: Bool
  /// Whether another frame is due, whatever comes: the camera or a property is on its way, or something
  /// changed meanwhile.
  public var needsRepaint: Bool
  /// Whether other labels stand than in the frame before.
  public var isPlacementChanged: Bool
}

/// An animator of the camera that was started.
public struct CameraAnimationBegin: Hashable, Sendable {
  /// Its number among the map's animators.
  public var id: UInt64
  /// Who made it.
  public var owner: AnimationOwner
}

/// An animator of the camera that ended.
public struct CameraAnimationEnd: Hashable, Sendable {
  /// Its number among the map's animators.
  public var id: UInt64
  /// Who made it.
  public var owner: AnimationOwner
  /// Where it ended.
  public var position: AnimationPosition
}

/// What could not be loaded, or not be read of a tile, and why. Addresses are without credentials.
public struct MapLoadingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of the map that is lacking.
  public enum Part: String, Hashable, Sendable {
    case style, sprite, source, tile, glyphs
    /// The cache of `Resources`, which is full, broken or may not be written to: the map goes on without.
    case cache
  }

  /// The part of the map that is lacking.
  public var type: Part
  /// Why.
  public var error: NeatlineError
  /// The address, or the name of what is at fault.
  public var resource: String
  /// The source that lacks it.
  public var sourceId: String?
  /// The tile that is lacking, or has what cannot be read.
  public var tile: TileAddress?
  /// What the data that cannot be read was given with `updateGeoJSONSource(withId:geoJSON:dataId:)`.
  public var dataId: String?

  /// Why, in words.
  public var message: String { error.message }
  /// What is at fault, and why.
  public var description: String { resource.isEmpty ? message : "\(resource): \(message)" }
}

/// A request for a resource, when it has been answered, given up or cancelled. Addresses are without
/// credentials.
public struct ResourceRequest: Hashable, Sendable {
  /// What the resource is for.
  public enum Kind: String, Hashable, Sendable {
    case style, source, tile, glyphs
    case spriteImage = "sprite-image"
    case spriteJSON = "sprite-json"
    case image, geojson, font
    /// One that this version does not know.
    case unknown
  }

  /// Who answered.
  public enum Origin: UInt32, Hashable, Sendable {
    /// Nobody.
    case none
    /// A server.
    case network
    /// The cache of what servers answered before.
    case cache
    /// A file of this machine.
    case file
    /// An archive, wherever it lies.
    case archive
    /// The address itself, which is a `data:` URL.
    case data
  }

  /// What comes before what where not all can be asked for at once.
  public enum Priority: UInt32, Hashable, Sendable {
    /// What the view shows; what lies around it; what may be shown later; what is kept for maps without a
    /// network.
    case view, margin, prefetch, offline
  }

  /// Whom the request may ask.
  public enum Usage: UInt32, Hashable, Sendable {
    case cacheAndNetwork, cacheOnly, networkOnly
  }

  /// The address.
  public var url: String
  /// What it is for.
  public var kind: Kind
  /// The source that needs it.
  public var sourceId: String?
  /// The tile that was asked for.
  public var tile: TileAddress?
  /// Who answered.
  public var origin: Origin
  /// How urgent it was.
  public var priority: Priority
  /// Whom it was allowed to ask.
  public var usage: Usage
  /// Bytes of the answer, unpacked.
  public var size: Int
  /// The entity tag of the answer.
  public var etag: String?
  /// When the answer expires, in seconds since 1970; nil where nobody said.
  public var expires: Int64?
  /// Whether a server said that what the cache has still holds.
  public var isNotModified: Bool
  /// Why there is no answer.
  public var error: NeatlineError?
  /// Whether nobody waits for it any more.
  public var isCancelled: Bool
  /// Whether no other answer follows: a copy that has expired, or a failure after which it is tried again, is
  /// not the last one.
  public var isFinal: Bool
}

extension MapEvent {
  init?(_ event: neat_event) {
    let subject = event.subject.map { String(cString: $0) } ?? ""
    let kind = event.kind.map { String(cString: $0) } ?? ""
    switch event.type {
    case NEAT_EVENT_STYLE_DATA_LOADED: self = .styleDataLoaded(StyleData(rawValue: kind) ?? .style)
    case NEAT_EVENT_STYLE_LOADED: self = .styleLoaded
    case NEAT_EVENT_SOURCE_DATA_LOADED:
      self = .sourceDataLoaded(source: subject, tile: event.tile, dataId: event.dataId)
    case NEAT_EVENT_SOURCE_ADDED: self = .sourceAdded(source: subject)
    case NEAT_EVENT_SOURCE_REMOVED: self = .sourceRemoved(source: subject)
    case NEAT_EVENT_STYLE_IMAGE_MISSING: self = .styleImageMissing(name: subject)
    case NEAT_EVENT_STYLE_IMAGE_REMOVE_UNUSED: self = .styleImageRemoveUnused(name: subject)
    case NEAT_EVENT_RENDER_FRAME_STARTED: self = .renderFrameStarted
    case NEAT_EVENT_RENDER_FRAME_FINISHED:
      self = .renderFrameFinished(
        RenderedFrame(
          isComplete: event.is_complete != 0, needsRepaint: event.needs_repaint != 0,
          isPlacementChanged: event.is_placement_changed != 0))
    case NEAT_EVENT_CAMERA_CHANGED: self = .cameraChanged
    case NEAT_EVENT_MAP_LOADED: self = .mapLoaded
    case NEAT_EVENT_MAP_IDLE: self = .mapIdle
    case NEAT_EVENT_MAP_LOADING_ERROR:
      self = .mapLoadingError(
        MapLoadingError(
          type: MapLoadingError.Part(rawValue: kind) ?? .style,
          error: event.error ?? NeatlineError(.unknown, ""),
          resource: subject, sourceId: event.sourceId, tile: event.tile, dataId: event.dataId))
    case NEAT_EVENT_RESOURCE_REQUEST:
      self = .resourceRequest(
        ResourceRequest(
          url: subject, kind: ResourceRequest.Kind(rawValue: kind) ?? .unknown, sourceId: event.sourceId,
          tile: event.tile, origin: ResourceRequest.Origin(rawValue: event.origin.rawValue) ?? .none,
          priority: ResourceRequest.Priority(rawValue: event.priority.rawValue) ?? .view,
          usage: ResourceRequest.Usage(rawValue: event.usage.rawValue) ?? .cacheAndNetwork,
          size: Int(clamping: event.response_size), etag: text(event.etag),
          expires: event.expires_s == 0 ? nil : event.expires_s, isNotModified: event.is_not_modified != 0,
          error: event.error, isCancelled: event.is_cancelled != 0, isFinal: event.is_final != 0))
    case NEAT_EVENT_GESTURE_BEGAN:
      guard let type = GestureType(rawValue: kind) else { return nil }
      self = .gestureBegan(GestureBegin(type: type, location: ScreenPoint(event.x_px, event.y_px)))
    case NEAT_EVENT_GESTURE_ENDED:
      guard let type = GestureType(rawValue: kind) else { return nil }
      self = .gestureEnded(GestureEnd(type: type, willAnimate: event.will_animate != 0))
    case NEAT_EVENT_GESTURE_ENDED_ANIMATING:
      guard let type = GestureType(rawValue: kind) else { return nil }
      self = .gestureEndedAnimating(type)
    case NEAT_EVENT_ANIMATION_BEGAN:
      self = .animationBegan(
        CameraAnimationBegin(id: event.animator_id, owner: AnimationOwner(rawValue: subject)))
    case NEAT_EVENT_ANIMATION_ENDED:
      self = .animationEnded(
        CameraAnimationEnd(
          id: event.animator_id, owner: AnimationOwner(rawValue: subject),
          position: AnimationPosition(event.position)))
    case NEAT_EVENT_FRAME_DUE: self = .frameDue
    case NEAT_EVENT_ANNOTATION_TAPPED: self = .annotationTapped(event.annotationTarget)
    case NEAT_EVENT_ANNOTATION_LONG_PRESSED: self = .annotationLongPressed(event.annotationTarget)
    case NEAT_EVENT_ANNOTATION_SELECTED: self = .annotationSelected(event.annotationTarget)
    case NEAT_EVENT_ANNOTATION_DESELECTED: self = .annotationDeselected(event.annotationTarget)
    case NEAT_EVENT_ANNOTATION_DRAG_BEGAN: self = .annotationDragBegan(event.annotationTarget)
    case NEAT_EVENT_ANNOTATION_DRAG_CHANGED: self = .annotationDragChanged(event.annotationTarget)
    case NEAT_EVENT_ANNOTATION_DRAG_ENDED: self = .annotationDragEnded(event.annotationTarget)
    case NEAT_EVENT_LOCATION_CHANGED, NEAT_EVENT_PUCK_MOVED:
      guard let location = event.location else { return nil }
      self =
        event.type == NEAT_EVENT_PUCK_MOVED
        ? .puckMoved(Location(location.pointee)) : .locationChanged(Location(location.pointee))
    case NEAT_EVENT_HEADING_CHANGED:
      guard let heading = event.heading else { return nil }
      self = .headingChanged(Heading(heading.pointee))
    case NEAT_EVENT_ACCURACY_AUTHORIZATION_CHANGED:
      guard let value = AccuracyAuthorization(rawValue: event.accuracy_authorization.rawValue) else {
        return nil
      }
      self = .accuracyAuthorizationChanged(value)
    case NEAT_EVENT_LOCATION_FAILED: self = .locationFailed(event.error ?? NeatlineError(.unknown, ""))
    case NEAT_EVENT_VIEWPORT_STATUS_CHANGED:
      guard let change = ViewportStatusChange(event) else { return nil }
      self = .viewportStatusChanged(change)
    case NEAT_EVENT_VIEW_ANNOTATIONS_CHANGED: self = .viewAnnotationsChanged(event.view_annotation_change)
    default: return nil
    }
  }
}

/// A text that is there; nil for an empty one.
private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
  guard let pointer, pointer.pointee != 0 else { return nil }
  return String(cString: pointer)
}

extension neat_event {
  fileprivate var annotationTarget: AnnotationTarget {
    let annotation = text(annotation_id)
    return AnnotationTarget(
      manager: text(subject) ?? "", annotation: annotation, cluster: annotation == nil ? cluster_id : nil,
      location: ScreenPoint(x_px, y_px),
      coordinate: has_place == 0 ? nil : Coordinate(longitude: lon_deg, latitude: lat_deg))
  }

  fileprivate var tile: TileAddress? {
    has_tile == 0 ? nil : TileAddress(z: Int(tile_z), x: Int(tile_x), y: Int(tile_y))
  }

  fileprivate var sourceId: String? { text(source) }

  fileprivate var dataId: String? { text(data_id) }

  fileprivate var error: NeatlineError? {
    status == NEAT_STATUS_OK ? nil : NeatlineError(status, message.map { String(cString: $0) } ?? "")
  }
}
