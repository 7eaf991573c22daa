import CNeatline
import NeatBase
import NeatMap

/// Calls a C callback with an event.
struct EventSender {
  let callback: neat_event_callback?
  let context: UnsafeMutableRawPointer?

  func send(_ event: MapEvent, _ time: EventTime) {
    guard let callback else { return }
    var words = EventWords()
    var told = neat_event()
    told.struct_size = UInt32(MemoryLayout<neat_event>.size)
    told.began_us = time.began
    told.ended_us = time.ended
    fill(&told, &words, event)
    words.withC { subject, message, kind, source, etag, annotation, data in
      (told.subject, told.message, told.kind, told.source, told.etag) = (subject, message, kind, source, etag)
      (told.annotation_id, told.data_id) = (annotation, data)
      event.withPlaces { location, heading in
        (told.location, told.heading) = (location, heading)
        callback(context, &told)
      }
    }
  }

  private func fill(_ told: inout neat_event, _ words: inout EventWords, _ event: MapEvent) {
    switch event {
    case .styleDataLoaded(let part):
      told.type = NEAT_EVENT_STYLE_DATA_LOADED
      words.kind = part.rawValue
    case .styleLoaded: told.type = NEAT_EVENT_STYLE_LOADED
    case .sourceDataLoaded(let id, let tile):
      told.type = NEAT_EVENT_SOURCE_DATA_LOADED
      (words.subject, words.kind) = (id, tile == nil ? "metadata" : "tile")
      told.setTile(tile)
    case .sourceDataChanged(let id, let data):
      told.type = NEAT_EVENT_SOURCE_DATA_LOADED
      (words.subject, words.kind, words.data) = (id, "metadata", data)
    case .sourceAdded(let id): (told.type, words.subject) = (NEAT_EVENT_SOURCE_ADDED, id)
    case .sourceRemoved(let id): (told.type, words.subject) = (NEAT_EVENT_SOURCE_REMOVED, id)
    case .styleImageMissing(let name):
      (told.type, words.subject) = (NEAT_EVENT_STYLE_IMAGE_MISSING, name)
    case .styleImageRemoveUnused(let name):
      (told.type, words.subject) = (NEAT_EVENT_STYLE_IMAGE_REMOVE_UNUSED, name)
    case .renderFrameStarted: told.type = NEAT_EVENT_RENDER_FRAME_STARTED
    case .renderFrameFinished(let isComplete, let needsRepaint, let isPlacementChanged):
      told.type = NEAT_EVENT_RENDER_FRAME_FINISHED
      told.is_complete = isComplete ? 1 : 0
      told.needs_repaint = needsRepaint ? 1 : 0
      told.is_placement_changed = isPlacementChanged ? 1 : 0
    case .cameraChanged: told.type = NEAT_EVENT_CAMERA_CHANGED
    case .mapLoaded: told.type = NEAT_EVENT_MAP_LOADED
    case .mapIdle: told.type = NEAT_EVENT_MAP_IDLE
    case .mapLoadingError(let problem):
      told.type = NEAT_EVENT_MAP_LOADING_ERROR
      told.status = neat_status(rawValue: UInt32(problem.code.rawValue))
      (words.subject, words.message) = (problem.resource, problem.message)
      (words.kind, words.source) = (problem.part.rawValue, problem.source ?? "")
      words.data = problem.dataID ?? ""
      told.setTile(problem.tile)
    case .resourceRequest(let report): fill(&told, &words, report)
    case .gestureBegan(let kind, let position):
      (told.type, words.kind) = (NEAT_EVENT_GESTURE_BEGAN, kind.rawValue)
      (told.x_px, told.y_px) = (position.x, position.y)
    case .gestureEnded(let kind, let willAnimate):
      (told.type, words.kind) = (NEAT_EVENT_GESTURE_ENDED, kind.rawValue)
      told.will_animate = willAnimate ? 1 : 0
    case .gestureEndedAnimating(let kind):
      (told.type, words.kind) = (NEAT_EVENT_GESTURE_ENDED_ANIMATING, kind.rawValue)
    case .animationBegan(let id, let owner):
      (told.type, told.animator_id, words.subject) = (NEAT_EVENT_ANIMATION_BEGAN, id, owner)
    case .animationEnded(let id, let owner, let position):
      (told.type, told.animator_id, words.subject) = (NEAT_EVENT_ANIMATION_ENDED, id, owner)
      told.position = position.c
    case .frameDue: told.type = NEAT_EVENT_FRAME_DUE
    case .annotation(let event): fill(&told, &words, event)
    case .locationChanged: told.type = NEAT_EVENT_LOCATION_CHANGED
    case .headingChanged: told.type = NEAT_EVENT_HEADING_CHANGED
    case .puckMoved: told.type = NEAT_EVENT_PUCK_MOVED
    case .accuracyAuthorizationChanged(let authorization):
      told.type = NEAT_EVENT_ACCURACY_AUTHORIZATION_CHANGED
      told.accuracy_authorization = authorization.c
    case .locationFailed(let error):
      told.type = NEAT_EVENT_LOCATION_FAILED
      (told.status, words.message) = (error.status, error.message)
    case .viewportStatusChanged(let change):
      told.type = NEAT_EVENT_VIEWPORT_STATUS_CHANGED
      (told.viewport_from, told.viewport_to) = (change.from.c, change.to.c)
      told.viewport_reason = neat_viewport_reason(rawValue: change.reason.rawValue)
    case .viewAnnotationsChanged(let change):
      (told.type, told.view_annotation_change) = (NEAT_EVENT_VIEW_ANNOTATIONS_CHANGED, change)
    }
  }

