import Neatline

/// What a page says to its live map: an object of JSON with `type` and the members of that type, no others.
enum LiveMessage: Equatable {
  /// Logical pixels, and device pixels of one.
  struct View: Equatable {
    var width: Int
    var height: Int
    var ratio: Double
  }

  /// What of a camera is to change.
  struct CameraChange: Equatable {
    var longitude: Double?, latitude: Double?, zoom: Double?, bearing: Double?, pitch: Double?

    func applied(to camera: Camera) -> Camera {
      var camera = camera
      camera.longitude = longitude ?? camera.longitude
      camera.latitude = latitude ?? camera.latitude
      camera.zoom = zoom ?? camera.zoom
      camera.bearing = bearing ?? camera.bearing
      camera.pitch = pitch ?? camera.pitch
      return camera
    }
  }

  case hello(View, formats: [Image.Format], camera: CameraChange?)
  case resize(View)
  case pointer(PointerEvent)
  case wheel(WheelEvent)
  case key(MapKey, KeyModifiers, milliseconds: Double)
  /// The page has lost its pointers.
  case cancel
  case camera(CameraChange, milliseconds: Int)
  /// A frame is shown.
  case shown(UInt32)

  /// Of this protocol.
  static let version = 1

  /// The messages of a text: one, or a list of them.
  static func read(_ text: String) throws(LiveFault) -> [LiveMessage] {
    let json: JSONValue
    do { json = try JSONValue(parsing: text) } catch { throw LiveFault(.malformed, "no JSON: \(error)") }
    guard let list = json.array else { return [try LiveMessage(json)] }
    guard list.count <= LiveLimits.batch else {
      throw LiveFault(.malformed, "a list of \(list.count) messages: at most \(LiveLimits.batch)")
    }
    var messages: [LiveMessage] = []
    for entry in list { messages.append(try LiveMessage(entry)) }
    return messages
  }

  private init(_ json: JSONValue) throws(LiveFault) {
    guard json.object != nil else { throw LiveFault(.malformed, "a message is an object, or a list of them") }
    guard let type = json["type"]?.string else { throw LiveFault(.malformed, "type is missing, or no text") }
    var reader = MemberReader(json, type)
    switch type {
    case "hello": self = try reader.hello()
    case "resize": self = .resize(try reader.view())
    case "pointer": self = .pointer(try reader.pointer())
    case "wheel":
      self = .wheel(
        WheelEvent(
          at: try reader.point(), delta: try reader.number("delta"), milliseconds: try reader.number("time"),
          isTrackpad: try reader.flag("trackpad")))
    case "key":
      self = .key(
        try reader.word("key", MapKey.words), try reader.modifiers(), milliseconds: try reader.number("time"))
    case "cancel": self = .cancel
    case "camera":
      let camera = try reader.cameraChange()
      self = .camera(camera, milliseconds: try reader.whole("duration", 0...60_000) ?? 0)
    case "shown": self = .shown(UInt32(try reader.whole("frame", 1...Int(UInt32.max), isNeeded: true) ?? 0))
    default: throw LiveFault(.malformed, "type \"\(type.prefix(40))\" is not known")
    }
    try reader.end()
  }
}

/// Why a message is not heeded.
struct LiveFault: Error, Equatable {
  /// As the page is told.
  enum Code: String {
    /// It is no message: the socket is closed with 1008.
    case malformed
    /// It is one that cannot be heeded: the map goes on as it was.
    case refused
    /// The view is larger than the server allows.
    case size
    /// The picture cannot be drawn now.
    case drawing
    /// The style cannot be loaded.
    case style
    /// There are as many live maps as there may be: 1013.
    case full
    /// Nothing came for too long: 1000.
    case idle
    /// The client takes too little, or shows nothing of what it takes: 1008.
    case slow
    /// The server stops, or no longer has the style: 1001.
    case stopping, gone
  }

  var code: Code
  var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// What the page is told.
  func json(isLast: Bool) -> JSONValue {
    .members([
      "type": "error", "code": .string(code.rawValue), "message": .string(message), "isLast": .bool(isLast),
    ])
  }
}

/// Takes the members of a message out of it, each of its kind; what is left is too much.
private struct MemberReader {
  private let json: JSONValue
  private let type: String
  private var taken: Set<String> = ["type"]

  init(_ json: JSONValue, _ type: String) { (self.json, self.type) = (json, type) }

  private func fault(_ name: String, _ what: String) -> LiveFault {
    LiveFault(.malformed, "\(type): \(name) \(what)")
  }

  private mutating func take(_ name: String) -> JSONValue? {
    taken.insert(name)
    return json[name]
  }

  func end() throws(LiveFault) {
    if let other = json.object?.first(where: { !taken.contains($0.key) }) {
      throw fault("\"\(other.key.prefix(40))\"", "is not known")
    }
  }

  mutating func number(_ name: String) throws(LiveFault) -> Double {
    guard let value = take(name) else { throw fault(name, "is missing") }
    guard let number = value.number, number.isFinite else { throw fault(name, "is no number") }
    return number
  }

  private mutating func optionalNumber(_ name: String) throws(LiveFault) -> Double? {
    json[name] == nil ? nil : try number(name)
  }

