import Neatline
import NeatlineRemote

/// The map of a session: takes what the page says, tells what happens, draws. Belongs to the session's thread.
final class LiveView {
  let loop: EventLoop
  private(set) var map: Map
  private let options: Options
  private let limits: LiveLimits
  private var style: StyleSite
  private var frames: LiveFrames
  private var ratio: Double
  /// What the page is told, in order.
  private var news: [JSONValue] = []
  /// Whether another picture is due, whether one can be drawn, and when the last one was.
  private var isDue = false
  private var hasStyle = false
  private var drawnAt = 0
  private var movedAt = Int.min / 2
  /// Until then, or until all is loaded, the page keeps what it has: another style begins empty.
  private var holdsUntil = 0
  /// Another ratio, which takes another map: the last one that was asked for counts, and not before then.
  private var nextView: LiveMessage.View?
  private var takesViewAt = 0
  /// Before then nothing is drawn: the last time failed.
  private var triesAgainAt = 0
  private var isCameraNew = true
  /// The map is idle, and the page has not been told: it is when it has all of the picture.
  private var isIdleNew = false
  private var problems = 0
  /// Counts the page's messages that were heeded.
  private(set) var heeded: UInt32 = 0

  /// A view that the limits allow.
  init(
    _ view: LiveMessage.View, formats: [Image.Format], camera: LiveMessage.CameraChange?, of style: StyleSite,
    _ options: Options, _ limits: LiveLimits
  ) throws(NeatlineError) {
    loop = try EventLoop()
    (self.options, self.limits, self.style, ratio) = (options, limits, style, view.ratio)
    frames = LiveFrames(formats: formats)
    map = try Map(
      loop: loop, width: view.width, height: view.height, pixelRatio: view.ratio, options: options)
    listen()
    if let camera { try map.setCamera(camera.applied(to: style.camera)) }
    try style.load(into: map)
  }

  // MARK: What the page says

  /// Throws what the page is told; the map then goes on as it was.
  func take(_ message: LiveMessage, now: Int) throws(LiveFault) {
    heeded &+= 1
    switch message {
    case .hello: throw LiveFault(.refused, "hello: the map is there already")
    case .shown(let number): try frames.shown(number, now: now)
    case .resize(let view): try resize(view)
    default:
      do throws(NeatlineError) { try hand(message) } catch { throw LiveFault(.refused, error.message) }
    }
  }

  /// Hands over what is the map's.
  private func hand(_ message: LiveMessage) throws(NeatlineError) {
    switch message {
    case .pointer(let event): try map.gestures.handle(event)
    case .wheel(let event): try map.gestures.handle(event)
    case .key(let key, let modifiers, let time):
      try map.gestures.handle(key, modifiers: modifiers, milliseconds: time)
    case .cancel: map.gestures.cancel()
    case .camera(let change, let time):
      let camera = change.applied(to: try map.camera)
      guard time > 0 else { return try map.setCamera(camera) }
      try map.ease(to: camera, duration: Double(time) / 1000)
    case .hello, .shown, .resize: break
    }
  }

  private func resize(_ view: LiveMessage.View) throws(LiveFault) {
    if let refusal = limits.refusal(view) { throw LiveFault(.size, "resize: \(refusal)") }
    guard view.ratio == ratio else {
      nextView = view
      return
    }
    nextView = nil
    do throws(NeatlineError) {
      try map.setSize(width: view.width, height: view.height, pixelRatio: ratio)
    } catch {
      throw LiveFault(.refused, "resize: \(error.message)")
    }
    isDue = true
  }

  /// A map of another ratio: what is loaded and laid out is for one.
  private func replaceMap(_ view: LiveMessage.View, _ now: Int) throws(NeatlineError) {
    nextView = nil
    takesViewAt = now + LiveLimits.viewTime
    let camera = try map.camera
    let other = try Map(
      loop: loop, width: view.width, height: view.height, pixelRatio: view.ratio, options: options)
    try other.setCamera(camera)
    (map, ratio) = (other, view.ratio)
    listen()
    try load(now)
    isDue = true
  }

  // MARK: The style

  /// Shows the style as it was loaded anew; the camera stays.
  func take(_ style: StyleSite, now: Int) throws(NeatlineError) {
    self.style = style
    try load(now)
  }

  private func load(_ now: Int) throws(NeatlineError) {
    holdsUntil = now + 2000
    (hasStyle, problems) = (false, 0)
    try style.load(into: map)
  }

  // MARK: What happens