  private func fill(_ told: inout neat_event, _ words: inout EventWords, _ event: AnnotationEvent) {
    told.type = event.kind.c
    words.subject = event.hit.manager
    switch event.hit.what {
    case .annotation(let id): words.annotation = id
    case .cluster(let id): told.cluster_id = id
    }
    (told.x_px, told.y_px) = (event.position.x, event.position.y)
    guard let place = event.place else { return }
    (told.lon_deg, told.lat_deg, told.has_place) = (place.lon, place.lat, 1)
  }

  private func fill(_ told: inout neat_event, _ words: inout EventWords, _ report: RequestReport) {
    let facts = report.facts
    told.type = NEAT_EVENT_RESOURCE_REQUEST
    (words.subject, words.kind, words.source) = (report.url, report.kind.eventName, report.source ?? "")
    told.setTile(report.tile)
    if let error = report.error {
      told.status = error.status
      words.message = error.message
    }
    told.origin = neat_request_origin(rawValue: UInt32(facts.origin.rawValue))
    told.priority = neat_request_priority(rawValue: UInt32(facts.priority.rawValue))
    told.usage = neat_request_usage(rawValue: UInt32(facts.usage.rawValue))
    told.is_not_modified = facts.isNotModified ? 1 : 0
    told.is_cancelled = report.isCancelled ? 1 : 0
    told.is_final = report.isFinal ? 1 : 0
    told.response_size = UInt64(clamping: facts.byteCount)
    told.expires_s = facts.expires ?? 0
    words.etag = facts.etag ?? ""
  }
}

extension MapEvent {
  /// The structures that an event points to.
  fileprivate func withPlaces(
    _ body: (UnsafePointer<neat_location>?, UnsafePointer<neat_heading>?) -> Void
  ) {
    switch self {
    case .locationChanged(let location): withUnsafePointer(to: neat_location(location)) { body($0, nil) }
    case .puckMoved(let shown): withUnsafePointer(to: neat_location(shown)) { body($0, nil) }
    case .headingChanged(let heading): withUnsafePointer(to: neat_heading(heading)) { body(nil, $0) }
    default: body(nil, nil)
    }
  }
}

/// The texts of an event.
private struct EventWords {
  var subject = "", message = "", kind = "", source = "", etag = "", annotation = "", data = ""

  func withC(
    _ body: (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>,
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> Void
  ) {
    subject.withCString { subject in
      message.withCString { message in
        kind.withCString { kind in
          source.withCString { source in
            etag.withCString { etag in
              annotation.withCString { annotation in
                data.withCString { body(subject, message, kind, source, etag, annotation, $0) }
              }
            }
          }
        }
      }
    }
  }
}

extension neat_event {
  fileprivate mutating func setTile(_ tile: TileID?) {
    guard let tile else { return }
    (tile_z, tile_x, tile_y, has_tile) = (UInt32(tile.z), tile.x, tile.y, 1)
  }
}

extension ResourceKind {
  fileprivate var eventName: String {
    switch self {
    case .style: "style"
    case .source: "source"
    case .tile: "tile"
    case .glyphs: "glyphs"
    case .spriteImage: "sprite-image"
    case .spriteJSON: "sprite-json"
    case .image: "image"
    case .geojson: "geojson"
    case .font: "font"
    }
  }
}

extension NeatError {
  var status: neat_status { neat_status(rawValue: UInt32(code.rawValue)) }
}
