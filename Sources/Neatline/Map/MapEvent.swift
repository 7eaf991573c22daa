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
  case sourceDataLoaded(source: String, tile: TileAddress?)
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
  /// A frame is ready to be drawn. `isComplete`: nothing that the frame needs is missing.
  case renderFrameFinished(isComplete: Bool)
  /// The camera moved.
  case cameraChanged
  /// The first complete frame of a style is ready.
  case mapLoaded
  /// Nothing is under way: no request, no animation, no transition.
  case mapIdle
  /// A resource cannot be loaded.
  case mapLoadingError(resource: String, error: NeatlineError)
  /// An address is requested. `tile`: for one of an archive, whose address is that of the archive.
  case resourceRequest(url: String, tile: TileAddress?)

  /// An event's kind, without what it carries.
  public enum Kind: UInt32, Hashable, Sendable, CaseIterable {
    case styleDataLoaded = 1
    case styleLoaded, sourceDataLoaded, sourceAdded, sourceRemoved, styleImageMissing, styleImageRemoveUnused,
      renderFrameStarted
    case renderFrameFinished, cameraChanged, mapLoaded, mapIdle, mapLoadingError, resourceRequest
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
    }
  }

  init?(_ event: neat_event) {
    let subject = event.subject.map { String(cString: $0) } ?? ""
    let kind = event.kind.map { String(cString: $0) } ?? ""
    let tile =
      kind == "tile" ? TileAddress(z: Int(event.tile_z), x: Int(event.tile_x), y: Int(event.tile_y)) : nil
    switch event.type {
    case NEAT_EVENT_STYLE_DATA_LOADED: self = .styleDataLoaded(StyleData(rawValue: kind) ?? .style)
    case NEAT_EVENT_STYLE_LOADED: self = .styleLoaded
    case NEAT_EVENT_SOURCE_DATA_LOADED: self = .sourceDataLoaded(source: subject, tile: tile)
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
    case NEAT_EVENT_RESOURCE_REQUEST: self = .resourceRequest(url: subject, tile: tile)
    default: return nil
    }
  }
}
