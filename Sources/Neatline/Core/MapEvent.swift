import CNeatline

/// What happens to a map, in the order in which it happens.
public enum MapEvent: Hashable, Sendable {
  case styleDataLoaded
  case styleLoaded
  case sourceDataLoaded(source: String)
  case sourceAdded(source: String)
  case sourceRemoved(source: String)
  case styleImageMissing(name: String)
  case styleImageRemoveUnused(name: String)
  case renderFrameStarted
  /// `isComplete`: nothing that the frame needs is missing.
  case renderFrameFinished(isComplete: Bool)
  case cameraChanged
  case mapLoaded
  case mapIdle
  case mapLoadingError(resource: String, error: NeatlineError)
  case resourceRequest(url: String)

  /// An event's kind, without what it carries.
  public enum Kind: UInt32, Hashable, Sendable, CaseIterable {
    case styleDataLoaded = 1
    case styleLoaded, sourceDataLoaded, sourceAdded, sourceRemoved, styleImageMissing, styleImageRemoveUnused, renderFrameStarted
    case renderFrameFinished, cameraChanged, mapLoaded, mapIdle, mapLoadingError, resourceRequest
  }

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
    }
  }

  init?(_ event: neat_event) {
    let subject = event.subject.map { String(cString: $0) } ?? ""
    switch event.type {
    case NEAT_EVENT_STYLE_DATA_LOADED: self = .styleDataLoaded
    case NEAT_EVENT_STYLE_LOADED: self = .styleLoaded
    case NEAT_EVENT_SOURCE_DATA_LOADED: self = .sourceDataLoaded(source: subject)
    case NEAT_EVENT_SOURCE_ADDED: self = .sourceAdded(source: subject)
    case NEAT_EVENT_SOURCE_REMOVED: self = .sourceRemoved(source: subject)
    case NEAT_EVENT_STYLE_IMAGE_MISSING: self = .styleImageMissing(name: subject)
    case NEAT_EVENT_STYLE_IMAGE_REMOVE_UNUSED: self = .styleImageRemoveUnused(name: subject)
    case NEAT_EVENT_RENDER_FRAME_STARTED: self = .renderFrameStarted
    case NEAT_EVENT_RENDER_FRAME_FINISHED: self = .renderFrameFinished(isComplete: event.is_complete != 0)
    case NEAT_EVENT_CAMERA_CHANGED: self = .cameraChanged
    case NEAT_EVENT_MAP_LOADED: self = .mapLoaded
    case NEAT_EVENT_MAP_IDLE: self = .mapIdle
    case NEAT_EVENT_MAP_LOADING_ERROR:
      let message = event.message.map { String(cString: $0) } ?? ""
      self = .mapLoadingError(resource: subject, error: NeatlineError(event.status, message))
    case NEAT_EVENT_RESOURCE_REQUEST: self = .resourceRequest(url: subject)
    default: return nil
    }
  }
}