  mutating func whole(_ name: String, _ range: ClosedRange<Int>, isNeeded: Bool = false) throws(LiveFault)
    -> Int?
  {
    guard isNeeded || json[name] != nil else { return nil }
    let number = try number(name)
    guard let whole = Int(exactly: number), range.contains(whole) else {
      throw fault(name, "\(number) is no whole number within \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  mutating func flag(_ name: String) throws(LiveFault) -> Bool {
    guard let value = take(name) else { return false }
    guard let flag = value.bool else { throw fault(name, "is neither true nor false") }
    return flag
  }

  mutating func word<T>(_ name: String, _ words: [(String, T)], else standard: T? = nil) throws(LiveFault)
    -> T
  {
    guard let value = take(name) else {
      guard let standard else { throw fault(name, "is missing") }
      return standard
    }
    guard let word = value.string, let found = words.first(where: { $0.0 == word }) else {
      throw fault(name, "is none of \(words.map(\.0).joined(separator: ", "))")
    }
    return found.1
  }

  mutating func point() throws(LiveFault) -> ScreenPoint { ScreenPoint(try number("x"), try number("y")) }

  mutating func modifiers() throws(LiveFault) -> KeyModifiers {
    guard let value = take("modifiers") else { return [] }
    guard let list = value.array, list.count <= 8 else { throw fault("modifiers", "is no list of keys") }
    var modifiers: KeyModifiers = []
    for entry in list {
      guard let found = KeyModifiers.words.first(where: { $0.0 == entry.string }) else {
        throw fault("modifiers", "has another than \(KeyModifiers.words.map(\.0).joined(separator: ", "))")
      }
      modifiers.insert(found.1)
    }
    return modifiers
  }

  mutating func view() throws(LiveFault) -> LiveMessage.View {
    // The engine's own limits; the server's are looked at by who makes the view.
    let width = try whole("width", 1...16384, isNeeded: true) ?? 1
    let height = try whole("height", 1...16384, isNeeded: true) ?? 1
    let ratio = try optionalNumber("ratio") ?? 1
    guard ratio >= 0.1, ratio <= 16 else { throw fault("ratio", "\(ratio) is not within 0.1 to 16") }
    return LiveMessage.View(width: width, height: height, ratio: ratio)
  }

  mutating func hello() throws(LiveFault) -> LiveMessage {
    let version = try whole("version", 1...Int(UInt32.max), isNeeded: true)
    guard version == LiveMessage.version else {
      throw fault("version", "\(version ?? 0) is not \(LiveMessage.version)")
    }
    let view = try view()
    var formats: [Image.Format] = []
    let given = take("formats") ?? .array(["png"])
    guard let list = given.array, list.count <= 8 else { throw fault("formats", "is no list of formats") }
    for entry in list {
      guard let format = Image.Format.words.first(where: { $0.0 == entry.string }) else {
        throw fault("formats", "has another than \(Image.Format.words.map(\.0).joined(separator: ", "))")
      }
      formats.append(format.1)
    }
    guard formats.contains(.png) || formats.contains(.webp) else {
      throw fault("formats", "has neither png nor webp, which keep every pixel")
    }
    var camera: LiveMessage.CameraChange?
    if let given = take("camera") {
      guard given.object != nil else { throw fault("camera", "is no object") }
      var reader = MemberReader(given, "hello: camera")
      camera = try reader.cameraChange()
      try reader.end()
    }
    return .hello(view, formats: formats, camera: camera)
  }

  mutating func cameraChange() throws(LiveFault) -> LiveMessage.CameraChange {
    LiveMessage.CameraChange(
      longitude: try optionalNumber("longitude"), latitude: try optionalNumber("latitude"),
      zoom: try optionalNumber("zoom"), bearing: try optionalNumber("bearing"),
      pitch: try optionalNumber("pitch"))
  }

  mutating func pointer() throws(LiveFault) -> PointerEvent {
    PointerEvent(
      id: Int64(try whole("id", -(1 << 53)...1 << 53) ?? 0), try word("phase", PointerEvent.Phase.words),
      at: try point(), milliseconds: try number("time"),
      kind: try word("kind", PointerEvent.Kind.words, else: .mouse),
      button: try word("button", PointerEvent.Button.words, else: .primary), modifiers: try modifiers())
  }
}

// Words of the protocol. A pen is as steady as a mouse.

extension PointerEvent.Phase {
  fileprivate static let words: [(String, PointerEvent.Phase)] = [
    ("down", .down), ("move", .move), ("up", .up), ("cancel", .cancel),
  ]
}

extension PointerEvent.Kind {
  fileprivate static let words: [(String, PointerEvent.Kind)] = [
    ("mouse", .mouse), ("touch", .touch), ("pen", .mouse),
  ]
}

extension PointerEvent.Button {
  fileprivate static let words: [(String, PointerEvent.Button)] = [
    ("primary", .primary), ("secondary", .secondary), ("middle", .middle),
  ]
}

extension KeyModifiers {
  fileprivate static let words: [(String, KeyModifiers)] = [
    ("shift", .shift), ("control", .control), ("alt", .alt), ("meta", .meta),
  ]
}

extension MapKey {
  fileprivate static let words = MapKey.allCases.map { ("\($0)", $0) }
}

extension Image.Format {
  fileprivate static let words = Image.Format.allCases.map { ("\($0)", $0) }
}