  private func listen() {
    map.onEvery(event: .styleDataLoaded) { [unowned self] event in
      guard event.payload == .style else { return }
      hasStyle = true
      isDue = true
    }
    map.onEvery(event: .styleLoaded) { [unowned self] _ in
      news.append(
        .members([
          "type": "style", "name": .string(style.name),
          "attribution": .array(((try? map.attribution) ?? []).map { .string($0) }),
        ]))
    }
    map.onEvery(event: .cameraChanged) { [unowned self] _ in
      (isDue, isCameraNew, isIdleNew, movedAt) = (true, true, false, Platform.milliseconds)
    }
    map.onEvery(event: .renderFrameFinished) { [unowned self] _ in isDue = true }
    map.onEvery(event: .mapLoaded) { [unowned self] _ in
      holdsUntil = 0
      news.append(.members(["type": "loaded"]))
    }
    map.onEvery(event: .mapIdle) { [unowned self] _ in isIdleNew = true }
    map.onEvery(event: .mapLoadingError) { [unowned self] in tell($0.payload) }
    map.onEvery(event: .gestureBegan) { [unowned self] in
      tell(
        "began", $0.payload.type,
        [("x", .number($0.payload.location.x)), ("y", .number($0.payload.location.y))])
    }
    map.onEvery(event: .gestureEnded) { [unowned self] in
      tell("ended", $0.payload.type, [("willAnimate", .bool($0.payload.willAnimate))])
    }
    map.onEvery(event: .gestureEndedAnimating) { [unowned self] in tell("over", $0.payload, []) }
  }

  private func tell(_ phase: String, _ type: GestureType, _ more: [(String, JSONValue)]) {
    news.append(
      .object(
        [
          JSONValue.Member("type", "gesture"), JSONValue.Member("phase", .string(phase)),
          JSONValue.Member("gesture", .string(type.rawValue)),
        ] + more.map { JSONValue.Member($0.0, $0.1) }))
  }

  /// Where things are is the server's own business: the page is told what part of the map lacks them.
  private func tell(_ error: MapLoadingError) {
    problems += 1
    guard problems <= LiveLimits.problems else { return }
    if problems == 1 { Console.warning("live map of \(style.id): \(error)") }
    var members: [JSONValue.Member] = [
      JSONValue.Member("type", "missing"), JSONValue.Member("part", .string(error.type.rawValue)),
      JSONValue.Member("status", .string("\(error.error.status)")),
    ]
    if let source = error.sourceId { members.append(JSONValue.Member("source", .string(source))) }
    if let tile = error.tile {
      members.append(JSONValue.Member("tile", .string("\(tile.z)/\(tile.x)/\(tile.y)")))
    }
    news.append(.object(members))
  }

  /// What the page is told next.
  func takeNews() -> [JSONValue] {
    defer { news = [] }
    return news
  }

  /// Whether the map has come to rest and the page has been sent all that it shows; once each time.
  func takeIdle() -> Bool {
    guard isIdleNew, !isDue, !frames.isRough else { return false }
    isIdleNew = false
    return true
  }

  // MARK: Frames

  /// Since when the page has not said that it showed a frame; nil: it owes none.
  var waitsSince: Int? { frames.isWaiting ? frames.waitsSince : nil }

  /// When there is something to do for `frame`, where nothing happens before; nil: never.
  var nextFrameTime: Int? {
    if nextView != nil { return takesViewAt }
    guard frames.hasRoom else { return nil }
    if isDue, hasStyle { return max(drawnAt + LiveLimits.frameTime, holdsUntil, triesAgainAt) }
    return frames.isRough ? max(movedAt + LiveLimits.restTime, triesAgainAt) : nil
  }

  /// What the page is to be shown now; nil where nothing changed or it is not time yet. A camera that is new is
  /// among the news then.
  func frame(now: Int) throws(LiveFault) -> FrameMessage? {
    guard let time = nextFrameTime, time <= now else { return nil }
    do throws(NeatlineError) {
      if let nextView {
        try replaceMap(nextView, now)
        return nil
      }
      guard isDue, hasStyle else {
        return try frames.refine(heeded: heeded, now: now)
      }
      isDue = false
      drawnAt = now
      let image = try map.draw()
      let isMoving = now - movedAt < LiveLimits.restTime
      let frame = try frames.take(image, isMoving: isMoving, heeded: heeded, now: now)
      // What happened while it was drawn is in the next one.
      drawnAt = max(drawnAt, Platform.milliseconds - LiveLimits.frameTime / 2)
      if isCameraNew { news.append(try camera) }
      isCameraNew = false
      return frame
    } catch {
      (isDue, triesAgainAt) = (true, now + LiveLimits.retryTime)
      throw LiveFault(.drawing, error.message)
    }
  }

  /// Where the view is.
  private var camera: JSONValue {
    get throws(NeatlineError) {
      let camera = try map.camera
      return .members([
        "type": "camera", "longitude": .number(camera.longitude), "latitude": .number(camera.latitude),
        "zoom": .number(camera.zoom), "bearing": .number(camera.bearing), "pitch": .number(camera.pitch),
      ])
    }
  }
}

extension StyleSite {
  /// Starts to show this style.
  fileprivate func load(into map: Map) throws(NeatlineError) {
    guard let document else { return try map.loadStyle(config.address) }
    try map.setStyle(json: document.text, baseURL: base)
  }
}
